import { setImmediate as turn } from 'node:timers/promises'

/** ms that work may take in one go, so that a room that is due meanwhile is late by no more */
const SLICE = 3

/**
 * Does work piece by piece; between slices the process does all else that is due.
 * @template Result
 * @param {Generator<void, Result>} work
 * @returns {Promise<Result>}
 */
export async function inSlices(work) {
  let start = performance.now()
  for (let piece = work.next(); ; piece = work.next()) {
    if (piece.done) return piece.value
    if (performance.now() - start < SLICE) continue
    await turn()
    start = performance.now()
  }
}
