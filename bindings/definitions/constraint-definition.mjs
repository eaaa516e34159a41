import { access } from '../core/access.mjs'
import {
  checkNames,
  readInteger,
  readNonNegative,
  readObject,
  readWord,
} from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { toVector } from '../core/vectors.mjs'
import {
  CONSTRAINT_DEF_NUMBERS,
  CONSTRAINT_GIVEN_NUMBERS,
  COORDINATE_DRIVE_NUMBERS,
  CUSTOM_CONSTRAINT_NUMBERS,
  putConstraintDef,
  putConstraintGiven,
  putCoordinateDrive,
  POSE_MOTOR_NUMBERS,
  putPoseMotor,
  putCustomConstraint,
  putRowBounds,
  ROW_BOUNDS_NUMBERS,
} from '../generated/records.mjs'
import { readBounds } from './bounds.mjs'
import { KIND } from '../core/callbacks.mjs'
import { ConstraintCallbacks } from './constraint-callbacks.mjs'
import { MoreauError } from '../core/errors.mjs'
import { GEAR_NAMES, NO_COUPLING, putGear, RACK_NAMES, readRatio } from './gear-definition.mjs'
import { DRIVE_NAMES, readBreak, readDrives, SPRING_JOINT_NAMES } from './joint-drives.mjs'
import { putReference, readReference, REFERENCE_NUMBERS, withRests } from './joint-reference.mjs'
import { PATH_NUMBERS, putPath, readPath } from './path-definition.mjs'
import { POSE_MOTOR_NAMES, readPoseMotor } from './pose-motor.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Bounds } from './bounds.mjs' */
/** @import { ConstraintFunctions } from './constraint-callbacks.mjs' */
/** @import { Joint } from '../objects/joint.mjs' */
/** @import { ConstraintType, JointType, Vector } from '../types/index.mjs' */
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

/**
 * The functions of a custom constraint and what belongs to them.
 * @typedef {object} CustomPart
 * @property {ConstraintFunctions} functions
 * @property {number} dimension
 * @property {Bounds[]} bounds
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

/** MO_CONSTRAINT_ROWS */
const MOST_ROWS = 32
/** Longest name of a custom constraint, bytes. */
const MOST_NAME_BYTES = 31
/** Numbers of every definition, and of a custom one at the most, but for its name. */
const MOST_COORDINATES = 6
const FIXED_NUMBERS =
  CONSTRAINT_DEF_NUMBERS +
  CONSTRAINT_GIVEN_NUMBERS +
  MOST_COORDINATES * COORDINATE_DRIVE_NUMBERS +
  POSE_MOTOR_NUMBERS +
  REFERENCE_NUMBERS +
  PATH_NUMBERS
const CUSTOM_NUMBERS = FIXED_NUMBERS + CUSTOM_CONSTRAINT_NUMBERS + MOST_ROWS * ROW_BOUNDS_NUMBERS

const NO_JOINTS = Object.freeze({ jointA: 0, jointB: 0 })
const DEFAULT_GAIN = 10
export const HAS_AXES = new Set(['hinge', 'slider', 'ball', 'universal', 'wheel'])
/** Types whose anchors are two points, which default to the centres of mass. */
const TWO_POINTS = new Set(['distance', 'rope', 'spring', 'pulley'])
/** Types of which any point will do, or the centre of B. */
const ANY_POINT = new Set(['fixed', 'slider', 'sixDof', 'wheel'])
/** Of what has neither anchors nor axes. @type {Vector} */
const ORIGIN = [0, 0, 0]
/** @type {Vector} */
const SOME_AXIS = [1, 0, 0]

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
 * The same for other constraints.
 * @param {WorldCore} core
 * @param {unknown} value a ConstraintDefinition
 * @returns {ConstraintMaking}
 */
