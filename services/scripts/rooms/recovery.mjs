/**
 * How long a room is away when its process is killed or drained.
 */
import { startRedis } from '../redis-server.mjs'
import { joinBot, RoomProcess, until } from './processes.mjs'
import { randomFrom } from './random.mjs'

/** ms: what a new process needs to be counted on */
const SETTLE = 1500

/** `correction`: of an own ball; `jump`: of any body as it is drawn. @typedef {{ signal: string, pickedUp: number, playersBack: number, correction: number, jump: number, mismatches: number }} Recovery ms and m */

/** @param {number} times of each kind @returns {Promise<Recovery[]>} */
export async function measureRecovery(times) {
  const redis = await startRedis()
  const rows = []
  try {
    for (let i = 0; i < times; i++) {
      for (const signal of /** @type {const} */ (['SIGKILL', 'SIGTERM'])) {
        rows.push(await recover(redis.url, signal, i))
      }
    }
  } finally {
    await redis.stop()
  }
  return rows
}

/** @param {string} redis @param {NodeJS.Signals} signal @param {number} seed @returns {Promise<Recovery>} */
async function recover(redis, signal, seed) {
  const processes = [await RoomProcess.start(redis), await RoomProcess.start(redis)]
  const random = randomFrom(seed)
  const first = await joinBot(processes, random, {
    options: { stacks: 10, height: 5 },
    isNew: true,
  })
  const { roomId } = first.client
  const bots = [first, await joinBot(processes, random, { roomId })]
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLE))
    const isFirsts = (await processes[0].ask(roomId)).room !== undefined
    const [owner, heir] = isFirsts ? processes : [...processes].reverse()
    const corrections = [0]
    for (const { eyes } of bots) eyes.jump = 0
    const start = performance.now()
    await owner.end(signal)
    for (const { client } of bots) {
      client.smoothing.onCorrection = (all) => corrections.push(all.get(client.session.player) ?? 0)
    }
    await until(async () => (await heir.ask(roomId)).room !== undefined)
    const pickedUp = performance.now() - start
    await until(() => bots.every(({ client }) => client.connection.reconnections === 1))
    const playersBack = performance.now() - start
    const matched = bots.map(({ client }) => client.session.statistics.matches)
    await until(() =>
      bots.every(({ client }, i) => client.session.statistics.matches >= matched[i] + 2),
    )
    const mismatches = bots.reduce(
      (sum, { client }) => sum + client.session.statistics.mismatches,
      0,
    )
    const jump = Math.max(...bots.map(({ eyes }) => eyes.jump))
    return { signal, pickedUp, playersBack, correction: Math.max(...corrections), jump, mismatches }
  } finally {
    await Promise.all(bots.map((bot) => bot.leave()))
    await Promise.all(processes.map((one) => one.end('SIGKILL')))
  }
}
