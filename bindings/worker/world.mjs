import { readFunction, readNonNegative, readPositive } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { init, World as LocalWorld } from '../index.mjs'
import { Follower } from './follower.mjs'
import { loadFunctions, restoringBy } from './functions.mjs'
import { errorOf, Link } from './link.mjs'
import { ASKED_GETTERS, ASKED_METHODS, missing, MISSING, MISSING_STATIC } from './members.mjs'
import { HEAD } from './motion-frame.mjs'
import { readWorkerOptions } from './options.mjs'
import { Poses } from './poses.mjs'
import { unavailable } from './start.mjs'
import { inside, WorldParts } from './world-parts.mjs'

/** @import { AdvanceOptions, Restoring, SceneJson, SceneReading, WorldEvents, WorldOptions } from '../index.mjs' */
/** @import { Functions } from './functions.mjs' */
/** @import { WorkerOptions } from './options.mjs' */
/** @import { News } from './protocol.mjs' */
/** @import { Inside, WorkerSceneReading } from './world-parts.mjs' */

/** Steps that may be under way before `advance` drops time: the worker is slower than the clock. */
const MOST_BEHIND = 8
const DEFAULT_HZ = 60
/** Milliseconds between the clock of this thread and that of all of them. */
const ORIGIN = performance.timeOrigin

/** Which worlds were let go without `free()`: their workers end with them. */
const forgotten =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry((/** @type {Link} */ link) => link.stop())

/** Of steps that nobody waits for. */
const DONE = Promise.resolve()

/** What only `World.create` knows. */
const KEY = Symbol('World.create')

/** @typedef {ReturnType<typeof readWorkerOptions>} HowRead */
/**
 * What a world in a worker has besides.
 * @typedef {object} WorkerEvents
 * @property {MoreauError} crash the worker has failed or ended; `restart` goes on
 * @property {MoreauError} error the worker refused a call that nobody waits for. Where nobody listens, the next
 *   `update` or `advance` throws it
 */

/**
 * A world that is stepped in a worker. It is used as that of `moreau`, and what it has made are the same classes: bodies
 * and joints are there at once, arguments are checked at the call, and poses, velocities and queries are those of the
 * newest frame that was taken (`update`, `advance`, `await step`). What was called goes to the worker once per frame, in
 * order.
 *
 * @example
 * import { World } from 'moreau/worker'
 * const world = await World.create({ gravity: [0, -9.81, 0] })
 * world.createBody({ type: 'static', shape: { type: 'plane' } })
 * const ball = world.createBody({ shape: { type: 'sphere', radius: 0.5 }, position: [0, 5, 0] })
 * for (let i = 0; i < 120; i++) await world.step(1 / 60)
 * ball.position // [0, 0.5, 0], nearly
 */
