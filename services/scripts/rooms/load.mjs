/**
 * How many rooms some processes hold in time: rooms of 50 bodies at 60 Hz, a bot in each, more and more of them until they are refused.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startRedis } from '../redis-server.mjs'
import { LIMITS } from '../../source/rooms/index.mjs'
import { RoomProcess } from './processes.mjs'

const BOTS = fileURLToPath(new URL('load-bots.mjs', import.meta.url))
/** Rooms that are added at once, and ms until the figures are of these rooms and not of their making. */
const [STEP, SETTLE] = [20, 2000]
/** Times in a row that rooms are refused, after which there is nothing more to learn. */
const REFUSED_ENOUGH = 3

/**
 * @typedef {object} LoadRow
 * @property {number} rooms
 * @property {number} refused since the beginning
 * @property {number} rate frames of a room in a second: 60, if it is in time
 * @property {number} p50 ms of a step
 * @property {number} p99 ms from when a frame is due to when it is made
 * @property {number} busy part of the time, of the busiest process
 * @property {number} cpu part of one core that a room takes, its bot not counted
 * @property {number} memory MB of all processes with rooms
 * @property {number} down bytes per second to a client, and
 * @property {number} up from it
 */

/** @param {{ processes?: number, seconds?: number, rooms?: number, busy?: number }} options `busy`: part of its time from which on a process takes no rooms @returns {Promise<LoadRow[]>} */
export async function measureLoad({
  processes: count = 2,
  seconds = 8,
  rooms: most = 400,
  busy = LIMITS.busy,
}) {
  const redis = await startRedis()
  const servers = /** @type {RoomProcess[]} */ ([])
  for (let i = 0; i < count; i++)
    servers.push(await RoomProcess.start(redis.url, { limits: { busy } }))
  const bots = await Promise.all(servers.map(({ endpoint }, i) => startBots(endpoint, i)))
  const rows = /** @type {LoadRow[]} */ ([])
  try {
    const empty = (await sample(servers)).memory
    console.error(`${count} processes without rooms: ${empty.toFixed(0)} MB`)
    let refusals = 0
    while (refusals < REFUSED_ENOUGH && (rows.at(-1)?.rooms ?? 0) < most) {
      const row = await addAndMeasure(servers, bots, seconds)
      refusals = row.refused > (rows.at(-1)?.refused ?? 0) ? refusals + 1 : 0
      rows.push(row)
      console.error(JSON.stringify(row))
    }
  } finally {
    for (const child of bots) child.kill('SIGKILL')
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
    await redis.stop()
  }
  return rows
}

/** @param {string} endpoint @param {number} i */
async function startBots(endpoint, i) {
  const child = fork(BOTS, [endpoint, String(i)])
  await once(child, 'message')
  return child
}

/** @param {import('node:child_process').ChildProcess} child @param {number} count @returns {Promise<any>} */
async function add(child, count) {
  child.send({ add: count })
  return (await once(child, 'message'))[0]
}

/**
 * @param {RoomProcess[]} servers
 * @param {import('node:child_process').ChildProcess[]} bots
 * @param {number} seconds
 * @returns {Promise<LoadRow>}
 */
async function addAndMeasure(servers, bots, seconds) {
  await Promise.all(bots.map((child) => add(child, STEP / bots.length)))
  await pause(SETTLE)
  const before = { server: await sample(servers), bots: await totals(bots) }
  const start = performance.now()
  await pause(1000 * seconds)
  const after = { server: await sample(servers), bots: await totals(bots) }
  const elapsed = (performance.now() - start) / 1000
  const { rooms, memory, busy } = after.server
  const clients = Math.max(1, after.bots.bots) * elapsed
  return {
    ...{ rooms, refused: after.bots.refused, memory, busy },
    rate: framesOf(before.server, after.server) / elapsed / Math.max(1, rooms),
    cpu: (after.server.cpu - before.server.cpu) / elapsed / Math.max(1, rooms),
    p50: quantile(before.server.step, after.server.step, 0.5),
    p99: quantile(before.server.frame, after.server.frame, 0.99),
    down: (after.bots.received - before.bots.received) / clients,
    up: (after.bots.sent - before.bots.sent) / clients,
  }
}

/** @param {Awaited<ReturnType<typeof sample>>} before @param {Awaited<ReturnType<typeof sample>>} after @returns {number} made between two samples */
const framesOf = (before, after) =>
  (after.step.get(Infinity) ?? 0) - (before.step.get(Infinity) ?? 0)

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param {import('node:child_process').ChildProcess[]} bots */
async function totals(bots) {
  const all = await Promise.all(bots.map((child) => add(child, 0)))
  const sum = (/** @type {string} */ name) => all.reduce((total, one) => total + one[name], 0)
  return {
    bots: sum('bots'),
    refused: sum('refused'),
    received: sum('received'),
    sent: sum('sent'),
  }
}

/** @param {RoomProcess[]} servers */
async function sample(servers) {
  const pages = await Promise.all(servers.map((server) => server.page('/metrics')))
  const healths = await Promise.all(
    servers.map(async (server) => JSON.parse(await server.page('/healthz'))),
  )
  const memory = pages.map(
    (page) => Number(/^process_resident_memory_bytes (\S+)/m.exec(page)?.[1]) / 1e6,
  )
  return {
    rooms: healths.reduce((total, { rooms }) => total + rooms, 0),
    busy: Math.max(...healths.map(({ busy }) => busy)),
    memory: memory.reduce((a, b) => a + b, 0),
    cpu: pages.reduce(
      (sum, page) => sum + Number(/^process_cpu_seconds_total (\S+)/m.exec(page)?.[1]),
      0,
    ),
    step: histogram(pages, 'moreau_room_step_seconds'),
    frame: histogram(pages, 'moreau_room_frame_seconds'),
  }
}

/** @param {string[]} pages @param {string} name @returns {Map<number, number>} counts up to a time in s, of all processes */
function histogram(pages, name) {
  const counts = new Map()
  for (const page of pages) {
    for (const [, bound, value] of page.matchAll(
      new RegExp(`${name}_bucket{le="([^"]+)"} (\\d+)`, 'g'),
    )) {
      const end = bound === '+Inf' ? Infinity : Number(bound)
      counts.set(end, (counts.get(end) ?? 0) + Number(value))
    }
  }
  return counts
}

/** @param {Map<number, number>} before @param {Map<number, number>} after @param {number} part @returns {number} ms, within its bucket by interpolation */
function quantile(before, after, part) {
  const bounds = [...after.keys()].sort((a, b) => a - b)
  const counts = bounds.map((bound) => (after.get(bound) ?? 0) - (before.get(bound) ?? 0))
  const wanted = part * (counts.at(-1) ?? 0)
  const i = counts.findIndex((count) => count >= wanted)
  const [low, high] = [i > 0 ? bounds[i - 1] : 0, bounds[i]]
  const [few, many] = [i > 0 ? counts[i - 1] : 0, counts[i]]
  return (
    1000 * (high === Infinity ? low : low + ((wanted - few) / (many - few || 1)) * (high - low))
  )
}
