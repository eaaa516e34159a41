import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  EXPORT_FORMATS,
  folderStore,
  makeSpec,
  readAxis,
  referToScene,
} from '../../source/sweeps/index.mjs'

const pathOf = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

/** What is done with the rows of a sweep besides making them: rows that are made up, and all that is done with a table. @param {number} runs */
export async function tableCost(runs) {
  const folder = await mkdtemp(join(tmpdir(), 'moreau-bench-'))
  const { scene, folder: scenes } = referToScene(pathOf('../../scenes/die.mjs'))
  const spec = makeSpec({ scene, axes: [readAxis('random', 'speed=0.1:1')], runs, chunk: 250 })
  const rows = [['step', 'wall s', 'processor s', 'most memory, MB', 'result']]
  try {
    await folderStore(folder, spec.id).create(spec, scenes)
    for (const step of ['rows', 'hash', ...EXPORT_FORMATS]) {
      const { wall, processor, memory, result } = await run([folder, spec.id, step])
      const numbers = [wall.toFixed(1), processor.toFixed(1), memory.toFixed(0)]
      rows.push([step, ...numbers, result])
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  return { title: `A table of ${runs} rows that nobody simulated, in processes of their own`, rows }
}

/** @param {string[]} words */
async function run(words) {
  const child = fork(pathOf('table-step.mjs'), words)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${words.at(-1)} ended with ${code}`)
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return message
}
