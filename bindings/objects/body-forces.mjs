import { Scratch } from '../core/scratch.mjs'
import { noVector, putVector, readVector } from '../core/vectors.mjs'
import * as PUSH from '../generated/places/push.mjs'
import { advisePush } from './advice.mjs'
import { aliveCore } from './body-motion.mjs'
import { BodyProperties } from './body-properties.mjs'

/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { VectorLike } from '../types/index.mjs' */
/** @import { Body } from './body.mjs' */

// A value is read here as a whole, and passed on before anything else is read.
const first = new Float64Array(3)
// A push is read in two parts: reading the point may push something else.
const pushes = new Scratch(PUSH.NUMBERS)

/** What pushes a body. A part of `Body`, and nothing by itself. */
export class BodyForces extends BodyProperties {
  /**
   * Adds a force for the next step. Forces move dynamic bodies only.
   * @param {VectorLike} force N, world
   * @param {VectorLike} [point] where it acts, world, metres; default: the centre of mass
   */
  applyForce(force, point) {
    const core = aliveCore(this, 'applyForce')
    const hasPoint = putPush(core, force, 'applyForce: force', point, 'applyForce: point')
    const { exports } = core.engine
    core.check(exports.body_apply_force(core.pointer, this.id, hasPoint), 'applyForce')
    advisePush(core, /** @type {Body} */ (/** @type {unknown} */ (this)), 'applyForce')
  }

  /**
   * Adds a torque for the next step.
   * @param {VectorLike} torque N m, world
   */
  applyTorque(torque) {
    const core = aliveCore(this, 'applyTorque')
    readVector(torque, 'applyTorque: torque', first)
    core.check(
      core.engine.exports.body_apply_torque(core.pointer, this.id, first[0], first[1], first[2]),
      'applyTorque',
    )
    advisePush(core, /** @type {Body} */ (/** @type {unknown} */ (this)), 'applyTorque')
  }

  /**
   * Changes the velocities at once. Impulses move dynamic bodies only.
   * @param {VectorLike} impulse N s, world
   * @param {VectorLike} [point] where it acts, world, metres; default: the centre of mass
   */
  applyImpulse(impulse, point) {
    const core = aliveCore(this, 'applyImpulse')
    const hasPoint = putPush(core, impulse, 'applyImpulse: impulse', point, 'applyImpulse: point')
    const { exports } = core.engine
    core.check(exports.body_apply_impulse(core.pointer, this.id, hasPoint), 'applyImpulse')
    advisePush(core, /** @type {Body} */ (/** @type {unknown} */ (this)), 'applyImpulse')
  }

  /**
   * Changes the angular velocity at once.
   * @param {VectorLike} impulse N m s, world
   */
  applyAngularImpulse(impulse) {
    const where = 'applyAngularImpulse'
    const core = aliveCore(this, where)
    readVector(impulse, 'applyAngularImpulse: impulse', first)
    const { exports } = core.engine
    core.check(
      exports.body_apply_angular_impulse(core.pointer, this.id, first[0], first[1], first[2]),
      where,
    )
    advisePush(core, /** @type {Body} */ (/** @type {unknown} */ (this)), where)
  }

  /** Drops the forces and torques that were added since the last step. */
  clearForces() {
    const core = aliveCore(this, 'clearForces')
    core.check(core.engine.exports.body_clear_forces(core.pointer, this.id), 'clearForces')
  }
}

/**
 * Puts a force or an impulse and its point into the shared block.
 * @param {WorldCore} core
 * @param {VectorLike} push
 * @param {string} pushPath
 * @param {VectorLike | undefined} point
 * @param {string} pointPath
 * @returns {number} 1 if there is a point, else 0
 */
function putPush(core, push, pushPath, point, pointPath) {
  const numbers = pushes.take()
  if (!putVector(push, numbers, PUSH.push)) throw noVector(push, pushPath)
  if (point !== undefined && !putVector(point, numbers, PUSH.point))
    throw noVector(point, pointPath)
  core.engine.begin(PUSH.NUMBERS)
  core.engine.putAll(numbers)
  pushes.giveBack(numbers)
  return point === undefined ? 0 : 1
}
