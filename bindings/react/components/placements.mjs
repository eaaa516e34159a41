import { Quaternion, Vector3 } from 'three'
import { quadruple, triple } from '../../rapier/index.mjs'

/** @import { Matrix4 } from 'three' */

const position = new Vector3()
const orientation = new Quaternion()
const scale = new Vector3()

/**
 * The pose of a collider in the frame of its body, which is never scaled, from where both are in the world, and its scale.
 * @param {Matrix4} ofBody
 * @param {Matrix4} ofCollider
 */
export function placementOf(ofBody, ofCollider) {
  const origin = new Vector3()
  const turn = new Quaternion()
  ofBody.decompose(origin, turn, scale)
  ofCollider.decompose(position, orientation, scale)
  turn.invert()
  return {
    position: triple(position.sub(origin).applyQuaternion(turn)),
    orientation: quadruple(turn.multiply(orientation)),
    scale: triple(scale),
  }
}
