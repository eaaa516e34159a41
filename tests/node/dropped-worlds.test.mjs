/**
 * Worlds that nobody frees.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../../scripts/tools.mjs'

/**
 * What one takes, and the module's memory when the last one was dropped, in bytes.
 * @param {number} count
 * @param {string} fill
 */
async function left(count, fill) {
  const code = `
    import { World } from 'moreau'
    const make = async () => { const world = await World.create(); ${fill}; world.step(1 / 60); return world.memory() }
    const first = await make()
    const second = await make()
    for (let i = 0; i < ${count}; i++) {
      await make()
      // The host tells of what it collected between two tasks.
      if (i % 10 === 9) await new Promise((resolve) => setImmediate(resolve))
    }
    const { wasmBytes } = (await World.create()).memory()
    console.log(JSON.stringify({ each: second.bytes - first.bytes, all: wasmBytes }))`
  const args = ['--input-type=module', '-e', code]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return JSON.parse(stdout)
}

// Without collection all of them together would be there. When the host collects is its own affair: a fifth of them leaves it room, and is less than it leaves if it is not told (lifetime.mjs).
for (const [name, count, fill] of /** @type {[string, number, string][]} */ ([
  [
    '10,000 small worlds',
    10_000,
    'for (let i = 0; i < 8; i++) world.createBody({ mass: 1, inertia: [1, 1, 1] })',
  ],
  [
    '300 worlds with a terrain of their own',
    300,
    `const size = 160
     const vertices = Float64Array.from({ length: 3 * size * size }, (_, i) =>
       [Math.floor(i / 3) % size, 0, Math.floor(i / 3 / size)][i % 3])
     const indices = Array.from(vertices, (_, i) => i).flatMap((i) =>
       i % size === size - 1 || i >= size * (size - 1) ? [] : [i, i + size, i + 1])
     world.createBody({ type: 'static', shape: { type: 'mesh', vertices, indices: new Uint32Array(indices) } })`,
  ],
])) {
  test(`${name}, dropped, leave little behind`, async () => {
    const { each, all } = await left(count, fill)
    assert.ok(each > 1000, `each takes ${each} bytes`)
    assert.ok(all < Math.max(0.2 * each * count, 32e6), `${all} bytes are left, each takes ${each}`)
  })
}
