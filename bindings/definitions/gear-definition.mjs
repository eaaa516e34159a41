import { readBoolean, readNumber } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { putConstraintDef, putConstraintGiven, putCoordinateDrive } from '../generated/records.mjs'
import { readBreak, readDrives } from './joint-drives.mjs'
import { putReference, readReference, withRests } from './joint-reference.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Constraint } from '../objects/constraint.mjs' */
/** @import { Joint } from '../objects/joint.mjs' */
/** @import { Vector } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { ConstraintMaking } from './constraint-definition.mjs' */

/**
 * What a gear couples.
 * @typedef {object} Coupled
 * @property {readonly Joint[]} joints two of them, or none
 * @property {Body | null} bodyA that the first one moves
 * @property {Body | null} bodyB
 * @property {readonly Body[]} bodies
 */

export const GEAR_NAMES = Object.freeze([
  ...['bodyA', 'bodyB', 'axis', 'jointA', 'jointB', 'ratio'],
  ...['collideConnected', 'breakForce', 'breakTorque'],
])
export const RACK_NAMES = Object.freeze(
  GEAR_NAMES.filter((name) => !name.startsWith('body') && name !== 'axis'),
)

/** @type {Vector} */
const ORIGIN = [0, 0, 0]
/** What definitions of other types have for couplings and wheels. */
export const NO_COUPLING = Object.freeze({
  ...{ bodyC: 0, bodyD: 0, ratio: 1, steering: 0 },
  ...{ groundAnchorA: ORIGIN, groundAnchorB: ORIGIN },
})

/**
 * Checks the definition of a gear or a rack and puts it into the shared block.
 * @param {WorldCore} core
 * @param {Record<string, unknown>} definition
 * @param {'gear' | 'rackAndPinion'} type
 * @param {Vector} axis of a gear of bodies, world
 * @param {[Body, Body] | undefined} wheels of a gear of bodies
 * @param {{ hasStabilization: boolean, alpha: number, beta: number, compliance: number }} gains
 * @param {number} room numbers of a definition
 * @param {string} where
 * @returns {ConstraintMaking}
 */
export function putGear(core, definition, type, axis, wheels, gains, room, where) {
  const coupled =
    wheels === undefined ? readJoints(core, definition, type, where) : ofBodies(wheels)
  const { joints, bodyA, bodyB, bodies } = coupled
  const ratio = readRatio(definition.ratio, `${where}: ratio`)
  const load = readBreak(definition, where)
  const reference = readReference(definition.reference, type, `${where}: reference`)
  const drives = withRests(readDrives(definition, type, where), reference)
  const collideConnected = readBoolean(
    definition.collideConnected ?? false,
    `${where}: collideConnected`,
  )
  const { userData } = definition
  // From here on no code of the user runs.
  core.alive(where)
  core.engine.begin(room)
  putConstraintDef(core.engine, {
    ...{ ...NO_COUPLING, type, ratio, collideConnected, bodyA: 0, bodyC: 0 },
    bodyB: wheels?.[0].id ?? 0,
    bodyD: wheels?.[1].id ?? 0,
    ...{ anchorA: ORIGIN, anchorB: ORIGIN, axisA: axis, axisB: axis },
    ...{ hasLength: false, length: 0, ...load, ...gains },
  })
  putConstraintGiven(core.engine, {
    ...{ hasWorldAnchor: false, hasWorldAxis: false, driveCount: drives.length },
    ...{ hasPoseMotor: false, hasReference: reference !== undefined },
    ...{ hasPath: false, hasFunctions: false },
    ...{ jointA: joints[0]?.id ?? 0, jointB: joints[1]?.id ?? 0 },
  })
  for (const drive of drives) putCoordinateDrive(core.engine, drive)
  if (reference !== undefined) putReference(core.engine, reference)
  return { type, isJoint: true, typeName: type, bodyA, bodyB, bodies, joints, userData }
}

/**
 * @param {[Body, Body]} wheels
 * @returns {Coupled}
 */
function ofBodies([bodyA, bodyB]) {
  return { joints: [], bodyA, bodyB, bodies: Object.freeze([bodyA, bodyB]) }
}

/**
 * @param {WorldCore} core
 * @param {Record<string, unknown>} definition
 * @param {'gear' | 'rackAndPinion'} type
 * @param {string} where
 * @returns {Coupled}
 */
function readJoints(core, definition, type, where) {
  let jointA = readJoint(core, definition.jointA, `${where}: jointA`)
  let jointB = readJoint(core, definition.jointB, `${where}: jointB`)
  if (type === 'rackAndPinion') {
    // Whichever comes first.
    if (jointA.type === 'slider' && jointB.type === 'hinge') [jointA, jointB] = [jointB, jointA]
    if (jointA.type !== 'hinge')
      throw invalid(`${where}: jointA`, "the pinion's hinge", jointA.type)
    if (jointB.type !== 'slider')
      throw invalid(`${where}: jointB`, "the rack's slider", jointB.type)
  }
  if (jointA === jointB) throw invalid(`${where}: jointB`, 'another joint than jointA', jointB.type)
  const bodies = [...new Set([...jointA.bodies, ...jointB.bodies])]
  return {
    joints: Object.freeze([jointA, jointB]),
    bodyA: jointA.bodyB ?? jointA.bodyA,
    bodyB: jointB.bodyB ?? jointB.bodyA,
    bodies: Object.freeze(bodies),
  }
}

/**
 * @param {WorldCore} core
 * @param {unknown} value
 * @param {string} path
 * @returns {Joint}
 */
function readJoint(core, value, path) {
  const joint = /** @type {Joint} */ (value)
  if (core.constraints.has(/** @type {Constraint} */ (joint))) {
    if (joint.type === 'hinge' || joint.type === 'slider') return joint
    throw invalid(path, 'a hinge or a slider', joint.type)
  }
  if (typeof value === 'object' && value !== null && 'isAlive' in value && !value.isAlive) {
    throw new MoreauError('stale-handle', `${path}: the joint was destroyed`)
  }
  throw invalid(path, 'a hinge or a slider of this world', value)
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number}
 */
export function readRatio(value, path) {
  const ratio = readNumber(value ?? 1, path)
  if (ratio !== 0 && Number.isFinite(1 / ratio)) return ratio
  throw invalid(path, 'a number that is not 0', value)
}
