import { access } from './access.mjs'
import { Callbacks, KIND, restoreStack } from './callbacks.mjs'
import { Controls } from './controls.mjs'
import { invalid } from './describe.mjs'
import { engine } from './engine.mjs'
import { MoreauError } from './errors.mjs'
import { Lives } from './lives.mjs'
import { Watches } from './watches.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Constraint } from '../objects/constraint.mjs' */
/** @import { Joint } from '../objects/joint.mjs' */
/** @import { Listeners } from '../objects/events.mjs' */
/** @import { BodyEvents } from '../types/index.mjs' */
/** @import { JointEvent } from '../types/index.mjs' */
/** @import { Journal } from '../state/journal.mjs' */
/** @import { Potential } from '../objects/potential.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { Warner } from './warner.mjs' */
/** @import { World } from '../objects/world.mjs' */
/** @import { Plan } from '../state/plan.mjs' */

// An id is the number generation 2^32 + slot + 1, and 0 where it names nothing. The generation, which
// counts the lives of the slot before, has 16 bits: ids are exact. The engine's ids have the tag of the
// world beside that; a world takes only ids of its own.
const GENERATION = 2 ** 32

/**
 * What a world and its bodies share: the engine's world, where its bulk arrays are, and who lives
 * in which slot.
 */
export class WorldCore {
  // The engine's world, 0 once it was freed.
  #pointer

  /** @readonly */
  engine = engine()

  /** @readonly */
  world

  /**
   * Whom advice goes to.
   * @readonly
   */
  warner

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
   * Living bodies in the order of their creation.
   * @readonly
   * @type {Set<Body>}
   */
  living = new Set()

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
   * @readonly
   * @type {(Body | undefined)[]}
   */
  bySlot = []

  /**
   * `living` as users see it, made again after a change.
   * @type {readonly Body[] | undefined}
   */
  list

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

  /**
   * The custom constraints and potentials, as the engine calls them.
   * @readonly
   */
  callbacks = new Callbacks()

  /**
   * What is watched for events.
   * @readonly
   */
  watches = new Watches(this)

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
   * Bodies that were destroyed since the last step, for its events and for those of the next.
   * @type {Map<number, Body>}
   */
  #gone = new Map()

  /**
   * The same between the last step and the one before it.
   * @type {Map<number, Body>}
   */
  #goneBefore = new Map()

  /**
   * The shapes that bodies had in the last step, where they have changed since; and likewise.
   * @type {Map<Body, readonly Shape[]>}
   */
  #oldShapes = new Map()

  /** @type {Map<Body, readonly Shape[]>} */
  #oldShapesBefore = new Map()

  /**
   * Of a world that shows another one (Follower): has the engine know what the bulk arrays show already.
   * @type {(() => void) | undefined}
   */
  catchUp

  /** Seconds of the last step that advanced the world; 0 before the first. */
  lastDt = 0

  // Where the bulk arrays start: indices into the engine's doubles, of `transforms` an address. They move
  // only when a body is created.
  slotCount = 0
  transforms = 0
  transforms64 = 0
  velocities = 0

  // What `world.bodyIds` shows of, with room for more slots. Nothing here relies on it: it is the
  // user's to write to, and to give to another thread.
  #ids = new Float64Array(0)

  /**
   * @param {World} world
   * @param {number} pointer
   * @param {Warner} warner
   */
  constructor(world, pointer, warner) {
    this.world = world
    this.#pointer = pointer
    this.warner = warner
  }

  /** Looks again for the bulk arrays. */
  locate() {
    const { exports } = this.engine
    // Not `pointer`: a body was made, and what follows must not find that there is no room.
    const world = this.#pointer
    this.slotCount = exports.world_slot_count(world)
    this.transforms = exports.world_transforms(world) >>> 0
    this.transforms64 = (exports.world_transforms64(world) >>> 0) / 8
    this.velocities = (exports.world_velocities(world) >>> 0) / 8
  }

  /** Whether the world was freed. */
  get isFreed() {
    return this.#pointer === 0
  }

  /**
   * The engine's world. Asked for again in each call, after the arguments were read: a getter of an
   * argument may have freed the world.
   * @returns {number}
   */
  get pointer() {
    return this.pointerFor('World')
  }

  /**
   * The same for a call by name, which finds room on the stack.
   * @param {string} where
   * @returns {number} the engine's world
   */
  pointerFor(where) {
    this.begin(where)
    if (this.catchUp !== undefined) this.catchUp()
    return this.#pointer
  }

  /**
   * To be called first in what makes or destroys something, of which lists are kept here too: from
   * there on the stack has room.
   * @param {string} where
   */
  begin(where) {
    this.alive(where)
    this.engine.needStack()
  }

