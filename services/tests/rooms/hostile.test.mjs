/**
 * What clients must not do: each case is refused and counted, and the room goes on with its good player as if nothing had been.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '@colyseus/sdk'
import { startRedis } from '../../scripts/redis-server.mjs'
import {
  decodeWelcome,
  encodeInputs,
  encodeRequest,
  KIND,
  kindOf,
} from '../../source/netcode/protocol.mjs'
import { toHex } from '../../source/netcode/bytes.mjs'
import { REFUSAL } from '../../source/rooms/index.mjs'
import { joinBot, RoomProcess, until } from '../../scripts/rooms/processes.mjs'
import { randomFrom } from '../../scripts/rooms/random.mjs'

/** @import { Room } from '@colyseus/sdk' */

/** @type {Awaited<ReturnType<typeof startRedis>>} */
let redis
/** @type {RoomProcess} */
let server
/** @type {import('../../scripts/rooms/processes.mjs').Bot} */
let good
/** Two rooms, the second with a player whose token is stolen. @type {import('../../scripts/rooms/processes.mjs').Bot} */
let other

const LIMITS = { players: 4, bodies: 60, messagesPerSecond: 70, rooms: 3 }

before(async () => {
  redis = await startRedis()
  server = await RoomProcess.start(redis.url, { limits: LIMITS, logLevel: 'info' })
  good = await joinBot([server], randomFrom(1), { options: { stacks: 2, height: 3 }, isNew: true })
  other = await joinBot([server], randomFrom(2), { options: { stacks: 2, height: 3 }, isNew: true })
})

after(async () => {
  assert.equal(good.client.session.statistics.mismatches, 0)
  await Promise.all([good.leave(), other.leave()])
  await server.end()
  await redis.stop()
})

/** A client that can send whatever it likes. */
class Attacker {
  /** @type {ReturnType<typeof decodeWelcome> | undefined} */
  welcome
  code = 0

  /** @param {Room} room */
  constructor(room) {
    this.room = room
    room.reconnection.enabled = false
    room.onMessage(0, (/** @type {Uint8Array} */ bytes) => {
      if (kindOf(bytes) === KIND.welcome) this.welcome = decodeWelcome(bytes.slice())
    })
    room.onError(() => {})
    room.onLeave((code) => (this.code = code))
  }

  static async join() {
    const attacker = new Attacker(await new Client(server.endpoint).joinById(good.client.roomId))
    await until(() => attacker.welcome !== undefined)
    return attacker
  }

  /** @param {Partial<import('../../source/netcode/protocol.mjs').InputsMessage>} fields @param {number} [type] */
  inputs(fields, type = 0) {
    const { session = 0, received = 0, nextEvent = 0 } = this.welcome ?? {}
    const message = {
      session,
      probe: 1,
      rollbacks: 0,
      acknowledged: nextEvent,
      first: received,
      items: [],
    }
    this.room.sendBytes(type, encodeInputs({ ...message, ...fields }))
  }

  /** @param {number} ahead frames @returns {{ frame: number, input: Uint8Array }} */
  item(ahead) {
    return { frame: good.client.session.frame + ahead, input: Uint8Array.of(1, 2, 0) }
  }

  /** Writes to the socket itself. @param {Uint8Array} bytes */
  raw(bytes) {
    this.room.connection.send(bytes)
  }

  leave() {
    return this.code ? undefined : this.room.leave(true)
  }
}

/** The good player's hashes go on, and nothing of the attack is in its world. */
async function roomIsUnharmed() {
  const { statistics } = good.client.session
  const { matches, mismatches } = statistics
  await until(() => statistics.matches > matches)
  assert.equal(statistics.mismatches, mismatches)
}

/**
 * An attack after which the attacker is out, for a reason that is counted.
 * @param {string} name @param {keyof typeof REFUSAL} reason @param {(attacker: Attacker) => unknown} attack
 */
function isThrownOut(name, reason, attack) {
  test(`${name}: out, counted as ${reason}`, async () => {
    const attacker = await Attacker.join()
    const counted = await server.refused(reason)
    await attack(attacker)
    await until(() => attacker.code !== 0)
    if (reason !== 'oversized') assert.equal(attacker.code, REFUSAL[reason])
    await until(async () => (await server.refused(reason)) > counted)
    await roomIsUnharmed()
  })
}

