import { isObject } from '../core/arguments.mjs'
import { World as LocalWorld } from '../index.mjs'
import { readExport, withFunctions } from './functions.mjs'
import { WorkerHistory, WorkerRecording } from './remote.mjs'

/** @import { Character, CharacterDefinition, ConstraintDefinition, Constraint, HistoryOptions } from '../index.mjs' */
/** @import { Potential, PotentialDefinition, RecordOptions, SceneReading } from '../index.mjs' */
/** @import { ShapeLike, Vehicle, VehicleDefinition, WorldOptions } from '../index.mjs' */
/** @import { Entry } from '../state/journal.mjs' */
/** @import { RemoteControls } from './controls.mjs' */
/** @import { Functions } from './functions.mjs' */
/** @import { ASKED_GETTERS, ASKED_METHODS, Missing } from './members.mjs' */
/** @import { ContactNames } from './protocol.mjs' */

/** @typedef {(typeof ASKED_METHODS)[number]} AskedMethod */
/** @typedef {(typeof ASKED_GETTERS)[number]} AskedGetter */
/** @typedef {'step' | 'advance' | 'interpolate' | 'resetInterpolation' | 'on' | 'restore' | 'free' | 'isLate' | 'history' | 'record'} OwnTime */
/** @typedef {'createConstraint' | 'createPotential' | 'createCharacter' | 'createVehicle' | 'contactFilter' | 'contactModifier'} OwnParts */
/** @typedef {OwnTime | OwnParts} Own */
/** @typedef {Omit<LocalWorld, AskedMethod | AskedGetter | Missing | Own>} Shared */
/** @typedef {{ [Name in AskedMethod]: (...args: Parameters<LocalWorld[Name]>) => Promise<ReturnType<LocalWorld[Name]>> }} Methods */
/** @typedef {{ readonly [Name in AskedGetter]: Promise<LocalWorld[Name]> }} Getters */

/**
 * Definitions of a custom constraint and potential, whose functions are those of the module with their `typeName`.
 * @typedef {ConstraintDefinition | Omit<Extract<ConstraintDefinition, { type: 'custom' }>, 'evaluate' | 'jacobian' | 'timeDerivative' | 'isActive'>} WorkerConstraintDefinition
 * @typedef {PotentialDefinition | Omit<Extract<PotentialDefinition, { type: 'custom' }>, 'force' | 'torque' | 'energy'>} WorkerPotentialDefinition
 */

/**
 * As of `moreau`; a predicate is the name of a function of the module.
 * @typedef {Omit<CharacterDefinition, 'predicate'> & { predicate?: string }} WorkerCharacterDefinition
 */

/**
 * As of `moreau`; functions for contacts are names of functions of the module, which has those of custom constraints and
 * potentials too.
 * @typedef {Omit<SceneReading, 'contactFilter' | 'contactModifier'> & { contactFilter?: string, contactModifier?: string }} WorkerSceneReading
 */

/**
 * A character that the worker moves: `move` is noted, and where it came to is seen with a frame.
 * @typedef {Omit<Character, 'setShape'> & { setShape(shape: ShapeLike): Promise<boolean> }} WorkerCharacter
 */

/**
 * What the parts of a world need of its own.
 * @typedef {object} Inside
 * @property {() => Functions} functions of the module
 * @property {ContactNames} contacts
 * @property {number} openedCount histories and recordings that were opened
 * @property {() => RemoteControls} controls
 * @property {() => boolean} isFreed
 * @property {(where: string) => void} alive throws if it was freed
 * @property {(...entry: Entry) => void} mark notes something for the worker
 * @property {(note: (ticket: number) => void) => Promise<any>} wait for what is noted with the ticket
 * @property {(bytes: Uint8Array) => void} jump has the world be where the worker's has gone
 */

/** Filled in by the class of worlds. */
export const inside = /** @type {{ of: (world: WorldParts) => Inside }} */ ({})

const Base = /** @type {new (options?: WorldOptions) => Shared & Methods & Getters} */ (
  /** @type {unknown} */ (LocalWorld)
)

/** What a world in a worker does with functions of the user, characters, vehicles and what the worker keeps. */
export class WorldParts extends Base {
  // --- functions of the user ------------------------------------------------------------------------

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
    return inside.of(this).wait((ticket) => inside.of(this).mark('invoke', ticket, own, args))
  }

  // --- characters and vehicles ----------------------------------------------------------------------

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
    inside.of(this).controls().addCharacter(character, plain)
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
      .controls()
      .addVehicle(vehicle, { ...(filter && { filter: { ...filter } }) })
    return vehicle
  }

  // --- back in time ---------------------------------------------------------------------------------

  /**
   * As `history` of `moreau`, by promises: the worker keeps the state after every step.
   * @param {HistoryOptions} options
   * @returns {Promise<WorkerHistory>}
   */
  async history(options) {
    return new WorkerHistory(await this.#open('history', options))
  }

  /**
   * As `record` of `moreau`, by promises: the worker notes its calls and steps. `World.replay` of `moreau` takes what it
   * gives, with the functions of the module in its options.
   * @param {RecordOptions} [options]
   * @returns {Promise<WorkerRecording>}
   */
  async record(options = {}) {
    return new WorkerRecording(await this.#open('record', options))
  }

  /**
   * @param {'history' | 'record'} what
   * @param {unknown} options
   */
  async #open(what, options) {
    inside.of(this).alive(what)
    const number = ++inside.of(this).openedCount
    await inside
      .of(this)
      .wait((ticket) => inside.of(this).mark('open', ticket, what, number, options))
    return {
      ask: (/** @type {string} */ name, /** @type {unknown[]} */ args) =>
        this.#askOpened('of', number, name, args),
      jump: async (/** @type {string} */ name, /** @type {unknown[]} */ args) =>
        inside.of(this).jump(await this.#askOpened('jump', number, name, args)),
      close: () => {
        if (!inside.of(this).isFreed()) inside.of(this).mark('close', number)
      },
    }
  }

  /**
   * @param {'of' | 'jump'} kind
   * @param {number} number
   * @param {string} name
   * @param {unknown[]} args
   */
  #askOpened(kind, number, name, args) {
    inside.of(this).alive(name)
    return inside.of(this).wait((ticket) => inside.of(this).mark(kind, ticket, number, name, args))
  }
}
