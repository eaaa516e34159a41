/**
 * The code of README.md and docs/*.md runs as it stands, with what each page says that the reader has.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { root } from '../../scripts/tools.mjs'
import { blocksOf, compile, note, run } from './document-blocks.mjs'

const code = (/** @type {string} */ page) => blocksOf(page).map((block) => block.code)
const world = `import { World } from 'moreau'
const world = await World.create()
world.createBody({ type: 'static', shape: { type: 'plane' } })
`

describe('code of documents', () => {
  test('README.md prints what it says', async (t) => {
    const [example] = code('README.md')
    const [, said] =
      /^```text\n(.*?)^```$/ms.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
    const { mock } = t.mock.method(console, 'log', () => {})
    await run([example])
    mock.restore()
    assert.equal(mock.calls.map((call) => `${call.arguments[0]}\n`).join(''), said)
  })

  test('docs/tour.md', async () => {
    const given = `import { createShape } from 'moreau'
import { BoxGeometry, Mesh } from 'three'
const geometry = new BoxGeometry()
const mesh = new Mesh(geometry)
const body = box
const frame = null
const shape = createShape({ type: 'box', halfExtents: [0.5, 1, 0.05] })
const door = world.createBody({ shape, position: [4, 1, 0] })
const bead = world.createBody({ shape: { type: 'sphere', radius: 0.1 }, position: [9, 0, 9] })`
    const { all, residual, velocities } = await run(code('docs/tour.md'), given)
    assert.ok(Math.abs(all.mesh.position.y - 0.5) < 1e-3, 'the box rests on the floor')
    assert.ok(residual < 1e-8 && velocities.length === 3)
  })

  test('docs/api.md', async () => {
    const [threads, concave, units, platform, custom, state, batch, history] = code('docs/api.md')
    const given = `
const platform = world.createBody({ type: 'static', shape: { type: 'plane' } })
const bead = world.createBody({ shape: { type: 'sphere', radius: 0.1 }, position: [1, 0, 0] })`
    await run([world, platform, custom, state, history], given)
    await run([`import { World } from 'moreau'\n${units}`])
    assert.match(threads, /moreau\/threads/)
    assert.match(concave, /moreau\/decompose/)
    const machine = `
import { createShape, WorldBatch } from 'moreau'
const done = new Uint8Array(64)
const shape = createShape({ type: 'sphere', radius: 0.1 })
const cart = world.createBody({ shape, position: [0, 1, 0] })
const pole = world.createBody({ shape, position: [0, 2, 0] })
const rail = world.createJoint({ type: 'slider', bodyB: cart, axis: [1, 0, 0] })
const hinge = world.createJoint({ type: 'hinge', bodyA: cart, bodyB: pole, anchor: [0, 1, 0], axis: [0, 0, 1] })`
    const { all } = await run([world, `${batch}\nconst rows = batch.observations`], machine)
    assert.equal(all.world.stepCount, 0, 'the template stays')
  })

  test('docs/api.md: threads and concave meshes', async () => {
    const [threads, concave] = code('docs/api.md')
    await run(['', threads])
    const tetrahedron = `
const vertices = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
const indices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]`
    const { volumeError } = await run([world, concave], tetrahedron)
    assert.ok(volumeError < 0.1, `${volumeError}`)
  })

  test('docs/physics.md prints what it says', async (t) => {
    const [example] = code('docs/physics.md')
    const said = [...example.matchAll(/\/\/ (true 'budget'|'converged' true)$/gm)]
    const { mock } = t.mock.method(console, 'log', () => {})
    await run([example])
    mock.restore()
    assert.deepEqual(
      mock.calls.map((call) => call.arguments),
      [
        [true, 'budget'],
        ['converged', true],
      ],
    )
    assert.equal(said.length, 2)
  })

  test('docs/three.md', async () => {
    const [example] = code('docs/three.md')
    const given = `import { BoxGeometry, Mesh, Scene, SphereGeometry } from 'three'
const floor = new Mesh(new BoxGeometry(9, 1, 9))
const ball = new Mesh(new SphereGeometry(1))
ball.position.y = 4
const scene = new Scene().add(floor, ball)`
    const { physics, all } = await run([given, example])
    for (let i = 0; i < 60; i++) physics.step()
    physics.dispose()
    assert.ok(all.ball.position.y < 3, 'the ball fell')
  })

  test('docs/worker.md', async () => {
    const [example] = code('docs/worker.md')
    const given =
      'let frames = 0\nconst requestAnimationFrame = (frame = () => {}) => void frames++'
    const { ball, ...all } = await run([given, example])
    all.world.pause()
    await all.world.step(1 / 60)
    assert.ok(ball.position[1] < 5)
    all.world.free()
  })

  test('docs/rollback.md: the SyncTest and recordings', async () => {
    const [, syncTest, recording] = code('docs/rollback.md')
    const given = `import { SyncTestSession } from 'moreau/rollback'
const ball = world.createBody({ shape: { type: 'sphere', radius: 0.5 }, position: [0, 3, 0] })
const applyInputs = (of = world, [x = 0] = new Array()) => ball.applyForce([x, 0, 0])
const inputsOf = (frame = 0) => [frame % 7]
const play = (of = world, i = 0) => ball.applyForce([0, 0, i])`
    await run([world, syncTest], given)
    const { divergence } = await run([world, recording], given)
    assert.equal(divergence, undefined)
  })

  test('docs/import.md', async () => {
    const [example] = code('docs/import.md')
    const given = `const text = '<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>' +
'<joint name="shoulder" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint><joint name="elbow" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint></robot>'`
    const { robot } = await run([given, example])
    assert.equal(Object.keys(robot.joints).length >= 2, true)
  })

  test('docs/rapier.md', async () => {
    const { all } = await run(code('docs/rapier.md'))
    assert.ok(Math.abs(all.body.translation().y - 0.6) < 0.01)
  })

  test('docs/gym.md', async () => {
    const [use, own] = code('docs/gym.md')
    const { observations } = await run(['', use])
    assert.equal(observations.length, 64 * 4)
    await run(['', own])
  })

  test('docs/rollback.md: two players', async () => {
    const [players] = code('docs/rollback.md')
    // It throws where the two are out of sync.
    const { frame } = await run(['', players])
    assert.ok(frame > 280, `${frame}`)
  })

  test('docs/react.md, docs/worker.md and others compile', () => {
    const [component] = blocksOf('docs/react.md', 'jsx')
    note([component.code], '', 'tsx')
    const [, , filter, history] = code('docs/worker.md')
    const given = `import { World } from 'moreau/worker'\n`
    note([given, filter])
    note([`${given}const world = await World.create()\n`, history])
    note([`const text = '{}'\n`, code('docs/scene-format.md')[0]])
  })

  test('all of it compiles with tsc --strict', () => assert.equal(compile(), ''))
})
