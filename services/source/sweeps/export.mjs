/**
 * The table of a sweep as a file.
 */
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import { plotSvg } from './plot.mjs'
import { summarize } from './statistics.mjs'
import { rowsOfPart } from './table.mjs'
import { sumOfFile, writeSum } from './file-sum.mjs'
import { isDevice, writeWhole } from './whole-file.mjs'

/** @typedef {import('./table.mjs').Table} Table */
/** @typedef {import('./table.mjs').Column} Column */
/** @typedef {import('./table.mjs').Part} Part */

/** Rows of a group of a Parquet file: what is held at a time, a few dozen bytes a value, and about a megabyte in the file. */
const ROW_GROUP = 20_000

/** @type {Record<string, (table: Table, path: string) => Promise<void>>} */
const writers = {
  parquet: writeParquet,
  csv: (table, path) => writeLines(csvLines(table), path),
  ndjson: (table, path) => writeLines(jsonLines(table), path),
  summary: async (table, path) =>
    writeFile(path, `${JSON.stringify(await summarize(table), null, 2)}\n`),
  plot: async (table, path) => writeFile(path, await plotSvg(table)),
}

export const EXPORT_FORMATS = Object.keys(writers)

/**
 * Writes a table. The file appears whole or not at all, and beside it its checksum, by which `checkExport` knows it again.
 *
 * @param {Table} table
 * @param {string} format of `EXPORT_FORMATS`
 * @param {string} path
 * @throws {import('./whole-file.mjs').ExportError}
 */
export async function exportTable(table, format, path) {
  const isPassing = await isDevice(path)
  let sum = ''
  await writeWhole(path, async (partial) => {
    await writers[format](table, partial)
    if (!isPassing) sum = await sumOfFile(partial)
  })
  if (!isPassing) await writeSum(path, sum)
}

/** @param {AsyncGenerator<string>} lines @param {string} path */
const writeLines = (lines, path) => pipeline(Readable.from(lines), createWriteStream(path))

/** A field of RFC 4180. @param {number | string | null} value */
function csvField(value) {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** @param {Table} table */
async function* csvLines({ columns, parts }) {
  yield `${columns.map(({ name }) => csvField(name)).join(',')}\n`
  for await (const part of parts()) {
    yield rowsOfPart(part)
      .map((row) => `${row.map(csvField).join(',')}\n`)
      .join('')
  }
}

/** @param {Table} table */
async function* jsonLines({ columns, parts }) {
  for await (const part of parts()) {
    const objects = rowsOfPart(part).map((row) =>
      Object.fromEntries(row.map((value, i) => [columns[i].name, value])),
    )
    yield objects.map((object) => `${JSON.stringify(object)}\n`).join('')
  }
}

/** @type {Record<import('./table.mjs').ColumnKind, import('hyparquet').SchemaElement>} */
const PARQUET_TYPES = {
  whole: { name: '', type: 'INT64', repetition_type: 'REQUIRED' },
  number: { name: '', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  text: { name: '', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
}

/** @param {Table} table @param {string} path */
async function writeParquet({ spec, columns, parts }, path) {
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, kind }) => ({ ...PARQUET_TYPES[kind], name })),
    ],
    kvMetadata: [{ key: 'moreau-sweep', value: JSON.stringify(spec) }],
    createdBy: 'moreau-services',
  })
  for await (const { values } of joined(parts(), ROW_GROUP)) {
    const columnData = columns.map(({ name, kind }, i) => ({
      name,
      data: kind === 'whole' ? BigInt64Array.from(values[i], toBigInt) : values[i],
    }))
    await writer.write({ columnData, rowGroupSize: ROW_GROUP })
  }
  await writer.finish()
}

/** @param {number | string | null} value */
const toBigInt = (value) => BigInt(Number(value))

/** Parts of so many rows, or a chunk more. @param {AsyncGenerator<Part>} parts @param {number} least */
async function* joined(parts, least) {
  /** @type {Part | undefined} */
  let sum
  for await (const { count, values } of parts) {
    if (sum) {
      sum.count += count
      values.forEach((column, i) => column.forEach((value) => sum?.values[i].push(value)))
    } else sum = { count, values }
    if (sum.count < least) continue
    yield sum
    sum = undefined
  }
  if (sum) yield sum
}
