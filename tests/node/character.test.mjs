/**
 * Characters: rows A131 and A132, and what users of other engines reported of theirs. Up is z.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'

/** @import { BodyDefinition, Character, CharacterDefinition, Vector } from 'moreau' */

const DT = 0.016
const OFFSET = 0.01
/** From its origin to its feet. */
const FEET = 0.9
const capsule = /** @type {const} */ ({ type: 'capsule', radius: 0.3, halfHeight: 0.6 })

before(() => init())

/** @param {...BodyDefinition} definitions */
function worldOf(...definitions) {
  const world = new World({ gravity: [0, 0, -9.81] })
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 0, 1] } })
  for (const definition of definitions) world.createBody({ type: 'static', ...definition })
  return world
}

/**
 * @param {World} world
 * @param {Vector} feet
 * @param {Partial<CharacterDefinition>} [more]
 */
function stand(world, [x, y, z], more = {}) {
  const position = /** @type {Vector} */ ([x, y, z + FEET + OFFSET])
  return world.createCharacter({ shape: capsule, position, up: [0, 0, 1], ...more })
}

/**
 * Walks with gravity of its own, as a game does.
 * @param {World} world
 * @param {Character} character
 * @param {readonly [number, number]} wish m/s
 * @param {number} steps
 * @param {(step: number) => void} [each]
 */
function walk(world, character, [vx, vy], steps, each) {
  let fall = 0
  for (let step = 0; step < steps; step++) {
    fall = character.grounded ? 0 : fall - 9.81 * DT
    character.move([vx * DT, vy * DT, fall * DT], DT)
    world.step(DT)
    each?.(step)
  }
}

const feetOf = (/** @type {Character} */ character) => character.position[2] - FEET

/**
 * @param {number} actual
 * @param {number} expected
 * @param {number} tolerance
 */
function near(actual, expected, tolerance) {
  assert.ok(
    Math.abs(actual - expected) <= tolerance,
    `${actual} is not ${expected} +- ${tolerance}`,
  )
}

/**
 * A slope that begins at x 1 on the ground and rises along x.
 * @param {number} degrees
 * @returns {BodyDefinition}
 */
function slope(degrees) {
  const angle = (degrees * Math.PI) / 180
  return {
    shape: { type: 'plane', normal: [-Math.sin(angle), 0, Math.cos(angle)] },
    position: [1, 0, 0],
  }
}

/** @param {number} height @returns {BodyDefinition} a step from x 1 on */
const step = (height) => ({
  shape: { type: 'box', halfExtents: [5, 5, height / 2] },
  position: [6, 0, height / 2],
})

