/**
 * Random scenes: what slides, rolls, spins, rests, bounces and hangs, alone and together.
 */
import fc from 'fast-check'
import { angleOf, rotate, turn } from '../../scenarios/vector.mjs'
import { multiply, pointIn, WHOLE } from './scene.mjs'

/** @import { Quaternion, Vector } from '../../scenarios/vector.mjs' */
/** @import { Scene, Slab } from './scene.mjs' */

/** m: half of the floor's sides, and the ground below it; s: of a scene; m/s: what keeps on the floor as long */
const [HALF, DEPTH, LONGEST, FASTEST] = [14, 2, 2.5, 5]
const TIME_STEP = 1 / 60
/** m: from one group of bodies to the next */
const APART = 3

/** A number of two decimals, which scripts can show. @param {number} from @param {number} to */
const between = (from, to) =>
  fc.integer({ min: Math.ceil(100 * from), max: Math.floor(100 * to) }).map((n) => n / 100)

/** @param {Vector} axis @param {number} angle rad @returns {Quaternion} */
const turned = (axis, angle) => turn(axis, angleOf(angle))

/** @type {fc.Arbitrary<Quaternion>} */
const anyOrientation = fc
  .tuple(between(-1, 1), between(-1, 1), between(-1, 1), between(0.1, 1))
  .map((q) => {
    const length = Math.hypot(...q)
    return /** @type {Quaternion} */ (q.map((x) => x / length))
  })

// --- what moves -----------------------------------------------------------------------------------

/** Upright or on its side: from the axis of y to that of z. */
const ON_SIDE = /** @type {Quaternion} */ ([Math.SQRT1_2, 0, 0, Math.SQRT1_2])
const UPRIGHT = /** @type {Quaternion} */ ([0, 0, 0, 1])

/**
 * Shapes of a body, how high its origin lies over what it rests on, and how it lies there.
 * @typedef {{ has: any, height: number, lies: Quaternion, rolls?: number }} Mover `rolls`: the radius with which it does, along x
 */

const size = between(0.15, 0.5)
/** @param {any} shape @param {number} height @param {Quaternion} [lies] @param {number} [rolls] @returns {Mover} */
const mover = (shape, height, lies = UPRIGHT, rolls) => ({
  ...{ has: { shape }, height, lies },
  ...(rolls === undefined ? {} : { rolls }),
})

const ball = size.map((radius) => mover({ type: 'sphere', radius }, radius, UPRIGHT, radius))
const box = fc
  .tuple(size, size, size)
  .map((halfExtents) => mover({ type: 'box', halfExtents }, halfExtents[1]))
const roundedBox = fc
  .tuple(size, size, size, between(0.02, 0.1))
  .map(([x, y, z, radius]) => mover({ type: 'box', halfExtents: [x, y, z], radius }, y + radius))
const capsule = fc
  .tuple(size, size)
  .map(([radius, halfHeight]) =>
    mover({ type: 'capsule', radius, halfHeight }, radius, ON_SIDE, radius),
  )
const cylinder = fc
  .tuple(size, size, fc.boolean())
  .map(([radius, halfHeight, isOnSide]) =>
    isOnSide
      ? mover({ type: 'cylinder', radius, halfHeight }, radius, ON_SIDE, radius)
      : mover({ type: 'cylinder', radius, halfHeight }, halfHeight),
  )
const cone = fc
  .tuple(size, size)
  .map(([radius, halfHeight]) => mover({ type: 'cone', radius, halfHeight }, halfHeight))
/** Wide below, narrow above, and with another depth than width. */
const hull = fc.tuple(size, size, between(0.3, 0.9)).map(([x, y, top]) =>
  mover(
    {
      type: 'hull',
      points: [-1, 1].flatMap((b) =>
        [-1, 1].flatMap((a) =>
          [-0.7, 0.7].map((c) => [a * x * (b < 0 ? 1 : top), b * y, c * x * (b < 0 ? 1 : top)]),
        ),
      ),
    },
    y,
  ),
)
/** Two runners and what they carry. */
const sledge = size.map((r) => {
  const runner = { type: 'box', halfExtents: [r, 0.4 * r, 0.3 * r] }
  const shapes = [
    { ...runner, position: [0, -0.6 * r, -0.5 * r] },
    { ...runner, position: [0, -0.6 * r, 0.5 * r] },
    { type: 'box', halfExtents: [0.5 * r, 0.5 * r, 0.8 * r], position: [0, 0.2 * r, 0] },
  ]
  return /** @type {Mover} */ ({ has: { shapes }, height: r, lies: UPRIGHT })
})
const anyMover = fc.oneof(ball, box, roundedBox, capsule, cylinder, cone, hull, sledge)

