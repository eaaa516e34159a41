/**
 * What it costs to keep and bring back the state of a world, beside Rapier:
 *
 *     npm run bench:state -- [--rounds 20] [--engine moreau,rapier] [--json <file>]
 *     npm run bench:state -- --history [--rounds 20]    of histories (history.mjs)
 *     npm run bench:state -- --worlds [--rounds 20] [--engine moreau,mujoco,rapier]    of many worlds (worlds.mjs)
 *
 *     npm run bench:state -- --sync-test [--frames 100000] [--solver soft-step]      (bench/sync-test.mjs)
 *
 * A pile of 500 boxes that is still moving: a snapshot, a restore, and a rollback: one restore and ten steps, each followed by a
 * snapshot. Engines take turns within each round; the table has the medians. Moreau's snapshots are written to one array.
 */
import { writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { init, World } from 'moreau'
import { readCommandLine } from '../scripts/command-line.mjs'
import { installPeers } from './comparison/peers.mjs'
import { peerFile } from './engines/engine.mjs'
import { measureHistories } from './history.mjs'
import { printSyncTest } from './sync-test.mjs'
import { formatTable, readNumber } from './table.mjs'
import { measureWorlds } from './worlds.mjs'

/**
 * @typedef {object} Kept an engine with the pile in it
 * @property {() => void} step
 * @property {() => Uint8Array} save gives bytes that are valid until the next call
 * @property {(bytes: Uint8Array) => void} load
 */

const BODIES = 500
const TIME_STEP = 1 / 60
/** Steps before anything is measured: the first boxes lie, the others fall on them. */
const START = 60
const ROLLBACK_STEPS = 10

/** Where box `i` begins: layers of 5 x 5, each turned against the one below. @param {number} i */
function placeOf(i) {
  const [layer, x, z] = [Math.floor(i / 25), i % 5, Math.floor((i % 25) / 5)]
  const shift = 0.3 * (layer % 3)
  return [1.2 * (x - 2) + shift, 0.6 + 1.1 * layer, 1.2 * (z - 2) - shift]
}

/** @type {Record<string, () => Promise<Kept>>} */
const ENGINES = {
  async moreau() {
    await init()
    const world = new World()
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
    for (let i = 0; i < BODIES; i++) world.createBody({ shape, position: placeOf(i) })
    const out = new Uint8Array(1 << 24)
    return {
      step: () => world.step(TIME_STEP),
      save: () => world.snapshot(out),
      load: (bytes) => world.restore(bytes),
    }
  },

  async rapier() {
    const { default: RAPIER } = await import(
      peerFile('@dimforge/rapier3d-compat/dist/rapier.mjs').href
    )
    await RAPIER.init()
    let world = new RAPIER.World({ x: 0, y: -9.81, z: 0 })
    world.timestep = TIME_STEP
    world.createCollider(RAPIER.ColliderDesc.cuboid(100, 1, 100).setTranslation(0, -1, 0))
    for (let i = 0; i < BODIES; i++) {
      const [x, y, z] = placeOf(i)
      const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y, z))
      world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5), body)
    }
    return {
      step: () => world.step(),
      save: () => world.takeSnapshot(),
      load: (bytes) => {
        world.free()
        world = RAPIER.World.restoreSnapshot(bytes)
      },
    }
  },
}

try {
  await main()
} catch (error) {
  process.stderr.write(`bench:state: ${/** @type {Error} */ (error).message}\n`)
  process.exitCode = 2
}

async function main() {
  const { values } = readCommandLine(import.meta.url, {
    options: {
      rounds: { type: 'string', default: '20' },
      engine: { type: 'string' },
      json: { type: 'string' },
      history: { type: 'boolean', default: false },
      worlds: { type: 'boolean', default: false },
      'sync-test': { type: 'boolean' },
      frames: { type: 'string', default: '100000' },
      solver: { type: 'string', default: 'auto' },
    },
  })
  if (values['sync-test']) {
    const solver = /** @type {import('moreau').SolverName} */ (values.solver)
    await printSyncTest(readNumber('frames', values.frames), { solver })
    return
  }
  const rounds = readNumber('rounds', values.rounds)
  if (values.history) {
    process.stdout.write(`${await measureHistories(rounds)}\n`)
    return
  }
  const known = values.worlds ? ['moreau', 'mujoco', 'rapier'] : Object.keys(ENGINES)
  const names = values.engine?.split(',') ?? known
  for (const name of names) {
    if (!known.includes(name)) throw new Error(`--engine: ${name} is none of ${known.join(', ')}`)
  }
  if (values.worlds) {
    await installPeers(names)
    process.stdout.write(`${await measureWorlds(names, rounds)}\n`)
    return
  }
  await installPeers(names)
  const results = await measure(names, rounds)
  process.stdout.write(`${table(results)}\n`)
  if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
}

/**
 * @param {readonly string[]} names
 * @param {number} rounds
 */
async function measure(names, rounds) {
  const runs = []
  for (const name of names) {
    const engine = await ENGINES[name]()
    for (let i = 0; i < START; i++) engine.step()
    const start = engine.save().slice()
    runs.push({ name, engine, start, times: { save: [], load: [], rollback: [], steps: [] } })
  }
  for (let round = 0; round < rounds; round++) for (const run of runs) measureRound(run)
  return runs.map(({ name, start, times }) => ({
    name,
    bytes: start.length,
    bytesPerBody: Math.round(start.length / BODIES),
    ...Object.fromEntries(Object.entries(times).map(([what, list]) => [what, median(list)])),
  }))
}

/** @param {{ engine: Kept, start: Uint8Array, times: Record<string, number[]> }} run */
function measureRound({ engine, start, times }) {
  times.load.push(timeOf(() => engine.load(start)))
  times.save.push(timeOf(() => engine.save()))
  times.steps.push(timeOf(() => repeat(() => engine.step())))
  times.rollback.push(
    timeOf(() => {
      engine.load(start)
      repeat(() => (engine.step(), engine.save()))
    }),
  )
}

/** @param {() => void} action */
function repeat(action) {
  for (let i = 0; i < ROLLBACK_STEPS; i++) action()
}

/** @param {() => void} action @returns {number} ms */
function timeOf(action) {
  const start = performance.now()
  action()
  return performance.now() - start
}

/** @param {readonly number[]} list */
function median(list) {
  return list.toSorted((a, b) => a - b)[list.length >> 1]
}

/** @param {readonly any[]} results */
function table(results) {
  const ms = (/** @type {number} */ time) => time.toFixed(2)
  return formatTable(
    ['engine', 'snapshot ms', 'restore ms', '10 steps ms', 'rollback ms', 'bytes', 'per body'],
    results.map((one) => [
      ...[one.name, ms(one.save), ms(one.load), ms(one.steps), ms(one.rollback)],
      ...[String(one.bytes), String(one.bytesPerBody)],
    ]),
  )
}
