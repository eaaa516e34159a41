import { Euler, Quaternion, Vector3 } from 'three'

// Vectors of three.js, by the names that @react-three/rapier has for them.

/** @import { Xyz, Xyzw } from '../rapier/vectors.mjs' */

/** @param {Partial<Xyz>} [value] anything with x, y, z @returns {Vector3} */
export const vec3 = ({ x = 0, y = 0, z = 0 } = {}) => new Vector3(x, y, z)

/** @param {Partial<Xyzw>} [value] anything with x, y, z, w @returns {Quaternion} */
export const quat = ({ x = 0, y = 0, z = 0, w = 1 } = {}) => new Quaternion(x, y, z, w)

/** @param {Partial<Xyz>} [value] anything with x, y, z, radians @returns {Euler} */
export const euler = ({ x = 0, y = 0, z = 0 } = {}) => new Euler(x, y, z)