export class World extends WorldParts {
  #follower
  #how
  #profile
  /** @type {Functions} */
  #functions
  /** @type {Inside} */
  #inside = {
    contacts: { contactFilter: null, contactModifier: null },
    openedCount: 0,
    functions: () => this.#functions,
    controls: () => this.#follower.controls,
    isFreed: () => this.#isFreed,
    alive: (where) => this.#alive(where),
    mark: (...entry) => this.#follower.mark(...entry),
    wait: (note) => this.#wait(note),
    jump: (bytes) => this.#jump(bytes),
  }
  /** @type {Link} */
  #link
  #poses = new Poses()
  /** @type {{ crash: Set<(error: MoreauError) => void>, error: Set<(error: MoreauError) => void> }} */
  #listeners = { crash: new Set(), error: new Set() }
  /** Steps that were asked for, and that the newest frame has. */
  #steps = { asked: 0, done: 0 }
  /** Seconds: the time of the world when all that was asked for is done, and the length of the last step. */
  #asked = { time: 0, dt: 1 / DEFAULT_HZ }
  /** Whether `advance` is making steps. */
  #isAdvancing = false
  /** Whether the frame that came last was by the worker's own clock, and since when. */
  #clock = { rate: 0, moment: 0 }
  /** Seconds of the world: that of the newest frame. */
  #shownTime = 0
  #isFreed = false
  #isLate = false
  /** What a listener threw, or the worker refused: for who waits, or calls `update`. @type {{ error: unknown } | undefined} */
  #failure
  /** What the link tells: it does not keep the world. */
  #owner = {
    isNews: () => void this.#take(true),
    hasEnded: (/** @type {MoreauError} */ error) => this.#crash(error),
  }

  /**
   * Loads the engine, starts a worker and makes a world in it.
   * @param {WorldOptions} [options] of the world
   * @param {WorkerOptions} [workerOptions]
   * @returns {Promise<World>}
   * @throws {MoreauError} as `World.create` of `moreau`; `worker-failed`, `not-supported`
   */
  static async create(options = {}, workerOptions = {}) {
    await init()
    const how = readWorkerOptions(workerOptions)
    const functions = await loadFunctions(how.functions)
    const world = new World(options, /** @type {any} */ ([KEY, how, functions]))
    try {
      await world.hash() // the worker is there
    } catch (error) {
      world.free()
      throw unavailable(/** @type {Error} */ (error).cause)
    }
    return world
  }

  /**
   * As `fromJSON` of `moreau`, with a world in a worker.
   * @param {SceneJson | object} scene
   * @param {WorkerSceneReading} [options]
   * @param {WorkerOptions} [workerOptions]
   * @returns {Promise<World>}
   * @throws {MoreauError} as `create`, and `fromJSON` of `moreau`
   */
  static async fromJSON(scene, options = {}, workerOptions = {}) {
    const world = await World.create({}, workerOptions)
    try {
      const local = LocalWorld.fromJSON(scene, world.#readingBy(options))
      world.restore(local.snapshot())
      local.free()
      await world.hash()
    } catch (error) {
      world.free()
      throw error
    }
    return world
  }

  /**
   * Options to read a scene here, of those with names; its functions for contacts are those of this world from now on.
   * @param {WorkerSceneReading} options
   * @returns {SceneReading}
   */
  #readingBy({ contactFilter, contactModifier, ...others }) {
    /** @type {any} */
    const reading = { ...restoringBy(this.#functions), ...others }
    for (const [name, own] of Object.entries({ contactFilter, contactModifier })) {
      if (own === undefined) continue
      this[/** @type {'contactFilter'} */ (name)] = own
      reading[name] = this.#functions[own]
    }
    return reading
  }

  /**
   * Only `World.create` makes one.
   * @param {WorldOptions} [options]
   * @param {unknown} [given]
   */
  constructor(options = {}, given = undefined) {
    if (!Array.isArray(given) || given[0] !== KEY) {
      throw new MoreauError(
        'not-supported',
        'World: a world in a worker is made by `await World.create()`',
      )
    }
    const { profile, ...others } = options
    super(others)
    this.#how = /** @type {HowRead} */ (given[1])
    this.#profile = profile === true
    this.#functions = given[2]
    this.#follower = new Follower(/** @type {any} */ (this))
    this.#link = this.#start()
    Object.preventExtensions(this)
  }

  #start() {
    const { contacts } = this.#inside
    const profile = this.#profile
    const how = { .../** @type {any} */ (this.#how), profile, contacts }
    const link = new Link(this.#follower, how, this.#owner)
    this.#follower.controls.ask = (note) => this.#wait(note)
    forgotten?.register(this, link, this)
    return link
  }

  // --- time -----------------------------------------------------------------------------------------

  /**
   * Has the worker make one step, after all that was called before.
   * @param {number} dt seconds, 0 or more
   * @returns {Promise<void>} settles when the step is made and is seen here; rejects as `step` of `moreau` throws
   * @throws {MoreauError} `invalid-argument`
   */
  step(dt) {
    this.#alive('step')
    const seconds = readNonNegative(dt, 'step: dt')
    this.#steps.asked++
    this.#asked.time += seconds
    if (seconds > 0) this.#asked.dt = seconds
    if (this.#isAdvancing) {
      if (seconds > 0) this.#follower.markStep(seconds)
      else this.#follower.mark('step', seconds)
      return DONE
    }
    return this.#wait((ticket) => this.#follower.mark('step', seconds, ticket))
  }

  /**
   * For a render loop: takes the newest frame, and has the worker make the fixed steps that are due. They are made while
   * the page goes on, and are seen by a later call.
   * @param {number} seconds since the last call
   * @param {AdvanceOptions} [options] `beforeStep` and `afterStep` are called here, when steps are asked for
   * @returns {number} steps that were asked for
   * @throws {MoreauError} as `advance` of `moreau`, and what the worker refused (`error` of `WorkerEvents`)
   */
  advance(seconds, options) {
    this.#alive('advance')
    readNonNegative(seconds, 'advance: seconds')
    this.update()
    this.#isLate = this.stepsBehind > MOST_BEHIND
    if (this.#isLate) return 0
    this.#isAdvancing = true
    try {
      return LocalWorld.prototype.advance.call(/** @type {any} */ (this), seconds, options)
    } finally {
      this.#isAdvancing = false
      this.#link.send(this.#follower)
    }
  }

  /**
   * Has the worker make steps by its own clock from now on. Call `update` once per frame, to see them.
   * @param {object} [how]
   * @param {number} [how.hz] steps per second of the world, above 0; default 60
   * @param {number} [how.rate] seconds of the world per second, above 0; default 1
   */
  start(how = {}) {
    this.#alive('start')
    const { hz = DEFAULT_HZ, rate = 1 } = how
    this.#asked.dt = 1 / readPositive(hz, 'start: hz')
    this.#follower.mark('clock', this.#asked.dt, readPositive(rate, 'start: rate'))
    this.#link.send(this.#follower)
  }

  /** Stops the worker's clock. */
  pause() {
    this.#alive('pause')
    this.#follower.mark('clock', 0, 1)
    this.#link.send(this.#follower)
  }

  /**
   * Once per frame: sends what was called since the last time, takes the newest frame, and tells the listeners of what
   * happened. `advance` does it too.
   * @returns {boolean} whether there was a new frame
   * @throws {MoreauError} what the worker refused, if nobody listens for `error`
   */
  update() {
    this.#alive('update')
    this.#link.send(this.#follower)
    return this.#take()
  }

  /** Whether the last `advance` dropped time: too much was due, or the worker is too far behind. */
  get isLate() {
    return this.#isLate || Reflect.get(LocalWorld.prototype, 'isLate', this)
  }

  /** How many steps are asked for and not seen here yet. */
  get stepsBehind() {
    return this.#steps.asked - this.#steps.done
  }

  /** How poses come. @returns {'shared' | 'transferred'} */
  get transport() {
    return /** @type {'shared' | 'transferred'} */ (this.#how.transport)
  }

  /** Whether the worker has failed, and `restart` is due. */
  get isCrashed() {
    return !this.#isFreed && this.#link.failure !== undefined
  }

  /**
   * The poses to draw now: `delay` steps behind the time that is due, between the frames on either side of it.
   * @param {Float32Array} out of `transforms.length` or more
   * @returns {Float32Array} `out`
   */
  interpolate(out) {
    this.#alive('interpolate')
    const least = this.transforms.length
    if (!(out instanceof Float32Array) || out.length < least) {
      throw invalid('interpolate: out', `a Float32Array of ${least} or more`, out)
    }
    const { dt } = this.#asked
    this.#poses.at(/** @type {any} */ (this), this.#dueTime(dt) - this.#how.delay * dt, out)
    return out
  }

  /** @param {number} dt seconds of a step */
  #dueTime(dt) {
    const { rate, moment } = this.#clock
    if (rate === 0) return this.#asked.time + this.interpolation * dt
    const now = ORIGIN + performance.now()
    return this.#shownTime + (rate * (now - moment)) / 1000
  }

  /** As `resetInterpolation` of `moreau`. */
  resetInterpolation() {
    LocalWorld.prototype.resetInterpolation.call(/** @type {any} */ (this))
    this.#poses.reset()
  }

  // --- events ---------------------------------------------------------------------------------------

  /**
   * As `on` of `moreau`, told by `update`, `advance` and `await step`; besides `crash` and `error`.
   * @template {keyof WorldEvents | keyof WorkerEvents} Name
   * @param {Name} name
   * @param {(event: (WorldEvents & WorkerEvents)[Name]) => void} listener
   * @returns {() => void} ends it
   */
  on(name, listener) {
    if (name !== 'crash' && name !== 'error') {
      const local = /** @type {LocalWorld} */ (/** @type {unknown} */ (this))
      return LocalWorld.prototype.on.call(
        local,
        /** @type {any} */ (name),
        /** @type {any} */ (listener),
      )
    }
    this.#alive('on')
    const given = readFunction(/** @type {any} */ (listener), 'on: listener')
    const set = this.#listeners[/** @type {keyof WorkerEvents} */ (name)]
    set.add(given)
    return () => void set.delete(given)
  }

  // --- state ----------------------------------------------------------------------------------------

  /**
   * As `restore` of `moreau`, with a snapshot of any world.
   * @param {Uint8Array | ArrayBuffer} bytes
   * @param {Restoring} [options]
   */
  restore(bytes, options) {
    this.#alive('restore')
    this.#bringBack(bytes, options)
    this.#link.send(this.#follower)
  }

  /** The worker's world has gone elsewhere. @param {Uint8Array} bytes what it is there */
  #jump(bytes) {
    if (this.#isFreed) return
    this.#follower.jump(() => this.#bringBack(bytes, undefined))
    this.#link.send(this.#follower)
  }

  /**
   * Ends the worker and starts another one, with the world as it was at the last snapshot that the worker sent
   * (`snapshotEvery`): bodies and joints that lived then are the same objects, and what was made since is stale.
   * @returns {Promise<void>} settles when it is there
   */
  async restart() {
    this.#alive('restart')
    const { bytes } = this.#link.snapshot
    this.#link.stop()
    forgotten?.unregister(this)
    const { controls } = this.#follower
    this.#follower.end()
    this.#bringBack(bytes, undefined)
    this.#follower = new Follower(/** @type {any} */ (this))
    this.#link = this.#start()
    this.#steps = { asked: 0, done: 0 }
    this.#follower.controls.renew(controls)
    await this.hash()
  }

  /**
   * @param {Uint8Array | ArrayBuffer} bytes
   * @param {Restoring | undefined} options
   */
  #bringBack(bytes, options) {
    const whole = options === undefined ? restoringBy(this.#functions) : options
    LocalWorld.prototype.restore.call(/** @type {any} */ (this), bytes, whole)
    this.#poses.reset()
    this.#asked.time = this.time
  }

  /**
   * Ends the worker and gives the memory back, as `free` of `moreau`. Who waits is refused.
   */
  free() {
    if (this.#isFreed) return
    LocalWorld.prototype.free.call(/** @type {any} */ (this))
    this.#isFreed = true
    this.#follower.end()
    this.#link.stop()
    forgotten?.unregister(this)
  }

  // --- the link -------------------------------------------------------------------------------------

  /** @param {string} where */
  #alive(where) {
    if (!this.#isFreed) return
    throw new MoreauError('stale-handle', `${where}: the world was freed`)
  }

  /**
   * @param {(ticket: number) => void} note
   * @returns {Promise<any>}
   */
  #wait(note) {
    const link = this.#link
    if (link.failure) return Promise.reject(link.failure)
    const promise = link.wait(this.#owner, note)
    link.send(this.#follower)
    return promise
  }

  /**
   * @param {string} name of a member of the world there
   * @param {unknown[]} args
   * @returns {Promise<any>}
   */
  static #askOf(/** @type {World} */ world, name, args) {
    world.#alive(name)
    return world.#wait((ticket) => world.#follower.mark('ask', ticket, name, args))
  }

  static {
    inside.of = (world) => /** @type {World} */ (world).#inside
    for (const name of ASKED_METHODS) {
      const value = /** @this {World} */ function (/** @type {unknown[]} */ ...args) {
        return World.#askOf(this, name, args)
      }
      Object.defineProperty(World.prototype, name, { value, writable: true, configurable: true })
    }
    for (const name of ASKED_GETTERS) {
      const get = /** @this {World} */ function () {
        return World.#askOf(this, name, [])
      }
      Object.defineProperty(World.prototype, name, { get, configurable: true })
    }
    for (const [name, instead] of Object.entries(MISSING)) {
      const get = () => {
        throw missing(name, instead)
      }
      Object.defineProperty(World.prototype, name, { get, set: get, configurable: true })
    }
    for (const [name, instead] of Object.entries(MISSING_STATIC)) {
      const value = () => {
        throw missing(name, instead)
      }
      Object.defineProperty(World, name, { value, configurable: true })
    }
  }

  /**
   * @param {boolean} [isAwaited] somebody waits for an answer that has come, who is told of errors
   * @returns {boolean} whether there was a new frame
   */
  #take(isAwaited = false) {
    const link = this.#link
    const isNew = link.readFrame(this.#show)
    const news = link.takeNews()
    if (news.length > 0) this.#hear(news)
    if (isAwaited || this.#isFreed) return isNew
    const failure = this.#takeFailure()
    if (failure) throw failure.error
    return isNew
  }

  /** @param {readonly News[]} news */
  #hear(news) {
    const link = this.#link
    this.#tellSteps(news.flatMap(({ steps = [] }) => steps))
    if (this.#isFreed) return
    for (const refused of news.flatMap(({ failures = [] }) => failures)) {
      const error = errorOf(refused)
      this.#tell('error', error)
      if (this.#listeners.error.size === 0) this.#failure ??= { error }
    }
    for (const { ticket, value, failure } of news.flatMap(({ answers = [] }) => answers)) {
      const own = failure && { error: errorOf(failure) }
      link.settle(ticket, this.#follower.revive(value), own ?? this.#takeFailure())
    }
  }

  #takeFailure() {
    const failure = this.#failure
    this.#failure = undefined
    return failure
  }

  /**
   * Tells the listeners of steps. All are told, also where one of them throws.
   * @param {readonly unknown[]} steps
   */
  #tellSteps(steps) {
    for (const events of steps) {
      try {
        this.#follower.tell(events)
      } catch (error) {
        this.#failure ??= { error }
      }
      if (this.#isFreed) break
    }
  }

  /** @param {Float64Array} frame */
  #show = (frame) => {
    this.#follower.show(frame)
    this.#steps.done = frame[HEAD.stepsDone]
    this.#clock.rate = frame[HEAD.rate]
    this.#clock.moment = frame[HEAD.moment]
    if (this.#clock.rate > 0) this.#asked.time = frame[HEAD.time]
    this.#shownTime = frame[HEAD.time]
    this.#poses.keep(/** @type {any} */ (this), this.#shownTime)
  }

  /** @param {MoreauError} error */
  #crash(error) {
    if (!this.#isFreed) this.#tell('crash', error)
  }

  /** @param {'crash' | 'error'} name @param {MoreauError} error */
  #tell(name, error) {
    for (const listener of this.#listeners[name]) listener(error)
  }
}
