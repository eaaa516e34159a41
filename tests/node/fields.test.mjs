// Buoyancy, drag in a medium that moves, gravity in regions and between bodies, explosions.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { init, World } from 'moreau'

before(() => init())

const G = 9.81
/** @param {any} options @returns {any} a world with the defaults of all other options */
const makeSleepy = (options) => new World(options)
const SOLVERS = ['exact', 'block-pgs', 'soft-step']

/** @param {any} [options] @returns {any} with definitions of any kind */
function makeWorld(options = {}) {
  return new World({ gravity: [0, 0, -G], solver: 'exact', allowSleep: false, ...options })
}

/**
 * @param {number | readonly number[]} actual
 * @param {number | readonly number[]} expected
 * @param {number} tolerance
 * @param {string} [what]
 */
function near(actual, expected, tolerance, what = '') {
  const [a, b] = [[actual].flat(), [expected].flat()]
  assert.equal(a.length, b.length)
  const good = a.every((x, i) => Math.abs(x - b[i]) <= tolerance)
  assert.ok(good, `${what}: ${a} is not within ${tolerance} of ${b}`)
}

/** @param {number} degrees @param {number[]} axis */
function turned(degrees, [x, y, z]) {
  const half = (degrees * Math.PI) / 360
  const s = Math.sin(half) / Math.hypot(x, y, z)
  return [s * x, s * y, s * z, Math.cos(half)]
}

const WATER = { type: 'buoyancy', density: 1000, surface: { normal: [0, 0, 1], offset: 0 } }
const TETRAHEDRON = [
  [1, 1, 1],
  [1, -1, -1],
  [-1, 1, -1],
  [-1, -1, 1],
].map((p) => p.map((x) => 0.4 * x))

// --- A124 --------------------------------------------------------------------------------------

/** @param {any} shape @param {any} pose */
function floating(shape, pose, surface = WATER.surface) {
  const world = makeWorld()
  const body = world.createBody({ shape, ...pose })
  const water = world.createPotential({ ...WATER, surface })
  const found = { force: water.force(body), torque: water.torque(body), body }
  const volume = Math.hypot(...found.force) / (1000 * G)
  world.free()
  return { ...found, volume }
}

test('A124: submerged volume and centroid of box, tetrahedron and ball', () => {
  const box = floating(
    { type: 'box', halfExtents: [0.5, 0.3, 0.2] },
    { position: [0, 0, 0.05], orientation: turned(30, [1, 2, 2]) },
  )
  near(box.volume, 0.08917137, 1e-8)
  near(box.force, [0, 0, 874.77114], 1e-4)
  near(box.torque, [27.681758, -118.558527, 0], 1e-5)
  const tetrahedron = floating(
    { type: 'hull', points: TETRAHEDRON },
    { position: [0, 0, -0.1], orientation: turned(40, [1, 0, 1]) },
  )
  near(tetrahedron.volume, 0.1219202352, 1e-9)
  near(tetrahedron.torque, [-10.271686, 18.131398, 0], 1e-5)
  const ball = { type: 'sphere', radius: 0.5 }
  near(floating(ball, { position: [0, 0, 0.2] }).volume, 0.1130973355, 1e-9)
  near(floating(ball, { position: [0, 0, 0.2] }).torque, [0, 0, 0], 1e-9)
  near(floating(ball, { position: [0, 0, 0.7] }).force, [0, 0, 0], 0)
  near(floating(ball, { position: [0, 0, -3] }).volume, (Math.PI * 4) / 3 / 8, 1e-9)
  const tilted = floating(ball, { position: [0, 0, 0.2] }, { normal: [0, 0.6, 0.8], offset: 0 })
  near(tilted.volume, 0.1404250028, 1e-9)
  near(tilted.force, [0, 0, 1000 * G * 0.1404250028], 1e-4)
})

