/**
 * Recordings: what happened to a world happens again in another one, step for step with the same hash; what comes out
 * differently is named.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { init, MoreauError, World } from 'moreau'
import { fillRoom, keysOf, playFrame, randomFrom } from '../../bench/churn.mjs'
import { CHANGES, READS } from '../../bindings/state/calls.mjs'
import * as frame from '../../bindings/state/frame.mjs'
import { refused } from './support.mjs'

const DT = 1 / 60
const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.25, 0.25, 0.25] })

before(() => init())

/**
 * A recording, and the hash of its world at the end.
 * @param {(world: World) => void} setup
 * @param {(world: World, step: number) => void} play before each step
 * @param {number} steps
 * @param {import('moreau').WorldOptions} [options]
 */
function recorded(setup, play, steps, options) {
  const world = new World(options)
  setup(world)
  const recording = world.record()
  for (let step = 1; step <= steps; step++) {
    play(world, step)
    world.step(DT)
  }
  const hash = world.hash()
  const bytes = recording.stop()
  assert.ok(recording.steps >= steps)
  world.free()
  return { bytes, hash }
}

/** @param {{ bytes: Uint8Array, hash: string }} recording @param {import('moreau').ReplayOptions} [options] */
function checkReplay({ bytes, hash }, options) {
  const { world, divergence } = World.replay(bytes, options)
  assert.equal(divergence?.message, undefined)
  assert.equal(world.hash(), hash)
  return world
}

describe('A139: 200 steps with forces, creates, destroys and changes of gravity', () => {
  /** @param {World} world */
  function setup(world) {
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    for (let i = 0; i < 12; i++) {
      world.createBody({ shape: cube, position: [0.6 * (i % 4), 0.3 + 0.6 * (i >> 2), 0] })
    }
  }

  /** @param {World} world @param {number} step */
  function play(world, step) {
    const random = randomFrom(step)
    const { bodies } = world
    const body = bodies[1 + Math.floor(random() * (bodies.length - 1))]
    body.applyForce([20 * random(), 30 * random(), 0], [0.1, 0, 0])
    if (step % 7 === 0) world.createBody({ shape: cube, position: [random(), 3, random()] })
    if (step % 11 === 0) body.destroy()
    if (step % 50 === 0) world.gravity = [random(), -9 - random(), 0]
    if (step % 23 === 0) bodies[bodies.length - 1].linearVelocity = [0, 2, 0]
  }

  for (const solver of /** @type {const} */ (['soft-step', 'block-pgs', 'exact', 'auto'])) {
    test(`comes out the same: ${solver}`, () => {
      checkReplay(recorded(setup, play, 200, { solver })).free()
    })

    test(`a force that is 1e-9 larger in step 57 is named: ${solver}`, () => {
      const { bytes } = recorded(setup, play, 200, { solver })
      let id = 0
      const { world, steps, divergence } = World.replay(bytes, {
        beforeStep(one, step) {
          if (step !== 57) return
          const body = one.bodies[5]
          id = body.id
          body.applyForce([1e-9, 0, 0])
        },
      })
      assert.ok(divergence)
      assert.deepEqual([divergence.step, steps], [57, 57])
      const [{ kind, id: named, field }] = divergence.differences
      assert.deepEqual([kind, named], ['body', id])
      assert.match(field, /^force/)
      assert.match(divergence.message, new RegExp(`^step 57: body ${id}: force`))
      world.free()
    })
  }

  test('a force that was another one in the recording', () => {
    const { bytes } = recorded(setup, play, 80)
    const text = new TextDecoder('latin1').decode(bytes)
    assert.ok(text.includes('"body_apply_force"'))
    const { divergence, world } = World.replay(bytes, {
      beforeStep: (one, step) => void (step === 20 && (one.gravity = [0, -9.8, 0])),
    })
    assert.equal(divergence?.step, 20)
    assert.equal(divergence?.differences[0].kind, 'world')
    assert.match(divergence?.differences[0].field ?? '', /^settings.gravity/)
    world.free()
  })
})

