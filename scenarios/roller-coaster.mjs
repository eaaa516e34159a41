import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'

/** m: a closed rail with two hills. It is the same on both sides of z = 0, so it begins along z. */
const RAIL = [
  ...[[-6, 5, 0], [-4.5, 4, 3.4], [0, 0.6, 4.4], [4.5, 2, 3.2]],
  ...[[6.2, 3.6, 0], [4.5, 2, -3.2], [0, 0.6, -4.4], [-4.5, 4, -3.4]],
] // prettier-ignore
const BEGIN = { position: RAIL[0], tangent: [0, 0, 1] }
/** kg, and m: half the length, the height and the width of a car, and the way from one to the next */
const CAR = { mass: 400, halfExtents: [0.5, 0.22, 0.35], distance: 1.25 }
const CARS = 3
/** m/s: with which the train comes over the highest hill */
const SPEED = 3
const SLEEPERS = 110
/** m: of the highest hill above the lowest point */
const HEIGHT = 4.4

/**
 * The shortest turn that takes x to a direction.
 *
 * @param {readonly number[]} direction unit, not -x
 * @returns {[number, number, number, number]}
 */
function turnTo([x, y, z]) {
  const length = Math.sqrt(2 * (1 + x))
  return [0, -z / length, y / length, length / 2]
}

/**
 * @param {import('moreau').World} world
 * @param {{ position: readonly number[], tangent: readonly number[] }} place of the rail
 */
function addCar(world, { position: [x, y, z], tangent }) {
  const [halfLength, halfHeight, halfWidth] = CAR.halfExtents
  return world.createBody({
    shape: { type: 'box', halfExtents: [halfLength, halfHeight, halfWidth] },
    ...{ position: [x, y, z], orientation: turnTo(tangent), mass: CAR.mass, filter: { mask: 0 } },
    linearVelocity: [SPEED * tangent[0], SPEED * tangent[1], SPEED * tangent[2]],
  })
}

/** @param {import('moreau').World} world @param {import('moreau').Body} bodyB */
const addRail = (world, bodyB) =>
  world.createJoint({
    ...{ type: 'path', bodyA: null, bodyB, anchorB: [0, 0, 0], closed: true, align: 'frame' },
    points: /** @type {[number, number, number][]} */ (RAIL),
  })

/** @param {import('moreau').World} world @param {import('moreau').Joint} rail @param {number} length */
function addSleepers(world, rail, length) {
  for (let i = 0; i < SLEEPERS; i++) {
    const { position, tangent } = rail.pathPoint((length * i) / SLEEPERS)
    // Upright: the axis across is level.
    const across = Math.sqrt(tangent[0] * tangent[0] + tangent[2] * tangent[2])
    const orientation = turnTo([tangent[0] / across, 0, tangent[2] / across])
    world.createBody({
      ...{ type: 'static', shape: { type: 'box', halfExtents: [0.06, 0.03, 0.5] } },
      ...{
        position: [position[0], position[1] - 0.3, position[2]],
        orientation,
        filter: { mask: 0 },
      },
    })
  }
}

/** J: of the cars, without their spin about the rail. @param {readonly import('moreau').Body[]} cars */
const energyOf = (cars) =>
  cars.reduce((sum, car) => sum + car.kineticEnergy + CAR.mass * GRAVITY * car.position[1], 0)

export default defineScene({
  name: 'roller-coaster',
  title: 'Roller coaster',
  description:
    'Three cars on a rail without friction, a smooth curve through eight points. They come over each hill and back to the highest one as fast as they were there.',
  solvers: ['exact', 'block-pgs', 'soft-step'],
  options: { allowSleep: false },
  timeStep: 1 / 120,
  duration: 10,
  camera: { position: [2, 7, 15], target: [0, 2, 0] },
  setup(world) {
    const first = addCar(world, BEGIN)
    const rail = addRail(world, first)
    const { length } = /** @type {import('moreau').JointPath} */ (rail.path)
    addSleepers(world, rail, length)
    const cars = [first]
    for (let i = 1; i < CARS; i++) cars.push(addCar(world, rail.pathPoint(-i * CAR.distance)))
    const rails = [rail, ...cars.slice(1).map((car) => addRail(world, car))]
    for (let i = 1; i < CARS; i++) {
      world.createJoint({
        ...{ type: 'distance', bodyA: cars[i - 1], bodyB: cars[i] },
        ...{ anchorA: [0, 0, 0], anchorB: [0, 0, 0] },
      })
    }
    return { cars, rails, length, start: energyOf(cars), from: rails[0].translation }
  },
  checks: [
    {
      name: 'energy-stays',
      description:
        'Kinetic and potential energy, beside what the highest hill is above the lowest point',
      unit: '1',
      tolerance: 0.02,
      error: ({ things }) =>
        Math.abs(energyOf(things.cars) - things.start) / (CARS * CAR.mass * GRAVITY * HEIGHT),
    },
    {
      name: 'stays-on-the-rail',
      description: 'Distance of the cars from the rail, and how far they are turned off it',
      unit: 'm, rad',
      tolerance: 2e-3,
      from: 0.1,
      error: ({ things }) => Math.max(...things.rails.map((rail) => rail.error)),
    },
    {
      name: 'goes-around',
      description: 'A round that is missing',
      unit: '1',
      tolerance: 0,
      softTolerance: 0,
      from: 10,
      error: ({ things }) =>
        Math.max(0, 1 - (things.rails[0].translation - things.from) / things.length),
    },
  ],
})
