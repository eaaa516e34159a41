/**
 * What a history costs (`npm run bench:state -- --history`): the scenes of 500 bodies, ten steps back and forth after two
 * seconds; then a pile of 1000 cubes for a minute, all frames of which are kept.
 *
 * Times are those that the processor spent on this program: another one that runs beside it does not count.
 */
import { init, World } from 'moreau'
import { HISTORY_SCENES, pileOfCubes } from './history-scenes.mjs'
import { formatTable } from './table.mjs'

const TIME_STEP = 1 / 60
const START = 120
const STEPS = 10
/** Of the pile of 1000 cubes. */
const MINUTE = 3600
/** Frames of it that are sought: spread over the time in which something moves. */
const SEEKS = 200
const MOVING = 300

/** @param {number} rounds @returns {Promise<string>} tables */
export async function measureHistories(rounds) {
  await init()
  const rows = Object.entries(HISTORY_SCENES).map(([name, make]) =>
    measureScene(name, make, rounds),
  )
  return [
    formatTable(
      ['500 bodies', 'step ms', 'kept step ms', 'rewind ms', 'and 10 steps', 'bytes a frame'],
      rows,
    ),
    measureMinute(),
  ].join('\n\n')
}

/**
 * @param {string} name
 * @param {(WorldType: typeof World) => World} make
 * @param {number} rounds
 */
function measureScene(name, make, rounds) {
  const world = make(World)
  repeat(START, () => world.step(TIME_STEP))
  const bytes = world.snapshot()
  /** @type {Record<'plain' | 'kept' | 'rewind' | 'both', number[]>} */
  const times = { plain: [], kept: [], rewind: [], both: [] }
  let size = 0
  for (let round = 0; round < rounds; round++) {
    world.restore(bytes)
    times.plain.push(timeOf(() => repeat(STEPS, () => world.step(TIME_STEP))) / STEPS)
    world.restore(bytes)
    const history = world.history({ frames: 60 })
    const before = history.bytes
    times.kept.push(timeOf(() => repeat(STEPS, () => world.step(TIME_STEP))) / STEPS)
    size = (history.bytes - before) / STEPS
    const rewind = timeOf(() => history.rewind(STEPS))
    times.rewind.push(rewind)
    times.both.push(rewind + timeOf(() => repeat(STEPS, () => world.step(TIME_STEP))))
    history.free()
  }
  world.free()
  const figures = Object.values(times).map((list) => median(list).toFixed(2))
  return [name, ...figures, String(Math.round(size))]
}

function measureMinute() {
  const world = pileOfCubes(World, 1000, 10)
  const history = world.history({ seconds: 60 })
  repeat(MINUTE, () => world.step(TIME_STEP))
  const end = world.hash()
  const times = []
  for (let i = 0; i < SEEKS; i++) {
    times.push(timeOf(() => history.seek((i * 7919) % MOVING)))
  }
  history.seek(MINUTE)
  if (world.hash() !== end) throw new Error('the history gave another state')
  const text = `60 s of a pile of 1000 cubes: ${(history.bytes / 1e6).toFixed(0)} MB; a seek takes ${median(times).toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)}`
  world.free()
  return text
}

/** @param {number} count @param {() => void} action */
function repeat(count, action) {
  for (let i = 0; i < count; i++) action()
}

/** @param {() => void} action @returns {number} ms of the processor */
function timeOf(action) {
  const start = process.cpuUsage()
  action()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** @param {readonly number[]} list */
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1]