describe('A131: steps and slopes', () => {
  test('a step below stepHeight is climbed', () => {
    const world = worldOf(step(0.3))
    const hero = stand(world, [0, 0, 0], { stepHeight: 0.35 })
    walk(world, hero, [2, 0], 125)
    near(feetOf(hero), 0.3, 0.02)
    near(hero.position[0], 4, 0.05)
    assert.ok(hero.grounded)
  })

  test('a higher one stops it', () => {
    const world = worldOf(step(0.3))
    const hero = stand(world, [0, 0, 0], { stepHeight: 0.25 })
    walk(world, hero, [2, 0], 125)
    near(hero.position[0], 0.7 - OFFSET, 0.02)
    near(feetOf(hero), 0, 0.02)
    assert.ok(hero.grounded)
  })

  test('a slope below the limit is climbed at full speed', () => {
    const world = worldOf(slope(40))
    const hero = stand(world, [0, 0, 0])
    walk(world, hero, [2, 0], 60)
    const start = hero.position
    walk(world, hero, [2, 0], 62, () => {
      assert.ok(hero.grounded)
      near(Math.hypot(...hero.velocity), 2, 1e-3)
    })
    const seconds = 62 * DT
    near((hero.position[0] - start[0]) / seconds, 1.532089, 0.02)
    near((hero.position[2] - start[2]) / seconds, 1.285575, 0.02)
    // And down again.
    walk(world, hero, [-2, 0], 30, () => {
      assert.ok(hero.grounded)
      near(Math.hypot(...hero.velocity), 2, 1e-3)
    })
  })

  test('a slope above it is not, and it slides down there', () => {
    const world = worldOf(slope(50))
    const hero = stand(world, [0, 0, 0], { stepHeight: 0.35 })
    walk(world, hero, [2, 0], 125)
    assert.ok(feetOf(hero) < 0.35 && hero.position[0] < 1.35, `${hero.position}`)
    hero.position = [5, 0, 6]
    walk(world, hero, [0, 0], 30)
    const { position } = hero
    walk(world, hero, [0, 0], 62)
    assert.ok(hero.position[2] - position[2] < -0.5, `${hero.position[2] - position[2]}`)
  })

  test('down stairs it keeps to the ground', () => {
    const stairs = Array.from({ length: 8 }, (_, i) => ({
      shape: {
        type: /** @type {const} */ ('box'),
        halfExtents: /** @type {Vector} */ ([0.15, 2, 0.6]),
      },
      position: /** @type {Vector} */ ([0.3 * i, 0, 0.6 - 0.15 * i]),
    }))
    const world = worldOf(...stairs)
    const hero = stand(world, [0, 0, 1.2], { stepDown: 0.2 })
    walk(world, hero, [0, 0], 2)
    assert.ok(hero.grounded)
    walk(world, hero, [1.5, 0], 125, (i) => assert.ok(hero.grounded, `step ${i}`))
    near(feetOf(hero), 0, 0.02)
  })
})

describe('what users of other engines reported of slopes and steps', () => {
  /**
   * A terrain of triangles: flat, and from x 1 on a slope along x up to a height of 4 m, where it is flat again.
   * @param {number} degrees
   * @returns {BodyDefinition}
   */
  function terrain(degrees) {
    const run = 4 / Math.tan((degrees * Math.PI) / 180)
    const line = [[-30, 0], ...[0, 0.25, 0.5, 0.75, 1].map((t) => [1 + t * run, 4 * t]), [60, 4]]
    const vertices = line.flatMap(([x, z]) => [x, -10, z, x, 10, z])
    const indices = line.slice(1).flatMap((_, i) => {
      const a = 2 * i
      return [a, a + 2, a + 1, a + 1, a + 2, a + 3]
    })
    return { shape: { type: 'mesh', vertices, indices } }
  }

  /** @param {BodyDefinition} definition @param {Partial<CharacterDefinition>} options */
  function standOn(definition, options) {
    const world = new World({ gravity: [0, 0, -9.81] })
    world.createBody({ type: 'static', ...definition })
    return { world, hero: stand(world, [-1, 0, 0], options) }
  }

  const radians = (/** @type {number} */ degrees) => (degrees * Math.PI) / 180

  // A capsule on a terrain of a triangle mesh climbed every slope below 90 degrees, whatever setMaxSlopeClimbAngle said,
  // also 0.
  for (const [limit, degrees] of [
    [0, 10],
    [30, 35],
    [45, 50],
    [45, 70],
    [45, 85],
    [60, 65],
  ]) {
    test(`with a limit of ${limit} degrees it does not climb ${degrees} on a mesh (rapier.js#274)`, () => {
      const { world, hero } = standOn(terrain(degrees), { slopeLimit: radians(limit) })
      walk(world, hero, [2, 0], 400, () => {
        assert.ok(feetOf(hero) < 0.31, `at a height of ${feetOf(hero)} m`)
      })
      // With a limit of 0 it also slides down where it leans on the foot of the slope.
      if (limit > 0) assert.ok(hero.grounded)
    })
  }

  test('a slope below the limit is climbed, on the same mesh (rapier.js#274)', () => {
    const { world, hero } = standOn(terrain(35), { slopeLimit: radians(45) })
    walk(world, hero, [2, 0], 400)
    near(feetOf(hero), 4 + OFFSET, 1e-3)
  })

  // The steeper the slope, the slower the character went up, at the same input; downhill it kept its speed.
  for (const degrees of [10, 25, 35, 44]) {
    test(`up and down ${degrees} degrees it is as fast as on flat ground (rapier.js#313)`, () => {
      const { world, hero } = standOn(terrain(degrees), {})
      const speeds = { flat: 0, up: 0, down: 0 }
      const measure = () => Math.hypot(...hero.velocity)
      walk(world, hero, [2, 0], 30)
      speeds.flat = measure()
      while (feetOf(hero) < 1) walk(world, hero, [2, 0], 1)
      walk(world, hero, [2, 0], 30, () => near(measure(), 2, 1e-3))
      speeds.up = measure()
      walk(world, hero, [-2, 0], 1)
      walk(world, hero, [-2, 0], 20, () => near(measure(), 2, 1e-3))
      speeds.down = measure()
      near(speeds.flat, 2, 1e-6)
      near(speeds.up, speeds.flat, 1e-3)
      near(speeds.down, speeds.flat, 1e-3)
      assert.ok(hero.grounded)
    })
  }

  for (const height of [0.1, 0.2, 0.3]) {
    test(`stairs of ${height} m cost no way forwards, up and down`, () => {
      const count = 8
      const stairs = Array.from({ length: count }, (_, i) => ({
        shape: {
          type: /** @type {const} */ ('box'),
          halfExtents: /** @type {Vector} */ ([2.4 - 0.3 * i, 5, (height * (i + 1)) / 2]),
        },
        position: /** @type {Vector} */ ([5, 0, (height * (i + 1)) / 2]),
      }))
      const world = worldOf(...stairs)
      const hero = stand(world, [0, 0, 0], { stepHeight: 0.35 })
      let highest = 0
      let last = 0
      walk(world, hero, [2, 0], 300, (i) => {
        assert.ok(hero.grounded, `in the air after move ${i}`)
        near(hero.position[0] - last, 2 * DT, 1e-9)
        last = hero.position[0]
        highest = Math.max(highest, feetOf(hero))
      })
      near(highest, count * height + OFFSET, 1e-6)
      near(feetOf(hero), OFFSET, 1e-6)
    })
  }
})

