import { isObject } from '../core/arguments.mjs'
import { World as LocalWorld } from '../index.mjs'
import { readExport, restoringBy, withFunctions } from './functions.mjs'
import { Base, inside } from './inside.mjs'
import { readPostable } from './postable.mjs'

/** @import { Constraint, ConstraintDefinition, Potential, PotentialDefinition, SceneReading } from '../index.mjs' */

/**
 * Definitions of a custom constraint and potential, whose functions are those of the module with their `typeName`.
 * @typedef {ConstraintDefinition | Omit<Extract<ConstraintDefinition, { type: 'custom' }>, 'evaluate' | 'jacobian' | 'timeDerivative' | 'isActive'>} WorkerConstraintDefinition
 * @typedef {PotentialDefinition | Omit<Extract<PotentialDefinition, { type: 'custom' }>, 'force' | 'torque' | 'energy'>} WorkerPotentialDefinition
 */

/**
 * As of `moreau`; functions for contacts are names of functions of the module, which has those of custom constraints and
 * potentials too.
 * @typedef {Omit<SceneReading, 'contactFilter' | 'contactModifier'> & { contactFilter?: string, contactModifier?: string }} WorkerSceneReading
 */

/** What a world in a worker does with functions of the user. */
export class WorldFunctions extends Base {
  /**
   * As that of `moreau`; of a custom one the functions are those that the module has for its `typeName`.
   * @param {WorkerConstraintDefinition} definition
   * @returns {Constraint}
   */
  createConstraint(definition) {
    const whole = this.#whole('constraints', definition, 'createConstraint')
    return LocalWorld.prototype.createConstraint.call(/** @type {any} */ (this), whole)
  }

  /**
   * Likewise.
   * @param {WorkerPotentialDefinition} definition
   * @returns {Potential}
   */
  createPotential(definition) {
    const whole = this.#whole('potentials', definition, 'createPotential')
    return LocalWorld.prototype.createPotential.call(/** @type {any} */ (this), whole)
  }

  /**
   * @param {'constraints' | 'potentials'} kind
   * @param {any} definition
   * @param {string} where
   */
  #whole(kind, definition, where) {
    if (!isObject(definition) || definition.type !== 'custom') return definition
    return withFunctions(inside.of(this).functions(), kind, definition, where)
  }

  /**
   * The name of the function of the module that decides which shapes may touch; null: none.
   * @returns {string | null}
   */
  get contactFilter() {
    inside.of(this).alive('contactFilter')
    return inside.of(this).contacts.contactFilter
  }

  /** @param {string | null} value */
  set contactFilter(value) {
    this.#setContacts('contactFilter', value)
  }

  /**
   * The name of the function of the module that changes contacts; null: none.
   * @returns {string | null}
   */
  get contactModifier() {
    inside.of(this).alive('contactModifier')
    return inside.of(this).contacts.contactModifier
  }

  /** @param {string | null} value */
  set contactModifier(value) {
    this.#setContacts('contactModifier', value)
  }

  /**
   * @param {'contactFilter' | 'contactModifier'} name
   * @param {unknown} value
   */
  #setContacts(name, value) {
    inside.of(this).alive(name)
    const own = value === null ? null : readExport(inside.of(this).functions(), value, name)
    inside.of(this).contacts[name] = own
    inside.of(this).mark('contacts', name, own)
  }

  /**
   * Calls a function of the module in the worker, in order with all that is called: to tell the functions that run in steps what
   * they go by. It must not change the world.
   * @param {string} name
   * @param {unknown[]} args that can be posted (structured clones)
   * @returns {Promise<any>} what it gives, likewise; rejects with what it throws
   */
  call(name, ...args) {
    inside.of(this).alive('call')
    const own = readExport(inside.of(this).functions(), name, 'call: name')
    readPostable(args, 'call: args')
    return inside.of(this).wait((ticket) => inside.of(this).mark('invoke', ticket, own, args))
  }
}

/**
 * Options to read a scene here, of those with names; its functions for contacts are those of the world from now on.
 * @param {WorldFunctions} world
 * @param {WorkerSceneReading} options
 * @returns {SceneReading}
 */
export function readingBy(world, { contactFilter, contactModifier, ...others }) {
  const functions = inside.of(world).functions()
  /** @type {any} */
  const reading = { ...restoringBy(functions), ...others }
  for (const [name, own] of Object.entries({ contactFilter, contactModifier })) {
    if (own === undefined) continue
    world[/** @type {'contactFilter'} */ (name)] = own
    reading[name] = functions[own]
  }
  return reading
}