test('A124: a capsule is as its sections say', () => {
  const shape = { type: 'capsule', radius: 0.3, halfHeight: 0.5 }
  // standing half way in: half of its volume
  const upright = turned(90, [1, 0, 0])
  near(floating(shape, { orientation: upright }).volume, 0.3958406744 / 2, 1e-10)
  near(floating(shape, {}).volume, 0.3958406744 / 2, 1e-10)
  // tilted, against sections along the vertical, by Simpson's rule
  for (const [degrees, z] of [
    [35, 0.1],
    [60, -0.2],
    [89.9, 0.05],
  ]) {
    const pose = { position: [0, 0, z], orientation: turned(degrees, [1, 0, 0]) }
    near(floating(shape, pose).volume, capsuleBelow(0.3, 0.5, degrees, z), 2e-6, `${degrees}`)
  }
})

/**
 * Volume of a capsule below z = 0, from points of a fine grid along its axis.
 * @param {number} radius @param {number} half @param {number} degrees @param {number} z
 */
function capsuleBelow(radius, half, degrees, z) {
  const along = Math.sin((degrees * Math.PI) / 180)
  const across = Math.cos((degrees * Math.PI) / 180)
  let sum = 0
  const count = 200000
  const step = (2 * (half + radius)) / count
  for (let i = 0; i < count; i++) {
    const y = -half - radius + (i + 0.5) * step
    const out = Math.max(0, Math.abs(y) - half)
    const r = Math.sqrt(Math.max(0, radius * radius - out * out))
    const c = (-z - along * y) / across
    const x = Math.max(-r, Math.min(r, c))
    sum +=
      step * (r * r * (Math.asin(r > 0 ? x / r : 0) + Math.PI / 2) + x * Math.sqrt(r * r - x * x))
  }
  return sum
}

// --- A125 --------------------------------------------------------------------------------------

test('A125: draughts at rest, and the period of heaving', () => {
  const pyramid = [[0, 0, -0.9], ...[-0.5, 0.5].flatMap((x) => [-0.5, 0.5].map((y) => [x, y, 0.3]))]
  /** @type {any[][]} */
  const cases = [
    [{ type: 'box', halfExtents: [0.5, 0.5, 0.5] }, 600, 0.5 - 0.6],
    [{ type: 'sphere', radius: 0.5 }, 300, 0.5 - 0.3632574910905676],
    [{ type: 'hull', points: pyramid }, 450, 0.9 - 0.9195713189],
  ]
  for (const solver of SOLVERS) {
    for (const [shape, density, z] of cases) {
      const world = makeWorld({ solver })
      world.createPotential(WATER)
      const body = world.createBody({ shape, density, position: [0, 0, z], lockRotation: true })
      world.step(0.001)
      near(body.linearAcceleration, [0, 0, 0], solver === 'soft-step' ? 1e-4 : 1e-6, shape.type)
      world.free()
    }
  }
  const world = makeWorld()
  world.createPotential(WATER)
  const shape = { type: 'box', halfExtents: [0.5, 0.5, 0.5] }
  const box = world.createBody({ shape, density: 600, position: [0, 0, -0.09], lockRotation: true })
  const start = world.energy().total
  /** @type {any[]} */
  const crossings = []
  for (let i = 1, sideBefore = 1; i <= 8000; i++) {
    world.step(0.001)
    const side = Math.sign(box.position[2] + 0.1)
    if (side > 0 && sideBefore < 0) crossings.push(world.time)
    sideBefore = side
  }
  const period = (crossings.at(-1) - crossings[0]) / (crossings.length - 1)
  near(period, 1.5538926, 5e-3 * 1.55)
  near(world.energy().total, start, 0.01)
  world.free()
})

// --- A126 --------------------------------------------------------------------------------------

/** @param {number[]} measures @param {number} degrees */
function rightingMoment([width, height, part], degrees) {
  const world = makeWorld()
  const water = world.createPotential(WATER)
  const z = height / 2 - part * height
  const body = world.createBody({
    ...{ shape: { type: 'box', halfExtents: [2, width / 2, height / 2] }, density: 1000 * part },
    ...{ position: [0, 0, z], orientation: turned(degrees, [1, 0, 0]) },
  })
  const torque = water.torque(body)[0]
  const weight = body.mass * G
  world.free()
  return { moment: -torque, arm: -torque / weight }
}

