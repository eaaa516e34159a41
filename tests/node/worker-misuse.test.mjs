/**
 * `moreau/worker` in the hands of who does not read the manual: much at once, too early, too late, thrown and misspelt.
 */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { World as LocalWorld } from 'moreau'
import { World } from 'moreau/worker'
import { Patience } from '../../bindings/core/patience.mjs'
import { noEvents, Untold } from '../../bindings/worker/untold.mjs'
import { root } from '../../scripts/tools.mjs'
import { until } from './until.mjs'

const DT = 1 / 60
const TRANSPORTS = /** @type {const} */ (['shared', 'transferred'])
const SPHERE = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })
const SCRIPT = readFileSync(join(root, 'dist/worker-script.js'), 'utf8')

/** A ball above the ground. @param {any} world @param {number} height */
function ballOver(world, height) {
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  return world.createBody({ shape: SPHERE, position: [0, height, 0] })
}

/** The address of a module. @param {string} text */
const moduleOf = (text) => `data:text/javascript,${encodeURIComponent(text)}`

/** A worker whose messages are counted both ways: `objects` are those that are neither numbers nor buffers. */
function counted() {
  const count = { sent: 0, heard: 0, objects: 0 }
  const look = (/** @type {unknown} */ message) => {
    if (typeof message !== 'number' && !(message instanceof ArrayBuffer)) count.objects++
  }
  const worker = () => {
    const one = new Worker(SCRIPT, { eval: true })
    const { postMessage } = one
    one.postMessage = (message, transfer) => {
      count.sent++
      look(message)
      postMessage.call(one, message, transfer)
    }
    return one.on('message', (message) => (count.heard++, look(message)))
  }
  return { count, worker }
}

for (const transport of TRANSPORTS) {
  describe(`poses ${transport}`, () => {
    test('are those of each step that settles, also of many at once', async () => {
      const world = await World.create({}, { transport })
      ballOver(world, 5)
      for (let round = 1; round <= 3; round++) {
        /** @type {number[]} */
        const seen = []
        const steps = Array.from({ length: 12 }, () => world.step(DT))
        await Promise.all(steps.map((step) => step.then(() => seen.push(world.stepCount))))
        for (const [i, count] of seen.entries()) assert.ok(count > 12 * (round - 1) + i, `${seen}`)
        assert.equal(world.stepsBehind, 0)
      }
      world.free()
    })

    test('are there before what is told of their steps', async () => {
      const world = await World.create({}, { transport })
      const ball = ballOver(world, 3)
      await world.step(DT)
      /** @type {number[]} */
      const heights = []
      world.on('contact', () => heights.push(ball.position[1]))
      world.start({ hz: 60, rate: 20 })
      await sleep(300) // six seconds of the world, in which nobody looks
      await until(() => (world.update(), heights.length > 0), 'the contact')
      assert.ok(heights[0] < 0.6, `a contact at height ${heights[0]}`)
      world.free()
    })

    test('of what was destroyed are nobody else’s', async () => {
      const world = await World.create({}, { transport })
      const ball = ballOver(world, 50)
      for (let i = 0; i < 30; i++) await world.step(DT)
      const out = new Float32Array(world.transforms.length)
      ball.destroy()
      assert.throws(() => ball.position, { code: 'stale-handle' })
      const next = world.createBody({ shape: SPHERE, position: [7, 8, 9] })
      assert.equal(next.index, ball.index)
      world.update()
      world.interpolate(out)
      assert.deepEqual([...out.subarray(8 * next.index, 8 * next.index + 3)], [7, 8, 9])
      assert.deepEqual([...next.position], [7, 8, 9])
      world.free()
    })
  })
}

