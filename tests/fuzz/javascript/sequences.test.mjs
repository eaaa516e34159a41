// A short run of the fuzzer with fixed seeds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSequences } from './fuzz.mjs'

const SEQUENCES = 500

test(`${SEQUENCES} random sequences of calls leave nothing to be found`, async () => {
  /** @type {string[]} */
  const findings = []
  const { failed } = await runSequences({
    ...{ sequences: SEQUENCES, seed: 1, length: 60, skipTransactions: false },
    say: (text) => findings.push(text),
  })
  assert.equal(failed, 0, findings.join('\n'))
})