test('A126: metacentric heights of floating boxes', () => {
  const angle = (0.5 * Math.PI) / 180
  for (const [measures, height] of /** @type {any[][]} */ ([
    [[1, 1, 0.5], -0.08333333],
    [[1.2, 1, 0.5], -0.01],
    [[1.25, 1, 0.5], 0.01041667],
    [[2, 1, 0.5], 0.41666667],
    [[1, 1, 0.1], 0.38333333],
  ])) {
    near(rightingMoment(measures, 0.5).arm / Math.sin(angle), height, 1e-4, `${measures}`)
  }
  near(rightingMoment([2, 0.8, 0.4], 10).moment, 3566.63093, 40)
})

test('A126: the period of rolling', () => {
  const world = makeWorld()
  world.createPotential(WATER)
  const body = world.createBody({
    ...{ shape: { type: 'box', halfExtents: [2, 1, 0.4] }, density: 400, position: [0, 0, 0.08] },
    ...{ orientation: turned(1, [1, 0, 0]), lockTranslation: [true, true, false] },
  })
  /** @type {any[]} */
  const crossings = []
  for (let i = 1, sideBefore = 1; i <= 6000; i++) {
    world.step(0.001)
    const side = Math.sign(body.orientation[0])
    if (side > 0 && sideBefore < 0) crossings.push(world.time)
    sideBefore = side
  }
  const period = (crossings.at(-1) - crossings[0]) / (crossings.length - 1)
  near(period, 1.3932108, 0.014)
  world.free()
})

test('a pile of boxes floats and comes to rest, and a wave moves it', () => {
  const world = makeSleepy({ gravity: [0, 0, -G] })
  const water = world.createPotential(WATER)
  world.createPotential({ type: 'drag', linear: 400, angular: 100 })
  const boxes = Array.from({ length: 12 }, (_, i) =>
    world.createBody({
      ...{ shape: { type: 'box', halfExtents: [0.5, 0.5, 0.25] }, density: 400 },
      position: [(i % 3) * 1.1, (Math.floor(i / 3) % 2) * 1.1, 0.6 * Math.floor(i / 6)],
    }),
  )
  for (let i = 0; i < 900; i++) world.step(1 / 60)
  for (const box of boxes) assert.ok(box.speed < 0.05, `speed ${box.speed}`)
  const still = boxes[0].position[2]
  for (let i = 0; i < 300; i++) {
    water.update({ surface: { normal: [0, 0, 1], offset: 0.3 * Math.min(1, i / 200) } })
    world.step(1 / 60)
  }
  near(boxes[0].position[2], still + 0.3, 0.1)
  world.free()
})

// --- A127 --------------------------------------------------------------------------------------

