/**
 * Limits of statics: the slope on which a block topples.
 */
import { turn } from '../../scenarios/vector.mjs'
import { below } from './row.mjs'
import { Experiment, Scene } from './scene.mjs'

/** @typedef {import('../engines/engine.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./scene.mjs').Vector} Vector */
/** @typedef {import('./row.mjs').Row} Row */

/** m: half of a block that is twice as high as wide. */
const WIDTH = 0.25
const HEIGHT = 0.5
/** In parts of the slope of theory, to both sides. */
const SEARCHED = 0.05

/**
 * @param {Engine} engine
 * @param {number} slope
 * @param {Record<string, unknown>} [world]
 */
async function topples(engine, slope, world) {
  const cosine = 1 / Math.hypot(1, slope)
  const sine = slope * cosine
  const orientation = turn([0, 0, 1], { cosine, sine })
  /** @param {number} height above the slope @returns {Vector} */
  const above = (height) => [-sine * height, cosine * height, 0]
  const scene = new Scene()
  const options = { friction: 2, orientation }
  scene.box([20, 5, 20], above(-5), { fixed: true, ...options })
  const block = scene.box([WIDTH, HEIGHT, WIDTH], above(HEIGHT), options)
  const experiment = await Experiment.start(engine, scene, { world })
  experiment.run(6)
  const [x, y] = experiment.state(block).position
  experiment.free()
  return cosine * y - sine * x < 0.9 * HEIGHT
}

/**
 * By how much the slope at which a block topples is off that of theory, its width over its height.
 *
 * @param {Engine} engine
 * @param {{ rounds?: number, world?: Record<string, unknown> }} [options]
 * @returns {Promise<Outcome>}
 */
export async function toppling(engine, { rounds = 8, world } = {}) {
  let [stands, falls] = [1 - SEARCHED, 1 + SEARCHED]
  for (let round = 0; round < rounds; round++) {
    const part = (stands + falls) / 2
    if (await topples(engine, (part * WIDTH) / HEIGHT, world)) falls = part
    else stands = part
  }
  return { value: Math.abs((stands + falls) / 2 - 1) }
}

/** @type {Row[]} */
export const staticsRows = [
  {
    name: 'toppling',
    title: 'slope at which a block topples, off by',
    unit: '%',
    goal: below('0.5 %', 0.005),
    measure: (engine, quick) => toppling(engine, quick ? { rounds: 6 } : {}),
  },
]
