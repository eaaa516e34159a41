import { access } from '../core/access.mjs'
import { checkNames, readNonNegative, readObject, readPositive } from '../core/arguments.mjs'
import { invalid, unwritable } from '../core/describe.mjs'
import { isTypedArray } from '../core/lists.mjs'
import { MoreauError } from '../core/errors.mjs'
import { close, guard } from '../core/guard.mjs'
import { noQuaternion, noVector, putQuaternion, putVector } from '../core/vectors.mjs'
import { writeQuaternion, writeVector } from '../core/vectors.mjs'
import * as CHARACTER from '../generated/places/character.mjs'
import * as DEF from '../generated/places/character-def.mjs'
import * as MOVE from '../generated/places/character-move.mjs'
import * as QUERY_HIT from '../generated/places/query-hit.mjs'
import * as QUERY from '../generated/places/query.mjs'
import { CHARACTER_DEF_NUMBERS, CHARACTER_MOVE_NUMBERS } from '../generated/records.mjs'
import { CHARACTER_NUMBERS, QUERY_HITS_NUMBERS, QUERY_NUMBERS } from '../generated/records.mjs'
import { normalize } from './placement.mjs'
import { readHitList } from './query-hits.mjs'
import {
  beginQuery,
  bodyOfHit,
  callWithPredicate,
  HIT_STRIDE,
  hitCount,
} from './query-question.mjs'
import { hitsAt, predicateHandle, predicateOf, SOLID_NAMES } from './query-question.mjs'
import { putQuery, queries, shapeOfHit } from './query-question.mjs'
import { freeIdleShapes, KEPT_SHAPES, shapeAt } from './shape.mjs'

/** @import { Body } from './body.mjs' */
/** @import { Shape } from './shape.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { CharacterContact, CharacterDefinition, Quaternion, QuaternionLike } from '../types/index.mjs' */
/** @import { QuaternionOut, QueryOptions, ShapeLike, Vector, VectorLike, VectorOut } from '../types/index.mjs' */

const RIGHT_ANGLE = Math.PI / 2

/** MO_CHARACTER_CONTACTS */
const MOST_TOUCHES = 8

/**
 * The measures of a character: where they are, what they are without a word, and how they are read. Those below 0 follow
 * another one.
 * @type {Readonly<Record<string, { place: number, preset: number, read: (value: unknown, path: string) => number }>>}
 */
const MEASURES = Object.freeze({
  offset: { place: DEF.offset, preset: 0.01, read: readPositive },
  stepHeight: { place: DEF.stepHeight, preset: 0.3, read: readNonNegative },
  stepDown: { place: DEF.stepDown, preset: -1, read: readNonNegative },
  slopeLimit: { place: DEF.slopeLimit, preset: Math.PI / 4, read: readSlope },
  slideAngle: { place: DEF.slideAngle, preset: -1, read: readSlope },
  pushForce: { place: DEF.pushForce, preset: 0, read: readNonNegative },
})

const NAMES = ['shape', 'position', 'orientation', 'up', ...Object.keys(MEASURES), ...SOLID_NAMES]

/**
 * @param {unknown} value
 * @param {string} path
 */
function readSlope(value, path) {
  if (typeof value === 'number' && value >= 0 && value <= RIGHT_ANGLE) return value
  throw invalid(path, 'an angle from 0 to pi/2', value)
}

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
export class Character {
  #core
  /** @type {Shape} */
  #shape
  // What stops it.
  #query
  #exclude
  #predicate
  #def = new Float64Array(CHARACTER_DEF_NUMBERS)
  #state = new Float64Array(CHARACTER_NUMBERS)
  #contacts = new Touches()

