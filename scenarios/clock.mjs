import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'

/** kg and m: the bob of the pendulum, on a rod without a mass */
const BOB = { mass: 1, radius: 0.08 }
/** s: of half a swing */
const SECOND = 1
/** m: the length l of a pendulum of that half period: l + 2/5 r²/l = g (t/pi)² */
const WHOLE = (GRAVITY * SECOND ** 2) / Math.PI ** 2
const LENGTH = (WHOLE + Math.sqrt(WHOLE ** 2 - 1.6 * BOB.radius ** 2)) / 2
/** Teeth of the escape wheel, of which half a one goes by in each half swing: its hand turns in a minute. */
const TEETH = 30
const TICK = Math.PI / TEETH
/** rad: on both sides of the middle of the swing the escape wheel pushes the pendulum. */
const LIFT = 0.05
/** N m: of that push, and of the friction in the hinge of the pendulum */
const PUSH = 0.4
const FRICTION = 0.1
/** rad: where the work 2 LIFT PUSH of a push is what a half swing of 2 AMPLITUDE costs by friction */
const AMPLITUDE = (LIFT * PUSH) / FRICTION
/** The half swing of a pendulum of that amplitude is longer by A²/16 (Huygens). */
const HALF_SWING = SECOND * (1 + AMPLITUDE ** 2 / 16)
/** s: from when on swings are measured, until 31 s */
const LAST_SWINGS = 28.9
/** tan of half the angle at the start */
const START = 0.09

/** The axis of a cylinder, y, along z. @type {[number, number, number, number]} */
const ACROSS = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]

export default defineScene({
  name: 'clock',
  title: 'Clock with an escapement',
  description:
    'A pendulum of 1 s lets a wheel, which a torque turns, go on by half a tooth in each half swing, and gets a push by it that makes up for the friction in its hinge. The hand turns once in a minute.',
  solvers: ['exact', 'block-pgs', 'soft-step'],
  options: { allowSleep: false },
  timeStep: 1 / 240,
  duration: 31,
  camera: { position: [0, 0.3, 3], target: [0, 0, 0] },
  setup(world) {
    const [height, cosine, sine] = [
      0.5,
      (1 - START ** 2) / (1 + START ** 2),
      (2 * START) / (1 + START ** 2),
    ]
    const bob = world.createBody({
      shape: { type: 'sphere', radius: BOB.radius },
      ...{ mass: BOB.mass, position: [LENGTH * sine, height - LENGTH * cosine, 0] },
    })
    const pendulum = world.createJoint({
      ...{ type: 'hinge', bodyA: null, bodyB: bob, anchorA: [0, height, 0] },
      ...{ anchorB: [-LENGTH * sine, LENGTH * cosine, 0], axisA: [0, 0, 1], axisB: [0, 0, 1] },
      friction: FRICTION,
    })
    const wheel = world.createBody({
      shape: { type: 'cylinder', radius: 0.2, halfHeight: 0.02 },
      ...{ mass: 0.5, position: [0, height, -0.3], orientation: ACROSS, filter: { mask: 0 } },
    })
    const hand = world.createJoint({
      ...{ type: 'hinge', bodyA: null, bodyB: wheel, anchorA: [0, height, -0.3] },
      ...{ anchorB: [0, 0, 0], axisA: [0, 0, -1], axisB: [0, -1, 0] },
      motor: { targetVelocity: 10, maxForce: 0.2 },
      limits: [-TICK, 0],
    })
    return {
      pendulum,
      bob,
      hand,
      rest: 0.17951634837990105, // 2 atan(START), whose last bits differ between browsers
      ticks: /** @type {number[]} */ ([]),
      side: 1,
      largest: 0,
    }
  },
  beforeStep(world, things) {
    // The hinge counts from where the pendulum starts.
    const angle = things.pendulum.angle + things.rest
    if (angle * things.side < 0) {
      // The anchor lets the next tooth pass, and stops the one after it.
      things.side = -things.side
      things.ticks.push(world.time)
      things.hand.limits = [-TICK, things.ticks.length * TICK]
    }
    if (world.time > LAST_SWINGS) things.largest = Math.max(things.largest, Math.abs(angle))
    if (Math.abs(angle) < LIFT) {
      things.bob.applyTorque([0, 0, things.pendulum.speed > 0 ? PUSH : -PUSH])
    }
  },
  checks: [
    {
      name: 'keeps-time',
      description: 'Mean time between two ticks, against that of a pendulum of its amplitude',
      unit: 'of a second',
      tolerance: 0.01,
      from: 31,
      error({ things: { ticks } }) {
        const mean = (ticks[ticks.length - 1] - ticks[0]) / (ticks.length - 1)
        return Math.abs(mean / HALF_SWING - 1)
      },
    },
    {
      name: 'does-not-run-down',
      description:
        'The pushes keep the swing at PUSH LIFT / FRICTION = 0.2 rad: its largest angle in the last 2 s',
      unit: 'rad',
      tolerance: 0.03,
      from: 31,
      error: ({ things }) => Math.abs(things.largest - AMPLITUDE),
    },
    {
      name: 'hand-shows-the-ticks',
      description: 'The hand is at most the tooth behind that goes by',
      unit: 'rad',
      tolerance: 1.05 * TICK,
      error: ({ things: { hand, ticks } }) => Math.abs(hand.angle - ticks.length * TICK),
    },
  ],
})
