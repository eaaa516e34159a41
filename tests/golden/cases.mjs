/**
 * What the golden hashes are of: every scene of the registry and a few more, with every solver. Runs in Node and in browsers.
 */
import { scenes } from 'moreau/scenarios'
import { INTEGRATORS } from '../integrators.mjs'
import { randomScene } from '../node/random-scene.mjs'
import { recordBodies, replayText } from '../node/recording.mjs'
import { hashState } from './hash.mjs'
import { chainsScene, customScene, jointsScene, machineScene, mosaicScene } from './scenes.mjs'

/** @typedef {import('moreau').WorldOptions} WorldOptions */
/** @typedef {Pick<import('moreau/scenarios').Scene, 'setup' | 'timeStep' | 'beforeStep'>} Setup */

/**
 * @typedef {object} GoldenCase
 * @property {string} name
 * @property {Setup} scene
 * @property {WorldOptions} options
 * @property {number[]} steps after which there is a hash, ascending
 * @property {boolean} isReplayed whether replay.c can read what is in it
 */

const SOLVERS = /** @type {const} */ (['soft-step', 'block-pgs', 'exact'])

/** Long enough for things to fall, to bounce and, half a second later, to sleep. */
const STEPS = 240
/** Scenes whose steps take tens of milliseconds with the exact solver: until they have their contacts. @type {Record<string, number>} */
const FEWER_STEPS = {
  ...{ pour: 48, ragdolls: 60, 'pyramid-210': 60, 'sleeping-field': 120 },
  ...{ 'shape-pit': 80, concave: 120, rewind: 120, terrain: 120 },
}

/**
 * @param {string} name
 * @param {Setup} scene
 * @param {WorldOptions} options
 * @param {number} [steps]
 * @returns {GoldenCase}
 */
const goldenCase = (name, scene, options, steps = STEPS) => ({
  ...{ name, scene, options },
  steps: [1, steps / 2, steps],
  isReplayed: !scene.beforeStep,
})

/** Scenes with what replay.c cannot read: functions of the user about contacts, sensors. */
const NOT_REPLAYED = new Set(['one-way-platform', 'sensor-gate', 'grip'])

/** The scenes that people see. soft-step has an integrator of its own. */
function registered() {
  return scenes.flatMap((scene) =>
    SOLVERS.map((solver) => {
      const { integrator, ...options } = scene.options
      const kept = solver === 'soft-step' ? {} : { integrator }
      const all = { ...options, ...kept, solver }
      const golden = goldenCase(`${scene.name}, ${solver}`, scene, all, FEWER_STEPS[scene.name])
      return { ...golden, isReplayed: golden.isReplayed && !NOT_REPLAYED.has(scene.name) }
    }),
  )
}

/** Hulls, boxes, capsules and spheres with joints between them. */
function random() {
  return SOLVERS.flatMap((solver) =>
    [1, 2, 3].map((seed) =>
      goldenCase(`random ${seed}, ${solver}`, randomScene(seed), { solver }, 60),
    ),
  )
}

/** Joints, a spring and a floor. */
function integrators() {
  return SOLVERS.slice(1).flatMap((solver) =>
    INTEGRATORS.map((integrator) =>
      goldenCase(`machine, ${solver}, ${integrator}`, machineScene, { solver, integrator }),
    ),
  )
}

/** Functions of the user, and settings that no scene has. */
function others() {
  return [
    ...SOLVERS.map((solver) => goldenCase(`custom, ${solver}`, customScene, { solver })),
    ...SOLVERS.map((solver) => goldenCase(`joints, ${solver}`, jointsScene, { solver })),
    ...SOLVERS.map((solver) => goldenCase(`mosaic, ${solver}`, mosaicScene, { solver }, 60)),
    goldenCase('chains, soft-step', chainsScene, { solver: 'soft-step' }, 120),
    goldenCase('random 4, two substeps', randomScene(4), { solver: SOLVERS[0], substeps: 2 }),
    goldenCase('random 5, baumgarte', randomScene(5), {
      ...{ solver: SOLVERS[1], stabilization: 'baumgarte' },
    }),
    goldenCase(
      'random 6, convex friction',
      randomScene(6),
      {
        ...{ solver: SOLVERS[2], frictionLaw: 'convex' },
      },
      60,
    ),
  ]
}

/** @returns {GoldenCase[]} */
export const goldenCases = () => [...registered(), ...random(), ...integrators(), ...others()]

/**
 * Runs a case and calls a function after each of its steps that have a hash.
 *
 * @param {typeof import('moreau').World} WorldType
 * @param {GoldenCase} golden
 * @returns {Promise<Record<string, string>>} hashes by step
 */
export async function runCase(WorldType, { scene, options, steps }) {
  const world = await WorldType.create(options)
  try {
    const things = scene.setup(world)
    /** @type {Record<string, string>} */
    const hashes = {}
    for (let step = 1; step <= steps[steps.length - 1]; step++) {
      scene.beforeStep?.(world, things, scene.timeStep)
      world.step(scene.timeStep)
      if (steps.includes(step)) hashes[step] = hashState(world)
    }
    return hashes
  } finally {
    world.free()
  }
}

/**
 * A case for the native replay helper.
 *
 * @param {typeof import('moreau').World} WorldType
 * @param {GoldenCase} golden
 */
export async function caseText(WorldType, { scene, options, steps }) {
  const world = await WorldType.create(options)
  try {
    const { world: recorder, recording } = recordBodies(world)
    scene.setup(recorder)
    return replayText(options, recording, scene.timeStep, steps[steps.length - 1])
  } finally {
    world.free()
  }
}
