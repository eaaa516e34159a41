import { ContactManifold } from './manifold.mjs'
import { xyz } from './vectors.mjs'

// What happened in the steps of a frame, told to the handlers of the components once all objects are where they belong.

/** @import { Body, ContactEvent, SensorEvent, World } from '../index.mjs' */
/** @import { RapierCollider } from './collider.mjs' */
/** @import { EventQueue } from './event-queue.mjs' */
/** @import { Overlap } from './overlaps.mjs' */
/** @import { RapierWorld } from './world.mjs' */

/**
 * Newtons: what is told to `onContactForce` begins here. Rapier begins above 0, which stands for «never» in Moreau.
 */
const SMALLEST_FORCE = 1e-9

/** @typedef {'onCollisionEnter' | 'onCollisionExit' | 'onIntersectionEnter' | 'onIntersectionExit' | 'onContactForce'} HandlerName */

export const PAIR_HANDLERS = /** @type {const} */ ([
  ...['onCollisionEnter', 'onCollisionExit', 'onIntersectionEnter', 'onIntersectionExit'],
  'onContactForce',
])
export const SLEEP_HANDLERS = /** @type {const} */ (['onSleep', 'onWake'])

/** The events of a world, from the engine to the components. */
export class Events {
  #world
  /** Calls of handlers, in order. @type {(() => void)[]} */
  #queue = []
  /** The world that is listened to. @type {World | undefined} */
  #source
  #isWanted = false
  #wantsForces = false
  #isTelling = false
  /** Whether a component has handlers: who steps by hand has a queue instead. */
  #hasHandlers = false
  /** @type {EventQueue | undefined} */
  #sink

  /** @param {RapierWorld} world */
  constructor(world) {
    this.#world = world
  }

  /** @param {Readonly<Record<string, Function | undefined>>} handlers that a component has now */
  expect(handlers) {
    for (const name in handlers) if (handlers[name] !== undefined) this.#hasHandlers = true
    this.#isWanted ||= this.#hasHandlers
    if (handlers.onContactForce !== undefined) this.#wantsForces = true
  }

  /** @param {EventQueue | undefined} queue that is to have the events of the next step */
  fill(queue) {
    this.#sink = queue
    if (queue === undefined) return
    queue.begin()
    this.#isWanted = true
  }

  /** Some collider asks for the forces of its contacts. */
  expectForces() {
    this.#wantsForces = true
  }

