import { checkNames, isObject, readNonNegative, readObject } from '../core/arguments.mjs'
import { readPositive, readWord } from '../core/arguments.mjs'
import { describe, invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { isList, readItems } from '../core/lists.mjs'
import { toQuaternion, toVector } from '../core/vectors.mjs'
import { BODY_NAMES } from './body-definition.mjs'
import { readAxis } from './joint-frames.mjs'
import { readBallLimits, readBreak, readGains, readLimits, readLoad } from './joint-drives.mjs'
import { SPRING_NAMES } from './joint-drives.mjs'

/** @import { Spring } from './joint-drives.mjs' */
/** @import { Quaternion, Vector } from '../types/index.mjs' */

/**
 * How a bone is joined to its parent, after reading.
 * @typedef {object} ReadBoneJoint
 * @property {'ball' | 'hinge' | 'fixed'} type
 * @property {Vector} axis in the bone's frame
 * @property {Vector | null} parentAxis null: where `axis` is in the pose of the definition
 * @property {Record<string, unknown>} options of createJoint
 */

/**
 * A bone after reading.
 * @typedef {object} ReadBone
 * @property {string} name
 * @property {number} parent its index, -1: none
 * @property {Vector} position in the frame of the parent
 * @property {Quaternion} orientation likewise, of any length
 * @property {number} length m; 0: not given
 * @property {Record<string, unknown>} body of createBody, without a pose
 * @property {ReadBoneJoint | null} joint
 */

/**
 * @typedef {object} ReadSkeleton
 * @property {ReadBone[]} bones
 * @property {Vector} position
 * @property {Quaternion} orientation
 */

const WHERE = 'createRagdoll'
/** What bones say in another way, or each for itself. */
const DIFFERENT = ['position', 'orientation', 'shape', 'shapes', 'mass']
const DEFAULT_NAMES = BODY_NAMES.filter((name) => !DIFFERENT.includes(name))
const OWN_NAMES = [...DEFAULT_NAMES, 'shape', 'shapes', 'mass']
const BONE_NAMES = ['name', 'parent', 'joint', 'length', 'radius', ...BODY_NAMES]
const BREAKS = ['breakForce', 'breakTorque']
const JOINT_NAMES = Object.freeze({
  ball: ['type', 'axis', 'parentAxis', 'cone', 'twist', ...BREAKS],
  hinge: ['type', 'axis', 'limits', 'friction', ...BREAKS],
  fixed: ['type', ...BREAKS],
})
/** Axes of the bone: along it, and across it. */
const AXES = Object.freeze({ ball: [0, 1, 0], hinge: [1, 0, 0], fixed: [1, 0, 0] })
/** Hz: a third of 60 steps per second. What is faster, a spring of implicit Euler only damps. */
const DEFAULT_HERTZ = 20

/**
 * @param {unknown} value a Skeleton
 * @returns {ReadSkeleton}
 */
export function readSkeleton(value) {
  const skeleton = readObject(value, `${WHERE}: skeleton`)
  checkNames(skeleton, ['bones', 'position', 'orientation', 'defaults'], WHERE)
  const { bones, position = [0, 0, 0], orientation = [0, 0, 0, 1], defaults = {} } = skeleton
  const preset = readObject(defaults, `${WHERE}: defaults`)
  checkNames(preset, DEFAULT_NAMES, `${WHERE}: defaults`)
  if (!isList(bones) || bones.length === 0) {
    throw invalid(`${WHERE}: bones`, 'a list of one bone or more', bones)
  }
  /** @type {ReadBone[]} */
  const read = []
  readItems(bones, (bone, i) => read.push(readBone(bone, read, preset, `${WHERE}: bones[${i}]`)))
  return {
    bones: read,
    position: toVector(position, `${WHERE}: position`),
    orientation: toQuaternion(orientation, `${WHERE}: orientation`),
  }
}

/**
 * @param {unknown} value a BoneDefinition
 * @param {readonly ReadBone[]} others before it
 * @param {Record<string, unknown>} preset
 * @param {string} path
 * @returns {ReadBone}
 */
function readBone(value, others, preset, path) {
  const given = readObject(value, path)
  checkNames(given, BONE_NAMES, path)
  const { name, parent, joint, length, position, orientation } = given
  if (typeof name !== 'string' || others.some((other) => other.name === name)) {
    throw invalid(`${path}.name`, 'a string that no bone before has', name)
  }
  const index = readParent(parent, others, `${path}.parent`)
  if (index < 0 && joint !== undefined) {
    throw new MoreauError('invalid-argument', `${path}.joint needs a parent`)
  }
  const tip = [0, others[index]?.length ?? 0, 0]
  return {
    ...{ name, parent: index },
    length: length === undefined ? 0 : readPositive(length, `${path}.length`),
    position: toVector(position ?? tip, `${path}.position`),
    orientation: toQuaternion(orientation ?? [0, 0, 0, 1], `${path}.orientation`),
    body: { ...bodyOf(given, preset), ...readCapsule(given, path) },
    joint: index < 0 ? null : readJoint(joint ?? { type: 'ball' }, `${path}.joint`),
  }
}

/**
 * What createBody is to have, but for the pose: a mass of the bone's own ends the density of all.
 * @param {Record<string, unknown>} bone
 * @param {Record<string, unknown>} preset
 */
function bodyOf(bone, preset) {
  const entries = Object.entries(bone).filter(([name]) => OWN_NAMES.includes(name))
  const own = { ...preset, ...Object.fromEntries(entries) }
  if (bone.mass !== undefined && bone.density === undefined) delete own.density
  return own
}

/**
 * @param {unknown} value
 * @param {readonly ReadBone[]} others
 * @param {string} path
 */
function readParent(value, others, path) {
  if (value === undefined) return -1
  const index = others.findIndex(({ name }) => name === value)
  if (index < 0) throw invalid(path, 'the name of a bone before it', value)
  return index
}

/**
 * The shape of a bone that has a length.
 * @param {Record<string, unknown>} bone
 * @param {string} path
 */
function readCapsule({ length, radius, shape, shapes }, path) {
  const hasShape = shape !== undefined || shapes !== undefined
  if (hasShape !== (length === undefined && radius === undefined)) {
    const message = `${path}: give either shape or shapes, or length and radius`
    throw new MoreauError('invalid-argument', message)
  }
  if (hasShape) return {}
  const whole = readPositive(length, `${path}.length`)
  const round = readPositive(radius, `${path}.radius`)
  if (!(2 * round < whole)) {
    throw invalid(`${path}.radius`, `below half of the length ${describe(whole)}`, radius)
  }
  const middle = { position: [0, whole / 2, 0], halfHeight: whole / 2 - round }
  return { shape: { type: 'capsule', radius: round, ...middle } }
}

/**
 * @param {unknown} value a BoneJoint
 * @param {string} path
 * @returns {ReadBoneJoint}
 */
function readJoint(value, path) {
  const joint = readObject(value, path)
  const type = readWord(joint.type, `${path}.type`, ['ball', 'hinge', 'fixed'])
  checkNames(joint, JOINT_NAMES[type], path)
  const { parentAxis } = joint
  return {
    type,
    axis: readAxis(joint.axis ?? AXES[type], `${path}.axis`),
    parentAxis: parentAxis === undefined ? null : readAxis(parentAxis, `${path}.parentAxis`),
    options: { ...readBreak(joint, path), ...readAngles(joint, type, path) },
  }
}

/**
 * What bounds the angles of a joint, as createJoint has it.
 * @param {Record<string, unknown>} joint
 * @param {string} type
 * @param {string} path
 */
function readAngles({ cone, twist, limits, friction = 0 }, type, path) {
  if (type === 'hinge') {
    return {
      limits: readLimits(limits, `${path}.limits`),
      friction: readNonNegative(friction, `${path}.friction`),
    }
  }
  if (cone === undefined && twist === undefined) return {}
  const given = { ...(cone !== undefined && { cone }), ...(twist !== undefined && { twist }) }
  readBallLimits(given, path)
  return { limits: given }
}

// --- driving --------------------------------------------------------------------------------------

/**
 * @param {unknown} value a RagdollTarget
 * @param {readonly { bone: ReadBone }[]} parts
 * @param {string} where
 * @returns {(Quaternion | undefined)[]} in the order of the bones
 */
export function readTarget(value, parts, where) {
  const target = readObject(value, `${where}: target`)
  const names = parts.map(({ bone }) => bone.name)
  checkNames(target, names, `${where}: target`)
  return names.map((name) => {
    const given = Object.hasOwn(target, name) ? target[name] : undefined
    if (given === undefined) return undefined
    const orientation = isObject(given) && 'orientation' in given ? given.orientation : given
    return toQuaternion(orientation, `${where}: target.${name}`)
  })
}

/**
 * @param {unknown} value a RagdollDrive
 * @returns {{ gains: Spring, maxTorque: number }}
 */
export function readRagdollDrive(value) {
  const path = 'drive: options'
  const options = readObject(value, path)
  checkNames(options, [...SPRING_NAMES, 'maxTorque'], path)
  const { hertz, stiffness, damping, dampingCoefficient, maxTorque = Infinity } = options
  const isOwn = hertz !== undefined || stiffness !== undefined
  const isDamped = damping !== undefined || dampingCoefficient !== undefined
  const preset = { ...(!isOwn && { hertz: DEFAULT_HERTZ }), ...(!isDamped && { damping: 1 }) }
  return {
    gains: readGains({ ...options, ...preset }, path),
    maxTorque: readLoad(maxTorque, `${path}.maxTorque`),
  }
}
