import { access } from '../core/access.mjs'
import { checkNames, isObject, readBoolean, readFunction } from '../core/arguments.mjs'
import { READERS } from '../generated/world-options.mjs'
import { GENERATOR } from '../generated/version.mjs'
import { AssetWriter } from './assets.mjs'
import { toPlain, VERSION } from './values.mjs'
import { writeBody } from './write-bodies.mjs'
import { writeConstraint } from './write-constraints.mjs'
import { writePotential } from './write-potentials.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Constraint } from '../objects/constraint.mjs' */
/** @import { Joint } from '../objects/joint.mjs' */
/** @import { Potential } from '../objects/potential.mjs' */
/** @import { World } from '../objects/world.mjs' */
/** @import { SceneJson, SceneWriting } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

const where = 'toJSON'

/**
 * A world as an object that JSON can hold.
 * @param {World} world
 * @param {unknown} options SceneWriting; JSON.stringify gives a name, which means nothing
 * @returns {SceneJson}
 */
export function writeScene(world, options) {
  const core = access.coreOf(world)
  core.begin(where)
  const { assets: hasAssets, userData } = readOptions(options)
  const assets = new AssetWriter()
  const bodies = [...core.living]
  const places = new Map(bodies.map((body, i) => [body, i]))
  const withData = (/** @type {Record<string, unknown>} */ written, /** @type {Owner} */ owner) => {
    const value = userData(owner.userData, owner)
    return value === undefined ? written : { ...written, userData: value }
  }
  const scene = {
    ...{ version: VERSION, generator: GENERATOR },
    settings: writeSettings(world),
    ...{ time: world.time, stepCount: world.stepCount },
    bodies: bodies.map((body) => withData(writeBody(core, body, assets), body)),
    ...writeConstraints(core, places, withData),
    potentials: writePotentials(core, places, withData),
    contactFunctions: contactFunctionsOf(world),
    assets: hasAssets ? assets.table() : undefined,
  }
  return /** @type {SceneJson} */ (toPlain(scene))
}

/** @typedef {Body | Joint | Constraint | Potential} Owner */
/** @typedef {(written: Record<string, unknown>, owner: Owner) => Record<string, unknown>} WithData */

/**
 * @param {unknown} options
 * @returns {Required<SceneWriting>}
 */
function readOptions(options) {
  const given = isObject(options) ? options : {}
  checkNames(given, ['assets', 'userData'], where)
  const { assets = true, userData = plainUserData } = given
  return {
    assets: readBoolean(assets, `${where}: assets`),
    userData: readFunction(/** @type {Required<SceneWriting>['userData']} */ (userData), where),
  }
}

/**
 * Words and numbers go into the file by themselves. What else a user may keep with a body, such as the
 * mesh that shows it, only the user can write.
 * @param {unknown} value
 */
function plainUserData(value) {
  const isPlain = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  return isPlain ? value : undefined
}

/**
 * All settings, those with defaults too: those may be others in a later version.
 * @param {World} world
 */
function writeSettings(world) {
  const names = Object.keys(READERS).filter((name) => READERS[name][1] !== undefined)
  return Object.fromEntries(
    names.map((name) => [
      name,
      /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (world))[name],
    ]),
  )
}

/**
 * Joints and other constraints, each list in the order of creation. `after` says where one of the others
 * comes between joints.
 * @param {WorldCore} core
 * @param {ReadonlyMap<Body, number>} bodies
 * @param {WithData} withData
 */
function writeConstraints(core, bodies, withData) {
  const places = { bodies, joints: /** @type {Map<Constraint, number>} */ (new Map()) }
  /** @type {Record<string, unknown>[]} */
  const joints = []
  /** @type {Record<string, unknown>[]} */
  const constraints = []
  for (const constraint of core.constraints.keys()) {
    const written = withData(writeConstraint(core, constraint, places), constraint)
    if (access.constraintMaking(constraint).making.isJoint) {
      places.joints.set(constraint, joints.length)
      joints.push(written)
    } else {
      constraints.push({ after: joints.length, ...written })
    }
  }
  return { joints, constraints }
}

/**
 * @param {WorldCore} core
 * @param {ReadonlyMap<Body, number>} bodies
 * @param {WithData} withData
 */
function writePotentials(core, bodies, withData) {
  const written = []
  for (const potential of core.potentials.keys()) {
    const one = writePotential(potential, bodies)
    if (one !== undefined) written.push(withData(one, potential))
  }
  return written
}

/** @param {World} world */
function contactFunctionsOf(world) {
  const names = [
    ...(world.contactFilter === null ? [] : ['contactFilter']),
    ...(world.contactModifier === null ? [] : ['contactModifier']),
  ]
  return names.length > 0 ? names : undefined
}