for (const solver of SOLVERS) {
  test(`A127 ${solver}: drag of a fall, and wind`, () => {
    /** @param {any} options */
    const fall = (options) => {
      const world = makeWorld({ solver })
      const body = world.createBody({ shape: { type: 'sphere', radius: 0.5 }, mass: 2 })
      world.createPotential({ type: 'drag', ...options })
      for (let i = 0; i < 2000; i++) world.step(0.001)
      const speed = -body.linearVelocity[2]
      for (let i = 0; i < 400; i++) world.step(0.1)
      const last = -body.linearVelocity[2]
      world.free()
      return [speed, last]
    }
    near(fall({ linear: 0.8 }), [13.5052072, 24.525], 0.014)
    near(fall({ quadratic: 0.3 }), [7.9616695, 8.087027], 0.008)
    const world = makeWorld({ solver, gravity: [0, 0, 0] })
    const body = world.createBody({ shape: { type: 'sphere', radius: 0.5 }, mass: 2 })
    const wind = world.createPotential({ type: 'drag', quadratic: 0.3, velocity: [5, 0, 0] })
    near(wind.force(body), [7.5, 0, 0], 1e-12)
    for (let i = 0; i < 3000; i++) {
      world.step(0.01)
      assert.ok(body.linearVelocity[0] <= 5)
    }
    assert.ok(body.linearVelocity[0] > 4.7)
    world.free()
  })

  test(`${solver}: extreme drag stops a body in its medium, and never throws it back`, () => {
    const world = makeWorld({ solver })
    const body = world.createBody({
      ...{ shape: { type: 'box', halfExtents: [0.5, 0.1, 0.2] }, mass: 1e-3 },
      ...{ linearVelocity: [100, 0, 0], angularVelocity: [30, 20, 10] },
    })
    for (let k = 0; k < 3; k++) {
      world.createPotential({
        ...{ type: 'drag', linear: 1e12, quadratic: 1e12, angular: 1e12, velocity: [k, 0, 0] },
      })
    }
    for (let i = 0; i < 100; i++) {
      world.step(1 / 60)
      const v = body.linearVelocity
      assert.ok(v.every(Number.isFinite) && Math.hypot(...v) < 3, `${v}`)
      assert.ok(body.angularSpeed < 40)
    }
    assert.ok(body.angularSpeed < 1e-3)
    world.free()
  })
}

// --- A129 --------------------------------------------------------------------------------------

test('A129: point gravities add up, and one field acts on one body alone', () => {
  const world = makeWorld({ gravity: [0, 0, 0] })
  /** @param {number} mass @param {number[]} position */
  const make = (mass, position) =>
    world.createBody({
      shape: { type: 'sphere', radius: 0.1 },
      mass,
      position,
      filter: { mask: 0 },
    })
  const bodies = [make(2, [0.3, 0.8, -0.2]), make(5, [0.3, 0.8, -0.2]), make(1, [0.2, 0, 0])]
  const fields = [
    world.createPotential({ type: 'pointGravity', mu: 4, center: [-1, 0, 0] }),
    world.createPotential({ type: 'pointGravity', mu: 9, center: [2, 0, 0] }),
  ]
  /** @param {any} body */
  const pull = (body) => [0, 1, 2].map((i) => fields.reduce((sum, f) => sum + f.force(body)[i], 0))
  near(
    pull(bodies[0]).map((x) => x / 2),
    [0.84302409, -1.94446358, 0.4861159],
    1e-7,
  )
  near(
    pull(bodies[1]).map((x) => x / 5),
    [0.84302409, -1.94446358, 0.4861159],
    1e-7,
  )
  near(pull(bodies[2]), [0, 0, 0], 1e-9)
  bodies[1].destroy()
  bodies[2].destroy()
  near(world.energy().potential, -14.7231687, 1e-7)
  const other = make(1, [9, 9, 9])
  const alone = world.createPotential({ type: 'gravity', gravity: [0, 0, -3], bodies: [other] })
  near(alone.force(other), [0, 0, -3], 0)
  near(alone.force(bodies[0]), [0, 0, 0], 0)
  world.free()
})

test('A129: an ellipse about a point mass', () => {
  const world = makeWorld({ gravity: [0, 0, 0], integrator: 'velocity-verlet' })
  world.createPotential({ type: 'pointGravity', mu: 8 })
  const body = world.createBody({
    ...{ shape: { type: 'sphere', radius: 0.1 }, mass: 1, position: [1.5, 0, 0] },
    linearVelocity: [0, 2.7325202, 0],
  })
  const start = world.energy().total
  let farthest = 0
  for (let i = 0; i < 8781; i++) {
    world.step(0.001)
    farthest = Math.max(farthest, Math.hypot(...body.position))
  }
  near(farthest, 3.5, 3.5e-3)
  near(body.position, [1.5, 0, 0], 5e-3)
  near(world.energy().total, start, 1e-6 * Math.abs(start))
  world.free()
})

