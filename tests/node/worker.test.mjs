/**
 * `moreau/worker`: worlds that are stepped in a worker thread.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { World as LocalWorld } from 'moreau'
import { World } from 'moreau/worker'
import { root } from '../../scripts/tools.mjs'
import { HANGS_AFTER, until } from './until.mjs'

const run = promisify(execFile)
const DT = 1 / 60
const TRANSPORTS = /** @type {const} */ (['shared', 'transferred'])

/**
 * A wall of boxes, with a pendulum that breaks off; the same in any world.
 * @param {any} world
 */
function scene(world) {
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  const boxes = Array.from({ length: 20 }, (_, i) =>
    world.createBody({
      shape: { type: 'box', halfExtents: [0.5, 0.25, 0.5] },
      position: [0.02 * (i % 3), 0.3 + 0.6 * i, 0],
    }),
  )
  const ball = world.createBody({
    shape: { type: 'sphere', radius: 0.3 },
    position: [3, 6, 0],
    mass: 40,
  })
  const hinge = world.createJoint({
    ...{ type: 'hinge', bodyA: null, bodyB: ball, anchor: [0, 6, 0], axis: [0, 0, 1] },
    breakForce: 900,
  })
  return { boxes, ball, hinge }
}

/**
 * What a program does in a step.
 * @param {ReturnType<typeof scene>} things
 * @param {any} world
 * @param {number} i
 */
function act({ boxes, ball }, world, i) {
  if (i % 7 === 0) boxes[i % 19].applyImpulse([0, 0, 5])
  if (i % 5 === 0) boxes[3].applyForce([200, 0, 0])
  if (i === 20) world.gravity = [0, -5, 1]
  if (i === 25) boxes[19].destroy()
  if (i === 26) boxes[5].position = [4, 1, 4]
  if (i === 30)
    world.createBody({
      shape: { type: 'capsule', radius: 0.2, halfHeight: 0.4 },
      position: [0, 9, 0],
    })
  if (i === 33) ball.addShape({ type: 'box', halfExtents: [0.1, 0.1, 0.1] })
  if (i === 40) world.explode({ position: [0, 1, 0], radius: 1, falloff: 3, impulse: 20 })
}

/** @param {any} event @returns {any} what of an event can be compared between worlds */
function plain(event) {
  return JSON.stringify(event, (key, value) => {
    if (value?.constructor?.name === 'Body') return `body ${value.id}`
    if (value?.constructor?.name === 'Joint') return `joint ${value.id}`
    return value?.constructor?.name === 'Shape' ? value.type : value
  })
}

