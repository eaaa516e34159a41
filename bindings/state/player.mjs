import { access } from '../core/access.mjs'
import { KIND } from '../core/callbacks.mjs'
import { MoreauError } from '../core/errors.mjs'
import * as BODY_DEF from '../generated/places/body-def.mjs'
import * as GIVEN from '../generated/places/constraint-given.mjs'
import { CONSTRAINT_DEF_NUMBERS, CONSTRAINT_GIVEN_NUMBERS } from '../generated/records.mjs'
import { PLACED_SHAPE_NUMBERS, POTENTIAL_DEF_NUMBERS } from '../generated/records.mjs'
import { fromPlain } from '../scene/values.mjs'
import { CHANGES } from './calls.mjs'
import { badSnapshot } from './frame.mjs'
import { makeConstraintOf, makePotentialOf } from './make.mjs'
import { numbersOf, where } from './tape.mjs'

/** @import { Constraint } from '../objects/constraint.mjs' */
/** @import { Potential } from '../objects/potential.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { World } from '../objects/world.mjs' */
/** @import { CustomFunctions } from '../definitions/constraint-definition.mjs' */
/** @import { ReplayOptions } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { Entry } from './journal.mjs' */
/** @import { Tape } from './tape.mjs' */

/** Where in the block of a call the handle of functions is. */
const HANDLE = Object.freeze({
  constraint: CONSTRAINT_DEF_NUMBERS + CONSTRAINT_GIVEN_NUMBERS,
  potential: POTENTIAL_DEF_NUMBERS,
})

/** Where the ids of joints are that a gear or rack couples. */
const COUPLED = [GIVEN.jointA, GIVEN.jointB].map((place) => CONSTRAINT_DEF_NUMBERS + place)

/** What is made again by its numbers alone. @type {ReadonlySet<string>} */
const PLAIN_CALLS = new Set([...CHANGES.plain, ...CHANGES.withBlock])

/**
 * The shapes that a call has in the block, of all that the body has after it.
 * @type {Record<string, ((shapes: readonly Shape[], argument: number) => readonly Shape[] | undefined) | undefined>}
 */
const GIVEN_SHAPES = {
  body_set_shapes: (shapes, count) => (shapes.length === count ? shapes : undefined),
  body_add_shape: (shapes) => shapes.slice(-1),
  body_change_shape: (shapes, index) => (shapes[index] ? [shapes[index]] : undefined),
  body_remove_shape: () => [],
}

/** A difference between what was recorded and what came out. */
export class Otherwise extends Error {}

/** Makes the calls of a tape in a world. */
export class Player {
  #tape
  #options
  #core
  #find
  #aliases

  /**
   * @param {World} world
   * @param {Tape} tape
   * @param {ReplayOptions} options
   * @param {Map<number, number>} [aliases] where constraints may have other ids than those that the tape has: filled with
   *   theirs
   */
  constructor(world, tape, options, aliases) {
    this.world = world
    this.#aliases = aliases
    this.#tape = tape
    this.#options = options
    this.#core = access.coreOf(world)
    this.#find = {
      body: (/** @type {number} */ id) => this.#core.find(id) ?? null,
      constraint: (/** @type {number} */ id) =>
        byId(this.#core.constraints.keys(), this.#idHere(id)),
    }
  }

  /** @param {number} place of a snapshot */
  load(place) {
    const { constraints, potentials } = this.#options
    const { snapshots, assets } = this.#tape
    if (!(place in snapshots)) throw badSnapshot(`${where}: bytes: they have no snapshot ${place}`)
    this.world.restore(snapshots[place], { assets, constraints, potentials })
  }

  /**
   * @param {Entry} entry anything but a step
   * @throws {MoreauError} of a call that is refused; `bad-snapshot` for an entry that no recording has
   */
  apply(entry) {
    try {
      this.#apply(entry)
    } catch (error) {
      if (error instanceof MoreauError || error instanceof Otherwise) throw error
      throw badSnapshot(`${where}: bytes: an entry cannot be used: ${String(error)}`, {
        cause: error,
      })
    }
  }

