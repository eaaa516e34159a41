/**
 * Exported tables: every format has the same rows, and a disk that is full costs nothing but the file.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { exportTable, folderStore, runLocally, summarize } from '../../source/sweeps/index.mjs'
import { decodeRows, encodeRows, joinRows, rowsOf } from '../../source/sweeps/rows.mjs'
import { quantile } from '../../source/sweeps/statistics.mjs'
import { openTable, rowsOfPart } from '../../source/sweeps/table.mjs'
import { DEADLINE, hashOf, inFolder, scenes, specOf } from './support.mjs'

const AXES = ['grid trouble=1', 'latin lot=0:1', 'random speed=0.1:1']
const spec = specOf('troubled-die.mjs', AXES, { runs: 300, chunk: 40 })

/** A sweep of which some runs failed. @param {string} folder */
async function sweepIn(folder) {
  const store = folderStore(folder, spec.id)
  await store.create(spec, scenes)
  await runLocally({ store, spec, scenes, workers: 2, deadline: DEADLINE })
  return { store, table: await openTable(store, spec) }
}

/** @param {import('../../source/sweeps/table.mjs').Table} table @returns {Promise<Record<string, any>[]>} */
async function objectsOf({ columns, parts }) {
  const objects = []
  for await (const part of parts()) {
    for (const row of rowsOfPart(part)) {
      objects.push(Object.fromEntries(row.map((value, i) => [columns[i].name, value])))
    }
  }
  return objects
}

test('Parquet, NDJSON and CSV have the rows of the table, to the last bit', () =>
  inFolder(async (folder) => {
    const { table } = await sweepIn(folder)
    const rows = await objectsOf(table)
    assert.ok(rows.some(({ error }) => error === 'a die too many'))
    const path = (/** @type {string} */ format) => join(folder, `rows.${format}`)
    for (const format of ['parquet', 'ndjson', 'csv'])
      await exportTable(table, format, path(format))

    const file = await asyncBufferFromFile(path('parquet'))
    const read = (await parquetReadObjects({ file })).map((row) => ({
      ...row,
      run: Number(row.run),
      seed: Number(row.seed),
    }))
    assert.deepEqual(read, rows)
    const lines = (await readFile(path('ndjson'), 'utf8')).trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      rows,
    )
    const [header, ...records] = (await readFile(path('csv'), 'utf8')).trimEnd().split('\n')
    assert.equal(header, Object.keys(rows[0]).join(','))
    assert.deepEqual(
      records,
      rows.map((row) =>
        Object.values(row)
          .map((value) => value ?? '')
          .join(','),
      ),
    )
  }))

test('a field of CSV with commas, quotes or lines is quoted', () =>
  inFolder(async (folder) => {
    const place = join(folder, 'quoted')
    const quoted = specOf('stack-of-10', ['grid name=a,b"c'], { runs: 2 })
    const store = folderStore(place, quoted.id)
    await store.create(quoted, scenes)
    const rows = rowsOf(0, [{ said: 'one, "two"\nthree' }])
    await store.put(0, encodeRows(rows))
    await store.put(1, encodeRows(rowsOf(1, [new Error('no')])))
    await exportTable(await openTable(store, quoted), 'csv', join(place, 'rows.csv'))
    const text = await readFile(join(place, 'rows.csv'), 'utf8')
    assert.equal(
      text,
      'run,seed,name,said,error\n0,4294967296,a,"one, ""two""\nthree",\n1,4294967297,"b""c",,no\n',
    )
  }))

test('the summary counts, and quantiles are those of the textbook', () =>
  inFolder(async (folder) => {
    const { table } = await sweepIn(folder)
    const rows = await objectsOf(table)
    const { runs, failed, columns } = await summarize(table)
    const good = rows.filter(({ error }) => error === null).map(({ x }) => x)
    assert.deepEqual([runs, failed], [300, 300 - good.length])
    const x = columns.find(({ name }) => name === 'x')
    const mean = good.reduce((sum, value) => sum + value, 0) / good.length
    assert.ok(x && Math.abs(x.mean - mean) < 1e-12 && x.count === good.length)
    assert.deepEqual([x.min, x.max], [Math.min(...good), Math.max(...good)])
    const squares = good.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    assert.ok(Math.abs(x.deviation - Math.sqrt(squares / (good.length - 1))) < 1e-12)
    assert.deepEqual(
      [0, 0.25, 0.5, 0.9, 1].map((part) => quantile([1, 2, 3, 5], part)),
      [1, 1.75, 2.5, 4.4, 5],
    )
  }))

test('rows as bytes come back, and parts join to the whole', () => {
  /** @type {(import('../../source/sweeps/rows.mjs').Result | Error)[]} */
  const results = [{ a: 1.5, b: 'x' }, new Error('no'), { a: -0, c: NaN }, { b: 'y' }]
  const whole = rowsOf(10, results)
  assert.deepEqual(decodeRows(encodeRows(whole)), whole)
  const parts = [results.slice(0, 1), results.slice(1)].map((some, i) => rowsOf(10 + i, some))
  assert.deepEqual(joinRows(parts), whole)
})

describe('a full disk', () => {
  /** @type {boolean} */
  let canMount
  before(() => {
    canMount = spawnSync('mount', ['--version']).status === 0 && process.getuid?.() === 0
  })

  for (const format of ['csv', 'ndjson', 'parquet', 'plot', 'summary']) {
    test(
      `${format} to /dev/full is refused with a sentence that names both`,
      { skip: !existsSync('/dev/full') },
      () =>
        inFolder(async (folder) => {
          const { table } = await sweepIn(folder)
          await assert.rejects(
            exportTable(table, format, '/dev/full'),
            /^ExportError|\/dev\/full: no space is left on the device; .* exported again/,
          )
        }),
    )
  }

  test('a disk of 16 kB: the older file stays, no part of a new one does, and the sweep is exported elsewhere', (context) =>
    inFolder(async (folder) => {
      const { store, table } = await sweepIn(folder)
      const hash = await hashOf(store, spec)
      const disk = join(folder, 'disk')
      await mkdir(disk)
      const mounted =
        canMount && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk])
      if (!mounted || mounted.status !== 0) return context.skip('this machine allows no mount')
      try {
        await writeFile(join(disk, 'rows.ndjson'), 'older')
        await assert.rejects(
          exportTable(table, 'ndjson', join(disk, 'rows.ndjson')),
          /rows.ndjson: no space is left/,
        )
        assert.equal(await readFile(join(disk, 'rows.ndjson'), 'utf8'), 'older')
        assert.deepEqual(readdirSync(disk), ['rows.ndjson'])
      } finally {
        spawnSync('umount', [disk])
      }
      await exportTable(table, 'ndjson', join(folder, 'rows.ndjson'))
      assert.equal(await hashOf(store, spec), hash)
    }))
})
