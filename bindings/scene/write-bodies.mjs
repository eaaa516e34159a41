import { BODY_TYPES, COMBINE_RULES, SOLVERS, TARGET_STATES } from '../generated/enums.mjs'
import * as BODY_DEF from '../generated/places/body-def.mjs'
import { defaults, usualDensity } from '../definitions/body-definition.mjs'
import { isNoTurn, isOrigin, writeShapes } from './write-shapes.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { AssetWriter } from './assets.mjs' */

/** Where numbers are that are written if they are not the defaults of the engine. */
const WITH_DEFAULT = Object.entries({
  friction: BODY_DEF.friction,
  restitution: BODY_DEF.restitution,
  linearDamping: BODY_DEF.linearDamping,
  angularDamping: BODY_DEF.angularDamping,
  gravityScale: BODY_DEF.gravityScale,
})
/** Where vectors and numbers are that are 0 by default. */
const VECTORS = Object.entries({
  linearVelocity: BODY_DEF.linearVelocity,
  angularVelocity: BODY_DEF.angularVelocity,
})
const PUSHES = Object.entries({
  surfaceVelocity: BODY_DEF.surfaceVelocity,
  force: BODY_DEF.force,
  torque: BODY_DEF.torque,
})
const LENGTHS = Object.entries({
  rollingFriction: BODY_DEF.rollingFriction,
  spinningFriction: BODY_DEF.spinningFriction,
})
const COMBINES = Object.entries({
  frictionCombine: BODY_DEF.frictionCombine,
  restitutionCombine: BODY_DEF.restitutionCombine,
})
const LOCKS = Object.entries({
  lockTranslation: BODY_DEF.lockTranslation,
  lockRotation: BODY_DEF.lockRotation,
})

/**
 * A body as a scene has it: its definition, without what is as it is by default.
 * @param {WorldCore} core
 * @param {Body} body
 * @param {AssetWriter} assets
 * @returns {Record<string, unknown>}
 */
export function writeBody(core, body, assets) {
  core.check(core.engine.exports.body_get_definition(core.pointer, body.id), 'toJSON')
  core.engine.begin(BODY_DEF.NUMBERS)
  const numbers = core.engine.takeAll(BODY_DEF.NUMBERS)
  /** @type {Record<string, unknown>} */
  const written = { type: BODY_TYPES[numbers[BODY_DEF.type]] }
  writePlace(numbers, written)
  if (body.shapes.length > 0) {
    written.shapes = writeShapes(core, body, numbers[BODY_DEF.density], assets)
  }
  writeMass(core, numbers, written)
  writeRest(numbers, written)
  writeSurface(numbers, written)
  writeTarget(numbers, written)
  // What is on its way does not sleep, though somebody may have put it to sleep.
  const isAsleep = written.type !== 'static' && body.isEnabled && !body.isAwake
  if (isAsleep && !written.target) written.asleep = true
  return written
}

/**
 * @param {readonly number[]} numbers
 * @param {number} at
 */
const vectorAt = (numbers, at) => numbers.slice(at, at + 3)

/**
 * @param {readonly number[]} numbers
 * @param {Record<string, unknown>} written
 */
function writePlace(numbers, written) {
  written.position = vectorAt(numbers, BODY_DEF.position)
  const orientation = numbers.slice(BODY_DEF.orientation, BODY_DEF.orientation + 4)
  if (!isNoTurn(orientation)) written.orientation = orientation
  writeVectors(numbers, VECTORS, written)
}

/**
 * @param {readonly number[]} numbers
 * @param {[name: string, at: number][]} places
 * @param {Record<string, unknown>} written
 */
function writeVectors(numbers, places, written) {
  for (const [name, at] of places) {
    const vector = vectorAt(numbers, at)
    if (!isOrigin(vector)) written[name] = vector
  }
}

/**
 * @param {WorldCore} core
 * @param {readonly number[]} numbers
 * @param {Record<string, unknown>} written
 */
function writeMass(core, numbers, written) {
  const density = numbers[BODY_DEF.density]
  const hasMass = numbers[BODY_DEF.hasMass] !== 0
  if (hasMass) written.mass = numbers[BODY_DEF.mass]
  if (density !== usualDensity(core.metre)) written.density = density
  if (numbers[BODY_DEF.hasInertia] !== 0) {
    written.inertia = numbers.slice(BODY_DEF.inertia, BODY_DEF.inertia + 9)
  }
  if (numbers[BODY_DEF.hasCenterOfMass] !== 0) {
    written.centerOfMass = vectorAt(numbers, BODY_DEF.centerOfMass)
  }
}

/**
 * @param {readonly number[]} numbers
 * @param {Record<string, unknown>} written
 */
function writeRest(numbers, written) {
  const presets = /** @type {Record<string, unknown>} */ (defaults())
  for (const [name, at] of WITH_DEFAULT) {
    if (!Object.is(numbers[at], presets[name])) written[name] = numbers[at]
  }
  if (numbers[BODY_DEF.hasSolver] !== 0) written.solver = SOLVERS[numbers[BODY_DEF.solver]]
  const [category, mask, group] = vectorAt(numbers, BODY_DEF.filter)
  const preset = defaults().filter
  if (category !== preset.category || mask !== preset.mask || group !== preset.group) {
    written.filter = { category, mask, group }
  }
  if (numbers[BODY_DEF.isEnabled] === 0) written.isEnabled = false
  if (numbers[BODY_DEF.bullet] !== 0) written.bullet = true
  if (numbers[BODY_DEF.allowSleep] === 0) written.allowSleep = false
}

/**
 * @param {readonly number[]} numbers
 * @param {Record<string, unknown>} written
 */
function writeSurface(numbers, written) {
  for (const [name, at] of COMBINES) {
    const rule = COMBINE_RULES[numbers[at]]
    if (rule !== 'geometricMean') written[name] = rule
  }
  for (const [name, at] of LENGTHS) {
    if (!Object.is(numbers[at], 0)) written[name] = numbers[at]
  }
  writeVectors(numbers, PUSHES, written)
  for (const [name, at] of LOCKS) {
    const bits = numbers[at]
    if (bits !== 0) written[name] = [1, 2, 4].map((bit) => (bits & bit) !== 0)
  }
}

/**
 * @param {readonly number[]} numbers
 * @param {Record<string, unknown>} written
 */
function writeTarget(numbers, written) {
  const at = BODY_DEF.target
  const state = TARGET_STATES[numbers[at]]
  if (state === 'none') return
  written.target = {
    position: vectorAt(numbers, at + 1),
    orientation: numbers.slice(at + 4, at + 8),
    time: numbers[at + 8],
    isReached: state === 'reached' || undefined,
  }
}
