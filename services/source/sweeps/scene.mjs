/**
 * Scenes of sweeps: what makes a world of parameters, and a row of a world.
 */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { Random } from 'moreau/gym'
import { batchSimulation } from './batch-simulation.mjs'
import { checkNames } from './parameter-names.mjs'
import { registrySimulation, jsonSimulation } from './scene-simulation.mjs'
import { fileOfScene } from './scene-reference.mjs'
import { parameterSampler } from './space.mjs'
import { checkEngine } from './spec.mjs'

/** @typedef {import('./space.mjs').Parameters} Parameters */
/** @typedef {import('./rows.mjs').Result} Result */
/** @typedef {{ run: number, seed: number, parameters: Parameters }} Run */

/**
 * What a scene is to a sweep.
 *
 * @typedef {object} Simulation
 * @property {(parameters: Parameters) => Promise<void>} check throws where it does not know a parameter
 * @property {(run: Run) => string} groupOf runs with the same text can be made together
 * @property {(runs: readonly Run[]) => Promise<(Result | Error)[]>} simulate makes the runs of one group; the engine is loaded
 */

/**
 * What a module of a sweep exports by default, instead of a `SweepModule`, to make each world by itself.
 *
 * @typedef {object} FreeModule
 * @property {Record<string, number | string>} [parameters] with their defaults
 * @property {(parameters: any, random: import('moreau/gym').Random) => Result | Promise<Result>} run makes a world, steps it, and frees it
 */

/**
 * @param {FreeModule} module
 * @returns {Simulation}
 */
function freeSimulation({ parameters: defaults = {}, run: make }) {
  return {
    check: (parameters) => checkNames(defaults, parameters),
    groupOf: ({ run }) => String(run),
    simulate: async ([{ parameters, seed }]) => {
      return [await make({ ...defaults, ...parameters }, new Random(seed))]
    },
  }
}

/** @param {string} path @returns {Promise<Simulation>} */
async function moduleSimulation(path) {
  const { default: definition } = await import(pathToFileURL(path).href)
  if (typeof definition?.run === 'function') return freeSimulation(definition)
  if (typeof definition?.setup === 'function') return batchSimulation(definition)
  throw new TypeError('its default export must have a function setup or run')
}

/**
 * @param {import('./scene-reference.mjs').SceneReference} scene
 * @param {string} folder of scenes on this machine
 * @returns {Promise<Simulation>}
 */
export async function loadSimulation(scene, folder) {
  if (scene.kind === 'registry') return registrySimulation(scene.name)
  const path = fileOfScene(scene, folder)
  try {
    return scene.kind === 'module'
      ? await moduleSimulation(path)
      : jsonSimulation(scene.name, JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new RangeError(`scene ${scene.name}: ${/** @type {Error} */ (error).message}`, {
      cause: error,
    })
  }
}

/**
 * Refuses a sweep whose scene cannot be had, or does not know one of its parameters.
 *
 * @param {import('./spec.mjs').SweepSpec} spec
 * @param {string} folder of scenes
 */
export async function checkParameters(spec, folder) {
  checkEngine(spec)
  const { scene, space } = spec
  const simulation = await loadSimulation(scene, folder)
  const first = parameterSampler(space)(0)
  await simulation.check(first)
  // What is wrong with a text is known before it is tried, as it is not with a number.
  for (const axis of space.axes) {
    const texts =
      axis.kind === 'grid' ? axis.values.filter((value) => typeof value === 'string') : []
    for (const text of texts) await simulation.check({ ...first, [axis.name]: text })
  }
}
