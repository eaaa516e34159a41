/**
 * A room that another process goes on with, by a clock that is set by hand: it waits until its players have told all that they did meanwhile.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { init } from 'moreau'
import { FRAME_TIME } from '../../source/netcode/events.mjs'
import {
  decodeWelcome,
  encodeInputs,
  KIND,
  kindOf,
  MOST_ITEMS,
} from '../../source/netcode/protocol.mjs'
import { TIMES } from '../../source/rooms/host.mjs'
import { LIMITS } from '../../source/rooms/limits.mjs'
import { beginRoom, pickUpRoom } from '../../source/rooms/pick-up.mjs'
import { Seat } from '../../source/rooms/seat.mjs'
import { inputOf } from '../../source/scenes/stacks.mjs'
import { toHex } from '../../source/netcode/bytes.mjs'
import { makeStillHost } from '../../scripts/rooms/still-host.mjs'

before(() => init())

const WISH = { scene: 'stacks', options: { stacks: 1, height: 2 } }
const START = 60

/** @typedef {import('../../source/rooms/live-room.mjs').LiveRoom} LiveRoom */

/** A client that keeps the room's welcomes. */
class Client {
  /** @type {ReturnType<typeof decodeWelcome>[]} */
  welcomes = []
  /** @type {string[]} */
  kicks = []
  seat = new Seat(
    LIMITS,
    (bytes) => void (kindOf(bytes) === KIND.welcome && this.welcomes.push(decodeWelcome(bytes))),
    (reason) => void this.kicks.push(reason),
  )

  /** @param {LiveRoom} room @param {number} first @param {number} session @param {number[]} frames of inputs */
  send(room, first, session, frames) {
    const items = frames.map((frame) => ({ frame, input: inputOf(Math.sin(frame), 0) }))
    const { nextEvent } = this.welcomes[0]
    const head = { session, probe: 0, rollbacks: 0, acknowledged: nextEvent, first }
    room.receive(this.seat, encodeInputs({ ...head, items }))
  }
}

/** @param {{ time: number }} clock @param {LiveRoom} room @param {number} frames */
async function run(clock, room, frames) {
  for (let i = 0; i < frames; i++) {
    clock.time += FRAME_TIME
    room.tick(clock.time)
    // Welcomes are compressed elsewhere.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A room whose process ended after a second, picked up by another half a second later. */
async function pickedUp() {
  const clock = { time: 1000 }
  const room = await beginRoom(makeStillHost(clock), 'room', WISH)
  const client = new Client()
  room.enter(client.seat, {})
  await run(clock, room, START)
  while (client.welcomes.length === 0) await run(clock, room, 1)
  const stored = { epoch: 2, owner: 'gone', checkpoint: room.journal.encode(), records: [] }
  room.close()
  clock.time += 500
  const heir = pickUpRoom(makeStillHost(clock), { id: 'room', stored })
  const again = new Client()
  again.welcomes = client.welcomes
  return { clock, heir, client: again, token: toHex(client.welcomes[0].token) }
}

test('it waits for its player, also after a message that was meant for the process that is gone', async () => {
  const { clock, heir, client, token } = await pickedUp()
  const { frame } = heir.authority
  const { session, received, nextEvent } = client.welcomes[0]
  heir.enter(client.seat, { token, nextEvent })
  client.send(heir, received, session, [])
  await run(clock, heir, 10)
  assert.equal(heir.authority.frame, frame, 'it has not gone on')
  client.send(heir, received, client.welcomes[1].session, [frame + 5])
  await run(clock, heir, 10)
  assert.ok(heir.authority.frame > frame + 40, `${heir.authority.frame - frame} frames`)
  const inputs = heir.authority.eventsFrom(0).filter(({ kind }) => kind === 0)
  assert.deepEqual(
    inputs.map((event) => event.frame),
    [frame + 5],
  )
  assert.deepEqual(client.kicks, [])
  heir.close()
})

test('more inputs than one message holds all count when they were made', async () => {
  const { clock, heir, client, token } = await pickedUp()
  const { frame } = heir.authority
  const { received, nextEvent } = client.welcomes[0]
  heir.enter(client.seat, { token, nextEvent })
  const { session } = client.welcomes[1]
  const frames = Array.from({ length: MOST_ITEMS + 20 }, (_, i) => frame + i)
  client.send(heir, received, session, frames.slice(0, MOST_ITEMS))
  await run(clock, heir, 3)
  assert.equal(heir.authority.frame, frame, 'it has not gone on')
  client.send(heir, received + MOST_ITEMS, session, frames.slice(MOST_ITEMS))
  await run(clock, heir, 10)
  const inputs = heir.authority.eventsFrom(0).filter(({ kind }) => kind === 0)
  assert.deepEqual(
    inputs.map((event) => event.frame),
    frames,
  )
  heir.close()
})

test('it waits no longer than it may for a player who does not come', async () => {
  const { clock, heir } = await pickedUp()
  const { frame } = heir.authority
  await run(clock, heir, Math.floor(TIMES.grace / FRAME_TIME) - 1)
  assert.equal(heir.authority.frame, frame)
  await run(clock, heir, 20)
  assert.ok(heir.authority.frame > frame)
  heir.close()
})
