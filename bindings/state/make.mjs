import { access } from '../core/access.mjs'
import { isObject } from '../core/arguments.mjs'
import { describe } from '../core/describe.mjs'
import { customOfConstraint } from '../definitions/custom-constraint.mjs'
import { customOfPotential } from '../definitions/potential-definition.mjs'
import { readAllBounds } from '../scene/read-constraints.mjs'
import { fromPlain } from '../scene/values.mjs'
import { badSnapshot } from './frame.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Constraint } from '../objects/constraint.mjs' */
/** @import { Potential } from '../objects/potential.mjs' */
/** @import { Restoring } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

// Objects of JavaScript from the rows of a roster (roster.mjs). The engine has, or will have, what they stand for.

/**
 * What rows name by ids.
 * @typedef {object} Finding
 * @property {(id: number) => Body | null} body
 * @property {(id: number) => Constraint | undefined} constraint
 */

/**
 * @param {WorldCore} core
 * @param {any} row
 * @param {Finding} find
 * @param {Restoring} options
 * @param {string} where
 * @returns {Constraint}
 */
export function makeConstraintOf(core, row, find, options, where) {
  const { id, type, isJoint, typeName, custom } = row
  const bodies = Object.freeze(row.bodies.map(find.body))
  const joints = row.joints.map(find.constraint)
  const making = {
    ...{ type, isJoint, typeName, bodies, userData: undefined },
    ...{ bodyA: find.body(row.bodyA), bodyB: find.body(row.bodyB) },
    joints: joints.length > 0 ? Object.freeze(joints) : undefined,
    ...(type === 'custom' ? customPart(typeName, custom, bodies, options, where) : {}),
  }
  return access.makeConstraint(core, id, making)
}

/**
 * @param {string} typeName
 * @param {any} custom
 * @param {readonly Body[]} bodies
 * @param {Restoring} options
 * @param {string} where
 */
function customPart(typeName, custom, bodies, options, where) {
  const { bounds, dimension } = /** @type {any} */ (fromPlain(custom, 'constraints'))
  const given = functionsNamed(typeName, 'constraints', options, where)
  const whole = { ...given, dimension, bounds: readAllBounds(bounds, 'bounds') }
  return customOfConstraint(whole, bodies, `${where}: options.constraints`)
}

/**
 * @param {WorldCore} core
 * @param {any} row
 * @param {Finding} find
 * @param {Restoring} options
 * @param {string} where
 * @returns {Potential}
 */
export function makePotentialOf(core, row, find, options, where) {
  const { id, type, typeName, bodies, measures } = row
  const functions =
    type === 'custom'
      ? customOfPotential(core, functionsNamed(typeName, 'potentials', options, where))
      : undefined
  return access.makePotential(core, id, {
    ...{ type, typeName, functions, userData: undefined },
    bodies: bodies && Object.freeze(bodies.map(find.body)),
    measures: /** @type {any} */ (fromPlain(measures, 'potentials')),
  })
}

/**
 * The functions of the user that have a name.
 * @param {string} typeName
 * @param {'constraints' | 'potentials'} option
 * @param {Restoring} options
 * @param {string} where
 * @returns {Record<string, unknown>}
 */
function functionsNamed(typeName, option, options, where) {
  const table = options[option] ?? {}
  if (Object.hasOwn(table, typeName)) {
    const functions = /** @type {unknown} */ (table[typeName])
    if (isObject(functions)) return /** @type {Record<string, unknown>} */ (functions)
  }
  const names = Object.keys(table).map((name) => describe(name))
  const there = names.length > 0 ? names.join(', ') : 'nothing'
  const kind = option === 'constraints' ? 'constraint' : 'potential'
  throw badSnapshot(
    `${where}: bytes: the functions of the custom ${kind} ${describe(typeName)} are neither in this ` +
      `world nor in options.${option}, which has ${there}`,
  )
}
