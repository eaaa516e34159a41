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

export {}