for (const transport of TRANSPORTS) {
  describe(`a world in a worker, poses ${transport}`, () => {
    test('comes to the bits of one here, and tells the same events', async () => {
      const world = await World.create({}, { transport })
      const local = await LocalWorld.create()
      const [things, own] = [scene(world), scene(local)]
      /** @type {string[][]} */
      const [heard, wanted] = [[], []]
      for (const name of /** @type {const} */ (['contact', 'joint', 'sleep'])) {
        world.on(name, (event) => heard.push(plain(event)))
        local.on(name, (event) => wanted.push(plain(event)))
      }
      const onBall = [0, 0]
      things.ball.on('contact', () => onBall[0]++)
      own.ball.on('contact', () => onBall[1]++)
      for (let i = 0; i < 120; i++) {
        act(things, world, i)
        act(own, local, i)
        await world.step(DT)
        local.step(DT)
        assert.deepEqual([...world.transforms64], [...local.transforms64], `step ${i}`)
      }
      assert.equal(world.transport, transport)
      assert.equal(await world.hash(), local.hash())
      assert.deepEqual(heard, wanted)
      assert.ok(heard.some((text) => text.includes('"break"')) && heard.length > 50)
      assert.equal(onBall[0], onBall[1])
      assert.ok(onBall[0] > 0)
      assert.deepEqual([world.time, world.stepCount], [local.time, local.stepCount])
      assert.deepEqual(await world.stats, local.stats)
      assert.equal(world.joints.length, 0)
      world.free()
      local.free()
    })

    test('renders as one here does: advance and interpolate', async () => {
      const world = await World.create({}, { transport })
      const ball = world.createBody({
        shape: { type: 'sphere', radius: 1 },
        linearVelocity: [1, 0, 0],
      })
      world.gravity = [0, 0, 0]
      const out = new Float32Array(8 * 64)
      let last = 0
      for (let i = 0; i < 60; i++) {
        world.advance(1 / 50)
        await sleep(4)
        const x = world.interpolate(out)[8 * ball.index]
        assert.ok(x >= last, 'it never goes back')
        last = x
      }
      await until(() => (world.update(), world.stepsBehind === 0), 'the last step')
      assert.equal(world.stepCount, 72)
      // 1.2 s are due; what is drawn is two steps behind, and the velocity is 1 m/s.
      assert.ok(Math.abs(world.interpolate(out)[8 * ball.index] - (1.2 - 2 * DT)) < 1e-5)
      world.free()
    })

    test('goes by a clock of its own', async () => {
      const world = await World.create({}, { transport })
      const ball = world.createBody({ shape: { type: 'sphere', radius: 1 } })
      // The clock itself is what is tried: it may be late on a busy machine, and is never early.
      const begin = performance.now()
      world.start({ hz: 120 })
      await until(() => (world.update(), world.stepCount >= 60), 'half a second')
      const seconds = (performance.now() - begin) / 1000
      assert.ok(seconds > 0.4, `${seconds} s for half a second`)
      assert.ok(ball.position[1] < -1)
      const drawn = world.interpolate(new Float32Array(8))[1]
      assert.ok(drawn >= ball.position[1] && drawn < 0, 'not ahead of the newest frame')
      world.pause()
      await world.hash()
      const { stepCount } = world
      await sleep(50)
      world.update()
      assert.equal(world.stepCount, stepCount)
      world.free()
    })

    test('keeps what was put somewhere until it is there, and makes room for more', async () => {
      const world = await World.create({ gravity: [0, 0, 0] }, { transport })
      const first = world.createBody({ shape: { type: 'sphere', radius: 0.1 } })
      world.start({ hz: 240 })
      for (let i = 0; i < 40; i++) {
        first.position = [0, i, 0]
        for (let k = 0; k < 10; k++) {
          const body = world.createBody({
            shape: { type: 'sphere', radius: 0.1 },
            position: [k + 1, i, 0],
          })
          assert.deepEqual([...body.position], [k + 1, i, 0])
        }
        world.update()
        assert.deepEqual([...first.position], [0, i, 0])
        await sleep(2)
      }
      world.pause()
      await world.step(DT)
      assert.equal(world.bodies.length, 401)
      assert.deepEqual([...first.position], [0, 39, 0])
      assert.deepEqual([...world.bodies[400].position], [10, 39, 0])
      world.free()
    })
  })
}

describe('what was called', () => {
  test('is checked at the call, as in a world here', async () => {
    const world = await World.create()
    const body = world.createBody({ shape: { type: 'sphere', radius: 1 } })
    assert.throws(
      () => world.createBody(/** @type {any} */ ({ shape: { type: 'ball', radius: 1 } })),
      {
        code: 'invalid-argument',
        message: /sphere/,
      },
    )
    assert.throws(() => body.applyImpulse([NaN, 0, 0]), { code: 'invalid-argument' })
    const [anyBody, anyWorld] = /** @type {any[]} */ ([body, world])
    assert.throws(() => (anyBody.postion = [0, 0, 0]), /did you mean 'position'/)
    assert.throws(() => (anyWorld.gravty = [0, 0, 0]), /did you mean 'gravity'/)
    assert.throws(() => world.step(NaN), { code: 'invalid-argument', message: /^step: dt/ })
    assert.throws(() => world.start({ hz: 0 }), { code: 'invalid-argument', message: /^start: hz/ })
    await assert.rejects(
      World.create({}, /** @type {any} */ ({ transport: 'pigeon' })),
      /transport/,
    )
    await assert.rejects(World.create({}, /** @type {any} */ ({ snapshots: 1 })), /snapshotEvery/)
    await assert.rejects(World.create(/** @type {any} */ ({ gravty: 1 })), /gravity/)
    world.free()
  })

  test('and cannot be done in a worker is refused', async () => {
    const world = await World.create()
    const any = /** @type {any} */ (world)
    const custom = /** @type {any} */ ({ type: 'custom', bodies: [], dimension: 1, evaluate() {} })
    for (const [what, call] of /** @type {[string, () => unknown][]} */ ([
      ['createConstraint', () => world.createConstraint(custom)],
      ['createPotential', () => any.createPotential({ ...custom, force() {} })],
      ['contactFilter', () => (any.contactFilter = () => true)],
      ['contactModifier', () => (any.contactModifier = () => {})],
      ['readContactEvents', () => any.readContactEvents(new Float64Array(17))],
      ['replay', () => /** @type {any} */ (World).replay({})],
      ['World', () => new World()],
    ])) {
      assert.throws(call, (/** @type {any} */ { code, message }) => {
        return code === 'not-supported' && message.startsWith(what)
      })
    }
    world.contactFilter = null
    await world.step(DT)
    world.free()
  })

  test('and fails in the worker rejects, or comes with the next frame', async () => {
    const world = await World.create()
    const body = world.createBody({
      shape: { type: 'sphere', radius: 1 },
      ...{ mass: 1, linearVelocity: [1.7e308, 0, 0] },
    })
    body.applyForce([1.7e308, 0, 0])
    await assert.rejects(world.step(1), { name: 'MoreauError', code: 'not-finite' })
    assert.equal(world.stepCount, 0)
    assert.equal(world.advance(1, { fixedDt: 1 }), 1)
    /** @type {any} */
    let thrown
    await until(() => {
      try {
        world.update()
      } catch (error) {
        thrown = error
      }
      return thrown
    }, 'the error')
    assert.equal(thrown.code, 'not-finite')
    /** @type {string[]} */
    const errors = []
    const end = world.on('error', ({ code }) => errors.push(code))
    world.advance(1, { fixedDt: 1 })
    await until(() => (world.update(), errors.length > 0), 'the error')
    assert.deepEqual(errors, ['not-finite'])
    end()
    body.linearVelocity = [0, 0, 0]
    await world.step(DT)
    assert.equal(world.stepCount, 1)
    world.free()
  })

  test('by a listener that throws rejects the step, which was made', async () => {
    const world = await World.create()
    scene(world)
    world.once('contact', () => {
      throw new Error('of the listener')
    })
    let thrown = 0
    for (let i = 0; i < 60; i++) {
      await world.step(DT).catch(({ message }) => {
        assert.equal(message, 'of the listener')
        thrown++
      })
    }
    assert.equal(thrown, 1)
    assert.equal(world.stepCount, 60)
    world.free()
  })
})