describe('seams', () => {
  const cylinder = /** @type {const} */ ({ type: 'cylinder', radius: 0.35, halfHeight: FEET })
  const side = 1.2
  const half = side / 2
  /** @type {Record<string, BodyDefinition>} */
  const tiles = {
    mesh: {
      shape: {
        type: 'mesh',
        vertices: [-half, -half, 0, half, -half, 0, half, half, 0, -half, half, 0],
        indices: [0, 1, 2, 0, 2, 3],
      },
    },
    box: { shape: { type: 'box', halfExtents: [half, half, 0.2] }, position: [0, 0, -0.2] },
  }

  for (const [kind, tile] of Object.entries(tiles))
    test(`of ${kind} tiles: a cylinder keeps its height where its rim is over an edge`, () => {
      const world = new World()
      const z = kind === 'box' ? -0.2 : 0
      for (let i = -3; i <= 3; i++)
        world.createBody({ type: 'static', ...tile, position: [i * side, 0, z] })
      // Each tenth step the rim touches the edge between two tiles, to the last bit or nearly so.
      for (const speed of [0.5, 1.25, 5]) {
        const character = world.createCharacter({
          ...{ shape: cylinder, up: [0, 0, 1] },
          position: [0.35 - half - 1, 0, FEET + OFFSET],
        })
        for (let moved = 0; moved < 3; moved += speed / 50) {
          character.move([speed / 50, 0, 0], 1 / 50)
          assert.ok(Math.abs(character.position[2] - FEET - OFFSET) < 1e-6, `${character.position}`)
          assert.ok(character.grounded)
        }
      }
      world.free()
    })
})

