/**
 * Histories: a world goes back to what it was after any of its last steps, and on from there.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { HISTORY_SCENES, pileOfCubes } from '../../bench/history-scenes.mjs'
import { History, init, World } from 'moreau'
import { refused } from './support.mjs'

const DT = 1 / 60
const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.25, 0.25, 0.25] })

before(() => init())

/** @param {World} world @param {number} count */
function run(world, count) {
  for (let i = 0; i < count; i++) world.step(DT)
  return world.hash()
}

/** @param {number} count */
const pile = (count) => pileOfCubes(World, count)

describe('A141: history({ seconds: 1 }) of a pile of 500 cubes that falls', () => {
  const start = () => {
    const world = pile(500)
    const history = world.history({ seconds: 1 })
    return { world, history, end: run(world, 120) }
  }

  test('ten steps back and forth have the same hash, with another force another one', () => {
    const { world, history, end } = start()
    history.rewind(10)
    assert.equal(world.stepCount, 110)
    assert.equal(run(world, 10), end)
    history.rewind(10)
    world.bodies[250].applyForce([100, 0, 0])
    assert.notEqual(run(world, 10), end)
    history.rewind(10)
    assert.equal(run(world, 10), end)
    world.free()
  })

  test('goes back a second and no further', () => {
    const { world, history, end } = start()
    assert.deepEqual(history.frames, { first: 60, last: 120 })
    for (const steps of [61, -1, 0.5, NaN, '3', undefined]) {
      refused(() => history.rewind(/** @type {any} */ (steps)), 'invalid-argument', /steps/)
    }
    for (const frame of [59, 121, 60.5, null]) {
      refused(() => history.seek(/** @type {any} */ (frame)), 'invalid-argument', /60 to 120/)
    }
    assert.equal(world.hash(), end)
    history.rewind(60)
    assert.equal(run(world, 60), end)
    world.free()
  })

  test('brings a body that was destroyed back, with its old handle', () => {
    const { world, history } = start()
    const [body, other] = [world.bodies[30], world.bodies[31]]
    body.userData = 'mine'
    const { position } = body
    const later = run(world, 5)
    body.destroy()
    run(world, 10)
    const newer = world.createBody({ shape: cube, position: [9, 1, 9] })
    run(world, 1)
    history.seek(120)
    assert.ok(body.isAlive && !newer.isAlive)
    assert.deepEqual([body.position, body.userData], [position, 'mine'])
    assert.equal(world.bodies[30], body)
    assert.equal(world.bodies[31], other)
    assert.equal(run(world, 5), later)
    world.free()
  })

  test('allocates nothing of its own once the ring is full', () => {
    /** @param {World} world @returns {number} what the steps after the first seconds allocate */
    const allocatedBy = (world) => {
      run(world, 300)
      const { allocations } = world.memory()
      run(world, 30)
      return world.memory().allocations - allocations
    }
    // A pile that is still moving makes room for contacts now and then.
    const bare = pile(500)
    const byWorld = allocatedBy(bare)
    bare.free()
    const world = pile(500)
    const history = world.history({ seconds: 1 })
    assert.equal(allocatedBy(world), byWorld)
    for (let i = 0; i < 2; i++) {
      history.rewind(10)
      run(world, 10)
    }
    const { bytes } = world.memory()
    for (let i = 0; i < 5; i++) {
      history.rewind(10)
      run(world, 10)
      assert.equal(world.memory().bytes, bytes, 'bytes held after going back and forth')
    }
    world.free()
  })
})

describe('A142: 120 steps, 10 back and forth', () => {
  for (const [name, make] of Object.entries(HISTORY_SCENES)) {
    test(name, () => {
      const world = make(World)
      const history = world.history({ frames: 60 })
      const end = run(world, 120)
      for (let i = 0; i < 3; i++) {
        history.rewind(10)
        assert.equal(run(world, 10), end)
      }
      world.free()
    })
  }

  test('a pyramid that sleeps takes less than 10 % of 60 snapshots', () => {
    const world = HISTORY_SCENES['pyramid of 496 cubes'](World)
    for (let i = 0; i < 1200 && world.awakeCount > 0; i++) world.step(DT)
    assert.equal(world.awakeCount, 0)
    const history = world.history({ frames: 60 })
    run(world, 200)
    assert.deepEqual(history.frames, { first: world.stepCount - 60, last: world.stepCount })
    const snapshots = 60 * world.snapshot().length
    assert.ok(history.bytes < 0.1 * snapshots, `${history.bytes} bytes beside ${snapshots}`)
    world.free()
  })
})

