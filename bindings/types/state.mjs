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

export {}
