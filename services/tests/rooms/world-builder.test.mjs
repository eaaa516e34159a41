/**
 * Worlds of new rooms, built in a thread: the same to the bit, and nothing of them is built where rooms run.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { init } from 'moreau'
import { RoomSimulation } from '../../source/netcode/simulation.mjs'
import { Admission } from '../../source/rooms/admission.mjs'
import { RoomRefusal } from '../../source/rooms/host.mjs'
import { LIMITS } from '../../source/rooms/limits.mjs'
import { beginRoom } from '../../source/rooms/pick-up.mjs'
import { WorldBuilder } from '../../source/rooms/world-builder.mjs'
import { stacks } from '../../source/scenes/stacks.mjs'
import { makeStillHost } from '../../scripts/rooms/still-host.mjs'

const OPTIONS = { stacks: 3, height: 4 }
const builder = new WorldBuilder()
const scene = /** @type {typeof stacks & { module: string }} */ (stacks)

before(async () => {
  await init()
  await builder.begin()
})
after(() => builder.end())

test('a world that was built in the thread is that which is built here, and its frames were measured', async () => {
  const { state, cost } = await builder.build(scene, OPTIONS, LIMITS)
  const [one, two] = [
    RoomSimulation.restore(stacks, state),
    RoomSimulation.begin(stacks, stacks.readOptions(OPTIONS)),
  ]
  for (let frame = 0; frame < 30; frame++) {
    assert.equal(one.hash(), two.hash(), `frame ${frame}`)
    for (const simulation of [one, two]) simulation.advance([])
  }
  assert.ok(cost > 0 && Number.isFinite(cost), `${cost}`)
})

test('many wishes for the same are one world, other options are another', async () => {
  const build = (/** @type {object} */ options) => builder.build(scene, options, LIMITS)
  const [one, two, other] = await Promise.all([
    build({ stacks: 2, height: 5 }),
    build({ stacks: 2, height: 5 }),
    build({ stacks: 5, height: 2 }),
  ])
  assert.equal(await build({ stacks: 2, height: 5 }), one)
  assert.equal(two, one)
  assert.notDeepEqual(other.state.world, one.state.world)
})

test('a room begins although nothing can be built here, and is written down as it was built', async () => {
  const build = () => assert.fail('it was built in the way of other rooms')
  const host = makeStillHost({ time: 0 }, { scene: { ...stacks, build } })
  const room = await beginRoom({ ...host, builder }, 'room', { scene: 'stacks', options: OPTIONS })
  const here = RoomSimulation.begin(stacks, stacks.readOptions(OPTIONS))
  assert.equal(room.authority.simulation.hash(), here.hash())
  room.close()
})

test('what is wrong with a scene or its size is a refusal, and the thread goes on', async () => {
  const wrong = builder.build(scene, OPTIONS, { ...LIMITS, bodies: 5 })
  await assert.rejects(wrong, (error) => {
    assert.ok(error instanceof RoomRefusal && error.reason === 'rules')
    assert.match(error.message, /17 bodies; a room has 5/)
    return true
  })
  const unknown = builder.build({ ...scene, name: 'pong' }, OPTIONS, LIMITS)
  await assert.rejects(unknown, /exports no scene pong/)
  const again = builder.build({ ...scene, name: 'pong' }, OPTIONS, LIMITS)
  assert.notEqual(again, unknown, 'a failure is not kept')
  await assert.rejects(again, /exports no scene pong/)
  await builder.build(scene, OPTIONS, LIMITS)
})

test('a room that would take more of the time than there is is refused before it is made; many wait their turn or are refused', async () => {
  const load = { busy: 0.1, onMeasured() {}, leaveOut() {} }
  const admission = new Admission({ rooms: 100, busy: 0.75 }, { size: 0 }, load, () => 0)
  let made = 0
  const take = () =>
    admission.take(
      () => ++made,
      (room) => Promise.resolve(room),
      () => Promise.resolve({ cost: 0.3 }),
    )
  const results = await Promise.allSettled(Array.from({ length: 25 }, take))
  assert.equal(made, 2)
  for (const result of results.filter(({ status }) => status === 'rejected'))
    assert.match(String(Object(result).reason.message), /with this room, which takes 30 %/)
})
