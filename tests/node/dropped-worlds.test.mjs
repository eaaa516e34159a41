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
 * @param {string} given to all of them: code
 * @param {string} fill what one gets: code
 */
async function left(count, given, fill) {
  const code = `
    import { World } from 'moreau'
    ${given}
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

const SIZE = 160
/** Made once: what each world has of its own in JavaScript would press the collector too. */
const TERRAIN = `
    let made = 0
    const vertices = Float64Array.from({ length: 3 * ${SIZE * SIZE} }, (_, i) =>
      [Math.floor(i / 3) % ${SIZE}, 0, Math.floor(i / 3 / ${SIZE})][i % 3])
    const indices = Uint32Array.from(Array.from({ length: vertices.length }, (_, i) => i).flatMap((i) =>
      i % ${SIZE} === ${SIZE - 1} || i >= ${SIZE * (SIZE - 1)} ? [] : [i, i + ${SIZE}, i + 1]))`

// Without collection all of them together would be there. When the host collects is its own affair. The small worlds leave 11 MB of 305, and
// 34 if the host is not told (lifetime.mjs); the terrains 70 to 80 MB of 600, and 190 if it is not.
for (const { name, count, given, fill, part } of [
  {
    name: '20,000 small worlds',
    count: 20_000,
    given: '',
    fill: 'for (let i = 0; i < 8; i++) world.createBody({ mass: 1, inertia: [1, 1, 1] })',
    part: 0.1,
  },
  {
    name: '300 worlds with a terrain of their own',
    count: 300,
    given: TERRAIN,
    // Equal ones would be one in the engine.
    fill: "vertices[1] = ++made / 1e6; world.createBody({ type: 'static', shape: { type: 'mesh', vertices, indices } })",
    part: 0.2,
  },
]) {
  test(`${name}, dropped, leave little behind`, async () => {
    const { each, all } = await left(count, given, fill)
    assert.ok(each > 1000, `each takes ${each} bytes`)
    assert.ok(all < part * each * count, `${all} bytes are left, each takes ${each}`)
  })
}
