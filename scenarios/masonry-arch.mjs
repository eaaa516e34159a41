import { addFloor, GRAVITY, normalImpulse } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { distance } from './vector.mjs'

/** @typedef {import('./vector.mjs').Vector} Vector */
/** @typedef {import('./vector.mjs').Angle} Angle */
/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {{ floor: Body, stones: Body[], places: Readonly<Vector>[] }} Arch */

/** Stones of 12 degrees each: one of them is the keystone. */
const COUNT = 15
/** m, of the middle line and along the axis */
const RADIUS = 3
const HALF_DEPTH = 0.4
const FRICTION = 0.7
const STEP = angleOf12Degrees()

/** Twice 36 - 30 degrees, both of which square roots give. @returns {Angle} */
function angleOf12Degrees() {
  const cosine36 = (1 + Math.sqrt(5)) / 4
  const sine36 = Math.sqrt(1 - cosine36 * cosine36)
  const cosine6 = cosine36 * Math.sqrt(0.75) + sine36 * 0.5
  const sine6 = sine36 * Math.sqrt(0.75) - cosine36 * 0.5
  return { cosine: cosine6 * cosine6 - sine6 * sine6, sine: 2 * sine6 * cosine6 }
}

/**
 * Corners of all joints of the arch, from one springing to the other: direction of the joint from the middle of the circle.
 *
 * @returns {[number, number][]}
 */
function joints() {
  /** @type {[number, number][]} */
  const directions = [[1, 0]]
  for (let joint = 1; joint <= COUNT; joint++) {
    const [x, y] = directions[joint - 1]
    directions.push([x * STEP.cosine - y * STEP.sine, x * STEP.sine + y * STEP.cosine])
  }
  return directions
}

/**
 * Builds a semicircular arch on the floor, without mortar.
 *
 * @param {World} world
 * @param {number} thickness m
 * @returns {Arch}
 */
function buildArch(world, thickness) {
  const floor = addFloor(world, { halfWidth: 10, friction: FRICTION })
  const directions = joints()
  const stones = Array.from({ length: COUNT }, (_, index) => {
    const points = [directions[index], directions[index + 1]].flatMap(([x, y]) =>
      [RADIUS - thickness / 2, RADIUS + thickness / 2].flatMap((radius) =>
        [-HALF_DEPTH, HALF_DEPTH].map((z) => /** @type {Vector} */ ([radius * x, radius * y, z])),
      ),
    )
    return world.createBody({
      shape: { type: 'hull', points },
      density: 2400,
      friction: FRICTION,
    })
  })
  return { floor, stones, places: stones.map((stone) => stone.worldCenterOfMass) }
}

/**
 * Horizontal impulse of the springings, N s: what the floor pushes the arch's foot inwards with.
 *
 * @param {Body} stone
 * @param {Body} floor
 */
function thrust(stone, floor) {
  let sum = 0
  for (const contact of stone.contacts()) {
    if (contact.other.id !== floor.id) continue
    for (const { tangentImpulse } of contact.points) sum += tangentImpulse[0]
  }
  return Math.abs(sum)
}

/**
 * Bounds of the thrust: the half of the arch between springing and crown turns neither about a point of the springing nor one of
 * the crown's joint, wherever in the stone the force goes through (Heyman 1966).
 *
 * @param {Arch} arch
 * @param {number} thickness m
 * @returns {[number, number]} N
 */
function thrustBounds({ stones, places }, thickness) {
  // The keystone belongs to both halves.
  const half = (COUNT - 1) / 2
  let weight = 0.5 * stones[half].mass * GRAVITY
  // Half of the keystone has its centre on its own side: no farther out than half of its width.
  const keystone = 0.5 * (RADIUS + thickness / 2) * STEP.sine
  let [least, most] = [0, weight * keystone]
  for (let index = 0; index < half; index++) {
    const stoneWeight = stones[index].mass * GRAVITY
    weight += stoneWeight
    least += stoneWeight * places[index][0]
    most += stoneWeight * places[index][0]
  }
  const [inner, outer] = [RADIUS - thickness / 2, RADIUS + thickness / 2]
  return [(weight * inner - most) / outer, (weight * outer - least) / inner]
}

const THICK = 0.5

export const masonryArch = defineScene({
  name: 'masonry-arch',
  title: 'Masonry arch',
  description:
    'Fifteen stones without mortar, a semicircle of 3 m radius and 0.5 m thickness: a sixth of the radius, more than the 10.7 % that it needs (Milankovitch 1907). It stands.',
  options: { solver: 'exact' },
  duration: 10,
  camera: { position: [3, 3, 9], target: [0, 1.5, 0] },
  setup: (world) => buildArch(world, THICK),
  checks: [
    {
      name: 'stands',
      description: 'No stone leaves its place',
      unit: 'm',
      tolerance: 1e-3,
      error: ({ things }) =>
        Math.max(
          ...things.stones.map((stone, index) =>
            distance(stone.worldCenterOfMass, things.places[index]),
          ),
        ),
    },
    {
      name: 'comes-to-rest',
      description: 'Kinetic energy after the first second',
      unit: 'J',
      tolerance: 1e-6,
      from: 1,
      error: ({ world }) => world.energy().kinetic,
    },
    {
      name: 'springings-carry-the-weight',
      description: 'The normal impulses of the floor sum up to the weight of all stones times dt',
      unit: '(part of the weight)',
      tolerance: 1e-6,
      from: 1,
      error({ things: { stones, floor }, timeStep }) {
        const mass = stones.reduce((sum, stone) => sum + stone.mass, 0)
        return Math.abs(normalImpulse(floor) / (mass * GRAVITY * timeStep) - 1)
      },
    },
    {
      name: 'thrust-within-heyman-bounds',
      description:
        'The thrust of each springing is between what a line of force along the outside and one along the inside would have',
      unit: 'N',
      tolerance: 0,
      from: 1,
      error({ things, timeStep }) {
        const [least, most] = thrustBounds(things, THICK)
        const errors = [things.stones[0], things.stones[COUNT - 1]].map((stone) => {
          const force = thrust(stone, things.floor) / timeStep
          return Math.max(least - force, force - most)
        })
        return Math.max(0, ...errors)
      },
    },
  ],
})

export const thinArch = defineScene({
  name: 'thin-arch',
  title: 'Arch that is too thin',
  description:
    'The same arch, 0.24 m thick: 8 % of the radius is less than the 10.7 % that it needs. No line of force fits into it, it hinges and falls, whatever the friction.',
  options: { solver: 'exact' },
  duration: 4,
  camera: { position: [3, 3, 9], target: [0, 1.5, 0] },
  setup: (world) => buildArch(world, 0.24),
  checks: [
    {
      name: 'falls',
      description: 'At the end its crown lies at less than half of its height',
      unit: 'm',
      tolerance: RADIUS / 2,
      from: 4,
      error: ({ things }) => things.stones[(COUNT - 1) / 2].worldCenterOfMass[1],
    },
    {
      name: 'energy-never-above-start',
      description: 'Kinetic plus potential energy stays below what it was at the start',
      unit: 'J',
      tolerance: 1e-3,
      error: ({ world, start }) => Math.max(0, world.energy().total - start.energy.total),
    },
  ],
})
