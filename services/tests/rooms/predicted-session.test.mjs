/**
 * Clients of an authoritative room without sockets: states as differences, prediction of the own ball, and others between states.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { init } from 'moreau'
import { PredictedSession } from '../../source/client/index.mjs'
import { MalformedMessage } from '../../source/netcode/bytes.mjs'
import { applyChanges, encodeChanges, FIELDS, hashStates } from '../../source/netcode/states.mjs'
import { inputOf } from '../../source/scenes/stacks.mjs'
import { randomFrom } from '../../scripts/rooms/random.mjs'
import { run, Table } from './table.mjs'

before(() => init())

const NETWORKS = {
  'a perfect network': { delay: 0, jitter: 0, loss: 0, repeat: 0 },
  '100 ms each way': { delay: 100, jitter: 0, loss: 0, repeat: 0 },
  '100 ms each way, 40 ms of jitter with another order, a tenth lost, a tenth twice': {
    ...{ delay: 100, jitter: 40, loss: 0.1, repeat: 0.1 },
  },
}
/** m: of a coordinate that went over the wire, and of the state that was predicted from it */
const ROUNDED = 0.01

/** @param {Table<any>} table @param {number} player @param {PredictedSession} session @returns {number} m between the ball here and in the room */
function distance(table, player, session) {
  const [here, there] = [session.simulation, table.authority.simulation].map(
    ({ members, world }) => world.bodyById(Number(members.get(player)?.body))?.position,
  )
  assert.ok(here && there)
  return Math.hypot(...here.map((x, axis) => x - there[axis]))
}

for (const [name, network] of Object.entries(NETWORKS)) {
  test(`the states of three players come out as they were sent, and in the end all balls are where the room has them, over ${name}`, () => {
    const table = new Table(PredictedSession, network)
    for (let player = 0; player < 3; player++) table.join(player)
    run(table, 900)
    const bytes = table.bytes / 15 / 3
    for (const session of table.sessions) session.setInput(inputOf(0, 0))
    for (let i = 0; i < 900; i++) table.frame()
    for (const session of table.sessions) {
      const { matches, mismatches } = session.statistics
      assert.equal(mismatches, 0)
      assert.ok(matches >= 20, `${matches} hashes`)
      for (const player of [0, 1, 2]) {
        const apart = distance(table, player, session)
        assert.ok(apart < ROUNDED, `ball ${player} is ${apart} m away`)
      }
    }
    assert.ok(bytes < 3000, `${bytes} bytes per second`)
    if (process.env.SHOW)
      console.log(
        name,
        bytes,
        table.sessions.map(({ statistics }) => statistics),
      )
    table.free()
  })
}

test('a player alone is predicted right: what is made again is rounding, not motion', () => {
  const table = new Table(PredictedSession, NETWORKS['100 ms each way'])
  table.join(0)
  const [session] = table.sessions
  run(table, 120)
  let [largest, place] = [0, /** @type {number[]} */ ([])]
  const ball = () =>
    session.simulation.world.bodyById(Number(session.simulation.members.get(0)?.body))?.position ??
    []
  session.onRollback = (isBefore) => {
    if (isBefore) place = [...ball()]
    else largest = Math.max(largest, Math.hypot(...ball().map((x, axis) => x - place[axis])))
  }
  // Along its wall, where no stack is.
  session.setInput(inputOf(0, 0.3))
  for (let i = 0; i < 60; i++) table.frame()
  session.setInput(inputOf(0, -0.3))
  for (let i = 0; i < 60; i++) table.frame()
  assert.ok(largest < 0.05, `corrected by ${largest} m`)
  assert.ok(session.statistics.agreed > 10)
  table.free()
})

test('others are shown between the states that came, without jumps', () => {
  const table = new Table(PredictedSession, NETWORKS['100 ms each way'])
  table.join(0)
  table.join(1)
  for (let i = 0; i < 60; i++) table.frame()
  table.sessions[1].setInput(inputOf(0, 0.5))
  let [last, longest, way] = [/** @type {number[] | undefined} */ (undefined), 0, 0]
  for (let i = 0; i < 120; i++) {
    table.frame()
    const [viewer] = table.sessions
    const pose = viewer.interpolation.pose(1, viewer.roomFrame(table.time))
    if (pose && last) {
      const step = Math.hypot(...pose.slice(0, 3).map((x, axis) => x - Number(last?.[axis])))
      way += step
      longest = Math.max(longest, step)
    }
    last = pose
  }
  assert.ok(way > 1, `${way} m`)
  assert.ok(longest < 0.15, `a step of ${longest} m`)
  table.free()
})

test('changes of states come out as they went in; what is cut or names an entity that is not there is malformed', () => {
  const random = randomFrom(3)
  const old = Int32Array.from({ length: 20 * FIELDS }, () => Math.floor(2 ** 20 * (random() - 0.5)))
  const after = old.slice()
  const entities = [0, 3, 4, 19]
  for (const entity of entities)
    after[entity * FIELDS + Math.floor(FIELDS * random())] += Math.floor(1000 * random()) + 1
  const bytes = encodeChanges(old, after, entities)
  const decoded = old.slice()
  assert.deepEqual(applyChanges(decoded, bytes), entities)
  assert.deepEqual(decoded, after)
  assert.equal(hashStates(decoded), hashStates(after))
  assert.notEqual(hashStates(old), hashStates(after))
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => applyChanges(old.slice(), bytes.subarray(0, length)), MalformedMessage)
  }
  assert.throws(() => applyChanges(new Int32Array(19 * FIELDS), bytes), /no entity 19/)
})
