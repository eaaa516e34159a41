import { collide } from '../index.mjs'
import { ActiveCollisionTypes } from './enums.mjs'

// Colliders of bodies that do not move by forces do not meet in the engine. Those that ask for it by `activeCollisionTypes` are looked
// for after each step.

/** @import { Body, ContactEvent, Shape } from '../index.mjs' */
/** @import { RapierCollider } from './collider.mjs' */
/** @import { RapierRigidBody } from './rigid-body.mjs' */
/** @import { RapierWorld } from './world.mjs' */

/** @typedef {{ a: RapierCollider, b: RapierCollider, manifold: Pick<ContactEvent, 'bodyA' | 'bodyB' | 'normal' | 'position' | 'points'> }} Overlap */

const { KINEMATIC_KINEMATIC, KINEMATIC_FIXED, FIXED_FIXED } = ActiveCollisionTypes
const WITHOUT_DYNAMIC = KINEMATIC_KINEMATIC | KINEMATIC_FIXED | FIXED_FIXED

/** A shape without a filter meets everything. */
const FULL = Object.freeze({ category: 0xffff, mask: 0xffff })

/** @param {RapierCollider} collider @returns {boolean} whether it has to be looked for */
export const isAsking = (collider) => (collider.activeCollisionTypes() & WITHOUT_DYNAMIC) !== 0

/** Overlaps of the colliders that ask for them. */
export class Overlaps {
  #world
  /** @type {Map<string, Overlap>} */
  #present = new Map()

  /** @param {RapierWorld} world */
  constructor(world) {
    this.#world = world
  }

  /**
   * @param {Iterable<RapierCollider>} asking
   * @returns {{ begun: Overlap[], ended: Overlap[] }} since the last time
   */
  update(asking) {
    /** @type {Map<string, Overlap>} */
    const now = new Map()
    for (const a of asking) if (a.isValid()) this.#find(a, now)
    const begun = [...now].filter(([key]) => !this.#present.has(key)).map(([, pair]) => pair)
    const ended = [...this.#present].filter(([key]) => !now.has(key)).map(([, pair]) => pair)
    this.#present = now
    return { begun, ended }
  }

  clear() {
    this.#present.clear()
  }

  /** @param {RapierCollider} a @param {Map<string, Overlap>} found */
  #find(a, found) {
    const { raw: body } = /** @type {RapierRigidBody} */ (a.body)
    const { category, mask } = a.raw.filter ?? FULL
    const hits = this.#world.raw.overlap(a.raw, body, {
      ...{ exclude: body, includeSensors: true, filter: { category, mask } },
      predicate: (other, shape) => {
        const b = this.#world.colliderOf(other, shape)
        return b !== undefined && (typesOf(a, b) & a.activeCollisionTypes()) !== 0
      },
    })
    for (const hit of hits) {
      const b = /** @type {RapierCollider} */ (this.#world.colliderOf(hit.body, hit.shape))
      const key = [a.handle, b.handle].sort((m, n) => m - n).join()
      if (!found.has(key)) found.set(key, { a, b, manifold: manifoldOf(body, a.raw, hit) })
    }
  }
}

/** @param {RapierCollider} a @param {RapierCollider} b @returns {number} which flag is about the pair; 0: the engine is */
function typesOf(a, b) {
  const types = [a.body?.type, b.body?.type]
  if (types.includes('dynamic')) return 0
  const fixed = types.filter((type) => type === 'fixed').length
  return [KINEMATIC_KINEMATIC, KINEMATIC_FIXED, FIXED_FIXED][fixed]
}

/**
 * @param {Body} bodyA
 * @param {Shape} shapeA
 * @param {{ body: Body, shape: Shape }} other
 * @returns {Overlap['manifold']}
 */
export function manifoldOf(bodyA, shapeA, { body: bodyB, shape: shapeB }) {
  const contact = collide(shapeA, bodyA, shapeB, bodyB)
  const normal = contact?.normal ?? [0, 1, 0]
  const tangentImpulse = /** @type {[number, number, number]} */ ([0, 0, 0])
  const points = (contact?.manifold ?? []).map(({ position, penetrationDepth }) => ({
    ...{ position, normal, separation: -penetrationDepth, normalImpulse: 0, tangentImpulse },
  }))
  return { bodyA, bodyB, normal, position: points[0]?.position ?? bodyA.position, points }
}
