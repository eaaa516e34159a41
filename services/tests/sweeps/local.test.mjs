/**
 * Sweeps in threads of one machine: the same rows from any number of threads and any chunks.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderStore, runLocally } from '../../source/sweeps/index.mjs'
import { openTable, rowsOfPart } from '../../source/sweeps/table.mjs'
import { DEADLINE, hashOf, inFolder, scenes, specOf, undisturbed } from './support.mjs'

const AXES = ['grid friction=0.1:0.9:4', 'random speed=0.1:1', 'sobol spin=0:20']

test('a grid with random parameters: the same rows from one thread and two, in chunks of 7 and of 100', () =>
  inFolder(async (folder) => {
    const spec = specOf('die.mjs', AXES, { runs: 200, chunk: 100 })
    const hash = await hashOf(await undisturbed(spec, folder), spec)
    const other = specOf('die.mjs', AXES, { runs: 200, chunk: 7 })
    const store = folderStore(folder, other.id)
    await store.create(other, scenes)
    await runLocally({ store, spec: other, scenes, workers: 2, deadline: DEADLINE })
    assert.equal(await hashOf(store, other), hash)
  }))

test('a row has the run, its seed, its parameters and what the scene says of its world', () =>
  inFolder(async (folder) => {
    const spec = specOf('die.mjs', AXES, { runs: 40 })
    const table = await openTable(await undisturbed(spec, folder), spec)
    const names = table.columns.map(({ name }) => name)
    const rows = []
    for await (const part of table.parts()) rows.push(...rowsOfPart(part))
    assert.deepEqual(names, [
      'run',
      'seed',
      'friction',
      'speed',
      'spin',
      'x',
      'y',
      'z',
      'hash',
      'error',
    ])
    assert.equal(rows.length, 40)
    rows.forEach(([run, seed, friction, , , , y], index) => {
      assert.equal(run, index)
      assert.equal(seed, 2 ** 32 + index)
      assert.equal(friction, 0.1 + (0.8 * Math.floor(index / 10)) / 3)
      assert.ok(Number(y) > 0.007 && Number(y) < 0.015, `die ${index} at ${y}`)
    })
    assert.equal(new Set(rows.map((row) => row[8])).size, 40)
  }))

test('a sweep that was ended goes on where it was', () =>
  inFolder(async (folder) => {
    const spec = specOf('die.mjs', AXES, { runs: 400, chunk: 10 })
    const hash = await hashOf(await undisturbed(spec, folder), spec)
    const store = folderStore(join(folder, 'ended'), spec.id)
    await store.create(spec, scenes)
    const ends = new AbortController()
    const options = { store, spec, scenes, workers: 2, deadline: DEADLINE }
    const onProgress = (/** @type {number} */ done) => done >= 100 && ends.abort()
    assert.equal(await runLocally({ ...options, signal: ends.signal, onProgress }), false)
    const before = await store.doneCount()
    assert.ok(before >= 10 && before < 40, `${before} chunks`)
    /** @type {number[]} */
    const progress = []
    assert.equal(await runLocally({ ...options, onProgress: (done) => progress.push(done) }), true)
    assert.equal(progress[0], 10 * before)
    assert.equal(await hashOf(store, spec), hash)
  }))
