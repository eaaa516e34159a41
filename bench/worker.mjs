/**
 * What a world in a worker costs the thread that shows it (`moreau/worker`):
 *
 *     npm run bench:worker -- [--bodies 1000] [--seconds 60] [--transport shared,transferred] [--json <file>]
 *
 * Boxes are thrown about by an explosion every five seconds, so that they move all the time. Frames come 60 times per second;
 * in each of them the program takes the newest poses and blends those to be drawn. Measured are the milliseconds of both
 * per frame (of a busy machine the time of others too; `processor` is what the thread ran in all, with the timers of this
 * program), what the heap has grown by between the first second and the last, the pauses of the garbage collector on this
 * thread, and the bytes that are allocated per frame. Once with the worker's own clock, and once with `advance`; each in a
 * process of its own, so that what one leaves behind is not the other's.
 *
 * Pauses are of two kinds. Those of new objects (`minor`) come of what is allocated per frame. Those of the whole heap
 * (`major`) V8 makes of itself some eight seconds after much was loaded, when a program has become quiet (`--trace-gc-verbose`
 * calls it the memory reducer): the row `nothing` has the same world, and asks nothing of it.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, performance, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { World } from 'moreau/worker'
import { readCommandLine } from '../scripts/command-line.mjs'
import { allocatedPerFrame } from './allocations.mjs'
import { formatTable, readNumber } from './table.mjs'

const FRAME = 1 / 60
const EXPLOSION_FRAMES = 300
/** Frames before anything is measured: the compiler and the buffers have found their sizes. */
const WARM_UP = 300
/** Frames in which allocations are counted. */
const COUNTED = 300

setFlagsFromString('--expose-gc')
/** @type {() => void} */
const collect = runInNewContext('gc')

/** @param {World} world @param {number} bodies */
function fill(world, bodies) {
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  for (const [x, z] of [
    [-9, 0],
    [9, 0],
    [0, -9],
    [0, 9],
  ]) {
    const halfExtents = /** @type {const} */ ([x === 0 ? 9 : 0.5, 20, z === 0 ? 9 : 0.5])
    world.createBody({ type: 'static', shape: { type: 'box', halfExtents }, position: [x, 20, z] })
  }
  const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.4, 0.4, 0.4] })
  for (let i = 0; i < bodies; i++) {
    const position = /** @type {const} */ ([
      (i % 10) - 4.5,
      1 + Math.floor(i / 100),
      (Math.floor(i / 10) % 10) - 4.5,
    ])
    world.createBody({ shape, position })
  }
}

/** Bytes that this thread holds. */
async function heldBytes() {
  collect()
  await sleep(100) // buffers of what was collected go a little later
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Milliseconds for which this thread has run on a processor, where Linux says so: not those in which others had it. */
function threadTime() {
  const file = `/proc/self/task/${process.pid}/schedstat`
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : NaN
}

/** @param {readonly number[]} sorted @param {number} part */
const quantile = (sorted, part) =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]

/** @typedef {'start' | 'advance' | 'nothing'} Drive */

/**
 * @param {'shared' | 'transferred'} transport
 * @param {Drive} drive
 * @param {{ bodies: number, seconds: number }} options
 */
async function measure(transport, drive, { bodies, seconds }) {
  const world = await World.create({}, { transport })
  fill(world, bodies)
  await world.step(FRAME)
  if (drive === 'start') world.start()
  const out = new Float32Array(world.transforms.length)
  const frames = Math.round(seconds / FRAME)
  const times = new Float64Array(frames)
  /** @type {{ minor: number[], major: number[] }} */
  const pauses = { minor: [], major: [] }
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) pauses[kindOf(entry)].push(entry.duration)
  })
  let before = 0
  let seen = 0
  let first = 0
  let busy = 0
  let begin = performance.now() + WARM_UP * FRAME * 1000
  for (let frame = -WARM_UP; frame < frames; frame++) {
    if (frame === 0) {
      before = await heldBytes()
      first = world.stepCount
      begin = performance.now()
      busy = threadTime()
      observer.observe({ entryTypes: ['gc'] })
    }
    const ahead = frame * FRAME * 1000 - (performance.now() - begin)
    await sleep(Math.max(0, ahead))
    if (drive !== 'nothing' && frame % EXPLOSION_FRAMES === 0) {
      world.explode({ position: [0, 0, 0], radius: 3, falloff: 12, impulse: 3000 })
    }
    const { stepCount } = world
    const start = performance.now()
    show(world, drive, out)
    if (frame >= 0) times[frame] = performance.now() - start
    if (frame >= 0 && world.stepCount > stepCount) seen++
  }
  busy = threadTime() - busy
  await sleep(0)
  observer.disconnect()
  const result = {
    ...{ transport, drive, bodies, seconds },
    stepsPerSecond: (world.stepCount - first) / seconds,
    newFrames: seen / frames,
    ...summary(times),
    busy: busy / frames,
    grownKilobytes: ((await heldBytes()) - before) / 1024,
    minor: pausesOf(pauses.minor),
    major: pausesOf(pauses.major),
  }
  const bytesPerFrame = await allocatedPerFrame(COUNTED, () => show(world, drive, out))
  world.free()
  return { ...result, bytesPerFrame }
}

