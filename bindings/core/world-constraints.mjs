import { KIND } from './callbacks.mjs'
import { Lives } from './lives.mjs'
import { WorldBodies } from './world-bodies.mjs'

/** @import { Constraint } from '../objects/constraint.mjs' */
/** @import { Potential } from '../objects/potential.mjs' */
/** @import { Journal } from '../state/journal.mjs' */
/** @import { Plan } from '../state/plan.mjs' */
/** @import { JointEvent } from '../types/index.mjs' */

/** Which constraints and potentials a world has. A part of `WorldCore`, and nothing by itself. */
export class WorldConstraints extends WorldBodies {
  /**
   * Living constraints in the order of their creation, with the handle of their functions if they
   * have some.
   * @readonly
   * @type {Map<Constraint, number | undefined>}
   */
  constraints = new Map()

  /**
   * Those of them that couple joints.
   * @readonly
   * @type {Set<Constraint>}
   */
  couplings = new Set()

  /**
   * The joints among them, and the others, as users see them, made again after a change.
   * @type {{ joints: readonly Constraint[], others: readonly Constraint[] } | undefined}
   */
  constraintLists

  /**
   * Living potentials in the order of their creation, with the handle of their functions if they
   * have some.
   * @type {Map<Potential, number | undefined>}
   */
  potentials = new Map()

  /**
   * What `world.potentials` gives; made when asked for.
   * @type {readonly Potential[] | undefined}
   */
  potentialList

  /**
   * What broke in the last step.
   * @type {readonly JointEvent[]}
   */
  jointEvents = []

  /** Counts the changes of who lives here, of their shapes and of potentials. */
  version = 0

  /**
   * What notes the calls that change the world, if it is recorded.
   * @type {Journal | undefined}
   */
  journal

  /**
   * Which bodies, constraints and potentials are which.
   * @readonly
   */
  lives = new Lives()

  /**
   * @param {Constraint} constraint a new one
   * @param {number | undefined} handle of its functions
   */
  addConstraint(constraint, handle) {
    this.version++
    this.lives.begin(constraint)
    this.constraints.set(constraint, handle)
    if (constraint.joints.length > 0) this.couplings.add(constraint)
    this.constraintLists = undefined
    this.journal?.addedConstraint(constraint)
  }

  /** @param {Constraint} constraint one that the engine has destroyed */
  removeConstraint(constraint) {
    this.version++
    this.lives.end('constraint', constraint)
    const handle = this.constraints.get(constraint)
    if (handle !== undefined) this.callbacks.remove(KIND.constraint, handle)
    this.constraints.delete(constraint)
    this.couplings.delete(constraint)
    for (const other of this.couplings) {
      if (/** @type {readonly Constraint[]} */ (other.joints).includes(constraint)) {
        this.removeConstraint(other)
      }
    }
    this.constraintLists = undefined
  }

  /**
   * @param {Potential} potential a new one
   * @param {number | undefined} handle of its functions
   */
  addPotential(potential, handle) {
    this.version++
    this.lives.begin(potential)
    this.potentials.set(potential, handle)
    this.potentialList = undefined
    this.journal?.addedPotential(potential)
  }

  /** @param {Potential} potential one that the engine has destroyed */
  removePotential(potential) {
    this.version++
    this.lives.end('potential', potential)
    const handle = this.potentials.get(potential)
    if (handle !== undefined) this.callbacks.remove(KIND.potential, handle)
    this.potentials.delete(potential)
    this.potentialList = undefined
  }

  /** @param {Plan} plan which there are from now on */
  replaceConstraints(plan) {
    this.#replace('constraint', this.constraints, plan.constraints)
    this.#replace('potential', this.potentials, plan.potentials)
    this.couplings.clear()
    for (const constraint of this.constraints.keys()) {
      if (constraint.joints.length > 0) this.couplings.add(constraint)
    }
    this.constraintLists = this.potentialList = undefined
  }

  /**
   * Gives a map of constraints or potentials with their handles the entries of a plan.
   * @template {{ id: number }} Kept
   * @param {'constraint' | 'potential'} kind
   * @param {Map<Kept, number | undefined>} map
   * @param {ReadonlyMap<number, [Kept, number | undefined]>} planned
   */
  #replace(kind, map, planned) {
    for (const [object, handle] of map) {
      if (planned.get(object.id)?.[0] === object) continue
      if (handle !== undefined) this.callbacks.remove(KIND[kind], handle)
      this.lives.end(kind, object)
    }
    map.clear()
    for (const [object, handle] of planned.values()) map.set(object, handle)
  }
}
