/**
 * What goes wrong with rooms and their Redis, with real processes: each case holds or throws, and tells a figure. The tests run short ones, the
 * bench long ones.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { init } from 'moreau'
import { RoomClient } from '../../source/client/index.mjs'
import { beginRoom } from '../../source/rooms/pick-up.mjs'
import { stacks } from '../../source/scenes/stacks.mjs'
import { startRedis } from '../redis-server.mjs'
import { writeBadRooms } from './bad-rooms.mjs'
import { joinBot, RoomProcess, until } from './processes.mjs'
import { randomFrom } from './random.mjs'
import { makeStillHost } from './still-host.mjs'

/** @typedef {import('./processes.mjs').Bot} Bot */
/** `seconds` that trouble lasts. @typedef {{ seconds: number }} Scale */
/** @typedef {(stage: Stage, scale: Scale) => Promise<string | undefined>} Case gives its figure, or undefined where this machine cannot have it */

const OPTIONS = { stacks: 4, height: 4 }
/** ms: on a busy machine players need longer to come back than rooms wait otherwise, and processes need longer to renew a lease */
const TIMES = { grace: 20_000, lease: 2000, checkpoint: 1000 }

/** @param {Bot} bot */
const statisticsOf = (bot) => bot.client.session.statistics

/** A Redis, two processes, a room in one of them with two players. */
export class Stage {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  redis = /** @type {any} */ (undefined)
  /** @type {Redis} */
  connection = /** @type {any} */ (undefined)
  /** @type {RoomProcess[]} */
  processes = []
  /** @type {Bot[]} */
  bots = []
  /** The process that has the room, and the other. @type {RoomProcess} */
  owner = /** @type {any} */ (undefined)
  /** @type {RoomProcess} */
  heir = /** @type {any} */ (undefined)
  /** Whether other cases follow. */
  isShared = false

  /** @param {{ disk?: string, appendOnly?: boolean }} [options] of Redis */
  static async open(options) {
    const stage = new Stage()
    stage.redis = await startRedis(options)
    stage.connection = new Redis(stage.redis.url, { maxRetriesPerRequest: null })
    stage.connection.on('error', () => {})
    const server = { times: TIMES, logLevel: 'info' }
    const start = () => RoomProcess.start(stage.redis.url, server)
    stage.processes = await Promise.all([start(), start()])
    const random = randomFrom(17)
    stage.bots.push(await joinBot(stage.processes, random, { options: OPTIONS, isNew: true }))
    stage.bots.push(await joinBot(stage.processes, random, { roomId: stage.roomId }))
    const [{ room }] = await Promise.all(stage.processes.map((one) => one.ask(stage.roomId)))
    const [owner, heir] = room ? stage.processes : [...stage.processes].reverse()
    Object.assign(stage, { owner, heir })
    await stage.play(2)
    return stage
  }

  get roomId() {
    return this.bots[0].client.roomId
  }

  /** Waits until all players have found so many hashes of the room equal to theirs: the room tells one each second. @param {number} hashes */
  async play(hashes) {
    const before = this.bots.map((bot) => statisticsOf(bot).matches)
    await until(() => this.bots.every((bot, i) => statisticsOf(bot).matches >= before[i] + hashes))
    for (const bot of this.bots) assert.equal(statisticsOf(bot).mismatches, 0)
  }

  /** What players would notice of the room. */
  get noticed() {
    return this.bots.map(({ client }) => [client.connection.reconnections, client.states])
  }

  /** The longest s between two hashes, while something happens. @param {() => Promise<unknown>} work */
  async silence(work) {
    let [longest, last, matches] = [0, performance.now(), statisticsOf(this.bots[0]).matches]
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      const now = statisticsOf(this.bots[0]).matches
      if (now > matches) last = performance.now()
      matches = now
    }, 20)
    try {
      await work()
    } finally {
      clearInterval(timer)
    }
    return (longest / 1000).toFixed(1)
  }

  /** The room is picked up by the other process, as if nothing had been; where other cases follow on this stage, the last of them does that. */
  async pickUp() {
    if (this.isShared) return
    await this.owner.end('SIGKILL')
    const taken = await until(async () => (await this.heir.ask(this.roomId)).room !== undefined)
    await this.play(2)
    const metrics = await this.heir.page('/metrics')
    assert.ok(metrics.includes('picked_up_total{hash="same"}'), 'it was picked up')
    assert.ok(!metrics.includes('picked_up_total{hash="other"}'), 'with the same hashes')
    return taken
  }

  async close() {
    await Promise.all(this.bots.map((bot) => bot.leave()))
    await Promise.all(this.processes.map((one) => one.end('SIGKILL')))
    this.connection.disconnect()
    this.redis.resume()
    await this.redis.stop()
  }
}

/** @param {RoomProcess} one @returns {Promise<any>} */
const healthOf = async (one) => JSON.parse(await one.page('/healthz'))

