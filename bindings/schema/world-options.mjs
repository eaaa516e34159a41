// The options of a world: one entry each. From it come the member of mo_world_def, its default and
// check in C, its way through the boundary, the reader, getter and setter of JavaScript, its type, and
// its row in docs/api.md.
//
// `kind` says what values it takes:
//   vector    three finite numbers
//   word      one of `enum` (enums.mjs)
//   count     a whole number from `least` to `most`
//   bytes     a whole number of bytes
//   number    a finite number, 0 or more
//   fraction  a number from 0 to 1
//   positive  a finite number above 0
//   automatic a finite number, 0 or more, or 'auto', which is below 0 in C
//   flag      true or false
//   teller    true, false or a function
// `must` is what the engine's refusal says, where the kind does not say it. `doc` is one sentence without
// its full stop, as JavaScript names things; `more` continues it; `c` stands in for both in
// include/moreau.h where that has to say it in other words, and `see` is a link for docs/api.md.
// `perLength`: its default is in metres (to the power of one), and is converted by the `lengthUnit` of the world.
// `state: false`: no motion depends on it.
// `member: false`: an option of the JavaScript world alone.

/**
 * @typedef {object} OptionSchema
 * @property {string} name
 * @property {'vector' | 'word' | 'count' | 'bytes' | 'number' | 'fraction' | 'positive'
 *   | 'automatic' | 'flag' | 'teller'} kind
 * @property {string} [enum]
 * @property {number} [least]
 * @property {number} [most]
 * @property {readonly number[] | string | number | boolean} default
 * @property {string} [unit]
 * @property {true} [perLength]
 * @property {string} [must]
 * @property {string} doc
 * @property {string} [more]
 * @property {string} [see]
 * @property {string} [c]
 * @property {false} [state]
 * @property {false} [member]
 */

