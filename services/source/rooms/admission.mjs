import { RoomRefusal } from './host.mjs'
import { WINDOW } from './load.mjs'

/** @import { Limits } from './limits.mjs' */

/** Part of its time that a process is taken to need for a room that is too new to be measured, at least and at most: one of 50 bodies needs 0.002 to 0.005, and half as much again while it is made. */
const [LEAST_COST, MOST_COST] = [0.005, 0.01]

/** Decides whether a process takes another room: by its number of rooms, and by how busy it was in the last second and will be with the rooms it took since. */
export class Admission {
  #limits
  #rooms
  #load
  /** Rooms when the load was measured last, and taken since. */
  #measured = 0
  #taken = 0

  /**
   * @param {Pick<Limits, 'rooms' | 'busy'>} limits
   * @param {{ readonly size: number }} rooms
   * @param {{ readonly busy: number, onMeasured: () => void }} load
   */
  constructor(limits, rooms, load) {
    this.#limits = limits
    this.#rooms = rooms
    this.#load = load
    load.onMeasured = () => {
      this.#measured = rooms.size
      this.#taken = 0
    }
  }

  /** 0 to 1: how busy the process is, the rooms it has just taken counted as what the others cost. */
  get busy() {
    const { busy } = this.#load
    const share = busy / Math.max(1, this.#measured)
    return busy + this.#taken * Math.max(LEAST_COST, Math.min(MOST_COST, share))
  }

  /** @returns {RoomRefusal | undefined} why no room is taken now, if so */
  get refusal() {
    const { rooms: mostRooms, busy: mostBusy } = this.#limits
    const [rooms, busy] = [this.#rooms.size, this.busy]
    if (rooms < mostRooms && busy <= mostBusy) return undefined
    const why =
      rooms >= mostRooms
        ? `there are ${rooms} rooms, as many as this process takes`
        : `the process is busy: ${percent(busy)} of its time, and takes rooms up to ${percent(mostBusy)}`
    return new RoomRefusal('busy', why, {
      rooms,
      mostRooms,
      busy,
      mostBusy,
      retryAfter: WINDOW / 1000,
    })
  }

  /** A room was taken. */
  take() {
    this.#taken++
  }
}

/** @param {number} part */
const percent = (part) => `${(100 * part).toFixed(0)} %`
