import { randomUUID } from 'node:crypto'
import { matchMaker, Server } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { init } from 'moreau'
import { MOST_CLIENT_BYTES } from '../netcode/protocol.mjs'
import { checkRedis, makeLog, makeRegistry, operationsHandler } from '../operations/index.mjs'
import { Admission } from './admission.mjs'
import { makeDriver, makePresence } from './colyseus-redis.mjs'
import { checkPort } from './free-port.mjs'
import { TIMES } from './host.mjs'
import { Keeper } from './keeper.mjs'
import { LIMITS } from './limits.mjs'
import { Load } from './load.mjs'
import { makeRoomMetrics } from './metrics.mjs'
import { MoreauRoom } from './moreau-room.mjs'
import { checkScenes } from './scene-check.mjs'
import { RoomStore } from './store.mjs'
import { StoreHealth } from './store-health.mjs'
import { Ticker } from './ticker.mjs'
import { WorldBuilder } from './world-builder.mjs'

/** @import { Application } from 'express' */
/** @import { Scene } from '../netcode/simulation.mjs' */
/** @import { Host, RoomTimes } from './host.mjs' */
/** @import { Limits } from './limits.mjs' */

/** Name of the rooms in Colyseus. */
export const ROOM_NAME = 'moreau'
/** Bytes that Colyseus puts before a message. */
const MESSAGE_HEAD = 16

/**
 * @typedef {object} RoomServerOptions
 * @property {number} port
 * @property {string} redis URL
 * @property {readonly Scene[]} scenes that rooms can have
 * @property {string} [address] host and port by which clients reach this process, default `127.0.0.1:` and the port
 * @property {Partial<Limits>} [limits]
 * @property {Partial<RoomTimes>} [times]
 * @property {import('pino').Logger} [log]
 * @property {(app: any) => void} [pages] further pages of the web server, an application of Express
 */

/**
 * Runs rooms in this process, until it is drained. There is one per process, as Colyseus is.
 * @param {RoomServerOptions} options
 * @returns {Promise<{ host: Host, drain: () => Promise<void> }>} `drain` hands all rooms to other processes
 */
export async function startRoomServer({
  port,
  redis,
  scenes,
  address = `127.0.0.1:${port}`,
  log = makeLog('rooms'),
  pages,
  ...options
}) {
  checkScenes(scenes)
  await checkPort(port)
  await checkRedis(redis)
  await init()
  const times = { ...TIMES, ...options.times }
  const limits = { ...LIMITS, ...options.limits }
  const health = new StoreHealth(log)
  const store = new RoomStore({
    ...{ url: redis, health },
    lease: times.lease,
    owner: `${address}-${randomUUID()}`,
  })
  await store.begin()
  const [load, registry] = [new Load(), makeRegistry()]
  const host = makeHost({ store, scenes, times, limits, log, load, registry })
  const server = new Server({
    ...{ greet: false, gracefullyShutdown: false, logger: log, publicAddress: address },
    ...{ presence: makePresence(redis, health), driver: makeDriver(redis, health) },
    transport: new WebSocketTransport({ maxPayload: MOST_CLIENT_BYTES + MESSAGE_HEAD }),
    express: (app) => addPages(app, host, registry, pages),
  })
  health.onFailure = (cause) => host.metrics.storeFailures.inc({ cause })
  const handler = server.define(
    ROOM_NAME,
    class extends MoreauRoom {
      host = host
    },
  )
  // Who asks for any room gets one of the same game.
  handler.filterBy(['scene', 'mode'])
  await host.builder?.begin()
  await server.listen(port)
  const keeper = new Keeper(host, store, ROOM_NAME)
  keeper.begin()
  const drain = async () => {
    keeper.end()
    await Promise.all([...host.rooms.keys()].map((id) => handOver(id)))
    await server.gracefullyShutdown(false)
    load.end()
    await host.builder?.end()
    store.close()
  }
  return { host, drain }
}

/** @param {string} id */
const handOver = (id) =>
  /** @type {MoreauRoom | undefined} */ (matchMaker.getLocalRoomById(id))?.handOver()

/**
 * @param {object} parts
 * @param {RoomStore} parts.store
 * @param {readonly Scene[]} parts.scenes
 * @param {RoomTimes} parts.times
 * @param {Limits} parts.limits
 * @param {import('pino').Logger} parts.log
 * @param {Load} parts.load
 * @param {import('prom-client').Registry} parts.registry
 * @returns {Host}
 */
function makeHost({ store, scenes, times, limits, log, load, registry }) {
  const now = () => store.now()
  const rooms = new Map()
  const ticker = new Ticker(now)
  ticker.onError = (error) => log.error({ err: error }, 'a room failed')
  return {
    ...{ store, ticker, now, limits, log, times, rooms, takeovers: new Map(), claimed: new Map() },
    scenes: new Map(scenes.map((scene) => [scene.name, scene])),
    metrics: makeRoomMetrics(registry, rooms),
    ...{ admission: new Admission(limits, rooms, load), builder: new WorldBuilder() },
  }
}

/**
 * @param {Application} app
 * @param {Host} host
 * @param {import('prom-client').Registry} registry
 * @param {((app: Application) => void) | undefined} pages
 */
function addPages(app, host, registry, pages) {
  const health = () => {
    const { refusal, busy } = host.admission
    const { rooms: mostRooms, busy: mostBusy } = host.limits
    const numbers = { rooms: host.rooms.size, mostRooms, busy, mostBusy }
    const trouble = host.store?.health.trouble
    if (trouble)
      return { ok: false, status: 'degraded', reason: `Redis: ${trouble.reason}`, ...numbers }
    return { ok: refusal === undefined, status: 'ok', ...numbers }
  }
  const handle = operationsHandler({ registry, health, log: host.log })
  app.use(async (request, response, next) => {
    if (!(await handle(request, response))) next()
  })
  // By this clients find the process that has a room, after the one that had it is gone.
  app.get('/rooms/:id', async (request, response) => {
    response.set('access-control-allow-origin', '*')
    const isHere = host.rooms.has(request.params.id)
    const listing = isHere
      ? undefined
      : await matchMaker.driver.findOne({ roomId: request.params.id })
    response.status(isHere || listing ? 200 : 404).json({ isHere, address: listing?.publicAddress })
  })
  pages?.(app)
}