describe('frames', () => {
  test('each is the state after its step, sought in any order', () => {
    const world = pile(40)
    const history = world.history({ frames: 300 })
    const hashes = [world.hash()]
    for (let i = 0; i < 200; i++) hashes.push(run(world, 1))
    assert.deepEqual(history.frames, { first: 0, last: 200 })
    for (let i = 0; i < 100; i++) {
      const frame = (i * 7919) % 201
      history.seek(frame)
      assert.equal(world.hash(), hashes[frame], `frame ${frame}`)
      assert.equal(world.stepCount, frame)
    }
    world.free()
  })

  test('stay until the next step, with which what came later goes', () => {
    const world = pile(30)
    const history = world.history({ seconds: 5 })
    const end = run(world, 60)
    history.seek(20)
    assert.deepEqual(history.frames, { first: 0, last: 60 })
    history.seek(60)
    assert.equal(world.hash(), end)
    history.seek(20)
    world.bodies[3].applyImpulse([5, 0, 0])
    run(world, 3)
    assert.deepEqual(history.frames, { first: 0, last: 23 })
    const other = world.hash()
    history.rewind(2)
    assert.equal(run(world, 2), other)
    refused(() => history.seek(24), 'invalid-argument', /0 to 23/)
    world.free()
  })

  test('have bodies and joints that come and go', () => {
    const world = pile(20)
    const history = world.history({ frames: 200 })
    const hashes = [world.hash()]
    /** @type {number[][]} */
    const ids = [world.bodies.map(({ id }) => id)]
    for (let i = 0; i < 150; i++) {
      if (i % 5 === 1) world.createBody({ shape: cube, position: [i % 3, 4, 0] })
      if (i % 7 === 3) world.bodies[1 + ((i * 31) % (world.bodies.length - 1))].destroy()
      if (i % 11 === 4) {
        const [bodyA, bodyB] = world.bodies.slice(-2)
        world.createJoint({ type: 'rope', bodyA, bodyB, length: 3 })
      }
      hashes.push(run(world, 1))
      ids.push(world.bodies.map(({ id }) => id))
    }
    for (let i = 0; i < 60; i++) {
      const frame = (i * 97) % 151
      history.seek(frame)
      assert.equal(world.hash(), hashes[frame])
      assert.deepEqual(
        world.bodies.map(({ id }) => id),
        ids[frame],
      )
    }
    world.free()
  })

  test('go on after a restore of the user, from there', () => {
    const world = pile(20)
    const history = world.history({ frames: 100 })
    run(world, 30)
    const bytes = world.snapshot()
    const end = run(world, 10)
    world.restore(bytes)
    assert.equal(run(world, 10), end)
    assert.deepEqual(history.frames, { first: 0, last: 40 })
    history.seek(35)
    assert.equal(run(world, 5), end)
    const other = new World()
    other.restore(bytes)
    const younger = other.history({ frames: 100 })
    assert.deepEqual(younger.frames, { first: 30, last: 30 })
    run(other, 3)
    const late = world.snapshot()
    other.restore(late) // a jump: what was before it belongs to nothing
    run(other, 2)
    assert.deepEqual(younger.frames, { first: 41, last: 42 })
    world.free()
    other.free()
  })

  test('go within a limit of memory, the last one stays', () => {
    const world = pile(60)
    const memory = 400_000
    const history = world.history({ memory })
    const hashes = [world.hash()]
    for (let i = 0; i < 150; i++) {
      hashes.push(run(world, 1))
      assert.ok(history.bytes <= memory, `${history.bytes} bytes`)
    }
    const { first, last } = history.frames
    assert.ok(first > 0 && last === 150 && last - first > 4, `${first} to ${last}`)
    history.seek(first)
    assert.equal(world.hash(), hashes[first])
    const tiny = world.history({ memory: 1 })
    run(world, 3)
    assert.deepEqual(tiny.frames, { first: first + 3, last: first + 3 })
    world.free()
  })

  test('are known to events and the clock as after a restore', () => {
    const world = pile(10)
    const history = world.history({ frames: 20 })
    let told = 0
    world.on('contact', () => told++)
    for (let i = 0; i < 14; i++) world.advance(1.4 * DT)
    assert.ok(told > 0 && world.interpolation > 0.5)
    const { stepCount } = world
    history.rewind(5)
    assert.equal(world.interpolation, 0)
    assert.deepEqual(world.contactEvents.begin, [])
    assert.ok(Math.abs(world.time - (stepCount - 5) * DT) < 1e-12)
    world.free()
  })
})

