import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'

/** m */
const HEIGHT = 4
/** Atwood's machines: masses of both sides, kg, and how much more often the rope goes to the second one. */
const MACHINES = [
  { a: 2, b: 3, ratio: 1 },
  { a: 2, b: 6, ratio: 2 },
  { a: 2, b: 4, ratio: 2 },
]

/** m/s², of side A upwards: B goes down by 1/ratio of it and pulls ratio times as hard. @param {typeof MACHINES[0]} machine */
const accelerationOf = ({ a, b, ratio }) => (GRAVITY * (b / ratio - a)) / (a + b / (ratio * ratio))

export default defineScene({
  name: 'pulley',
  title: "Atwood's machines",
  description:
    'Three pairs of weights on ropes over pulleys. Two of the ropes are tackles that pull the right weight twice as hard; the last pair is in balance.',
  solvers: ['exact', 'block-pgs', 'soft-step'],
  duration: 1,
  camera: { position: [2, 2, 9], target: [2, 2, 0] },
  setup(world) {
    return MACHINES.map(({ a, b, ratio }, i) => {
      const weight = (/** @type {number} */ mass, /** @type {number} */ x) =>
        world.createBody({
          shape: { type: 'box', halfExtents: [0.2, 0.1 * mass, 0.2] },
          ...{ mass, position: [x, 1.5, 0] },
        })
      const [left, right] = [2 * i - 0.4, 2 * i + 0.4]
      const [bodyA, bodyB] = [weight(a, left), weight(b, right)]
      const rope = world.createJoint({
        ...{ type: 'pulley', bodyA, bodyB, anchorA: [0, 0, 0], anchorB: [0, 0, 0], ratio },
        ...{ groundAnchorA: [left, HEIGHT, 0], groundAnchorB: [right, HEIGHT, 0] },
      })
      return { bodyA, bodyB, rope }
    })
  },
  checks: [
    {
      name: 'accelerates-as-atwood-says',
      description: 'a = g (b/r - a) / (a + b/r²) of the left weight, -a/r of the right one',
      unit: 'm/s',
      tolerance: 1e-6,
      softTolerance: 0.02,
      error: ({ things, time }) =>
        Math.max(
          ...things.map(({ bodyA, bodyB }, i) => {
            const speed = accelerationOf(MACHINES[i]) * time
            const other = bodyB.linearVelocity[1] + speed / MACHINES[i].ratio
            return Math.max(Math.abs(bodyA.linearVelocity[1] - speed), Math.abs(other))
          }),
        ),
    },
    {
      name: 'rope-is-as-tight',
      description: 'Force of the rope on the left weight: m (g + a)',
      unit: 'N',
      tolerance: 1e-5,
      softTolerance: 0.5,
      from: 0.1,
      error: ({ things }) =>
        Math.max(
          ...things.map(({ rope }, i) => {
            const force = MACHINES[i].a * (GRAVITY + accelerationOf(MACHINES[i]))
            return Math.abs(Math.abs(rope.force()[0]) - force)
          }),
        ),
    },
    {
      name: 'rope-keeps-its-length',
      description: 'Length of the left side and ratio times that of the right one',
      unit: 'm',
      tolerance: 1e-6,
      softTolerance: 2e-3,
      error: ({ things }) =>
        Math.max(...things.map(({ rope }) => Math.abs(rope.translation - rope.length))),
    },
  ],
})
