import { randomUUID } from 'node:crypto'
import { matchMaker } from '@colyseus/core'

/** @import { Host } from './host.mjs' */
/** @import { RoomStore } from './store.mjs' */

/**
 * Keeps the leases of a process's rooms, and takes rooms whose process has not kept theirs.
 */
export class Keeper {
  #host
  #store
  #roomName
  /** @type {NodeJS.Timeout[]} */
  #timers = []
  #isScanning = false

  /** @param {Host} host @param {RoomStore} store @param {string} roomName as Colyseus knows it */
  constructor(host, store, roomName) {
    this.#host = host
    this.#store = store
    this.#roomName = roomName
  }

  begin() {
    const { renew, scan } = this.#host.times
    this.#timers = [
      setInterval(() => void this.#try(() => this.#renew()), renew),
      setInterval(() => void this.#try(() => this.#scan()), scan),
    ]
  }

  end() {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** @param {() => Promise<void>} work */
  async #try(work) {
    try {
      await work()
    } catch (error) {
      this.#host.log.error({ err: error }, 'leases')
    }
  }

  async #renew() {
    const { rooms } = this.#host
    const epochs = new Map([...rooms].map(([id, { journal }]) => [id, journal.epoch]))
    for (const id of await this.#store.renew(epochs)) rooms.get(id)?.onLost()
  }

  async #scan() {
    if (this.#isScanning) return
    this.#isScanning = true
    try {
      for (const id of await this.#store.overdue()) await this.#take(id)
    } finally {
      this.#isScanning = false
    }
  }

  /** @param {string} id */
  async #take(id) {
    if (this.#host.rooms.has(id)) return
    const stored = await this.#store.claim(id)
    if (!stored) return
    const { log, takeovers } = this.#host
    const word = randomUUID()
    takeovers.set(word, { id, stored })
    // The entry of the process that is gone would count as a room of this name.
    await matchMaker.driver.remove(id)
    await matchMaker.handleCreateRoom(this.#roomName, { takeover: word })
    log.info({ room: id, from: stored.owner, records: stored.records.length }, 'room picked up')
  }
}