describe('what is refused', () => {
  test('options', () => {
    const world = pile(1)
    for (const options of [
      ...[undefined, null, 3, {}, { second: 1 }, { seconds: 0 }, { seconds: -1 }, { seconds: '1' }],
      ...[{ frames: 0 }, { frames: 1.5 }, { memory: 0 }, { memory: NaN }],
    ]) {
      refused(() => world.history(/** @type {any} */ (options)), 'invalid-argument', /^history: /)
    }
    refused(() => new /** @type {any} */ (History)(), 'invalid-argument')
    world.free()
  })

  test('going back within functions that the engine calls, and in listeners', () => {
    const world = pile(10)
    const history = world.history({ frames: 20 })
    run(world, 5)
    /** @type {unknown[]} */
    const codes = []
    const attempt = () => {
      for (const call of [() => history.seek(1), () => history.rewind(1)]) {
        try {
          call()
        } catch (error) {
          codes.push(/** @type {import('moreau').MoreauError} */ (error).code)
        }
      }
    }
    world.contactFilter = () => (attempt(), true)
    run(world, 1)
    world.contactFilter = null
    const inFilter = codes.length
    const end = world.on('contact', attempt)
    run(world, 20)
    end()
    assert.ok(inFilter > 0 && codes.length > inFilter)
    assert.deepEqual(new Set(codes), new Set(['world-locked']))
    history.seek(10)
    world.free()
  })

  test('anything after the end, of the history or of the world', () => {
    const world = pile(10)
    const [one, other] = [world.history({ frames: 5 }), world.history({ seconds: 1 })]
    run(world, 3)
    const { bytes } = world.memory()
    one.free()
    one.free()
    assert.ok(world.memory().bytes < bytes)
    run(world, 3)
    assert.deepEqual(other.frames, { first: 0, last: 6 })
    world.free()
    for (const history of [one, other]) {
      for (const call of [
        () => history.frames,
        () => history.bytes,
        () => history.seek(3),
        () => history.rewind(0),
      ]) {
        refused(call, 'stale-handle')
      }
    }
    refused(() => world.history({ frames: 1 }), 'stale-handle')
  })

  test('misspelt properties; what it prints says what there is', () => {
    const world = pile(1)
    const history = world.history({ frames: 5 })
    const loose = /** @type {any} */ (history)
    assert.throws(() => (loose.frame = 3), /did you mean 'frames'/)
    assert.match(inspect(history), /^History \{ first: 0, last: 0, bytes: \d+ \}$/)
    world.free()
    assert.equal(inspect(history), 'History { isAlive: false }')
    assert.equal(history.isAlive, false)
  })

  test('a step that it cannot keep is not made: a wheel has a force of NaN', () => {
    const world = pile(2)
    const chassis = world.bodies[1]
    const car = world.createVehicle({ chassis, wheels: [{ position: [0, 0, 0.3] }] })
    const history = world.history({ frames: 20 })
    run(world, 5)
    const start = world.hash()
    car.wheels[0].maxForce = NaN
    refused(
      () => world.step(DT),
      'invalid-argument',
      /^step: history: wheels\[0\]\.maxForce .* NaN/,
    )
    assert.equal(world.hash(), start)
    assert.deepEqual(history.frames, { first: 0, last: 5 })
    car.wheels[0].maxForce = 100
    run(world, 1)
    history.rewind(1)
    assert.equal(world.hash(), start)
    world.free()
  })

  test('a step of a listener that throws is kept, too', () => {
    const world = pile(10)
    const history = world.history({ frames: 50 })
    const end = world.on('contact', () => {
      throw new Error('mine')
    })
    let thrown = 0
    for (let i = 0; i < 20; i++) {
      try {
        world.step(DT)
      } catch (error) {
        assert.match(String(error), /mine/)
        thrown++
      }
    }
    end()
    assert.ok(thrown > 0)
    assert.deepEqual(history.frames, { first: 0, last: 20 })
    world.free()
  })
})
