import { ActiveHooks, COMBINE_RULES, SolverFlags } from './enums.mjs'
import { doMeet } from './groups.mjs'
import { warnOnce } from './warn.mjs'

// What Rapier decides about a pair of colliders and Moreau leaves to functions. They cost something for every pair, and are
// there only while some collider needs them.

/** @import { World } from '../index.mjs' */
/** @import { RapierCollider } from './collider.mjs' */
/** @import { RapierWorld } from './world.mjs' */

/** @typedef {(collider1: number, collider2: number, body1: number, body2: number) => number | null} FilterContactPair */
/** @typedef {(collider1: number, collider2: number, body1: number, body2: number) => boolean} FilterIntersectionPair */

/**
 * What `world.step` takes beside a queue.
 * @typedef {object} PhysicsHooks
 * @property {FilterContactPair} filterContactPair
 * @property {FilterIntersectionPair} filterIntersectionPair
 */

/** @type {Readonly<Record<string, (a: number, b: number) => number>>} */
const COMBINED = {
  average: (a, b) => (a + b) / 2,
  minimum: Math.min,
  multiply: (a, b) => a * b,
  maximum: Math.max,
}

/** The functions of a world for pairs. */
export class PairRules {
  /** Latest callbacks of `useFilterContactPair`. @type {Set<{ current: FilterContactPair }>} */
  contactHooks = new Set()
  /** @type {Set<{ current: FilterIntersectionPair }>} */
  intersectionHooks = new Set()

  #world
  /** Whether some collider ever had groups for the solver. */
  #hasSolverGroups = false
  /** Whether some collider ever had a restitution above 1. */
  #isBouncy = false

  /** @param {RapierWorld} world */
  constructor(world) {
    this.#world = world
  }

  /** @param {RapierCollider} collider whose settings are new */
  notice(collider) {
    this.#hasSolverGroups ||= collider.solverGroups() !== 0xffffffff
    this.#isBouncy ||= collider.restitution() > 1
  }

  /** @type {{ contact: { current: FilterContactPair }, intersection: { current: FilterIntersectionPair } } | undefined} */
  #ofStep

  /** @param {PhysicsHooks | undefined} hooks of the next step */
  hook(hooks) {
    if (this.#ofStep !== undefined) {
      this.contactHooks.delete(this.#ofStep.contact)
      this.intersectionHooks.delete(this.#ofStep.intersection)
      this.#ofStep = undefined
    }
    if (!hooks) return
    this.#ofStep = {
      // Without an answer Rapier leaves the pair alone, the hooks of @react-three/rapier have the next one asked.
      contact: { current: (...pair) => hooks.filterContactPair(...pair) ?? SolverFlags.EMPTY },
      intersection: { current: (...pair) => hooks.filterIntersectionPair(...pair) },
    }
    this.contactHooks.add(this.#ofStep.contact)
    this.intersectionHooks.add(this.#ofStep.intersection)
  }

  /** Before a step: whether somebody has to be asked. @param {World} raw */
  install(raw) {
    const filters = this.#hasSolverGroups || this.contactHooks.size > 0
    const filter = filters ? this.#filter : null
    const modifier = this.#isBouncy ? this.#modify : null
    if (raw.contactFilter !== filter) raw.contactFilter = filter
    if (raw.contactModifier !== modifier) raw.contactModifier = modifier
  }

  /** @type {import('../index.mjs').ContactFilter} */
  #filter = ({ bodyA, bodyB, shapeA, shapeB }) => {
    const a = this.#world.colliderOf(bodyA, shapeA)
    const b = this.#world.colliderOf(bodyB, shapeB)
    if (a === undefined || b === undefined) return true
    return doMeet(a.solverGroups(), b.solverGroups()) && this.#isAllowed(a, b)
  }

  /** @type {import('../index.mjs').ContactModifier} */
  #modify = (pair) => {
    const a = this.#world.colliderOf(pair.bodyA, pair.shapeA)
    const b = this.#world.colliderOf(pair.bodyB, pair.shapeB)
    if (a === undefined || b === undefined) return
    const [e, f] = [a.restitution(), b.restitution()]
    if (e <= 1 && f <= 1) return
    // Of two rules that of the higher number counts, as Rapier has it.
    const rule = COMBINE_RULES[Math.max(a.restitutionCombineRule(), b.restitutionCombineRule())]
    const combined = COMBINED[rule](e, f)
    if (combined > 1) {
      warnOnce(
        'restitution',
        'two colliders have more than 1 together: 1 counts, or impacts would make energy',
      )
    }
    pair.restitution = Math.min(combined, 1)
  }

  /** @param {RapierCollider} a @param {RapierCollider} b */
  #isAllowed(a, b) {
    if (((a.activeHooks() | b.activeHooks()) & ActiveHooks.FILTER_CONTACT_PAIRS) === 0) return true
    for (const { current } of this.contactHooks) {
      const flags = current(a.handle, b.handle, handleOf(a), handleOf(b))
      if (flags !== null && flags !== undefined) return (flags & SolverFlags.COMPUTE_IMPULSE) !== 0
    }
    return true
  }

  /** @param {RapierCollider} a @param {RapierCollider} b @returns {boolean} whether they may be told */
  mayIntersect(a, b) {
    const flag = ActiveHooks.FILTER_INTERSECTION_PAIRS
    if (((a.activeHooks() | b.activeHooks()) & flag) === 0) return true
    for (const { current } of this.intersectionHooks) {
      if (current(a.handle, b.handle, handleOf(a), handleOf(b)) === false) return false
    }
    return true
  }
}

/** @param {RapierCollider} collider @returns {number} of its body; 0: none that has a component */
const handleOf = (collider) => collider.parent()?.handle ?? 0
