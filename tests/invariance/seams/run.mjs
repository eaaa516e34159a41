/**
 * The judge of seams: what slides and rolls over floors of parts moves as over one box.
 *
 *   npm run seams                              every floor with every mover, once
 *   npm run seams -- --all                     with all variants of size, speed, friction and place: two minutes
 *   npm run seams -- --random 10 --seed 5      with ten random variants
 *
 * Prints the faults, and ends with 1 where there are more than tests/invariance/seams/known.json knows of. Of random ones it knows none.
 */
import { init } from 'moreau'
import { readCommandLine } from '../../../scripts/command-line.mjs'
import { Failure, runMain } from '../../../scripts/tools.mjs'
import { Judge, randomVariants } from './judge.mjs'
import { allRuns, lineOf, sampleRuns, unknownFaults } from './sample.mjs'

/** @param {string} random @param {string} seed */
const randomRuns = (random, seed) => allRuns(randomVariants(Number(random), Number(seed)))

await runMain(async () => {
  const { values } = readCommandLine(import.meta.url, {
    options: {
      all: { type: 'boolean', default: false },
      random: { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  })
  await init()
  const chosen = values.all ? allRuns() : sampleRuns()
  const runs = values.random === undefined ? chosen : randomRuns(values.random, values.seed)
  const judge = new Judge()
  const bad = runs.map((run) => judge.judge(run)).filter(({ isBad }) => isBad)
  for (const result of bad) console.log(lineOf(result))
  console.log(`${bad.length} faults of ${runs.length} runs`)
  const isKnown = values.random === undefined ? unknownFaults(bad).length === 0 : bad.length === 0
  if (!isKnown) throw new Failure('there are more faults than known.json knows of')
})