  /**
   * Throws if the world was freed.
   * @param {string} where
   */
  alive(where) {
    if (this.#pointer !== 0) return
    throw new MoreauError('stale-handle', `${where}: the world was freed`)
  }

  /**
   * Whether a body is alive. Not by its id, which may be that of another one after a restore.
   * @param {object} body
   * @param {number} id of it
   */
  has(body, id) {
    return this.bySlot[slotOf(id)] === body
  }

  /**
   * Throws if a body is not alive.
   * @param {object} body
   * @param {number} id of it
   * @param {string} where
   * @returns {number} its slot
   */
  slot(body, id, where) {
    this.alive(where)
    const slot = slotOf(id)
    if (this.bySlot[slot] === body) return slot
    throw new MoreauError('stale-handle', `${where}: body ${id} was destroyed`)
  }

  /**
   * The living body with an id.
   * @param {number} id
   * @returns {Body | undefined}
   */
  find(id) {
    const body = this.bySlot[slotOf(id)]
    return body !== undefined && body.id === id ? body : undefined
  }

  /**
   * An argument of the user that has to be a living body of this world.
   * @param {unknown} value
   * @param {string} path
   * @param {string} expected in words
   * @returns {Body}
   */
  own(value, path, expected = 'a body of this world') {
    if (!access.isBody(value)) throw invalid(path, expected, value)
    if (value.world !== this.world) {
      throw new MoreauError('invalid-argument', `${path}: body ${value.id} is of another world`)
    }
    this.slot(value, value.id, path)
    return value
  }

  /**
   * The id of the body in each slot, 0 where it is free.
   * @returns {ArrayBuffer} of at least `slotCount` doubles
   */
  get ids() {
    // Also where the last one went to another thread.
    if (this.#ids.length < this.slotCount) {
      this.#ids = new Float64Array(2 * this.slotCount)
      for (const body of this.living) this.#ids[body.index] = body.id
    }
    return this.#ids.buffer
  }

  /**
   * The engine has restored a snapshot.
   * @param {Plan | undefined} plan which objects there are now; undefined: the same as before
   */
  comeBack(plan) {
    this.#oldShapes.clear()
    this.#oldShapesBefore.clear()
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
    for (const { body, shapes } of plan.bodies.values()) {
      for (const shape of shapes) access.addUser(shape)
      if (this.has(body, body.id)) for (const shape of body.shapes) access.removeUser(shape)
    }
    for (const body of this.living) {
      if (plan.bodies.get(body.id)?.body === body) continue
      for (const shape of body.shapes) access.removeUser(shape)
      this.lives.end('body', body)
    }
    this.#placeBodies(plan)
    for (const [character, shape] of plan.characters) access.setCharacterShape(character, shape)
    replaceHandles(this, 'constraint', this.constraints, plan.constraints)
    replaceHandles(this, 'potential', this.potentials, plan.potentials)
    for (const { kind, object, timeline } of plan.lives) this.lives.resume(kind, object, timeline)
    this.couplings.clear()
    for (const constraint of this.constraints.keys()) {
      if (constraint.joints.length > 0) this.couplings.add(constraint)
    }
    this.list = this.constraintLists = this.potentialList = undefined
    this.version++
  }

  /** @param {Plan} plan */
  #placeBodies(plan) {
    this.living.clear()
    this.bySlot.length = 0
    this.#ids = new Float64Array(0)
    for (const { body, shapes } of plan.bodies.values()) {
      access.setShapes(body, shapes)
      this.living.add(body)
      this.bySlot[body.index] = body
    }
  }

  /**
   * A body that was destroyed lately.
   * @param {number} id
   * @returns {Body | undefined}
   */
  departed(id) {
    const known = this.#gone.get(id) ?? this.#goneBefore.get(id)
    if (known !== undefined || !this.lives.hasSnapshots) return known
    const last = /** @type {Body | undefined} */ (this.lives.lastBody(id))
    return last ?? access.makeBody(this, id, [], undefined) // of the world where the snapshot was taken
  }