describe('what cannot be posted', () => {
  test('is refused where it is given, and takes nothing else with it', async () => {
    const functions = moduleOf('export const take = (value) => value')
    const world = await World.create({}, { functions })
    const local = await LocalWorld.create()
    const any = /** @type {any} */ (world)
    const body = world.createBody({ shape: SPHERE, position: [0, 5, 0] })
    local.createBody({ shape: SPHERE, position: [0, 5, 0] })
    for (const [where, call] of /** @type {[RegExp, () => unknown][]} */ ([
      [/^call: args\[1\]/, () => world.call('take', 1, () => 5)],
      [/^call: args\[0\].*id/, () => world.call('take', body)],
      [/^call: args\[0\]/, () => world.call('take', { inside: Symbol('no') })],
      [/^history: options/, () => any.history({ seconds: 1, keep: () => {} })],
      [/^record: options/, () => any.record({ keep: () => {} })],
      [/^snapshot: args\[0\]/, () => any.snapshot({ assets: () => {} })],
    ])) {
      await assert.rejects(async () => call(), { code: 'invalid-argument', message: where })
    }
    await world.step(DT)
    local.step(DT)
    assert.equal(await world.hash(), local.hash())
    assert.equal(world.isCrashed, false)
    world.free()
    local.free()
  })
})

describe('names that are misspelt', () => {
  test('are refused with those that there are', async () => {
    const world = /** @type {any} */ (await World.create())
    const refused = (/** @type {RegExp} */ message) => ({ code: 'invalid-argument', message })
    assert.throws(() => world.start({ hertz: 30 }), refused(/start.*hertz.*hz/))
    assert.throws(() => world.start(30), refused(/^start/))
    assert.throws(() => world.on('crahs', () => {}), refused(/crash/))
    assert.throws(() => world.advance(DT, { fixedDT: 1 }), refused(/fixedDt/))
    assert.throws(() => (world.delya = 1), refused(/no property 'delya'/))
    world.free()
  })
})

describe('listeners', () => {
  test('of errors that throw keep nobody from an answer, nor others from hearing', async () => {
    const world = await World.create()
    const body = world.createBody({ shape: SPHERE, mass: 1, linearVelocity: [1.7e308, 0, 0] })
    body.applyForce([1.7e308, 0, 0])
    let heard = 0
    world.on('error', () => {
      throw new Error('of the listener')
    })
    world.on('error', () => heard++)
    world.advance(1, { fixedDt: 1 })
    await assert.rejects(world.hash(), /of the listener/)
    assert.equal(heard, 1)
    assert.equal((await world.hash()).length > 0, true)
    world.free()
  })

  test('that call update or step hear everything once, in order', async () => {
    const world = await World.create()
    const balls = [0, 1, 2, 3].map((i) =>
      world.createBody({ shape: SPHERE, position: [3 * i, 0.6 + 0.5 * i, 0] }),
    )
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    /** @type {number[]} */
    const order = []
    world.on('contact', ({ type, bodyA, bodyB }) => {
      world.update()
      if (type === 'begin') order.push(balls.findIndex((one) => one === bodyA || one === bodyB))
    })
    for (let i = 0; i < 90; i++) void world.step(DT)
    await world.hash()
    assert.deepEqual(order.slice(0, 4), [0, 1, 2, 3])
    world.free()
  })

  test('of errors are told once of a clock whose steps fail', async () => {
    const world = await World.create()
    const body = world.createBody({ shape: SPHERE, mass: 0.1 })
    /** @type {string[]} */
    const codes = []
    world.on('error', ({ code }) => codes.push(code))
    body.applyForce([1.7e308, 0, 0])
    world.start({ hz: 60, rate: 1000 }) // eight steps at once
    await until(() => (world.update(), codes.length > 0), 'the error')
    await world.hash()
    assert.deepEqual(codes, ['not-finite'])
    world.free()
  })

  test('once and off are for crash and error too', async () => {
    const world = await World.create()
    const body = world.createBody({ shape: SPHERE, mass: 1, linearVelocity: [1.7e308, 0, 0] })
    let [once, never] = [0, 0]
    const listener = () => never++
    world.once('error', () => once++)
    world.on('error', listener)
    world.on('error', () => {})
    assert.equal(world.off('error', listener), true)
    assert.equal(world.off('error', listener), false)
    for (let i = 0; i < 2; i++) {
      body.applyForce([1.7e308, 0, 0])
      world.advance(1, { fixedDt: 1 })
      await world.hash()
    }
    assert.deepEqual([once, never], [1, 0])
    world.free()
  })
})