describe('a replay', () => {
  test('of a churning room, from several key frames', () => {
    const world = new World()
    fillRoom(world, 60)
    const recording = world.record({ keyframes: 25 })
    for (let i = 0; i < 120; i++) {
      playFrame(world, keysOf(i), i)
      world.step(DT)
    }
    const bytes = recording.stop()
    checkReplay({ bytes, hash: world.hash() }).free()
    let id = 0
    const { divergence, world: other } = World.replay(bytes, {
      beforeStep(one, step) {
        if (step !== 111) return
        const body = one.bodies[40]
        id = body.id
        body.applyImpulse([1e-3, 0, 0])
      },
    })
    assert.equal(divergence?.step, 111)
    const [{ kind, id: named, field }] = divergence.differences
    assert.deepEqual([kind, named], ['body', id])
    assert.match(field, /^linearVelocity/)
    other.free()
    world.free()
  })

  test('of everything else that changes a world', () => {
    /** @type {import('moreau').Body} */ let box
    /** @type {import('moreau').Joint} */ let hinge
    /** @type {import('moreau').Potential} */ let field
    /** @type {import('moreau').Vehicle} */ let car
    /** @type {import('moreau').Character} */ let walker
    /** @type {Uint8Array} */ let start
    /** @type {((world: World) => void)[]} */
    const acts = [
      (world) => (box = world.createBody({ shape: cube, position: [0, 1, 0] })),
      () => box.addShape({ type: 'sphere', radius: 0.3, position: [0.3, 0, 0] }),
      () => box.replaceShape(0, { type: 'capsule', radius: 0.2, halfHeight: 0.2 }),
      () => (box.shapes = [cube, { type: 'cylinder', radius: 0.2, halfHeight: 0.3 }]),
      () => box.removeShape(1),
      (world) => {
        hinge = world.createJoint({ type: 'hinge', bodyA: box, anchor: [0, 1, 0], axis: [0, 0, 1] })
      },
      () => (hinge.motor = { targetVelocity: 3, maxForce: 10 }),
      () => (hinge.limits = [-1, 1]),
      () => (hinge.breakForce = 1e5),
      (world) => (field = world.createPotential({ type: 'gravity', gravity: [1, 0, 0] })),
      () => field.update({ gravity: [0, 0, 2] }),
      () => (box.mass = 3),
      () => (box.friction = 0.1),
      () => (box.orientation = [0, 0.6, 0, 0.8]),
      () => box.applyTorque([1, 2, 3]),
      () => box.applyAngularImpulse([0.1, 0, 0]),
      (world) => world.explode({ position: [0, 0.5, 0], radius: 2, falloff: 1, impulse: 3 }),
      (world) => {
        const chassis = world.createBody({
          shape: { type: 'box', halfExtents: [1, 0.2, 0.5] },
          mass: 500,
          position: [5, 0.6, 0],
        })
        const wheels = [-0.8, 0.8].flatMap((x) =>
          [-0.4, 0.4].map((z) => ({ position: /** @type {const} */ ([x, 0, z]) })),
        )
        car = world.createVehicle({ chassis, wheels })
      },
      () => (car.wheels[0].engineForce = 800),
      (world) => {
        const shape = /** @type {const} */ ({ type: 'capsule', radius: 0.3, halfHeight: 0.5 })
        walker = world.createCharacter({ shape, position: [-0.9, 0.85, 0], pushForce: 1e4 })
      },
      (world) => (world.solver = 'block-pgs'),
      (world) => (start = world.snapshot()),
      () => field.destroy(),
      () => hinge.destroy(),
      (world) => world.restore(start),
      (world) => (world.solver = 'soft-step'),
      () => (box.type = 'kinematic'),
      () => box.moveTo({ position: [1, 1, 0] }, 0.3),
      () => box.sleep(),
      () => box.wake(),
      (world) => world.advance(DT),
    ]
    const recording = recorded(
      (world) => void world.createBody({ type: 'static', shape: { type: 'plane' } }),
      (world, step) => {
        if (step % 4 === 0) acts[step / 4 - 1]?.(world)
        car?.update(DT)
        walker?.move([0.02, 0, 0], DT)
      },
      4 * acts.length + 20,
    )
    const world = checkReplay(recording)
    const copy = new World()
    copy.restore(world.snapshot())
    assert.equal(copy.hash(), world.hash())
    assert.deepEqual(
      world.bodies.map(({ shapes }) => shapes.map(({ type }) => type)),
      copy.bodies.map(({ shapes }) => shapes.map(({ type }) => type)),
    )
    copy.free()
    world.free()
  })

  test('finds functions by their names', () => {
    const evaluate = (
      /** @type {any} */ a,
      /** @type {any} */ _b,
      /** @type {any} */ _t,
      /** @type {any} */ out,
    ) => void (out[0] = (a.position[0] ** 2 + a.position[1] ** 2 - 1) / 2)
    const force = (/** @type {any} */ body, /** @type {any} */ _t, /** @type {any} */ out) =>
      void (out[0] = -3 * body.worldCenterOfMass[0])
    const contactFilter = (/** @type {import('moreau').ContactPair} */ { bodyA, bodyB }) =>
      (bodyA.id + bodyB.id) % 3 !== 0
    const contactModifier = (/** @type {import('moreau').ContactPair} */ pair) =>
      void (pair.friction = 0.05)
    const recording = recorded(
      (world) => {
        world.createBody({ type: 'static', shape: { type: 'plane' } })
        world.contactModifier = contactModifier
      },
      (world, step) => {
        if (step === 3) world.contactModifier = null
        if (step % 10 === 1) world.createBody({ shape: cube, position: [1, 0.5, 0] })
        const [, bead] = world.bodies
        if (step === 5) {
          world.createConstraint({
            ...{ type: 'custom', typeName: 'wire', bodies: [bead], dimension: 1, evaluate },
          })
        }
        if (step === 8) world.createPotential({ type: 'custom', typeName: 'pull', force })
        if (step === 12) world.contactFilter = contactFilter
        if (step === 20) world.contactModifier = contactModifier
        if (step === 30) world.contactModifier = null
      },
      60,
    )
    const constraints = { wire: { evaluate } }
    const potentials = { pull: { force } }
    checkReplay(recording, { constraints, potentials, contactFilter, contactModifier }).free()
    for (const [options, message] of /** @type {[object, RegExp][]} */ ([
      [{}, /contactModifier/],
      [{ contactModifier }, /'wire'/],
      [{ contactModifier, constraints }, /'pull'/],
      [{ contactModifier, constraints, potentials }, /contactFilter/],
    ])) {
      refused(() => World.replay(recording.bytes, options), 'bad-snapshot', message)
    }
  })

  test('names a call that is refused', () => {
    const { bytes } = recorded(
      (world) => void world.createBody({ shape: cube }),
      (world, step) => void (step === 6 && world.bodies[0].applyForce([1, 0, 0])),
      10,
    )
    const { divergence, world } = World.replay(bytes, {
      beforeStep: (one, step) => void (step === 5 && one.bodies[0].destroy()),
    })
    assert.equal(divergence?.step, 5)
    assert.deepEqual(
      [divergence?.differences[0].kind, divergence?.differences[0].field],
      ['body', 'exists'],
    )
    world.free()
  })

  test('with a hash every ten steps', () => {
    const world = new World()
    world.createBody({ shape: cube })
    const recording = world.record({ every: 10 })
    for (let i = 0; i < 35; i++) world.step(DT)
    const { divergence, world: other } = World.replay(recording.stop(), {
      beforeStep: (one, step) => void (step === 13 && one.bodies[0].applyForce([1, 0, 0])),
    })
    assert.equal(divergence?.step, 20)
    other.free()
    world.free()
  })

  test('says so where steps have other bits, and what differs at the next key frame', () => {
    const world = new World()
    world.createBody({ shape: cube, linearVelocity: [1, 0, 0] })
    const recording = world.record({ keyframes: 5 })
    for (let i = 0; i < 20; i++) world.step(DT)
    const bytes = recording.stop()
    // The hash of step 3 is another one, as that of an engine with other bits.
    const other = otherHash(bytes, 3)
    const { divergence, world: copy } = World.replay(other)
    assert.equal(divergence?.step, 3)
    assert.match(divergence?.message ?? '', /step 3: steps have other bits here/)
    copy.free()
    world.free()
  })
})

