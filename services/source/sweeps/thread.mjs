/**
 * What a thread of a pool does: the runs of a piece of a chunk.
 */
import { init } from 'moreau'
import { runChunk } from './chunk.mjs'
import { begin } from './late-signal.mjs'
import { encodeRows } from './rows.mjs'
import { loadSimulation } from './scene.mjs'
import { checkEngine } from './spec.mjs'

/** @typedef {import('./spec.mjs').SweepSpec} SweepSpec */
/** @typedef {{ spec: SweepSpec, scenes: string, piece: { first: number, count: number }, began: Int32Array, made: Int32Array }} Task `made`: its number of runs that are made */

/** @type {Map<string, ReturnType<typeof loadSimulation>>} */
const simulations = new Map()

/** @param {Task} task */
function simulationOf({ spec: { scene }, scenes }) {
  const key = JSON.stringify([scene, scenes])
  const known = simulations.get(key)
  if (known) return known
  const loading = loadSimulation(scene, scenes)
  simulations.set(key, loading)
  // Somebody may mend the file.
  loading.catch(() => simulations.delete(key))
  return loading
}

/**
 * @param {Task} task
 * @returns {Promise<{ rows: Uint8Array } | { sceneError: string }>}
 */
export default async function runPiece(task) {
  let simulation
  try {
    checkEngine(task.spec)
    simulation = await simulationOf(task)
    await init()
  } catch (error) {
    return { sceneError: String(/** @type {any} */ (error)?.message ?? error) }
  }
  begin(task.began)
  const onMade = (/** @type {number} */ runs) => void Atomics.add(task.made, 0, runs)
  return { rows: encodeRows(await runChunk(simulation, task.spec.space, task.piece, onMade)) }
}
