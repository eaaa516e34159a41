import { access } from './access.mjs'
import { Controls } from './controls.mjs'
import { Past } from './past.mjs'
import { Watches } from './watches.mjs'
import { WorldConstraints } from './world-constraints.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Listeners } from '../objects/events.mjs' */
/** @import { Joint } from '../objects/joint.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { Plan } from '../state/plan.mjs' */
/** @import { BodyEvents } from '../types/index.mjs' */

/**
 * What a world and its bodies share: the engine's world (`EngineWorld`), who lives in which slot (`WorldBodies`), what links
 * bodies (`WorldConstraints`), and here what happens to all of them at once.
 */
export class WorldCore extends WorldConstraints {
  /**
   * The memory when a bulk array was last read; undefined: never.
   * @type {ArrayBuffer | undefined}
   */
  viewedBuffer

  /**
   * The same, if it was not the memory any more when advice.mjs last looked.
   * @type {ArrayBuffer | undefined}
   */
  staleBuffer

  /**
   * Joints that advice-joints.mjs watches.
   * @readonly
   * @type {Set<Joint>}
   */
  jointsApart = new Set()

  /** Forces and impulses that advice.mjs looked at. */
  pushes = 0

  /**
   * Shapes that characters use.
   * @readonly
   * @type {Map<object, Shape>}
   */
  heldShapes = new Map()

  /**
   * The vehicles and characters.
   * @readonly
   */
  controls = new Controls()

  /**
   * What is watched for events.
   * @readonly
   */
  watches = new Watches(this)

  /**
   * What is gone, for events.
   * @readonly
   */
  past = new Past(this)

  /**
   * Who listens to single bodies.
   * @readonly
   * @type {Map<Body, Listeners<BodyEvents>>}
   */
  bodyListeners = new Map()

  /**
   * Histories and the like, which say before a step whether they can take it, and are told of it after
   * the listeners, and of the end.
   * @readonly
   * @type {Map<object, { check: () => void, record: () => void, end: () => void }>}
   */
  recorders = new Map()

  /** Whether listeners are being told of a step. */
  isTelling = false

  /** Seconds of the last step that advanced the world; 0 before the first. */
  lastDt = 0

  /** A metre in the world's unit of length: 1, or 100 where `lengthUnit` is 0.01. */
  get metre() {
    return this.engine.exports.world_metre(this.pointer)
  }

  /** @param {Body} body a new one */
  add(body) {
    this.version++
    this.lives.begin(body)
    this.placeBody(body)
    for (const shape of body.shapes) access.addUser(shape)
    this.journal?.addedBody(body)
  }

  /** @param {Body} body one that the engine has destroyed */
  remove(body) {
    this.version++
    this.lives.end('body', body)
    this.displaceBody(body)
    this.past.keepBody(body)
    for (const shape of body.shapes) access.removeUser(shape)
    for (const constraint of this.constraints.keys()) {
      if (constraint.bodies.includes(body)) this.removeConstraint(constraint)
    }
  }

  /**
   * @param {Body} body whose shapes the engine has changed
   * @param {readonly Shape[]} before
   */
  changeShapes(body, before) {
    this.version++
    for (const shape of body.shapes) access.addUser(shape)
    for (const shape of before) access.removeUser(shape)
    this.past.keepShapes(body, before)
    this.journal?.changedShapes(body)
  }

  /**
   * Has something of this world that is no body use a shape, instead of the one that it used before,
   * until the world is freed.
   * @param {object} owner
   * @param {Shape | undefined} shape undefined: none any more
   */
  holdShape(owner, shape) {
    this.version++
    const before = this.heldShapes.get(owner)
    if (shape) {
      access.addUser(shape)
      this.heldShapes.set(owner, shape)
    } else {
      this.heldShapes.delete(owner)
    }
    if (before) access.removeUser(before)
  }

  /**
   * The engine has restored a snapshot.
   * @param {Plan | undefined} plan which objects there are now; undefined: the same as before
   */
  comeBack(plan) {
    this.past.forgetShapes()
    this.jointEvents = []
    this.locate()
    if (plan) this.#carryOut(plan)
    this.lives.branch()
    this.watches.renew()
    this.journal?.jump()
  }

  /** @param {Plan} plan */
  #carryOut(plan) {
    plan.finish()
    this.#exchangeUsers(plan)
    this.replaceBodies(plan)
    for (const [character, shape] of plan.characters) access.setCharacterShape(character, shape)
    this.replaceConstraints(plan)
    for (const { kind, object, timeline } of plan.lives) this.lives.resume(kind, object, timeline)
    this.version++
  }

  /** @param {Plan} plan whose bodies use shapes instead of those of now, of which some go */
  #exchangeUsers(plan) {
    for (const { body, shapes } of plan.bodies.values()) {
      for (const shape of shapes) access.addUser(shape)
      if (this.has(body, body.id)) for (const shape of body.shapes) access.removeUser(shape)
    }
    for (const body of this.living) {
      if (plan.bodies.get(body.id)?.body === body) continue
      for (const shape of body.shapes) access.removeUser(shape)
      this.lives.end('body', body)
    }
  }

  /** A step is about to be made. */
  checkRecorders() {
    for (const { check } of this.recorders.values()) check()
  }

  /** A step was made, and listeners were told of it. */
  recordStep() {
    if (this.isFreed) return // by one of them
    for (const { record } of this.recorders.values()) record()
  }

  /** Forgets everything, as the engine has: the world was freed. */
  clear() {
    this.journal?.end()
    this.forget()
    for (const { end } of this.recorders.values()) end()
    for (const owner of this.heldShapes.keys()) this.holdShape(owner, undefined)
    for (const body of this.living) for (const shape of body.shapes) access.removeUser(shape)
    this.living.clear()
    this.bodyListeners.clear()
    this.past.forgetBodies()
    for (const constraint of this.constraints.keys()) this.removeConstraint(constraint)
    for (const potential of this.potentials.keys()) this.removePotential(potential)
    this.bySlot.length = 0
    this.list = undefined
    this.lives.clear()
  }
}
