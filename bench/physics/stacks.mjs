/**
 * What stands, and goes on standing with sleep off: towers, a pyramid, a house of cards, a ball in a wedge.
 */
import { Random } from '../../scenarios/random.mjs'
import { ANGLES, distance, length } from '../../scenarios/vector.mjs'
import { pyramid as describePyramid } from '../scenes/stacks.mjs'
import { below, within } from './row.mjs'
import { Experiment, Scene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */
/** @typedef {import('./scene.mjs').Vector} Vector */

/** @type {Vector} */
const CUBE = [0.5, 0.5, 0.5]
/** m: what is farther from its place has fallen. A body on its way is there within a second. */
const FALLEN = 0.5

/**
 * The farthest that a body is from where it began.
 *
 * @param {Experiment} experiment
 * @returns {number} m; Infinity if it is nowhere
 */
export function drift(experiment) {
  const { bodies } = experiment.description
  return experiment.moving.reduce((most, slot) => {
    const way = distance(experiment.state(slot).position, bodies[slot].position)
    return Number.isNaN(way) ? Infinity : Math.max(most, way)
  }, 0)
}

/**
 * @param {Experiment} experiment
 * @param {number} seconds
 * @returns {Outcome} how long nothing had left its place, s
 */
function standingTime(experiment, seconds) {
  let most = 0
  experiment.run(seconds, () => {
    most = drift(experiment)
    return most < FALLEN
  })
  const value = most < FALLEN ? seconds : experiment.time
  return { value, note: most < FALLEN ? `${(1000 * most).toFixed(1)} mm aside` : 'fell' }
}

/**
 * A tower of cubes of 1 m.
 *
 * @param {Engine} engine
 * @param {{ cubes?: number, seconds?: number }} [options]
 * @returns {Promise<Outcome>} s that it stands
 */
export async function tower(engine, { cubes = 40, seconds = 60 } = {}) {
  const scene = new Scene()
  scene.ground()
  for (let level = 0; level < cubes; level++) scene.box(CUBE, [0, level + 0.5, 0])
  return standingTime(await Experiment.start(engine, scene), seconds)
}

/**
 * The wall in the form of a pyramid of `npm run bench`.
 *
 * @param {Engine} engine
 * @param {{ rows?: number, seconds?: number }} [options]
 * @returns {Promise<Outcome>} m that a cube has moved by the end
 */
export async function pyramid(engine, { rows = 40, seconds = 300 } = {}) {
  const experiment = await Experiment.start(engine, { description: describePyramid(rows) })
  experiment.run(seconds, () => {
    // All poses once a second: the rest of the time only the top, which falls with the wall.
    const top = experiment.moving[experiment.moving.length - 1]
    return experiment.state(top).position[1] > rows / 2
  })
  const value = drift(experiment)
  return { value, note: value < FALLEN ? undefined : `fell in ${experiment.time.toFixed(0)} s` }
}

/** House of cards: height of a card, thickness and half depth, m. Cards lean by 20 degrees. */
const CARD = { height: 1, thickness: 0.02, halfDepth: 0.35 }
const LEAN = ANGLES[20]
/** m along the floor that a card covers; half of the flat top of a pair; from the middle of a pair to the outside of a foot. */
const SECTION = CARD.thickness / LEAN.cosine
const FLAT = 0.015
const REACH = FLAT + (CARD.height * LEAN.sine) / LEAN.cosine
/** The left card of a pair, cut level at foot and top, upright where it leans on the other one. @type {[number, number][]} */
const OUTLINE = [
  [-REACH, 0],
  [SECTION - REACH, 0],
  [0, CARD.height - ((SECTION - FLAT) * LEAN.cosine) / LEAN.sine],
  [0, CARD.height],
  [-FLAT, CARD.height],
]

/**
 * @param {[number, number][]} outline of a polygon, counter-clockwise
 * @returns {[number, number]} its centroid (the shoelace formula)
 */
function centroid(outline) {
  let [area, x, y] = [0, 0, 0]
  for (const [index, [ax, ay]] of outline.entries()) {
    const [bx, by] = outline[(index + 1) % outline.length]
    const twice = ax * by - bx * ay
    area += twice / 2
    x += (twice * (ax + bx)) / 6
    y += (twice * (ay + by)) / 6
  }
  return [x / area, y / area]
}

/**
 * A house of cards with three storeys and boards between them; friction 0.5 holds it.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number }} [options]
 * @returns {Promise<Outcome>} s that it stands
 */
export async function cardHouse(engine, { seconds = 600 } = {}) {
  const scene = new Scene()
  scene.ground()
  const [middleX, middleY] = centroid(OUTLINE)
  const cards = [1, -1].map((side) => {
    const points = OUTLINE.flatMap(([x, y]) =>
      [-1, 1].map(
        (z) => /** @type {Vector} */ ([side * (x - middleX), y - middleY, z * CARD.halfDepth]),
      ),
    )
    return { side, shape: scene.shape({ type: 'hull', points }) }
  })
  const spacing = 2 * REACH + 0.05
  let y = 0
  for (const pairs of [3, 2, 1]) {
    for (let pair = 0; pair < pairs; pair++) {
      const x = spacing * (pair - (pairs - 1) / 2)
      for (const { side, shape } of cards) scene.add(shape, [x + side * middleX, y + middleY, 0])
    }
    y += CARD.height
    if (pairs > 1) {
      const halfWidth = (spacing * (pairs - 1)) / 2 + REACH
      const half = CARD.thickness / 2
      scene.box([halfWidth, half, CARD.halfDepth], [0, y + half, 0])
    }
    y += CARD.thickness
  }
  return standingTime(await Experiment.start(engine, scene), seconds)
}

/**
 * A ball without friction between two planes that open by 4 degrees, let go at rest where it touches both.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number }} [options]
 * @returns {Promise<Outcome>} m that it ever is above its place: what it had no energy for
 */
export async function wedge(engine, { seconds = 20 } = {}) {
  const radius = 0.2
  // Of each plane to the upright.
  const angle = (2 * Math.PI) / 180
  const scene = new Scene()
  for (const side of [1, -1]) {
    const orientation = /** @type {[number, number, number, number]} */ ([
      0,
      0,
      Math.sin((-side * angle) / 2),
      Math.cos(angle / 2),
    ])
    // The plane goes through the origin; the box, 10 m thick, lies behind it.
    const normal = [-side * Math.cos(angle), Math.sin(angle)]
    const place = /** @type {Vector} */ ([-5 * normal[0], -5 * normal[1], 0])
    scene.box([5, 50, 50], place, { fixed: true, orientation, friction: 0 })
  }
  const rest = radius / Math.sin(angle)
  const ball = scene.sphere(radius, [0, rest, 0], { mass: 1, friction: 0 })
  const experiment = await Experiment.start(engine, scene)
  let [highest, lowest] = [0, 0]
  experiment.run(seconds, () => {
    const y = experiment.state(ball).position[1] - rest
    highest = Math.max(highest, y)
    lowest = Math.min(lowest, y)
  })
  // The planes meet at 0: what is below fell through.
  if (!(lowest > -rest)) return { value: NaN, note: 'falls through' }
  const { position, velocity } = experiment.state(ball)
  const ends = `${(1000 * (position[1] - rest)).toFixed(0)} mm, ${length(velocity).toFixed(3)} m/s`
  return { value: highest, note: `lowest ${(1000 * lowest).toFixed(0)} mm, ends at ${ends}` }
}

/**
 * A stack of ten cubes of 1 m stepped thirty times a second.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number, dt?: number }} [options]
 * @returns {Promise<Outcome>} m that the topmost sinks
 */
export async function coarseStack(engine, { seconds = 10, dt = 1 / 30 } = {}) {
  const scene = new Scene()
  scene.ground()
  for (let level = 0; level < 10; level++) scene.box(CUBE, [0, level + 0.5, 0])
  const experiment = await Experiment.start(engine, scene)
  const top = experiment.moving[9]
  let lowest = 9.5
  experiment.run(
    seconds,
    () => {
      lowest = Math.min(lowest, experiment.state(top).position[1])
    },
    dt,
  )
  return { value: 9.5 - lowest, note: drift(experiment) > FALLEN ? 'fell' : undefined }
}

/**
 * Three stacks of ten cubes, stepped by any time between 1/144 and 1/30 s.
 *
 * @param {Engine} engine
 * @param {{ seconds?: number }} [options]
 * @returns {Promise<Outcome>} the part of the cubes that sleep at the end; how fast any of them is in the last second
 */
export async function randomSteps(engine, { seconds = 20 } = {}) {
  const random = new Random(144)
  const scene = new Scene()
  scene.ground()
  for (const x of [-3, 0, 3]) {
    for (let level = 0; level < 10; level++) scene.box(CUBE, [x, level + 0.5, 0])
  }
  const experiment = await Experiment.start(engine, scene, { sleep: true })
  let fastest = 0
  while (experiment.time < seconds) {
    experiment.step(random.between(1 / 144, 1 / 30))
    if (experiment.time < seconds - 1) continue
    for (const slot of experiment.moving) {
      fastest = Math.max(fastest, length(experiment.state(slot).velocity))
    }
  }
  const asleep = experiment.moving.filter((slot) => experiment.controls.isAsleep(slot)).length
  const note = `sways at ${fastest.toFixed(3)} m/s`
  return { value: asleep / experiment.moving.length, note }
}

/** @param {number} seconds that it is to stand */
const stands = (seconds) => within(`${seconds} s`, seconds, Infinity)

/** @type {Row[]} */
export const stackRows = [
  {
    name: 'wedge',
    title: 'ball in a wedge of 4°, highest above rest in 20 s',
    unit: 'mm',
    goal: below('< 1 mm', 1e-3),
    measure: (engine) => wedge(engine),
  },
  {
    name: 'card-house',
    title: 'house of cards stands',
    unit: 's',
    goal: stands(600),
    measure: (engine, quick) => cardHouse(engine, { seconds: quick ? 60 : 600 }),
  },
  ...[24, 30, 40].map((cubes) => ({
    name: `tower-${cubes}`,
    title: `tower of ${cubes} cubes stands`,
    unit: /** @type {const} */ ('s'),
    goal: stands(60),
    measure: (/** @type {Engine} */ engine) => tower(engine, { cubes }),
  })),
  {
    name: 'pyramid',
    title: 'pyramid of 40 rows, drift in 5 minutes',
    unit: 'mm',
    goal: below('stands', 0.5),
    measure: (engine, quick) => pyramid(engine, { seconds: quick ? 20 : 300 }),
  },
  {
    name: 'coarse-stack',
    title: 'stack of 10 at 1/30 s sinks',
    unit: 'mm',
    goal: below('< 10 mm', 0.01),
    measure: (engine) => coarseStack(engine),
  },
  {
    name: 'random-steps',
    title: '3 stacks of 10, dt random in 1/144 to 1/30 s: asleep after 20 s',
    unit: '%',
    goal: within('100 %', 1, 1),
    measure: (engine) => randomSteps(engine),
  },
]
