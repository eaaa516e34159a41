/**
 * The rows of a chunk of runs: results in columns, and the runs that failed. As bytes they are the same on every machine.
 */

/** @typedef {Record<string, number | string>} Result of a run */
/** @typedef {{ first: number, count: number, numbers: Record<string, Float64Array>, texts: Record<string, (string | null)[]>, errors: Record<number, string> }} Rows
 *   `first` is the number of the first run; `numbers` have NaN and `texts` null where a run has no such result; `errors` are by run */

const HEADER_LENGTH = 4

/**
 * @param {number} first
 * @param {readonly (Result | Error)[]} results of runs that follow one another
 * @returns {Rows}
 */
export function rowsOf(first, results) {
  const count = results.length
  /** @type {Rows} */
  const rows = { first, count, numbers: {}, texts: {}, errors: {} }
  for (const [index, result] of results.entries()) {
    if (result instanceof Error) rows.errors[first + index] = result.message
    else if (typeof result !== 'object' || result === null)
      rows.errors[first + index] = `the scene must give an object of results, gave ${result}`
    else setRow(rows, index, result)
  }
  return rows
}

/** @param {Rows} rows @param {number} index @param {Result} result */
function setRow({ numbers, texts, count }, index, result) {
  for (const [name, value] of Object.entries(result)) {
    if (typeof value === 'string') (texts[name] ??= new Array(count).fill(null))[index] = value
    else (numbers[name] ??= new Float64Array(count).fill(NaN))[index] = Number(value)
  }
}

/**
 * @param {readonly Rows[]} parts that follow one another
 * @returns {Rows}
 */
export function joinRows(parts) {
  const [{ first }] = parts
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  /** @type {Rows} */
  const rows = { first, count, numbers: {}, texts: {}, errors: {} }
  for (const part of parts) {
    const place = part.first - first
    for (const [name, values] of Object.entries(part.numbers)) {
      rows.numbers[name] ??= new Float64Array(count).fill(NaN)
      rows.numbers[name].set(values, place)
    }
    for (const [name, values] of Object.entries(part.texts)) {
      const column = (rows.texts[name] ??= new Array(count).fill(null))
      values.forEach((value, index) => (column[place + index] = value))
    }
    Object.assign(rows.errors, part.errors)
  }
  return rows
}

/**
 * Length of the header, header as JSON, numbers as doubles, column by column; all little endian.
 *
 * @param {Rows} rows
 * @returns {Uint8Array}
 */
export function encodeRows({ first, count, numbers, texts, errors }) {
  const header = Buffer.from(
    JSON.stringify({ first, count, numbers: Object.keys(numbers), texts, errors }),
  )
  const bytes = Buffer.alloc(
    HEADER_LENGTH + header.length + 8 * count * Object.keys(numbers).length,
  )
  bytes.writeUInt32LE(header.length)
  header.copy(bytes, HEADER_LENGTH)
  let place = HEADER_LENGTH + header.length
  for (const values of Object.values(numbers)) {
    for (const value of values) place = bytes.writeDoubleLE(value, place)
  }
  return bytes
}

/**
 * @param {Uint8Array} encoded
 * @returns {Rows}
 * @throws {RangeError | SyntaxError} for bytes that no rows come to
 */
export function decodeRows(encoded) {
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength)
  const length = bytes.readUInt32LE()
  let place = HEADER_LENGTH + length
  if (place > bytes.length)
    throw new RangeError(`${bytes.length} bytes, in which a header of ${length} has no place`)
  const { numbers: names, ...header } = JSON.parse(bytes.toString('utf8', HEADER_LENGTH, place))
  const whole = place + 8 * header.count * names.length
  if (whole !== bytes.length) throw new RangeError(`${bytes.length} bytes instead of ${whole}`)
  /** @type {Record<string, Float64Array>} */
  const numbers = {}
  for (const name of names) {
    numbers[name] = Float64Array.from({ length: header.count }, (_, i) =>
      bytes.readDoubleLE(place + 8 * i),
    )
    place += 8 * header.count
  }
  return { ...header, numbers }
}