export function putConstraint(core, value) {
  const where = 'createConstraint'
  const definition = readObject(value, `${where}: definition`)
  const type = readWord(definition.type, `${where}: type`, OTHER_TYPES)
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

/**
 * @param {Body | null} a
 * @param {Body | null} b
 * @returns {Body[]}
 */
function withoutWorld(a, b) {
  return [a, b].filter((body) => body !== null)
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
 * Anchors or axes of both sides, and whether they are in the world's frame.
 * @typedef {{ isWorld: boolean, a: Readonly<Vector>, b: Readonly<Vector> }} Pair
 */

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

/**
 * @param {Record<string, unknown>} definition
 * @param {JointType | 'unitQuaternion'} type
 * @param {Body | null} bodyA
 * @param {Body | null} bodyB
 * @param {string} where
 * @returns {Pair}
 */
function readAnchors(definition, type, bodyA, bodyB, where) {
  const { anchor, anchorA, anchorB } = definition
  if (anchor !== undefined) {
    if (
      anchorA !== undefined ||
      anchorB !== undefined ||
      (type !== 'path' && TWO_POINTS.has(type))
    ) {
      const message = `${where}: anchor is one point for both; give anchorA and anchorB here`
      throw new MoreauError('invalid-argument', message)
    }
    const point = toVector(anchor, `${where}: anchor`)
    return { isWorld: true, a: point, b: point }
  }
  const drivesPose = type === 'motor' && definition.targetPosition !== undefined
  const isFree = ANY_POINT.has(type) || (type === 'motor' && !drivesPose)
  if (type === 'unitQuaternion') return { isWorld: false, a: ORIGIN, b: ORIGIN }
  if (type === 'path') {
    return { isWorld: false, a: ORIGIN, b: readAnchor(anchorB, bodyB, `${where}: anchorB`) }
  }
  if (isFree && anchorA === undefined && anchorB === undefined) {
    const point = (bodyB ?? bodyA)?.worldCenterOfMass ?? [0, 0, 0]
    return { isWorld: true, a: point, b: point }
  }
  if (drivesPose && anchorA === undefined && anchorB === undefined) {
    // Then the target is the position of B in the frame of A.
    return { isWorld: false, a: ORIGIN, b: ORIGIN }
  }
  const center = TWO_POINTS.has(type)
  return {
    isWorld: false,
    a: readAnchor(anchorA, center ? bodyA : null, `${where}: anchorA`, !center),
    b: readAnchor(anchorB, center ? bodyB : null, `${where}: anchorB`, !center),
  }
}

/**
 * @param {unknown} value
 * @param {Body | null} body whose centre of mass is the default; null: there is none
 * @param {string} path
 * @param {boolean} [hasOther] one `anchor` for both bodies would do as well
 * @returns {Readonly<Vector>}
 */
function readAnchor(value, body, path, hasOther = false) {
  if (value === undefined && body !== null) return body.centerOfMass
  if (value === undefined) {
    const other = hasOther ? '; or give anchor, one point in the world for both' : ''
    throw new MoreauError('invalid-argument', `${path} is missing${other}`)
  }
  return toVector(value, path)
}

/**
 * @param {Record<string, unknown>} definition
 * @param {JointType | 'unitQuaternion'} type
 * @param {string} where
 * @returns {Pair}
 */
function readAxes(definition, type, where) {
  const { axis, axisA, axisB } = definition
  if (type === 'wheel' && axis !== undefined && axisA === undefined && axisB === undefined) {
    const axle = readAxis(definition.axle, `${where}: axle`)
    return { isWorld: true, a: readAxis(axis, `${where}: axis`), b: axle }
  }
  if (definition.axle !== undefined) {
    const message = `${where}: give either axis and axle (world) or axisA and axisB (body frames)`
    throw new MoreauError('invalid-argument', message)
  }
  const isFree =
    type === 'ball' && definition.limits === undefined && definition.drives === undefined
  const isGiven = axis !== undefined || axisA !== undefined || axisB !== undefined
  if (!HAS_AXES.has(type) || (isFree && !isGiven)) {
    return { isWorld: false, a: SOME_AXIS, b: SOME_AXIS }
  }
  if (axis === undefined && axisA !== undefined && axisB !== undefined) {
    return {
      isWorld: false,
      a: readAxis(axisA, `${where}: axisA`),
      b: readAxis(axisB, `${where}: axisB`),
    }
  }
  if (axisA !== undefined || axisB !== undefined) {
    const message = `${where}: give either axis (world) or both axisA and axisB (body frames)`
    throw new MoreauError('invalid-argument', message)
  }
  const both = readAxis(axis, `${where}: axis`)
  return { isWorld: true, a: both, b: both }
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {Vector}
 */
export function readAxis(value, path) {
  const axis = toVector(value, path)
  const size = Math.max(...axis.map(Math.abs))
  // Any length will do: those whose square would overflow, or vanish, are brought near to 1.
  if (size > 0)
    return size > 1e-100 && size < 1e100
      ? axis
      : /** @type {Vector} */ (axis.map((one) => one / size))
  throw invalid(path, 'a direction, not zero', value)
}

/**
 * @param {Record<string, unknown>} definition
 * @param {boolean} isOwn whether alpha and beta hold where they are not given
 * @param {string} where
 */
function readGains(definition, isOwn, where) {
  const { alpha, beta, compliance = 0 } = definition
  const has = isOwn || alpha !== undefined || beta !== undefined
  return {
    hasStabilization: has,
    alpha: readNonNegative(alpha ?? DEFAULT_GAIN, `${where}: alpha`),
    beta: readNonNegative(beta ?? DEFAULT_GAIN, `${where}: beta`),
    compliance: readNonNegative(compliance, `${where}: compliance`),
  }
}

// --- custom constraints ---------------------------------------------------------------------------

/**
 * @param {WorldCore} core
 * @param {Record<string, unknown>} definition
 * @param {Body} bodyA
 * @param {Body | null} bodyB
 * @param {string} where
 * @returns {ConstraintMaking}
 */
function putCustom(core, definition, bodyA, bodyB, where) {
  const custom = readCustom(definition, where)
  const gains = readGains(definition, true, where)
  const { typeName = 'custom' } = definition
  if (typeof typeName !== 'string') throw invalid(`${where}: typeName`, 'a string', typeName)
  const name = new TextEncoder().encode(typeName).subarray(0, MOST_NAME_BYTES)
  const bodies = withoutWorld(bodyA, bodyB)
  const { userData } = definition
  // From here on no code of the user runs.
  core.alive(where)
  core.callbacks.checkUnlocked(where)

  const { functions, dimension, bounds } = custom
  const make = () => new ConstraintCallbacks(functions, bodies, dimension)
  const handle = core.callbacks.add(KIND.constraint, make)
  const module = core.engine
  module.begin(CUSTOM_NUMBERS + name.length)
  putConstraintDef(module, {
    ...{ type: 'custom', bodyA: bodyA.id, bodyB: bodyB?.id ?? 0, collideConnected: true },
    ...NO_COUPLING,
    ...{ anchorA: ORIGIN, anchorB: ORIGIN, axisA: SOME_AXIS, axisB: SOME_AXIS },
    ...{ hasLength: false, length: 0, breakForce: Infinity, breakTorque: Infinity },
    ...gains,
  })
  putConstraintGiven(module, {
    hasWorldAnchor: false,
    hasWorldAxis: false,
    driveCount: 0,
    hasPoseMotor: false,
    hasReference: false,
    hasPath: false,
    hasFunctions: true,
    ...NO_JOINTS,
  })
  putCustomConstraint(module, {
    ...{ handle, dimension, nameLength: name.length },
    hasJacobian: functions.jacobian !== undefined,
    hasTimeDerivative: functions.timeDerivative !== undefined,
    hasIsActive: functions.isActive !== undefined,
  })
  for (const row of bounds) putRowBounds(module, row)
  module.putAll(name)
  return {
    ...{ type: 'custom', isJoint: false, typeName, bodyA, bodyB, bodies: Object.freeze(bodies) },
    ...{ handle, userData, rows: Object.freeze(bounds) },
    functions: { make, has: hasOfConstraint(functions) },
  }
}

/**
 * @param {ConstraintFunctions} functions
 * @returns {number} bits
 */
function hasOfConstraint({ jacobian, timeDerivative, isActive }) {
  return (jacobian ? 1 : 0) | (timeDerivative ? 2 : 0) | (isActive ? 4 : 0)
}

/**
 * What a custom constraint that comes out of a snapshot has of its own.
 * @param {Record<string, unknown>} definition
 * @param {readonly Body[]} bodies
 * @param {string} where
 * @returns {{ functions: CustomFunctions, rows: readonly Bounds[] }}
 */
export function customOfConstraint(definition, bodies, where) {
  const { functions, dimension, bounds } = readCustom(definition, where)
  const make = () => new ConstraintCallbacks(functions, [...bodies], dimension)
  return { functions: { make, has: hasOfConstraint(functions) }, rows: Object.freeze(bounds) }
}

/**
 * @param {Record<string, unknown>} definition
 * @param {string} where
 * @returns {CustomPart}
 */
function readCustom(definition, where) {
  const { evaluate, bounds = 'bilateral' } = definition
  if (typeof evaluate !== 'function') throw invalid(`${where}: evaluate`, 'a function', evaluate)
  const dimension = readInteger(definition.dimension, `${where}: dimension`, 1, MOST_ROWS)
  const functions = /** @type {ConstraintFunctions} */ ({ evaluate })
  for (const name of /** @type {const} */ (['jacobian', 'timeDerivative', 'isActive'])) {
    const given = definition[name]
    if (given === undefined) continue
    if (typeof given !== 'function') throw invalid(`${where}: ${name}`, 'a function', given)
    functions[name] = /** @type {any} */ (given)
  }
  return { functions, dimension, bounds: readBounds(bounds, dimension, `${where}: bounds`) }
}
