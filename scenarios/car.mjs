import { defineScene } from './scene.mjs'

const LENGTH = 1.4
const WIDTH = 0.8
const BUMPS = [8, 11, 14, 17]
/** m/s² */
const ACCELERATION = 3
/** s: the driver accelerates for so long, rolls, and brakes from `BRAKE_AT` on. */
const ACCELERATE_FOR = 2
const BRAKE_AT = 5

/**
 * @param {import('./scene.mjs').World} world
 */
function makeCar(world) {
  const chassis = world.createBody({
    shapes: [
      { type: 'box', halfExtents: [2, 0.25, 0.85] },
      { type: 'box', halfExtents: [0.9, 0.25, 0.75], position: [-0.2, 0.5, 0], density: 100 },
    ],
    mass: 1200,
    position: [0, 0.8, 0],
  })
  const wheel = { radius: 0.35, restLength: 0.35, stiffness: 40000, travel: 0.25 }
  const places = [LENGTH, -LENGTH].flatMap((x) => [-WIDTH, WIDTH].map((z) => [x, -0.1, z]))
  const wheels = places.map((position) => ({ ...wheel, position }))
  return world.createVehicle({ chassis, wheels })
}

export default defineScene({
  name: 'car',
  title: 'Car over speed bumps',
  description:
    'A car of 1200 kg on four ray-cast wheels accelerates at 3 m/s² for 2 s, rolls over four bumps of 12 cm and brakes to a stand.',
  solvers: ['soft-step', 'block-pgs', 'exact'],
  duration: 9,
  camera: { position: [2, 4, 11], target: [3, 0.3, 0] },
  setup(world) {
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    for (const x of BUMPS) {
      world.createBody({
        type: 'static',
        shape: { type: 'capsule', radius: 0.3, halfHeight: 2 },
        position: [x, -0.18, 0],
        orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      })
    }
    const car = makeCar(world)
    return { car, vehicles: [car], leader: car.chassis }
  },
  beforeStep(world, { car }, dt) {
    const { time } = world
    for (const wheel of car.wheels) {
      wheel.engineForce = time < ACCELERATE_FOR ? (ACCELERATION * 1200) / 4 : 0
      wheel.brake = time < BRAKE_AT ? 0 : 2500
    }
    car.update(dt)
  },
  checks: [
    {
      name: 'reaches-its-speed',
      description: 'Force over mass gives 6 m/s after 2 s',
      unit: 'm/s',
      tolerance: 0.1,
      from: ACCELERATE_FOR,
      to: ACCELERATE_FOR + 1 / 30,
      error: ({ things }) => Math.abs(things.car.speed - ACCELERATION * ACCELERATE_FOR),
    },
    {
      name: 'keeps-upright',
      description: 'The bumps do not turn it over, nor off its course',
      unit: 'rad',
      tolerance: 0.3,
      error({ things }) {
        const [x, y, z] = things.car.chassis.orientation
        return 2 * Math.hypot(x, y, z)
      },
    },
    {
      name: 'stands-with-brakes-on',
      description: 'It has stopped and does not creep',
      unit: 'm/s',
      tolerance: 1e-4,
      from: 8.5,
      error: ({ things }) => things.car.chassis.speed,
    },
  ],
})
