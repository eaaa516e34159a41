import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Looks so often, every 10 ms and more: what takes longer than that hangs, on a busy machine too. */
const MOST_LOOKS = 6000

/** ms: a program that takes longer is one that never ends, on a busy machine too. */
export const HANGS_AFTER = 600_000

/**
 * Waits for what another thread does.
 * @param {() => unknown} condition
 * @param {string} what comes, for the message if it does not
 */
export async function until(condition, what) {
  for (let i = 0; i < MOST_LOOKS; i++) {
    if (condition()) return
    await sleep(10)
  }
  assert.fail(`${what} did not come`)
}
