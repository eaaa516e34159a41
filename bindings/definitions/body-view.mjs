import * as CALLBACK_BODY from '../generated/places/callback-body.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { ConstraintBody, Quaternion, Vector } from '../types/index.mjs' */

/**
 * A body at the pose that a function is asked about. One object per constraint or potential and
 * body, filled anew for each call.
 * @implements {ConstraintBody}
 */
export class BodyView {
  /** @readonly */
  body
  position = /** @type {Vector} */ ([0, 0, 0])
  orientation = /** @type {Quaternion} */ ([0, 0, 0, 1])
  worldCenterOfMass = /** @type {Vector} */ ([0, 0, 0])
  linearVelocity = /** @type {Vector} */ ([0, 0, 0])
  angularVelocity = /** @type {Vector} */ ([0, 0, 0])

  /** @param {Body} body */
  constructor(body) {
    this.body = body
  }

  /**
   * @param {Float64Array} from
   * @param {number} at
   */
  fill(from, at) {
    copy(from, at + CALLBACK_BODY.position, this.position)
    copy(from, at + CALLBACK_BODY.orientation, this.orientation)
    copy(from, at + CALLBACK_BODY.centerOfMass, this.worldCenterOfMass)
    copy(from, at + CALLBACK_BODY.linearVelocity, this.linearVelocity)
    copy(from, at + CALLBACK_BODY.angularVelocity, this.angularVelocity)
  }
}

/**
 * @param {Float64Array} from
 * @param {number} at
 * @param {number[]} to
 */
function copy(from, at, to) {
  for (let i = 0; i < to.length; i++) to[i] = from[at + i]
}
