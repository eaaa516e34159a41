// Environments for learning, in the shape of Gymnasium's vector interface, on batches of worlds.

import { checkNames, readInteger, readObject, readWord } from '../core/arguments.mjs'
import { init, World, WorldBatch } from '../index.mjs'
import { ant } from './environments/ant.mjs'
import { invertedPendulum } from './environments/inverted-pendulum.mjs'
import { pusher } from './environments/pusher.mjs'
import { register, specificationOf } from './specification.mjs'
import { AUTORESET_MODES, VectorEnvironment } from './vector-environment.mjs'

export { Box } from './box.mjs'
export { Random } from './random.mjs'
export { environmentIds, register } from './specification.mjs'
export { AUTORESET_MODES, VectorEnvironment } from './vector-environment.mjs'

/** @typedef {import('./box.mjs').BoxDefinition} BoxDefinition */
/** @typedef {import('./specification.mjs').EnvironmentSpecification} EnvironmentSpecification */
/** @typedef {import('./specification.mjs').EnvironmentTemplate} EnvironmentTemplate */
/** @typedef {import('./specification.mjs').Transition} Transition */
/** @typedef {import('./vector-environment.mjs').AutoresetMode} AutoresetMode */
/** @typedef {import('./vector-environment.mjs').Infos} Infos */
/** @typedef {import('./vector-environment.mjs').ResetOptions} ResetOptions */
/** @typedef {import('./vector-environment.mjs').ResetResult} ResetResult */
/** @typedef {import('./vector-environment.mjs').StepResult} StepResult */

register('InvertedPendulum', invertedPendulum)
register('Ant', ant)
register('Pusher', pusher)

/** As many worlds as a batch can have. */
const MOST_ENVIRONMENTS = 1048576

/**
 * @typedef {object} MakeOptions
 * @property {number} [numEnvs] default 1
 * @property {number} [seed] a whole number, default 0: environment i begins with the random numbers of `seed + i`
 * @property {AutoresetMode} [autoresetMode] default `'next-step'`
 * @property {{ init: typeof init, World: typeof World, WorldBatch: typeof WorldBatch }} [engine] what `import * as engine from
 *   'moreau/threads'` gives, to have worlds stepped on several threads; default: that of `moreau`
 */

/**
 * Makes environments of one kind, which are stepped together. The same seed and actions give the same results on every machine.
 *
 * @param {string} id `'InvertedPendulum'`, `'Ant'`, `'Pusher'`, or one that was registered
 * @param {MakeOptions} [options]
 * @returns {Promise<VectorEnvironment>} rejects with `invalid-argument`, `out-of-memory`, `wasm-failed`
 *
 * @example
 * const environments = await makeVec('InvertedPendulum', { numEnvs: 64, seed: 1 })
 * let { observations } = environments.reset()
 * const { rewards, terminations } = environments.step(environments.actionSpace.sample())
 */
export async function makeVec(id, options = {}) {
  const specification = specificationOf(id)
  checkNames(
    readObject(options, 'makeVec: options'),
    ['numEnvs', 'seed', 'autoresetMode', 'engine'],
    'makeVec',
  )
  const { engine = { init, World, WorldBatch } } = options
  const settings = {
    autoresetMode: readWord(
      options.autoresetMode ?? 'next-step',
      'makeVec: autoresetMode',
      AUTORESET_MODES,
    ),
    seed: readInteger(
      options.seed ?? 0,
      'makeVec: seed',
      0,
      Number.MAX_SAFE_INTEGER - MOST_ENVIRONMENTS,
    ),
  }
  const count = readInteger(options.numEnvs ?? 1, 'makeVec: numEnvs', 1, MOST_ENVIRONMENTS)
  await engine.init()
  const { world, actions, observations, starts = [] } = specification.build(engine.World)
  try {
    const batch = new engine.WorldBatch(world, { count, actions, observations, starts })
    return new VectorEnvironment(id, specification, batch, settings)
  } finally {
    world.free()
  }
}
