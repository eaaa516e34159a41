import { World, WorldBatch } from 'moreau'
import { Random } from 'moreau/gym'
import { checkNames } from './parameter-names.mjs'

/** @typedef {import('./scene.mjs').Run} Run */
/** @typedef {import('./rows.mjs').Result} Result */

/**
 * What a module of a sweep exports by default: a world as a template, and how its copies differ. Worlds that differ in `startParameters` alone
 * are stepped together, as a `WorldBatch`.
 *
 * @template [Things=any]
 * @typedef {object} SweepModule
 * @property {Record<string, number | string>} [parameters] all that it knows, with their defaults
 * @property {readonly string[]} [startParameters] those that only `start` and `result` read
 * @property {import('moreau').WorldOptions | ((parameters: any) => import('moreau').WorldOptions)} [options] of the world
 * @property {number} timeStep s
 * @property {number} duration s
 * @property {(world: World, parameters: any) => Things} setup fills an empty world
 * @property {(things: Things) => readonly import('moreau').BatchStart[]} [starts] what `start` gives numbers for
 * @property {(parameters: any, random: Random, things: Things) => readonly number[]} [start] what a world begins with
 * @property {(things: Things) => readonly import('moreau').BatchObservation[]} observations at the end
 * @property {(observed: Float64Array, parameters: any, hash: string) => Result} result of a world: what `observations` asked for. `hash` is
 *   that of its state if `hash` is true
 * @property {boolean} [hash]
 */

/** @param {SweepModule} module as a user wrote it @throws {TypeError | RangeError} that names what is missing */
function checkModule(module) {
  for (const name of /** @type {const} */ (['timeStep', 'duration'])) {
    const value = module[name]
    if (!Number.isFinite(value) || value <= 0)
      throw new RangeError(`${name} must be a number of seconds above 0, is ${value}`)
  }
  for (const name of /** @type {const} */ (['setup', 'observations', 'result']))
    if (typeof module[name] !== 'function') throw new TypeError(`${name} must be a function`)
}

/**
 * @param {SweepModule} module
 * @returns {import('./scene.mjs').Simulation}
 */
export function batchSimulation(module) {
  checkModule(module)
  const defaults = module.parameters ?? {}
  const varies = new Set(module.startParameters)
  const complete = (/** @type {Run} */ run) => ({ ...defaults, ...run.parameters })
  return {
    check: (parameters) => checkNames(defaults, parameters),
    groupOf: (run) =>
      JSON.stringify(Object.entries(complete(run)).filter(([name]) => !varies.has(name))),
    simulate: async (runs) => {
      return simulateBatch(
        module,
        runs.map((run) => ({ ...run, parameters: complete(run) })),
      )
    },
  }
}

/** @param {SweepModule} module @param {readonly Run[]} runs @returns {(Result | Error)[]} */
function simulateBatch(module, runs) {
  const { batch, things } = openBatch(module, runs)
  try {
    /** @type {(Error | undefined)[]} */
    const failed = new Array(runs.length)
    if (module.start) startAll(module, runs, things, batch, failed)
    const steps = Math.round(module.duration / module.timeStep)
    // A world that refused a step would go on in the next call: all steps are one.
    noteFailures(batch, batch.step(module.timeStep, steps), failed)
    return runs.map((run, k) => failed[k] ?? attempt(() => resultOf(module, run, batch, k)))
  } finally {
    batch.free()
  }
}

/** @param {SweepModule} module @param {readonly Run[]} runs */
function openBatch({ options, setup, starts, observations, start }, runs) {
  const [{ parameters }] = runs
  const world = new World(typeof options === 'function' ? options(parameters) : options)
  try {
    const things = setup(world, parameters)
    const batch = new WorldBatch(world, {
      count: runs.length,
      starts: start ? starts?.(things) : [],
      observations: observations(things),
    })
    return { batch, things }
  } finally {
    world.free()
  }
}

/**
 * @param {SweepModule} module
 * @param {readonly Run[]} runs
 * @param {any} things
 * @param {WorldBatch} batch
 * @param {(Error | undefined)[]} failed
 */
function startAll({ start }, runs, things, batch, failed) {
  const { starts, startSize } = batch
  for (const [k, { parameters, seed }] of runs.entries()) {
    const numbers = attempt(() =>
      checkedStart(start?.(parameters, new Random(seed), things), startSize),
    )
    if (numbers instanceof Error) failed[k] = numbers
    else starts.set(numbers, k * startSize)
  }
  noteFailures(batch, batch.reset(), failed)
}

/** @param {readonly number[] | undefined} numbers @param {number} size */
function checkedStart(numbers, size) {
  if (numbers?.length === size) return numbers
  throw new RangeError(`start must give ${size} numbers, gave ${numbers?.length}`)
}

/** @param {WorldBatch} batch @param {number} count of worlds that refused @param {(Error | undefined)[]} failed */
function noteFailures(batch, count, failed) {
  if (count === 0) return
  for (const { world, message } of batch.failures) failed[world] ??= new Error(message)
}

/** @param {SweepModule} module @param {Run} run @param {WorldBatch} batch @param {number} k */
function resultOf({ result, hash }, { parameters }, batch, k) {
  const { observations, observationSize: size } = batch
  const observed = observations.slice(k * size, (k + 1) * size)
  return result(observed, parameters, hash ? batch.hash(k) : '')
}

/**
 * What a scene throws concerns one world.
 *
 * @template T
 * @param {() => T} work
 * @returns {T | Error}
 */
function attempt(work) {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
