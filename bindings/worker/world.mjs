import { MoreauError } from '../core/errors.mjs'
import { init, World as LocalWorld } from '../index.mjs'
import { Follower } from './follower.mjs'
import { loadFunctions, restoringBy } from './functions.mjs'
import { Hearing } from './hearing.mjs'
import { inside } from './inside.mjs'
import { Link } from './link.mjs'
import { defineMembers } from './members.mjs'
import { readWorkerOptions } from './options.mjs'
import { Poses } from './poses.mjs'
import { readPostable } from './postable.mjs'
import { unavailable } from './start.mjs'
import { Timing } from './timing.mjs'
import { WorldListening } from './world-events.mjs'
import { readingBy } from './world-functions.mjs'

/** @import { Restoring, SceneJson, WorldOptions } from '../index.mjs' */
/** @import { Functions } from './functions.mjs' */
/** @import { Inside } from './inside.mjs' */
/** @import { WorkerOptions } from './options.mjs' */
/** @import { WorkerSceneReading } from './world-functions.mjs' */

/** Which worlds were let go without `free()`: their workers end with them. */
const forgotten =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry((/** @type {Link} */ link) => link.stop())

/** What only `World.create` knows. */
const KEY = Symbol('World.create')

/** @typedef {ReturnType<typeof readWorkerOptions>} HowRead */

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
export class World extends WorldListening {
  #how
  #profile
  /** @type {Functions} */
  #functions
  #follower
  /** @type {Link} */
  #link
  #timing = new Timing()
  #poses = new Poses()
  #isFreed = false
  #hearing = new Hearing(() => this.#isFreed)
  /** @type {Inside} */
  #inside = {
    contacts: { contactFilter: null, contactModifier: null },
    timing: this.#timing,
    poses: this.#poses,
    hearing: this.#hearing,
    functions: () => this.#functions,
    follower: () => this.#follower,
    isFreed: () => this.#isFreed,
    alive: (where) => this.#alive(where),
    mark: (...entry) => this.#follower.mark(...entry),
    send: () => this.#link.send(this.#follower),
    wait: (note) => this.#wait(note),
    probe: () => this.#probe(),
    take: () => this.#take(),
    jump: (bytes) => this.#jump(bytes),
  }
  /** What the link tells: it does not keep the world. */
  #owner = {
    isNews: () => void this.#hearAll(),
    hasEnded: (/** @type {MoreauError} */ error, /** @type {boolean} */ isKnown) =>
      this.#hearing.crash(error, isKnown),
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
    const functions = await loadFunctions(how.functions, how.timeout)
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
      const local = LocalWorld.fromJSON(scene, readingBy(world, options))
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
    const how = /** @type {HowRead} */ (given[1])
    super(others, how.delay)
    this.#how = how
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

  /** How poses come. @returns {'shared' | 'transferred'} */
  get transport() {
    return /** @type {'shared' | 'transferred'} */ (this.#how.transport)
  }

  /** Whether the worker has failed, and `restart` is due. */
  get isCrashed() {
    return !this.#isFreed && this.#link.failure !== undefined
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
    this.#link.stop(new MoreauError('worker-failed', 'World: restart has ended the worker'))
    this.#hearing.takeFailure()
    forgotten?.unregister(this)
    const { controls } = this.#follower
    this.#follower.end()
    this.#bringBack(bytes, undefined)
    this.#follower = new Follower(/** @type {any} */ (this))
    this.#link = this.#start()
    this.#timing.restart()
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
    this.#timing.jump(this.time)
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

  #probe() {
    const link = this.#link
    if (link.failure) return
    link.probe(this.#owner, (ticket) => this.#follower.mark('ask', ticket, 'stepCount', []))
  }

  /**
   * @param {string} name of a member of the world there
   * @param {unknown[]} args
   * @returns {Promise<any>}
   */
  #ask(name, args) {
    this.#alive(name)
    readPostable(args, `${name}: args`)
    return this.#wait((ticket) => this.#follower.mark('ask', ticket, name, args))
  }

  static {
    inside.of = (world) => /** @type {World} */ (world).#inside
    defineMembers(World, (world, name, args) => /** @type {World} */ (world).#ask(name, args))
  }

  /** @returns {boolean} whether there was a new frame */
  #take() {
    const isNew = this.#hearAll()
    if (this.#isFreed) return isNew
    const failure = this.#hearing.takeFailure()
    if (failure) throw failure.error
    return isNew
  }

  /** @returns {boolean} whether there was a new frame */
  #hearAll() {
    const link = this.#link
    const isNew = link.readFrame(this.#show)
    if (link.hasNews) this.#hearing.hear(link, this.#follower)
    return isNew
  }

  /** @param {Float64Array} frame */
  #show = (frame) => {
    this.#follower.show(frame)
    this.#poses.keep(/** @type {any} */ (this), this.#timing.show(frame))
  }
}
