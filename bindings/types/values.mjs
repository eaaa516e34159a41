// Vectors, quaternions and poses, as they are read and given.

/**
 * A vector or point to be read: three numbers, or anything with `x`, `y`, `z` (a three.js `Vector3`).
 * @typedef {readonly number[] | Float32Array | Float64Array
 *   | { readonly x: number, readonly y: number, readonly z: number }} VectorLike
 */

/**
 * A quaternion to be read: `[x, y, z, w]`, or anything with these names (a three.js `Quaternion`).
 * Need not be of unit length: anything from 1e-150 to 1e150 is fine.
 * @typedef {readonly number[] | Float32Array | Float64Array | { readonly x: number,
 *   readonly y: number, readonly z: number, readonly w: number }} QuaternionLike
 */

/**
 * Three numbers or an object that a `read...` function writes to.
 * @typedef {number[] | Float32Array | Float64Array | { x: number, y: number, z: number }} VectorOut
 */

/**
 * Four numbers or an object that a `read...` function writes to.
 * @typedef {number[] | Float32Array | Float64Array
 *   | { x: number, y: number, z: number, w: number }} QuaternionOut
 */

/** @typedef {[x: number, y: number, z: number]} Vector a vector or point, as getters give it */

/** @typedef {[x: number, y: number, z: number, w: number]} Quaternion as getters give it; unit */

/**
 * A symmetric 3 by 3 matrix: `[Ixx, Iyy, Izz]` of a diagonal one, or 9 numbers by rows.
 * @typedef {readonly number[] | Float32Array | Float64Array} InertiaLike
 */

/**
 * Where something is.
 * @typedef {object} Pose
 * @property {VectorLike} [position] metres; default `[0, 0, 0]`
 * @property {QuaternionLike} [orientation] default `[0, 0, 0, 1]`, no rotation
 */

export {}
