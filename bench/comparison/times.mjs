/**
 * What a step costs.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { CpuClock } from './clock.mjs'

/** @typedef {import('./scene-run.mjs').Run} Run */

/**
 * ms per step, which includes reading all poses; in a scene of rays, ms for all of them.
 *
 * @typedef {object} Times
 * @property {number} cpu mean processor time of the main thread
 * @property {number} median wall time, as all that follow
 * @property {number} p95
 * @property {number} max
 * @property {number} stepMedian without reading the poses
 * @property {string} clock that gave `cpu`
 */

/**
 * V8 compiles what has run often once more, in the background: a pause lets it finish, on a busy machine too. Without it a small
 * scene is timed in code that is up to a fifth slower. ms
 */
const COMPILING = 500

/**
 * @param {Run} run
 * @param {import('../scenes/description.mjs').Description} description
 * @returns {Promise<Times>}
 */
export async function measureTimes(run, { settle, timed, rays }) {
  for (let step = 0; step < settle; step++) {
    run.step()
    run.read()
  }
  const distances = rays ? new Float32Array(rays.length / 7) : null
  if (rays && distances) run.castRays(rays, distances)

  await pause(COMPILING)
  const whole = new Float64Array(timed)
  const alone = new Float64Array(timed)
  const clock = new CpuClock()
  const begin = clock.now()
  for (let step = 0; step < timed; step++) {
    const before = performance.now()
    if (rays && distances) run.castRays(rays, distances)
    else run.step()
    const between = performance.now()
    if (!rays) run.read()
    const after = performance.now()
    whole[step] = after - before
    alone[step] = between - before
  }
  const cpu = (clock.now() - begin) / timed
  whole.sort()
  alone.sort()
  return {
    cpu,
    median: whole[timed >> 1],
    p95: whole[Math.floor(0.95 * timed)],
    max: whole[timed - 1],
    stepMedian: alone[timed >> 1],
    clock: clock.name,
  }
}