  /** @param {Entry} entry */
  #apply([kind, ...values]) {
    const [first, second, third, fourth] = values
    if (kind === 'call') this.#callPlainly(first, second, third)
    else if (kind === 'body') this.#makeBody(first, second, third)
    else if (kind === 'shapes') this.#changeShapes(first, numbersOf(second), third, fourth)
    else if (kind === 'constraint') this.#makeConstraint(first, second)
    else if (kind === 'potential') this.#makePotential(first, second)
    else if (kind === 'measures') this.#changeMeasures(first, second, third)
    else if (kind === 'destroy') this.#destroy(first, second)
    else if (kind === 'function') this.setFunction(first, second)
    else if (kind === 'state') this.load(first)
    else if (kind === 'lost') throw badSnapshot(`${where}: bytes: the state was lost: ${first}`)
    else if (kind !== 'key') throw badSnapshot(`${where}: bytes: they have an entry '${kind}'`)
  }

  /**
   * @param {string} name
   * @param {unknown} args
   * @param {unknown} numbers
   */
  #callPlainly(name, args, numbers) {
    if (!PLAIN_CALLS.has(name)) throw badSnapshot(`${where}: bytes: they call '${name}'`)
    const list = numbersOf(args)
    if (name.startsWith('constraint_')) list[0] = this.#idHere(list[0])
    this.#call(name, list, numbersOf(numbers))
  }

  /** @param {number} id of a constraint @returns {number} which it has here */
  #idHere(id) {
    return this.#aliases?.get(id) ?? id
  }

  /**
   * @param {string} name
   * @param {readonly number[]} args
   * @param {readonly number[]} numbers of the block
   */
  #call(name, args, numbers) {
    this.#put(numbers)
    const call = /** @type {any} */ (this.#core.engine.exports)[name]
    this.#core.check(call(this.#core.pointer, ...args), name)
  }

  /** @param {readonly number[]} numbers */
  #put(numbers) {
    this.#core.engine.begin(numbers.length)
    this.#core.engine.putAll(numbers)
  }

  /**
   * @param {unknown} plain
   * @param {number} id
   * @param {readonly number[]} places
   */
  #makeBody(plain, id, places) {
    const core = this.#core
    const shapes = Object.freeze(places.map((place) => this.#shape(place)))
    const numbers = withShapes(numbersOf(plain), shapes, BODY_DEF.NUMBERS)
    if (numbers[BODY_DEF.shapeCount] !== shapes.length) throw new RangeError('other shapes')
    this.#put(numbers)
    const made = core.engine.exports.body_create(core.pointer)
    core.locate()
    this.#expect('createBody', made, id)
    core.add(access.makeBody(core, id, shapes, undefined))
  }

  /**
   * @param {string} name
   * @param {number[]} args
   * @param {unknown} plain
   * @param {readonly number[]} places
   */
  #changeShapes(name, args, plain, places) {
    const body = this.#core.find(args[0])
    if (body === undefined) throw new Otherwise(`body ${args[0]} is not there`)
    const before = body.shapes
    const shapes = Object.freeze(places.map((place) => this.#shape(place)))
    const given = GIVEN_SHAPES[name]?.(shapes, args[1])
    if (given === undefined) throw badSnapshot(`${where}: bytes: they call '${name}'`)
    this.#call(name, args, withShapes(numbersOf(plain), given, 0))
    access.setShapes(body, shapes)
    this.#core.changeShapes(body, before)
  }

  /** @param {number} place @returns {Shape} */
  #shape(place) {
    return access.toShape(this.#tape.shapes[place], where, `shapes[${place}]`)
  }

  /** @param {unknown} plain @param {any} row */
  #makeConstraint(plain, row) {
    const core = this.#core
    const make = (/** @type {number} */ id) =>
      makeConstraintOf(core, { ...row, id }, this.#find, this.#options, where)
    let constraint = make(row.id)
    const { functions } = access.constraintMaking(constraint).making
    const numbers = numbersOf(plain)
    for (const place of COUPLED) numbers[place] = this.#idHere(numbers[place])
    const handle = this.#putFunctions('constraint', numbers, functions)
    const id = core.engine.exports.constraint_create(core.pointer)
    if (this.#isOther(id, row.id)) constraint = make(id)
    else this.#expect('constraint', id, row.id)
    core.addConstraint(constraint, handle)
  }

  /**
   * @param {number} id of a constraint that was made; 0: it was refused
   * @param {number} recordedId
   * @returns {boolean} whether it is another, and may be
   */
  #isOther(id, recordedId) {
    this.#aliases?.delete(recordedId)
    if (this.#aliases === undefined || id === 0 || id === recordedId) return false
    this.#aliases.set(recordedId, id)
    return true
  }

  /** @param {unknown} plain @param {any} row */
  #makePotential(plain, row) {
    const core = this.#core
    const potential = makePotentialOf(core, row, this.#find, this.#options, where)
    const { functions } = access.potentialMaking(potential)
    const handle = this.#putFunctions('potential', numbersOf(plain), functions)
    this.#expect('potential', core.engine.exports.potential_create(core.pointer), row.id)
    core.addPotential(potential, handle)
  }

  /**
   * Puts the numbers of a definition, with the handle that its functions have here.
   * @param {keyof typeof HANDLE} kind
   * @param {number[]} numbers
   * @param {CustomFunctions | undefined} functions
   * @returns {number | undefined} the handle
   */
  #putFunctions(kind, numbers, functions) {
    const handle = functions && this.#core.callbacks.add(KIND[kind], functions.make)
    if (handle !== undefined) numbers[HANDLE[kind]] = handle
    this.#put(numbers)
    return handle
  }

  /**
   * @param {number} id
   * @param {unknown} plain
   * @param {unknown} measures
   */
  #changeMeasures(id, plain, measures) {
    const potential = byId(this.#core.potentials.keys(), id)
    this.#call('potential_set_def', [id], numbersOf(plain))
    const read = /** @type {any} */ (fromPlain(measures, 'measures'))
    if (potential) access.setMeasures(potential, read)
    this.#core.version++
  }

  /** @param {string} kind @param {number} id */
  #destroy(kind, id) {
    const core = this.#core
    const lists = { body: core.living, constraint: core.constraints.keys() }
    const list =
      /** @type {Record<string, Iterable<any>>} */ (lists)[kind] ?? core.potentials.keys()
    const object = byId(list, kind === 'constraint' ? this.#idHere(id) : id)
    if (object === undefined) throw new Otherwise(`${kind} ${id} is not there`)
    object.destroy()
  }

  /**
   * @param {string} name
   * @param {boolean} has
   */
  setFunction(name, has) {
    if (name !== 'contactFilter' && name !== 'contactModifier') {
      throw badSnapshot(`${where}: bytes: they name a function '${name}'`)
    }
    const given = this.#options[name]
    if (has && given === undefined) {
      throw badSnapshot(`${where}: bytes: the recording needs options.${name}, a function`)
    }
    this.world[name] = /** @type {any} */ (has ? given : null)
  }

  /**
   * @param {string} what
   * @param {number} id that was given; 0: it was refused
   * @param {number} recordedId
   */
  #expect(what, id, recordedId) {
    const core = this.#core
    if (id === 0) core.check(core.engine.exports.last_result(), what)
    if (id !== recordedId) throw new Otherwise(`${what} ${recordedId} has the id ${id}`)
  }
}

/**
 * The numbers of a call with the addresses of shapes as they are here.
 * @param {number[]} numbers
 * @param {readonly Shape[]} shapes
 * @param {number} start where their records begin
 */
function withShapes(numbers, shapes, start) {
  if (numbers.length !== start + shapes.length * PLACED_SHAPE_NUMBERS) {
    throw new RangeError(`${numbers.length} numbers for ${shapes.length} shapes`)
  }
  shapes.forEach((shape, i) => {
    numbers[start + i * PLACED_SHAPE_NUMBERS] = access.shapePointer(shape, where)
  })
  return numbers
}

/**
 * @template {{ id: number }} One
 * @param {Iterable<One>} objects
 * @param {number} id
 * @returns {One | undefined}
 */
function byId(objects, id) {
  for (const object of objects) if (object.id === id) return object
  return undefined
}
