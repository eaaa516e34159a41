/**
 * The golden hashes of the repository: wasm and native code still come to them. tests/browser/golden.test.mjs asks Chromium.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { goldenCases, runCase } from '../golden/cases.mjs'
import {
  differences,
  nativeHashes,
  readGolden,
  readReplayedGolden,
  wasmHashes,
} from '../golden/golden.mjs'
import { Fnv } from '../golden/hash.mjs'

/** @param {string} name */
function caseByName(name) {
  const golden = goldenCases().find((candidate) => candidate.name === name)
  assert.ok(golden, name)
  return golden
}

describe('golden hashes', () => {
  test('of wasm', async () => {
    assert.deepEqual(differences(readGolden(), await wasmHashes()), [])
  })

  test('of the native build', async () => {
    assert.deepEqual(differences(readReplayedGolden(), await nativeHashes('native-release')), [])
  })

  test('of worlds of which every step is made by a new one, from the bytes of a snapshot', async () => {
    // Up to the middle: by then all have contacts, and some sleep. `golden.mjs --restored` takes them to their end.
    const found = await nativeHashes('native-release', { isRestored: true, count: 2 })
    assert.deepEqual(differences(readReplayedGolden(2), found), [])
  })
})

describe('what makes a golden hash', () => {
  test('FNV-1a gives the published values', () => {
    for (const [text, expected] of [
      ['', 'cbf29ce484222325'],
      ['a', 'af63dc4c8601ec8c'],
      ['foobar', '85944171f73967e8'],
    ]) {
      const hash = new Fnv()
      hash.add(new TextEncoder().encode(text))
      assert.equal(hash.toString(), expected)
    }
  })

  test('no two solvers, scenes or steps have the same motion', () => {
    const moving = Object.entries(readGolden()).filter(([name]) => /^(random|machine)/.test(name))
    const motions = moving.flatMap(([, hashes]) => Object.values(hashes))
    assert.equal(new Set(motions).size, motions.length)
  })

  for (const solver of ['soft-step', 'block-pgs', 'exact']) {
    test(`${solver}: one other bit in one velocity is seen from the first step on`, async () => {
      const golden = caseByName(`random 1, ${solver}`)
      const { scene } = golden
      /** @param {import('moreau').World} world */
      const setup = (world) => {
        scene.setup(world)
        const body = world.bodies[world.bodies.length - 1]
        const [x, y, z] = body.linearVelocity
        const bits = new BigInt64Array([0n])
        new Float64Array(bits.buffer)[0] = x
        bits[0] ^= 1n
        body.linearVelocity = [new Float64Array(bits.buffer)[0], y, z]
      }
      const found = await runCase(World, { ...golden, scene: { ...scene, setup } })
      const all = readGolden()
      assert.deepEqual(differences({ a: all[golden.name] }, { a: found }), [
        'a: motion after step 1',
      ])
    })
  }
})
