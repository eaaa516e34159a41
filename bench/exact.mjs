/**
 * What a step of `solver: 'exact'` costs in wasm, and what comes of steps that need more work than they may use:
 *
 *     npm run bench:exact -- [--table growth] [--steps 120] [--seconds 20] [--filter pile] [--solver exact] [--json <file>]
 *     npm run bench:exact -- --table budget [--filter wall] [--solver exact] [--budget 2e8] [--iterations 20] [--json <file>]
 *
 * `growth` is towers and chains at rest, and piles of boxes that fall into a heap, first while they settle, then when they lie, as they
 * become larger. Measuring a case ends after --seconds. `budget` is scenes whose steps cannot always be solved: how many missed the
 * tolerance, how large their certificates are, CPU time, and the outcome.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { init, World } from 'moreau'
import { addFloor, unitCube } from '../scenarios/parts.mjs'
import { Random } from '../scenarios/random.mjs'
import { readCommandLine } from '../scripts/command-line.mjs'
import { BUDGET_SCENES } from './exact-scenes.mjs'
import { formatTable, readNumber, scientific } from './table.mjs'

/** @typedef {import('moreau').SolverName} SolverName */
/** @typedef {{ name: string, size: number, settle: number, fill: (world: World) => void }} Case */

const TIME_STEP = 1 / 60
/** Steps that a tower or chain gets to warm up, and a pile to lie still. */
const WARM_UP = 10
const LIE_STILL = 240

/** @type {Case[]} */
const CASES = [
  ...[1, 5, 10, 20, 40].map((size) => ({
    name: 'tower',
    size,
    settle: WARM_UP,
    fill: tower(size),
  })),
  ...[10, 25, 50].flatMap((size) => [
    { name: 'pile, settling', size, settle: WARM_UP, fill: pile(size) },
    { name: 'pile, lying', size, settle: LIE_STILL, fill: pile(size) },
  ]),
  ...[10, 30, 100, 300, 1000].map((size) => ({
    name: 'chain',
    size,
    settle: WARM_UP,
    fill: chain(size),
  })),
]

try {
  await main()
} catch (error) {
  process.stderr.write(`bench:exact: ${/** @type {Error} */ (error).message}\n`)
  process.exitCode = 2
}

