/**
 * Options of `world.snapshot`.
 * @typedef {object} Snapshooting
 * @property {boolean} [assets] true, the default: with the points and triangles of hulls, meshes and
 *   height fields, so that the bytes are enough for any world. false: with their names alone; the world
 *   itself has them, others get them by `world.assets()`
 * @property {Uint8Array} [out] to write to; it must be large enough, and no memory is taken
 */

/**
 * Options of `world.restore`.
 * @typedef {object} Restoring
 * @property {Uint8Array | ArrayBuffer} [assets] of `world.assets()`, for snapshots without them
 * @property {Readonly<Record<string, Readonly<Record<string, unknown>>>>} [constraints] the functions of
 *   custom constraints that are not in the world, by `typeName`: `evaluate` and the others
 * @property {Readonly<Record<string, Readonly<Record<string, unknown>>>>} [potentials] likewise of custom
 *   potentials: `force`, `torque`, `energy`
 */

/**
 * Options of `world.history`: how far it goes back. One of them at least; beyond any of them the oldest
 * frames go. The last one stays.
 * @typedef {object} HistoryOptions
 * @property {number} [seconds] of simulated time, above 0
 * @property {number} [frames] steps that one can go back, 1 or more
 * @property {number} [memory] bytes that frames may take, above 0. A frame of bodies that lie still takes
 *   some 100 bytes, one of bodies that move some 500 bytes for each of them
 */

/**
 * Options of `world.record`.
 * @typedef {object} RecordOptions
 * @property {number} [every] steps from one hash to the next, default 1. Only with 1 a replay finds the first step that
 *   differs
 * @property {number} [keyframes] steps from one snapshot to the next, default 60
 */

/**
 * Options of `World.replay`.
 * @typedef {object} ReplayOptions
 * @property {Restoring['constraints']} [constraints] the functions of custom constraints by `typeName`
 * @property {Restoring['potentials']} [potentials] likewise of custom potentials
 * @property {import('./report.mjs').ContactFilter} [contactFilter] where the world had one
 * @property {import('./report.mjs').ContactModifier} [contactModifier] likewise
 * @property {(world: import('../objects/world.mjs').World, step: number) => void} [beforeStep] called before each step, the
 *   first of which is 1, after the calls that were recorded before it. What it changes is a divergence, and named
 */

/**
 * What `World.replay` gives.
 * @typedef {object} Replay
 * @property {import('../objects/world.mjs').World} world after the last step that was made; yours to free
 * @property {number} steps that were made
 * @property {ReplayDivergence | undefined} divergence undefined: every step came out as it was recorded
 */

/**
 * A replay that came out differently.
 * @typedef {object} ReplayDivergence
 * @property {number} step the first one that did, from 1
 * @property {import('../state/difference.mjs').StateDifference[]} differences what differs, most first; empty where it
 *   is a call that was refused
 * @property {string} message
 */

export {}
