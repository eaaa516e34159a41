import { Quaternion, Vector3 } from 'three'
import { quadruple, triple } from '../../rapier/index.mjs'

/** @import { Matrix4 } from 'three' */
/** @import { Pose } from '../../rapier/rigid-body.mjs' */

const position = new Vector3()
const orientation = new Quaternion()
const scale = new Vector3()

/**
 * @param {Matrix4} matrix of an object in the world, with a scale, which bodies do not have
 * @returns {Pose}
 */
export function poseOf(matrix) {
  matrix.decompose(position, orientation, scale)
  return { position: triple(position), orientation: quadruple(orientation) }
}
