/**
 * What the Node tests share: worlds as the acceptance cases want them, and comparisons that say what they compare.
 */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { MoreauError, World } from 'moreau'

/** @typedef {import('moreau').Body} Body */
/** @typedef {import('moreau').WorldOptions} WorldOptions */
/** @typedef {import('moreau').SolverName} SolverName */
/** @typedef {[number, number, number]} Vector */

/** The solvers that every acceptance case is for. @type {readonly SolverName[]} */
export const CONTACT_SOLVERS = ['block-pgs', 'exact']

/** The numbers of the acceptance cases: up is z there. */
export const g = 9.81
export const dt = 0.016

/** Unit cube, one definition for all tests. */
export const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })

/**
 * A world with the settings of the acceptance cases.
 *
 * @param {WorldOptions} [options] on top of them
 * @returns {Promise<World>}
 */
export const acceptanceWorld = (options = {}) =>
  World.create({
    gravity: [0, 0, -g],
    solver: 'block-pgs',
    iterations: 200,
    tolerance: 1e-10,
    restitutionThreshold: 0,
    linearSlop: 0,
    stabilization: 'none',
    ...options,
  })

/**
 * A world as a user gets it who asks for exact solvers; up is z.
 *
 * @param {WorldOptions} [options]
 * @returns {Promise<World>}
 */
export const exactWorld = (options = {}) =>
  World.create({ gravity: [0, 0, -g], solver: 'exact', ...options })

/** What an exact world's steps came to: the certificate of every one, and what they cost. */
export class StepLog {
  #world
  /** @type {number[]} per step */
  factorisations = []
  worstResidual = 0
  missed = 0
  deepest = 0

  /** @param {World} world */
  constructor(world) {
    this.#world = world
  }

  afterStep() {
    const { factorisations, residual, missedIslands, maxPenetration } = this.#world.stats
    this.factorisations.push(factorisations)
    this.worstResidual = Math.max(this.worstResidual, residual, this.#world.residual().worst)
    this.missed += missedIslands
    assert.equal(missedIslands > 0, residual > 1e-8, 'a step that misses its tolerance says so')
    this.deepest = Math.max(this.deepest, maxPenetration)
  }

  /** Fails unless every step kept the default tolerance. */
  check() {
    assert.ok(this.worstResidual <= 1e-8, `certificate ${this.worstResidual} m/s`)
    assert.equal(this.missed, 0, 'islands that missed the tolerance')
  }

  /** @param {number} [from] first step that counts */
  median(from = 0) {
    const sorted = this.factorisations.slice(from).sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)]
  }
}

/**
 * A suite that runs once for each solver.
 *
 * @param {string} title
 * @param {(solver: SolverName) => void} suite defines its tests
 */
export function describeForSolvers(title, suite) {
  for (const solver of CONTACT_SOLVERS) describe(`${title} (${solver})`, () => suite(solver))
}

/**
 * A static slab with its top at z = 0, created first: it is A, so normals point up.
 *
 * @param {World} world
 * @param {Parameters<World['createBody']>[0]} [options] friction and the like
 * @returns {Body}
 */
export const addSlab = (world, options = {}) =>
  world.createBody({
    type: 'static',
    shape: { type: 'box', halfExtents: [50, 50, 0.5] },
    position: [0, 0, -0.5],
    ...options,
  })

/**
 * Fails unless a number is close enough to what is expected.
 *
 * @param {number} actual
 * @param {number} expected
 * @param {number} tolerance absolute
 * @param {string} [what]
 */
export function near(actual, expected, tolerance, what = 'value') {
  const error = Math.abs(actual - expected)
  assert.ok(
    error <= tolerance,
    `${what}: got ${actual}, expected ${expected}, off by ${error}, allowed ${tolerance}`,
  )
}

/**
 * The same for vectors, component by component.
 *
 * @param {ArrayLike<number>} actual
 * @param {ArrayLike<number>} expected
 * @param {number} tolerance absolute
 * @param {string} [what]
 */
export function nearVector(actual, expected, tolerance, what = 'vector') {
  assert.equal(actual.length, expected.length, `${what}: number of components`)
  for (let axis = 0; axis < expected.length; axis++) {
    near(actual[axis], expected[axis], tolerance, `${what}[${axis}]`)
  }
}

/**
 * The turn by an angle about a unit axis.
 *
 * @param {ArrayLike<number>} axis
 * @param {number} angle rad
 * @returns {[number, number, number, number]} quaternion
 */
export function turn(axis, angle) {
  const sine = Math.sin(angle / 2)
  return [axis[0] * sine, axis[1] * sine, axis[2] * sine, Math.cos(angle / 2)]
}

/**
 * Makes steps and calls back after each.
 *
 * @param {World} world
 * @param {number} count
 * @param {(step: number) => void} [afterStep] gets 1 after the first
 * @param {number} [timeStep] s
 */
export function stepMany(world, count, afterStep, timeStep = dt) {
  for (let step = 1; step <= count; step++) {
    world.step(timeStep)
    afterStep?.(step)
  }
}

/**
 * Sum of the normal impulses of all contact points of the last step.
 *
 * @param {World} world
 * @returns {number} N s
 */
export const totalNormalImpulse = (world) =>
  world.contactPoints().reduce((sum, point) => sum + point.normalImpulse, 0)

/**
 * Sum of the normal impulses between two bodies in the last step.
 *
 * @param {Body} body
 * @param {Body} other
 * @returns {number} N s
 */
export function impulseBetween(body, other) {
  let sum = 0
  for (const contact of body.contacts()) {
    if (contact.other.id !== other.id) continue
    for (const point of contact.points) sum += point.normalImpulse
  }
  return sum
}

/**
 * Steps and distance until a block that slides on the flat stops, in semi-implicit Euler.
 *
 * @param {number} speed m/s
 * @param {number} friction
 * @param {number} [timeStep] s
 * @returns {{ steps: number, distance: number }} steps in which it still moves
 */
export function slideUntilStop(speed, friction, timeStep = dt) {
  const loss = friction * g * timeStep
  const steps = Math.floor(speed / loss)
  return { steps, distance: timeStep * (steps * speed - (loss * steps * (steps + 1)) / 2) }
}

/**
 * Fails unless a call throws a MoreauError with this code.
 *
 * @param {() => unknown} call
 * @param {string} code
 * @param {RegExp} [message]
 */
export function throwsCode(call, code, message = /./) {
  assert.throws(call, (/** @type {any} */ error) => {
    assert.equal(error.name, 'MoreauError', `a ${error?.name} came: ${error?.message}`)
    assert.equal(error.code, code, error.message)
    assert.match(error.message, message)
    return true
  })
}

/**
 * Fails unless a call throws a MoreauError of a code whose message matches.
 *
 * @param {() => unknown} call
 * @param {string} code
 * @param {RegExp} [message]
 */
export function refused(call, code, message = /./) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof MoreauError, String(error))
    assert.equal(error.code, code, error.message)
    assert.match(error.message, message)
    return true
  })
}
