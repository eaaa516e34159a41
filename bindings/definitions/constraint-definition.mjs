import { access } from '../core/access.mjs'
import { checkNames, readNonNegative, readObject, readWord } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { isList } from '../core/lists.mjs'
import { toVector } from '../core/vectors.mjs'
import {
  putConstraintDef,
  putConstraintGiven,
  putCoordinateDrive,
  putPoseMotor,
} from '../generated/records.mjs'
import { FIXED_NUMBERS, NO_JOINTS, readGains, withoutWorld } from './constraint-parts.mjs'
import { putCustom } from './custom-constraint.mjs'
import { GEAR_NAMES, NO_COUPLING, putGear, RACK_NAMES, readRatio } from './gear-definition.mjs'
import { DRIVE_NAMES, readBreak, readDrives, SPRING_JOINT_NAMES } from './joint-drives.mjs'
import { readAnchors, readAxes, readAxis, SOME_AXIS } from './joint-frames.mjs'
import { putReference, readReference, withRests } from './joint-reference.mjs'
import { putPath, readPath } from './path-definition.mjs'
import { POSE_MOTOR_NAMES, readPoseMotor } from './pose-motor.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Bounds } from './bounds.mjs' */
/** @import { Joint } from '../objects/joint.mjs' */
/** @import { ConstraintType, JointType } from '../types/index.mjs' */
/** @import { CallbackTarget } from '../core/callbacks.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/**
 * What a constraint keeps of its definition.
 * @typedef {object} ConstraintMaking
 * @property {ConstraintType | JointType} type
 * @property {boolean} isJoint
 * @property {string} typeName
 * @property {Body | null} bodyA
 * @property {Body | null} bodyB
 * @property {readonly Body[]} bodies
 * @property {readonly Joint[]} [joints] that a gear couples
 * @property {number} [handle] of a custom constraint's functions
 * @property {CustomFunctions} [functions] these
 * @property {readonly Bounds[]} [rows] of a custom constraint
 * @property {unknown} userData
 */

/**
 * The functions of a custom constraint or potential, so that the engine can be given them again.
 * @typedef {object} CustomFunctions
 * @property {() => CallbackTarget} make
 * @property {number} has which there are beside the first: bits (abi/functions.h)
 */

const JOINT_TYPES = /** @type {const} */ ([
  ...['fixed', 'ball', 'hinge', 'slider', 'distance', 'rope', 'spring', 'universal', 'sixDof'],
  ...['gear', 'rackAndPinion', 'pulley', 'wheel', 'motor', 'path'],
])
/** @type {readonly ConstraintType[]} */
const OTHER_TYPES = ['custom', 'distance', 'unitQuaternion']

const COMMON = ['type', 'alpha', 'beta', 'compliance', 'userData']
/** What joints and distances have that were made before, at other poses. */
const KEPT = Object.freeze(['drives', 'reference'])
const PLACED = ['anchor', 'anchorA', 'anchorB', 'collideConnected', 'breakForce', 'breakTorque']
const AXES = ['axis', 'axisA', 'axisB']
/** Names of the options by type. */
const NAMES = Object.freeze({
  custom: [
    ...['bodies', 'dimension', 'evaluate', 'jacobian', 'timeDerivative', 'bounds', 'isActive'],
    'typeName',
  ],
  unitQuaternion: ['bodies'],
  distance: [...PLACED, 'length', ...DRIVE_NAMES],
  ball: [...PLACED, ...AXES, 'limits'],
  fixed: PLACED,
  motor: [...PLACED, ...POSE_MOTOR_NAMES],
  hinge: [...PLACED, ...AXES, ...DRIVE_NAMES],
  slider: [...PLACED, ...AXES, ...DRIVE_NAMES],
  rope: [...PLACED, 'length'],
  spring: [...PLACED, ...SPRING_JOINT_NAMES],
  universal: [...PLACED, 'axisA', 'axisB'],
  sixDof: [...PLACED, 'linear', 'angular'],
  gear: GEAR_NAMES,
  rackAndPinion: RACK_NAMES,
  pulley: [...PLACED, 'groundAnchorA', 'groundAnchorB', 'ratio', 'length'],
  wheel: [...PLACED, ...AXES, 'axle', 'spring', 'limits', 'motor', 'friction', 'steering'],
  path: [
    ...PLACED.filter((name) => name !== 'anchorA'),
    ...['points', 'closed', 'align', ...DRIVE_NAMES],
  ],
})

