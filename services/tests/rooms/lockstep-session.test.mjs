/**
 * Clients and a room without sockets: the network between them is made here, with delay, loss, repetition and another order.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { init } from 'moreau'
import { LockstepSession } from '../../source/client/index.mjs'
import { inputOf } from '../../source/scenes/stacks.mjs'
import { run, Table } from './table.mjs'

before(() => init())

const NETWORKS = {
  'a perfect network': { delay: 0, jitter: 0, loss: 0, repeat: 0 },
  '100 ms each way': { delay: 100, jitter: 0, loss: 0, repeat: 0 },
  '100 ms each way, 40 ms of jitter with another order, a tenth lost, a tenth twice': {
    ...{ delay: 100, jitter: 40, loss: 0.1, repeat: 0.1 },
  },
}

for (const [name, network] of Object.entries(NETWORKS)) {
  test(`three players have the room's hashes over ${name}`, () => {
    const table = new Table(LockstepSession, network)
    for (let player = 0; player < 3; player++) table.join(player)
    run(table, 1800)
    for (const { statistics } of table.sessions) {
      assert.equal(statistics.mismatches, 0)
      const least = network.loss > 0 ? 20 : 26
      assert.ok(statistics.matches >= least, `${statistics.matches} hashes in 30 s`)
      assert.ok(statistics.rollbacks > 0)
    }
    table.free()
  })
}

test('while nobody does anything, one packet a second comes and nothing is made again', () => {
  const table = new Table(LockstepSession, NETWORKS['100 ms each way'])
  table.join(0)
  run(table, 60)
  table.sessions[0].setInput(inputOf(1, 0))
  for (let i = 0; i < 120; i++) table.frame()
  const { rollbacks } = table.sessions[0].statistics
  table.bytes = 0
  for (let i = 0; i < 600; i++) table.frame()
  assert.equal(table.sessions[0].statistics.rollbacks, rollbacks)
  assert.ok(table.bytes <= 10 * 30, `${table.bytes} bytes in ten seconds`)
  table.free()
})

test('a player goes on for seconds in which nothing comes, and is where the room is afterwards', () => {
  const table = new Table(LockstepSession, { delay: 50, jitter: 0, loss: 0, repeat: 0 })
  table.join(0)
  run(table, 120)
  const [session] = table.sessions
  const start = session.frame
  table.network = { ...table.network, loss: 1 }
  for (let i = 0; i < 180; i++) table.frame()
  assert.ok(session.frame >= start + 175, `${session.frame - start} frames`)
  const { mismatches, rollbacks } = session.statistics
  table.network = { ...table.network, loss: 0 }
  for (let i = 0; i < 120; i++) table.frame()
  assert.deepEqual(
    [session.statistics.mismatches, session.statistics.rollbacks],
    [mismatches, rollbacks],
  )
  table.free()
})

test('a player who comes later gets the state, and has the hashes from then on', () => {
  const table = new Table(LockstepSession, NETWORKS['100 ms each way'], 5)
  table.join(0)
  run(table, 300)
  table.join(1)
  run(table, 600)
  for (const { statistics } of table.sessions) {
    assert.equal(statistics.mismatches, 0)
    assert.ok(statistics.matches >= 8)
  }
  table.free()
})

test('a client that simulates otherwise is found out within two seconds, and asks for the state', () => {
  const table = new Table(LockstepSession, NETWORKS['a perfect network'])
  table.join(0)
  run(table, 30)
  table.sessions[0].simulation.world.bodies[6].applyImpulse([1e-9, 0, 0])
  for (let i = 0; i < 120; i++) table.frame()
  assert.ok(table.sessions[0].statistics.mismatches > 0)
  assert.ok(table.sessions[0].needsState)
  table.free()
})

test('over a network of many seconds a player waits, and does not lose the way', () => {
  const table = new Table(LockstepSession, { delay: 100, jitter: 0, loss: 0, repeat: 0 }, 9)
  table.join(0)
  table.join(1)
  run(table, 120)
  table.network = { delay: 4000, jitter: 3000, loss: 0.1, repeat: 0.1 }
  run(table, 3600)
  for (const session of table.sessions) {
    assert.equal(session.needsState, false)
    assert.equal(session.statistics.mismatches, 0)
    assert.ok(session.statistics.matches >= 15, `${session.statistics.matches} hashes`)
  }
  table.free()
})
