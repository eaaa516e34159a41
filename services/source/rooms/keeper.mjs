import { randomUUID } from 'node:crypto'
import { matchMaker } from '@colyseus/core'
import { messageOf } from '../operations/error-text.mjs'
import { RareLog } from '../operations/index.mjs'
import { goOnWith, openStored, RoomFault } from './pick-up.mjs'
import { inSlices } from './slices.mjs'

/** @import { Host } from './host.mjs' */
/** @import { OpenedRoom } from './pick-up.mjs' */
/** @import { RoomStore, Standing, StoredRoom } from './store.mjs' */

/** Rooms that are claimed at once: most of what is bad is found out at first sight, and then the way to the next is short. */
const BATCH = 32
/** Days for which the store keeps what was put aside (`KEPT` in store/common.lua). */
const DAYS_ASIDE = 3
/** ms from one look at Colyseus' lists to the next */
const LOOK = 1000

/**
 * Keeps the leases of a process's rooms, and takes rooms whose process has not kept theirs.
 */
export class Keeper {
  #host
  #store
  #roomName
  #rareLog
  /** @type {NodeJS.Timeout[]} */
  #timers = []

  /** @param {Host} host @param {RoomStore} store @param {string} roomName as Colyseus knows it */
  constructor(host, store, roomName) {
    this.#host = host
    this.#store = store
    this.#roomName = roomName
    this.#rareLog = new RareLog(host.log)
  }

  begin() {
    const { renew, scan } = this.#host.times
    this.#timers = [
      this.#repeat(() => this.#renew(), renew),
      this.#repeat(() => this.#takeOverdue(), scan),
      this.#repeat(() => this.#checkLists(), LOOK),
    ]
  }

  /** A Redis that is silent is not asked again and again. @param {() => Promise<void>} work @param {number} every ms */
  #repeat(work, every) {
    let isAtWork = false
    return setInterval(async () => {
      if (isAtWork) return
      isAtWork = true
      await this.#try(work)
      isAtWork = false
    }, every)
  }

  end() {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** What fails in the store the store has told. @param {() => Promise<void>} work */
  async #try(work) {
    try {
      await work()
    } catch (error) {
      const { name } = /** @type {Error} */ (error)
      const reason = messageOf(error)
      this.#rareLog.warn(`keeper ${name}`, { reason }, 'rooms were not looked after')
    }
  }

  async #renew() {
    const { rooms, claimed } = this.#host
    const own = [...rooms].map(([id, { journal }]) => /** @type {const} */ ([id, journal.epoch]))
    const standings = await this.#store.renew(new Map([...claimed, ...own]))
    for (const [id, standing] of standings) this.#note(id, standing)
    if (!this.#store.health.isRefused) return
    await this.#store.probe()
    for (const id of rooms.keys()) this.#list(id)
    void matchMaker.stats.persist(true)
  }

  /** @param {string} id @param {Standing} standing */
  #note(id, standing) {
    const { rooms, claimed } = this.#host
    if (standing === 'lost') {
      claimed.delete(id)
      rooms.get(id)?.onLost()
    }
    if (standing === 'gone') rooms.get(id)?.journal.rewrite()
  }

  /** Colyseus' lists of rooms and processes are keys of their own, which Redis can lose alone: what they lack of this process is entered again. */
  async #checkLists() {
    const { driver, processId, stats } = matchMaker
    const ids = [...this.#host.rooms.keys()]
    const listed = await driver.findByIds(ids)
    for (const id of ids) if (!listed.has(id)) this.#list(id)
    const processes = await stats.fetchAll()
    if (!processes.some((one) => one.processId === processId)) void stats.persist(true)
  }

  /** Enters a room into Colyseus' list, again. @param {string} id */
  #list(id) {
    const listing = Object(matchMaker.getLocalRoomById(id))._listing
    if (listing) void matchMaker.driver.persist(listing)
  }

  async #takeOverdue() {
    const { rooms, claimed } = this.#host
    const seen = new Set()
    for (;;) {
      const overdue = await this.#store.overdue(BATCH)
      const ids = overdue.filter((id) => !seen.has(id) && !rooms.has(id) && !claimed.has(id))
      if (ids.length === 0) return
      for (const id of ids) seen.add(id)
      const stored = await Promise.all(ids.map((id) => this.#claim(id)))
      const opened = await Promise.all(stored.map((one) => one && this.#open(one.id, one.stored)))
      for (const one of opened) if (one) await this.#take(one)
    }
  }

  /** @param {string} id @returns {Promise<{ id: string, stored: StoredRoom } | undefined>} */
  async #claim(id) {
    let stored
    await this.#try(async () => void (stored = await this.#store.claim(id)))
    if (!stored) return undefined
    this.#host.claimed.set(id, Object(stored).epoch)
    return { id, stored }
  }

  /** @param {string} id @param {StoredRoom} stored @returns {Promise<OpenedRoom | undefined>} undefined: it was put aside */
  async #open(id, stored) {
    try {
      return openStored(this.#host, id, stored)
    } catch (error) {
      await this.#putAside(id, stored.epoch, error)
      return undefined
    }
  }

  /** @param {OpenedRoom} opened */
  async #take(opened) {
    const { id, stored } = opened
    const { claimed, log, takeovers } = this.#host
    let room
    try {
      room = await inSlices(goOnWith(this.#host, opened))
    } catch (error) {
      await this.#putAside(id, stored.epoch, error)
      return
    }
    const word = randomUUID()
    try {
      if (!claimed.has(id)) throw new Error('another process was faster')
      takeovers.set(word, room)
      // The entry of the process that is gone would count as a room of this name.
      await matchMaker.driver.remove(id)
      await matchMaker.handleCreateRoom(this.#roomName, { takeover: word })
      const { owner, records } = stored
      log.info({ room: id, from: owner, records: records.length }, 'room picked up')
    } catch (error) {
      // The lease ends by itself, and the room is taken again.
      room.close()
      const reason = messageOf(error)
      this.#rareLog.warn('not picked up', { room: id, reason }, 'room was not picked up')
    } finally {
      takeovers.delete(word)
      claimed.delete(id)
    }
  }

  /** What nobody can go on with is put where it does not come up again. @param {string} id @param {number} epoch @param {unknown} error */
  async #putAside(id, epoch, error) {
    const { claimed, log, metrics } = this.#host
    claimed.delete(id)
    const { kind, message } = RoomFault.of(error)
    const fields = { room: id, kind, reason: message }
    // What is not the room's fault, as a process without memory, is tried again, here or elsewhere, once the lease is over.
    if (kind === 'process')
      return this.#rareLog.warn('not picked up', fields, 'room was not picked up')
    await this.#try(async () => {
      await this.#store.putAside(id, epoch, `${kind}: ${message}`)
      metrics.putAside.inc({ kind })
      const place = { keptAs: `moreau:aside:${id}`, days: DAYS_ASIDE }
      log.warn({ ...fields, ...place }, 'room put aside: nobody can go on with it')
      await matchMaker.driver.remove(id)
    })
  }
}
