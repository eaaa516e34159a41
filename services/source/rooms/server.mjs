import { randomUUID } from 'node:crypto'
import { matchMaker, Server } from '@colyseus/core'
import { init } from 'moreau'
import { LimitedServer } from '../operations/http-server.mjs'
import { checkRedis, makeLog, makeRegistry, serveOperations } from '../operations/index.mjs'
import { Admission } from './admission.mjs'
import { makeDriver, makePresence } from './colyseus-redis.mjs'
import { checkPort } from './free-port.mjs'
import { healthOf } from './health.mjs'
import { TIMES } from './host.mjs'
import { Keeper } from './keeper.mjs'
import { LIMITS, readNumbers } from './limits.mjs'
import { Load } from './load.mjs'
import { makeRoomMetrics } from './metrics.mjs'
import { MoreauRoom } from './moreau-room.mjs'
import { PlayersTransport } from './players-transport.mjs'
import { playersRoutes, ROOM_NAME } from './routes.mjs'
import { checkScenes } from './scene-check.mjs'
import { Share } from './share.mjs'
import { RoomStore } from './store.mjs'
import { StoreHealth } from './store-health.mjs'
import { Ticker } from './ticker.mjs'
import { warmUp } from './warm-up.mjs'
import { WorldBuilder } from './world-builder.mjs'

/** @import { Scene } from '../netcode/simulation.mjs' */
/** @import { Host, RoomTimes } from './host.mjs' */
/** @import { Limits } from './limits.mjs' */

/** Part of its time that a process takes whole states for clients who come, so that many who come at once keep no room from its frames. */
const WELCOMING_SHARE = 0.3

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
 * @property {{ port?: number, host?: string }} [operations] where `/healthz` and `/metrics` are: by default any port that is free, of the loopback; players have no business there
 * @property {number} [proxies] before this process, of which each adds the address of who asks it to `x-forwarded-for`; default 0: the header is not believed
 */

/**
 * Runs rooms in this process, until it is drained. There is one per process, as Colyseus is.
 * @param {RoomServerOptions} options
 * @returns {Promise<{ host: Host, operations: { port: number }, drain: () => Promise<void> }>} `drain` hands all rooms to other processes
 */
export async function startRoomServer({
  port,
  redis,
  scenes,
  address = `127.0.0.1:${port}`,
  log = makeLog('rooms'),
  pages,
  operations,
  proxies,
  ...options
}) {
  checkScenes(scenes)
  const limits = readNumbers('limits', LIMITS, options.limits)
  const times = readNumbers('times', TIMES, options.times)
  await checkPort(port)
  await checkRedis(redis)
  await init()
  const storeHealth = new StoreHealth(log)
  const store = new RoomStore({
    ...{ url: redis, health: storeHealth },
    lease: times.lease,
    owner: `${address}-${randomUUID()}`,
  })
  await store.begin()
  const [load, registry] = [new Load(), makeRegistry()]
  const host = makeHost({ store, scenes, times, limits, log, load, registry })
  const health = () => healthOf(host)
  const desk = await serveOperations({ ...operations, registry, health, log }).catch((error) => {
    load.end()
    store.close()
    throw error
  })
  const transport = makeTransport(host, playersRoutes(host, pages), proxies)
  const server = new Server({
    ...{ greet: false, gracefullyShutdown: false, logger: log, publicAddress: address },
    ...{ presence: makePresence(redis, storeHealth), driver: makeDriver(redis, storeHealth) },
    transport,
  })
  storeHealth.onFailure = (cause) => host.metrics.storeFailures.inc({ cause })
  const handler = server.define(
    ROOM_NAME,
    class extends MoreauRoom {
      host = host
    },
  )
  // Who asks for any room gets one of the same game.
  handler.filterBy(['scene', 'mode'])
  await Promise.all([warmUp(), host.builder?.begin()])
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
    await desk.close()
  }
  return { host, operations: { port: desk.port }, drain }
}

/** @param {Host} host @param {ReturnType<typeof playersRoutes>} answer @param {number} [proxies] @returns {PlayersTransport} */
function makeTransport(host, answer, proxies) {
  const { limits, log, metrics } = host
  const server = new LimitedServer(limits, {
    ...{ answer, log, proxies },
    upgrade: (...upgrade) => transport.upgrade(...upgrade),
    onRefused: ({ reason }) => metrics.refused.inc({ reason }),
  })
  const transport = new PlayersTransport(server, host)
  return transport
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
    welcoming: new Share(WELCOMING_SHARE),
  }
}
