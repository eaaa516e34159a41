import { addFloor, unitCube } from './parts.mjs'
import { defineScene } from './scene.mjs'

/** kg/m³: a cube of 1 m has as many kg. */
const DENSITY = 200
/** s: a second cube is put on the body, the first one is taken away, the ball jumps. */
const ADD = 0.5
const REMOVE = 1
const JUMP = 1.5
/** s: what is left of the body has come down by 1 m by then, and lies. */
const LIES = REMOVE + 1
/** m/s: of a ball without gravity that is put back to where it began, at another height. */
const SPEED = 2
const BEFORE = /** @type {const} */ ([-4, 3, -2])
const AFTER = /** @type {const} */ ([-4, 4, -2])
/** m: the feelers look down from here. */
const FEELERS = 4
/** m: of the ball that bounces under them. */
const RADIUS = 0.4
/** m: of what is let down onto the ball. */
const PROBE = 0.2
/** m: how high the gate is, a box on the floor of which a query asks what overlaps it. The body is there to be seen. */
const GATE = 1
const GATE_BOX = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, GATE / 2, 0.5] })
const GATE_PLACE = /** @type {const} */ ([2, GATE / 2, 0])

/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */

/** What of the body there is at a time: its mass, kg, and the height of its centre above its origin, m. @param {number} time s */
function partsAt(time) {
  if (time < ADD) return { mass: DENSITY, centre: 0 }
  return time < REMOVE ? { mass: 2 * DENSITY, centre: 0.5 } : { mass: DENSITY, centre: 1 }
}

/** The time in the middle of the last step, s: it says what was changed before that step. @param {{ time: number, timeStep: number }} context */
const middle = ({ time, timeStep }) => time - timeStep / 2

/** How high the ball is by a ray from above, m. @param {World} world @param {Body} ball */
function heightByRay(world, ball) {
  const hit = world.rayCast([ball.position[0], FEELERS, 0], [0, -1, 0])
  return hit?.body === ball ? FEELERS - hit.distance - RADIUS : NaN
}

/** The same by a smaller ball that is let down onto it, from aside. @param {World} world @param {Body} ball */
function heightByShape(world, ball) {
  const aside = 0.3
  const position = /** @type {const} */ ([ball.position[0] + aside, FEELERS, 0])
  const hit = world.shapeCast({ type: 'sphere', radius: PROBE }, { position }, [0, -1, 0])
  const above = Math.sqrt((RADIUS + PROBE) ** 2 - aside ** 2)
  return hit?.body === ball ? FEELERS - hit.distance - above : NaN
}

export default defineScene({
  name: 'changing-shapes',
  title: 'Shapes that come and go, and feelers',
  description:
    'A cube gets a second one on top, then loses the lower one and comes down. A ball that flies is put elsewhere and flies on. Feelers measure in each step how high a ball bounces.',
  solvers: ['soft-step', 'block-pgs', 'exact'],
  options: { allowSleep: false },
  duration: 3,
  camera: { position: [0, 4, 10], target: [0, 2, 0] },
  setup(world) {
    const floor = addFloor(world, { halfWidth: 8, restitution: 1 })
    const body = world.createBody({
      ...{ shape: unitCube(), position: [-2, 0.5, 0], density: DENSITY },
    })
    const flyer = world.createBody({
      shape: { type: 'sphere', radius: 0.3 },
      ...{ position: BEFORE, mass: 1, gravityScale: 0, linearVelocity: [SPEED, 0, 0] },
    })
    const ball = world.createBody({
      shape: { type: 'sphere', radius: RADIUS },
      ...{ position: [2, 2.5, 0], mass: 1, restitution: 0.8 },
    })
    const gate = world.createBody({
      ...{ type: 'static', shape: GATE_BOX, position: GATE_PLACE, sensor: true },
    })
    return { floor, body, flyer, ball, glass: [gate] }
  },
  beforeStep({ stepCount }, { body, flyer }, dt) {
    const isTime = (/** @type {number} */ time) => stepCount === Math.round(time / dt)
    if (isTime(ADD)) body.addShape({ ...unitCube(), position: [0, 1, 0] })
    if (isTime(REMOVE)) body.removeShape(0)
    if (isTime(JUMP)) flyer.teleport({ position: AFTER })
  },
  checks: [
    {
      name: 'mass-follows',
      description: 'The body has the mass of the cubes that it is made of',
      unit: 'kg',
      tolerance: 1e-9,
      error: ({ things, ...context }) => Math.abs(things.body.mass - partsAt(middle(context)).mass),
    },
    {
      name: 'centre-follows',
      description: 'The centre of mass is in the middle of the cubes',
      unit: 'm',
      tolerance: 1e-9,
      error: ({ things: { body }, ...context }) =>
        Math.abs(body.worldCenterOfMass[1] - body.position[1] - partsAt(middle(context)).centre),
    },
    {
      name: 'rests-on-what-it-has',
      description:
        'The lowest cube of the body lies on the floor, until it is taken away and some time after',
      unit: 'm',
      tolerance: 1e-6,
      softTolerance: 1e-3,
      error: ({ things, time, timeStep }) => {
        const falls = time > REMOVE + timeStep / 2 && time < LIES
        return falls ? 0 : Math.abs(things.body.position[1] - (time < LIES ? 0.5 : -0.5))
      },
    },
    {
      name: 'flies-on',
      description: 'The ball flies at 2 m/s from where it began, and from where it was put',
      unit: 'm',
      tolerance: 1e-9,
      error({ things, time, ...context }) {
        const hasJumped = middle({ time, ...context }) > JUMP
        const [x, y, z] = hasJumped ? AFTER : BEFORE
        const way = SPEED * (time - (hasJumped ? JUMP : 0))
        const [ax, ay, az] = things.flyer.position
        return Math.max(Math.abs(ax - x - way), Math.abs(ay - y), Math.abs(az - z))
      },
    },
    {
      name: 'feelers-find-the-ball',
      description: 'The height of the ball by a ray and by a cast of a shape',
      unit: 'm',
      tolerance: 1e-9,
      error: ({ things: { ball }, world }) =>
        Math.max(
          ...[heightByRay, heightByShape].map((height) =>
            Math.abs(height(world, ball) - ball.position[1]),
          ),
        ),
    },
    {
      name: 'gate-finds-the-ball',
      description:
        'A box above the floor overlaps the ball while the ball is lower than its upper side',
      unit: 'answers that are wrong',
      tolerance: 0,
      error({ things: { ball, floor }, world }) {
        const found = world.overlap(GATE_BOX, { position: GATE_PLACE }, { exclude: floor })
        const isLow = ball.position[1] - RADIUS < GATE
        return Number(found.some((one) => one.body === ball) !== isLow)
      },
    },
  ],
})
