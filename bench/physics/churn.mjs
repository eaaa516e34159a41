/**
 * Bodies that come and go, and how deep they overlap: the scene `churn` of `npm run bench`. The deepest pair is another one in every
 * step, and its overlap anything from a third to three times its median: one step of it says nothing.
 */
import { init } from 'moreau'
import { Run } from '../comparison/scene-run.mjs'
import { below } from './row.mjs'
import { describeScene } from '../scenes/index.mjs'

/** @typedef {import('./scene.mjs').Engine} Engine */
/** @typedef {import('./scene.mjs').Outcome} Outcome */
/** @typedef {import('./row.mjs').Row} Row */

/** Steps from one look at the overlaps to the next. */
const LOOK = 5

/**
 * @param {Engine} engine
 * @param {{ seconds?: number, figure?: 'meanPenetration' | 'maxPenetration' }} [options]
 * @returns {Promise<Outcome>} m, the mean or the deepest overlap of bodies that touch: its median over the second half of the time
 */
export async function churn(engine, { seconds = 5, figure = 'meanPenetration' } = {}) {
  const description = describeScene('churn')
  const run = new Run(await engine.create(description, { sleep: false, world: {} }), description)
  await init()
  const { Referee } = await import('../comparison/referee.mjs')
  const referee = new Referee(description)
  const verdicts = []
  for (let step = 1; step <= 60 * seconds; step++) {
    run.step()
    if (2 * step <= 60 * seconds || step % LOOK !== 0) continue
    run.read()
    verdicts.push(referee.judge(run.poses, run.bodies))
  }
  const figures = verdicts.map((verdict) => verdict[figure]).sort((a, b) => a - b)
  const note = `${verdicts[verdicts.length - 1].escaped} escaped`
  return { value: figures[figures.length >> 1], note }
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
