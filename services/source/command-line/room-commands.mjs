/**
 * The command of rooms.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { drainOnSignal, makeLog } from '../operations/index.mjs'
import { startRoomServer } from '../rooms/index.mjs'
import { stacks } from '../scenes/stacks.mjs'
import { readWhole, readWords, UsageError } from './arguments.mjs'

/** @import { Scene } from '../rooms/index.mjs' */

const text = /** @type {const} */ ({ type: 'string' })
const options = {
  redis: text,
  port: { ...text, default: '2567' },
  address: text,
  scenes: { ...text, multiple: /** @type {const} */ (true) },
}

export const roomHelp = `
  rooms --redis <url>         runs rooms until SIGTERM, which hands them to other processes
    --port 2567               of the web server and the rooms
    --address <host:port>     by which clients reach this process
    --scenes <file.mjs>       a module whose default export is a scene; may be repeated. Without: stacks
`

/** @param {string} file @returns {Promise<Scene>} */
async function readScene(file) {
  const { default: scene } = await import(pathToFileURL(resolve(file)).href)
  if (typeof scene?.build === 'function') return scene
  throw new UsageError(`--scenes ${file}: its default export must be a scene (docs/rooms.md)`)
}

/** @param {string[]} words @returns {Promise<number>} never, until a signal ends the process */
async function rooms(words) {
  const { values } = readWords('rooms', words, options)
  if (values.redis === undefined) throw new UsageError('rooms needs --redis')
  const scenes = values.scenes ? await Promise.all(values.scenes.map(readScene)) : [stacks]
  const [log, port] = [makeLog('rooms'), readWhole('--port', values.port, 1)]
  const { redis, address } = values
  const { drain } = await startRoomServer({ port, redis, address, scenes, log })
  drainOnSignal({ drain, log })
  log.info({ port, scenes: scenes.map(({ name }) => name) }, 'ready')
  return new Promise(() => {})
}

export const roomCommands = { rooms }
