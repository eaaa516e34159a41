/**
 * Makes the runs of a chunk.
 */
import { rowsOf } from './rows.mjs'
import { seedOfRun } from './random-runs.mjs'
import { parameterSampler } from './space.mjs'

/** @typedef {import('./scene.mjs').Run} Run */
/** @typedef {import('./scene.mjs').Simulation} Simulation */
/** @typedef {import('./space.mjs').Space} Space */

/**
 * A run by its number.
 *
 * @param {Space} space
 * @returns {(run: number) => Run}
 */
export function runMaker(space) {
  const parametersOf = parameterSampler(space)
  return (run) => ({ run, seed: seedOfRun(space.seed, run), parameters: parametersOf(run) })
}

/**
 * A run comes to the same bits whatever chunk it is in. What a scene throws becomes the row of the runs concerned.
 *
 * @param {Simulation} simulation
 * @param {Space} space
 * @param {{ first: number, count: number }} chunk
 * @param {(runs: number) => void} [onMade] gets how many runs more are made
 * @returns {Promise<import('./rows.mjs').Rows>}
 */
export async function runChunk(simulation, space, { first, count }, onMade) {
  const runs = Array.from({ length: count }, (_, i) => i + first).map(runMaker(space))
  /** @type {Map<string, Run[]>} */
  const groups = new Map()
  for (const run of runs) {
    const group = simulation.groupOf(run)
    const members = groups.get(group)
    if (members) members.push(run)
    else groups.set(group, [run])
  }
  /** @type {(import('./rows.mjs').Result | Error)[]} */
  const results = new Array(count)
  for (const members of groups.values()) {
    const made = await simulateGroup(simulation, members)
    members.forEach(({ run }, k) => (results[run - first] = made[k]))
    onMade?.(members.length)
  }
  return rowsOf(first, results)
}

/** @param {Simulation} simulation @param {Run[]} runs */
async function simulateGroup(simulation, runs) {
  try {
    return await simulation.simulate(runs)
  } catch (error) {
    // The world that they share cannot be made.
    const failure = error instanceof Error ? error : new Error(String(error))
    return runs.map(() => failure)
  }
}
