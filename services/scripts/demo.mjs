/**
 * Shows what the services do, against a Redis of its own: `npm run services` at the top of the project. In a terminal it stays until Ctrl-C,
 * for the room.
 */
import { once } from 'node:events'
import { readCommandLine } from '../../scripts/command-line.mjs'
import { makeLog } from '../source/operations/index.mjs'
import { freePort, startRedis } from './redis-server.mjs'
import { startRoomsDemo } from './rooms/demo.mjs'
import { runSweepsDemo } from './sweeps-demo.mjs'

readCommandLine(import.meta.url)
const redis = await startRedis()
const log = makeLog('rooms', { level: process.env.LOG_LEVEL ?? 'warn' })
const rooms = await startRoomsDemo(redis.url, await freePort(), { log })
try {
  console.log(`Redis at ${redis.url}`)
  await runSweepsDemo(redis.url)
  console.log(`A room: open ${rooms.address} in two tabs of a browser`)
  if (process.stdout.isTTY) {
    console.log('Ctrl-C ends it')
    await once(process, 'SIGINT')
  }
} finally {
  await rooms.drain()
  await redis.stop()
}
