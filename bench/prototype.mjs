/**
 * Factorisations that the numpy prototype of the cone solver takes for known problems, cold, to 1e-9 m/s: what ours are compared
 * with. Only those that it solves.
 *
 * @type {Readonly<Record<string, number>>}
 */
export const PROTOTYPE_FACTORISATIONS = Object.freeze({
  'Box_Stacks-i0122-82-5': 10,
  'BoxesStack1-i100000-32': 16,
  'Capsules-i101-404': 49,
  'Capsules-i125-1213': 36,
  'Confeti-ex13-4contact-Fc3D-SBM': 15,
  'Confeti-ex13-Fc3D-SBM': 16,
  'KaplasTower-i1061-4': 7,
  'LMGC_100_PR_PerioBox-i00361-60-03000': 17,
  NESpheres_10_1: 13,
  'OneObject-i100000-316': 21,
  'OneObject-i1028-138': 18,
  RockPile_tob1: 1640,
  'stack-5': 6,
  'stack-10': 6,
  'stack-20': 9,
  'stack-4-under-1e3': 9,
  'stack-4-under-1e6': 13,
  'stack-9-under-1e6': 12,
  'stack-19-under-1e6': 115,
  'stack-alternating-4': 8,
  'stack-alternating-6': 8,
  'stack-alternating-10': 34,
  'stack-alternating-20': 18,
  'stack-geometric-10': 22,
  'stack-geometric-2': 10,
  box: 5,
  'box-row-10': 9,
  'box-row-alternating': 19,
  'sphere-chain-20': 14,
  'sphere-chain-geometric': 17,
  'box-pyramid-6': 25,
  'box-pyramid-10': 83,
  'box-pyramid-6-ratio-1e3': 38,
  'box-pyramid-6-ratio-1e6': 58,
  'box-pyramid-6-alternating': 135,
  'sphere-heap-60': 24,
  'recorded-domino-row-150': 15,
  'recorded-domino-row-320': 405,
  'recorded-masonry-arch-2': 7,
  'recorded-mass-ratio-alternating-2': 8,
  'recorded-thin-arch-45': 20,
  'degenerate-tower-0': 232,
  'degenerate-tower-1': 317,
})

/**
 * What the prototype does with random piles at 1e-8 m/s, 16 per cell, by the masses' ratio and mu: those solved and the median of
 * their factorisations, on its own seeds (`published`) and on those of `random-piles.mjs` with `--first-seed 1` (`same`).
 *
 * @typedef {{ solved: number, median: number }} PileRecord
 * @type {Readonly<Record<string, { published: PileRecord, same: PileRecord }>>}
 */
export const PROTOTYPE_PILES = Object.freeze({
  '1 0.3': { published: { solved: 16, median: 18 }, same: { solved: 16, median: 20 } },
  '1 0.7': { published: { solved: 16, median: 17 }, same: { solved: 15, median: 17 } },
  '1 1': { published: { solved: 16, median: 15 }, same: { solved: 15, median: 16 } },
  '1000 0.3': { published: { solved: 15, median: 30 }, same: { solved: 14, median: 28 } },
  '1000 0.7': { published: { solved: 14, median: 32 }, same: { solved: 15, median: 27 } },
  '1000 1': { published: { solved: 13, median: 48 }, same: { solved: 15, median: 28 } },
  '1000000 0.3': { published: { solved: 14, median: 74 }, same: { solved: 10, median: 53 } },
  '1000000 0.7': { published: { solved: 12, median: 99 }, same: { solved: 11, median: 46 } },
  '1000000 1': { published: { solved: 10, median: 105 }, same: { solved: 12, median: 96 } },
})
