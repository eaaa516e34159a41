/**
 * Snapshots of golden scenes go from Node to Chromium and back: both go on with the same bits.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { World } from 'moreau'
import { goOn, keptCases } from '../golden/kept.mjs'
import { openModulePage } from './module-server.mjs'

test('a snapshot that Node has taken goes on in Chromium, and from there in Node', async (t) => {
  const { page, close } = await openModulePage()
  t.after(close)
  for (const { name, timeStep, steps, bytes, ...hashes } of await keptCases(World)) {
    const { start, end, half } = await page.evaluate(
      async ([text, dt, count]) => {
        const [engine, cases] = ['moreau', '/tests/golden/kept.mjs']
        const { World: WorldType } = await import(engine)
        const { goOn: goOnHere } = await import(cases)
        const given = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
        const found = await goOnHere(WorldType, { bytes: given, timeStep: dt, steps: count })
        // One by one: a call has no room for so many arguments.
        const letters = Array.from(/** @type {Uint8Array} */ (found.half), (byte) =>
          String.fromCharCode(byte),
        )
        return { ...found, half: btoa(letters.join('')) }
      },
      /** @type {const} */ ([Buffer.from(bytes).toString('base64'), timeStep, steps]),
    )
    assert.deepEqual({ start, end }, hashes, name)
    const back = { bytes: Buffer.from(half, 'base64'), timeStep, steps: steps / 2 }
    assert.equal((await goOn(World, back)).end, hashes.end, `${name}, back in Node`)
  }
})
