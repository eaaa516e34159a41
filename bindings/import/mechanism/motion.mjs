// Forward kinematics: where joints' coordinates bring bodies, and how fast their rates move them. Recursion from the roots on, as in
// Featherstone 2008, Rigid Body Dynamics Algorithms, chapter 4.

import {
  add,
  compose,
  cross,
  inverse,
  NO_TURN,
  rotate,
  scale,
  subtract,
  turnAbout,
  unit,
  unitTurn,
  ZERO,
} from '../rigid.mjs'

/** @import { Quaternion, Vector } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { LinkJoint } from './mechanism.mjs' */

/** @typedef {number | Quaternion} Coordinate rad, m, or of a ball the turn of the link in its frame at 0 */
/** @typedef {number | Vector} Rate rad/s, m/s, or of a ball the angular velocity in the frame of the link */

/** @typedef {{ linear: Readonly<Vector>, angular: Readonly<Vector> }} Twist velocity of the origin of a frame, and angular velocity, world */

/**
 * What a joint does to its link: the frame of the link in its frame at 0.
 * @param {LinkJoint} joint
 * @param {Coordinate} value from 0 on
 * @returns {Frame}
 */
export function movedBy({ type, anchor, axis }, value) {
  if (type === 'slider') {
    return { position: scale(unit(axis), Number(value)), orientation: NO_TURN }
  }
  const orientation = Array.isArray(value) ? unitTurn(value) : turnAbout(axis, Number(value))
  return { position: subtract(anchor, rotate(orientation, anchor)), orientation }
}

/**
 * The twist of a link from that of what it is on.
 * @param {LinkJoint} joint
 * @param {Rate} rate
 * @param {Frame} parent world
 * @param {Twist} parentTwist
 * @param {Frame} link world
 * @returns {Twist}
 */
export function twistOf({ type, anchor, axis }, rate, parent, parentTwist, link) {
  const arm = subtract(link.position, parent.position)
  const carried = add(parentTwist.linear, cross(parentTwist.angular, arm))
  const own = Array.isArray(rate) ? rate : scale(unit(axis), Number(rate))
  const along = rotate(link.orientation, own)
  if (type === 'slider') {
    return { linear: add(carried, along), angular: parentTwist.angular }
  }
  const fromAnchor = rotate(link.orientation, scale(anchor, -1))
  return {
    linear: add(carried, cross(along, fromAnchor)),
    angular: add(parentTwist.angular, along),
  }
}

/**
 * The twist of what a fixed joint holds, or of a body's centre of mass.
 * @param {Twist} twist
 * @param {Vector} arm from the origin of the twist, world
 * @returns {Twist}
 */
export const twistAt = ({ linear, angular }, arm) => ({
  linear: add(linear, cross(angular, arm)),
  angular,
})

/**
 * The coordinate of a ball: how its link is turned in its frame at 0.
 * @param {Frame} zero world
 * @param {Frame} link world
 * @returns {Quaternion}
 */
export const turnBetween = (zero, link) => compose(inverse(zero), link).orientation

/** @type {Twist} */
export const AT_REST = { linear: ZERO, angular: ZERO }
