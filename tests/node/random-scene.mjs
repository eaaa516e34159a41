/**
 * Random small scenes: a pit with bodies of all shapes, and joints of all types between neighbours.
 */
import { Random } from '../../scenarios/random.mjs'

/** @typedef {import('moreau').World} World */
/** @typedef {import('moreau').Body} Body */

const HALF_WIDTH = 3
const TIME_STEP = 1 / 60

/**
 * @param {number} seed
 * @returns {{ timeStep: number, setup: (world: World) => void }} what recordBodies can record
 */
export const randomScene = (seed) => ({
  timeStep: TIME_STEP,
  setup(world) {
    const random = new Random(seed)
    addPit(world)
    const shapes = randomShapes(random)
    /** @type {Body[]} */
    const bodies = []
    for (let i = 0; i < 36; i++) bodies.push(addBody(world, random, shapes, i))
    for (let i = 1; i < bodies.length; i++) {
      if (random.next() < 0.3) join(world, random, bodies[i - 1], bodies[i])
    }
  },
})

/** @param {World} world */
function addPit(world) {
  const floor = /** @type {const} */ ({ type: 'plane', normal: [0, 1, 0], offset: 0 })
  world.createBody({ type: 'static', shape: floor })
  const wall = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 4, HALF_WIDTH + 1] })
  for (const side of [-1, 1]) {
    const x = side * (HALF_WIDTH + 0.5)
    world.createBody({ type: 'static', shape: wall, position: [x, 4, 0] })
    const orientation = /** @type {const} */ ([0, Math.SQRT1_2, 0, Math.SQRT1_2])
    world.createBody({ type: 'static', shape: wall, position: [0, 4, x], orientation })
  }
  const slab = /** @type {const} */ ({ type: 'box', halfExtents: [1, 0.1, 1] })
  world.createBody({
    type: 'kinematic',
    shape: slab,
    position: [0, 0.5, 0],
    linearVelocity: [0, 0.02, 0],
    angularVelocity: [0, 0.7, 0],
  })
}

/** @param {Random} random */
function randomShapes(random) {
  const size = () => random.between(0.15, 0.4)
  const point = () => [size(), size(), size()].map((x) => (random.next() < 0.5 ? x : -x))
  return [
    { type: 'sphere', radius: size() },
    { type: 'box', halfExtents: [size(), size(), size()] },
    { type: 'capsule', radius: size(), halfHeight: size() },
    // A tetrahedron in it, whatever the others are.
    ...[6, 12].map((count) => ({
      type: 'hull',
      points: [
        [-0.3, -0.2, -0.2],
        [0.3, -0.2, -0.2],
        [0, 0.3, -0.2],
        [0, 0, 0.3],
        ...Array.from({ length: count }, point),
      ],
    })),
    { type: 'box', halfExtents: [0.5, 0.05, 0.3] },
  ]
}

/**
 * @param {World} world
 * @param {Random} random
 * @param {any[]} shapes
 * @param {number} index
 */
function addBody(world, random, shapes, index) {
  const [column, row, layer] = [index % 3, Math.floor(index / 3) % 3, Math.floor(index / 9)]
  return world.createBody({
    shape: shapes[Math.floor(random.next() * shapes.length)],
    position: [1.6 * (column - 1), 1.5 + 1.2 * layer, 1.6 * (row - 1)],
    orientation: random.orientation(),
    linearVelocity: [random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)],
    angularVelocity: [random.between(-3, 3), random.between(-3, 3), random.between(-3, 3)],
    density: random.between(100, 2000),
    friction: random.next(),
    restitution: random.next() < 0.3 ? random.next() : 0,
    linearDamping: random.next() < 0.2 ? 0.5 : 0,
    gravityScale: random.next() < 0.1 ? 0.3 : 1,
    bullet: random.next() < 0.1,
    filter: { group: random.next() < 0.1 ? -1 : 0 },
  })
}

/**
 * Anchors in the middle between two bodies, so that the joint begins closed; axes as each has them.
 *
 * @param {World} world
 * @param {Random} random
 * @param {Body} bodyA
 * @param {Body} bodyB
 */
function join(world, random, bodyA, bodyB) {
  const types = /** @type {const} */ (['ball', 'hinge', 'fixed', 'slider', 'distance'])
  const type = types[Math.floor(random.next() * types.length)]
  const half = [0, 1, 2].map((i) => (bodyB.position[i] - bodyA.position[i]) / 2)
  const anchors = {
    anchorA: turnBack(bodyA.orientation, half),
    anchorB: turnBack(
      bodyB.orientation,
      half.map((x) => -x),
    ),
  }
  if (type !== 'hinge' && type !== 'slider') {
    world.createJoint({ type, bodyA, bodyB, ...anchors })
    return
  }
  const axisA = turnBack(bodyA.orientation, [0, 1, 0])
  const axisB = turnBack(bodyB.orientation, [0, 1, 0])
  const limits =
    random.next() < 0.5 ? { limits: /** @type {[number, number]} */ ([-0.4, 0.6]) } : {}
  world.createJoint({ type, bodyA, bodyB, ...anchors, axisA, axisB, ...limits })
}

/**
 * A vector of the world in the frame of a body.
 *
 * @param {readonly number[]} orientation
 * @param {readonly number[]} vector
 * @returns {[number, number, number]}
 */
function turnBack([x, y, z, w], [a, b, c]) {
  const [p, q, r] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)]
  return [a + w * p + (q * z - r * y), b + w * q + (r * x - p * z), c + w * r + (p * y - q * x)]
}
