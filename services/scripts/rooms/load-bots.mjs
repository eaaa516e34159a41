/**
 * Bots in a process of their own: node load-bots.mjs <endpoint> <number of the process>. Told how many to add, it makes as many rooms with a bot
 * each, and tells what they got. The bots simulate nothing: they send inputs, acknowledge, and count.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '@colyseus/sdk'
import {
  decodeEvents,
  decodeWelcome,
  encodeInputs,
  KIND,
  kindOf,
} from '../../source/netcode/protocol.mjs'
import { inputOf, stacks } from '../../source/scenes/stacks.mjs'
import { randomFrom } from './random.mjs'

const [endpoint, seed] = process.argv.slice(2)
const random = randomFrom(Number(seed))
/** Rooms of 50 bodies: 44 boxes, four walls, the ground, a ball. */
const OPTIONS = { stacks: 11, height: 4 }
/** ms from one room to the next: what it takes to make rooms is not what they take */
const APART = 50
/** Changes of mind per second, and frames that an input is ahead of what came last. */
const [CHANGES, AHEAD] = [3, 6]
const totals = {
  bots: 0,
  refused: 0,
  lost: 0,
  received: 0,
  sent: 0,
  reasons: /** @type {string[]} */ ([]),
}

class Bot {
  #room
  #session = 0
  #first = 0
  #next = 0
  #now = 0
  #probe = 0
  #lastFrame = 0
  #isWelcome = false

  /** @param {import('@colyseus/sdk').Room} room */
  constructor(room) {
    this.#room = room
    room.reconnection.enabled = false
    room.onMessage(0, (/** @type {Uint8Array} */ bytes) => this.#receive(bytes))
    room.onError(() => {})
    const timer = setInterval(() => this.#play(), 1000 / CHANGES + 40 * random())
    room.onLeave(() => {
      clearInterval(timer)
      totals.bots--
      totals.lost++
    })
  }

  /** @param {Uint8Array} bytes */
  #receive(bytes) {
    totals.received += bytes.length
    if (kindOf(bytes) === KIND.welcome) return this.#begin(decodeWelcome(bytes))
    const { now, first, items, received } = decodeEvents(bytes, stacks.inputBytes)
    this.#now = now
    this.#first = Math.max(this.#first, received)
    this.#next = Math.max(this.#next, first + items.length)
  }

  /** @param {import('../../source/netcode/protocol.mjs').WelcomeMessage} welcome */
  #begin({ session, received, nextEvent, frame }) {
    this.#session = session
    this.#first = received
    this.#next = nextEvent
    this.#now = frame
    this.#isWelcome = true
  }

  #play() {
    if (!this.#isWelcome) return
    const frame = Math.max(this.#now + AHEAD, this.#lastFrame + 1)
    this.#lastFrame = frame
    const bytes = encodeInputs({
      ...{ session: this.#session, probe: this.#probe++ & 0xffff, rollbacks: 0 },
      ...{ acknowledged: this.#next, first: this.#first },
      items: [{ frame, input: inputOf(2 * random() - 1, 2 * random() - 1) }],
    })
    totals.sent += bytes.length
    this.#room.sendBytes(0, bytes)
  }
}

/** @param {number} count */
async function add(count) {
  for (let i = 0; i < count; i++) {
    await delay(APART)
    try {
      const room = await new Client(endpoint).create('moreau', {
        scene: 'stacks',
        options: OPTIONS,
      })
      new Bot(room)
      totals.bots++
    } catch (error) {
      totals.refused++
      totals.reasons = [...new Set([...totals.reasons, String(error).replace(/\d+/g, 'n')])]
    }
  }
}

process.on('message', async (/** @type {{ add: number }} */ message) => {
  await add(message.add)
  process.send?.({ ...totals })
})
process.send?.('ready')
