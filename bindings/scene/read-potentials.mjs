import { checkNames, readObject } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { functionsOf } from './functions.mjs'
import { fromPlain, within } from './values.mjs'

/** @import { BodyReader } from './read-bodies.mjs' */
/** @import { PotentialDefinition, SceneReading } from '../types/index.mjs' */
/** @import { World } from '../objects/world.mjs' */

const FUNCTIONS = Object.freeze(['force', 'torque', 'energy'])

/**
 * Makes the potentials of a scene.
 * @param {World} world
 * @param {readonly unknown[]} potentials
 * @param {BodyReader} bodies
 * @param {NonNullable<SceneReading['potentials']>} functions of custom potentials, by name
 */
export function readPotentials(world, potentials, bodies, functions) {
  potentials.forEach((value, i) => {
    const path = `potentials[${i}]`
    const given = /** @type {Record<string, unknown>} */ (fromPlain(readObject(value, path), path))
    const definition = { ...given, ...findBodies(given, bodies, path) }
    const whole = given.type === 'custom' ? withFunctions(definition, functions, path) : definition
    within(path, 'createPotential', () =>
      world.createPotential(/** @type {PotentialDefinition} */ (whole)),
    )
  })
}

/**
 * @param {Record<string, unknown>} given
 * @param {BodyReader} bodies
 * @param {string} path
 * @returns {Record<string, unknown>}
 */
function findBodies({ bodies: references, bodyA, bodyB }, bodies, path) {
  if (references !== undefined && !isList(references)) {
    throw invalid(`${path}.bodies`, 'an array of one or more', references)
  }
  const find = (/** @type {unknown} */ reference, /** @type {number} */ i) =>
    bodies.find(reference, `${path}.bodies[${i}]`)
  return {
    ...(references === undefined ? {} : { bodies: Array.from(references, find) }),
    ...(bodyA === undefined ? {} : { bodyA: bodies.find(bodyA, `${path}.bodyA`) }),
    ...(bodyB === undefined ? {} : { bodyB: bodies.findOrWorld(bodyB, `${path}.bodyB`) }),
  }
}

/**
 * @param {Record<string, unknown>} definition
 * @param {NonNullable<SceneReading['potentials']>} known
 * @param {string} path
 */
function withFunctions(definition, known, path) {
  const { typeName = 'custom' } = definition
  const functions = functionsOf(known, typeName, `${path}.typeName`, 'potentials')
  checkNames(functions, FUNCTIONS, `World.fromJSON: options.potentials.${typeName}`)
  return { ...definition, ...functions }
}
