/**
 * Scenes of the registry and scene files: each world by itself, with what the scene's own checks say of it.
 */
import { World } from 'moreau'
import { fileScene, openWorld, sceneByName, SceneRun } from 'moreau/scenarios'

/** @typedef {import('./space.mjs').Parameters} Parameters */
/** @typedef {import('./rows.mjs').Result} Result */
/** @typedef {import('moreau/scenarios').Scene} Scene */

/**
 * Runs a scene to its end.
 *
 * @param {Scene} scene
 * @param {Parameters} options of the world, and `seconds` and `timeStep`
 * @returns {Promise<Result>}
 */
async function runToEnd(scene, options) {
  const { seconds = scene.duration, timeStep = scene.timeStep, ...worldOptions } = options
  checkTime('seconds', seconds)
  checkTime('timeStep', timeStep)
  const world = await openWorld(World, scene, worldOptions)
  try {
    const run = new SceneRun(world, scene, { timeStep: Number(timeStep) })
    const steps = Math.round(Number(seconds) / Number(timeStep))
    for (let i = 0; i < steps; i++) run.step()
    return resultOf(run)
  } finally {
    world.free()
  }
}

/** @param {'seconds' | 'timeStep'} name @param {number | string} value @throws {RangeError} */
function checkTime(name, value) {
  if (typeof value === 'number' && value > 0) return
  throw new RangeError(`parameter ${name} must be a number of seconds above 0, is ${value}`)
}

/** @param {Scene} scene @param {Parameters} options @throws {RangeError} where the world knows no such option */
async function checkOptions(scene, { seconds, timeStep, ...worldOptions }) {
  checkTime('seconds', seconds ?? scene.duration)
  checkTime('timeStep', timeStep ?? scene.timeStep)
  try {
    const world = await openWorld(World, scene, worldOptions)
    world.free()
  } catch (error) {
    throw new RangeError(/** @type {Error} */ (error).message, { cause: error })
  }
}

/** @param {SceneRun} run @returns {Result} */
function resultOf(run) {
  const { energy, worstResidual, penetration, hash, checks } = run.report()
  const errors = checks.flatMap(({ name, worst }) =>
    worst === null ? [] : [[`check.${name}`, worst]],
  )
  return {
    ...{ energy: energy.end, kinetic: energy.kinetic, residual: worstResidual },
    ...{ penetration: penetration.worst, ...Object.fromEntries(errors), hash },
  }
}

/**
 * A scene of `moreau/scenarios`. Its parameters are options of the world.
 *
 * @param {string} name
 * @returns {import('./scene.mjs').Simulation}
 */
export function registrySimulation(name) {
  const scene = sceneByName(name)
  return {
    check: (parameters) => checkOptions(scene, parameters),
    groupOf: ({ run }) => String(run),
    simulate: async ([{ parameters }]) => [await runToEnd(scene, parameters)],
  }
}

/**
 * A scene file. Its parameters are options of the world, and with a dot paths into the file: `bodies.3.friction`, or `bodies.*.friction` of all.
 *
 * @param {string} name
 * @param {unknown} json
 * @returns {import('./scene.mjs').Simulation}
 */
export function jsonSimulation(name, json) {
  const isPath = (/** @type {[string, unknown]} */ [key]) => key.includes('.')
  /** @param {Parameters} parameters */
  const sceneOf = (parameters) => {
    const changed = structuredClone(json)
    const entries = Object.entries(parameters)
    for (const [path, value] of entries.filter(isPath)) {
      setPath(changed, path.split('.'), value, path)
    }
    const options = Object.fromEntries(entries.filter((entry) => !isPath(entry)))
    return { scene: fileScene(name, changed), options }
  }
  return {
    check: async (parameters) => {
      const { scene, options } = sceneOf(parameters)
      await checkOptions(scene, options)
    },
    groupOf: ({ run }) => String(run),
    simulate: async ([{ parameters }]) => {
      const { scene, options } = sceneOf(parameters)
      return [await runToEnd(scene, options)]
    },
  }
}

/**
 * @param {any} place
 * @param {readonly string[]} steps
 * @param {number | string} value
 * @param {string} path
 */
function setPath(place, [step, ...rest], value, path) {
  if (typeof place !== 'object' || place === null)
    throw new RangeError(`parameter ${path}: the scene has no such place`)
  if (step === '*') {
    for (const key of Object.keys(place)) setPath(place, [key, ...rest], value, path)
  } else if (rest.length > 0) {
    setPath(Object.hasOwn(place, step) ? place[step] : undefined, rest, value, path)
  } else place[step] = value
}
