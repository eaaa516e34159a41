import { access } from '../core/access.mjs'
import { HAS_AXES } from '../definitions/joint-frames.mjs'
import {
  coordinateCount,
  gainsOf,
  HAS_ONE_DRIVE,
  limitsOf,
  motorOf,
  springOf,
} from '../definitions/joint-drives.mjs'
import { poseMotorOf } from '../definitions/pose-motor.mjs'
import {
  CONSTRAINT_DEF_NUMBERS,
  COORDINATE_DRIVE_NUMBERS,
  POSE_MOTOR_NUMBERS,
  takeConstraintDef,
  takeCoordinateDrive,
  takePoseMotor,
} from '../generated/records.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Bounds } from '../definitions/bounds.mjs' */
/** @import { Constraint } from '../objects/constraint.mjs' */
/** @import { ConstraintDef } from '../generated/records.mjs' */
/** @import { Drive } from '../definitions/joint-drives.mjs' */
/** @import { ConstraintMaking } from '../definitions/constraint-definition.mjs' */
/** @import { Joint } from '../objects/joint.mjs' */
/** @import { JointPath } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/** @typedef {Record<string, unknown>} Written */

/**
 * The numbers by which others name what is written.
 * @typedef {object} Places
 * @property {ReadonlyMap<Body, number>} bodies
 * @property {ReadonlyMap<Constraint, number>} joints
 */

/** Types whose only coordinate is mostly a length that is the most. */
const IS_ROPE = new Set(['rope', 'pulley'])
/** Types that have neither anchors nor a reference. */
const IS_BARE = new Set(['custom', 'unitQuaternion'])
/** The gains of these are 10 where nothing else is said; joints leave errors to the world. */
const DEFAULT_GAIN = 10

/**
 * A joint or another constraint as a scene has it.
 * @param {WorldCore} core
 * @param {Constraint} constraint
 * @param {Places} places
 * @returns {Written}
 */
export function writeConstraint(core, constraint, places) {
  const { id, making } = access.constraintMaking(constraint)
  core.check(core.engine.exports.constraint_get_definition(core.pointer, id), 'toJSON')
  core.engine.begin(CONSTRAINT_DEF_NUMBERS)
  const definition = takeConstraintDef(core.engine)
  const { type } = making
  return {
    type,
    ...(making.isJoint ? joined(making, definition, places) : heldBodies(making, places)),
    ...(type === 'custom' ? customPart(making) : {}),
    ...(IS_BARE.has(type) || coupled(making) ? {} : anchorsOf(type, definition)),
    ...ownOf(type, definition),
    ...(type === 'path' ? pathOf(constraint) : {}),
    ...drivesOf(core, constraint, id, definition),
    ...loadsOf(making, definition),
    ...gainsOfRows(type, definition),
    ...(IS_BARE.has(type) ? {} : { reference: constraint.reference }),
  }
}

/** @param {ConstraintMaking} making whether it couples joints, or bodies as a gear does */
function coupled({ type }) {
  return type === 'gear' || type === 'rackAndPinion'
}

// --- what it holds --------------------------------------------------------------------------------

/**
 * @param {Body | null} body
 * @param {Places} places
 */
function placeOf(body, { bodies }) {
  return body === null ? null : bodies.get(body)
}

/**
 * @param {ConstraintMaking} making of a joint
 * @param {ConstraintDef} definition
 * @param {Places} places
 * @returns {Written}
 */
function joined(making, definition, places) {
  const { joints = [], bodyA, bodyB } = making
  if (joints.length > 0) {
    return { jointA: places.joints.get(joints[0]), jointB: places.joints.get(joints[1]) }
  }
  const bodies = { bodyA: placeOf(bodyA, places), bodyB: placeOf(bodyB, places) }
  return making.type === 'gear' ? { ...bodies, axis: definition.axisA } : bodies
}

/**
 * @param {ConstraintMaking} making
 * @param {Places} places
 * @returns {Written}
 */
function heldBodies({ bodyA, bodyB }, places) {
  const bodies = [placeOf(bodyA, places)]
  return { bodies: bodyB === null ? bodies : [...bodies, placeOf(bodyB, places)] }
}

/**
 * @param {ConstraintMaking} making
 * @returns {Written}
 */
export function customPart({ typeName, rows = [] }) {
  const bounds = []
  for (let i = 0; i < rows.length; i += rows[i].isCone ? 3 : 1) bounds.push(writeBounds(rows[i]))
  return { typeName, dimension: rows.length, bounds }
}

/** @param {Bounds} bounds */
function writeBounds({ kind, lower, upper, friction }) {
  if (kind === 'box') return { lower, upper }
  return kind === 'cone' ? { friction } : kind
}

/**
 * @param {string} type
 * @param {ConstraintDef} definition
 * @returns {Written}
 */
