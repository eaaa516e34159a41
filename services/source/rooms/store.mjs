import { readFileSync } from 'node:fs'
import { connectRedis } from '../operations/redis-connection.mjs'
import { Share } from './share.mjs'

/** @import { StoreHealth } from './store-health.mjs' */

/**
 * A room as it is written down: everything up to a frame, and what happened since.
 * @typedef {{ epoch: number, owner: string, checkpoint: Buffer, records: Buffer[], fault?: string }} StoredRoom `fault`: what is wrong with it at
 *   first sight
 */

/**
 * Whose a room is: another process's, ours, or nobody's, as Redis lost it; then it has to be written again, whole.
 * @typedef {'lost' | 'ours' | 'gone'} Standing
 */

/** By the answers of scripts. @type {readonly Standing[]} */
const STANDINGS = ['lost', 'ours', 'gone']

const SCRIPTS = /** @type {const} */ ([
  ...['append', 'checkpoint', 'claim', 'create', 'handOver'],
  ...['overdue', 'putAside', 'remove', 'renew'],
])

/** @param {string} name */
const script = (name) => readFileSync(new URL(`./store/${name}.lua`, import.meta.url), 'utf8')

/** Part of its time that a process makes checkpoints at the most, so that many that are due at once keep no room from its frames. */
const ENCODING_SHARE = 0.2
/** ms: how long a key lives that is written to see whether Redis takes it */
const PROBE_LIFE = 1000

/** @typedef {{ id: string, epoch: number, records: string[], resolve: (standing: Standing) => void, reject: (error: unknown) => void }} Appending */

/**
 * Rooms in Redis: for each a checkpoint, the events since, and a lease. Who has not renewed a room's lease in time may lose it to another process;
 * the room's epoch goes up then, and what the old process still writes is refused. What Redis loses, who holds the room writes again.
 */
export class RoomStore {
  #redis
  #lease
  #owner
  #health
  /** ms: the clock of Redis less the own one, so that all processes have the same time */
  #offset = 0
  /** What is to be written down with all else of this turn of the event loop. @type {Appending[]} */
  #appending = []
  /** Whole rooms as bytes. */
  encoding = new Share(ENCODING_SHARE)

  /** @param {{ url: string, lease: number, owner: string, health: StoreHealth }} options `lease` in ms; `owner`: name of this process */
  constructor({ url, lease, owner, health }) {
    this.#redis = /** @type {any} */ (connect(url, health))
    this.#lease = lease
    this.#owner = owner
    this.#health = health
    const common = script('common')
    for (const name of SCRIPTS) {
      const lua = `${common}\n${script(name)}`
      this.#redis.defineCommand(`room_${name}`, { numberOfKeys: 0, lua })
    }
  }

  get health() {
    return this.#health
  }

  /** Reads the clock of Redis. */
  async begin() {
    const before = localTime()
    const [seconds, microseconds] = await this.#redis.time()
    const now = 1000 * Number(seconds) + Number(microseconds) / 1000
    this.#offset = now - (before + localTime()) / 2
  }

  /** @returns {number} ms since 1970, as Redis had it when this process began: it does not jump */
  now() {
    return localTime() + this.#offset
  }

  /** @param {typeof SCRIPTS[number] | 'claimBuffer'} name @param {any[]} values @returns {Promise<any>} */
  #ask(name, ...values) {
    return this.#health.watch(this.#redis[`room_${name}`](...values))
  }

  /** @param {string} id @param {Uint8Array} checkpoint @returns {Promise<boolean>} false: there is one of this name */
  async create(id, checkpoint) {
    return (await this.#ask('create', id, this.#lease, this.#owner, bufferOf(checkpoint))) === 1
  }

  /** @param {string} id @param {number} epoch @param {string[]} records @returns {Promise<Standing>} what is not ours was not written */
  async append(id, epoch, records) {
    if (this.#appending.length === 0) queueMicrotask(() => this.#appendAll())
    return new Promise((resolve, reject) =>
      this.#appending.push({ id, epoch, records, resolve, reject }),
    )
  }

  /** Many rooms are due at once: one command for all costs both sides less than one for each. */
  async #appendAll() {
    const all = this.#appending.splice(0)
    const values = all.flatMap(({ id, epoch, records }) => [id, epoch, records.length, ...records])
    try {
      const answers = await this.#ask('append', this.#owner, ...values)
      all.forEach(({ resolve }, i) => resolve(STANDINGS[answers[i]]))
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }

  /**
   * Writes a room whole, also where nothing of it is there any more.
   * @param {string} id
   * @param {number} epoch
   * @param {Uint8Array} checkpoint
   * @returns {Promise<number>} the epoch in which it is ours now; 0: it is another process's
   */
  async checkpoint(id, epoch, checkpoint) {
    const values = [id, this.#lease, this.#owner, epoch, bufferOf(checkpoint)]
    return this.#ask('checkpoint', ...values)
  }

  /** @param {Map<string, number>} rooms epochs by id @returns {Promise<Map<string, Standing>>} */
  async renew(rooms) {
    if (rooms.size === 0) return new Map()
    const answers = await this.#ask('renew', this.#lease, this.#owner, ...[...rooms].flat())
    return new Map([...rooms.keys()].map((id, i) => [id, STANDINGS[answers[i]]]))
  }

  /** @param {string} id @param {number} epoch gives the room to who claims it first */
  async handOver(id, epoch) {
    await this.#ask('handOver', id, this.#owner, epoch)
  }

  /** @param {string} id @param {number} epoch */
  async remove(id, epoch) {
    await this.#ask('remove', id, this.#owner, epoch)
  }

  /** @param {number} most @returns {Promise<string[]>} rooms whose lease is over, some of them */
  async overdue(most) {
    return this.#ask('overdue', this.#lease, most)
  }

  /** @param {string} id @returns {Promise<StoredRoom | undefined>} undefined: another process was faster */
  async claim(id) {
    const found = await this.#ask('claimBuffer', id, this.#lease, this.#owner)
    if (!found) return undefined
    const [epoch, owner, checkpoint, records, fault] = found
    const stored = { epoch: Number(epoch), owner: String(owner), checkpoint, records }
    return { ...stored, fault: String(fault) || undefined }
  }

  /**
   * Puts a room that nobody can go on with out of the way: three days long it is kept as `moreau:aside:<id>`, its records with `:log`, the reason
   * with `:reason` behind.
   * @param {string} id @param {number} epoch in which it was claimed @param {string} reason
   */
  async putAside(id, epoch, reason) {
    await this.#ask('putAside', id, this.#owner, epoch, reason)
  }

  /** After a refusal: finds out whether Redis takes again what it would refuse where it is full, read-only or without a disk. */
  async probe() {
    if (!this.#health.isRefused) return
    await this.#redis.set(`moreau:probe:${this.#owner}`, '1', 'PX', PROBE_LIFE)
    this.#health.recovered()
  }

  close() {
    this.#redis.disconnect()
  }
}

/**
 * A connection whose failures are told to one place.
 * @param {string} url
 * @param {StoreHealth} health
 */
export function connect(url, health) {
  const redis = connectRedis(url, (error) => health.disconnected(error))
  redis.on('ready', () => health.connected())
  return redis
}

/** The same bytes, as Redis' library wants them. @param {Uint8Array} bytes */
const bufferOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)

/** ms since 1970, without the jumps of a clock that is set */
const localTime = () => performance.timeOrigin + performance.now()