/**
 * Checks the definition of a joint and puts it into the shared block, in the order of
 * constraint_create in abi/exports_constraint.c.
 * @param {WorldCore} core
 * @param {unknown} value a JointDefinition
 * @returns {ConstraintMaking}
 */
export function putJoint(core, value) {
  const where = 'createJoint'
  const definition = readObject(value, `${where}: definition`)
  const type = readWord(definition.type, `${where}: type`, JOINT_TYPES)
  checkNames(definition, [...COMMON, ...KEPT, 'bodyA', 'bodyB', ...NAMES[type]], where)
  if (type === 'gear' || type === 'rackAndPinion') return putCoupled(core, definition, type, where)
  const bodyA = readBody(core, definition.bodyA ?? null, `${where}: bodyA`)
  const bodyB = readBody(core, definition.bodyB ?? null, `${where}: bodyB`)
  return putPlaced(core, definition, type, bodyA, bodyB, true, where)
}

/**
 * Says of a joint where it is made.
 * @param {unknown} value
 * @param {string} path
 */
function readOtherType(value, path) {
  const isJoint = JOINT_TYPES.some((type) => type === value && type !== 'distance')
  if (isJoint)
    throw invalid(path, `'${OTHER_TYPES.join("', '")}' (createJoint makes joints)`, value)
  return readWord(value, path, OTHER_TYPES)
}

/**
 * The same for other constraints.
 * @param {WorldCore} core
 * @param {unknown} value a ConstraintDefinition
 * @returns {ConstraintMaking}
 */
export function putConstraint(core, value) {
  const where = 'createConstraint'
  const definition = readObject(value, `${where}: definition`)
  const type = readOtherType(definition.type, `${where}: type`)
  const more = type === 'distance' ? ['bodies', ...KEPT] : []
  checkNames(definition, [...COMMON, ...more, ...NAMES[type]], where)
  const most = type === 'unitQuaternion' ? 1 : 2
  const [bodyA, bodyB] = readBodies(core, definition.bodies, most, `${where}: bodies`)
  if (type === 'custom') return putCustom(core, definition, bodyA, bodyB, where)
  return putPlaced(core, definition, type, bodyA, bodyB, false, where)
}

// --- bodies ---------------------------------------------------------------------------------------

/**
 * @param {WorldCore} core
 * @param {unknown} value
 * @param {string} path
 * @returns {Body | null}
 */
function readBody(core, value, path) {
  return value === null ? null : core.own(value, path, 'a body of this world, or null')
}

/**
 * @param {WorldCore} core
 * @param {unknown} value a body, or a list of one or two
 * @param {number} most
 * @param {string} path
 * @returns {[Body, Body | null]}
 */
function readBodies(core, value, most, path) {
  const list = isList(value) ? value : [value]
  const first = access.isBody(list[0])
    ? readBody(core, list[0], isList(value) ? `${path}[0]` : path)
    : null
  if (first === null || list.length > most) {
    throw invalid(path, most === 1 ? 'one body' : 'one or two bodies', value)
  }
  return [first, readBody(core, list[1] ?? null, `${path}[1]`)]
}

// --- gears ----------------------------------------------------------------------------------------

/**
 * @param {WorldCore} core
 * @param {Record<string, unknown>} definition
 * @param {'gear' | 'rackAndPinion'} type
 * @param {string} where
 * @returns {ConstraintMaking}
 */
function putCoupled(core, definition, type, where) {
  const { jointA, jointB, bodyA, bodyB } = definition
  const hasJoints = type === 'rackAndPinion' || jointA !== undefined || jointB !== undefined
  if (hasJoints && (bodyA !== undefined || bodyB !== undefined || definition.axis !== undefined)) {
    const message = `${where}: give either jointA and jointB, or bodyA, bodyB and axis`
    throw new MoreauError('invalid-argument', message)
  }
  const gains = readGains(definition, false, where)
  if (hasJoints) {
    return putGear(core, definition, type, SOME_AXIS, undefined, gains, FIXED_NUMBERS, where)
  }
  const axis = readAxis(definition.axis, `${where}: axis`)
  const first = core.own(bodyA, `${where}: bodyA`)
  const second = core.own(bodyB, `${where}: bodyB`)
  if (first === second) throw invalid(`${where}: bodyB`, 'another body than bodyA', bodyB)
  return putGear(core, definition, type, axis, [first, second], gains, FIXED_NUMBERS, where)
}

