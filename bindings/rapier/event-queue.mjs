import { ActiveEvents } from './enums.mjs'

/** @import { RapierCollider } from './collider.mjs' */
/** @import { Xyz } from './vectors.mjs' */

/** @typedef {{ totalForce: Xyz, totalForceMagnitude: number, maxForceDirection: Xyz, maxForceMagnitude: number }} Forces */

/** What `drainContactForceEvents` tells of: the force between two colliders in a step. */
export class ContactForceEvent {
  #handles
  #forces

  /** @internal @param {readonly [number, number]} handles @param {Forces} forces */
  constructor(handles, forces) {
    this.#handles = handles
    this.#forces = forces
  }

  collider1 = () => this.#handles[0]
  collider2 = () => this.#handles[1]
  /** N, world */
  totalForce = () => this.#forces.totalForce
  totalForceMagnitude = () => this.#forces.totalForceMagnitude
  maxForceDirection = () => this.#forces.maxForceDirection
  maxForceMagnitude = () => this.#forces.maxForceMagnitude
  free() {}
}

/** What `world.step` is given to keep the events of a step: of colliders that ask for them by `setActiveEvents`. */
export class EventQueue {
  /** @type {(readonly [number, number, boolean])[]} */
  #collisions = []
  /** @type {ContactForceEvent[]} */
  #forces = []
  #isEmptied

  /** @param {boolean} autoDrain whether each step forgets what the last one told */
  constructor(autoDrain) {
    this.#isEmptied = autoDrain
  }

  /** @internal */
  begin() {
    if (this.#isEmptied) this.clear()
  }

  /** @internal @param {RapierCollider} a @param {RapierCollider} b @param {boolean} hasBegun */
  noteCollision(a, b, hasBegun) {
    if (!asks(a, b, ActiveEvents.COLLISION_EVENTS)) return
    this.#collisions.push([a.handle, b.handle, hasBegun])
  }

  /** @internal @param {RapierCollider} a @param {RapierCollider} b @param {Forces} forces */
  noteForce(a, b, forces) {
    if (!asks(a, b, ActiveEvents.CONTACT_FORCE_EVENTS)) return
    this.#forces.push(new ContactForceEvent([a.handle, b.handle], forces))
  }

  /** @param {(handle1: number, handle2: number, started: boolean) => void} tell */
  drainCollisionEvents(tell) {
    for (const event of this.#collisions.splice(0)) tell(...event)
  }

  /** @param {(event: ContactForceEvent) => void} tell */
  drainContactForceEvents(tell) {
    for (const event of this.#forces.splice(0)) tell(event)
  }

  clear() {
    this.#collisions = []
    this.#forces = []
  }

  free() {
    this.clear()
  }
}

/** @param {RapierCollider} a @param {RapierCollider} b @param {number} events */
const asks = (a, b, events) => ((a.activeEvents() | b.activeEvents()) & events) !== 0