/**
 * What a program does with the world in each frame.
 * @param {World} world
 * @param {Drive} drive
 * @param {Float32Array} out
 */
function show(world, drive, out) {
  if (drive === 'nothing') return
  if (drive === 'start') world.update()
  else world.advance(FRAME)
  world.interpolate(out)
}

/** @param {PerformanceEntry} entry @returns {'minor' | 'major'} */
function kindOf(entry) {
  const { kind } = /** @type {{ kind: number }} */ (/** @type {any} */ (entry).detail)
  return kind === constants.NODE_PERFORMANCE_GC_MINOR ? 'minor' : 'major'
}

/** @param {readonly number[]} pauses milliseconds */
const pausesOf = (pauses) => ({ count: pauses.length, longest: Math.max(0, ...pauses) })

/** @param {Float64Array} times */
function summary(times) {
  const sorted = [...times].sort((a, b) => a - b)
  const mean = sorted.reduce((sum, time) => sum + time, 0) / sorted.length
  return {
    mean,
    median: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    most: quantile(sorted, 1),
  }
}

const { values } = readCommandLine(import.meta.url, {
  options: {
    bodies: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    transport: { type: 'string', default: 'shared,transferred' },
    json: { type: 'string' },
    row: { type: 'string' },
  },
})

/** @param {string} row a transport and a drive: what a process of its own measures */
async function measureRow(row) {
  const [transport, drive] = row.split(',')
  const options = {
    bodies: readNumber('--bodies', values.bodies),
    seconds: readNumber('--seconds', values.seconds),
  }
  const result = await measure(
    /** @type {'shared'} */ (transport),
    /** @type {Drive} */ (drive),
    options,
  )
  console.log(JSON.stringify(result))
}

/** @param {string} row @returns {Promise<Awaited<ReturnType<typeof measure>>>} */
async function inProcess(row) {
  const { bodies, seconds } = values
  const args = ['--row', row, '--bodies', bodies, '--seconds', seconds]
  const { stdout } = await promisify(execFile)(process.execPath, [
    fileURLToPath(import.meta.url),
    ...args,
  ])
  return JSON.parse(stdout)
}

async function measureAll() {
  const rows = values.transport.split(',').flatMap((one) => [`${one},start`, `${one},advance`])
  const results = []
  for (const row of [...rows, 'shared,nothing']) results.push(await inProcess(row))
  console.log(formatTable(HEADING, results.map(cellsOf)))
  if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
}

const HEADING = [
  ...['ms per frame', 'processor', 'mean', 'median', '99 %', 'most', 'new frames', 'steps/s'],
  ...['grown, KB', 'minor', 'longest, ms', 'major', 'longest, ms', 'bytes per frame'],
]

/** @param {Awaited<ReturnType<typeof measure>>} r */
const cellsOf = (r) => [
  `${r.transport}, ${r.drive}`,
  ...[r.busy, r.mean, r.median, r.p99, r.most].map((ms) => ms.toFixed(3)),
  ...[r.newFrames.toFixed(2), r.stepsPerSecond.toFixed(1), r.grownKilobytes.toFixed(0)],
  ...[r.minor, r.major].flatMap(({ count, longest }) => [String(count), longest.toFixed(2)]),
  r.bytesPerFrame.toFixed(0),
]

await (values.row === undefined ? measureAll() : measureRow(values.row))