describe('malformed', () => {
  isThrownOut('noise', 'malformed', ({ room }) => room.sendBytes(0, Uint8Array.of(0xde, 0xad)))
  isThrownOut('an empty message', 'malformed', ({ room }) => room.sendBytes(0, new Uint8Array(0)))
  isThrownOut('a message of the room to its clients', 'malformed', ({ room }) =>
    room.sendBytes(0, Uint8Array.of(0x12, 1, 2, 3)),
  )
  isThrownOut('a message of another version', 'malformed', ({ room }) =>
    room.sendBytes(0, Uint8Array.of(0x21)),
  )
  isThrownOut('a cut message', 'malformed', (attacker) => {
    const bytes = encodeInputs({
      session: 1,
      probe: 1,
      rollbacks: 0,
      acknowledged: 0,
      first: 0,
      items: [attacker.item(2)],
    })
    attacker.room.sendBytes(0, bytes.subarray(0, bytes.length - 1))
  })
  isThrownOut('another type of message', 'malformed', (attacker) => attacker.inputs({}, 7))
  isThrownOut('an object instead of bytes, with a prototype', 'malformed', ({ room }) =>
    room.send('join', { __proto__: { admin: true }, constructor: 'x' }),
  )
  isThrownOut('inputs that go back in time', 'malformed', (attacker) =>
    attacker.inputs({ items: [attacker.item(5), attacker.item(4)] }),
  )
  isThrownOut('the same frame twice', 'malformed', (attacker) =>
    attacker.inputs({ items: [attacker.item(5), attacker.item(5)] }),
  )
  isThrownOut('an input for next year', 'malformed', (attacker) =>
    attacker.inputs({ items: [attacker.item(600)] }),
  )
  isThrownOut('it acknowledges what nobody sent', 'malformed', (attacker) =>
    attacker.inputs({ acknowledged: 1_000_000 }),
  )

  test('noise below the level of messages: the process lives', async () => {
    const random = randomFrom(9)
    for (let i = 0; i < 20; i++) {
      const attacker = await Attacker.join()
      for (let k = 0; k < 30 && !attacker.code; k++) {
        attacker.raw(Uint8Array.from({ length: 1 + 40 * random() }, () => 256 * random()))
        if (k % 10 === 9) await delay(5)
      }
      await attacker.leave()
    }
    await roomIsUnharmed()
  })
})

describe('too much', () => {
  isThrownOut('a message of 100 kB', 'oversized', ({ room }) =>
    room.sendBytes(0, new Uint8Array(100_000)),
  )
  isThrownOut('a thousand messages', 'flood', (attacker) => {
    for (let i = 0; i < 1000; i++) attacker.inputs({})
  })

  test('it asks for the state fifty times: it gets it at the agreed rate, the rest is counted', async () => {
    const attacker = await Attacker.join()
    for (let i = 0; i < 50; i++) attacker.room.sendBytes(0, encodeRequest())
    await until(async () => (await server.refused('request')) >= 47)
    await roomIsUnharmed()
    await attacker.leave()
  })
})

describe('late and replayed', () => {
  test('a late input counts in the next frame, and is counted', async () => {
    const attacker = await Attacker.join()
    const counted = await server.refused('late')
    // Players are half a second ahead of the room at the most.
    attacker.inputs({ items: [attacker.item(-60)] })
    await until(async () => (await server.refused('late')) > counted)
    await roomIsUnharmed()
    await attacker.leave()
  })

  test('what was sent before counts once', async () => {
    const attacker = await Attacker.join()
    const counted = await server.refused('repeated')
    const items = [attacker.item(3)]
    const events = good.events.length
    for (let i = 0; i < 5; i++) attacker.inputs({ items })
    await until(async () => (await server.refused('repeated')) >= counted + 4)
    const { player } = /** @type {ReturnType<typeof decodeWelcome>} */ (attacker.welcome)
    await until(() =>
      good.events.slice(events).some((event) => event.player === player && event.kind === 0),
    )
    await delay(200)
    assert.equal(
      good.events.slice(events).filter((event) => event.player === player && event.kind === 0)
        .length,
      1,
    )
    await attacker.leave()
  })

  test('what belongs to an earlier welcome is passed over', async () => {
    const attacker = await Attacker.join()
    const counted = await server.refused('stale')
    attacker.inputs({ session: 77, items: [attacker.item(3)] })
    await until(async () => (await server.refused('stale')) > counted)
    await attacker.leave()
  })
})

