/**
 * The wire: what is encoded comes out again, and whatever is cut, too long, of another version or mere noise is refused by name.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MalformedMessage } from '../../source/netcode/bytes.mjs'
import { EVENT, NO_INPUT } from '../../source/netcode/events.mjs'
import * as protocol from '../../source/netcode/protocol.mjs'
import { randomFrom } from '../../scripts/rooms/random.mjs'

const INPUT_BYTES = 3
const input = (/** @type {number[]} */ ...bytes) => Uint8Array.from(bytes)

const INPUTS = {
  ...{ session: 200, probe: 65535, rollbacks: 3, acknowledged: 300, first: 2 ** 32 - 1 },
  items: [
    { frame: 100_000, input: input(1, 2, 3) },
    { frame: 100_001, input: input(255, 0, 1) },
  ],
}
const HEAD = { now: 100_000, echo: 7, hold: 12, received: 129 }
const HASH = { frame: 99_960, hash: '00ff12345678abcd' }
const EVENTS = {
  ...{ ...HEAD, final: 99_990, first: 12, hash: HASH },
  items: [
    { frame: 99_999, player: 3, kind: EVENT.input, input: input(9, 8, 7) },
    { frame: 100_020, player: 15, kind: EVENT.join, input: NO_INPUT },
    { frame: 99_000, player: 0, kind: EVENT.leave, input: NO_INPUT },
  ],
}
const WELCOME = {
  ...{ frame: 4_000_000_000, player: 7, session: 2, token: new Uint8Array(16).fill(5) },
  ...{ received: 12, nextEvent: 77, user: '[[7,12,"000000"]]', world: input(1, 2, 3, 4) },
}
const STATES = { ...HEAD, packet: 500, baseline: 480, hash: HASH, changes: input(4, 5, 6) }

/** @type {[string, Uint8Array, (bytes: Uint8Array) => unknown, unknown][]} */
const CASES = [
  ['inputs', protocol.encodeInputs(INPUTS), (b) => protocol.decodeInputs(b, INPUT_BYTES), INPUTS],
  ['events', protocol.encodeEvents(EVENTS), (b) => protocol.decodeEvents(b, INPUT_BYTES), EVENTS],
  ['welcome', protocol.encodeWelcome(WELCOME), protocol.decodeWelcome, WELCOME],
  ['states', protocol.encodeStates(STATES), protocol.decodeStates, STATES],
]
/** Kinds that end with bytes of any number: a cut there is seen by what reads these. */
const OPEN_ENDED = ['welcome', 'states']

for (const [name, bytes, decode, message] of CASES) {
  test(`${name} come out as they went in`, () => assert.deepEqual(decode(bytes), message))

  test(`${name} that are cut, longer, or of another version are malformed`, () => {
    for (let length = 0; length < bytes.length; length++) {
      if (OPEN_ENDED.includes(name) && length >= bytes.length - 4) continue
      assert.throws(() => decode(bytes.subarray(0, length)), MalformedMessage, `${length} bytes`)
    }
    const other = bytes.slice()
    other[0] ^= 0x30
    assert.throws(() => decode(other), /version/)
    const longer = Uint8Array.of(...bytes, 0)
    if (!OPEN_ENDED.includes(name)) assert.throws(() => decode(longer), /1 bytes are left over/)
  })

  test(`noise is malformed ${name} or well-formed ones, never anything else`, () => {
    const random = randomFrom(11)
    for (let i = 0; i < 20_000; i++) {
      const noise = Uint8Array.from({ length: 1 + 60 * random() }, () => 256 * random())
      if (i % 2 === 0) noise.set(bytes.subarray(0, Math.floor(noise.length * random())))
      noise[0] = bytes[0]
      try {
        decode(noise)
      } catch (error) {
        assert.ok(error instanceof MalformedMessage, String(error))
      }
    }
  })
}

test('more inputs than a packet has are malformed', () => {
  const items = Array.from({ length: protocol.MOST_ITEMS + 1 }, (_, i) => ({
    frame: i,
    input: input(0, 0, 0),
  }))
  const bytes = protocol.encodeInputs({ ...INPUTS, items })
  assert.throws(() => protocol.decodeInputs(bytes, INPUT_BYTES), /65 items/)
})

test('what a client sends at the most is within the limit of a message', () => {
  const items = Array.from({ length: protocol.MOST_ITEMS }, (_, i) => ({
    frame: i * 2 ** 25,
    input: new Uint8Array(protocol.MOST_INPUT_BYTES),
  }))
  assert.ok(protocol.encodeInputs({ ...INPUTS, items }).length <= protocol.MOST_CLIENT_BYTES)
})
