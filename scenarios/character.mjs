import { defineScene } from './scene.mjs'

const CAPSULE = /** @type {const} */ ({ type: 'capsule', radius: 0.3, halfHeight: 0.6 })
/** m, from its origin to its feet, and what it keeps to everything. */
const FEET = 0.9
const OFFSET = 0.01
/** m/s along x, and m/s² while it is in the air. */
const SPEED = 2
const GRAVITY = 9.81
/** m: height of a step. The platform behind the second one is a step higher. */
const STEP = 0.2
/** m/s of the platform, along z. */
const DRIFT = 0.5
/** s: from here on it is on the platform. */
const ON_PLATFORM = 1.5

/** @param {number} i the first, the second step */
const stepAt = (i) => ({
  type: /** @type {const} */ ('static'),
  shape: {
    type: /** @type {const} */ ('box'),
    halfExtents: /** @type {[number, number, number]} */ ([0.4, (i * STEP) / 2, 3]),
  },
  position: /** @type {[number, number, number]} */ ([0.6 + 0.8 * i, (i * STEP) / 2, 0]),
})

export default defineScene({
  name: 'character',
  title: 'Character on steps and a platform',
  description:
    'A capsule that is no body walks at 2 m/s up two steps of 0.2 m and onto a platform that carries it sideways at 0.5 m/s. The shape that is drawn follows it and touches nothing.',
  solvers: ['soft-step', 'block-pgs', 'exact'],
  duration: 3.5,
  camera: { position: [4, 5, 10], target: [4, 0.8, 0] },
  setup(world) {
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    for (const i of [1, 2]) world.createBody(stepAt(i))
    const platform = world.createBody({
      type: 'kinematic',
      shape: { type: 'box', halfExtents: [5, (3 * STEP) / 2, 3] },
      position: [7.6, (3 * STEP) / 2, 0],
      linearVelocity: [0, 0, DRIFT],
    })
    const hero = world.createCharacter({ shape: CAPSULE, position: [0, FEET + OFFSET, 0] })
    const drawn = world.createBody({
      ...{ shape: CAPSULE, position: hero.position, gravityScale: 0 },
      filter: { category: 0, mask: 0 },
    })
    return { hero, drawn, platform }
  },
  beforeStep(world, { hero, drawn }, dt) {
    const fall = hero.grounded ? 0 : GRAVITY * dt
    hero.move([SPEED * dt, -fall * dt, 0], dt)
    drawn.position = hero.position
  },
  checks: [
    {
      name: 'stays-on-the-ground',
      description: 'It stands on something after every move',
      unit: 'steps',
      tolerance: 0,
      softTolerance: 0,
      error: ({ things }) => (things.hero.grounded ? 0 : 1),
    },
    {
      name: 'keeps-its-speed',
      description: 'Steps cost it no way, though its round foot goes over their edges on an arc',
      unit: 'm',
      tolerance: 1e-6,
      softTolerance: 1e-6,
      error: ({ things, time }) => Math.abs(things.hero.position[0] - SPEED * time),
    },
    {
      name: 'climbs',
      description: 'Its feet are on the platform',
      unit: 'm',
      tolerance: 1e-6,
      softTolerance: 1e-6,
      from: ON_PLATFORM,
      error: ({ things }) => Math.abs(things.hero.position[1] - FEET - OFFSET - 3 * STEP),
    },
    {
      name: 'is-carried',
      description: 'It stays where it is beside the platform',
      unit: 'm/s',
      tolerance: 1e-6,
      softTolerance: 1e-6,
      from: ON_PLATFORM + 1 / 60,
      error: ({ things }) => Math.abs(things.hero.velocity[2] - DRIFT),
    },
  ],
})
