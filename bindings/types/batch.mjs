/** @import { MoreauErrorCode } from '../core/errors.mjs' */
/** @import { Body } from '../objects/body.mjs' */
/** @import { Joint } from '../objects/joint.mjs' */

/**
 * What acts on a world of a batch: one number of a row of `batch.actions`, or three of a force or
 * torque.
 *
 * `targetVelocity` and `targetPosition` aim the motor of a joint's coordinate, whose `maxForce` and
 * gains are those of the template, from the next step on. `effort` pushes along a coordinate in each
 * step, in N m or N, on both bodies of the joint. `force` acts at the centre of mass.
 *
 * @typedef {{ type: 'targetVelocity' | 'targetPosition' | 'effort', joint: Joint | number,
 *     coordinate?: number }
 *   | { type: 'force' | 'torque', body: Body | number, frame?: 'world' | 'body' }} BatchAction
 */

/**
 * What is seen of a world of a batch: numbers of a row of `batch.observations`.
 *
 * `position` (3 numbers, of the body's origin), `orientation` (4: x y z w), `centerOfMass` (3),
 * `linearVelocity` and `angularVelocity` (3 each), `coordinate` and `rate` of a joint (1 each), `contact`
 * (1: whether something pressed against the body in the last step, as 1 or 0), `contactForce` (3: N, of
 * all contacts on the body), `time` (1: s), `residual` (1: the certificate, m/s). With `other`, contacts
 * count that are with this body.
 *
 * @typedef {{ type: 'position' | 'orientation' | 'centerOfMass', body: Body | number }
 *   | { type: 'linearVelocity' | 'angularVelocity', body: Body | number, frame?: 'world' | 'body' }
 *   | { type: 'contact', body: Body | number, other?: Body | number }
 *   | { type: 'contactForce', body: Body | number, other?: Body | number, frame?: 'world' | 'body' }
 *   | { type: 'coordinate' | 'rate', joint: Joint | number, coordinate?: number }
 *   | { type: 'time' | 'residual' }} BatchObservation
 */

/**
 * What a world of a batch begins with at a reset: numbers of a row of `batch.starts`. The coordinate and
 * rate of a hinge or slider move everything that hangs on the joint; a joint that is part of a loop
 * cannot be set.
 *
 * @typedef {{ type: 'position' | 'orientation', body: Body | number }
 *   | { type: 'linearVelocity' | 'angularVelocity', body: Body | number, frame?: 'world' | 'body' }
 *   | { type: 'coordinate' | 'rate', joint: Joint | number }} BatchStart
 */

/**
 * @typedef {object} BatchOptions
 * @property {number} count of worlds: 1 to 1048576
 * @property {readonly BatchAction[]} [actions]
 * @property {readonly BatchObservation[]} [observations]
 * @property {readonly BatchStart[]} [starts]
 */

/**
 * A world of a batch that refused its last step or reset.
 * @typedef {object} BatchFailure
 * @property {number} world its index
 * @property {MoreauErrorCode} code
 * @property {string} message
 */

export {}
