import { readNonNegative } from '../core/arguments.mjs'
import { describe, invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { MoreauError } from '../core/errors.mjs'

/** @import { BOUNDS } from '../generated/enums.mjs' */
/** @import { BoundsLike } from '../types/index.mjs' */

// Known to this file alone, so that nobody else makes bounds that are none.
const key = Symbol('Bounds')

/** @type {(kind: typeof BOUNDS[number], lower: number, upper: number, friction: number) => Bounds} */
let make
/** @type {(value: unknown) => value is Bounds} */
let isBounds

/**
 * What the impulse λ of a row of a constraint must obey, in N s. Exactly one of the four `is...` is
 * true.
 *
 * @example
 * world.createConstraint({ type: 'custom', bodies: [body], dimension: 1, bounds: Bounds.box(-2, 3), evaluate })
 */
export class Bounds {
  #isOurs = true

  /**
   * @readonly
   * @type {'bilateral' | 'unilateral' | 'box' | 'cone'}
   */
  kind

  /** @readonly */
  lower

  /** @readonly */
  upper

  /**
   * Of a cone; 0 for the others.
   * @readonly
   */
  friction

  static {
    // By `this`: bundlers rename a class that names itself.
    const Type = this
    make = (kind, lower, upper, friction) => new Type(kind, lower, upper, friction, key)
    isBounds = (value) => typeof value === 'object' && value !== null && #isOurs in value
  }

  /**
   * @private
   * @param {typeof BOUNDS[number]} kind
   * @param {number} lower
   * @param {number} upper
   * @param {number} friction
   * @param {symbol} [pass]
   */
  constructor(kind, lower, upper, friction, pass) {
    if (pass !== key) {
      const message = 'new Bounds: use Bounds.bilateral(), unilateral(), box(lo, hi) or cone(mu)'
      throw new MoreauError('invalid-argument', message)
    }
    this.kind = kind
    this.lower = lower
    this.upper = upper
    this.friction = friction
    Object.freeze(this)
  }

  /**
   * Any impulse, of either sign: w = 0.
   * @returns {Bounds}
   */
  static bilateral() {
    return make('bilateral', -Infinity, Infinity, 0)
  }

  /**
   * 0 ≤ λ, w ≥ 0, one of them 0. The row is violated where C < 0.
   * @returns {Bounds}
   */
  static unilateral() {
    return make('unilateral', 0, Infinity, 0)
  }

  /**
   * lower ≤ λ ≤ upper: the row gives way at a bound. (-∞, ∞) is bilateral and [0, ∞) unilateral.
   * @param {number} lower N s, may be -Infinity
   * @param {number} upper N s, `lower` or more, may be Infinity
   * @returns {Bounds}
   * @throws {MoreauError} `invalid-argument`
   */
  static box(lower, upper) {
    const areNumbers = typeof lower === 'number' && typeof upper === 'number'
    if (!(areNumbers && lower <= upper && lower < Infinity && upper > -Infinity)) {
      const got = `${describe(lower)} and ${describe(upper)}`
      const message = `Bounds.box: lower must be a number and not above upper, got ${got}`
      throw new MoreauError('invalid-argument', message)
    }
    if (upper === Infinity && lower === -Infinity) return make('bilateral', lower, upper, 0)
    if (upper === Infinity && lower === 0) return make('unilateral', 0, upper, 0)
    return make('box', lower, upper, 0)
  }

  /**
   * The Coulomb law over three consecutive rows: normal and two tangents, |λ_t| ≤ friction λ_n.
   * @param {number} friction 0 or more
   * @returns {Bounds}
   * @throws {MoreauError} `invalid-argument`
   */
  static cone(friction) {
    return make('cone', 0, Infinity, readNonNegative(friction, 'Bounds.cone: friction'))
  }

  get isBilateral() {
    return this.kind === 'bilateral'
  }

  get isUnilateral() {
    return this.kind === 'unilateral'
  }

  get isBox() {
    return this.kind === 'box'
  }

  get isCone() {
    return this.kind === 'cone'
  }
}

/**
 * Reads the bounds of a constraint: one for all rows, or a list of which a cone stands for three.
 * @param {unknown} value
 * @param {number} dimension
 * @param {string} path
 * @returns {Bounds[]} one per row, a cone three times
 */
export function readBounds(value, dimension, path) {
  /** @type {Bounds[]} */
  const rows = []
  if (!isList(value)) {
    const all = readOne(value, path)
    while (rows.length < dimension) rows.push(all)
    if (all.isCone && dimension % 3 !== 0) {
      throw invalid(path, 'for a dimension that is a multiple of 3 where it is a cone', value)
    }
    return rows
  }
  for (let i = 0; i < value.length && rows.length <= dimension; i++) {
    const entry = value[i]
    const one = readOne(entry, `${path}[${i}]`)
    rows.push(one)
    if (one.isCone) rows.push(one, one)
  }
  if (rows.length === dimension) return rows
  const allowed = `bounds for ${dimension} rows, the dimension (a cone is for 3)`
  throw invalid(path, allowed, value)
}

/**
 * @param {unknown} value a BoundsLike
 * @param {string} path
 * @returns {Bounds}
 */
function readOne(value, path) {
  if (isBounds(value)) return value
  if (value === 'bilateral') return Bounds.bilateral()
  if (value === 'unilateral') return Bounds.unilateral()
  throw invalid(path, "'bilateral', 'unilateral', Bounds.box(lo, hi) or Bounds.cone(mu)", value)
}
