/**
 * Runs that throw, hang, or end their thread: each becomes a row that tells it by parameters and seed, and no other run is touched.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { folderStore, runLocally, summarize } from '../../source/sweeps/index.mjs'
import { ChunkPool } from '../../source/sweeps/pool.mjs'
import { openTable, rowsOfPart } from '../../source/sweeps/table.mjs'
import { DEADLINE, hashOf, inFolder, scenes, specOf } from './support.mjs'

/** @typedef {import('../../source/sweeps/spec.mjs').SweepSpec} SweepSpec */

/** MB: enough for a die, and soon eaten. */
const MEMORY = 64
/** One of them is troubled. */
const RUNS = 16

/** @param {number} trouble @param {number} chunk */
const troubledSpec = (trouble, chunk = 8) =>
  specOf('troubled-die.mjs', [`grid trouble=${trouble}`, 'latin lot=0:1', 'random speed=0.1:1'], {
    ...{ runs: RUNS, chunk },
  })

/** @param {SweepSpec} spec @param {string} folder @param {{ workers?: number, deadline?: number }} [options] */
async function make(spec, folder, { workers = 2, deadline = DEADLINE } = {}) {
  const store = folderStore(folder, spec.id)
  await store.create(spec, scenes)
  assert.equal(await runLocally({ store, spec, scenes, workers, deadline, memory: MEMORY }), true)
  return store
}

/** Rows without what only the trouble itself changes. @param {SweepSpec} spec @param {string} folder */
async function rowsOf(spec, folder) {
  const rows = []
  for await (const part of (await openTable(folderStore(folder, spec.id), spec)).parts()) {
    rows.push(...rowsOfPart(part))
  }
  return rows
}

/** What each trouble is told as. @type {Record<number, { name: string, error: RegExp, deadline?: number }>} */
const TROUBLES = {
  1: { name: 'throws as it begins', error: /^a die too many$/ },
  2: { name: 'hangs', error: /^took longer than the deadline of 3 s$/, deadline: 3 },
  3: { name: 'ends its thread', error: /./ },
  4: { name: 'throws no error', error: /^no face is up$/ },
  5: { name: 'begins with no number', error: /./ },
  6: { name: 'eats all memory', error: /memory/ },
}

describe('a run that', () => {
  for (const [trouble, { name, error, deadline }] of Object.entries(TROUBLES)) {
    test(name, () =>
      inFolder(async (folder) => {
        const [spec, sound] = [troubledSpec(Number(trouble)), troubledSpec(0)]
        const store = await make(spec, folder, deadline === undefined ? {} : { deadline })
        await make(sound, folder)
        const [rows, soundRows] = [await rowsOf(spec, folder), await rowsOf(sound, folder)]
        const isTroubled = (/** @type {any[]} */ row) => Math.floor(row[3] * 16) === 0
        assert.equal(soundRows.filter(isTroubled).length, RUNS / 16)
        rows.forEach((row, run) => {
          if (isTroubled(row)) {
            assert.match(String(row.at(-1)), error)
            assert.deepEqual(row.slice(5, -1), [null, null, null, null])
          } else {
            assert.deepEqual(row.toSpliced(2, 1), soundRows[run].toSpliced(2, 1))
          }
        })
        const { failed, failures } = await summarize(await openTable(store, spec))
        assert.equal(failed, RUNS / 16)
        for (const { run, seed, parameters } of failures) {
          assert.equal(seed, 2 ** 32 + run)
          assert.deepEqual(Object.keys(parameters), ['trouble', 'lot', 'speed'])
          assert.ok(Number(parameters.lot) < 1 / 16)
        }
      }),
    )
  }
})

test('one throw in a thousand runs: the table has the same hash from one thread and two, by other chunks', () =>
  inFolder(async (folder) => {
    const axes = ['grid trouble=1', 'latin lot=0:62.5', 'random speed=0.1:1']
    const specs = [250, 90].map((chunk) => specOf('troubled-die.mjs', axes, { runs: 1000, chunk }))
    const one = await make(specs[0], join(folder, 'one'), { workers: 1 })
    const two = await make(specs[1], join(folder, 'two'))
    const { failures } = await summarize(await openTable(one, specs[0]))
    assert.equal(failures.length, 1)
    assert.equal(failures[0].error, 'a die too many')
    assert.equal(await hashOf(one, specs[0]), await hashOf(two, specs[1]))
  }))

test('threads that are ended while they begin do not end the process', async () => {
  for (let time = 0; time < 100; time++) {
    const pool = new ChunkPool({ threads: 2, scenes, deadline: DEADLINE })
    await delay(time)
    await pool.close()
  }
})
