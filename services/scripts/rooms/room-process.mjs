/**
 * A process with rooms, for tests: node room-process.mjs <port> <redis> [options of the server as JSON, `demo` and `logLevel`]. It tells its parent when it is ready, and answers
 * what it is asked about a room; from the first time on it notes how late the room's frames are. SIGTERM drains it.
 */
import { makeLog, drainOnSignal } from '../../source/operations/index.mjs'
import { startRoomServer } from '../../source/rooms/index.mjs'
import { stacks } from '../../source/scenes/stacks.mjs'
import { demoPages } from './demo.mjs'

const [port, redis, options = '{}'] = process.argv.slice(2)
const { demo = false, logLevel, ...server } = JSON.parse(options)
const log = makeLog('rooms', { level: logLevel ?? process.env.LOG_LEVEL ?? 'fatal' })
const { host, operations, drain } = await startRoomServer({
  ...{ port: Number(port), redis, scenes: [stacks], log },
  ...{ ...server, pages: demo ? await demoPages() : undefined },
})
drainOnSignal({ drain, log })

/** ms that frames of rooms came late, since they were asked about last. @type {Map<string, number[]>} */
const late = new Map()

/** @param {string} id */
function describe(id) {
  const room = host.rooms.get(id)
  if (!room) return undefined
  const { authority, frameZero, world, players } = room
  const { frame } = authority
  room.onFrame = (ms) => late.get(id)?.push(ms)
  const noted = late.get(id) ?? []
  late.set(id, [])
  return { frame, frameZero, players, bodies: world.stats.bodies, late: noted }
}

process.on('message', (/** @type {{ room: string }} */ { room }) => {
  process.send?.({
    room: describe(room),
    rooms: host.rooms.size,
    memory: process.memoryUsage.rss(),
    processor: process.cpuUsage().user + process.cpuUsage().system,
  })
})
process.send?.({ operations: operations.port })
