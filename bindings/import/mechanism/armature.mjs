// The inertia that a joint has of its own, as the rotor of a geared motor gives it: it adds armature · rate² / 2 to the kinetic energy
// (Featherstone 2008, Rigid Body Dynamics Algorithms, section 9.6). The engine has no such thing, but a constraint that gives way
// does the same: over a step its impulse is -armature · (rate after - rate before).

import { cross, dot, pointIn, rotate, subtract, unit } from '../rigid.mjs'

/** @import { Body, ConstraintDefinition, ConstraintBody } from '../../index.mjs' */
/** @import { Vector } from '../../types/index.mjs' */
/** @import { LinkJoint } from './mechanism.mjs' */

/**
 * @param {LinkJoint & { armature: number }} joint a hinge or a slider
 * @param {Body | null} before what it is on; null: what does not move
 * @param {Body} body
 * @returns {ConstraintDefinition}
 */
export function armatureOf({ type, axis, anchor, armature }, before, body) {
  const along = unit(axis)
  const rowOf = type === 'hinge' ? hingeRow : sliderRow
  // Of one body, A is the link; of two it is B.
  const linkOf = (/** @type {ConstraintBody} */ a, /** @type {ConstraintBody | null} */ b) => b ?? a
  return {
    type: 'custom',
    typeName: 'armature',
    bodies: before === null ? [body] : [before, body],
    dimension: 1,
    // C is 0 and its derivative by time is minus the rate before: the row aims at no change of the rate.
    ...{ alpha: 0, beta: 1, compliance: 1 / armature },
    evaluate() {},
    jacobian(a, b, time, out) {
      const [linear, angular] = rowOf(linkOf(a, b), a, along, anchor)
      if (b === null) out.set([...linear.own, ...angular.own])
      else out.set([...linear.other, ...angular.other, ...linear.own, ...angular.own])
    },
    timeDerivative(a, b, time, out) {
      const [linear, angular] = rowOf(linkOf(a, b), a, along, anchor)
      const link = linkOf(a, b)
      out[0] = -dot(linear.own, link.linearVelocity) - dot(angular.own, link.angularVelocity)
      if (b === null) return
      out[0] -= dot(linear.other, a.linearVelocity) + dot(angular.other, a.angularVelocity)
    },
  }
}

/** Parts of a row for the link and for what it is on. @typedef {{ own: Vector, other: Vector }} Part */

/** @type {Vector} */
const NONE = [0, 0, 0]
const minus = (/** @type {Vector} */ v) => /** @type {Vector} */ ([-v[0], -v[1], -v[2]])

/**
 * @param {ConstraintBody} link
 * @param {ConstraintBody} _before
 * @param {Vector} along
 * @returns {[linear: Part, angular: Part]}
 */
function hingeRow(link, _before, along) {
  const axis = rotate(link.orientation, along)
  return [
    { own: NONE, other: NONE },
    { own: axis, other: minus(axis) },
  ]
}

/**
 * @param {ConstraintBody} link
 * @param {ConstraintBody} before
 * @param {Vector} along
 * @param {Vector} anchor
 * @returns {[linear: Part, angular: Part]}
 */
function sliderRow(link, before, along, anchor) {
  const axis = rotate(link.orientation, along)
  const point = pointIn(link, anchor)
  const armOf = (/** @type {ConstraintBody} */ one) => subtract(point, one.worldCenterOfMass)
  return [
    { own: axis, other: minus(axis) },
    { own: cross(armOf(link), axis), other: minus(cross(armOf(before), axis)) },
  ]
}