/**
 * What only pulleys and wheels have.
 * @param {Record<string, unknown>} definition
 * @param {string} type
 * @param {string} where
 */
function readOwn({ ratio, groundAnchorA, groundAnchorB, steering = 0 }, type, where) {
  if (type === 'wheel') {
    return { ...NO_COUPLING, steering: readSteering(steering, `${where}: steering`) }
  }
  if (type !== 'pulley') return NO_COUPLING
  const factor = readRatio(ratio, `${where}: ratio`)
  if (factor < 0) throw invalid(`${where}: ratio`, 'a number above 0', ratio)
  return {
    ...NO_COUPLING,
    ratio: factor,
    groundAnchorA: toVector(groundAnchorA, `${where}: groundAnchorA`),
    groundAnchorB: toVector(groundAnchorB, `${where}: groundAnchorB`),
  }
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {number} rad
 */
export function readSteering(value, path) {
  if (typeof value === 'number' && Math.abs(value) <= Math.PI) return value
  throw invalid(path, 'an angle in rad, -pi to pi', value)
}

// --- joints, distances, unit quaternions ----------------------------------------------------------

/**
 * @param {WorldCore} core
 * @param {Record<string, unknown>} definition
 * @param {JointType | 'unitQuaternion'} type
 * @param {Body | null} bodyA
 * @param {Body | null} bodyB
 * @param {boolean} isJoint
 * @param {string} where
 * @returns {ConstraintMaking}
 */
function putPlaced(core, definition, type, bodyA, bodyB, isJoint, where) {
  if (bodyA === null && bodyB === null) {
    throw invalid(`${where}: bodyB`, 'a body where bodyA is null', definition.bodyB)
  }
  if (bodyA === bodyB) throw invalid(`${where}: bodyB`, 'another body than bodyA', bodyB)
  const anchors = readAnchors(definition, type, bodyA, bodyB, where)
  const reference = readReference(definition.reference, type, `${where}: reference`)
  const drives = withRests(readDrives(definition, type, where), reference)
  const axes = readAxes(definition, type, where)
  const load = readBreak(definition, where)
  const own = readOwn(definition, type, where)
  const length = type === 'distance' ? definition.length : undefined
  const path = type === 'path' ? readPath(definition, where) : undefined
  const poseMotor = type === 'motor' ? readPoseMotor(definition, `${where}: `) : undefined
  if (length !== undefined) {
    readNonNegative(length, `${where}: length`)
    for (const name of DRIVE_NAMES) {
      if (definition[name] === undefined) continue
      const message = `${where}: length and ${name} exclude each other`
      throw new MoreauError('invalid-argument', message)
    }
  }
  const gains = readGains(definition, type === 'unitQuaternion', where)
  const { collideConnected = !isJoint } = definition
  if (typeof collideConnected !== 'boolean') {
    throw invalid(`${where}: collideConnected`, 'true or false', collideConnected)
  }
  const { userData } = definition
  // From here on no code of the user runs.
  core.alive(where)
  core.engine.begin(FIXED_NUMBERS + (path?.points.length ?? 0))
  putConstraintDef(core.engine, {
    type,
    bodyA: bodyA?.id ?? 0,
    bodyB: bodyB?.id ?? 0,
    collideConnected,
    ...own,
    ...{ anchorA: anchors.a, anchorB: anchors.b, axisA: axes.a, axisB: axes.b },
    ...{ hasLength: length !== undefined, length: Number(length ?? 0) },
    ...load,
    ...gains,
  })
  putConstraintGiven(core.engine, {
    hasWorldAnchor: anchors.isWorld,
    hasWorldAxis: axes.isWorld,
    driveCount: drives.length,
    hasPoseMotor: poseMotor !== undefined,
    hasReference: reference !== undefined,
    hasPath: path !== undefined,
    hasFunctions: false,
    ...NO_JOINTS,
  })
  for (const drive of drives) putCoordinateDrive(core.engine, drive)
  if (poseMotor !== undefined) putPoseMotor(core.engine, poseMotor)
  if (reference !== undefined) putReference(core.engine, reference)
  if (path !== undefined) putPath(core.engine, path)
  const bodies = withoutWorld(bodyA, bodyB)
  return {
    ...{ type, isJoint, typeName: type, bodyA, bodyB, bodies: Object.freeze(bodies) },
    userData,
  }
}
