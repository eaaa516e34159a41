import { idAt } from '../core/ids.mjs'
import * as BROKEN from '../generated/places/broken-constraint.mjs'

/** @import { JointEvent } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/** @type {readonly JointEvent[]} */
const NONE = Object.freeze([])

/**
 * Part of a step: keeps what broke in it, and ends these joints.
 * @param {WorldCore} core
 * @param {number} pointer of the world: asking `core` for it would look for room on the stack, and
 *   throw behind a step that was made
 */
export function takeBroken(core, pointer) {
  const { exports } = core.engine
  const count = exports.world_broken_constraint_count(pointer)
  core.jointEvents = NONE
  if (count === 0) return
  const start = (exports.world_broken_constraints(pointer) >>> 0) / 8
  const { u32, f64 } = core.engine
  const byId = new Map([...core.constraints.keys()].map((joint) => [joint.id, joint]))
  /** @type {JointEvent[]} */
  const events = []
  for (let i = 0; i < count; i++) {
    const at = start + (i * BROKEN.BYTES) / 8
    const joint = byId.get(idAt(u32, 2 * at + BROKEN.constraint))
    if (joint === undefined) continue
    const { bodyA, bodyB } = joint
    const [force, torque] = [f64[at + BROKEN.force], f64[at + BROKEN.torque]]
    events.push({ type: 'break', joint, bodyA, bodyB, force, torque })
    core.removeConstraint(joint)
  }
  core.jointEvents = Object.freeze(events)
}