// --- how it begins --------------------------------------------------------------------------------

/** @typedef {{ name: string, position: Vector, orientation: Quaternion, linearVelocity: Vector, angularVelocity: Vector }} Begun in the frame of the floor */

/** @typedef {(mover: Mover) => Partial<Begun>} Begin */

/** @param {number} speed @param {number} heading rad @returns {Vector} */
const level = (speed, heading) => rotate(turned([0, 1, 0], heading), [speed, 0, 0])

const heading = between(-3.14, 3.14)
/** @param {Begin} begin */
const beginning = (begin) => begin

const rests = fc.constant(beginning(() => ({})))
const slides = fc
  .tuple(between(0.1, FASTEST), heading)
  .map(([speed, angle]) => beginning(() => ({ linearVelocity: level(speed, angle) })))
const rolls = fc.tuple(between(0.1, FASTEST), heading).map(([speed, angle]) =>
  beginning(({ rolls: radius = Infinity, lies }) => {
    const velocity = level(speed, lies === ON_SIDE ? 0 : angle)
    return {
      linearVelocity: velocity,
      angularVelocity: [velocity[2] / radius, 0, -velocity[0] / radius],
    }
  }),
)
const spins = between(-8, 8).map((spin) => beginning(() => ({ angularVelocity: [0, spin, 0] })))
const falls = fc
  .tuple(between(0.1, 1.5), anyOrientation, between(-2, 2), between(-2, 2))
  .map(([height, orientation, x, z]) =>
    beginning(({ height: least }) => ({
      ...{ position: [0, 2 * least + height, 0], orientation },
      ...{ linearVelocity: [x, 0, z], angularVelocity: [z, x, -z] },
    })),
  )
const flies = fc
  .tuple(between(0.1, 1), between(-4, 4), between(-6, 0), between(-4, 4))
  .map(([height, x, y, z]) =>
    beginning(({ height: least }) => ({
      position: [0, least + height, 0],
      ...{ linearVelocity: [x, y, z], angularVelocity: [z, 0.5 * x, -x] },
    })),
  )
const begin = fc.oneof(rests, slides, rolls, spins, falls, flies)

const friction = fc.oneof(fc.constant(0), between(0.05, 1))
const restitution = fc.oneof(
  { arbitrary: fc.constant(0), weight: 2 },
  { arbitrary: between(0.1, 1), weight: 1 },
)

/** @typedef {{ bodies: any[], joints: any[] }} Group in the frame of the floor, about its origin */

/** @type {fc.Arbitrary<Group>} */
const alone = fc.tuple(anyMover, begin, friction, restitution).map(([what, start, mu, e]) => ({
  bodies: [
    {
      ...{ ...what.has, friction: mu, restitution: e },
      ...{ position: [0, what.height, 0], orientation: what.lies, ...start(what) },
    },
  ],
  joints: [],
}))

/** Boxes on each other, which slide together or not. @type {fc.Arbitrary<Group>} */
const stack = fc
  .tuple(
    fc.array(box, { minLength: 2, maxLength: 3 }),
    ...[friction, fc.oneof(fc.constant(0), between(0.1, 3)), heading],
  )
  .map(([boxes, mu, speed, angle]) => {
    let top = 0
    const bodies = boxes.map(({ has, height }) => {
      const position = [0, top + height, 0]
      top += 2 * height
      return { ...has, friction: mu, position, linearVelocity: level(speed, angle) }
    })
    return { bodies, joints: [] }
  })

/** What hangs of the world, or of what hangs already. @type {fc.Arbitrary<Group>} */
const hanging = fc
  .tuple(
    fc.array(fc.tuple(anyMover, fc.nat({ max: 4 })), { minLength: 1, maxLength: 3 }),
    ...[between(-1, 1), between(-1, 1), between(0.3, 2)],
  )
  .map(([links, x, z, limit]) => {
    const at = (/** @type {number} */ i) => [0.8 * i, 3, 0]
    const bodies = links.map(([what], i) => ({
      ...{ ...what.has, position: at(i), friction: 0.3 },
      linearVelocity: [0, x, z],
    }))
    const joints = links.map(([, kind], i) => ({
      ...{ bodyA: i === 0 ? null : i - 1, bodyB: i, anchor: [0.8 * i - 0.4, 3, 0] },
      ...[
        { type: 'ball' },
        { type: 'hinge', axis: [0, 0, 1] },
        { type: 'hinge', axis: [0, 0, 1], limits: [-limit, limit] },
        { type: 'hinge', axis: [0, 1, 0], motor: { targetVelocity: limit, maxForce: 20 } },
        { type: 'universal', axisA: [0, 0, 1], axisB: [0, 1, 0] },
      ][kind],
    }))
    return { bodies, joints }
  })

