import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'

/** @typedef {import('./scene.mjs').World} World */

/** m/s, along x */
const WIND = 3
/** kg: of a balloon and a drop of rain. */
const [BALLOON, DROP] = [0.05, 0.01]
/** The part of its weight that the air does not bear. */
const HEAVINESS = 0.1
/** N s/m: drag on the balloon, which grows with the speed. */
const LINEAR = 0.1
/** m/s: at which drag bears what is left of the weight of the balloon. */
const SINKS = (HEAVINESS * BALLOON * GRAVITY) / LINEAR
/** N s²/m²: drag on the drop, which grows with the square of the speed. */
const QUADRATIC = 0.01
/** m/s: at which drag bears the weight of the drop. */
const TERMINAL = Math.sqrt((DROP * GRAVITY) / QUADRATIC)

/** m/s² upwards, within a box whose middle is UPDRAUGHT and whose half width is HALF_WIDTH, m. */
const LIFT = 8
const UPDRAUGHT = 4
const HALF_WIDTH = 1
/** m/s, of the ball that crosses it, and where it is at the start, m: it crosses both borders in the middle of a step. */
const SPEED = 4
const START = UPDRAUGHT - 2 - SPEED / 120
/** s: it is in the box from ENTERS to LEAVES. */
const ENTERS = (UPDRAUGHT - HALF_WIDTH - START) / SPEED
const LEAVES = ENTERS + (2 * HALF_WIDTH) / SPEED

/** s: when it bangs. */
const BANG = 1
const BLAST = { radius: 1, falloff: 2, impulse: 2 }
/** m, between the bang and the surfaces of the balls, and the impulse that they get, N s. */
const DEBRIS = [
  { distance: 0.5, impulse: BLAST.impulse },
  { distance: 1.5, impulse: 0.75 * BLAST.impulse },
  { distance: 2.5, impulse: 0.25 * BLAST.impulse },
  { distance: 3.5, impulse: 0 },
]
/** m */
const RADIUS = 0.15
const BANG_PLACE = /** @type {const} */ ([0, 0, -3])

/** @param {World} world @param {readonly [number, number, number]} position @param {object} definition */
const addBall = (world, position, definition) =>
  world.createBody({ shape: { type: 'sphere', radius: RADIUS }, position, ...definition })

export default defineScene({
  name: 'weather',
  title: 'Wind, an updraught and a bang',
  description:
    'Wind of 3 m/s takes a balloon along; a drop of rain falls with at most 3.1 m/s; a ball is lifted by 8 m/s² only within a box of 2 m; after 1 s a bang pushes balls by 2 N s, and by less beyond 1 m.',
  solvers: ['soft-step', 'block-pgs', 'exact'],
  options: { allowSleep: false },
  duration: 3,
  camera: { position: [4, 3, 12], target: [4, 0, 0] },
  setup(world) {
    const balloon = addBall(world, [-3, 1, 0], { mass: BALLOON, gravityScale: HEAVINESS })
    const drop = addBall(world, [-4, 8, 0], { mass: DROP })
    const glider = addBall(world, [START, 0, 0], {
      ...{ mass: 1, gravityScale: 0, linearVelocity: [SPEED, 0, 0] },
    })
    const debris = DEBRIS.map(({ distance }, i) => {
      const [x, y, z] = BANG_PLACE
      const away = distance + RADIUS
      const aside = [away, 0, -away, 0]
      const up = [0, away, 0, -away]
      return addBall(world, [x + aside[i], y + up[i], z], { mass: 1, gravityScale: 0 })
    })
    world.createPotential({
      ...{ type: 'drag', linear: LINEAR, velocity: [WIND, 0, 0], bodies: balloon },
    })
    world.createPotential({ type: 'drag', quadratic: QUADRATIC, bodies: drop })
    const center = /** @type {const} */ ([UPDRAUGHT, 0, 0])
    const box = /** @type {const} */ ({ type: 'box', halfExtents: [HALF_WIDTH, 3, 1] })
    world.createPotential({
      ...{ type: 'gravity', gravity: [0, LIFT, 0], bodies: glider },
      region: { ...box, center },
    })
    // It touches nothing, and shows where the region is.
    const shown = world.createBody({ type: 'static', shape: box, position: center, sensor: true })
    return { balloon, drop, glider, debris, glass: [shown] }
  },
  beforeStep(world, _, dt) {
    if (world.stepCount === Math.round(BANG / dt)) world.explode({ position: BANG_PLACE, ...BLAST })
  },
  checks: [
    {
      name: 'wind-takes-the-balloon-along',
      description:
        'It nears the speed of the wind, and that at which it sinks, by exp(-c t / m), of which a step makes 1 - c dt / m',
      unit: 'm/s',
      tolerance: 1e-9,
      error({ things, stepIndex, timeStep }) {
        const part = 1 - (1 - (LINEAR / BALLOON) * timeStep) ** stepIndex
        const [x, y] = things.balloon.linearVelocity
        return Math.max(Math.abs(x - WIND * part), Math.abs(y + SINKS * part))
      },
    },
    {
      name: 'drop-has-its-final-speed',
      description: 'Where drag bears the weight: sqrt(m g / q)',
      unit: 'm/s',
      tolerance: 1e-6,
      from: 2.9,
      error: ({ things }) => Math.abs(things.drop.speed - TERMINAL),
    },
    {
      name: 'straight-then-a-parabola',
      description:
        'Before the box the ball flies level; in it it has risen by v (v / a + dt) / 2, a parabola in the steps of the integrator',
      unit: 'm',
      tolerance: 1e-9,
      to: LEAVES,
      error({ things: { glider }, timeStep }) {
        const [x, y] = glider.position
        const rises = glider.linearVelocity[1]
        const isBefore = x < UPDRAUGHT - HALF_WIDTH
        return Math.abs(y - (isBefore ? 0 : (rises * (rises / LIFT + timeStep)) / 2))
      },
    },
    {
      name: 'lift-begins-at-the-border',
      description: 'Upwards the ball has a times the time since it crossed the border, to a step',
      unit: 'm/s',
      tolerance: LIFT / 60,
      to: LEAVES,
      error({ things: { glider } }) {
        const since = Math.max(0, glider.position[0] - (UPDRAUGHT - HALF_WIDTH)) / SPEED
        return Math.abs(glider.linearVelocity[1] - LIFT * since)
      },
    },
    {
      name: 'straight-again',
      description: 'Beyond the box it flies on with what it gained in 0.5 s: 4 m/s each way',
      unit: 'm/s',
      tolerance: 1e-9,
      from: LEAVES + 1 / 60,
      error({ things }) {
        const [x, y] = things.glider.linearVelocity
        return Math.max(Math.abs(x - SPEED), Math.abs(y - LIFT * (LEAVES - ENTERS)))
      },
    },
    {
      name: 'bang-pushes-by-distance',
      description: 'Speeds of the balls: the impulse that is left at their surface by their mass',
      unit: 'm/s',
      tolerance: 1e-9,
      error: ({ things, time, timeStep }) =>
        Math.max(
          ...things.debris.map(({ speed }, i) =>
            Math.abs(speed - (time > BANG + timeStep / 2 ? DEBRIS[i].impulse : 0)),
          ),
        ),
    },
  ],
})
