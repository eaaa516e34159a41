/**
 * What the thread does in which worlds of new rooms are built: `WorldBuilder` asks it.
 */
import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { init } from 'moreau'
import { FRAME_TIME } from '../netcode/events.mjs'
import { RoomSimulation } from '../netcode/simulation.mjs'
import { checkWorld } from './limits.mjs'
import { warmUp } from './warm-up.mjs'

/** @import { BuildTask } from './world-builder.mjs' */
/** @import { Scene } from '../netcode/simulation.mjs' */

/** Frames that are made to know what a frame of the room takes, after one that finds all contacts; the quickest counts, as others have what else the machine does in them. */
const MEASURED = 30

/** How much this thread gives way to that of the rooms that run, in the steps of `nice`. */
const NICE = 5

/** Where there are fewer cores than threads, the rooms that run come first. */
function giveWay() {
  // Elsewhere a priority is that of the whole process.
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICE))
  } catch {
    // It is not allowed everywhere.
  }
}

/** @param {BuildTask} task @returns {Promise<Scene>} */
async function sceneOf({ module, name }) {
  const exported = Object.values(await import(module))
  const scene = exported.find((one) => Object(one).name === name && Object(one).build)
  if (!scene) throw new RangeError(`${module} exports no scene ${name}`)
  return scene
}

/** @param {BuildTask} task */
async function build(task) {
  const simulation = RoomSimulation.begin(await sceneOf(task), task.options)
  try {
    checkWorld(simulation.world, task.limits)
    const state = simulation.state()
    simulation.advance([])
    let quickest = Infinity
    for (let frame = 0; frame < MEASURED; frame++) {
      const start = performance.now()
      simulation.advance([])
      quickest = Math.min(quickest, performance.now() - start)
    }
    return { state, cost: quickest / FRAME_TIME }
  } finally {
    simulation.free()
  }
}

giveWay()
await init()
await warmUp()
parentPort?.on('message', async (/** @type {BuildTask} */ task) => {
  try {
    const built = await build(task)
    const { buffer } = built.state.world
    parentPort?.postMessage({ built }, [/** @type {ArrayBuffer} */ (buffer)])
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
})
parentPort?.postMessage('ready')