const group = fc.oneof(
  { arbitrary: alone, weight: 6 },
  { arbitrary: stack, weight: 1 },
  { arbitrary: hanging, weight: 1 },
)

// --- scenes ---------------------------------------------------------------------------------------

/** Where groups lie on the floor. @param {number} i @param {number} count @returns {Vector} */
const placeOf = (i, count) => [APART * (i - (count - 1) / 2), 0, 0.37 * APART * (i % 2)]

/** @param {Slab} floor @param {any} body @param {Vector} place */
function placed(
  floor,
  { position, orientation = UPRIGHT, linearVelocity, angularVelocity, ...rest },
  place,
) {
  const move = (/** @type {Vector} */ v) => rotate(floor.orientation, v ?? [0, 0, 0])
  return {
    ...rest,
    position: pointIn(
      floor,
      /** @type {Vector} */ (
        position.map((/** @type {number} */ x, /** @type {number} */ k) => x + place[k])
      ),
    ),
    orientation: multiply(floor.orientation, orientation),
    linearVelocity: move(linearVelocity),
    angularVelocity: move(angularVelocity),
  }
}

/** @param {Slab} floor @param {any} joint @param {Vector} place @param {(i: number | null) => string | null} nameOf */
function placedJoint(floor, { bodyA, bodyB, anchor, ...rest }, place, nameOf) {
  // `axis` is the world's; `axisA` and `axisB` are those of bodies that lie as the floor does, or of the world.
  const axes = Object.fromEntries(
    Object.entries(rest)
      .filter(([name]) => name === 'axis' || (name === 'axisA' && bodyA === null))
      .map(([name, axis]) => [name, rotate(floor.orientation, axis)]),
  )
  return {
    ...{ ...rest, ...axes, bodyA: nameOf(bodyA), bodyB: nameOf(bodyB) },
    anchor: placed(floor, { position: anchor }, place).position,
  }
}

/** @param {number} slope rad @param {number} turnedBy rad @param {number} mu @param {number} e @returns {Slab} */
const floorOf = (slope, turnedBy, mu, e) => ({
  ...{ origin: [0, 0, 0], half: [HALF, HALF], depth: DEPTH, friction: mu, restitution: e },
  orientation: multiply(turned([0, 1, 0], turnedBy), turned([0, 0, 1], slope)),
})

/** A wall that stands on the floor, looks back along its x, and begins a little below. @param {Slab} floor @param {number} at m @returns {Slab} */
const wallOf = (floor, at) => ({
  ...floor,
  half: [3, HALF],
  origin: pointIn(floor, [at, 2.5, 0]),
  orientation: multiply(floor.orientation, turned([0, 0, 1], Math.PI / 2)),
})

/** @type {fc.Arbitrary<Scene>} */
export const anyScene = fc
  .record({
    seed: fc.nat({ max: 2 ** 20 }),
    groups: fc.array(group, { minLength: 1, maxLength: 3 }),
    slope: fc.oneof(
      { arbitrary: fc.constant(0), weight: 3 },
      { arbitrary: between(-0.35, 0.35), weight: 1 },
    ),
    turnedBy: fc.oneof(fc.constant(0), between(-0.78, 0.78)),
    wall: fc.oneof(
      { arbitrary: fc.constant(0), weight: 4 },
      { arbitrary: between(2, 4), weight: 1 },
    ),
    friction,
    restitution,
    duration: between(1, LONGEST),
  })
  .map(({ seed, groups, slope, turnedBy, wall, duration, ...material }) => {
    const floor = floorOf(slope, turnedBy, material.friction, material.restitution)
    const slabs = wall > 0 ? [floor, wallOf(floor, wall + APART)] : [floor]
    let count = 0
    /** @type {any[]} */
    const bodies = []
    const joints = groups.flatMap((one, g) => {
      const place = placeOf(g, groups.length)
      const first = count
      for (const body of one.bodies)
        bodies.push({ name: `body ${count++}`, ...placed(floor, body, place) })
      const nameOf = (/** @type {number | null} */ i) => (i === null ? null : `body ${first + i}`)
      return one.joints.map((joint) => placedJoint(floor, joint, place, nameOf))
    })
    return {
      ...{ seed, settings: {}, slabs, surface: WHOLE, bodies, joints, potentials: [] },
      ...{ timeStep: TIME_STEP, duration },
    }
  })
