/**
 * A die as in die.mjs of which a run waits as many ms as a file says where the process runs, so that a test can stop a sweep before its end,
 * however fast the machine is. The rows are those of die.mjs.
 */
import { readFileSync } from 'node:fs'
import die from './die.mjs'

/** Name of that file. */
export const PACE = 'pace'

const lock = new Int32Array(new SharedArrayBuffer(4))

function wait() {
  try {
    Atomics.wait(lock, 0, 0, Number(readFileSync(PACE, 'utf8')))
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error
  }
}

/** @type {import('../../../source/sweeps/batch-simulation.mjs').SweepModule} */
export default {
  ...die,
  start(parameters, random, things) {
    wait()
    return die.start?.(parameters, random, things) ?? []
  },
}