describe('functions of the user that throw', () => {
  test('are told with their file and line', async () => {
    const address = new URL('worker-throws.mjs', import.meta.url)
    const world = await World.create({}, { functions: address })
    for (let i = 0; i < 2; i++) world.createBody({ shape: SPHERE, position: [0.5 * i, 0, 0] })
    const place = /worker-throws\.mjs:4:/
    await assert.rejects(world.call('broken'), { message: /of the filter.*worker-throws\.mjs:4:/ })
    world.contactFilter = 'broken'
    const error = await world.step(DT).then(
      () => assert.fail('it was made'),
      (/** @type {any} */ thrown) => thrown,
    )
    assert.match(error.message, place)
    assert.equal(error.cause.name, 'RangeError')
    assert.match(error.cause.stack, place)
    world.free()
  })
})

describe('a worker that is ended', () => {
  const made = () => {
    /** @type {Worker[]} */
    const workers = []
    return { workers, worker: () => workers[workers.push(new Worker(SCRIPT, { eval: true })) - 1] }
  }

  test('in the middle of a frame is told once by update, where nobody listens', async () => {
    const { workers, worker } = made()
    const world = await World.create({}, { worker })
    ballOver(world, 5)
    world.advance(3 * DT)
    void workers[0].terminate()
    await until(() => world.isCrashed, 'the crash')
    assert.throws(() => world.advance(DT), { code: 'worker-failed', message: /restart/ })
    assert.equal(world.update(), false)
    await world.restart()
    assert.equal(world.update(), false)
    await world.step(DT)
    world.free()
  })

  test('by restart says so to who waits', async () => {
    const world = await World.create()
    ballOver(world, 5)
    const waiting = world.step(DT)
    const restarted = world.restart()
    await assert.rejects(waiting, { code: 'worker-failed', message: /restart/ })
    await restarted
    await world.step(DT)
    assert.equal(world.stepCount, 1)
    world.free()
  })

  test('by free during restart refuses it', async () => {
    const world = await World.create()
    const restarted = world.restart()
    world.free()
    await assert.rejects(restarted, { code: 'stale-handle' })
  })
})

/** Timers that wake up when the test says so, however busy the machine is. */
function ownTimers() {
  const own = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout }
  /** @type {Set<{ action: () => void, delay: number }>} */
  const waiting = new Set()
  Object.assign(globalThis, {
    setTimeout: (/** @type {() => void} */ action, /** @type {number} */ delay) => {
      const timer = { action, delay }
      waiting.add(timer)
      return timer
    },
    clearTimeout: (/** @type {any} */ timer) => waiting.delete(timer),
  })
  return {
    /** Has all that wait wake up, some times one after the other. */
    wake(times = 1) {
      for (let i = 0; i < times; i++) {
        for (const timer of [...waiting]) if (waiting.delete(timer)) timer.action()
      }
    },
    get delays() {
      return [...waiting].map(({ delay }) => delay)
    },
    restore: () => void Object.assign(globalThis, own),
  }
}

/**
 * Workers that do not answer: these scripts are not Moreau's.
 * @type {Record<string, string>}
 */
const SILENT = {
  'an empty script': '',
  'one that hangs': 'while (true);',
  'one that hears and says nothing': "require('worker_threads').parentPort.on('message', () => {})",
  'one of something else': `
    const { parentPort } = require('worker_threads')
    for (const word of ['ready', null, 5, { answers: 3 }, new ArrayBuffer(3)]) parentPort.postMessage(word)
    parentPort.on('message', () => parentPort.postMessage({ answers: [{ ticket: 1, value: 'no' }] }))`,
}
/** In how many parts the time is waited for. */
const PARTS = 8
const BUSY = moduleOf(`
  export const wait = (memory, place) => void Atomics.wait(memory, place, 0)
  export const hang = () => { while (true); }
  export const one = () => 1`)

