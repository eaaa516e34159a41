// A short run of the fuzzer with fixed seeds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSequences } from './fuzz.mjs'

const SEQUENCES = 800

test(`${SEQUENCES} random sequences of calls leave nothing to be found, and call all that is public`, async () => {
  /** @type {string[]} */
  const findings = []
  /** @type {import('./reach.mjs').Counts} */
  const counts = new Map()
  const { failed } = await runSequences({
    ...{ sequences: SEQUENCES, seed: 1, length: 60, skipTransactions: false, counts },
    say: (text) => findings.push(text),
  })
  assert.equal(failed, 0, findings.join('\n'))
  // A new member needs lines that call it (lines.mjs).
  const never = [...counts].filter(([, calls]) => calls === 0).map(([name]) => name)
  assert.deepEqual(never, [])
  assert.ok(counts.size > 350, 'members are found by reflection')
})
