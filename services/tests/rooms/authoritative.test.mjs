/**
 * An authoritative room in processes of its own, with a real Redis: its players predict, and go on where another process picks it up. And
 * a process that is busy takes no rooms.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from '@colyseus/sdk'
import { joinBot, PATIENT_TIMES, RoomProcess, until } from '../../scripts/rooms/processes.mjs'
import { randomFrom } from '../../scripts/rooms/random.mjs'
import { startRedis } from '../../scripts/redis-server.mjs'

/** @type {Awaited<ReturnType<typeof startRedis>>} */
let redis

before(async () => {
  redis = await startRedis()
})
after(() => redis.stop())

const OPTIONS = { stacks: 4, height: 3 }

test('players of an authoritative room have its states, also after its process was killed', async () => {
  const processes = [
    await RoomProcess.start(redis.url, { times: PATIENT_TIMES }),
    await RoomProcess.start(redis.url, { times: PATIENT_TIMES }),
  ]
  const random = randomFrom(21)
  const mode = /** @type {const} */ ('authoritative')
  const first = await joinBot(processes, random, { options: OPTIONS, isNew: true, mode })
  const { roomId } = first.client
  const bots = [first, await joinBot(processes, random, { roomId, mode })]
  const statistics = () => bots.map(({ client }) => client.session.statistics)
  try {
    await until(() => statistics().every(({ matches }) => matches >= 3))
    const isFirsts = (await processes[0].ask(roomId)).room !== undefined
    const [owner, heir] = isFirsts ? processes : [...processes].reverse()
    const earlier = bots.map(({ client }) => client.connection.reconnections)
    await owner.end('SIGKILL')
    await until(() => bots.every(({ client }, i) => client.connection.reconnections > earlier[i]))
    const matched = statistics().map(({ matches }) => matches)
    await until(() => statistics().every(({ matches }, i) => matches >= matched[i] + 3))
    for (const { mismatches } of statistics()) assert.equal(mismatches, 0)
    for (const { client } of bots) assert.equal(client.session.simulation.members.size, 2)
    // Who asks for any room of this mode still finds it.
    const third = await joinBot([heir], random, { mode })
    bots.push(third)
    assert.equal(third.client.roomId, roomId)
  } finally {
    await Promise.all(bots.map((bot) => bot.leave()))
    await Promise.all(processes.map((one) => one.end('SIGKILL')))
  }
})

test('a process that is busier than it may be refuses rooms, and says so by its health; those it has go on', async () => {
  const server = await RoomProcess.start(redis.url, { limits: { busy: 1e-6 } })
  try {
    await until(async () => (await fetch(`${server.operations}/healthz`)).status === 503)
    const wish = { scene: 'stacks', options: OPTIONS }
    await assert.rejects(
      new Client(server.endpoint).create('moreau', wish),
      /the process is busy: \d+ %/,
    )
    assert.equal(await server.refused('busy'), 1)
  } finally {
    await server.end('SIGKILL')
  }
})
