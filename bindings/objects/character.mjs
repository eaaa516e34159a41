import { access } from '../core/access.mjs'
import { checkNames, readObject, readPositive } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isTypedArray } from '../core/lists.mjs'
import { MoreauError } from '../core/errors.mjs'
import { close, guard } from '../core/guard.mjs'
import { noQuaternion, noVector, putQuaternion, putVector } from '../core/vectors.mjs'
import { writeQuaternion, writeVector } from '../core/vectors.mjs'
import * as CHARACTER from '../generated/places/character.mjs'
import * as MOVE from '../generated/places/character-move.mjs'
import * as QUERY from '../generated/places/query.mjs'
import { CHARACTER_DEF_NUMBERS, CHARACTER_MOVE_NUMBERS } from '../generated/records.mjs'
import { CHARACTER_NUMBERS, QUERY_HITS_NUMBERS, QUERY_NUMBERS } from '../generated/records.mjs'
import { Touches } from './character-contacts.mjs'
import { CharacterMeasures, MEASURES, measuresOf, vectorOf } from './character-measures.mjs'
import { putUpright, readCharacterShape } from './character-shape.mjs'
import { normalize } from './placement.mjs'
import { readHitList } from './query-hits.mjs'
import { beginQuery, callWithPredicate, predicateHandle, predicateOf } from './query-question.mjs'
import { queries, SOLID_NAMES } from './query-question.mjs'
import { freeIdleShapes, KEPT_SHAPES } from './idle-shapes.mjs'

/** @import { Body } from './body.mjs' */
/** @import { Shape } from './shape.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
import { reading } from '../core/readable.mjs'
/** @import { CharacterContact, CharacterDefinition, Quaternion, QuaternionLike } from '../types/index.mjs' */
/** @import { QuaternionOut, QueryOptions, ShapeLike, Vector, VectorLike, VectorOut } from '../types/index.mjs' */

const NAMES = ['shape', 'position', 'orientation', 'up', ...Object.keys(MEASURES), ...SOLID_NAMES]

// Known to this file alone, so that nobody else makes characters.
const maker = Symbol('Character')

/** @type {(core: WorldCore, definition: unknown) => Character} */
let make

/**
 * A shape that walks: moved by the program, stopped by the world, and no body. It slides along walls, climbs steps and
 * slopes, follows the ground down, is carried and turned by what it stands on, and pushes dynamic bodies. All that its
 * moves depend on is in `state` and its options.
 *
 * @example
 * const hero = world.createCharacter({ shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 }, position: [0, 1, 0] })
 * fall = hero.grounded ? 0 : fall - 9.81 * dt
 * hero.move([speed * dt, fall * dt, 0], dt)
 * world.step(dt)
 */
export class Character extends CharacterMeasures {
  #core
  /** @type {Shape} */
  #shape
  // All numbers of a move as the engine reads them: what stops it, its measures and its state are parts of them.
  #question
  #exclude
  #predicate
  #state
  #contacts = new Touches()