test('a region bounds a field: a sphere, a turned box, everywhere again', () => {
  const world = makeWorld({ gravity: [0, 0, 0] })
  const body = world.createBody({ shape: { type: 'sphere', radius: 0.1 }, mass: 2 })
  const field = world.createPotential({
    ...{ type: 'gravity', gravity: [0, 0, 5] },
    region: { type: 'sphere', center: [1, 0, 0], radius: 0.9 },
  })
  near(field.force(body), [0, 0, 0], 0)
  body.position = [0.2, 0, 0]
  near(field.force(body), [0, 0, 10], 0)
  field.update({
    region: {
      ...{ type: 'box', center: [3, 0, 0], halfExtents: [2, 0.1, 1] },
      orientation: turned(45, [0, 0, 1]),
    },
  })
  near(field.force(body), [0, 0, 0], 0)
  body.position = [4, 1, 0]
  near(field.force(body), [0, 0, 10], 0)
  body.position = [4, 0, 0]
  near(field.force(body), [0, 0, 0], 0)
  field.update({ region: null, gravity: [1, 0, 0] })
  near(field.force(body), [2, 0, 0], 0)
  assert.throws(() => field.update({ region: { type: 'cone' } }), /region/)
  assert.throws(() => field.update({ bodies: [body] }), /bodies/)
  assert.throws(() => field.update({ gravity: [NaN, 0, 0] }), /gravity/)
  near(field.force(body), [2, 0, 0], 0)
  world.free()
})

test('bodies that attract each other keep momentum and energy on their orbits', () => {
  const world = makeWorld({ gravity: [0, 0, 0], integrator: 'velocity-verlet' })
  /** @param {number} mass @param {number[]} position @param {number[]} linearVelocity */
  const make = (mass, position, linearVelocity) =>
    world.createBody({ shape: { type: 'sphere', radius: 0.1 }, mass, position, linearVelocity })
  // two masses about their centre: m1 r1 = m2 r2, omega^2 d^3 = G (m1 + m2)
  const omega = Math.sqrt((2 * 4) / 8)
  const a = make(3, [0.5, 0, 0], [0, 0.5 * omega, 0])
  const b = make(1, [-1.5, 0, 0], [0, -1.5 * omega, 0])
  const field = world.createPotential({ type: 'mutualGravity', gravitationalConstant: 2 })
  near(field.energy(), (-2 * 3) / 2, 1e-12)
  near(field.force(a), [(-2 * 3) / 4, 0, 0], 1e-12)
  const start = world.energy().total
  const steps = Math.round((2 * Math.PI) / omega / 0.001)
  for (let i = 0; i < steps; i++) world.step(0.001)
  near(a.position, [0.5, 0, 0], 1e-3)
  near(b.position, [-1.5, 0, 0], 3e-3)
  near(world.momentum().linear, [0, 0, 0], 1e-12)
  near(world.energy().total, start, 1e-6)
  world.free()
})

// --- A130 --------------------------------------------------------------------------------------

