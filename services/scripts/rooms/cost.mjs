/**
 * What a room of 50 bodies takes of a processor, without sockets and Redis: rooms with a clock that is set by hand, so that the load of the
 * machine does not matter.
 */
import { init } from 'moreau'
import { FRAME_RATE, FRAME_TIME } from '../../source/netcode/events.mjs'
import {
  decodeEvents,
  decodeWelcome,
  encodeInputs,
  KIND,
  kindOf,
} from '../../source/netcode/protocol.mjs'
import { LIMITS } from '../../source/rooms/limits.mjs'
import { beginRoom } from '../../source/rooms/pick-up.mjs'
import { Seat } from '../../source/rooms/seat.mjs'
import { inputOf, stacks } from '../../source/scenes/stacks.mjs'
import { randomFrom } from './random.mjs'
import { makeStillHost } from './still-host.mjs'

const WISH = { scene: 'stacks', options: { stacks: 11, height: 4 } }
const [CHANGES, AHEAD] = [3, 2]

/** @typedef {{ rooms: number, cpu: number, memory: number, down: number, up: number }} CostRow part of a core and kB per room, bytes per second */

const clock = { time: 0 }

/** A room with a player who changes their mind three times a second. */
class Played {
  down = 0
  up = 0
  #first = 0
  #next = 0
  #session = 0
  #lastFrame = 0

  /** @param {import('../../source/rooms/live-room.mjs').LiveRoom} room */
  constructor(room) {
    this.room = room
    this.seat = new Seat(
      LIMITS,
      (bytes) => this.#receive(bytes),
      (_, message) => {
        throw new Error(message)
      },
    )
    room.enter(this.seat, {})
  }

  /** @param {Uint8Array} bytes */
  #receive(bytes) {
    this.down += bytes.length
    if (kindOf(bytes) === KIND.welcome) {
      const { session, received, nextEvent } = decodeWelcome(bytes)
      this.#session = session
      this.#first = received
      this.#next = nextEvent
      return
    }
    const { first, items, received } = decodeEvents(bytes, stacks.inputBytes)
    this.#first = received
    this.#next = Math.max(this.#next, first + items.length)
  }

  /** @param {() => number} random */
  play(random) {
    this.room.tick(clock.time)
    if (this.#session === 0 || random() > CHANGES / FRAME_RATE) return
    const frame = Math.max(this.#lastFrame + 1, this.room.authority.frame + AHEAD)
    this.#lastFrame = frame
    const bytes = encodeInputs({
      ...{
        session: this.#session,
        probe: 0,
        rollbacks: 0,
        acknowledged: this.#next,
        first: this.#first,
      },
      items: [{ frame, input: inputOf(2 * random() - 1, 2 * random() - 1) }],
    })
    this.up += bytes.length
    this.room.receive(this.seat, bytes)
  }
}

/** @param {number} seconds of each number of rooms @returns {Promise<CostRow[]>} */
export async function measureCost(seconds) {
  await init()
  const [host, random] = [makeStillHost(clock, { limits: { busy: Infinity } }), randomFrom(1)]
  const played = /** @type {Played[]} */ ([])
  const empty = process.memoryUsage.rss()
  const rows = []
  for (const rooms of [1, 50, 100, 200]) {
    while (played.length < rooms)
      played.push(new Played(await beginRoom(host, String(played.length), WISH)))
    await run(played, 1, random)
    rows.push({
      rooms,
      ...(await measure(played, seconds, random)),
      memory: (process.memoryUsage.rss() - empty) / 1000 / rooms,
    })
  }
  return rows
}

/** @param {Played[]} played @param {number} seconds @param {() => number} random */
async function measure(played, seconds, random) {
  const before = { cpu: process.cpuUsage(), down: sum(played, 'down'), up: sum(played, 'up') }
  await run(played, seconds, random)
  const { user, system } = process.cpuUsage(before.cpu)
  const each = 1 / (seconds * played.length)
  return {
    cpu: ((user + system) / 1e6) * each,
    down: (sum(played, 'down') - before.down) * each,
    up: (sum(played, 'up') - before.up) * each,
  }
}

/** @param {Played[]} played @param {'down' | 'up'} name */
const sum = (played, name) => played.reduce((total, one) => total + one[name], 0)

/** @param {Played[]} played @param {number} seconds @param {() => number} random */
async function run(played, seconds, random) {
  for (let frame = 0; frame < seconds * FRAME_RATE; frame++) {
    clock.time += FRAME_TIME
    for (const one of played) one.play(random)
    // Welcomes are compressed elsewhere.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
