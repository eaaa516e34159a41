/**
 * How the package carries the engine's module: packed by zlib, unpacked by a module of our own where Node's zlib is not.
 */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { constants, deflateRawSync } from 'node:zlib'
import { inflate, unpack } from '../../bindings/core/unpack.mjs'
import { root } from '../../scripts/tools.mjs'

const { Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE } = constants

/** Bytes of each kind that the format treats in its own way. @type {Record<string, Buffer>} */
const INPUTS = {
  nothing: Buffer.alloc(0),
  'one byte': Buffer.of(200),
  zeros: Buffer.alloc(100_000),
  'a short period': Buffer.from('abc'.repeat(5000)),
  'a repeat from as far away as there is': Buffer.concat([noise(32_000), noise(32_000)]),
  'what cannot be packed': noise(200_000),
  text: readFileSync(join(root, 'bindings/unpack/unpack.c')),
  module: readFileSync(join(root, 'dist/moreau.wasm')),
}

/** Bytes of a linear congruential generator, always the same. @param {number} count */
function noise(count) {
  let state = 12345
  return Buffer.from(
    Uint8Array.from({ length: count }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state >>> 24
    }),
  )
}

describe('unpacking', () => {
  for (const [name, input] of Object.entries(INPUTS)) {
    test(name, () => {
      for (const level of [0, 1, 6, 9]) {
        for (const strategy of [Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE]) {
          const text = deflateRawSync(input, { level, strategy }).toString('base64')
          for (const each of [inflate, unpack]) {
            const output = each(text, input.length)
            assert.ok(input.equals(output), `${each.name}, level ${level}, strategy ${strategy}`)
          }
        }
      }
    })
  }

  test('works where `process` refuses to give modules of Node, as in the edge runtime of Next.js', () => {
    const { getBuiltinModule } = process
    const text = deflateRawSync(INPUTS.text).toString('base64')
    try {
      process.getBuiltinModule = () => {
        throw new Error('A Node.js API is used which is not supported in the Edge Runtime')
      }
      assert.ok(INPUTS.text.equals(unpack(text, INPUTS.text.length)))
    } finally {
      process.getBuiltinModule = getBuiltinModule
    }
  })

  test('works where there is no TextEncoder', () => {
    const { TextEncoder } = globalThis
    const text = deflateRawSync(INPUTS.text).toString('base64')
    try {
      Reflect.deleteProperty(globalThis, 'TextEncoder')
      assert.ok(INPUTS.text.equals(inflate(text, INPUTS.text.length)))
    } finally {
      globalThis.TextEncoder = TextEncoder
    }
  })

  test('has a module that old browsers compile at once in a window', () => {
    assert.ok(statSync(join(root, 'build/wasm/unpack.wasm')).size < 4096)
  })
})