/** @param {Uint8Array} bytes @param {number} step */
function otherHash(bytes, step) {
  const world = new World()
  const { divergence, world: made } = World.replay(bytes)
  assert.equal(divergence, undefined)
  made.free()
  world.free()
  return rewritten(bytes, (tape) => {
    const steps = tape.entries.filter((/** @type {any[]} */ [kind]) => kind === 'step')
    steps[step - 1][2] = '0123456789abcdef'
  })
}

/** @param {Uint8Array} bytes @param {(tape: any) => void} change */
function rewritten(bytes, change) {
  const { engine, roster } = frame.readFrame('recording', bytes, 'bytes')
  const tape = JSON.parse(new TextDecoder().decode(roster.bytes))
  change(tape)
  const encoded = /** @type {const} */ ([
    frame.encodeRoster(JSON.stringify(tape)),
    frame.NO_CONTROLS,
  ])
  const out = new Uint8Array(frame.frameLength(engine.length, encoded))
  frame.writeFrame('recording', engine, encoded, out)
  return out
}

describe('recordings', () => {
  const make = () => {
    const world = new World()
    world.createBody({ shape: cube })
    return world
  }

  test('change nothing of their world', () => {
    const [plain, watched] = [new World(), new World()]
    for (const world of [plain, watched]) fillRoom(world, 30)
    const recording = watched.record()
    for (let i = 0; i < 60; i++) {
      for (const world of [plain, watched]) {
        playFrame(world, keysOf(i), i)
        world.step(DT)
      }
      assert.equal(watched.hash(), plain.hash())
    }
    recording.stop()
    plain.free()
    watched.free()
  })

  test('of two worlds at a time are apart', () => {
    const worlds = [make(), make()]
    const recordings = worlds.map((world) => world.record())
    for (let i = 0; i < 20; i++) {
      worlds[0].bodies[0].applyForce([i, 0, 0])
      for (const world of worlds) world.step(DT)
    }
    const [one, two] = recordings.map((recording) => recording.stop())
    checkReplay({ bytes: one, hash: worlds[0].hash() }).free()
    checkReplay({ bytes: two, hash: worlds[1].hash() }).free()
    for (const world of worlds) world.free()
  })

  test('are made in moreau/threads, too', async () => {
    const threads = await import('moreau/threads')
    await threads.init({ threads: 2 })
    const world = new threads.World()
    fillRoom(world, 40)
    const recording = world.record()
    for (let i = 0; i < 30; i++) {
      playFrame(world, keysOf(i), i)
      world.step(DT)
    }
    const bytes = recording.stop()
    checkReplay({ bytes, hash: world.hash() }).free()
    const { divergence, world: copy } = threads.World.replay(bytes)
    assert.equal(divergence, undefined)
    copy.free()
    world.free()
  })

  test('are as docs/rollback.md shows them', () => {
    const page = readFileSync(new URL('../../docs/rollback.md', import.meta.url), 'utf8')
    const [, example] = /## Recordings.*?```js\n(.*?)```/s.exec(page) ?? []
    const world = new World()
    fillRoom(world, 5)
    const play = (/** @type {World} */ one, /** @type {number} */ i) => playFrame(one, keysOf(i), i)
    const run = new Function('World', 'world', 'play', `${example}; return { bytes, divergence }`)
    const { bytes, divergence } = run(World, world, play)
    assert.equal(divergence, undefined)
    checkReplay({ bytes, hash: world.hash() }).free()
    world.free()
  })

  test('end once, and begin again', () => {
    const world = make()
    const recording = world.record()
    refused(() => world.record(), 'invalid-argument', /being recorded already/)
    world.step(DT)
    const bytes = recording.stop()
    world.step(DT)
    assert.equal(recording.stop(), bytes)
    assert.equal(recording.steps, 1)
    const again = world.record()
    world.step(DT)
    checkReplay({ bytes: again.stop(), hash: world.hash() }).free()
    const last = world.record()
    world.free()
    refused(() => last.stop(), 'stale-handle', /freed/)
    refused(() => world.record(), 'stale-handle', /freed/)
  })

  test('note nothing of calls that were refused', () => {
    const world = make()
    const recording = world.record()
    world.step(DT)
    assert.throws(() => world.createBody({ shape: cube, mass: -1 }))
    assert.throws(() => (world.bodies[0].mass = NaN))
    assert.throws(() => world.step(-1))
    world.step(DT)
    checkReplay({ bytes: recording.stop(), hash: world.hash() }).free()
    world.free()
  })

  test('go on where no snapshot can be had', () => {
    const world = make()
    const wheels = [{ position: /** @type {const} */ ([0, 0, 0]) }]
    const car = world.createVehicle({ chassis: world.bodies[0], wheels })
    const recording = world.record({ keyframes: 1 })
    car.wheels[0].compression = NaN
    for (let i = 0; i < 5; i++) world.step(DT)
    car.wheels[0].compression = 0
    checkReplay({ bytes: recording.stop(), hash: world.hash() }).free()
    world.free()
  })

  test('and bytes that are none are refused', () => {
    const world = make()
    const any = /** @type {any} */ (world)
    refused(() => any.record(3), 'invalid-argument', /options/)
    refused(() => any.record({ each: 3 }), 'invalid-argument', /'each'/)
    refused(() => any.record({ every: 0 }), 'invalid-argument', /every/)
    refused(() => any.record({ keyframes: 0.5 }), 'invalid-argument', /keyframes/)
    const recording = world.record()
    world.step(DT)
    const bytes = recording.stop()
    for (const bad of [world.snapshot(), new Uint8Array(10), bytes.subarray(1)]) {
      refused(() => World.replay(bad), 'bad-snapshot', /bytes/)
    }
    for (const bad of ['text', null, undefined, bytes.buffer]) {
      refused(() => World.replay(/** @type {any} */ (bad)), 'invalid-argument', /a Uint8Array/)
    }
    const damaged = bytes.slice()
    damaged[damaged.length - 9] ^= 1
    refused(() => World.replay(damaged), 'bad-snapshot', /damaged/)
    for (const options of [3, { before: 1 }, { beforeStep: 3 }]) {
      refused(
        () => World.replay(bytes, /** @type {any} */ (options)),
        'invalid-argument',
        /options/,
      )
    }
    for (const change of [
      (/** @type {any} */ tape) => tape.entries.unshift(['fly', 3]),
      (/** @type {any} */ tape) => tape.entries.unshift(['state', 99]),
    ]) {
      refused(() => World.replay(rewritten(bytes, change)), 'bad-snapshot', /./)
    }
    world.free()
  })
})