  static {
    const Type = this
    access.characterNumbers = (character) => [...measuresOf(character), ...character.#state]
    access.takeCharacter = (character, numbers) => character.#take(numbers)
    access.takeCharacterState = (character, list, at) => {
      character.#takeState(list, at)
      character.#contacts.takeFrom(character.#core, list, at + CHARACTER_NUMBERS)
    }
    access.putCharacterState = (character, list, at) => {
      list.set(character.#state, at)
      character.#contacts.put(list, at + CHARACTER_NUMBERS)
    }
    access.setCharacterShape = (character, shape) => {
      character.#core.holdShape(character, shape)
      character.#shape = shape
    }
    make = (core, definition) => close(new Type(core, definition, maker))
  }

  /**
   * @private
   * @param {WorldCore} core
   * @param {unknown} definition
   * @param {symbol} [pass]
   */
  constructor(core, definition, pass) {
    if (pass !== maker) {
      const text = 'new Character: characters are made by world.createCharacter'
      throw new MoreauError('invalid-argument', text)
    }
    const where = 'createCharacter'
    const given = readObject(definition, `${where}: definition`)
    checkNames(given, NAMES, where)
    const question = new Float64Array(QUERY_NUMBERS + CHARACTER_MOVE_NUMBERS)
    super(given, where, core.metre, partOf(question, MOVE.def, CHARACTER_DEF_NUMBERS))
    this.#core = core
    const { shape, position = [0, 0, 0], orientation } = given
    const state = partOf(question, MOVE.character, CHARACTER_NUMBERS)
    this.#question = question
    this.#state = state
    if (!putVector(position, state, CHARACTER.position)) {
      throw noVector(position, `${where}: position`)
    }
    if (orientation === undefined) putUpright(measuresOf(this), state)
    else this.#putOrientation(orientation, `${where}: orientation`)
    state[CHARACTER.groundOrientation + 3] = 1
    const { filter, exclude, predicate } = /** @type {QueryOptions} */ (given)
    const options = {
      ...(filter && { filter }),
      ...(exclude && { exclude }),
      ...(predicate && { predicate }),
    }
    const query = beginQuery(core, options, SOLID_NAMES, where)
    question.set(query)
    queries.giveBack(query)
    this.#exclude = exclude
    this.#predicate = predicateOf(options, where)
    this.#shape = readCharacterShape(shape, where)
    core.holdShape(this, this.#shape)
    core.controls.addCharacter(this)
  }

  // --- what it is like ----------------------------------------------------------------------------

  /** @returns {Shape} */
  get shape() {
    return this.#shape
  }

  /**
   * Gives it another shape, with its feet where they are, if there is room for that: to crouch and to stand up.
   * @param {ShapeLike} shape a `Shape` or a definition; not a plane, mesh or heightfield. Its own placement is not used
   * @returns {boolean} whether there was room; if not, nothing has changed. With `moreau/worker` a promise of it
   * @throws {MoreauError} `invalid-argument`, `stale-handle`, `world-locked`
   */
  setShape(shape) {
    const where = 'setShape'
    this.#core.begin(where)
    const next = readCharacterShape(shape, where)
    const { elsewhere } = this.#core.controls
    if (elsewhere) return /** @type {any} */ (elsewhere.reshaped(this, next))
    const pointer = access.shapePointer(next, where)
    try {
      this.#ask(ZERO, 1, where, pointer)
      const fits = this.#core.engine.at(0) !== 0
      if (fits) {
        this.#core.holdShape(this, next)
        this.#shape = next
      }
      return fits
    } finally {
      freeIdleShapes(KEPT_SHAPES)
    }
  }

  /** Gives back the shape, if it was made for the character. It is not to be used afterwards. */
  destroy() {
    this.#core.begin('destroy')
    this.#core.holdShape(this, undefined)
    this.#core.controls.removeCharacter(this)
  }

  // --- where it is --------------------------------------------------------------------------------

  /**
   * The origin of its shape, metres, world. Setting it puts it there, and nothing stops it.
   * @returns {Vector}
   */
  get position() {
    return vectorOf(this.#state, CHARACTER.position)
  }
  set position(value) {
    const next = new Float64Array(3)
    if (!putVector(value, next, 0)) throw noVector(value, 'position')
    this.#state.set(next, CHARACTER.position)
    // Nothing carries it from there.
    this.#state[CHARACTER.ground] = this.#state[CHARACTER.grounded] = 0
    this.#core.controls.elsewhere?.placed(this)
  }

  /**
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readPosition(out) {
    return writeVector(out, this.#state, CHARACTER.position, 'readPosition: out')
  }

  /**
   * World from shape, unit. What it stands on turns it about `up`.
   * @returns {Quaternion}
   */
  get orientation() {
    const [x, y, z, w] = this.#state.subarray(CHARACTER.orientation)
    return [x, y, z, w]
  }
  /** @param {QuaternionLike} value */
  set orientation(value) {
    this.#putOrientation(value, 'orientation')
    this.#core.controls.elsewhere?.placed(this)
  }

  /**
   * @template {QuaternionOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readOrientation(out) {
    return writeQuaternion(out, this.#state, CHARACTER.orientation, 'readOrientation: out')
  }

  /**
   * m/s of the last move, with what carried it.
   * @returns {Vector}
   */
  get velocity() {
    return vectorOf(this.#state, CHARACTER.velocity)
  }

  /**
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readVelocity(out) {
    return writeVector(out, this.#state, CHARACTER.velocity, 'readVelocity: out')
  }

  /**
   * m/s of what carried it in the last move; zero if nothing did.
   * @returns {Vector}
   */
  get groundVelocity() {
    return vectorOf(this.#state, CHARACTER.groundVelocity)
  }

  /**
   * Unit, out of the ground; zero in the air.
   * @returns {Vector}
   */
  get groundNormal() {
    return vectorOf(this.#state, CHARACTER.groundNormal)
  }

  /**
   * The body that it stands on; null in the air, and where that body is gone.
   * @returns {Body | null}
   */
  get ground() {
    return this.#core.find(this.#state[CHARACTER.ground]) ?? null
  }

  /**
   * Whether it stands on something that is not too steep, after the last move.
   * @returns {boolean}
   */
  get grounded() {
    return this.#state[CHARACTER.grounded] !== 0
  }

  /**
   * All that its next move depends on, beside its options and the world: a copy, to keep with a snapshot of the world and
   * to set again for a replay. Its numbers are of use to nothing else.
   * @returns {Float64Array}
   */
  get state() {
    return this.#state.slice()
  }
  set state(value) {
    const good = isTypedArray(value, ['Float64Array']) && value.length === CHARACTER_NUMBERS
    if (!good || !Array.from(value).every(Number.isFinite)) {
      throw invalid('state', "a character's state", value)
    }
    this.#state.set(value)
    this.#core.controls.elsewhere?.placed(this)
  }

  // --- moving -------------------------------------------------------------------------------------

  /**
   * Moves it relative to what it stands on, before or after a step of the world. On ground that it can walk on the length
   * of the horizontal part is kept along the ground. A displacement upwards leaves the ground; gravity is yours.
   * @param {VectorLike} displacement metres
   * @param {number} dt seconds that it takes, above 0
   * @throws {MoreauError} `invalid-argument`, `stale-handle`, `world-locked`; it stays where it was
   */
  move(displacement, dt) {
    const core = this.#core
    const where = 'move'
    core.alive(where)
    if (!putVector(displacement, displacements, 0)) {
      throw noVector(displacement, `${where}: displacement`)
    }
    const seconds = readPositive(dt, `${where}: dt`)
    const { elsewhere } = core.controls
    if (elsewhere) {
      elsewhere.moved(this, displacements, seconds)
      return
    }
    this.#ask(displacements, seconds, where)
    this.#contacts.take(core)
  }

  /**
   * What the last move met, walls, steps, pushed bodies and the ground, in that order; eight at the most.
   * @returns {readonly CharacterContact[]}
   */
  contacts() {
    return this.#contacts.read([])
  }

  /**
   * The same into a list of objects of the caller, which grows where it is too short.
   * @param {object[]} out
   * @returns {number} how many there are
   */
  readContacts(out) {
    this.#contacts.read(readHitList(out, 'readContacts: out'))
    return this.#contacts.count
  }

  /** @param {Float64Array} numbers of a snapshot, in which it had them */
  #take(numbers) {
    if (numbers.length !== CHARACTER_DEF_NUMBERS + CHARACTER_NUMBERS) return
    measuresOf(this).set(numbers.subarray(0, CHARACTER_DEF_NUMBERS))
    this.#state.set(numbers.subarray(CHARACTER_DEF_NUMBERS))
    this.#contacts.clear()
  }

  // --- parts --------------------------------------------------------------------------------------

  /**
   * Has the engine move it or change its shape, and takes its new state.
   * @param {ArrayLike<number>} displacement
   * @param {number} dt
   * @param {string} where
   * @param {number} [shape] the other one; 0: none, it moves
   */
  #ask(displacement, dt, where, shape = 0) {
    const core = this.#core
    const pointer = core.pointerFor(where)
    if (this.#exclude !== undefined) core.own(this.#exclude, `${where}: exclude`)
    this.#put(displacement, dt, where)
    const predicate = this.#predicate
    if (predicate === undefined) core.check(this.#call(pointer, shape), where)
    else callWithPredicate(core, () => this.#call(pointer, shape), predicate, where)
    this.#takeState(core.engine.f64, core.engine.place(QUERY_HITS_NUMBERS))
  }

  /** @param {Float64Array} list @param {number} at */
  #takeState(list, at) {
    const state = this.#state
    for (let i = 0; i < CHARACTER_NUMBERS; i++) state[i] = list[at + i]
  }

  /**
   * @param {number} pointer
   * @param {number} shape
   */
  #call(pointer, shape) {
    const { exports } = this.#core.engine
    if (shape === 0) return exports.character_move(pointer)
    return exports.character_change_shape(pointer, shape)
  }

  /**
   * Puts where the engine looks for it what a move depends on.
   * @param {ArrayLike<number>} displacement
   * @param {number} dt
   * @param {string} where
   */
  #put(displacement, dt, where) {
    const core = this.#core
    const question = this.#question
    question[QUERY.shape] = access.shapePointer(this.#shape, where)
    if (this.#predicate !== undefined) question[QUERY.predicate] = predicateHandle(core)
    for (let i = 0; i < 3; i++) question[QUERY_NUMBERS + MOVE.displacement + i] = displacement[i]
    question[QUERY_NUMBERS + MOVE.dt] = dt
    core.engine.begin(question.length)
    core.engine.putAll(question)
  }

  /**
   * @param {unknown} value
   * @param {string} path
   */
  #putOrientation(value, path) {
    const next = new Float64Array(4)
    if (!putQuaternion(value, next, 0)) throw noQuaternion(value, path)
    normalize(next, 0)
    this.#state.set(next, CHARACTER.orientation)
  }
}

guard(Character, 'Character')

const ZERO = Object.freeze([0, 0, 0])

/**
 * @param {Float64Array} question
 * @param {number} at where in a move
 * @param {number} count
 */
function partOf(question, at, count) {
  return question.subarray(QUERY_NUMBERS + at, QUERY_NUMBERS + at + count)
}
const displacements = new Float64Array(3)

/**
 * @param {WorldCore} core
 * @param {unknown} definition
 */
export function makeCharacter(core, definition) {
  core.begin('createCharacter')
  return reading(definition, 'createCharacter: definition', () => make(core, definition))
}
