import { addFloor } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { distance } from './vector.mjs'

/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */

const STEPS_PER_SECOND = 60
/** Steps in which the tower falls. */
const FALL = 3 * STEPS_PER_SECOND
/** Steps that time goes back by in each step of the scene, so that one can watch. */
const BACKWARDS = 3
/** Steps of the scene until it stands again, as it stood after the first one. */
const RETURN = FALL / BACKWARDS
/** The second fall begins one step later than the first. */
const AGAIN = FALL + RETURN
const OTHER = 2 * FALL + 2 * RETURN - 1
/** Of the tower: three bars each. */
const LEVELS = 9
/** m, half of a bar. Between two bars of a level there is a gap of 2 cm. */
const BAR = /** @type {const} */ ([0.24, 0.25, 0.75])
/** kg/m³ of bars and ball. */
const WOOD = 500
const STONE = 2700
/** m/s of the ball towards the tower, and of another one aside from it in the last fall. */
const SPEED = 12
const ASIDE = 3
/** m: the tower has fallen if nothing is left above half of it. */
const LOW = LEVELS * BAR[1]

/**
 * @typedef {object} Things
 * @property {Body[]} bars
 * @property {Body} ball
 * @property {ReturnType<World['history']>} history
 * @property {number} steps of the scene that have begun
 * @property {string[]} hashes of the first fall, by the steps that the world had made
 */

/** Each level lies across the one below. @param {World} world */
function makeTower(world) {
  const shape = { type: /** @type {const} */ ('box'), halfExtents: BAR }
  const across = /** @type {const} */ ([0, Math.SQRT1_2, 0, Math.SQRT1_2])
  return Array.from({ length: 3 * LEVELS }, (_, i) => {
    const level = Math.floor(i / 3)
    const aside = 0.5 * ((i % 3) - 1)
    const height = (2 * level + 1) * BAR[1]
    return level % 2 === 0
      ? world.createBody({ shape, density: WOOD, position: [aside, height, 0] })
      : world.createBody({
          shape,
          density: WOOD,
          position: [0, height, aside],
          orientation: across,
        })
  })
}

/** Whether a step of the scene is one in which time goes back. @param {number} step 1 for the first */
const goesBack = (step) =>
  (step > FALL && step <= AGAIN) || (step > OTHER - RETURN && step <= OTHER)

/**
 * Whether the world of now has the bits of the first fall, once that is over.
 * @param {{ world: World, things: Things }} context
 */
const isAsBefore = ({ world, things }) => world.hash() === things.hashes[world.stepCount]

export default defineScene({
  name: 'rewind',
  title: 'The tower that falls three times',
  description:
    'A ball knocks a tower over. After 3 s time goes back, three times as fast, by a history of the world; the tower stands again, and falls to the same bits. Then once more, and in the third fall the ball has a push aside.',
  timeStep: 1 / STEPS_PER_SECOND,
  duration: (OTHER + FALL) / STEPS_PER_SECOND,
  camera: { position: [4, 4, 10], target: [0, 1.6, 0] },
  /** @returns {Things} */
  setup(world) {
    addFloor(world, { halfWidth: 30 })
    const bars = makeTower(world)
    const ball = world.createBody({
      shape: { type: 'sphere', radius: 0.5 },
      position: [-5, 2, 0],
      linearVelocity: [SPEED, 2, 0],
      density: STONE,
    })
    return { bars, ball, history: world.history({ frames: FALL }), steps: 0, hashes: [] }
  },
  beforeStep(world, things) {
    const step = ++things.steps
    if (goesBack(step)) {
      things.history.rewind(Math.min(BACKWARDS + 1, world.stepCount))
    } else if (step === OTHER + 1) {
      things.ball.linearVelocity = [SPEED, 2, ASIDE]
    }
  },
  checks: [
    {
      name: 'tower-falls',
      description:
        'The ball knocks it over: after 3 s by so much a bar is above half of its height',
      unit: 'm',
      tolerance: 0,
      from: FALL / STEPS_PER_SECOND,
      to: FALL / STEPS_PER_SECOND,
      error: ({ things }) => Math.max(...things.bars.map(({ position }) => position[1] - LOW), 0),
    },
    {
      name: 'same-bits-back-and-again',
      description:
        'On the way back and in the second fall every state has the hash that it had in the first: 1 if one has not',
      unit: '',
      tolerance: 0,
      to: (OTHER - 1) / STEPS_PER_SECOND,
      error({ world, things, stepIndex }) {
        if (stepIndex <= FALL) things.hashes[stepIndex] = world.hash()
        return isAsBefore({ world, things }) ? 0 : 1
      },
    },
    {
      name: 'stands-again',
      description: 'When time has gone back the tower stands where it stood, exactly',
      unit: 'm',
      tolerance: 0,
      to: AGAIN / STEPS_PER_SECOND,
      error({ things, stepIndex, previous }) {
        if (stepIndex === 1) previous.places = things.bars.map(({ position }) => position)
        if (stepIndex < AGAIN) return 0
        return Math.max(
          ...things.bars.map(({ position }, i) => distance(position, previous.places[i])),
        )
      },
    },
    {
      name: 'another-push-another-future',
      description: 'The third fall, in which the ball was pushed aside, ends elsewhere: 1 if not',
      unit: '',
      tolerance: 0,
      from: (OTHER + FALL - 1) / STEPS_PER_SECOND,
      error: (context) => (isAsBefore(context) ? 1 : 0),
    },
  ],
})
