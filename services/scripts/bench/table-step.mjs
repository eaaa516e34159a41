/**
 * One thing that is done with the table of a sweep, in a process of its own, so that its memory is its own:
 * node table-step.mjs <folder of sweeps> <sweep> <rows | hash | format of an export>. `rows` makes them up.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { exportTable, folderStore, hashTable, openTable } from '../../source/sweeps/index.mjs'
import { encodeRows, rowsOf } from '../../source/sweeps/rows.mjs'
import { chunkAt, chunkCount } from '../../source/sweeps/spec.mjs'

const [folder, id, step] = process.argv.slice(2)
const store = folderStore(folder, id)
const { spec } = /** @type {NonNullable<Awaited<ReturnType<typeof store.read>>>} */ (
  await store.read()
)

/** Rows like those of dice: three numbers and a hash each. */
async function makeRows() {
  for (let index = 0; index < chunkCount(spec); index++) {
    const { first, count } = chunkAt(spec, index)
    const results = Array.from({ length: count }, (_, i) => rowOf(first + i))
    await store.put(index, encodeRows(rowsOf(first, results)))
  }
}

/** @param {number} run */
const rowOf = (run) => ({
  ...{ x: Math.sin(run), y: 0.01 + (run % 97) / 1e4, z: Math.cos(run) },
  hash: Math.imul(run, 0x9e3779b1).toString(16).padStart(16, '0'),
})

/** @returns {Promise<string>} what came of it */
async function work() {
  if (step === 'rows') return `${await makeRows().then(() => chunkCount(spec))} chunks`
  const table = await openTable(store, spec)
  if (step === 'hash') return `${(await hashTable(table)).slice(0, 12)}...`
  const path = join(folder, `table.${step}`)
  await exportTable(table, step, path)
  return `${((await stat(path)).size / 1e6).toFixed(1)} MB`
}

const began = performance.now()
const before = process.cpuUsage()
const result = await work()
const { user, system } = process.cpuUsage(before)
process.send?.({
  result,
  wall: (performance.now() - began) / 1000,
  processor: (user + system) / 1e6,
  memory: process.resourceUsage().maxRSS / 1000,
})
