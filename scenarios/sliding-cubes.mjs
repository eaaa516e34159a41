import { energyNeverRises, integrationStep } from './common-checks.mjs'
import { addFloor, GRAVITY, unitCube } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { ANGLES, dot, length } from './vector.mjs'

/** @typedef {import('./vector.mjs').Vector} Vector */

const FRICTION = 0.5
const SPEED = 2

/**
 * Where a sliding block stops by Coulomb's law, in semi-implicit Euler: dt sum (v0 - k mu g dt) over the steps in which it
 * moves.
 *
 * @param {number} speed m/s
 * @param {number} friction
 * @param {number} timeStep s
 * @returns {number} m
 */
function stopDistance(speed, friction, timeStep) {
  const loss = friction * GRAVITY * timeStep
  const steps = Math.floor(speed / loss)
  return timeStep * (steps * speed - (loss * steps * (steps + 1)) / 2)
}

/**
 * A cube sliding on the floor in a direction that is not that of its edges.
 *
 * @param {keyof typeof ANGLES} degrees between its way and its edges
 * @returns {import('./scene.mjs').Scene}
 */
function slidingCube(degrees) {
  const { cosine, sine } = ANGLES[degrees]
  /** @type {Vector} */
  const forward = [cosine, 0, -sine]
  /** @type {Vector} */
  const sideways = [sine, 0, cosine]
  return defineScene({
    name: `sliding-${degrees}`,
    title: `Cube sliding at ${degrees}°`,
    description: `A cube of 1 kg slides off at 2 m/s, ${degrees}° from its edges, with friction 0.5. It stops where Coulomb's law says, straight ahead, without tipping, turning or hopping.`,
    solvers: ['block-pgs', 'soft-step'],
    duration: 2,
    camera: { position: [2.5, 2, 4], target: [0, 0.3, 0] },
    setup(world) {
      const floor = addFloor(world, { halfWidth: 10, friction: FRICTION })
      const cube = world.createBody({
        shape: unitCube(),
        position: [0, 0.5, 0],
        linearVelocity: [SPEED * forward[0], 0, SPEED * forward[2]],
        mass: 1,
        friction: FRICTION,
      })
      return { floor, cube }
    },
    checks: [
      energyNeverRises(),
      stopsWhereCoulombSays(forward),
      slidesStraight(sideways),
      staysOnTheFloor,
      doesNotTurn,
      pressureMovesForward(forward, sideways),
    ],
  })
}

/** @typedef {import('./scene.mjs').SceneCheck<{ cube: import('./scene.mjs').Body }>} Check */

/**
 * @param {Vector} forward
 * @returns {Check}
 */
const stopsWhereCoulombSays = (forward) => ({
  name: 'stops-where-coulomb-says',
  description: 'Distance slid until it stops',
  unit: 'm',
  tolerance: 1e-4,
  from: 2,
  softTolerance: 4e-3,
  error: ({ things, ...context }) =>
    Math.abs(
      dot(things.cube.position, forward) - stopDistance(SPEED, FRICTION, integrationStep(context)),
    ),
})

/**
 * @param {Vector} sideways
 * @returns {Check}
 */
const slidesStraight = (sideways) => ({
  name: 'slides-straight',
  description: 'Distance from the straight line that it started on',
  unit: 'm',
  tolerance: 1e-6,
  softTolerance: 1e-4,
  error: ({ things }) => Math.abs(dot(things.cube.position, sideways)),
})

/** @type {Check} */
const staysOnTheFloor = {
  name: 'stays-on-the-floor',
  description: 'Vertical speed',
  unit: 'm/s',
  tolerance: 1e-6,
  softTolerance: 1e-3,
  error: ({ things }) => Math.abs(things.cube.linearVelocity[1]),
}

/** @type {Check} */
const doesNotTurn = {
  name: 'does-not-turn',
  description:
    'Angular speed: mu h < a, so it cannot tip, and nothing turns it about the vertical. On springs it nods when it stops',
  unit: 'rad/s',
  tolerance: 1e-6,
  softTolerance: 0.05,
  error: ({ things }) => things.cube.angularSpeed,
}

/**
 * @param {Vector} forward
 * @param {Vector} sideways
 * @returns {Check}
 */
const pressureMovesForward = (forward, sideways) => ({
  name: 'pressure-moves-forward',
  description: 'While it slides the centre of pressure is mu h = 0.25 m ahead of its centre',
  unit: 'm',
  tolerance: 1e-5,
  softTolerance: 0.03,
  to: 0.3,
  error({ world, things, previous }) {
    // The contacts are those of the pose before the step.
    const centre = previous.centre ?? [0, 0.5, 0]
    previous.centre = things.cube.position
    return length(centreOfPressure(world, centre, forward, sideways, FRICTION * 0.5))
  },
})

/**
 * The centre of pressure of all contacts, relative to where it should be.
 *
 * @param {import('./scene.mjs').World} world
 * @param {Vector} centre of the body
 * @param {Vector} forward
 * @param {Vector} sideways
 * @param {number} ahead m that it should be ahead of the centre
 * @returns {Vector}
 */
function centreOfPressure(world, centre, forward, sideways, ahead) {
  let sum = 0
  /** @type {Vector} */
  let weighted = [0, 0, 0]
  for (const { position, normalImpulse } of world.contactPoints()) {
    sum += normalImpulse
    weighted = /** @type {Vector} */ (weighted.map((x, axis) => x + normalImpulse * position[axis]))
  }
  const arm = /** @type {Vector} */ (weighted.map((x, axis) => x / sum - centre[axis]))
  return [dot(arm, forward) - ahead, dot(arm, sideways), 0]
}

export const sliding0 = slidingCube(0)
export const sliding20 = slidingCube(20)
export const sliding45 = slidingCube(45)