describe('A132: what moves', () => {
  const slab = /** @type {const} */ ({ type: 'box', halfExtents: [4, 4, 0.25] })

  /**
   * @param {World} world
   * @param {Partial<BodyDefinition>} motion
   */
  const platform = (world, motion) =>
    world.createBody({ type: 'kinematic', shape: slab, position: [0, 0, 0.75], ...motion })

  test('a platform carries it, and stops with it', () => {
    const world = worldOf()
    const body = platform(world, { linearVelocity: [1.5, 0, 0] })
    const hero = stand(world, [0, 0, 1])
    hero.move([0, 0, 0], DT)
    assert.equal(hero.ground, body)
    for (let i = 0; i < 125; i++) {
      world.step(DT)
      hero.move([0, 0, 0], DT)
      assert.ok(hero.grounded)
    }
    near(hero.position[0], 3, 1e-3)
    near(hero.groundVelocity[0], 1.5, 1e-9)
    // rapier#747: it does not go on where the platform stops.
    body.linearVelocity = [0, 0, 0]
    for (let i = 0; i < 20; i++) {
      world.step(DT)
      hero.move([0, 0, 0], DT)
    }
    near(hero.position[0], 3, 1e-3)
    assert.deepEqual(hero.velocity, [0, 0, 0])
  })

  test('a turning one turns it, a lift lifts it', () => {
    const world = worldOf()
    const body = platform(world, { angularVelocity: [0, 0, 0.5] })
    const hero = stand(world, [1, 0, 1])
    hero.move([0, 0, 0], DT)
    const turned = () => {
      const [x, y, z, w] = hero.orientation
      return Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z))
    }
    const atFirst = turned()
    for (let i = 0; i < 125; i++) {
      world.step(DT)
      hero.move([0, 0, 0], DT)
    }
    near(Math.atan2(hero.position[1], hero.position[0]), 1, 1e-3)
    near(Math.hypot(hero.position[0], hero.position[1]), 1, 1e-3)
    near(Math.abs(turned() - atFirst), 1, 1e-3)
    body.angularVelocity = [0, 0, 0]
    for (const speed of [1, -1]) {
      body.linearVelocity = [0, 0, speed]
      for (let i = 0; i < 60; i++) {
        world.step(DT)
        hero.move([0, 0, 0], DT)
        assert.ok(hero.grounded)
        near(hero.position[2] - FEET - body.position[2] - 0.25, OFFSET, 1e-3)
      }
    }
  })

  test('jumping off leaves with the velocity of the platform', () => {
    const world = worldOf()
    platform(world, { linearVelocity: [1.5, 0, 0] })
    const hero = stand(world, [0, 0, 1])
    hero.move([0, 0, 0], DT)
    world.step(DT)
    hero.move([0, 0, 3 * DT], DT)
    const [x, y, z] = hero.velocity
    near(x, 1.5, 1e-3)
    near(y, 0, 1e-3)
    near(z, 3, 1e-3)
    assert.equal(hero.grounded, false)
    assert.equal(hero.ground, null)
  })

  test('in a corner it stands still, along a wall it does not stutter (rapier.js#191)', () => {
    const wall = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 10, 2] })
    const world = worldOf(
      { shape: wall, position: [1.5, 0, 2] },
      { shape: { type: 'box', halfExtents: [10, 0.5, 2] }, position: [0, 11, 2] },
    )
    const hero = stand(world, [0, 0, 0])
    walk(world, hero, [2, 1], 40)
    let last = hero.position
    walk(world, hero, [2, 1], 100, () => {
      near(hero.position[1] - last[1], DT, 1e-6)
      near(hero.position[0], last[0], 1e-4)
      last = hero.position
    })
    hero.position = [0, 10, FEET + OFFSET]
    walk(world, hero, [2, 1], 60)
    const corner = hero.position
    walk(world, hero, [2, 1], 100, () => {
      for (let i = 0; i < 3; i++) near(hero.position[i], corner[i], 1e-4)
    })
  })

  for (const [pushForce, solver] of /** @type {const} */ ([
    [40, 'soft-step'],
    [40, 'exact'],
    [10, 'exact'],
    [12.5, 'soft-step'],
  ])) {
    test(`a cube of 5 kg pushed with ${pushForce} N, ${solver}`, () => {
      const world = new World({ gravity: [0, 0, -9.81], solver, allowSleep: false })
      world.createBody({
        type: 'static',
        friction: 0.3,
        shape: { type: 'plane', normal: [0, 0, 1] },
      })
      const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
      const cube = world.createBody({ shape, mass: 5, friction: 0.3, position: [1.5, 0, 0.5] })
      for (let i = 0; i < 20; i++) world.step(DT)
      const hero = stand(world, [0, 0, 0], { pushForce, stepHeight: 0.3 })
      let speed = 0
      let fastest = 0
      walk(world, hero, [2, 0], 125, () => {
        const next = cube.linearVelocity[0]
        assert.ok((next - speed) / DT <= 5.2, `${(next - speed) / DT}`)
        assert.ok(next <= 2.001, `${next}`)
        fastest = Math.max(fastest, next)
        speed = next
      })
      if (pushForce === 40) assert.ok(fastest > 1.5 && cube.position[0] > 2.5, `${fastest}`)
      else near(cube.position[0], 1.5, 1e-3)
      assert.ok(hero.position[0] < cube.position[0] - 0.79, `${hero.position}`)
    })
  }

  test('it pushes no body heavier than its pushMass', () => {
    const world = new World({ gravity: [0, 0, -9.81] })
    world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 0, 1] } })
    const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
    const cube = world.createBody({ shape, mass: 5, friction: 0.1, position: [1, 0, 0.5] })
    const hero = stand(world, [0, 0, 0], { pushForce: 500, pushMass: 4.9 })
    assert.equal(hero.pushMass, 4.9)
    walk(world, hero, [2, 0], 30)
    near(cube.position[0], 1, 1e-3)
    hero.pushMass = 5
    walk(world, hero, [2, 0], 30)
    assert.ok(cube.position[0] > 1.5, `${cube.position}`)
    assert.throws(() => (hero.pushMass = -1), /pushMass.*-1/)
    hero.pushMass = Infinity
  })

  test('two that push one cube make it no faster than they are', () => {
    const world = new World({ gravity: [0, 0, -9.81] })
    world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 0, 1] } })
    const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 1, 0.5] })
    const cube = world.createBody({ shape, mass: 5, friction: 0.1, position: [1, 0, 0.5] })
    const heroes = [-0.6, 0.6].map((y) => stand(world, [0, y, 0], { pushForce: 500 }))
    let fastest = 0
    for (let i = 0; i < 60; i++) {
      for (const hero of heroes) hero.move([2 * DT, 0, hero.grounded ? 0 : -DT], DT)
      world.step(DT)
      fastest = Math.max(fastest, cube.linearVelocity[0])
    }
    assert.ok(fastest > 1.8 && fastest < 2.02, `${fastest}`)
  })

  test('a kinematic wall pushes it', () => {
    const world = worldOf()
    const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 3, 2] })
    const wall = world.createBody({
      type: 'kinematic',
      shape,
      position: [-2, 0, 2],
      linearVelocity: [1, 0, 0],
    })
    const hero = stand(world, [0, 0, 0])
    walk(world, hero, [0, 0], 190)
    hero.move([0, 0, 0], DT)
    assert.ok(hero.position[0] >= wall.position[0] + 0.8, `${hero.position[0]} ${wall.position[0]}`)
    near(hero.position[0], wall.position[0] + 0.8, 0.05)
    assert.ok(hero.grounded)
  })
})