/** @type {readonly OptionSchema[]} */
export const WORLD_OPTIONS = [
  {
    ...{ name: 'lengthUnit', kind: 'positive', default: 1, unit: 'm' },
    doc: "how long the unit is in which the world has its lengths: 0.01 where they are in centimetres. Options that are not given, and the thresholds inside of the engine, are metres of it: the default gravity is then 981 units/s². What is given is in units of the world: lengths, speeds, forces in kg units/s². Set later, it converts no options but those that are `'auto'`",
    see: '[units](#units)',
    c: 'how long the unit is in which the world has its lengths: 0.01 where they are in centimetres. Tolerances inside of the engine and options below 0 follow it; the other defaults do in mo_world_def_in_units',
  },
  {
    ...{ name: 'gravity', kind: 'vector', default: [0, -9.81, 0], unit: 'm/s²' },
    perLength: true,
    doc: 'acceleration of all dynamic bodies, times their `gravityScale`',
  },
  {
    ...{ name: 'solver', kind: 'word', enum: 'solver', default: 'auto' },
    doc: "what solves contacts and joints, where a body does not ask for another. `'soft-step'`, substeps with soft constraints, is fast. `'block-pgs'` is block projected Gauss-Seidel: sweeps with true Coulomb friction. `'exact'` solves each island by what it holds: `'bilateral'` where there are only joints, `'active-set'` without friction, `'cone'` with it; these names ask for one of them where it can do the work. `'auto'` is `'soft-step'`, and `'exact'` for bodies that carry 30 times their mass and for what joints of masses 100 to 1 link",
    see: '[exact mode](#exact-mode)',
    c: 'what solves contacts and joints, where a body does not ask for another. MO_SOLVER_SOFT_STEP has an integrator of its own, and is refused with one that is not MO_INTEGRATOR_SEMI_IMPLICIT_EULER',
  },
  {
    ...{ name: 'stabilization', kind: 'word', enum: 'stabilization', default: 'split' },
    doc: "how `'block-pgs'` and the exact solvers remove overlap. `'split'`: by pseudo-velocities that carry no energy; `'baumgarte'` goes through the velocities, `'none'` leaves it",
    see: '[physics.md](physics.md#overlap)',
    c: 'how overlap is removed',
  },
  {
    ...{ name: 'integrator', kind: 'word', enum: 'integrator', default: 'semi-implicit-euler' },
    doc: "how the smooth motion is integrated; others are `'explicit-euler'`, `'velocity-verlet'`, `'rk4'` and `'implicit-midpoint'`. The default is the only one of `'soft-step'`: a world created with another one and no `solver` gets `'block-pgs'`",
    see: '[physics.md](physics.md#integrators)',
    c: 'how the smooth motion is integrated',
  },
  {
    ...{ name: 'iterations', kind: 'count', least: 1, most: 100000, default: 20 },
    doc: "sweeps of `'block-pgs'` per solve at the most",
    more: 'a step is solved again, up to five times, if its impacts would create energy',
  },
  {
    ...{ name: 'tolerance', kind: 'number', default: 1e-8, unit: 'm/s' },
    perLength: true,
    must: 'must be finite and 0 or more m/s',
    doc: "a sweep of `'block-pgs'` that changes no velocity of a row by more ends the solve (sweeps that stall at rest end earlier); what the certificate of an exactly solved island must reach",
  },
  {
    ...{ name: 'restitutionThreshold', kind: 'automatic', default: 'auto', unit: 'm/s' },
    must: 'must be finite, in m/s',
    doc: "approach speed below which nothing bounces; `'auto'` is `max(0.01, 2 |gravity| dt)`, with the length of a substep for `dt` in `'soft-step'`",
  },
  {
    ...{ name: 'impactLaw', kind: 'word', enum: 'impactLaw', default: 'newton' },
    doc: "what becomes of impacts that happen at once. `'newton'`: every contact that was hit leaves with its own `restitution` times the speed that it was hit with. `'generalized-reflections'`: impacts go on through bodies that touch, as in Newton's cradle",
    see: '[physics.md](physics.md#impacts-at-once)',
    c: 'what becomes of impacts that happen at once',
  },
  {
    ...{ name: 'linearSlop', kind: 'automatic', default: 'auto', unit: 'm' },
    must: 'must be finite, in metres',
    doc: "overlap that is left alone; in `'soft-step'` none is, and it is the scale of what counts as near. `'auto'` is 0.005 where `'soft-step'` solves, else 0.001, or 0.0002 with the solver `'auto'`",
    c: 'overlap that is left alone. In soft-step it is the scale of what counts as near: contacts begin four slops apart. Below 0 it is 0.005 there, else 0.001',
  },
  {
    ...{ name: 'errorReduction', kind: 'fraction', default: 0.2 },
    must: 'must be 0 to 1',
    doc: 'the part of the overlap beyond the slop that a step removes',
  },
  {
    ...{ name: 'maxCorrectionSpeed', kind: 'number', default: 3, unit: 'm/s' },
    perLength: true,
    must: 'must be finite and 0 or more m/s',
    doc: 'cap of the speed at which overlap is removed, with every solver',
  },
  {
    ...{ name: 'frictionLaw', kind: 'word', enum: 'frictionLaw', default: 'coulomb' },
    doc: "what friction obeys in the exact solvers. `'convex'` is the convex relaxation, in which what slides lifts off by the friction coefficient times its speed",
    c: 'what friction obeys in the exact solvers',
  },
  {
    ...{ name: 'effort', kind: 'word', enum: 'effort', default: 'frame' },
    doc: "what the exact solvers may spend in a step: `'frame'` 2e8 counted operations, about 12 ms (2e7 where `'auto'` alone asks for them), `'step'` five times as much, `'offline'` without bound, and with arclength continuation, which may take thousands of factorisations",
    see: '[exact mode](physics.md#exact-mode)',
    c: 'what the exact solvers may spend in a step',
  },
  {
    ...{ name: 'maxIterations', kind: 'count', least: 1, most: 100000, default: 400 },
    doc: 'matrix factorisations that an exact solver may spend on an island in a step',
  },
  {
    ...{ name: 'workBudget', kind: 'automatic', default: 'auto' },
    must: 'must be finite, in floating-point operations',
    doc: "what the exact solvers may spend in a step on all islands together, in counted floating-point operations, so that the same step ends at the same point everywhere. `'auto'` is what `effort` says",
    more: 'an island that does not converge within its share says `budget`, and keeps the best impulses found, by certificate',
    see: '[exact mode](physics.md#exact-mode)',
    c: 'floating-point operations, as they are counted, that the exact solvers may spend in a step on all islands together. Below 0 it is what effort says. An island that does not converge within its share keeps the best impulses found, by certificate',
  },
  {
    ...{ name: 'exactMemoryLimit', kind: 'bytes', default: 268435456, unit: 'bytes' },
    must: 'must be 1 byte to half of the address space',
    doc: "working memory that the exact solve of an island may take; a bigger island is solved by `'block-pgs'`, which `islands()` and the `solver` event tell",
    c: "working memory that an island's exact solve may take; an island that needs more is solved by block-pgs",
  },
  {
    ...{ name: 'substeps', kind: 'count', least: 1, most: 64, default: 4 },
    doc: "substeps that `'soft-step'` makes of each step of up to 1/60 s; of longer steps in proportion",
  },
  {
    ...{ name: 'contactHertz', kind: 'positive', default: 30, unit: '1/s' },
    doc: "how stiff contacts of `'soft-step'` are; stiffer ones than a substep can follow without gaining energy are not used: with the default damping more than `substeps / (8 dt)`",
  },
  {
    ...{ name: 'contactDamping', kind: 'number', default: 10 },
    must: 'must be finite, 0 or more',
    doc: "damping ratio of contacts of `'soft-step'`",
  },
  {
    ...{ name: 'jointHertz', kind: 'positive', default: 120, unit: '1/s' },
    doc: "how stiff joints of `'soft-step'` are; more than `substeps / (3 dt)` is not used",
  },
  {
    ...{ name: 'jointDamping', kind: 'number', default: 1 },
    must: 'must be finite, 0 or more',
    doc: "damping ratio of joints of `'soft-step'`",
  },
  {
    ...{ name: 'allowSleep', kind: 'flag', default: true },
    doc: 'whether islands of bodies that lie still fall asleep: they are not stepped until something wakes them',
    see: '[sleep](#sleep)',
  },
  {
    ...{ name: 'sleepThreshold', kind: 'automatic', default: 'auto', unit: 'm/s' },
    must: 'must be finite, in m/s',
    doc: "no point of a body that falls asleep is faster; `'auto'` is 0.05 where `'soft-step'` solves, else 0.0001",
  },
  {
    ...{ name: 'timeToSleep', kind: 'number', default: 0.5, unit: 's' },
    must: 'must be finite, 0 or more seconds',
    doc: 'how long all bodies of an island have to be that slow',
  },
  {
    ...{ name: 'certify', kind: 'flag', default: false, state: false },
    doc: "whether `'soft-step'` computes its certificate in every step, for `stats.residual`; `residual()` is there without",
    c: 'soft-step evaluates the certificate of every step, for mo_stats.residual; mo_world_residual is there without',
  },
  {
    ...{ name: 'hitThreshold', kind: 'number', default: 1, unit: 'm/s', state: false },
    perLength: true,
    must: 'must be finite and 0 or more m/s',
    doc: 'approach speed above which what begins to push is a hit, too',
    see: '[events](#events)',
  },
  {
    ...{ name: 'contactForceThreshold', kind: 'number', default: 0, unit: 'N', state: false },
    must: 'must be finite and 0 or more newtons',
    doc: 'normal force above which two shapes have an event in each step; 0: never',
    see: '[events](#events)',
  },
  {
    ...{ name: 'profile', kind: 'flag', default: false, member: false },
    doc: 'whether steps are timed from the start: see `profiling`',
  },
  {
    ...{ name: 'warnings', kind: 'teller', default: true, member: false },
    doc: 'whether the console is told, once each, of what is allowed and hardly ever meant, such as steps of milliseconds; a function is told instead',
    see: '[advice](#advice)',
  },
]
