import { isObject } from '../core/arguments.mjs'
import { World as LocalWorld } from '../index.mjs'
import { readExport } from './functions.mjs'
import { inside } from './inside.mjs'
import { WorldFunctions } from './world-functions.mjs'

/** @import { Character, CharacterDefinition, ShapeLike, Vehicle, VehicleDefinition } from '../index.mjs' */

/**
 * As of `moreau`; a predicate is the name of a function of the module.
 * @typedef {Omit<CharacterDefinition, 'predicate'> & { predicate?: string }} WorkerCharacterDefinition
 */

/**
 * A character that the worker moves: `move` is noted, and where it came to is seen with a frame.
 * @typedef {Omit<Character, 'setShape'> & { setShape(shape: ShapeLike): Promise<boolean> }} WorkerCharacter
 */

/** What a world in a worker does with characters and vehicles. */
export class WorldControls extends WorldFunctions {
  /**
   * As `createCharacter` of `moreau`. The worker moves it, in order with all that is called.
   * @param {WorkerCharacterDefinition} definition
   * @returns {WorkerCharacter}
   */
  createCharacter(definition) {
    const given = /** @type {any} */ (definition)
    const { predicate: name, filter, exclude } = /** @type {any} */ (isObject(given) ? given : {})
    const predicate =
      name === undefined
        ? undefined
        : readExport(inside.of(this).functions(), name, 'createCharacter: predicate')
    const whole = predicate
      ? { ...given, predicate: inside.of(this).functions()[predicate] }
      : given
    const create = LocalWorld.prototype.createCharacter
    const character = create.call(/** @type {any} */ (this), whole)
    const plain = { filter: filter && { ...filter }, predicate, exclude: exclude?.id }
    inside.of(this).follower().controls.addCharacter(character, plain)
    return /** @type {WorkerCharacter} */ (/** @type {unknown} */ (character))
  }

  /**
   * As `createVehicle` of `moreau`: `update` sends what the driver does to the wheels. By the worker's own clock the worker
   * updates the vehicle before each of its steps from then on, and `update` need not be called but for changes.
   * @param {VehicleDefinition} definition
   * @returns {Vehicle}
   */
  createVehicle(definition) {
    const create = LocalWorld.prototype.createVehicle
    const vehicle = create.call(/** @type {any} */ (this), definition)
    const { filter } = definition
    inside
      .of(this)
      .follower()
      .controls.addVehicle(vehicle, { ...(filter && { filter: { ...filter } }) })
    return vehicle
  }
}