  /**
   * The shapes to which the indices of an event belong.
   * @param {Body} body
   * @param {boolean} isOver the event is an end, of shapes of the step before
   * @returns {readonly Shape[]}
   */
  shapesOf(body, isOver) {
    return (
      (isOver ? this.#oldShapesBefore.get(body) : undefined) ??
      this.#oldShapes.get(body) ??
      body.shapes
    )
  }

  /**
   * @param {Body} body whose shapes the engine has changed
   * @param {readonly Shape[]} before
   */
  changeShapes(body, before) {
    this.version++
    for (const shape of body.shapes) access.addUser(shape)
    for (const shape of before) access.removeUser(shape)
    if (this.watches.isWatching && !this.#oldShapes.has(body)) this.#oldShapes.set(body, before)
    this.journal?.changedShapes(body)
  }

  /** A step was made: what went before the one before it has no more events. */
  turnPage() {
    if (this.#goneBefore.size + this.#gone.size > 0) {
      for (const body of this.#goneBefore.values()) this.#forgetListeners(body)
      this.#goneBefore = this.#gone
      this.#gone = new Map()
    }
    if (this.#oldShapesBefore.size + this.#oldShapes.size > 0) {
      this.#oldShapesBefore = this.#oldShapes
      this.#oldShapes = new Map()
    }
  }

  /** @param {Body} body */
  #forgetListeners(body) {
    this.bodyListeners.get(body)?.clear(this)
    this.bodyListeners.delete(body)
  }

  /** @param {Body} body a new one */
  add(body) {
    this.version++
    this.lives.begin(body)
    this.living.add(body)
    this.bySlot[body.index] = body
    this.#ids[body.index] = body.id // nothing happens where there is no room
    this.list = undefined
    for (const shape of body.shapes) access.addUser(shape)
    this.journal?.addedBody(body)
  }

  /** @param {Body} body one that the engine has destroyed */
  remove(body) {
    this.version++
    this.lives.end('body', body)
    this.living.delete(body)
    if (this.watches.isWatching) this.#gone.set(body.id, body)
    else this.#forgetListeners(body)
    this.bySlot[body.index] = undefined
    this.#ids[body.index] = 0
    this.list = undefined
    for (const shape of body.shapes) access.removeUser(shape)
    for (const constraint of this.constraints.keys()) {
      if (constraint.bodies.includes(body)) this.removeConstraint(constraint)
    }
  }

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

  /**
   * Makes a call of the engine in which functions of the user may run.
   * @param {() => number} call gives a code
   * @param {string} where
   */
  callBack(call, where) {
    const outer = this.callbacks.enter()
    let result
    try {
      result = call()
    } catch (error) {
      throw this.abandon(error, where)
    } finally {
      this.callbacks.leave(outer)
    }
    this.check(result, where)
  }

  /**
   * Asks the engine about the last step. It may have to make its rows anew, and then functions of the
   * user run.
   * @param {'world_momentum' | 'world_residual' | 'world_stats' | 'world_event_counts' | 'world_hash'
   *   | 'world_island_count' | 'world_record_problem'} question
   * @param {string} where
   * @returns {number | void}
   */
  ask(question, where) {
    const pointer = this.pointerFor(where)
    const { exports } = this.engine
    const outer = this.callbacks.enter()
    let answer
    try {
      answer = exports[question](pointer)
    } catch (error) {
      throw this.abandon(error, where)
    } finally {
      this.callbacks.leave(outer)
    }
    if (this.callbacks.hasFailed) this.check(exports.world_last_result(pointer), where)
    return answer
  }

  /**
   * Makes good for a call of the engine that an exception has ended in its middle: the world is as it
   * was before. Nothing of the user's passes through the engine, and there was room on the stack, so
   * this is a trap: a fault of ours, or of the host.
   * @param {unknown} error
   * @param {string} where
   * @returns {unknown} what to throw
   */
  abandon(error, where) {
    restoreStack()
    if (this.#pointer !== 0) this.engine.exports.world_abandon_call(this.#pointer)
    if (!(error instanceof WebAssembly.RuntimeError)) return error
    return new MoreauError('wasm-failed', `${where}: ${error.message}`, { cause: error })
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
    this.catchUp = undefined
    this.#pointer = 0
    for (const { end } of this.recorders.values()) end()
    for (const owner of this.heldShapes.keys()) this.holdShape(owner, undefined)
    for (const body of this.living) for (const shape of body.shapes) access.removeUser(shape)
    this.living.clear()
    this.bodyListeners.clear()
    this.#gone.clear()
    this.#goneBefore.clear()
    for (const constraint of this.constraints.keys()) this.removeConstraint(constraint)
    for (const potential of this.potentials.keys()) this.removePotential(potential)
    this.bySlot.length = 0
    this.list = undefined
    this.lives.clear()
  }

  /**
   * Why a step was refused: what a function for contacts threw, or the engine's error.
   * @param {number} result
   * @returns {unknown}
   */
  stepFailure(result) {
    const { hasFailed } = this.callbacks
    const options = this.callbacks.takeFailure()
    if (hasFailed && this.engine.code(result) === 'callback-failed') return options?.cause
    return this.engine.failure(result, 'step', this.#pointer, options)
  }

  /**
   * Throws if the engine refused a call.
   * @param {number} result
   * @param {string} where
   */
  check(result, where) {
    if (result !== 0) {
      throw this.engine.failure(result, where, this.#pointer, this.callbacks.takeFailure())
    }
  }
}

/**
 * Gives a map of constraints or potentials with their handles the entries of a plan.
 * @template {{ id: number }} Kept
 * @param {WorldCore} core
 * @param {'constraint' | 'potential'} kind
 * @param {Map<Kept, number | undefined>} map
 * @param {ReadonlyMap<number, [Kept, number | undefined]>} planned
 */
function replaceHandles(core, kind, map, planned) {
  for (const [object, handle] of map) {
    if (planned.get(object.id)?.[0] === object) continue
    if (handle !== undefined) core.callbacks.remove(KIND[kind], handle)
    core.lives.end(kind, object)
  }
  map.clear()
  for (const [object, handle] of planned.values()) map.set(object, handle)
}

/**
 * @param {number} id
 * @returns {number}
 */
export function slotOf(id) {
  return (id - 1) >>> 0
}

/**
 * The id in one of the engine's structs, which has the tag of the world above the generation.
 * @param {Uint32Array} u32
 * @param {number} at
 * @returns {number}
 */
export function idAt(u32, at) {
  return (u32[at + 1] & 0xffff) * GENERATION + u32[at]
}
