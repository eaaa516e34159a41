import { readBound, readNonNegative, readPositive } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { putVector } from '../core/vectors.mjs'
import * as DEF from '../generated/places/character-def.mjs'
import { normalize } from './placement.mjs'

/** @import { Vector, VectorLike } from '../types/index.mjs' */

const RIGHT_ANGLE = Math.PI / 2

/**
 * The measures of a character: where they are, what they are without a word, and how they are read. Those below 0 follow
 * another one.
 * @type {Readonly<Record<string, { place: number, preset: number, read: (value: unknown, path: string) => number, isLength?: boolean }>>}
 */
export const MEASURES = Object.freeze({
  offset: { place: DEF.offset, preset: 0.01, read: readPositive, isLength: true },
  stepHeight: { place: DEF.stepHeight, preset: 0.3, read: readNonNegative, isLength: true },
  stepDown: { place: DEF.stepDown, preset: -1, read: readNonNegative },
  slopeLimit: { place: DEF.slopeLimit, preset: Math.PI / 4, read: readSlope },
  slideAngle: { place: DEF.slideAngle, preset: -1, read: readSlope },
  pushForce: { place: DEF.pushForce, preset: 0, read: readNonNegative },
  pushMass: { place: DEF.pushMass, preset: Infinity, read: readBound },
})

/**
 * @param {unknown} value
 * @param {string} path
 */
function readSlope(value, path) {
  if (typeof value === 'number' && value >= 0 && value <= RIGHT_ANGLE) return value
  throw invalid(path, 'an angle from 0 to pi/2, in radians', value)
}

/** @type {(character: CharacterMeasures) => Float64Array} the measures, as the engine reads them */
export let measuresOf

/** What a character is like, but for its shape. */
export class CharacterMeasures {
  #def

  static {
    measuresOf = (character) => character.#def
  }

  /**
   * @protected
   * @param {Record<string, unknown>} given
   * @param {string} where
   * @param {number} metre in the world's unit of length
   * @param {Float64Array} numbers where they are kept, zeros
   */
  constructor(given, where, metre, numbers) {
    this.#def = numbers
    for (const [name, { place, preset, read, isLength }] of Object.entries(MEASURES)) {
      const value = given[name]
      const usual = isLength ? preset * metre : preset
      this.#def[place] = value === undefined ? usual : read(value, `${where}: ${name}`)
    }
    this.#setSlopes(this.#def[DEF.slopeLimit], this.#def[DEF.slideAngle], `${where}: slideAngle`)
    putUp(given.up ?? [0, 1, 0], this.#def, `${where}: up`)
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

  /**
   * Kilograms: it pushes no heavier body.
   * @returns {number}
   */
  get pushMass() {
    return this.#def[DEF.pushMass]
  }
  set pushMass(value) {
    this.#def[DEF.pushMass] = readBound(value, 'pushMass')
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
}

/**
 * @param {Float64Array} from
 * @param {number} at
 * @returns {Vector}
 */
export function vectorOf(from, at) {
  return [from[at], from[at + 1], from[at + 2]]
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