/** @param {Stage} stage waits until both processes say that all is well */
const untilWell = ({ processes }) =>
  until(async () =>
    (await Promise.all(processes.map(healthOf))).every(({ status }) => status === 'ok'),
  )

/** A sound checkpoint, of a room called `seed`. */
async function seedCheckpoint() {
  await init()
  const room = await beginRoom(makeStillHost({ time: 0 }), 'seed', {
    scene: 'stacks',
    options: { stacks: 1, height: 2 },
  })
  const bytes = room.journal.encode()
  room.close()
  return bytes
}

/** A thousand rooms of all bad kinds are before it when its process is killed. @type {Case} */
async function badNeighbours(stage) {
  const { owner, heir, roomId, connection } = stage
  await owner.end('SIGKILL')
  let sent = 0
  const counts = await writeBadRooms(connection, 1000, await seedCheckpoint(), (commands) => {
    commands.zadd('moreau:rooms', 3, roomId)
    sent = performance.now()
  })
  await until(async () => (await heir.ask(roomId)).room !== undefined)
  const taken = performance.now() - sent
  await until(async () => (await connection.zcard('moreau:rooms')) === 1)
  const all = performance.now() - sent
  await stage.play(2)
  const metrics = await heir.page('/metrics')
  for (const [kind, count] of Object.entries(counts)) {
    const [, number] = new RegExp(`put_aside_total{kind="${kind}"} (\\d+)`).exec(metrics) ?? []
    assert.equal(Number(number), count, kind)
  }
  const told = heir.log.split('\n').filter((line) => line.includes('room put aside'))
  assert.equal(told.length, 1000)
  assert.equal(new Set(told.map((line) => JSON.parse(line).room)).size, 1000)
  const kept = await connection.keys('moreau:aside:*:reason')
  assert.equal(kept.length, 1000)
  return `sound room picked up after ${(taken / 1000).toFixed(2)} s, all put aside after ${(all / 1000).toFixed(1)} s`
}

/** @param {(stage: Stage) => Promise<unknown>} lose @returns {Case} */
const lostKeys = (lose) => async (stage) => {
  const { connection, roomId, owner } = stage
  const before = stage.noticed
  await lose(stage)
  const whole = await until(
    async () => (await connection.hexists(`moreau:room:${roomId}`, 'checkpoint')) === 1,
  )
  const silence = await stage.silence(() => stage.play(3))
  assert.deepEqual(stage.noticed, before, 'players noticed')
  assert.notEqual((await owner.ask(roomId)).room, undefined)
  assert.ok(!owner.log.includes('room is with another process'))
  // Who comes now finds it.
  const newcomer = await joinBot(stage.processes, randomFrom(5), { roomId })
  await until(() => statisticsOf(newcomer).matches > 0)
  await newcomer.leave()
  await stage.pickUp()
  return `written again after ${(whole / 1000).toFixed(2)} s; longest between two hashes ${silence} s`
}

/** @param {string} cause word of Redis @param {(stage: Stage) => Promise<unknown>} begin @param {(stage: Stage) => Promise<unknown>} end @returns {Case} */
const refusing =
  (cause, begin, end) =>
  async (stage, { seconds }) => {
    const { owner, heir } = stage
    const before = stage.noticed
    const lengths = [owner.log.length, heir.log.length]
    await begin(stage)
    const silence = await stage.silence(async () => {
      await until(async () => (await healthOf(owner)).status === 'degraded')
      assert.match((await healthOf(owner)).reason, new RegExp(cause))
      await stage.play(seconds)
      const wish = RoomClient.join({ scene: stacks, endpoints: [owner.endpoint], isNew: true })
      await assert.rejects(wish, new RegExp(`no room can be written down now: Redis: ${cause}$`))
    })
    const logged = [owner, heir].map(({ log }, i) => log.slice(lengths[i]))
    for (const text of logged) {
      const about = text.split('\n').filter((line) => line.includes(cause))
      assert.ok(about.length <= 3 + Math.floor(seconds / 60), about.join('\n'))
      assert.ok(!text.includes('\\n    at '), `stack traces: ${text.slice(0, 2000)}`)
    }
    const bytes = Math.max(...logged.map(({ length }) => length))
    await end(stage)
    await untilWell(stage)
    assert.deepEqual(stage.noticed, before, 'players noticed')
    const caughtUp = await until(
      async () => Number(await stage.connection.hget(`moreau:room:${stage.roomId}`, 'records')) > 0,
    )
    await stage.pickUp()
    return `log ${bytes} bytes in all; longest between two hashes ${silence} s; caught up ${(caughtUp / 1000).toFixed(1)} s after it was well`
  }