describe('joints that break while others are made', () => {
  test('are told of, and calls about them are left out', async () => {
    const world = await World.create({ gravity: [0, -10, 0] })
    const pairs = (/** @type {any} */ { joints }) =>
      joints.map((/** @type {any} */ { bodyA, bodyB }) => `${bodyA?.id} ${bodyB?.id}`).sort()
    /** @type {Set<unknown>} */
    const broken = new Set()
    world.on('joint', ({ joint }) => broken.add(joint))
    world.start({ hz: 480 })
    const made = []
    for (let i = 0; i < 60; i++) {
      const [a, b] = [0, 1].map((k) =>
        world.createBody({
          ...{ shape: { type: 'sphere', radius: 0.2 }, position: [3 * i, 5 - k, 0] },
          filter: { category: 1, mask: 0 },
        }),
      )
      const axis = /** @type {const} */ ([0, 0, 1])
      const hold = world.createJoint({
        ...{ type: 'hinge', bodyA: null, bodyB: a, anchor: [3 * i + 1, 5, 0], axis },
        breakForce: i % 3 === 0 ? Infinity : 1e-3 + i,
      })
      const link = world.createJoint({
        type: 'hinge',
        bodyA: a,
        bodyB: b,
        anchor: [3 * i, 5, 0],
        axis,
      })
      if (i % 2 === 0) world.createJoint({ type: 'gear', jointA: hold, jointB: link, ratio: 2 })
      made.push(hold, link)
      for (const joint of made) {
        if (world.joints.includes(joint)) joint.motor = { targetVelocity: i, maxForce: 1 }
      }
      if (i % 5 === 4 && world.joints.includes(made[i])) made[i].destroy()
      world.update()
      await sleep(i % 4)
    }
    await until(() => (world.update(), broken.size > 20), 'the breaking of the joints')
    world.pause()
    await world.step(DT)
    const local = await LocalWorld.create()
    local.restore(await world.snapshot())
    assert.deepEqual(pairs(world), pairs(local))
    assert.ok(world.joints.every((joint) => !broken.has(joint)))
    assert.ok(world.joints.length > 30)
    world.free()
    local.free()
  })
})

