import { readFileSync } from 'node:fs'
import { Redis } from 'ioredis'

/**
 * A room as it is written down: everything up to a frame, and what happened since.
 * @typedef {{ epoch: number, owner: string, checkpoint: Buffer, records: Buffer[] }} StoredRoom
 */

/** @param {string} name */
const script = (name) => readFileSync(new URL(`./store/${name}.lua`, import.meta.url), 'utf8')

/** What Redis carries out in one go, by number of keys; `append` has as many as it is told. */
const SCRIPTS = {
  append: undefined,
  checkpoint: 2,
  claim: 3,
  create: 3,
  handOver: 2,
  remove: 3,
  renew: 1,
}

/** @typedef {{ id: string, epoch: number, records: string[], resolve: (isOurs: boolean) => void, reject: (error: unknown) => void }} Appending */

const ROOMS = 'moreau:rooms'
/** @param {string} id */
const keysOf = (id) => [ROOMS, `moreau:room:${id}`, `moreau:room:${id}:log`]

/**
 * Rooms in Redis: for each a checkpoint, the events since, and a lease. Who has not renewed a room's lease in time may lose it to another process;
 * the room's epoch goes up then, and what the old process still writes is refused.
 */
export class RoomStore {
  #redis
  #lease
  #owner
  /** ms: the clock of Redis less the own one, so that all processes have the same time */
  #offset = 0
  /** What is to be written down with all else of this turn of the event loop. @type {Appending[]} */
  #appending = []

  /** @param {{ url: string, lease: number, owner: string }} options `lease` in ms; `owner`: name of this process */
  constructor({ url, lease, owner }) {
    this.#redis = /** @type {any} */ (new Redis(url, { maxRetriesPerRequest: null }))
    this.#redis.on('error', () => {})
    this.#lease = lease
    this.#owner = owner
    for (const [name, numberOfKeys] of Object.entries(SCRIPTS)) {
      this.#redis.defineCommand(`room_${name}`, { numberOfKeys, lua: script(name) })
    }
  }

  /** Reads the clock of Redis. */
  async begin() {
    const before = localTime()
    const [seconds, microseconds] = await this.#redis.time()
    const now = 1000 * Number(seconds) + Number(microseconds) / 1000
    this.#offset = now - (before + localTime()) / 2
  }

  /** @returns {number} ms since 1970, as Redis has it */
  now() {
    return localTime() + this.#offset
  }

  /** @param {string} id @param {Uint8Array} checkpoint @returns {Promise<boolean>} false: there is one of this name */
  async create(id, checkpoint) {
    return (
      1 ===
      (await this.#redis.room_create(
        ...keysOf(id),
        id,
        this.#lease,
        this.#owner,
        Buffer.from(checkpoint),
      ))
    )
  }

  /** @param {string} id @param {number} epoch @param {string[]} records @returns {Promise<boolean>} false: the room is another process's */
  async append(id, epoch, records) {
    if (this.#appending.length === 0) queueMicrotask(() => this.#appendAll())
    return new Promise((resolve, reject) =>
      this.#appending.push({ id, epoch, records, resolve, reject }),
    )
  }

  /** Many rooms are due at once: one command for all costs both sides less than one for each. */
  async #appendAll() {
    const all = this.#appending.splice(0)
    const keys = all.flatMap(({ id }) => keysOf(id).slice(1))
    const values = all.flatMap(({ epoch, records }) => [epoch, records.length, ...records])
    try {
      const answers = await this.#redis.room_append(keys.length, ...keys, ...values)
      all.forEach(({ resolve }, i) => resolve(answers[i] === 1))
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }

  /**
   * @param {string} id
   * @param {number} epoch
   * @param {Uint8Array} checkpoint
   * @param {number} covered of the records written, those that it covers
   * @returns {Promise<boolean>} false: the room is another process's
   */
  async checkpoint(id, epoch, checkpoint, covered) {
    return (
      1 ===
      (await this.#redis.room_checkpoint(
        ...keysOf(id).slice(1),
        epoch,
        Buffer.from(checkpoint),
        covered,
      ))
    )
  }

  /** @param {Map<string, number>} rooms epochs by id @returns {Promise<string[]>} those that are another process's */
  async renew(rooms) {
    if (rooms.size === 0) return []
    return this.#redis.room_renew(ROOMS, this.#lease, ...[...rooms].flat())
  }

  /** @param {string} id @param {number} epoch gives the room to who claims it first */
  async handOver(id, epoch) {
    await this.#redis.room_handOver(...keysOf(id).slice(0, 2), id, epoch)
  }

  /** @param {string} id @param {number} epoch */
  async remove(id, epoch) {
    await this.#redis.room_remove(...keysOf(id), id, epoch)
  }

  /** @returns {Promise<string[]>} rooms whose lease is over, some of them */
  async overdue() {
    return this.#redis.zrangebyscore(ROOMS, 0, this.now(), 'LIMIT', 0, 16)
  }

  /** @param {string} id @returns {Promise<StoredRoom | undefined>} undefined: another process was faster */
  async claim(id) {
    const found = await this.#redis.room_claimBuffer(...keysOf(id), id, this.#lease, this.#owner)
    if (!found) return undefined
    const [epoch, owner, checkpoint, records] = found
    return { epoch: Number(epoch), owner: String(owner), checkpoint, records }
  }

  close() {
    this.#redis.disconnect()
  }
}

/** ms since 1970, without the jumps of a clock that is set */
const localTime = () => performance.timeOrigin + performance.now()
