/**
 * The table of a sweep: a row for each run, in their order.
 */
import { createHash } from 'node:crypto'
import { runMaker } from './chunk.mjs'
import { readChunk } from './sealed-chunk.mjs'
import { chunkCount } from './spec.mjs'

/** @typedef {import('./rows.mjs').Rows} Rows */
/** @typedef {import('./spec.mjs').SweepSpec} SweepSpec */
/** @typedef {'whole' | 'number' | 'text'} ColumnKind */
/** @typedef {{ name: string, kind: ColumnKind, role: 'run' | 'parameter' | 'result' | 'error' }} Column */
/** @typedef {{ count: number, values: (number | string | null)[][] }} Part `values` are by columns; null where a run has none, and for what is no finite number */

/**
 * @typedef {object} Table
 * @property {SweepSpec} spec
 * @property {Column[]} columns
 * @property {number} unchecked chunks that were written before chunks had checksums: nobody can tell whether their rows are those that were made
 * @property {() => AsyncGenerator<Part>} parts one after the other, so that no table need fit in memory
 */

/**
 * @param {import('./store.mjs').SweepStore} store
 * @param {SweepSpec} spec
 * @returns {Promise<Table>}
 */
export async function openTable(store, spec) {
  if ((await store.state()) === 'conflicting') {
    throw new Error(
      `sweep ${spec.id}: the same runs came to other rows; the scene is not deterministic`,
    )
  }
  const chunks = chunkCount(spec)
  const done = await store.doneCount()
  if (done < chunks) {
    throw new Error(
      `sweep ${spec.id}: ${done} of ${chunks} chunks are done; \`resume\` makes the others`,
    )
  }
  const { columns, unchecked } = await readColumns(store, spec)
  const makeRun = runMaker(spec.space)
  return {
    spec,
    columns,
    unchecked,
    async *parts() {
      for (let index = 0; index < chunks; index++) {
        yield partOf((await readChunk(store, spec, index)).rows, columns, makeRun)
      }
    },
  }
}

/** Columns of every table: a parameter or result of such a name gets its role before it. */
const OWN = ['run', 'seed', 'error']

/** @param {import('./store.mjs').SweepStore} store @param {SweepSpec} spec @returns {Promise<{ columns: Column[], unchecked: number }>} */
async function readColumns(store, spec) {
  /** @type {Map<string, ColumnKind>} */
  const results = new Map()
  let unchecked = 0
  for (let index = 0; index < chunkCount(spec); index++) {
    const { rows, isChecked } = await readChunk(store, spec, index)
    const { numbers, texts } = rows
    if (!isChecked) unchecked++
    // A result that is a number here and a text there is a text.
    for (const name of Object.keys(numbers)) if (!results.has(name)) results.set(name, 'number')
    for (const name of Object.keys(texts)) results.set(name, 'text')
  }
  const parameters = spec.space.axes.map((axis) => {
    const isText = axis.kind === 'grid' && axis.values.some((value) => typeof value === 'string')
    const name = OWN.includes(axis.name) ? `parameter.${axis.name}` : axis.name
    return column(name, isText ? 'text' : 'number', 'parameter')
  })
  const taken = new Set([...OWN, ...parameters.map(({ name }) => name)])
  const clear = [...results].map(([name, kind]) =>
    column(taken.has(name) ? `result.${name}` : name, kind, 'result'),
  )
  const first = [column('run', 'whole', 'run'), column('seed', 'whole', 'run')]
  const columns = [...first, ...parameters, ...clear, column('error', 'text', 'error')]
  return { columns, unchecked }
}

/** @param {string} name @param {ColumnKind} kind @param {Column['role']} role @returns {Column} */
const column = (name, kind, role) => ({ name, kind, role })

/**
 * @param {Rows} rows
 * @param {readonly Column[]} columns
 * @param {ReturnType<typeof runMaker>} makeRun
 * @returns {Part}
 */
function partOf(rows, columns, makeRun) {
  const runs = Array.from({ length: rows.count }, (_, i) => makeRun(rows.first + i))
  const values = columns.map(({ name, kind, role }) => {
    if (role === 'error') return runs.map(({ run }) => rows.errors[run] ?? null)
    if (role === 'parameter') {
      const own = OWN.find((one) => name === `parameter.${one}`) ?? name
      return runs.map(({ parameters }) => ofKind(parameters[own], kind))
    }
    if (role === 'run') return runs.map((run) => run[/** @type {'run' | 'seed'} */ (name)])
    const source =
      name.startsWith('result.') && !(name in rows.numbers) ? name.slice('result.'.length) : name
    return runs.map((_, i) => ofKind(rows.texts[source]?.[i] ?? rows.numbers[source]?.[i], kind))
  })
  return { count: rows.count, values }
}

/** @param {number | string | null | undefined} value @param {ColumnKind} kind */
function ofKind(value, kind) {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  return kind === 'text' ? String(value) : value
}

/**
 * The rows of a part, each in the order of the columns.
 *
 * @param {Part} part
 * @returns {(number | string | null)[][]}
 */
export const rowsOfPart = ({ count, values }) =>
  Array.from({ length: count }, (_, i) => values.map((ofColumn) => ofColumn[i]))

/**
 * SHA-256 of the table: the same for any workers, chunks and order of work.
 *
 * @param {Table} table
 * @returns {Promise<string>}
 */
export async function hashTable(table) {
  const hash = createHash('sha256').update(JSON.stringify(table.columns))
  for await (const part of table.parts()) {
    for (const row of rowsOfPart(part)) hash.update(JSON.stringify(row))
  }
  return hash.digest('hex')
}
