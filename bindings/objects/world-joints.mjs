import { access } from '../core/access.mjs'
import { KIND } from '../core/callbacks.mjs'
import { putConstraint, putJoint } from '../definitions/constraint-definition.mjs'
import { putPotential } from '../definitions/potential-definition.mjs'
import { watchJoint } from './advice-joints.mjs'
import { adviseHeld, adviseJoint } from './advice.mjs'
import { Joint } from './joint.mjs'
import { makePotential } from './potential.mjs'
import { coreOf } from './settings-owner.mjs'
import { WorldViews } from './world-views.mjs'

/** @import { WorldCore } from '../core/world-core.mjs' */
import { reading } from '../core/readable.mjs'
/** @import { ConstraintMaking } from '../definitions/constraint-definition.mjs' */
/** @import { ConstraintDefinition, JointDefinition, PotentialDefinition } from '../types/index.mjs' */
/** @import { Constraint } from './constraint.mjs' */
/** @import { Potential } from './potential.mjs' */

/** What acts between bodies: joints, other constraints and potentials. A part of `World`, and nothing by itself. */
export class WorldJoints extends WorldViews {
  /**
   * Joins two bodies, or a body and the world.
   * @param {JointDefinition} definition
   * @returns {Joint}
   * @throws {MoreauError} `invalid-argument`, `not-supported`, `stale-handle` of a body, `capacity`,
   *   `out-of-memory`, `world-locked`; the world is as it was before the call
   *
   * @example
   * world.createJoint({ type: 'hinge', bodyA: frame, bodyB: door, anchor: [0, 1, 0], axis: [0, 1, 0], limits: [0, Math.PI / 2] })
   */
  createJoint(definition) {
    const core = coreOf(this)
    core.begin('createJoint')
    const put = reading(definition, 'createJoint: definition', () => putJoint(core, definition))
    return /** @type {Joint} */ (constrain(core, put, 'createJoint'))
  }

  /**
   * Adds a constraint: one made of your own functions, a distance, or `unitQuaternion`.
   * @param {ConstraintDefinition} definition
   * @returns {Constraint}
   * @throws {MoreauError} as `createJoint`
   *
   * @example
   * // A bead on the circle x² + y² = 1 in the plane z = 0.
   * world.createConstraint({
   *   type: 'custom',
   *   bodies: [bead],
   *   dimension: 2,
   *   evaluate(bodyA, bodyB, time, out) {
   *     const [x, y, z] = bodyA.position
   *     out[0] = (x * x + y * y - 1) / 2
   *     out[1] = z
   *   },
   * })
   */
  createConstraint(definition) {
    const core = coreOf(this)
    core.begin('createConstraint')
    const path = 'createConstraint: definition'
    const put = reading(definition, path, () => putConstraint(core, definition))
    return constrain(core, put, 'createConstraint')
  }

  /**
   * All living joints in the order of their creation. The array is never changed, as `bodies`.
   * @returns {readonly Joint[]}
   */
  get joints() {
    return /** @type {readonly Joint[]} */ (constraintLists(coreOf(this), 'joints').joints)
  }

  /**
   * All living constraints that are no joints, likewise.
   * @returns {readonly Constraint[]}
   */
  get constraints() {
    return constraintLists(coreOf(this), 'constraints').others
  }

  /**
   * Adds a field or spring that acts on dynamic bodies: on all, or on those that are given.
   * @param {PotentialDefinition} definition
   * @returns {Potential}
   * @throws {MoreauError} `invalid-argument`, `not-supported`, `stale-handle` of a body, `capacity`,
   *   `out-of-memory`, `world-locked`; the world is as it was before the call
   *
   * @example
   * world.createPotential({ type: 'pointGravity', mu: 3.986e14, center: [0, -6.371e6, 0] })
   * world.createPotential({
   *   type: 'custom',
   *   force(body, time, out) {
   *     out[0] = -3 * body.worldCenterOfMass[0]
   *   },
   *   energy: (body) => 1.5 * body.worldCenterOfMass[0] ** 2,
   * })
   */
  createPotential(definition) {
    const core = coreOf(this)
    core.begin('createPotential')
    core.callbacks.checkUnlocked('createPotential')
    const path = 'createPotential: definition'
    const making = reading(definition, path, () => putPotential(core, definition))
    const { exports } = core.engine
    const id = exports.potential_create(core.pointer)
    if (id === 0) {
      if (making.handle !== undefined) core.callbacks.remove(KIND.potential, making.handle)
      core.check(exports.last_result(), 'createPotential')
    }
    const potential = makePotential(core, id, making)
    core.addPotential(potential, making.handle)
    return potential
  }

  /**
   * All living potentials in the order of their creation. The array is never changed, as `bodies`.
   * @returns {readonly Potential[]}
   */
  get potentials() {
    const core = coreOf(this)
    core.alive('potentials')
    return (core.potentialList ??= Object.freeze([...core.potentials.keys()]))
  }
}

/**
 * Has the engine make the constraint whose definition is in the shared block.
 * @param {WorldCore} core
 * @param {ConstraintMaking} making
 * @param {string} where
 * @returns {Constraint}
 */
function constrain(core, making, where) {
  const { exports } = core.engine
  const id = exports.constraint_create(core.pointer)
  if (id === 0) {
    if (making.handle !== undefined) core.callbacks.remove(KIND.constraint, making.handle)
    core.check(exports.last_result(), where)
  }
  const constraint = access.makeConstraint(core, id, making)
  core.addConstraint(constraint, making.handle)
  try {
    if (constraint instanceof Joint) {
      adviseHeld(core, constraint)
      adviseJoint(core, constraint)
      watchJoint(core, constraint)
    }
  } catch {
    // The joint is there, though the host's stack is at its end or the user's function threw.
  }
  return constraint
}

/**
 * @param {WorldCore} core
 * @param {string} where
 */
function constraintLists(core, where) {
  core.alive(where)
  if (core.constraintLists === undefined) {
    const all = [...core.constraints.keys()]
    core.constraintLists = {
      joints: Object.freeze(all.filter((constraint) => constraint instanceof Joint)),
      others: Object.freeze(all.filter((constraint) => !(constraint instanceof Joint))),
    }
  }
  return core.constraintLists
}
