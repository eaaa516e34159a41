/** Numbers in rows, and the rows of them. */
export class Rows {
  /** @param {number} count @param {number} size of a row */
  constructor(count, size) {
    const numbers = new Float64Array(count * size)
    this.numbers = numbers
    this.rows = Array.from({ length: count }, (_, i) => numbers.subarray(i * size, (i + 1) * size))
  }
}