/** @type {Case} */
async function fullDisk(_, scale) {
  const disk = await mkdtemp(join(tmpdir(), 'moreau-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk])
  if (mounted.status !== 0) {
    await rm(disk, { recursive: true })
    return undefined
  }
  const filler = join(disk, 'filler')
  try {
    const stage = await Stage.open({ disk, appendOnly: true })
    try {
      const fill = () => writeFile(filler, Buffer.alloc(32 << 20)).catch(() => {})
      return await refusing('MISCONF', fill, () => rm(filler))(stage, scale)
    } finally {
      await stage.close()
    }
  } finally {
    spawnSync('umount', [disk])
    await rm(disk, { recursive: true, force: true })
  }
}

/** @type {Case} */
async function stopped(stage, { seconds }) {
  const { owner, redis, roomId } = stage
  const before = stage.noticed
  const silence = await stage.silence(async () => {
    redis.pause()
    await delay(1000 * seconds)
    redis.resume()
    await stage.play(3)
  })
  assert.deepEqual(stage.noticed, before, 'players noticed')
  assert.notEqual((await owner.ask(roomId)).room, undefined, 'its process still has it')
  await untilWell(stage)
  await until(
    async () => Number(await stage.connection.hget(`moreau:room:${roomId}`, 'records')) > 0,
  )
  await stage.pickUp()
  return `longest between two hashes ${silence} s`
}

/** @type {Case} */
async function clockJumps(stage) {
  const { connection, owner, roomId } = stage
  const before = stage.noticed
  const silence = await stage.silence(async () => {
    for (const hours of [1, -1, -1, 1]) {
      // What the clock shows less what it showed last is all that leases know of it.
      await connection.hincrby('moreau:clock', 'wall', -3_600_000 * hours)
      await stage.play(1)
    }
  })
  assert.deepEqual(stage.noticed, before, 'players noticed')
  assert.notEqual((await owner.ask(roomId)).room, undefined)
  await stage.pickUp()
  return `rooms that changed hands: 0; longest between two hashes ${silence} s`
}

/** A process stands still for longer than its lease, the other takes its room, and it wakes up. @type {Case} */
async function twoHolders(stage) {
  const { owner, heir, roomId } = stage
  owner.child.kill('SIGSTOP')
  await until(async () => (await heir.ask(roomId)).room !== undefined)
  owner.child.kill('SIGCONT')
  const dropped = await until(async () => (await owner.ask(roomId)).room === undefined)
  await stage.play(3)
  assert.notEqual((await heir.ask(roomId)).room, undefined)
  assert.match(owner.log, /room is with another process/)
  Object.assign(stage, { owner: heir, heir: owner })
  return `the other dropped it ${(dropped / 1000).toFixed(2)} s after it woke up`
}

/** Each with the seconds of its short and its long run, one after the other where there are many. The last ends a process. @type {Record<string, { work: Case, short: number, long: number[] }>} */
export const CASES = {
  'Redis loses all keys (FLUSHALL)': {
    ...{ work: lostKeys(({ connection }) => connection.flushall()), short: 0, long: [0] },
  },
  'Redis loses the lists of Colyseus alone': {
    work: lostKeys(({ connection }) => connection.del('roomcaches', 'roomcount')),
    ...{ short: 0, long: [0] },
  },
  'Redis restarts without a file': {
    ...{ work: lostKeys(({ redis }) => redis.restart('kill')), short: 0, long: [0] },
  },
  'Redis is full (maxmemory, noeviction)': {
    work: refusing(
      'OOM',
      ({ connection }) => connection.config('SET', 'maxmemory', '1'),
      ({ connection }) => connection.config('SET', 'maxmemory', '0'),
    ),
    ...{ short: 2, long: [30] },
  },
  'Redis is read-only (a replica)': {
    work: refusing(
      'READONLY',
      ({ connection, redis }) => connection.replicaof('127.0.0.1', String(redis.port + 1)),
      ({ connection }) => connection.replicaof('NO', 'ONE'),
    ),
    ...{ short: 2, long: [30] },
  },
  'the disk of its append-only file is full': { work: fullDisk, short: 2, long: [10] },
  'Redis stands still (SIGSTOP)': { work: stopped, short: 1, long: [1, 5, 30] },
  'the clock of Redis jumps by an hour, both ways': { work: clockJumps, short: 0, long: [0] },
  'two processes have one room': { work: twoHolders, short: 0, long: [0] },
  'a process is killed behind 1000 bad rooms of 20 kinds': {
    work: badNeighbours,
    short: 0,
    long: [0],
  },
}

/**
 * @param {Case} work
 * @param {number} seconds
 * @param {Stage} [shared] with other cases
 * @returns {Promise<string | undefined>} the figure
 */
export async function runCase(work, seconds, shared) {
  if (work === fullDisk) return work(/** @type {any} */ (undefined), { seconds })
  if (shared) return work(shared, { seconds })
  const stage = await Stage.open()
  try {
    return await work(stage, { seconds })
  } finally {
    await stage.close()
  }
}