describe('a worker that does not answer', () => {
  /** @type {ReturnType<typeof ownTimers>} */
  let timers
  beforeEach(() => (timers = ownTimers()))
  afterEach(() => timers.restore())

  for (const [name, script] of Object.entries(SILENT)) {
    test(`is refused by World.create after its time: ${name}`, async () => {
      // The empty script would end, which is told at once: it is kept.
      const text = `setInterval(() => {}, 1000); ${script}`
      const worker = () => new Worker(text, { eval: true })
      const made = World.create({}, { worker })
      const message = /could not be started.*not answered for 30 s.*timeout/
      const refused = assert.rejects(made, { name: 'MoreauError', code: 'worker-failed', message })
      let isOver = false
      const over = refused.finally(() => (isOver = true))
      await until(() => (timers.wake(), isOver), 'the end')
      await over
    })
  }

  test('is refused where it is no worker at all', async () => {
    const worker = () => ({ postMessage() {}, terminate() {} })
    const refused = assert.rejects(World.create({}, { worker, timeout: 5 }), {
      code: 'worker-failed',
    })
    await until(() => timers.delays.length > 0, 'the timer')
    assert.deepEqual(timers.delays, [5000 / PARTS])
    timers.wake(PARTS)
    await refused
  })

  test('is refused at once where it is of another version', async () => {
    const text = SCRIPT.replaceAll('moreau 0.', 'moreau 9.')
    assert.notEqual(text, SCRIPT)
    const worker = () => new Worker(text, { eval: true })
    const message = /moreau 9\..*moreau 0\..*worker-script/
    const made = World.create({}, { worker, timeout: Infinity })
    await assert.rejects(made, { code: 'worker-failed', message })
  })

  test('is refused by every later call that waits, and restart goes on', async () => {
    const world = await World.create({}, { functions: BUSY })
    /** @type {string[]} */
    const crashes = []
    world.on('crash', ({ message }) => crashes.push(message))
    const history = await world.history({ seconds: 1 })
    ballOver(world, 5)
    await world.step(DT)
    const error = { code: 'worker-failed', message: /not answered for 30 s.*restart/ }
    const waiting = [
      ...[world.call('hang'), world.step(DT), world.hash(), world.islands(), history.bytes],
    ].map((one) => assert.rejects(one, error))
    timers.wake(PARTS)
    await Promise.all(waiting)
    assert.equal(world.isCrashed, true)
    assert.equal(crashes.length, 1)
    await assert.rejects(world.step(DT), error)
    await world.restart()
    await world.step(DT)
    assert.equal(await world.call('one'), 1)
    assert.deepEqual(timers.delays, [], 'nobody waits')
    world.free()
  })

  test('is told of by advance, for which nobody waits', async () => {
    const world = await World.create({}, { functions: BUSY })
    for (let i = 0; i < 2; i++) world.createBody({ shape: SPHERE, position: [0.5 * i, 0, 0] })
    world.contactFilter = 'hang'
    for (let i = 0; i < 20; i++) world.advance(DT)
    assert.equal(world.isLate, true)
    timers.wake(PARTS)
    assert.throws(() => world.advance(DT), { code: 'worker-failed', message: /not answered/ })
    world.free()
  })

  test('in time is not refused, however many calls there are before it', async () => {
    const world = await World.create({}, { functions: BUSY })
    const memory = new Int32Array(new SharedArrayBuffer(16))
    const calls = [0, 1, 2, 3].map((i) => world.call('wait', memory, i))
    for (const [i, call] of calls.entries()) {
      timers.wake(PARTS - 1)
      Atomics.store(memory, i, 1)
      Atomics.notify(memory, i)
      await call
    }
    assert.equal(world.isCrashed, false)
    world.free()
  })

  test('loses one part of its time while this thread sleeps, however long', () => {
    let over = 0
    const patience = new Patience(1, () => over++)
    patience.begin()
    timers.wake(PARTS - 1)
    assert.equal(over, 0)
    timers.wake()
    assert.equal(over, 1)
    for (const seconds of [Infinity, 1e9]) new Patience(seconds, () => over++).begin()
    assert.deepEqual(timers.delays, [])
  })

  test('has a time that is checked', async () => {
    for (const timeout of [0, -1, NaN, '30', null]) {
      const made = World.create({}, /** @type {any} */ ({ timeout }))
      await assert.rejects(made, { code: 'invalid-argument', message: /timeout.*seconds above 0/ })
    }
  })
})

