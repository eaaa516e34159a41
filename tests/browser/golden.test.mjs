/**
 * Chromium comes to the golden hashes, too.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences, readGolden } from '../golden/golden.mjs'
import { openModulePage } from './module-server.mjs'

test('golden hashes of wasm in Chromium', async (t) => {
  const { page, close } = await openModulePage()
  t.after(close)
  const found = await page.evaluate(async () => {
    const [engine, cases] = ['moreau', '/tests/golden/cases.mjs']
    const { World } = await import(engine)
    const { goldenCases, runCase } = await import(cases)
    /** @type {Record<string, Record<string, string>>} */
    const all = {}
    for (const golden of goldenCases()) all[golden.name] = await runCase(World, golden)
    return all
  })
  assert.deepEqual(differences(readGolden(), found), [])
})
