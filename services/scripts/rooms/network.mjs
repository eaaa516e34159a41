/**
 * Rooms over a bad network: two pages of a headless Chromium and a bot in a lockstep room of 500 bodies, and a predicted player with another in
 * an authoritative room.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort, startRedis } from '../redis-server.mjs'
import { lookAt, openRoom, startBrowser } from './browser.mjs'
import { joinBot, RoomProcess, until } from './processes.mjs'
import { randomFrom } from './random.mjs'

/** @import { Page } from 'playwright-core' */
/** @import { ChildProcess } from 'node:child_process' */
/** @import { Bot } from './processes.mjs' */

/** 200 ms there and back without jitter, up to 280 ms with it. */
export const BAD = Object.freeze({ delay: 100, jitter: 40, loss: 0.05 })
const PROXY = fileURLToPath(new URL('proxy-process.mjs', import.meta.url))
/** Changes of mind per second, of each player. */
const CHANGES = 2

/**
 * @typedef {object} NetworkResult
 * @property {{ name: string, matches: number, mismatches: number, rollbacks: number, resimulated: number, states: number, kilobits: number, roundTrip: number }[]} clients
 *   `states`: how often the whole state came while they played
 * @property {{ lockstep: [number, number][], predicted: [number, number][] }} corrections seconds and metres, of own balls
 * @property {number} bodies
 * @property {string[]} complaints of the pages
 */

/**
 * @param {{ seconds: number, hashes?: number, boxes?: { stacks: number, height: number } }} options `hashes`: it takes longer where a client has found fewer equal to the room's by then
 * @returns {Promise<NetworkResult>}
 */
export async function runBadNetwork({ seconds, hashes = 0, boxes = { stacks: 100, height: 5 } }) {
  const [redis, port, front] = [await startRedis(), await freePort(), await freePort()]
  const server = await RoomProcess.start(
    redis.url,
    { address: `127.0.0.1:${front}`, demo: true },
    port,
  )
  const proxy = fork(PROXY, [String(front), String(port), JSON.stringify(BAD)])
  await once(proxy, 'message')
  const browser = await startBrowser()
  try {
    return await play({ server, proxy, browser, front, seconds, hashes, boxes })
  } finally {
    await browser.close()
    proxy.kill('SIGKILL')
    await server.end()
    await redis.stop()
  }
}

/** @param {{ server: RoomProcess, proxy: ChildProcess, browser: import('playwright-core').Browser, front: number, seconds: number, hashes: number, boxes: object }} parts */
async function play({ server, proxy, browser, front, seconds, hashes, boxes }) {
  const way = [new RoomProcess(server.child, front, 0)]
  const complaints = /** @type {string[]} */ ([])
  const bot = await joinBot(way, randomFrom(1), { options: boxes, isNew: true, changes: CHANGES })
  const address = `http://127.0.0.1:${front}/?draw=0&room=${bot.client.roomId}`
  const pages = [
    await openRoom(browser, address, complaints),
    await openRoom(browser, address, complaints),
  ]
  for (const [i, page] of pages.entries()) await rollAbout(page, i + 2)
  const small = { stacks: 10, height: 5 }
  const predicted = await joinBot(way, randomFrom(4), {
    options: small,
    isNew: true,
    mode: 'authoritative',
    changes: CHANGES,
  })
  const { roomId } = predicted.client
  const other = await joinBot(way, randomFrom(5), {
    roomId,
    mode: 'authoritative',
    changes: CHANGES,
  })
  const corrections = { lockstep: noteCorrections(bot), predicted: noteCorrections(predicted) }
  // Joining, with the whole state, is not what the rate is about.
  await until(async () =>
    (await Promise.all(pages.map(lookAt))).every(({ matches }) => matches > 1),
  )
  const lookAtAll = async () => [
    look(bot),
    ...(await Promise.all(pages.map(lookAt))),
    look(predicted),
    look(other),
  ]
  const first = await lookAtAll()
  const [before, start] = [await trafficOf(proxy), performance.now()]
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds))
  await until(async () => (await lookAtAll()).every(({ matches }) => matches >= hashes))
  const elapsed = (performance.now() - start) / 1000
  const rates = (await trafficOf(proxy)).map(
    (bytes, i) => ((bytes - before[i]) * 8) / 1000 / elapsed,
  )
  const names = ['bot', 'page 1', 'page 2', 'predicted player', 'its opponent']
  const clients = (await lookAtAll()).map((one, i) => {
    const states = one.states - first[i].states
    return { ...one, states, name: names[i], kilobits: rates[i] }
  })
  const { bodies } = (await server.ask(bot.client.roomId)).room
  await Promise.all([bot, predicted, other].map((one) => one.leave()))
  return { clients, corrections, bodies, complaints }
}

/** @param {ChildProcess} proxy @returns {Promise<number[]>} bytes of each connection, both ways */
async function trafficOf(proxy) {
  proxy.send('traffic')
  const [all] = await once(proxy, 'message')
  return all.map((/** @type {import('./proxy.mjs').Traffic} */ { up, down }) => up + down)
}

/** @param {Page} page @param {number} seed */
const rollAbout = (page, seed) =>
  page.evaluate(
    ({ first, chance }) => {
      let state = first
      const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
      const { client, inputOf } = Object(globalThis)
      setInterval(() => {
        if (random() < chance)
          client.setInput(inputOf(2 * random() - 1, 2 * random() - 1, random() < 0.2 ? 1 : 0))
      }, 1000 / 60)
    },
    { first: seed * 7919, chance: CHANGES / 60 },
  )

/** @param {Bot} bot */
function look({ client }) {
  const { statistics, roundTrip } = client.session
  const { matches, mismatches, rollbacks, resimulated } = statistics
  return { matches, mismatches, rollbacks, resimulated, roundTrip, states: client.states }
}

/** @param {Bot} bot @returns {[number, number][]} is filled while the bot plays */
function noteCorrections({ client }) {
  const list = /** @type {[number, number][]} */ ([])
  client.smoothing.onCorrection = (all) => {
    const size = all.get(client.session.player) ?? 0
    if (size > 1e-6) list.push([performance.now() / 1000, size])
  }
  return list
}
