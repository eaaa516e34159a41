import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { RoomRefusal } from './host.mjs'

/** @import { RoomState, Scene } from '../netcode/simulation.mjs' */
/** @import { Limits } from './limits.mjs' */

/** @typedef {{ module: string, name: string, options: any, limits: Limits }} BuildTask */
/** A world as it begins, and the part of a process's time that its frames take. @typedef {{ state: RoomState, cost: number }} BuiltWorld */

/** ms: what takes longer never ends */
const DEADLINE = 10_000
/** ms that a wish waits for its turn at the most */
const PATIENCE = 1200
/** ms that a world takes until one was built, and part by which what was measured changes that */
const [USUAL, NEWS] = [20, 0.3]
/** Worlds that are kept for the next wish of the same kind, the latest that were asked for: each takes about as much as a checkpoint of its room. */
const MOST_KEPT = 16

/**
 * Builds the worlds of new rooms in a thread of its own, one after the other, so that rooms that run keep their frames however large a new one is. As
 * what a scene builds depends on its options alone, many wishes for the same are one world.
 */
export class WorldBuilder {
  /** @type {Promise<Worker> | undefined} */
  #thread
  #waiting = 0
  #taken = USUAL
  /** @type {Promise<unknown>} */
  #last = Promise.resolve()
  /** By tasks, the latest that was asked for last. @type {Map<string, Promise<BuiltWorld>>} */
  #kept = new Map()

  /** Starts the thread, where there is none. @returns {Promise<Worker>} */
  begin() {
    return (this.#thread ??= this.#start())
  }

  async #start() {
    const thread = new Worker(new URL('./world-thread.mjs', import.meta.url))
    // A thread that failed is begun anew with the next world.
    thread.on('error', () => (this.#thread = undefined))
    await once(thread, 'message')
    thread.unref()
    return thread
  }

  /**
   * @param {Scene & { module: string }} scene
   * @param {any} options of the scene
   * @param {Limits} limits
   * @returns {Promise<BuiltWorld>} of which nothing may be changed
   * @throws {RoomRefusal}
   */
  build({ module, name }, options, limits) {
    const task = { module, name, options, limits }
    const key = JSON.stringify(task)
    const world = this.#kept.get(key) ?? this.#inTurn(task)
    this.#keep(key, world)
    world.catch(() => this.#kept.delete(key))
    return world
  }

  /** @param {string} key @param {Promise<BuiltWorld>} world */
  #keep(key, world) {
    this.#kept.delete(key)
    this.#kept.set(key, world)
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(String(this.#kept.keys().next().value))
  }

  /** @param {BuildTask} task @returns {Promise<BuiltWorld>} */
  async #inTurn(task) {
    if (this.#waiting * this.#taken > PATIENCE)
      throw new RoomRefusal('busy', `${this.#waiting} worlds wait to be built`, { retryAfter: 1 })
    this.#waiting++
    const turn = this.#last.then(() => this.#work(task))
    this.#last = turn.catch(() => {})
    try {
      return await turn
    } finally {
      this.#waiting--
    }
  }

  /** @param {BuildTask} task @returns {Promise<BuiltWorld>} */
  async #work(task) {
    const thread = await this.begin()
    const start = performance.now()
    const answer = await answerOf(thread, task)
    this.#taken += NEWS * (performance.now() - start - this.#taken)
    if (answer.built) return answer.built
    if (answer.isLate) await this.end()
    throw new RoomRefusal('rules', String(answer.error))
  }

  async end() {
    const thread = await this.#thread?.catch(() => undefined)
    this.#thread = undefined
    await thread?.terminate()
  }
}

/** @param {Worker} thread @param {BuildTask} task @returns {Promise<{ built?: BuiltWorld, error?: string, isLate?: boolean }>} */
function answerOf(thread, task) {
  return new Promise((resolve) => {
    /** @param {{ built?: BuiltWorld, error?: string, isLate?: boolean }} answer */
    const settle = (answer) => {
      clearTimeout(timer)
      thread.off('message', settle).off('error', fail).off('exit', fail)
      resolve(answer)
    }
    const fail = () => settle({ error: 'the thread that builds worlds has ended', isLate: true })
    const late = { error: `the scene takes more than ${DEADLINE} ms to build`, isLate: true }
    const timer = setTimeout(() => settle(late), DEADLINE)
    thread.on('message', settle).on('error', fail).on('exit', fail)
    thread.postMessage(task)
  })
}
