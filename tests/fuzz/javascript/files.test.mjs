// A short run of the fuzzer of files with fixed seeds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFiles } from './files.mjs'

const FILES = 300

test(`${FILES} files of robots and scenes, changed at random, give worlds that step or are refused`, async () => {
  /** @type {string[]} */
  const findings = []
  const { failed } = await runFiles({ files: FILES, seed: 1, say: (text) => findings.push(text) })
  assert.equal(failed, 0, findings.join('\n'))
})