describe('what is asked', () => {
  test('is answered by the state that the worker has', async () => {
    const world = await World.create()
    const { boxes } = scene(world)
    for (let i = 0; i < 30; i++) await world.step(DT)
    world.advance(4 * DT, { beforeStep: () => boxes[0].applyForce([1, 0, 0]) })
    const points = await world.contactPoints()
    assert.ok(points.length > 4)
    assert.ok(points.every(({ bodyA }) => world.bodies.includes(/** @type {any} */ (bodyA))))
    assert.ok((await world.islands())[0].firstBody)
    assert.equal((await world.snapshot()).constructor, Uint8Array)
    world.free()
  })

  test('of the last frame is here at once: queries, energy, positions', async () => {
    const world = await World.create()
    const { ball } = scene(world)
    for (let i = 0; i < 20; i++) await world.step(DT)
    const [x, y, z] = ball.position
    assert.equal(world.rayCast([x, y + 5, z], [0, -1, 0])?.body, ball)
    assert.ok(ball.kineticEnergy > 1)
    assert.deepEqual(
      world
        .overlap({ type: 'sphere', radius: 0.1 }, { position: ball.position })
        .map(({ body }) => body),
      [ball],
    )
    world.free()
  })

  test('of a snapshot brings the world back, in another one too', async () => {
    const world = await World.create()
    const { boxes } = scene(world)
    for (let i = 0; i < 30; i++) await world.step(DT)
    const [bytes, hash] = [await world.snapshot(), await world.hash()]
    for (let i = 0; i < 30; i++) await world.step(DT)
    const later = await world.hash()
    boxes[0].destroy()
    world.restore(bytes)
    assert.equal(await world.hash(), hash)
    assert.equal(world.bodies[1], boxes[0])
    for (let i = 0; i < 30; i++) await world.step(DT)
    assert.equal(await world.hash(), later)
    const local = await LocalWorld.create()
    local.restore(bytes)
    assert.equal(local.hash(), hash)
    world.free()
    local.free()
  })
})

describe('a worker that fails', () => {
  const script = readFileSync(join(root, 'dist/worker-script.js'), 'utf8')

  test('is told of, and another goes on from the last snapshot', async () => {
    /** @type {Worker[]} */
    const workers = []
    const worker = () => workers[workers.push(new Worker(script, { eval: true })) - 1]
    const world = await World.create({}, { worker, snapshotEvery: 0.5 })
    const { boxes, ball } = scene(world)
    /** @type {import('moreau').MoreauError[]} */
    const crashes = []
    world.on('crash', (error) => crashes.push(error))
    /** @type {string[]} */
    const hashes = []
    for (let i = 0; i < 40; i++) {
      await world.step(DT)
      hashes.push(await world.hash())
    }
    const late = world.createBody({ shape: { type: 'sphere', radius: 1 }, position: [9, 9, 9] })
    void workers[0].terminate()
    await assert.rejects(world.step(DT), { code: 'worker-failed', message: /restart/ })
    await until(() => crashes.length > 0, 'the crash')
    assert.equal(crashes[0].code, 'worker-failed')
    assert.equal(world.isCrashed, true)
    await assert.rejects(world.hash(), { code: 'worker-failed' })
    boxes[0].applyImpulse([1, 0, 0])
    world.advance(DT)

    await world.restart()
    assert.equal(world.isCrashed, false)
    assert.equal(crashes.length, 1)
    const { stepCount } = world
    assert.ok(stepCount >= 29 && stepCount <= 31, `step ${stepCount}`)
    assert.equal(await world.hash(), hashes[stepCount - 1])
    assert.equal(world.bodies[1], boxes[0])
    assert.throws(() => late.position, { code: 'stale-handle' })
    for (let i = stepCount; i < 40; i++) {
      await world.step(DT)
      assert.equal(await world.hash(), hashes[i])
    }
    ball.applyImpulse([1, 0, 0])
    await world.step(DT)
    assert.equal(workers.length, 2)
    world.free()
  })

  test('the memory of snapshots that newer ones replace goes back to the worker', async () => {
    /** @type {ArrayBuffer[]} */
    const spent = []
    const worker = () => {
      const one = new Worker(script, { eval: true })
      const { postMessage } = one
      one.postMessage = (message, transfer) => {
        if (message.spent) spent.push(...message.spent)
        postMessage.call(one, message, transfer)
      }
      return one
    }
    const world = await World.create({}, { worker, snapshotEvery: 0.1 })
    scene(world)
    for (let i = 0; i < 60; i++) await world.step(DT)
    const { length } = spent
    assert.ok(length >= 6, `${length} of 9`)
    // What was transferred is nobody's here: each went once, and the host has nothing to collect.
    assert.equal(new Set(spent).size, length)
    for (const { byteLength } of spent) assert.equal(byteLength, 0)
    world.free()
  })

  test('before its first snapshot leads back to the beginning', async () => {
    /** @type {Worker[]} */
    const workers = []
    const worker = () => workers[workers.push(new Worker(script, { eval: true })) - 1]
    const world = await World.create({}, { worker, snapshotEvery: 0 })
    world.createBody({ shape: { type: 'sphere', radius: 1 } })
    await world.step(DT)
    void workers[0].terminate()
    await until(() => world.isCrashed, 'the crash')
    await world.restart()
    assert.equal(world.bodies.length, 0)
    await world.step(DT)
    world.free()
  })

  test('at its start rejects', async () => {
    const worker = () => new Worker("throw new Error('no such thing')", { eval: true })
    await assert.rejects(World.create({}, { worker }), {
      code: 'worker-failed',
      message: /no such thing/,
    })
    const none = () => {
      throw new Error('workers are forbidden')
    }
    await assert.rejects(World.create({}, { worker: none }), {
      code: 'worker-failed',
      message: /workers are forbidden.*worker-script/,
    })
  })
})

