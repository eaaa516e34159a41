/**
 * A burst of wishes for large rooms beside rooms that run: how late these are.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '@colyseus/sdk'
import { LIMITS } from '../../source/rooms/limits.mjs'
import { startRedis } from '../redis-server.mjs'
import { RoomProcess, until } from './processes.mjs'

/** 1925 bodies with the yard. */
const LARGE = { stacks: 384, height: 5 }
/** Rooms that run, wishes of a burst. */
const [RUNNING, WISHES] = [5, 25]
/** ms that rooms run before they are measured, and from one burst to the next */
const [SETTLE, APART] = [3000, 4000]

/** ms that frames of the rooms that run are late. @typedef {{ p50: number, p99: number, most: number, frames: number }} Lateness */
/** `quiet`: as long without wishes, by which one sees what else the machine does. @typedef {Lateness & { taken: number, refused: number, quiet: Lateness }} BurstResult */

/** @param {string} endpoint @returns {Promise<import('@colyseus/sdk').Room>} a room with a client that does nothing */
async function openRoom(endpoint) {
  const room = await new Client(endpoint).create('moreau', { scene: 'stacks', options: LARGE })
  room.reconnection.enabled = false
  room.onMessage(0, () => {})
  return room
}

/**
 * @param {{ bursts: number, wishes?: number, busy?: number }} options `busy` as in the limits of rooms
 * @returns {Promise<BurstResult>}
 */
export async function measureBursts({ bursts, wishes = WISHES, busy = LIMITS.busy }) {
  const redis = await startRedis()
  const server = await RoomProcess.start(redis.url, { limits: { busy }, times: { empty: 500 } })
  try {
    const running = []
    while (running.length < RUNNING) {
      const room = await openRoom(server.endpoint).catch(() => undefined)
      if (room) running.push(room)
      else await delay(1000)
    }
    await delay(SETTLE)
    const ids = running.map(({ roomId }) => roomId)
    const ask = async () => {
      const late = []
      for (const id of ids) late.push(...(await server.ask(id)).room.late)
      return late
    }
    await ask()
    await delay(bursts * APART)
    const quiet = quantiles(await ask())
    const late = /** @type {number[]} */ ([])
    let [taken, refused] = [0, 0]
    for (let burst = 0; burst < bursts; burst++) {
      const results = await Promise.allSettled(
        Array.from({ length: wishes }, () => openRoom(server.endpoint)),
      )
      await delay(APART)
      for (const result of results) {
        if (result.status === 'rejected') refused++
        else {
          taken++
          await result.value.leave()
        }
      }
      late.push(...(await ask()))
      await until(async () => (await server.ask(ids[0])).rooms <= RUNNING)
    }
    return { ...quantiles(late), taken, refused, quiet }
  } finally {
    await server.end('SIGKILL')
    await redis.stop()
  }
}

/** @param {number[]} late */
function quantiles(late) {
  const sorted = late.toSorted((a, b) => a - b)
  const at = (/** @type {number} */ part) => sorted[Math.floor(part * (sorted.length - 1))] ?? NaN
  return { p50: at(0.5), p99: at(0.99), most: at(1), frames: sorted.length }
}
