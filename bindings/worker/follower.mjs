import { slotOf } from '../core/ids.mjs'
import { internals } from '../index.mjs'
import { RemoteControls } from './controls.mjs'
import { ACTIVITY, HEAD, MOTIONS, STRIDE } from './motion-frame.mjs'
import { revive } from './references.mjs'

/** @import { Changes, Entry } from '../state/journal.mjs' */
/** @import { JointEvent, WasmModule } from '../types/index.mjs' */
/** @import { World } from '../index.mjs' */

const { access, Journal, outOfMemory, tellOf } = internals

/** Of a journal that is only asked for entries: there is no such step. */
const NEVER = Number.MAX_SAFE_INTEGER

const WATCHED = /** @type {const} */ (['contact', 'sensor', 'sleep'])

/** What puts a body elsewhere: it stays there until a frame has the call. */
const PLACING = new Set(['body_set_position', 'body_set_orientation', 'body_set_pose'])
/** Doubles per slot of poses, and of velocities. */
const HALF = STRIDE / 2

/** What acts until the next step. */
const PUSHING = new Set(['body_apply_force', 'body_apply_torque'])

/**
 * A world that is not stepped here but shows what one elsewhere does, which makes its calls. It gives the calls since the last time and takes frames of motions.
 */
export class Follower {
  #core
  #journal
  /** By slot: the last batch that put its body somewhere. @type {number[]} */
  #placed = []
  #lastPlaced = 0
  /** The last batch that took the world elsewhere: frames of before are of another world. */
  #jumped = 0
  #pointer
  /** Where frames are for the engine, and for how many doubles there is room. */
  #room = { address: 0, doubles: 0 }
  /** What the engine was not told of the frame that is shown: it moves bodies when it is asked for something. */
  #untold = { slots: 0, time: 0, stepCount: 0 }
  #catchUp = () => this.#tellEngine()
  /** Its characters and vehicles. */
  controls
  /** Seconds of the step that is to be made before everything else that was noted; 0: none. */
  stepLength = 0

  /** @param {World} world */
  constructor(world) {
    this.#core = access.coreOf(world)
    this.#core.journal?.end()
    this.#pointer = this.#core.pointer
    this.#journal = new Journal(this.#core, { every: NEVER, keyframes: NEVER, isLive: true })
    this.controls = new RemoteControls(this.#core, this.#journal)
  }

  /** What the engine is an instance of. @returns {WasmModule} */
  get module() {
    return this.#core.engine.module
  }

  /** Which objects are made now (Lives). */
  get timeline() {
    return this.#core.lives.now
  }

  /** What somebody listens to: names, one behind the other. @returns {string} */
  get listened() {
    const { watches, world } = this.#core
    let names = ''
    // This is asked in each frame: an iterator would be garbage.
    for (let i = 0; i < WATCHED.length; i++) {
      if (watches.isListened(WATCHED[i])) names += `${WATCHED[i]} `
    }
    const solver = access.listenersOf(world).of('solver')
    return solver !== undefined && solver.size > 0 ? `${names}solver ` : names
  }

  /** How many slots a frame has to have. */
  get slotCount() {
    return this.#core.slotCount
  }

  /**
   * Has the other one do something between the calls.
   * @param {Entry} entry
   */
  mark(...entry) {
    this.#journal.mark(...entry)
  }

  /**
   * Has it make a step that nobody waits for. In most frames there is nothing else: such steps are counted, and nothing is
   * made for them.
   * @param {number} dt seconds
   */
  markStep(dt) {
    if (this.#journal.isEmpty && this.stepLength === 0) this.stepLength = dt
    else this.mark('step', dt)
  }

  /**
   * @param {number} batch its number, from 1 on
   * @returns {Changes} what was called since the last time, but for a single step of `stepLength`
   */
  take(batch) {
    const changes = this.#journal.take()
    if (changes.entries.length > 0 && this.stepLength > 0) {
      changes.entries.unshift(['step', this.stepLength]) // it was first
      this.stepLength = 0
    }
    const { entries } = changes
    for (let i = 0; i < entries.length; i++) this.#note(entries[i], batch)
    return changes
  }

  /**
   * @param {Entry} entry
   * @param {number} batch
   */
  #note(entry, batch) {
    const core = this.#core
    const kind = entry[0]
    if (kind === 'body') this.#place(slotOf(entry[2]), batch)
    if (kind === 'state') this.#jumped = batch
    if (kind === 'control' && entry[1] === 'place') this.controls.notePlaced(entry[2], batch)
    if (kind !== 'call') return
    const [, name, [id]] = entry
    if (PLACING.has(name)) this.#place(slotOf(id), batch)
    // Here no step uses it up.
    if (PUSHING.has(name) && core.find(id)) {
      this.#journal.unnoted(() => core.engine.exports.body_clear_forces(core.pointer, id))
    }
  }

  /** @param {number} slot @param {number} batch */
  #place(slot, batch) {
    this.#placed[slot] = this.#lastPlaced = batch
  }