describe('shapes, state, refusals', () => {
  test('crouches and stands up where there is room', () => {
    const ceiling = {
      shape: {
        type: /** @type {const} */ ('box'),
        halfExtents: /** @type {Vector} */ ([1, 3, 0.2]),
      },
    }
    const world = worldOf({ ...ceiling, position: [2, 0, 1.5] })
    const hero = stand(world, [0, 0, 0])
    walk(world, hero, [2, 0], 60)
    near(hero.position[0], 0.7, 0.02)
    const low = /** @type {const} */ ({ type: 'capsule', radius: 0.3, halfHeight: 0.2 })
    assert.equal(hero.setShape(low), true)
    near(hero.position[2], 0.5 + OFFSET, 1e-6)
    walk(world, hero, [2, 0], 40)
    near(hero.position[0], 1.97, 0.1)
    assert.equal(hero.setShape(capsule), false)
    assert.equal(hero.shape.halfHeight, 0.2)
    walk(world, hero, [2, 0], 60)
    assert.equal(hero.setShape(capsule), true)
    near(feetOf(hero), OFFSET, 1e-6)
  })

  test('any convex shape walks', () => {
    for (const shape of /** @type {const} */ ([
      { type: 'sphere', radius: 0.4 },
      { type: 'box', halfExtents: [0.3, 0.9, 0.3] },
    ])) {
      const world = worldOf(step(0.2))
      const half = shape.type === 'sphere' ? 0.4 : 0.9
      const hero = stand(world, [0, 0, half - FEET], { shape })
      walk(world, hero, [2, 0], 125)
      near(hero.position[2] - half, 0.2, 0.02)
      near(hero.position[0], 4, 0.05)
    }
  })

  test('the same state moves alike: a replay has the same bits (JoltPhysics#1551)', () => {
    const world = worldOf(step(0.25), {
      shape: { type: 'sphere', radius: 0.5 },
      position: [0, 1.2, 0],
    })
    const hero = stand(world, [-1, 0, 0])
    walk(world, hero, [1, 0.4], 30)
    const { state } = hero
    const run = () => {
      /** @type {number[]} */
      const seen = []
      walk(world, hero, [1.5, 0.5], 90, () => seen.push(...hero.position))
      return seen
    }
    const first = run()
    hero.state = state
    assert.deepEqual(run(), first)
    const twin = stand(world, [-1, 0, 0])
    twin.state = state
    twin.move([0.01, 0, 0], DT)
    hero.state = state
    hero.move([0.01, 0, 0], DT)
    assert.deepEqual(twin.state, hero.state)
  })

  test('contacts name what was met; filters and predicates say what stops it', () => {
    const world = worldOf()
    const wall = world.createBody({
      ...{ type: 'static', position: [1, 0, 1] },
      shape: { type: 'box', halfExtents: [0.5, 2, 1] },
    })
    const hero = stand(world, [0, 0, 0])
    walk(world, hero, [2, 0], 10)
    const [first] = hero.contacts()
    assert.equal(first.body, wall)
    near(first.normal[0], -1, 1e-9)
    const ghost = stand(world, [0, 0, 0], { exclude: wall })
    walk(world, ghost, [2, 0], 60)
    assert.ok(ghost.position[0] > 1.8)
    const chooser = stand(world, [0, 0, 0], { predicate: (body) => body !== wall })
    walk(world, chooser, [2, 0], 60)
    assert.deepEqual(chooser.position, ghost.position)
  })

  test('contacts are read into the objects of the caller, and stay those of the last move', () => {
    const world = worldOf()
    const wall = world.createBody({
      ...{ type: 'static', position: [1, 0, 1] },
      shape: { type: 'box', halfExtents: [0.5, 2, 1] },
    })
    const hero = stand(world, [0, 0, 0])
    walk(world, hero, [2, 0], 10)
    const expected = hero.contacts()
    const kept = /** @type {any} */ ({ position: new Float32Array(3) })
    const out = [kept]
    assert.equal(hero.readContacts(out), expected.length)
    assert.equal(out[0], kept)
    assert.equal(kept.body, wall)
    assert.equal(kept.shape, wall.shapes[0])
    assert.deepEqual([...kept.position], expected[0].position.map(Math.fround))
    assert.deepEqual(out[1], expected[1])
    // Neither another character nor the end of the wall changes what was met.
    stand(world, [-5, 0, 0]).move([0, 0, -0.01], DT)
    wall.destroy()
    assert.deepEqual(hero.contacts(), expected)
    assert.throws(() => hero.readContacts(/** @type {any} */ (1)), /readContacts: out/)
    assert.throws(() => hero.readContacts([Object.freeze({})]), /readContacts: out\[0\]/)
  })

  test('the ground may be destroyed under it', () => {
    const world = worldOf()
    const shape = /** @type {const} */ ({ type: 'box', halfExtents: [1, 1, 0.5] })
    const body = world.createBody({ type: 'static', shape, position: [0, 0, 2.5] })
    const hero = stand(world, [0, 0, 3])
    hero.move([0, 0, 0], DT)
    assert.equal(hero.ground, body)
    body.destroy()
    assert.equal(hero.ground, null)
    walk(world, hero, [0, 0], 100)
    near(feetOf(hero), 0, 0.02)
  })

  test('bad values are refused by name and change nothing', () => {
    const world = worldOf()
    const vertices = [0, 0, 0, 1, 0, 0, 0, 1, 0]
    const triangle = /** @type {const} */ ({ type: 'mesh', vertices, indices: [0, 1, 2] })
    const ball = /** @type {const} */ ({ type: 'sphere', radius: 0.3 })
    const hero = stand(world, [0, 0, 0])
    const { state } = hero
    /** @type {[() => unknown, RegExp][]} */
    const calls = [
      [
        () => stand(world, [0, 0, 0], { shape: { type: 'plane' } }),
        /createCharacter: shape must be not a plane/,
      ],
      [
        () => stand(world, [0, 0, 0], { shape: { type: 'compound', shapes: [triangle] } }),
        /createCharacter: shape must be not a plane, mesh or heightfield/,
      ],
      [
        () => stand(world, [0, 0, 0], { shape: { type: 'compound', shapes: [ball, ball] } }),
        /createCharacter: shape must be convex, not a compound of several shapes/,
      ],
      [
        () => hero.setShape({ type: 'compound', shapes: [ball, ball] }),
        /setShape: shape must be convex, not a compound of several shapes/,
      ],
      [() => stand(world, [0, 0, 0], { up: [0, 0, 0] }), /createCharacter: up/],
      [() => stand(world, [0, 0, 0], { offset: 0 }), /createCharacter: offset/],
      [() => stand(world, [0, 0, 0], { stepHeight: -1 }), /createCharacter: stepHeight/],
      [() => stand(world, [0, 0, 0], { slopeLimit: 2 }), /createCharacter: slopeLimit/],
      [() => stand(world, [0, 0, 0], { slopeLimit: 1, slideAngle: 0.5 }), /slideAngle/],
      [
        () => stand(world, [0, 0, 0], /** @type {any} */ ({ stepheight: 1 })),
        /did you mean 'stepHeight'/,
      ],
      [() => hero.move([0, NaN, 0], DT), /move: displacement/],
      [() => hero.move([0, 0, 0], 0), /move: dt/],
      [() => (hero.state = new Float64Array(3)), /state/],
      [() => (hero.pushForce = -1), /pushForce/],
    ]
    for (const [call, message] of calls) assert.throws(call, { code: 'invalid-argument', message })
    assert.deepEqual(hero.state, state)
    world.free()
    assert.throws(() => hero.move([0, 0, 0], DT), { code: 'stale-handle' })
  })
})

test('shapes of characters are given back, with the character or with the world', async () => {
  const measure = () => {
    const nothing = new World()
    const { bytes } = nothing.memory()
    nothing.free()
    return bytes
  }
  await init()
  measure()
  const empty = measure()
  const world = new World()
  const character = world.createCharacter({
    shape: { type: 'capsule', radius: 0.3, halfHeight: 0.5 },
  })
  assert.ok(character.setShape({ type: 'capsule', radius: 0.3, halfHeight: 0.2 }))
  world.createCharacter({ shape: { type: 'cylinder', radius: 0.3, halfHeight: 0.5 } }).destroy()
  world.free()
  assert.equal(measure(), empty)
})
