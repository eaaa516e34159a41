/**
 * The command of rooms.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { drainOnSignal, makeLog, OPERATIONS_HOST } from '../operations/index.mjs'
import { checkScene, startRoomServer } from '../rooms/index.mjs'
import { stacks } from '../scenes/stacks.mjs'
import { readPort, readWhole, readWords, UsageError } from './arguments.mjs'

/** @import { Scene } from '../rooms/index.mjs' */

const text = /** @type {const} */ ({ type: 'string' })
const options = {
  redis: text,
  port: { ...text, default: '2567' },
  address: text,
  scenes: { ...text, multiple: /** @type {const} */ (true) },
  'operations-port': { ...text, default: '0' },
  'operations-host': { ...text, default: OPERATIONS_HOST },
  proxies: { ...text, default: '0' },
}

/** @param {string} file @returns {Promise<Scene>} */
async function readScene(file) {
  try {
    const { default: scene } = await import(pathToFileURL(resolve(file)).href)
    checkScene(scene)
    return Object.create(scene, { module: { value: pathToFileURL(resolve(file)).href } })
  } catch (error) {
    const isMissing = !existsSync(file)
    const reason = isMissing ? 'there is no such file' : /** @type {Error} */ (error).message
    throw new UsageError(`--scenes ${file}: ${reason}`, { cause: error })
  }
}

/** @param {string[]} words @returns {Promise<number>} never, until a signal ends the process */
export async function rooms(words) {
  const { values } = readWords('rooms', words, options)
  if (values.redis === undefined) throw new UsageError('rooms needs --redis')
  const scenes = values.scenes ? await Promise.all(values.scenes.map(readScene)) : [stacks]
  const [log, port] = [makeLog('rooms'), readPort('--port', values.port, 1)]
  const desk = {
    port: readPort('--operations-port', values['operations-port'], 0),
    host: values['operations-host'],
  }
  const proxies = readWhole('--proxies', values.proxies, 0)
  const { redis, address } = values
  const { drain, operations } = await startRoomServer({
    ...{ port, redis, address, scenes, log, proxies },
    operations: desk,
  })
  drainOnSignal({ drain, log })
  log.info({ port, operations: operations.port, scenes: scenes.map(({ name }) => name) }, 'ready')
  return new Promise(() => {})
}
