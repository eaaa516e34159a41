/**
 * One row of the table of physics in one engine, in a process of its own.
 */
import { serveParent } from '../comparison/in-child.mjs'
import { loadAdapter, Unsupported } from '../engines/engine.mjs'
import { rowOf } from './index.mjs'

/**
 * @typedef {object} Job
 * @property {string} engine
 * @property {string} row
 * @property {boolean} quick
 * @property {Record<string, unknown>} world options of Moreau's world on top of its defaults, below those of the row
 */

/** @typedef {import('./scene.mjs').Outcome & { version: string }} Measurement */

await serveParent(measure)

/**
 * @param {Job} job
 * @returns {Promise<Measurement>}
 */
async function measure({ engine: name, row: rowName, quick, world }) {
  const row = rowOf(rowName)
  if (row.ownOption && name !== 'moreau') throw new Unsupported('an option of Moreau')
  const { load } = await loadAdapter(name)
  const engine = await load()
  /** @type {typeof engine.create} */
  const create = (description, options) =>
    engine.create(description, { ...options, world: { ...world, ...options.world } })
  return { ...(await row.measure({ ...engine, create }, quick)), version: engine.version }
}