async function main() {
  const { values } = readCommandLine(import.meta.url, {
    options: {
      steps: { type: 'string', default: '120' },
      seconds: { type: 'string', default: '20' },
      filter: { type: 'string', default: '' },
      solver: { type: 'string', default: 'exact' },
      table: { type: 'string', default: 'growth' },
      budget: { type: 'string' },
      iterations: { type: 'string' },
      json: { type: 'string' },
    },
  })
  if (values.table === 'budget') return await budgets(values)
  if (values.table !== 'growth') {
    throw new RangeError(`--table is '${values.table}', but it must be 'growth' or 'budget'`)
  }
  const steps = Math.ceil(readNumber('--steps', values.steps))
  const seconds = readNumber('--seconds', values.seconds)
  const pattern = new RegExp(values.filter)
  await init()
  const records = CASES.filter(({ name }) => pattern.test(name)).map((each) => {
    if (process.stderr.isTTY) process.stderr.write(`${each.name} of ${each.size}\n`)
    return measure(each, { steps, seconds }, /** @type {SolverName} */ (values.solver))
  })
  const machine = `${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`
  process.stdout.write(`${report(records, machine, steps)}\n`)
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ machine, steps, records })}\n`)
}

/**
 * The table of what does not always fit into the budget.
 * @param {{ filter: string, solver: string, budget?: string, iterations?: string, json?: string }} values
 */
async function budgets({ filter, solver, budget, iterations, json }) {
  /** @type {import('moreau').WorldOptions} */
  const options = { solver: /** @type {SolverName} */ (solver), allowSleep: false, warnings: false }
  if (budget !== undefined) options.workBudget = readNumber('--budget', budget)
  if (iterations !== undefined) options.iterations = readNumber('--iterations', iterations)
  const pattern = new RegExp(filter)
  await init()
  const records = BUDGET_SCENES.filter(({ name }) => pattern.test(name)).map((scene) =>
    measureBudget(scene, options),
  )
  process.stdout.write(`${reportBudgets(records)}\n`)
  if (json) writeFileSync(json, `${JSON.stringify({ options, records })}\n`)
}

/**
 * @param {import('./exact-scenes.mjs').BudgetScene} scene
 * @param {import('moreau').WorldOptions} options
 */
function measureBudget(scene, options) {
  const world = new World(options)
  const outcome = scene.fill(world)
  /** @type {{ ms: number, worst: number, rms: number }[]} */
  const steps = []
  let end = ''
  while (steps.length < scene.steps) {
    const before = process.cpuUsage()
    world.step(TIME_STEP)
    const { user, system } = process.cpuUsage(before)
    const { worst, rms } = world.residual()
    steps.push({ ms: (user + system) / 1000, worst, rms })
    end = outcome()
  }
  world.free()
  const sorted = (/** @type {'ms' | 'worst'} */ what) =>
    steps.map((step) => step[what]).sort((a, b) => a - b)
  return {
    ...{ name: scene.name, steps: scene.steps, outcome: end },
    missed: steps.filter(({ worst }) => worst > 1e-8).length,
    rough: steps.filter(({ worst }) => worst > 1e-2).length,
    rms: steps.reduce((sum, { rms }) => sum + rms, 0) / steps.length,
    worst: quantiles(sorted('worst')),
    ms: quantiles(sorted('ms')),
  }
}

/** @param {number[]} list ascending */
function quantiles(list) {
  return [0.5, 0.95, 1].map((part) => list[Math.ceil(part * list.length) - 1])
}

/** @param {ReturnType<typeof measureBudget>[]} records */
function reportBudgets(records) {
  const head = ['', 'steps', 'missed', '> 1e-2', 'median', 'p95', 'worst', 'rms']
  const rows = records.map((record) => [
    ...[record.name, record.steps, record.missed, record.rough].map(String),
    ...[...record.worst, record.rms].map(scientific),
    ...record.ms.map((ms) => ms.toFixed(1)),
    record.outcome,
  ])
  return [
    'steps of 1/60 s; those with a certificate above 1e-8 m/s, and above 1e-2; median, 95th percentile and worst certificate, and the mean',
    'of its rms over contacts, m/s; CPU time likewise, ms; the outcome',
    '',
    formatTable([...head, 'ms', 'p95', 'worst', 'outcome'], rows),
  ].join('\n')
}

/**
 * @param {number} size cubes
 * @returns {(world: World) => void}
 */
function tower(size) {
  return (world) => {
    addFloor(world)
    const shape = unitCube()
    for (let level = 0; level < size; level++) {
      world.createBody({ shape, position: [0, level + 0.5, 0], mass: 1 })
    }
  }
}

/**
 * @param {number} size boxes
 * @returns {(world: World) => void}
 */
function pile(size) {
  return (world) => {
    addFloor(world)
    const shape = unitCube()
    const random = new Random(1)
    for (let box = 0; box < size; box++) {
      const [x, z] = [random.between(-0.6, 0.6), random.between(-0.6, 0.6)]
      const [column, row, layer] = [box % 3, Math.floor(box / 3) % 3, Math.floor(box / 9)]
      world.createBody({
        shape,
        position: [1.2 * column + x, 0.9 + 1.8 * layer, 1.2 * row + z],
        orientation: random.orientation(),
        mass: 1,
      })
    }
  }
}

/**
 * @param {number} size links
 * @returns {(world: World) => void}
 */
function chain(size) {
  return (world) => {
    /** @type {{ type: 'box', halfExtents: [number, number, number] }} */
    const shape = { type: 'box', halfExtents: [0.05, 0.25, 0.05] }
    /** @type {import('moreau').Body | null} */
    let above = null
    for (let link = 0; link < size; link++) {
      const bodyB = world.createBody({ shape, position: [0, -0.5 * link - 0.25, 0], mass: 1 })
      const anchorA = above ? [0, -0.25, 0] : [0, 0, 0]
      world.createJoint({ type: 'ball', bodyA: above, bodyB, anchorA, anchorB: [0, 0.25, 0] })
      above = bodyB
    }
  }
}

/**
 * @param {Case} each
 * @param {{ steps: number, seconds: number }} most
 * @param {SolverName} solver
 */
function measure({ name, size, settle, fill }, { steps, seconds }, solver) {
  const world = new World({ solver })
  fill(world)
  const begin = performance.now()
  while (world.stepCount < settle && performance.now() - begin < 1000 * seconds) {
    world.step(TIME_STEP)
  }
  /** @type {number[]} */
  const times = []
  /** @type {number[]} */
  const factorisations = []
  const start = performance.now()
  let [missed, contacts, residual] = [0, 0, 0]
  while (times.length < steps && performance.now() - start < 1000 * seconds) {
    const before = performance.now()
    world.step(TIME_STEP)
    times.push(performance.now() - before)
    const islands = world.islands()
    factorisations.push(islands.reduce((sum, island) => sum + island.factorisations, 0))
    missed += Number(islands.some(({ event }) => event !== null))
    residual = Math.max(residual, ...islands.map((island) => island.residual))
    contacts = Math.max(contacts, world.stats.contactPoints)
  }
  world.free()
  for (const list of [times, factorisations]) list.sort((a, b) => a - b)
  const at = (/** @type {number[]} */ list, /** @type {number} */ part) =>
    list[Math.floor(part * list.length)]
  return {
    name,
    size,
    steps: times.length,
    contacts,
    median: at(times, 0.5),
    p95: at(times, 0.95),
    factorisations: at(factorisations, 0.5),
    factorisationsP95: at(factorisations, 0.95),
    missed,
    residual,
  }
}

/**
 * @param {ReturnType<typeof measure>[]} records
 * @param {string} machine
 * @param {number} steps
 */
function report(records, machine, steps) {
  const head = [
    '',
    'bodies',
    'steps',
    'points',
    'median',
    'p95',
    'us/body',
    'fac',
    'p95',
    'missed',
    'worst',
  ]
  const rows = records.map((record) => [
    record.name,
    String(record.size),
    String(record.steps),
    String(record.contacts),
    record.median.toFixed(3),
    record.p95.toFixed(3),
    ((1000 * record.median) / record.size).toFixed(1),
    String(record.factorisations),
    String(record.factorisationsP95),
    String(record.missed),
    record.residual.toExponential(1),
  ])
  return [
    `${machine}, up to ${steps} steps each, dt = 1/60`,
    'most contact points; ms per step: median, 95th percentile; the median per body in microseconds;',
    'factorisations per step, likewise; steps that missed the tolerance; worst certificate in m/s',
    '',
    formatTable(head, rows),
  ].join('\n')
}
