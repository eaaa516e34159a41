import { checkNames, readInteger, readObject } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { Bounds } from '../definitions/bounds.mjs'
import { functionsOf } from './functions.mjs'
import { fromPlain, within } from './values.mjs'

/** @import { BodyReader } from './read-bodies.mjs' */
/** @import { Joint } from '../objects/joint.mjs' */
/** @import { ConstraintDefinition, JointDefinition, SceneReading } from '../types/index.mjs' */
/** @import { World } from '../objects/world.mjs' */

const FUNCTIONS = Object.freeze(['evaluate', 'jacobian', 'timeDerivative', 'isActive'])

/**
 * Makes the joints and the other constraints of a scene, in the order of their creation.
 * @param {World} world
 * @param {readonly unknown[]} joints
 * @param {readonly unknown[]} others
 * @param {BodyReader} bodies
 * @param {NonNullable<SceneReading['constraints']>} functions of custom constraints, by name
 */
export function readConstraints(world, joints, others, bodies, functions) {
  /** @type {Joint[]} */
  const made = []
  const joinUpTo = (/** @type {number} */ count) => {
    for (let i = made.length; i < count; i++)
      made.push(readJoint(world, joints[i], i, made, bodies))
  }
  others.forEach((value, i) => {
    const path = `constraints[${i}]`
    const { after = joints.length, ...definition } = readPlain(value, path)
    joinUpTo(readInteger(after, `${path}.after`, 0, joints.length))
    /** @type {Record<string, unknown>} */
    const read = { ...definition, ...readHeld(definition, bodies, path) }
    const whole = read.type === 'custom' ? readCustom(read, functions, path) : read
    within(path, 'createConstraint', () =>
      world.createConstraint(/** @type {ConstraintDefinition} */ (whole)),
    )
  })
  joinUpTo(joints.length)
}

/**
 * @param {unknown} value
 * @param {string} path
 */
function readPlain(value, path) {
  return /** @type {Record<string, unknown>} */ (fromPlain(readObject(value, path), path))
}

/**
 * @param {World} world
 * @param {unknown} value
 * @param {number} index
 * @param {readonly Joint[]} made the joints before it
 * @param {BodyReader} bodies
 * @returns {Joint}
 */
function readJoint(world, value, index, made, bodies) {
  const path = `joints[${index}]`
  const definition = readPlain(value, path)
  for (const name of ['bodyA', 'bodyB']) {
    if (definition[name] === undefined) continue
    definition[name] = bodies.findOrWorld(definition[name], `${path}.${name}`)
  }
  for (const name of ['jointA', 'jointB']) {
    if (definition[name] === undefined) continue
    const joint = made[/** @type {number} */ (definition[name])]
    const allowed = 'the index of a joint that comes before it'
    if (joint === undefined) throw invalid(`${path}.${name}`, allowed, definition[name])
    definition[name] = joint
  }
  return within(path, 'createJoint', () =>
    world.createJoint(/** @type {JointDefinition} */ (/** @type {unknown} */ (definition))),
  )
}

/**
 * @param {Record<string, unknown>} definition
 * @param {BodyReader} bodies
 * @param {string} path
 */
function readHeld({ bodies: references }, bodies, path) {
  if (!isList(references)) throw invalid(`${path}.bodies`, 'an array of one or two', references)
  const find = (/** @type {unknown} */ reference, /** @type {number} */ i) =>
    bodies.findOrWorld(reference, `${path}.bodies[${i}]`)
  return { bodies: Array.from(references, find) }
}

/**
 * @param {Record<string, unknown>} definition
 * @param {NonNullable<SceneReading['constraints']>} known
 * @param {string} path
 */
function readCustom(definition, known, path) {
  const { typeName = 'custom', bounds = 'bilateral' } = definition
  const functions = functionsOf(known, typeName, `${path}.typeName`, 'constraints')
  checkNames(functions, FUNCTIONS, `World.fromJSON: options.constraints.${typeName}`)
  return { ...definition, ...functions, bounds: readAllBounds(bounds, `${path}.bounds`) }
}

/**
 * @param {unknown} value
 * @param {string} path
 */
export function readAllBounds(value, path) {
  if (!isList(value)) return readBounds(value, path)
  return Array.from(value, (one, i) => readBounds(one, `${path}[${i}]`))
}

/**
 * @param {unknown} value
 * @param {string} path
 */
function readBounds(value, path) {
  if (value === 'bilateral' || value === 'unilateral') return value
  const bounds = readObject(value, path)
  checkNames(bounds, ['lower', 'upper', 'friction'], path)
  const { lower = -Infinity, upper = Infinity, friction } = bounds
  const make = () =>
    friction === undefined
      ? Bounds.box(/** @type {number} */ (lower), /** @type {number} */ (upper))
      : Bounds.cone(/** @type {number} */ (friction))
  return within(path, 'Bounds.cone', () => within(path, 'Bounds.box', make))
}