describe('recordings that somebody has changed', () => {
  /** @param {any} value @param {() => number} random @returns {any} */
  function changed(value, random) {
    const other = [null, 'text', -1, 7, 1e300, [], {}, [[]], 'body_create', 'release', 'AAAA']
    if (!Array.isArray(value) || random() < 0.2) return other[Math.floor(random() * other.length)]
    const at = Math.floor(random() * value.length)
    if (random() < 0.2) return value.filter((_, i) => i !== at)
    return value.map((one, i) => (i === at ? changed(one, random) : one))
  }

  test('throw errors of Moreau or come out differently, and leave the engine whole', () => {
    const world = new World()
    fillRoom(world, 6)
    const recording = world.record({ keyframes: 5 })
    for (let i = 0; i < 12; i++) {
      playFrame(world, keysOf(i), i)
      const body = world.bodies[8]
      if (i === 3) body.addShape({ type: 'sphere', radius: 0.1, position: [0.2, 0, 0] })
      if (i === 5) body.shapes = [cube, { type: 'sphere', radius: 0.2 }]
      if (i === 7) body.removeShape(1)
      world.step(DT)
    }
    const bytes = recording.stop()
    const hash = world.hash()
    const { bytes: bytesBefore } = world.memory()
    const outcomes = { refused: 0, diverged: 0, same: 0 }
    for (let i = 0; i < 600; i++) {
      const random = randomFrom(i)
      const bad = rewritten(bytes, (tape) => {
        const name = ['entries', 'entries', 'entries', 'shapes', 'lengths', 'functions'][i % 6]
        tape[name] = changed(tape[name], random)
      })
      try {
        const { world: made, divergence } = World.replay(bad)
        outcomes[divergence ? 'diverged' : 'same']++
        made.free()
      } catch (error) {
        assert.ok(error instanceof MoreauError, `${i}: ${/** @type {Error} */ (error).stack}`)
        assert.ok(['bad-snapshot', 'out-of-memory'].includes(error.code), `${i}: ${error.message}`)
        outcomes.refused++
      }
    }
    assert.ok(outcomes.refused > 100 && outcomes.diverged > 50, JSON.stringify(outcomes))
    assert.ok(world.memory().bytes < bytesBefore + 1e6, 'nothing stays')
    checkReplay({ bytes, hash }).free()
    world.free()
  })
})

describe('the calls that a recording notes', () => {
  const module = new WebAssembly.Module(
    readFileSync(new URL('../../dist/moreau.wasm', import.meta.url)),
  )
  const changes = Object.values(CHANGES).flat()

  test('are all that the module has, and those that change nothing are listed too', () => {
    const exported = WebAssembly.Module.exports(module)
      .map(({ name }) => name)
      .filter((name) => /^(world|body|constraint|potential|character|vehicle)_/.test(name))
    const listed = [...changes, ...READS]
    assert.deepEqual([...listed].sort(), [...exported].sort(), 'bindings/state/calls.mjs')
    assert.equal(new Set(listed).size, listed.length)
  })
})