for (const solver of SOLVERS) {
  test(`A130 ${solver}: an explosion pushes at the nearest points`, () => {
    const world = makeSleepy({ gravity: [0, 0, 0], solver })
    /** @param {number} mass @param {number[]} position @param {any} [more] */
    const ball = (mass, position, more) =>
      world.createBody({ shape: { type: 'sphere', radius: 0.5 }, mass, position, ...more })
    const near1 = ball(2, [2.5, 0, 0])
    const cube = world.createBody({
      ...{ shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, mass: 3, position: [0, 3, 0.25] },
    })
    const inside = ball(1, [0.3, 0.2, 0])
    const far = ball(1, [0, 0, 4.6])
    const fixed = ball(1, [-1.5, 0, 0], { type: 'static' })
    const filtered = ball(1, [0, -1.5, 0], { filter: { category: 4 } })
    const asleep = ball(1, [-1.2, -1.2, 0])
    asleep.sleep()
    world.explode({
      ...{ position: [0, 0, 0], radius: 1, falloff: 3, impulse: 10 },
      filter: { mask: 0xffffffff & ~4 },
    })
    near(near1.linearVelocity, [10 / 3, 0, 0], 1e-8)
    near(cube.linearVelocity, [0, 5 / 3, 0], 1e-8)
    near(cube.angularVelocity, [2.5, 0, 0], 1e-8)
    near(inside.linearVelocity, [8.32050294, 5.54700196, 0], 1e-8)
    near(far.linearVelocity, [0, 0, 0], 0)
    near(fixed.linearVelocity, [0, 0, 0], 0)
    near(filtered.linearVelocity, [0, 0, 0], 0)
    assert.ok(asleep.isAwake && asleep.speed > 0)
    for (const bad of [
      { radius: -1 },
      { falloff: NaN },
      { impulse: Infinity },
      { position: [0, 0] },
      { size: 1 },
      { filter: { mask: 0.5 } },
      { exclude: 3 },
    ]) {
      const good = { position: [0, 0, 0], radius: 1, impulse: 1 }
      assert.throws(() => world.explode({ ...good, ...bad }), { code: 'invalid-argument' })
    }
    world.free()
  })
}

for (const solver of SOLVERS) {
  test(`${solver}: an explosion pushes the shapes that its filter meets, and no sensors`, () => {
    const world = makeSleepy({ gravity: [0, 0, 0], solver })
    const sphere = /** @type {const} */ ({ type: 'sphere', radius: 0.5 })
    const dumbbell = (
      /** @type {number} */ y,
      /** @type {object} */ near1,
      /** @type {object} */ far,
    ) =>
      world.createBody({
        ...{ position: [3, y, 0], mass: 2 },
        shapes: [
          { ...sphere, position: [-1, 0, 0], ...near1 },
          { ...sphere, position: [1, 0, 0], ...far },
        ],
      })
    const none = { category: 4 }
    // The mask of the explosion leaves out category 4; the bodies themselves have category 1.
    const whole = dumbbell(0, {}, {})
    const farHalf = dumbbell(0, { filter: none }, {})
    const behindSensor = dumbbell(0, { sensor: true }, {})
    const neither = dumbbell(0, { filter: none }, { filter: none })
    const onlySensors = dumbbell(0, { sensor: true }, { sensor: true })
    const within = dumbbell(0, { sensor: true, position: [-3, 0, 0] }, {})
    for (const body of world.bodies) body.centerOfMass = [0, 0, 0]
    world.explode({
      ...{ position: [0, 0, 0], radius: 0, falloff: 5, impulse: 10 },
      filter: { mask: 0xffffffff & ~4 },
    })
    // Distances: 1.5 to the near ball, 3.5 to the far one, 3 to the centre of mass. 10 N s, 2 kg.
    const speeds = [whole, farHalf, behindSensor, neither, onlySensors, within].map(
      ({ linearVelocity }) => linearVelocity[0],
    )
    near(speeds, [3.5, 1.5, 1.5, 0, 2, 1.5], 1e-12)
    world.free()
  })
}

test('an explosion under a sleeping stack wakes and lifts all of it', () => {
  const world = makeSleepy({ gravity: [0, 0, -G] })
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 0, 1] } })
  const boxes = [0, 1, 2, 3].map((i) =>
    world.createBody({
      ...{ shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, position: [0, 0, 0.5 + i] },
    }),
  )
  for (let i = 0; i < 240; i++) world.step(1 / 60)
  assert.ok(boxes.every((box) => !box.isAwake))
  world.explode({ position: [0, 0, -0.1], radius: 0.5, impulse: 20000 })
  assert.ok(boxes.every((box) => box.isAwake))
  world.step(1 / 60)
  assert.ok(boxes[3].linearVelocity[2] > 0.5, `${boxes[3].linearVelocity}`)
  world.free()
})
