import { xyz } from './vectors.mjs'

/** @import { ContactEvent } from '../index.mjs' */

/** `manifold` of `onCollisionEnter`: the points at which two colliders began to touch, in Rapier's spelling. */
export class ContactManifold {
  /** What Moreau says of it: its contact event, mostly. @readonly */
  raw

  /** @param {Pick<ContactEvent, 'bodyA' | 'bodyB' | 'normal' | 'position' | 'points'>} event */
  constructor(event) {
    this.raw = event
  }

  /** @param {number} index */
  #point(index) {
    const { points, position, normal } = this.raw
    return points[index] ?? { position, normal, separation: 0, normalImpulse: 0 }
  }

  /** From the first collider to the second. */
  normal = () => xyz(this.raw.normal)
  localNormal1 = () => xyz(this.raw.bodyA.localVector(this.raw.normal))
  localNormal2 = () => xyz(this.raw.bodyB.localVector(this.raw.normal.map((n) => -n)))

  numContacts = () => this.raw.points.length
  numSolverContacts = () => this.raw.points.length

  /** @param {number} index world */
  solverContactPoint = (index) => xyz(this.#point(index).position)
  /** @param {number} index in the frame of the first body */
  localContactPoint1 = (index) => xyz(this.raw.bodyA.localPoint(this.#point(index).position))
  /** @param {number} index in the frame of the second body */
  localContactPoint2 = (index) => xyz(this.raw.bodyB.localPoint(this.#point(index).position))
  /** @param {number} index metres, below 0 where they overlap */
  contactDist = (index) => this.#point(index).separation
  /** @param {number} index metres */
  solverContactDist = (index) => this.#point(index).separation
  /** @param {number} index N s */
  contactImpulse = (index) => this.#point(index).normalImpulse
}
