/**
 * Bodies that come and go, and how deep they overlap: the scene `churn` of `npm run bench`, whose end is what its tables show.
 */
import { init } from 'moreau'
import { Run } from '../comparison/scene-run.mjs'
import { below } from './row.mjs'
import { describeScene } from '../scenes/index.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */

/**
 * @param {Engine} engine
 * @param {{ seconds?: number, figure?: 'meanPenetration' | 'maxPenetration' }} [options]
 * @returns {Promise<Outcome>} m, the mean or the deepest overlap of bodies that touch
 */
export async function churn(engine, { seconds = 5, figure = 'meanPenetration' } = {}) {
  const description = describeScene('churn')
  const run = new Run(await engine.create(description, { sleep: false, world: {} }), description)
  for (let step = 0; step < 60 * seconds; step++) run.step()
  run.read()
  await init()
  const { Referee } = await import('../comparison/referee.mjs')
  const verdict = new Referee(description).judge(run.poses, run.bodies)
  return { value: verdict[figure], note: `${verdict.escaped} escaped` }
}

/** @type {Row[]} */
export const churnRows = [
  {
    name: 'churn-mean',
    title: 'churn, mean overlap',
    unit: 'mm',
    goal: below('< 3.3 mm', 3.3e-3),
    measure: (engine) => churn(engine, { figure: 'meanPenetration' }),
  },
  {
    name: 'churn-deepest',
    title: 'churn, deepest overlap',
    unit: 'mm',
    goal: below('< 40 mm', 0.04),
    measure: (engine) => churn(engine, { figure: 'maxPenetration' }),
  },
]
