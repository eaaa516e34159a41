import { access } from '../core/access.mjs'
import { checkNames, readInteger, readNumber, readObject, readWord } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { isArray } from '../core/lists.mjs'
import { readingAll } from '../core/readable.mjs'
import { AssetReader } from './assets.mjs'
import { BodyReader } from './read-bodies.mjs'
import { readConstraints } from './read-constraints.mjs'
import { readPotentials } from './read-potentials.mjs'
import { fromPlain, VERSION, within } from './values.mjs'

/** @import { SceneReading, WorldOptions } from '../types/index.mjs' */
/** @import { World } from '../objects/world.mjs' */

const where = 'World.fromJSON'
const NAMES = Object.freeze([
  ...['$schema', 'version', 'generator', 'settings', 'time', 'stepCount'],
  ...['bodies', 'joints', 'constraints', 'potentials', 'contactFunctions', 'assets'],
])
const OPTIONS = Object.freeze([
  ...['assets', 'constraints', 'potentials', 'contactFilter', 'contactModifier'],
])
const CONTACT_FUNCTIONS = /** @type {const} */ (['contactFilter', 'contactModifier'])

/**
 * Makes a world from what `toJSON` gave, or somebody wrote.
 * @param {unknown} value a SceneJson
 * @param {unknown} options SceneReading
 * @param {(settings: WorldOptions) => World} makeWorld
 * @returns {World}
 */
export function readScene(value, options, makeWorld) {
  if (typeof value === 'string') {
    throw invalid(`${where}: scene`, 'an object, as JSON.parse(text) gives it', value)
  }
  const values = { [`${where}: scene`]: value, [`${where}: options`]: options }
  return readingAll(values, () => read(value, options, makeWorld))
}

/**
 * @param {unknown} value
 * @param {unknown} options
 * @param {(settings: WorldOptions) => World} makeWorld
 * @returns {World}
 */
function read(value, options, makeWorld) {
  const scene = readObject(value, `${where}: scene`)
  checkNames(scene, NAMES, where)
  if (scene.version !== VERSION) throw invalid('version', String(VERSION), scene.version)
  const given = readObject(options, `${where}: options`)
  checkNames(given, OPTIONS, `${where}: options`)
  const settings = fromPlain(readObject(scene.settings ?? {}, 'settings'), 'settings')
  const world = within('settings', 'World', () => makeWorld(/** @type {WorldOptions} */ (settings)))
  try {
    fill(world, scene, /** @type {SceneReading} */ (given))
  } catch (error) {
    world.free()
    throw error
  }
  return world
}

/**
 * @param {World} world
 * @param {Record<string, unknown>} scene
 * @param {SceneReading} options
 */
function fill(world, scene, options) {
  const core = access.coreOf(world)
  setTime(world, scene)
  const bodies = new BodyReader(core, new AssetReader(scene.assets, options.assets))
  readList(scene.bodies, 'bodies').forEach((body, i) => bodies.read(body, `bodies[${i}]`))
  const joints = readList(scene.joints, 'joints')
  const constraints = readList(scene.constraints, 'constraints')
  readConstraints(world, joints, constraints, bodies, options.constraints ?? {})
  readPotentials(world, readList(scene.potentials, 'potentials'), bodies, options.potentials ?? {})
  setContactFunctions(world, scene.contactFunctions, options)
  bodies.putToSleep()
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {unknown[]}
 */
function readList(value, path) {
  if (value === undefined) return []
  if (isArray(value)) return /** @type {unknown[]} */ (value)
  throw invalid(path, 'an array', value)
}

/**
 * @param {World} world
 * @param {Record<string, unknown>} scene
 */
function setTime(world, { time = 0, stepCount = 0 }) {
  const core = access.coreOf(world)
  const seconds = readNumber(fromPlain(time, 'time'), 'time')
  const steps = readInteger(stepCount, 'stepCount', 0, Number.MAX_SAFE_INTEGER)
  core.check(core.engine.exports.world_set_time(core.pointer, seconds, steps), where)
}

/**
 * A scene names the functions that its world had; they come with the options.
 * @param {World} world
 * @param {unknown} value
 * @param {SceneReading} options
 */
function setContactFunctions(world, value, options) {
  const names = readList(value, 'contactFunctions').map((name, i) =>
    readWord(name, `contactFunctions[${i}]`, CONTACT_FUNCTIONS),
  )
  for (const name of names) {
    if (options[name] !== undefined) continue
    const message = `contactFunctions: the scene needs options.${name}, a function; it is missing`
    throw new MoreauError('invalid-argument', message)
  }
  const { contactFilter, contactModifier } = options
  if (contactFilter !== undefined) world.contactFilter = contactFilter
  if (contactModifier !== undefined) world.contactModifier = contactModifier
}
