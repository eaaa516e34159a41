/**
 * What only looks at a world.
 */

/** @import { World } from 'moreau' */
/** @import { Relation } from './index.mjs' */

/** @param {string} name @param {(world: World) => void} setup @returns {Omit<Relation, 'group'>} */
const setUp = (name, setup) => ({ name, image: (scene) => ({ scene, setup }) })

/** @param {string} name @param {(world: World, step: number) => void} beforeStep @returns {Omit<Relation, 'group'>} */
const eachStep = (name, beforeStep) => ({ name, image: (scene) => ({ scene, beforeStep }) })

/** @param {string} name @param {Record<string, unknown>} settings @returns {Omit<Relation, 'group'>} */
const withSettings = (name, settings) => ({
  name,
  image: (scene) => ({ scene: { ...scene, settings: { ...scene.settings, ...settings } } }),
})

const EVENTS = /** @type {const} */ (['contact', 'sensor', 'joint', 'sleep', 'solver'])

/** @type {Omit<Relation, 'group'>[]} */
export const watchers = [
  setUp('listeners', (world) => {
    for (const name of EVENTS) world.on(name, () => {})
  }),
  eachStep('queries and certificates', (world) => {
    world.rayCast([0, 5, 0], [0.1, -1, 0.05])
    world.overlap({ type: 'sphere', radius: 2 }, { position: [0, 1, 0] })
    world.residual()
    world.energy()
    world.islands()
    world.contactPoints()
    world.snapshot()
  }),
  eachStep('drawing and writing', (world) => {
    world.debugRender({ bounds: true, islands: true, centersOfMass: true })
    JSON.stringify(world)
    world.hash()
  }),
  withSettings('certificates in each step', { certify: true }),
  withSettings('thresholds of events', { hitThreshold: 0.1, contactForceThreshold: 5 }),
  setUp('profiling', (world) => {
    world.profiling = true
  }),
  setUp('a recording', (world) => {
    world.record()
  }),
  setUp('a history', (world) => {
    world.history({ frames: 20 })
  }),
  setUp('a filter that lets all pass', (world) => {
    world.contactFilter = () => true
  }),
  setUp('a modifier that changes nothing', (world) => {
    world.contactModifier = () => {}
  }),
]