  static {
    const Type = this
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
    this.#core = core
    const given = readObject(definition, `${where}: definition`)
    checkNames(given, NAMES, where)
    const { shape, position = [0, 0, 0], orientation, up = [0, 1, 0] } = given
    this.#readMeasures(given, where)
    putUp(up, this.#def, `${where}: up`)
    const state = this.#state
    if (!putVector(position, state, CHARACTER.position)) {
      throw noVector(position, `${where}: position`)
    }
    if (orientation === undefined) putUpright(this.#def, state)
    else this.#putOrientation(orientation, `${where}: orientation`)
    state[CHARACTER.groundOrientation + 3] = 1
    const { filter, exclude, predicate } = /** @type {QueryOptions} */ (given)
    const options = {
      ...(filter && { filter }),
      ...(exclude && { exclude }),
      ...(predicate && { predicate }),
    }
    const query = beginQuery(core, options, SOLID_NAMES, where)
    this.#query = query.slice()
    queries.giveBack(query)
    this.#exclude = exclude
    this.#predicate = predicateOf(options, where)
    this.#shape = readCharacterShape(shape, where)
    core.holdShape(this, this.#shape)
  }

  // --- what it is like ----------------------------------------------------------------------------

  /** @returns {Shape} */
  get shape() {
    return this.#shape
  }

  /**
   * Gives it another shape, with its feet where they are, if there is room for that: to crouch and to stand up.
   * @param {ShapeLike} shape a `Shape` or a definition; not a plane. Its own placement is not used
   * @returns {boolean} whether there was room; if not, nothing has changed
   * @throws {MoreauError} `invalid-argument`, `stale-handle`, `world-locked`
   */
  setShape(shape) {
    const where = 'setShape'
    this.#core.begin(where)
    const next = readCharacterShape(shape, where)
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
  }

  /**
   * Unit; up for it, against which slopes and steps are measured.
   * @returns {Vector}
   */
  get up() {
    return vectorOf(this.#def, DEF.up)
  }
  set up(value) {
    putUp(value, this.#def, 'up')
  }

  /**
   * Metres that it keeps to everything.
   * @returns {number}
   */
  get offset() {
    return this.#def[DEF.offset]
  }
  set offset(value) {
    this.#def[DEF.offset] = readPositive(value, 'offset')
  }

  /**
   * Metres: steps up to this height are climbed.
   * @returns {number}
   */
  get stepHeight() {
    return this.#def[DEF.stepHeight]
  }
  set stepHeight(value) {
    this.#def[DEF.stepHeight] = readNonNegative(value, 'stepHeight')
  }

  /**
   * Metres that it follows the ground down; `stepHeight` unless it was set.
   * @returns {number}
   */
  get stepDown() {
    const own = this.#def[DEF.stepDown]
    return own < 0 ? this.stepHeight : own
  }
  set stepDown(value) {
    this.#def[DEF.stepDown] = readNonNegative(value, 'stepDown')
  }

  /**
   * Radians: steeper slopes are walls.
   * @returns {number}
   */
  get slopeLimit() {
    return this.#def[DEF.slopeLimit]
  }
  set slopeLimit(value) {
    this.#setSlopes(readSlope(value, 'slopeLimit'), this.#def[DEF.slideAngle], 'slopeLimit')
  }

  /**
   * Radians: steeper slopes are no ground; `slopeLimit` unless it was set.
   * @returns {number}
   */
  get slideAngle() {
    const own = this.#def[DEF.slideAngle]
    return own < 0 ? this.slopeLimit : own
  }
  set slideAngle(value) {
    this.#setSlopes(this.#def[DEF.slopeLimit], readSlope(value, 'slideAngle'), 'slideAngle')
  }

  /**
   * Newtons: it pushes dynamic bodies with no more.
   * @returns {number}
   */
  get pushForce() {
    return this.#def[DEF.pushForce]
  }
  set pushForce(value) {
    this.#def[DEF.pushForce] = readNonNegative(value, 'pushForce')
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
    this.#ask(displacements, readPositive(dt, `${where}: dt`), where)
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
    this.#query[QUERY.shape] = access.shapePointer(this.#shape, where)
    const predicate = this.#predicate
    if (predicate !== undefined) this.#query[QUERY.predicate] = predicateHandle(core)
    this.#put(displacement, dt)
    if (predicate === undefined) core.check(this.#call(pointer, shape), where)
    else callWithPredicate(core, () => this.#call(pointer, shape), predicate, where)
    const { f64 } = core.engine
    const answer = core.engine.place(QUERY_HITS_NUMBERS)
    for (let i = 0; i < CHARACTER_NUMBERS; i++) this.#state[i] = f64[answer + i]
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
   */
  #put(displacement, dt) {
    putQuery(this.#core, this.#query, CHARACTER_MOVE_NUMBERS)
    const { engine } = this.#core
    const { f64 } = engine
    const at = engine.place(QUERY_NUMBERS)
    for (let i = 0; i < CHARACTER_DEF_NUMBERS; i++) f64[at + MOVE.def + i] = this.#def[i]
    for (let i = 0; i < CHARACTER_NUMBERS; i++) f64[at + MOVE.character + i] = this.#state[i]
    for (let i = 0; i < 3; i++) f64[at + MOVE.displacement + i] = displacement[i]
    f64[at + MOVE.dt] = dt
  }

  /**
   * @param {Record<string, unknown>} given
   * @param {string} where
   */
  #readMeasures(given, where) {
    for (const [name, { place, preset, read }] of Object.entries(MEASURES)) {
      const value = given[name]
      this.#def[place] = value === undefined ? preset : read(value, `${where}: ${name}`)
    }
    this.#setSlopes(this.#def[DEF.slopeLimit], this.#def[DEF.slideAngle], `${where}: slideAngle`)
  }

  /**
   * @param {number} limit
   * @param {number} slide below 0: the limit
   * @param {string} path
   */
  #setSlopes(limit, slide, path) {
    if (slide >= 0 && slide < limit) {
      const got = path.endsWith('slopeLimit') ? limit : slide
      throw invalid(path, 'such that slideAngle is slopeLimit or more', got)
    }
    this.#def[DEF.slopeLimit] = limit
    this.#def[DEF.slideAngle] = slide
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

/**
 * What a move met: the engine keeps that of the last move of all characters only, and bodies change their shapes. As
 * objects it is made where somebody asks for it.
 */
class Touches {
  count = 0
  /** @type {Body[]} */
  #bodies = []
  /** @type {Shape[]} */
  #shapes = []
  #indices = new Uint32Array(MOST_TOUCHES)
  // Of each its position and normal.
  #places = new Float64Array(6 * MOST_TOUCHES)

  /**
   * Takes what the engine has found.
   * @param {WorldCore} core
   */
  take(core) {
    const { f64 } = core.engine
    const start = hitsAt(core)
    this.count = hitCount(core)
    for (let i = 0; i < this.count; i++) {
      const at = start + i * HIT_STRIDE
      const body = bodyOfHit(core, at)
      const index = shapeOfHit(core, at)
      this.#bodies[i] = body
      this.#shapes[i] = shapeAt(body.shapes, index)
      this.#indices[i] = index
      for (let k = 0; k < 3; k++) {
        this.#places[6 * i + k] = f64[at + QUERY_HIT.position + k]
        this.#places[6 * i + 3 + k] = f64[at + QUERY_HIT.normal + k]
      }
    }
  }

  /**
   * @param {unknown[]} out whose objects are written to; missing ones are made
   * @returns {CharacterContact[]} `out`
   */
  read(out) {
    for (let i = 0; i < this.count; i++) {
      const path = `readContacts: out[${i}]`
      const given = readObject((out[i] ??= {}), path)
      const contact = /** @type {CharacterContact} */ (/** @type {unknown} */ (given))
      try {
        contact.body = this.#bodies[i]
        contact.shape = this.#shapes[i]
        contact.shapeIndex = this.#indices[i]
        writeVector((contact.position ??= [0, 0, 0]), this.#places, 6 * i, `${path}.position`)
        writeVector((contact.normal ??= [0, 0, 0]), this.#places, 6 * i + 3, `${path}.normal`)
      } catch (error) {
        throw unwritable(error, path, 'an object', out[i])
      }
    }
    return /** @type {CharacterContact[]} */ (out)
  }
}

const ZERO = Object.freeze([0, 0, 0])
const displacements = new Float64Array(3)

/**
 * @param {Float64Array} from
 * @param {number} at
 * @returns {Vector}
 */
function vectorOf(from, at) {
  return [from[at], from[at + 1], from[at + 2]]
}

/**
 * A shape for a character.
 * @param {unknown} value
 * @param {string} where
 */
function readCharacterShape(value, where) {
  const shape = access.toShape(value, where, 'shape')
  if (shape.type === 'plane') {
    freeIdleShapes(KEPT_SHAPES)
    throw invalid(`${where}: shape`, 'not a plane', value)
  }
  return shape
}

/**
 * @param {unknown} value
 * @param {Float64Array} def
 * @param {string} path
 */
function putUp(value, def, path) {
  const next = new Float64Array(4)
  if (!putVector(value, next, 0) || (next[0] === 0 && next[1] === 0 && next[2] === 0)) {
    throw invalid(path, 'a vector that is finite and not zero', value)
  }
  normalize(next, 0)
  def.set(next.subarray(0, 3), DEF.up)
}

/**
 * The shortest turn of the axis of shapes, y, to up.
 * @param {Float64Array} def
 * @param {Float64Array} state
 */
function putUpright(def, state) {
  const [x, y, z] = def.subarray(DEF.up)
  // y x up, and 1 + y . up; straight down it is half a turn about x.
  const turn = new Float64Array(y < -1 + 1e-12 ? [1, 0, 0, 0] : [z, 0, -x, 1 + y])
  normalize(turn, 0)
  state.set(turn, CHARACTER.orientation)
}

/**
 * @param {WorldCore} core
 * @param {unknown} definition
 */
export function makeCharacter(core, definition) {
  core.begin('createCharacter')
  return make(core, definition)
}