describe('identity', () => {
  for (const [name, token] of /** @type {[string, unknown][]} */ ([
    ['a token that nobody has', '00'.repeat(16)],
    ['a token that is none', { $ne: null }],
    ['a player’s number', 0],
  ])) {
    test(`${name}: refused, counted as forged-token`, async () => {
      const counted = await server.refused('forged-token')
      await assert.rejects(new Client(server.endpoint).joinById(good.client.roomId, { token }))
      assert.equal(await server.refused('forged-token'), counted + 1)
      await roomIsUnharmed()
    })
  }

  test('a refusal is one line in the log, without a stack trace', async () => {
    const start = server.log.length
    const token = 'ff'.repeat(16)
    await assert.rejects(new Client(server.endpoint).joinById(good.client.roomId, { token }))
    await until(() => server.log.slice(start).includes('client refused'))
    await roomIsUnharmed()
    const lines = server.log.slice(start).trim().split('\n')
    assert.equal(lines.length, 1, lines.join('\n'))
    const { level, room, reason } = JSON.parse(lines[0])
    assert.deepEqual(
      { level, room, reason },
      { level: 30, room: good.client.roomId, reason: 'forged-token' },
    )
  })

  test('a token of another room: refused', async () => {
    const standing = other.client.token
    const token = toHex(standing)
    await assert.rejects(new Client(server.endpoint).joinById(good.client.roomId, { token }))
    await roomIsUnharmed()
  })

  test('forged room ids: refused, and no room comes of them', async () => {
    const client = new Client(server.endpoint)
    for (const id of [
      'nobody',
      '../../etc/passwd',
      '__proto__',
      'a'.repeat(5000),
      `${good.client.roomId}x`,
    ]) {
      await assert.rejects(client.joinById(id))
    }
    assert.equal((await server.ask('')).rooms, 2)
  })

  test('a socket without a seat, to a room that is there: refused', async () => {
    const socket = new WebSocket(
      `${server.endpoint.replace('http', 'ws')}/x/${good.client.roomId}?sessionId=abcdefghi`,
    )
    await new Promise((resolve) => (socket.onclose = resolve))
    await roomIsUnharmed()
  })

  test('a client steers its own ball only: there is no way to name another', async () => {
    const attacker = await Attacker.join()
    const events = good.events.length
    attacker.inputs({ items: [attacker.item(3)] })
    const { player } = /** @type {ReturnType<typeof decodeWelcome>} */ (attacker.welcome)
    assert.notEqual(player, good.client.session.player)
    await until(() => good.events.slice(events).some((event) => event.player === player))
    await attacker.leave()
  })
})

describe('coming and going', () => {
  test('who leaves with inputs ahead takes nothing from who comes next', async () => {
    const leaver = await Attacker.join()
    leaver.inputs({ items: [leaver.item(50)] })
    await leaver.leave()
    const next = await Attacker.join()
    const { player } = /** @type {ReturnType<typeof decodeWelcome>} */ (next.welcome)
    const { members } = good.client.session.simulation
    await delay(1500)
    assert.ok(good.client.session.simulation.members.has(player), [...members.keys()].join())
    await roomIsUnharmed()
    await next.leave()
  })
})

describe('limits', () => {
  test('a room that is full takes no more players', async () => {
    const crowd = []
    while (crowd.length < LIMITS.players - 1) crowd.push(await Attacker.join())
    await assert.rejects(Attacker.join())
    assert.ok((await server.refused('full')) >= 1)
    for (const attacker of crowd) await attacker.leave()
    await until(async () => (await server.ask(good.client.roomId)).room.players === 1)
    await roomIsUnharmed()
  })

  test('a room that was full takes a player at once when others have left with inputs ahead', async () => {
    const crowd = []
    while (crowd.length < LIMITS.players - 1) crowd.push(await Attacker.join())
    for (const attacker of crowd) attacker.inputs({ items: [attacker.item(50)] })
    await Promise.all(crowd.map((attacker) => attacker.leave()))
    await until(async () => (await server.ask(good.client.roomId)).room.players === 1)
    const next = await Attacker.join()
    await roomIsUnharmed()
    await next.leave()
  })

  for (const [name, wish, message] of /** @type {[string, any, RegExp][]} */ ([
    [
      'more bodies than a room may have',
      { scene: 'stacks', options: { stacks: 30, height: 3 } },
      /95 bodies; a room has 60/,
    ],
    [
      'options that are none',
      { scene: 'stacks', options: { stacks: '3); process.exit(' } },
      /stacks must be a whole number/,
    ],
    ['a scene that is not offered', { scene: 'import("node:fs")' }, /scene must be one of stacks/],
    [
      'a mode that there is not',
      { scene: 'stacks', options: { stacks: 1 }, mode: 'root' },
      /mode must be one of/,
    ],
    ['the takeover of a room', { takeover: 'x', scene: 'nothing' }, /scene must be/],
  ])) {
    test(`${name}: refused, and no room comes of it`, async () => {
      await assert.rejects(new Client(server.endpoint).create('moreau', wish), message)
      assert.equal((await server.ask('')).rooms, 2)
    })
  }

  test('a process takes no more rooms than it may', async () => {
    const wish = { scene: 'stacks', options: { stacks: 1 } }
    const third = await new Client(server.endpoint).create('moreau', wish)
    await assert.rejects(new Client(server.endpoint).create('moreau', wish), /there are 3 rooms/)
    assert.equal((await fetch(`${server.operations}/healthz`)).status, 503)
    await third.leave(true)
    await roomIsUnharmed()
  })
})
