/**
 * Snapshots of golden scenes go from wasm in Node to `moreau/threads`, to native programs and back: each goes on with the
 * same bits. tests/browser/snapshot.test.mjs asks Chromium.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { World } from 'moreau'
import { frameLength, readFrame, writeFrame } from '../../bindings/state/frame.mjs'
import { root } from '../../scripts/tools.mjs'
import { goOn, keptCases } from '../golden/kept.mjs'

/** @type {import('../golden/kept.mjs').KeptCase[]} */
let cases
let folder = ''

before(async () => {
  cases = await keptCases(World)
  folder = await mkdtemp(join(tmpdir(), 'moreau-kept-'))
})

after(() => rm(folder, { recursive: true }))

/**
 * Native programs know the state alone: who lives there, in the objects of JavaScript, stays as it was.
 * @param {Uint8Array} bytes of a snapshot
 * @param {Uint8Array} engine the engine's part of another one
 */
function withEngine(bytes, engine) {
  const { roster, controls } = readFrame('snapshot', bytes, 'bytes')
  const whole = /** @type {const} */ ([roster, controls])
  const out = new Uint8Array(frameLength(engine.length, whole))
  writeFrame('snapshot', engine, whole, out)
  return out
}

describe('a snapshot that wasm in Node has taken', () => {
  test('is of many scenes with each solver', () => {
    for (const solver of ['soft-step', 'block-pgs', 'exact']) {
      const count = cases.filter(({ name }) => name.includes(solver)).length
      assert.ok(count >= 8, `${count} with ${solver}`)
    }
    assert.ok(cases.every(({ start, end }) => start !== end))
  })

  test('goes on in another world', async () => {
    for (const kept of cases) {
      const { start, end } = await goOn(World, kept)
      assert.deepEqual({ start, end }, { start: kept.start, end: kept.end }, kept.name)
    }
  })

  test('goes on in moreau/threads, and from there in moreau', async () => {
    const threads = await import('moreau/threads')
    await threads.init({ threads: 3 })
    for (const kept of cases) {
      const { start, half, end } = await goOn(threads.World, kept)
      assert.deepEqual({ start, end }, { start: kept.start, end: kept.end }, kept.name)
      const back = await goOn(World, { ...kept, bytes: half, steps: kept.steps / 2 })
      assert.equal(back.end, kept.end, kept.name)
    }
  })

  test('goes on in the native build, and from there in wasm', async () => {
    const program = join(root, 'build/native-release/restored_steps')
    assert.ok(existsSync(program), `${program}: cmake --build --preset native-release`)
    const [from, to] = [join(folder, 'from'), join(folder, 'to')]
    for (const { name, timeStep, steps, bytes, ...hashes } of cases) {
      await writeFile(from, readFrame('snapshot', bytes, 'bytes').engine)
      const options = [String(timeStep), String(steps), from, to]
      const { stdout } = await promisify(execFile)(program, options)
      const [start, end] = stdout.trim().split('\n')
      assert.deepEqual({ start, end }, hashes, name)
      const back = withEngine(bytes, await readFile(to))
      const { end: again } = await goOn(World, { bytes: back, timeStep, steps: steps / 2 })
      assert.equal(again, hashes.end, `${name}, back in wasm`)
    }
  })
})
