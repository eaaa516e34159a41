/**
 * The rows of a chunk as they are kept: with a checksum over them, the sweep and the number of the chunk.
 */
import { seal, unseal } from '../storage/seal.mjs'
import { decodeRows } from './rows.mjs'
import { chunkAt } from './spec.mjs'

/** @typedef {import('./spec.mjs').SweepSpec} SweepSpec */
/** @typedef {import('./store.mjs').SweepStore} SweepStore */

const [KIND, FORMAT] = ['S', 1]

/** What is kept of a chunk is not what was written. Nothing of it goes into a table. */
export class DamagedChunk extends Error {
  /** @param {string} id of the sweep @param {number} index @param {string} why @param {string} removal what takes it away */
  constructor(id, index, why, removal) {
    super(
      `sweep ${id}: chunk ${index} is damaged: ${why}. Take it away (${removal}); \`resume\` makes it again`,
    )
    this.index = index
  }
}

/** @param {string} id of the sweep @param {number} index */
const nameOf = (id, index) => `${id}/${index}`

/** @param {string} id of the sweep @param {number} index @param {Uint8Array} rows */
export const sealRows = (id, index, rows) => seal(KIND, FORMAT, nameOf(id, index), [rows])

/**
 * @param {string} id of the sweep
 * @param {number} index
 * @param {Uint8Array} kept
 * @returns {{ rows: Uint8Array, isChecked: boolean }} not checked: it was written before chunks had checksums
 * @throws {import('../storage/seal.mjs').Damaged | import('../storage/seal.mjs').TooNew}
 */
export function unsealRows(id, index, kept) {
  const rows = unseal(KIND, FORMAT, nameOf(id, index), kept)
  if (rows) return { rows, isChecked: true }
  // Rows from before there were checksums are rows at least; a seal of which the first bytes are wrong is not.
  decodeRows(kept)
  return { rows: kept, isChecked: false }
}

/**
 * @param {SweepStore} store
 * @param {SweepSpec} spec
 * @param {number} index
 * @returns {Promise<{ rows: import('./rows.mjs').Rows, isChecked: boolean }>}
 * @throws {DamagedChunk}
 */
export async function readChunk(store, spec, index) {
  const kept = await store.get(index)
  try {
    const { rows: bytes, isChecked } = unsealRows(store.id, index, kept)
    const rows = decodeRows(bytes)
    const { first, count } = chunkAt(spec, index)
    if (rows.first !== first || rows.count !== count)
      throw new RangeError(
        `it has runs from ${rows.first}, ${rows.count} of them, instead of ${count} from ${first}`,
      )
    return { rows, isChecked }
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw new DamagedChunk(store.id, index, message, store.removalOf(index))
  }
}