function anchorsOf(type, { anchorA, anchorB, axisA, axisB }) {
  if (type === 'path') return { anchorB }
  return { anchorA, anchorB, ...(HAS_AXES.has(type) ? { axisA, axisB } : {}) }
}

// --- what belongs to its type ---------------------------------------------------------------------

/**
 * @param {string} type
 * @param {ConstraintDef} definition
 * @returns {Written}
 */
function ownOf(type, { ratio, groundAnchorA, groundAnchorB, steering }) {
  if (type === 'gear' || type === 'rackAndPinion') return { ratio }
  if (type === 'pulley') return { ratio, groundAnchorA, groundAnchorB }
  return type === 'wheel' ? { steering } : {}
}

/**
 * @param {Constraint} constraint a path
 * @returns {Written}
 */
function pathOf(constraint) {
  const { points, closed, align } = /** @type {JointPath} */ (
    /** @type {Joint} */ (constraint).path
  )
  return { points, ...(closed ? { closed } : {}), ...(align === 'none' ? {} : { align }) }
}

/**
 * @param {WorldCore} core
 * @param {Constraint} constraint
 * @param {number} id
 * @param {ConstraintDef} definition
 * @returns {Written}
 */
function drivesOf(core, { type }, id, definition) {
  if (type === 'motor') return poseMotor(core, id)
  const drives = Array.from({ length: coordinateCount(type) }, (_, i) => {
    core.check(core.engine.exports.constraint_get_drive(core.pointer, id, i), 'toJSON')
    core.engine.begin(COORDINATE_DRIVE_NUMBERS)
    return takeCoordinateDrive(core.engine)
  })
  const written = drives.map(writeDrive)
  if (HAS_ONE_DRIVE.has(type)) return namedDrive(type, written[0], definition)
  if (IS_ROPE.has(type) && isUpperAlone(written[0])) return { length: drives[0].upper }
  const isDriven = written.some((drive) => Object.keys(drive).length > 0)
  return isDriven || type === 'spring' ? { drives: written } : {}
}

/**
 * @param {string} type
 * @param {Written} drive
 * @param {ConstraintDef} definition
 * @returns {Written}
 */
function namedDrive(type, drive, { length }) {
  return type === 'distance' && Object.keys(drive).length === 0 ? { length } : drive
}

/** @param {Written} drive whether it has an upper limit and nothing else */
function isUpperAlone(drive) {
  const [name, ...others] = Object.keys(drive)
  const limits = /** @type {Written | undefined} */ (drive.limits)
  return name === 'limits' && others.length === 0 && limits?.lower === undefined
}

/**
 * What a coordinate has, without what it does not have.
 * @param {Drive} drive
 * @returns {Written}
 */
function writeDrive(drive) {
  const limits = limitsOf(drive)
  const motor = motorOf(drive)
  const spring = springOf(drive)
  return {
    ...(drive.locked ? { locked: true } : {}),
    ...(limits === null ? {} : { limits: finiteOf({ ...limits }) }),
    ...(motor === null ? {} : { motor: finiteOf({ ...motor }) }),
    ...(spring === null ? {} : { spring }),
    ...(drive.friction > 0 ? { friction: drive.friction } : {}),
  }
}

/**
 * @param {WorldCore} core
 * @param {number} id
 * @returns {Written}
 */
function poseMotor(core, id) {
  core.check(core.engine.exports.constraint_get_pose_motor(core.pointer, id), 'toJSON')
  core.engine.begin(POSE_MOTOR_NUMBERS)
  const motor = takePoseMotor(core.engine)
  return { ...finiteOf({ ...poseMotorOf(motor) }), ...gainsOf(motor.gains) }
}

/**
 * Bounds that are infinite are none.
 * @param {Written} values
 * @returns {Written}
 */
function finiteOf(values) {
  const isFinite = (/** @type {unknown} */ value) => Math.abs(Number(value)) !== Infinity
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isFinite(value)))
}

// --- what all have --------------------------------------------------------------------------------

/**
 * @param {ConstraintMaking} making
 * @param {ConstraintDef} definition
 * @returns {Written}
 */
function loadsOf({ type, isJoint }, { collideConnected, breakForce, breakTorque }) {
  if (IS_BARE.has(type)) return {}
  return {
    ...(collideConnected === !isJoint ? {} : { collideConnected }),
    ...finiteOf({ breakForce, breakTorque }),
  }
}

/**
 * @param {string} type
 * @param {ConstraintDef} definition
 * @returns {Written}
 */
function gainsOfRows(type, { hasStabilization, alpha, beta, compliance }) {
  const isDefault = IS_BARE.has(type) && alpha === DEFAULT_GAIN && beta === DEFAULT_GAIN
  return {
    ...(hasStabilization && !isDefault ? { alpha, beta } : {}),
    ...(compliance === 0 ? {} : { compliance }),
  }
}