  /**
   * Has the bodies be where those of a frame are.
   * @param {Float64Array} frame
   */
  show(frame) {
    if (frame[HEAD.batch] < this.#jumped) return
    const core = this.#core
    core.alive('update')
    const slots = Math.min(frame[HEAD.slotCount], core.slotCount)
    const at = this.#reserve(STRIDE * slots) / 8
    const { f64 } = core.engine
    // A view of it would be garbage of each frame.
    for (let i = 0; i < STRIDE * slots; i++) f64[at + i] = frame[MOTIONS + i]
    if (frame[HEAD.batch] < this.#lastPlaced) this.#keepPlaced(frame[HEAD.batch], at, slots)
    this.#showArrays(at, slots)
    const start = MOTIONS + STRIDE * frame[HEAD.slotCount]
    this.controls.show(frame, start, start + frame[HEAD.controls], frame[HEAD.batch])
    core.lastDt = frame[HEAD.lastDt]
    this.#untold.slots = slots
    this.#untold.time = frame[HEAD.time]
    this.#untold.stepCount = frame[HEAD.stepCount]
    core.catchUp = this.#catchUp
  }

  /**
   * Leaves bodies where they were put since a frame was made.
   * @param {number} batch the last in the frame
   * @param {number} at where its motions are
   * @param {number} slots
   */
  #keepPlaced(batch, at, slots) {
    const { f64 } = this.#core.engine
    this.#placed.forEach((placed, slot) => {
      if (placed > batch && slot < slots) f64[at + STRIDE * slot + ACTIVITY] = -1
    })
  }

  /**
   * Writes motions to the bulk arrays, as the engine will.
   * @param {number} at where they are
   * @param {number} slots
   */
  #showArrays(at, slots) {
    const core = this.#core
    const { f64 } = core.engine
    const { transforms } = core.world
    for (let slot = 0; slot < slots; slot++) {
      const from = at + STRIDE * slot
      if (core.bySlot[slot] === undefined || f64[from + ACTIVITY] < 0) continue
      for (let k = 0; k < HALF; k++) {
        const to = HALF * slot + k
        const pose = k === ACTIVITY ? 0 : f64[from + k]
        f64[core.transforms64 + to] = pose
        f64[core.velocities + to] = f64[from + HALF + k]
        transforms[to] = pose
      }
    }
  }

  #tellEngine() {
    const core = this.#core
    const { exports } = core.engine
    const { slots, time, stepCount } = this.#untold
    core.catchUp = undefined
    core.check(exports.world_set_motions(this.#pointer, this.#room.address, slots), 'update')
    this.#journal.unnoted(() => exports.world_set_time(this.#pointer, time, stepCount))
  }

  /** @param {number} doubles @returns {number} an address */
  #reserve(doubles) {
    const { exports } = this.#core.engine
    if (doubles <= this.#room.doubles) return this.#room.address
    this.#release()
    const bytes = 2 * 8 * doubles
    const address = exports.allocate(bytes) >>> 0
    if (address === 0) throw outOfMemory('update', bytes)
    this.#room = { address, doubles: 2 * doubles }
    return address
  }

  #release() {
    if (this.#room.address !== 0) this.#core.engine.exports.release(this.#room.address)
    this.#room = { address: 0, doubles: 0 }
  }

  /**
   * The world elsewhere has gone where `action` brings this one. What was noted since it was asked to is lost there.
   * @param {() => void} action
   */
  jump(action) {
    action()
    this.#journal.drop()
    this.stepLength = 0
    this.mark('here')
    this.controls.renew()
  }

  /**
   * Tells the listeners of a step.
   * @param {any} posted its events, as they were posted
   */
  tell(posted) {
    const core = this.#core
    core.past.turnPage()
    core.jointEvents = []
    const events = revive(core, posted)
    const joint = events.joint.filter((/** @type {JointEvent} */ event) => event.joint)
    core.jointEvents = Object.freeze(joint)
    for (const event of joint) this.#end(event)
    tellOf(core, access.listenersOf(core.world), { ...events, joint })
  }

  /** @param {JointEvent} event of a joint that broke there */
  #end({ joint }) {
    const core = this.#core
    const { constraint_destroy: destroy } = core.engine.exports
    this.#journal.unnoted(() => destroy(core.pointer, joint.id))
    core.removeConstraint(joint)
  }

  /**
   * @param {unknown} answer as it was posted
   * @returns {any} with bodies and joints of this world
   */
  revive(answer) {
    return revive(this.#core, answer)
  }

  /** Ends it, before or after the world was freed: from now on that is one like any other. */
  end() {
    if (!this.#journal.isOver) {
      this.#core.catchUp?.()
      this.#journal.end()
      this.controls.end()
    }
    this.#release()
  }
}