  /** Before a step: listens if a handler ever wanted to know. @param {World} raw */
  watch(raw) {
    if (this.#wantsForces && raw.contactForceThreshold === 0) {
      raw.contactForceThreshold = SMALLEST_FORCE
    }
    if (!this.#isWanted || this.#source === raw) return
    this.#source = raw
    raw.on('contact', (event) => this.#takeContact(event))
    raw.on('sensor', (event) => this.#takeSensor(event))
    raw.on('sleep', ({ asleep, awake }) => {
      if (!this.#hasHandlers) return
      for (const body of asleep) this.#queue.push(() => this.#tellBody(body, 'onSleep'))
      for (const body of awake) this.#queue.push(() => this.#tellBody(body, 'onWake'))
    })
  }

  /** @param {Body} body @param {'onSleep' | 'onWake'} name */
  #tellBody(body, name) {
    this.#world.bodyOf(body)?.handlers[name]?.()
  }

  /** Tells everything. What a handler throws comes out when all were told, the first of it. */
  tell() {
    if (this.#isTelling) return
    this.#isTelling = true
    /** @type {unknown[]} */
    const thrown = []
    try {
      // A handler may step the world by hand, and have more to tell.
      for (const tell of this.#queue) attempt(tell, thrown)
    } finally {
      this.#queue = []
      this.#isTelling = false
    }
    if (thrown.length > 0) throw thrown[0]
  }

  /** Forgets what was not told, of a world that is gone. */
  clear() {
    this.#queue = []
    this.#source = undefined
  }

  /** @param {{ begun: Overlap[], ended: Overlap[] }} overlaps of bodies that do not push each other */
  takeOverlaps({ begun, ended }) {
    for (const { a, b, manifold } of begun) {
      const more = { manifold: new ContactManifold(manifold), flipped: false }
      this.#sink?.noteCollision(a, b, true)
      this.#tellBoth(nameOf(a, b, 'Enter'), a, b, more)
    }
    for (const { a, b } of ended) {
      this.#sink?.noteCollision(a, b, false)
      this.#tellBoth(nameOf(a, b, 'Exit'), a, b, {})
    }
  }

  /** @param {ContactEvent} event */
  #takeContact(event) {
    const a = this.#world.colliderOf(event.bodyA, event.shapeA)
    const b = this.#world.colliderOf(event.bodyB, event.shapeB)
    if (a === undefined || b === undefined) return
    if (event.type === 'begin') {
      const more = { manifold: new ContactManifold(event), flipped: false }
      this.#sink?.noteCollision(a, b, true)
      this.#tellBoth('onCollisionEnter', a, b, more)
    } else if (event.type === 'end') {
      this.#sink?.noteCollision(a, b, false)
      this.#tellBoth('onCollisionExit', a, b, {})
    } else if (event.type === 'force') {
      const least = Math.max(a.contactForceEventThreshold(), b.contactForceEventThreshold())
      if (event.force < least) return
      const told = forces(event)
      this.#sink?.noteForce(a, b, told)
      this.#tellBoth('onContactForce', a, b, told)
    }
  }

  /** @param {SensorEvent} event */
  #takeSensor({ type, sensor, body, sensorShape, shape }) {
    const a = this.#world.colliderOf(sensor, sensorShape)
    const b = this.#world.colliderOf(body, shape)
    if (a === undefined || b === undefined || !this.#world.rules.mayIntersect(a, b)) return
    this.#sink?.noteCollision(a, b, type === 'enter')
    const name = type === 'enter' ? 'onIntersectionEnter' : 'onIntersectionExit'
    this.#tellBoth(name, a, b, {})
  }

  /**
   * Bodies before colliders, as @react-three/rapier tells them. Whose they are is looked up now: one of both may be gone
   * by the time that its handlers are called.
   * @param {HandlerName} name
   * @param {RapierCollider} a
   * @param {RapierCollider} b
   * @param {object} more
   */
  #tellBoth(name, a, b, more) {
    if (!this.#hasHandlers) return
    const [ofA, ofB] = [payload(a, b, more), payload(b, a, more)]
    this.#queue.push(
      () => a.parent()?.handlers[name]?.(ofA),
      () => b.parent()?.handlers[name]?.(ofB),
      () => a.handlers[name]?.(ofA),
      () => b.handlers[name]?.(ofB),
    )
  }
}

/**
 * @param {RapierCollider} a
 * @param {RapierCollider} b
 * @param {'Enter' | 'Exit'} what
 * @returns {HandlerName}
 */
function nameOf(a, b, what) {
  return a.isSensor() || b.isSensor() ? `onIntersection${what}` : `onCollision${what}`
}

/** @param {() => void} tell @param {unknown[]} thrown */
function attempt(tell, thrown) {
  try {
    tell()
  } catch (error) {
    thrown.push(error)
  }
}

/**
 * @param {RapierCollider} target
 * @param {RapierCollider} other
 * @param {object} more
 */
function payload(target, other, more) {
  const others = partOf(other)
  // The old spelling has the parts of the other one beside it.
  return { target: partOf(target), other: others, ...others, ...more }
}

/** @param {RapierCollider} collider */
function partOf(collider) {
  const rigidBody = collider.parent() ?? undefined
  return {
    ...{ rigidBody, collider },
    ...{ rigidBodyObject: rigidBody?.object, colliderObject: collider.object },
  }
}

/** @param {ContactEvent} event */
function forces({ force, normal, points, impulse }) {
  const strongest = points.reduce((most, { normalImpulse }) => Math.max(most, normalImpulse), 0)
  return {
    totalForce: xyz(normal.map((n) => n * force)),
    totalForceMagnitude: force,
    maxForceDirection: xyz(normal),
    maxForceMagnitude: impulse > 0 ? (force * strongest) / impulse : force,
  }
}