describe('a page that is away', () => {
  test('asks for no more steps than `maxSteps` when it comes back', async () => {
    const world = await World.create()
    ballOver(world, 3)
    assert.equal(world.advance(DT), 1)
    assert.equal(world.advance(30), 8)
    assert.ok(world.isLate)
    await world.hash()
    assert.equal(world.stepCount, 9)
    world.free()
  })

  test('is told of the last 600 steps, and of all joints that broke', () => {
    const untold = new Untold()
    const steps = Array.from({ length: 1800 }, (_, i) => ({
      ...noEvents(),
      contact: [{ step: i }],
      joint: i % 500 === 7 ? [{ joint: i }] : [],
    }))
    for (const step of steps) untold.add([step])
    const [first, ...others] = untold.take()
    assert.deepEqual(first, {
      ...noEvents(),
      joint: [{ joint: 7 }, { joint: 507 }, { joint: 1007 }],
    })
    assert.deepEqual(others, steps.slice(1200))
    assert.ok(untold.isEmpty)
    assert.deepEqual(untold.take(), [])
  })
})

describe('many worlds', () => {
  test('at once are each their own', async () => {
    const worlds = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        World.create({ gravity: [0, -i, 0] }, { transport: TRANSPORTS[i % 2] }),
      ),
    )
    const local = await LocalWorld.create()
    for (const world of worlds) ballOver(world, 50)
    const hashes = await Promise.all(
      worlds.map(async (world) => {
        for (let i = 0; i < 5; i++) await world.step(DT)
        return world.hash()
      }),
    )
    assert.equal(new Set(hashes).size, 20)
    ballOver(local, 50)
    local.gravity = [0, -7, 0]
    for (let i = 0; i < 5; i++) local.step(DT)
    assert.equal(hashes[7], local.hash())
    for (const world of worlds) world.free()
    local.free()
  })
})

describe('messages', () => {
  test('with the clock of the worker and shared memory there are none', async () => {
    const { count, worker } = counted()
    const world = await World.create({}, { worker, transport: 'shared', snapshotEvery: 0 })
    ballOver(world, 5)
    await world.step(DT)
    world.start()
    const before = { ...count }
    const { stepCount } = world
    const out = new Float32Array(world.transforms.length)
    await until(
      () => (world.update(), world.interpolate(out), world.stepCount > stepCount + 20),
      'frames',
    )
    assert.deepEqual(count, before)
    world.free()
  })

  test('with advance and shared memory there is one number for each step', async () => {
    const { count, worker } = counted()
    const world = await World.create({}, { worker, transport: 'shared', snapshotEvery: 0 })
    ballOver(world, 5)
    await world.step(DT)
    const before = { ...count }
    for (let i = 0; i < 20; i++) {
      world.advance(DT)
      await until(() => (world.update(), world.stepsBehind === 0), 'the frame')
    }
    assert.deepEqual(count, { ...before, sent: before.sent + 20 })
    world.free()
  })

  test('with buffers that go back and forth there is one buffer each way', async () => {
    const { count, worker } = counted()
    const world = await World.create({}, { worker, transport: 'transferred', snapshotEvery: 0 })
    ballOver(world, 5)
    await world.step(DT)
    for (let i = 0; i < 3; i++) await world.step(DT)
    const before = { ...count }
    for (let i = 0; i < 20; i++) {
      world.advance(DT) // the buffer of the frame before goes with the step
      const { heard } = count
      await until(() => count.heard > heard, 'the frame')
    }
    assert.equal(count.heard, before.heard + 20)
    assert.equal(count.sent, before.sent + 20)
    assert.equal(count.objects, before.objects)
    world.free()
  })

  test('with buffers and the clock of the worker there are buffers alone', async () => {
    const { count, worker } = counted()
    const world = await World.create({}, { worker, transport: 'transferred', snapshotEvery: 0 })
    ballOver(world, 5)
    await world.step(DT)
    world.start()
    const before = { ...count }
    const { stepCount } = world
    await until(() => (world.update(), world.stepCount > stepCount + 20), 'frames')
    assert.equal(count.objects, before.objects)
    assert.ok(count.sent - before.sent <= count.heard - before.heard + 3)
    world.free()
  })
})