describe('the end', () => {
  test('of a world is that of what it has made, and of who waits', async () => {
    const world = await World.create()
    const body = world.createBody({ shape: { type: 'sphere', radius: 1 } })
    const waiting = world.step(DT)
    world.free()
    await assert.rejects(waiting, { code: 'stale-handle', message: /freed/ })
    assert.throws(() => body.position, { code: 'stale-handle' })
    for (const call of [
      () => world.step(DT),
      () => world.update(),
      () => world.hash(),
      () => world.restore(new Uint8Array(1)),
    ]) {
      assert.throws(call, { code: 'stale-handle' })
    }
    world.free()
  })

  test('of a world is not disturbed by what was on its way', async () => {
    const script = readFileSync(join(root, 'dist/worker-script.js'), 'utf8')
    /** @type {Worker | undefined} */
    let worker
    let late = 0
    // It ends late, so that its answers come after the world was freed.
    const slow = () => {
      const made = new Worker(script, { eval: true })
      worker = made
      return {
        on: (/** @type {string} */ name, /** @type {(value: any) => void} */ heard) =>
          made.on(name, (value) => {
            if (name === 'message' && isFreed) late++
            heard(value)
          }),
        postMessage: (/** @type {unknown} */ message, /** @type {any} */ transfer) =>
          made.postMessage(message, transfer),
        ref: () => made.ref(),
        unref: () => {},
        terminate: () => {},
      }
    }
    let isFreed = false
    const world = await World.create({}, { worker: slow })
    world.createBody({ shape: { type: 'sphere', radius: 1 } })
    const waiting = world.step(DT)
    world.free()
    isFreed = true
    await assert.rejects(waiting, { code: 'stale-handle' })
    await until(() => late > 0, 'the late answer')
    await worker?.terminate()
  })

  /** @param {string} code @param {string[]} [flags] */
  const printed = async (code, flags = []) => {
    const { stdout } = await run(process.execPath, [...flags, '--input-type=module', '-e', code], {
      cwd: root,
      timeout: HANGS_AFTER,
    })
    return stdout.trim()
  }

  test('of a program does not wait for a worker, only for its answers', async () => {
    const code = `
      import { World } from 'moreau/worker'
      const world = await World.create()
      world.start()
      world.createBody({ shape: { type: 'sphere', radius: 1 } })
      world.step(1 / 60).then(() => console.log('stepped'))`
    assert.equal(await printed(code), 'stepped')
  })

  test('of a world that nobody holds ends its worker', async () => {
    const code = `
      import { Worker } from 'node:worker_threads'
      import { readFileSync } from 'node:fs'
      import { setTimeout as sleep } from 'node:timers/promises'
      import { World } from 'moreau/worker'
      const script = readFileSync('dist/worker-script.js', 'utf8')
      let ended = 0
      const worker = () => new Worker(script, { eval: true }).on('exit', () => ended++)
      await (async () => {
        for (let i = 0; i < 3; i++) {
          const world = await World.create({}, { worker })
          world.createBody({ shape: { type: 'sphere', radius: 1 } })
          world.on('contact', () => {})
          await world.step(1 / 60)
        }
      })()
      for (let i = 0; i < 1000 && ended < 3; i++) { await sleep(20); gc() }
      console.log(ended)
      process.exit(0)`
    assert.equal(await printed(code, ['--expose-gc']), '3')
  })

  test('the other entries have it too', async () => {
    const step =
      'const world = await World.create(); await world.step(1 / 60); console.log(world.stepCount); world.free()'
    assert.equal(await printed(`import { World } from 'moreau/slim/worker'; ${step}`), '1')
    const cjs = `(async () => { const { World } = require('moreau/worker'); ${step} })()`
    const { stdout } = await run(process.execPath, ['--input-type=commonjs', '-e', cjs], {
      cwd: root,
    })
    assert.equal(stdout.trim(), '1')
  })
})
