import { setTimeout as delay } from 'node:timers/promises'
import { RoomRefusal } from './host.mjs'
import { WINDOW } from './load.mjs'

/** @import { Limits } from './limits.mjs' */

/** Part of its time that a process is taken to need for a room that is too new to be measured, at least and at most: one of 50 bodies needs 0.002 to 0.005, and more on a machine with other work. */
const [LEAST_COST, MOST_COST] = [0.005, 0.01]
/** Seconds of which the least busy one counts: what other programs do for a second, or a burst of players who come, is over before a room is. */
const SAMPLES = 3
/** Part of its time that a process makes rooms at the most, so that a burst of wishes keeps no room that runs from its frames. */
const MAKING_SHARE = 0.1
/** ms that a wish waits for its turn at the most: Colyseus gives up after 2000. */
const PATIENCE = 1200
/** ms that the making of a room takes, about that of the largest, until one was made, and part by which what was measured changes that */
const [USUAL_MAKING, NEWS] = [4, 0.3]

/** What `Load` tells. @typedef {{ readonly busy: number, onMeasured: () => void, leaveOut: (ms: number) => void }} Measured */

/** How busy a second was that ended at a time, in ms, and with how many rooms. @typedef {{ busy: number, rooms: number, end: number }} Sample */

/**
 * Decides whether a process takes another room: by its number of rooms, and by how busy it was in the last seconds and will be with the rooms it
 * took since. The making of rooms is not in that, as it is over soon; it has a share of the time of its own, and wishes wait for their turn.
 */
export class Admission {
  #limits
  #rooms
  #load
  #now
  /** Newest last. @type {Sample[]} */
  #samples = [{ busy: 0, rooms: 0, end: -Infinity }]
  /** Rooms that not all samples have in them: ms when they were taken, and what they cost if that was measured. @type {{ at: number, cost?: number }[]} */
  #fresh = []
  /** Rooms that are being made. */
  #coming = 0
  #making = USUAL_MAKING
  /** ms: the next turn */
  #next = 0

  /**
   * @param {Pick<Limits, 'rooms' | 'busy'>} limits
   * @param {{ readonly size: number }} rooms
   * @param {Measured} load
   * @param {() => number} [now] ms
   */
  constructor(limits, rooms, load, now = () => performance.now()) {
    this.#limits = limits
    this.#rooms = rooms
    this.#load = load
    this.#now = now
    load.onMeasured = () => this.#measure()
  }

  #measure() {
    const sample = { busy: this.#load.busy, rooms: this.#rooms.size, end: this.#now() }
    this.#samples = [...this.#samples, sample].slice(-SAMPLES)
    const [{ end }] = this.#samples
    this.#fresh = this.#fresh.filter(({ at }) => at > end - WINDOW)
  }

  /** 0 to 1: how busy the process is, the rooms it has just taken counted as what the others cost. */
  get busy() {
    return Math.min(...this.#samples.map((sample) => this.#estimate(sample)))
  }

  /** What a second says of now, with the rooms that were not there in it, or only for a part. @param {Sample} sample */
  #estimate({ busy, rooms, end }) {
    const usual = Math.max(LEAST_COST, Math.min(MOST_COST, busy / Math.max(1, rooms)))
    const missing = this.#fresh.map(
      ({ at, cost = usual }) => cost * Math.max(0, Math.min(1, 1 - (end - at) / WINDOW)),
    )
    return busy + missing.reduce((sum, part) => sum + part, 0)
  }

  /** @returns {RoomRefusal | undefined} why no room is taken now, if so */
  get refusal() {
    const { rooms: mostRooms, busy: mostBusy } = this.#limits
    const [rooms, busy] = [this.#rooms.size + this.#coming, this.busy]
    if (rooms >= mostRooms)
      return this.#refuse(`there are ${rooms} rooms, as many as this process takes`)
    if (busy <= mostBusy) return undefined
    return this.#refuse(
      `the process is busy: ${percent(busy)} of its time, and takes rooms up to ${percent(mostBusy)}`,
    )
  }

  /** @param {string} why */
  #refuse(why) {
    const { rooms: mostRooms, busy: mostBusy } = this.#limits
    const [rooms, { busy }] = [this.#rooms.size, this]
    const numbers = { rooms, mostRooms, busy, mostBusy, retryAfter: WINDOW / 1000 }
    return new RoomRefusal('busy', why, numbers)
  }

  /**
   * Makes a room when it is its turn.
   *
   * @template Made, Room
   * @template {{ cost: number }} Prepared
   * @param {(prepared: Prepared | undefined) => Made} make takes all the time of the process while it works
   * @param {(made: Made) => Promise<Room>} finish does not
   * @param {() => Promise<Prepared>} [prepare] does not, and comes first: it tells what part of the time of a process the room will take
   * @returns {Promise<Room>}
   * @throws {RoomRefusal}
   */
  async take(make, finish, prepare) {
    const { refusal } = this
    if (refusal) throw refusal
    // A place is kept from here on: of many wishes at once no more are taken than there are rooms.
    const begun = { at: this.#now() }
    this.#coming++
    this.#fresh.push(begun)
    try {
      const prepared = await prepare?.()
      if (prepared) this.#know(begun, prepared.cost)
      await this.#turn()
      return await finish(this.#measureMaking(() => make(prepared)))
    } catch (error) {
      const kept = this.#fresh.indexOf(begun)
      if (kept >= 0) this.#fresh.splice(kept, 1)
      throw error
    } finally {
      this.#coming--
    }
  }

  /** What a room costs is known before it is made. @param {{ at: number, cost?: number }} fresh @param {number} cost @throws {RoomRefusal} */
  #know(fresh, cost) {
    // It is made from now on: until here it took nothing.
    Object.assign(fresh, { at: this.#now(), cost: Math.max(LEAST_COST, cost) })
    const { busy } = this
    const { busy: mostBusy } = this.#limits
    if (busy <= mostBusy) return
    throw this.#refuse(
      `with this room, which takes ${percent(cost)}, the process would be busy for ${percent(busy)} of its time, and takes rooms up to ${percent(mostBusy)}`,
    )
  }

  async #turn() {
    const wait = Math.max(0, this.#next - this.#now())
    if (wait > PATIENCE)
      throw this.#refuse(`the process is busy with ${this.#coming} rooms that are being made`)
    this.#next = this.#now() + wait + this.#making / MAKING_SHARE
    if (wait > 0) await delay(wait)
  }

  /** @template Room @param {() => Room} make @returns {Room} */
  #measureMaking(make) {
    const start = performance.now()
    try {
      return make()
    } finally {
      const taken = performance.now() - start
      this.#making += NEWS * (taken - this.#making)
      this.#load.leaveOut(taken)
    }
  }
}

/** @param {number} part */
const percent = (part) => `${(100 * part).toFixed(0)} %`
