// What a glTF file must look like where it is read: the rest of the reader relies on it. What comes out is a copy, so that nothing of
// the user's is asked twice.

import { isObject, readBoolean, readNumber, readObject, readWord } from '../../core/arguments.mjs'
import { describe, invalid } from '../../core/describe.mjs'
import { isList } from '../../core/lists.mjs'

/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Gltf } from './types.mjs' */

/** Reads a value and gives its copy. @typedef {(value: unknown, path: string, warnings: Warnings) => any} Reader */

/** More than any list of a file has. */
const MOST = 2 ** 31 - 1

/** @type {Reader} */
const text = (value, path) => {
  if (typeof value === 'string') return value
  throw invalid(path, 'a string', value)
}

/** A whole number, 0 or more: a number in a list, a count, an offset. @type {Reader} */
const whole = (value, path) => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST) {
    return value
  }
  throw invalid(path, 'a whole number, 0 or more', value)
}

/** Not limited to what is finite: what the engine is given it checks. @type {Reader} */
const bound = (value, path) =>
  value === Infinity || value === -Infinity ? value : readNumber(value, path)

/**
 * @param {...string} allowed
 * @returns {Reader}
 */
const word =
  (...allowed) =>
  (value, path) =>
    readWord(value, path, allowed)

/**
 * @param {number} count
 * @returns {Reader}
 */
const numbers = (count) => (value, path) => {
  const list = isList(value) ? Array.from(/** @type {ArrayLike<unknown>} */ (value)) : []
  if (list.length === count && list.every((one) => Number.isFinite(one))) return list
  throw invalid(path, `${count} finite numbers`, value)
}

/** @type {Reader} */
const turn = (value, path, warnings) => {
  const four = numbers(4)(value, path, warnings)
  const length = four.reduce((/** @type {number} */ sum, /** @type {number} */ x) => sum + x * x, 0)
  if (length > 0 && length < Infinity) return four
  throw invalid(path, 'a quaternion that is not 0', value)
}

/**
 * @param {Reader} one
 * @param {(value: unknown, i: number) => string} [label] of an entry in paths
 * @returns {Reader}
 */
const list =
  (one, label = (_, i) => String(i)) =>
  (value, path, warnings) => {
    if (!isList(value)) throw invalid(path, 'an array', value)
    const entries = Array.from(/** @type {ArrayLike<unknown>} */ (value))
    return entries.map((entry, i) => one(entry, `${path}/${label(entry, i)}`, warnings))
  }

/** What any object of glTF may have. */
const ANYWHERE = ['extensions', 'extras', 'name']

/**
 * @param {Record<string, Reader>} members
 * @param {boolean} [isWhole] whether a member that is not among them is a warning
 * @returns {Reader}
 */
const object = (members, isWhole = false) => {
  const names = Object.keys(members)
  return (value, path, warnings) => {
    const given = readObject(value, path)
    /** @type {Record<string, unknown>} */
    const copy = {}
    for (const name of names) {
      const member = given[name]
      if (member !== undefined) {
        copy[name] = members[name](member, path === '' ? name : `${path}/${name}`, warnings)
      }
    }
    if (!isWhole) return copy
    for (const name of Object.keys(given)) {
      if (names.includes(name) || ANYWHERE.includes(name) || given[name] === undefined) continue
      warnings.add(`${path}/${name}`, `${describe(given[name])} is not taken over`)
    }
    return copy
  }
}

/**
 * What a file of ours says besides. Extras of other programs may be anything.
 * @param {Record<string, Reader>} members
 * @returns {Reader}
 */
const extras = (members) => (value, path, warnings) => {
  const moreau = isObject(value) ? value.moreau : undefined
  if (moreau === undefined) return {}
  return { moreau: object(members)(moreau, `${path}/moreau`, warnings) }
}

/** An object that is read later, by its own rules. @type {Reader} */
const later = (value, path) => readObject(value, path)

// --- the file -------------------------------------------------------------------------------------

const GEOMETRY = object({ shape: whole, node: whole, mesh: whole, convexHull: readBoolean }, true)
const MOTION = object(
  {
    ...{ isKinematic: readBoolean, mass: readNumber, centerOfMass: numbers(3) },
    ...{ inertiaDiagonal: numbers(3), inertiaOrientation: turn },
    ...{ linearVelocity: numbers(3), angularVelocity: numbers(3), gravityFactor: readNumber },
  },
  true,
)
const NODE_PHYSICS = object(
  {
    motion: MOTION,
    collider: object({ geometry: GEOMETRY, physicsMaterial: whole, collisionFilter: whole }, true),
    trigger: object({ geometry: GEOMETRY, collisionFilter: whole }, true),
    joint: object({ connectedNode: whole, joint: whole, enableCollision: readBoolean }, true),
  },
  true,
)
const NODE = object({
  ...{ name: text, translation: numbers(3), rotation: turn, scale: numbers(3) },
  ...{ matrix: numbers(16), children: list(whole), mesh: whole, skin: whole },
  extensions: object({ KHR_physics_rigid_bodies: NODE_PHYSICS }),
  extras: extras({ body: later, shape: later, jointIsInExtras: readBoolean }),
})

const COMBINE = word('average', 'minimum', 'maximum', 'multiply')
const MATERIAL = object(
  {
    ...{ staticFriction: readNumber, dynamicFriction: readNumber, restitution: readNumber },
    ...{ frictionCombine: COMBINE, restitutionCombine: COMBINE },
    extras: extras({ frictionCombine: text, restitutionCombine: text }),
  },
  true,
)
const FILTER = object(
  {
    ...{ collisionSystems: list(text), collideWithSystems: list(text) },
    ...{ notCollideWithSystems: list(text) },
    extras: extras({ category: whole32(), mask: whole32(), group: readNumber }),
  },
  true,
)

/** @type {Reader} */
const axis = (value, path) => {
  if (value === 0 || value === 1 || value === 2) return value
  throw invalid(path, '0, 1 or 2', value)
}
/** @type {Reader} */
const axes = (value, path, warnings) => {
  const read = list(axis)(value, path, warnings)
  if (read.length > 0 && new Set(read).size === read.length) return read
  throw invalid(path, 'one or more axes, each once', value)
}
const LIMIT = object(
  {
    ...{ linearAxes: axes, angularAxes: axes, min: bound, max: bound },
    ...{ stiffness: readNumber, damping: readNumber },
  },
  true,
)
const DRIVE = object(
  {
    ...{ type: word('linear', 'angular'), mode: word('force', 'acceleration'), axis },
    ...{ maxForce: bound, positionTarget: readNumber, velocityTarget: readNumber },
    ...{ stiffness: readNumber, damping: readNumber },
  },
  true,
)
const JOINT = object({ limits: list(LIMIT), drives: list(DRIVE) }, true)

const ROUND = object({ height: readNumber, radiusTop: readNumber, radiusBottom: readNumber }, true)
const SHAPE = object(
  {
    ...{ type: text, box: object({ size: numbers(3) }, true) },
    ...{ sphere: object({ radius: readNumber }, true), capsule: ROUND, cylinder: ROUND },
    plane: object({ sizeX: readNumber, sizeZ: readNumber, doubleSided: readBoolean }, true),
  },
  true,
)

const SPARSE = object({
  count: whole,
  indices: object({ bufferView: whole, byteOffset: whole, componentType: whole }),
  values: object({ bufferView: whole, byteOffset: whole }),
})
const ACCESSOR = object({
  ...{ bufferView: whole, byteOffset: whole, componentType: whole, count: whole, type: text },
  ...{ normalized: readBoolean, sparse: SPARSE },
})
const PRIMITIVE = object({
  attributes: object({ POSITION: whole }),
  ...{ indices: whole, mode: whole, extensions: later },
})

/** @type {Reader} */
const FILE = object({
  asset: object({ version: text, generator: text }),
  scene: whole,
  scenes: list(object({ nodes: list(whole), name: text })),
  nodes: list(NODE, labelOf),
  meshes: list(object({ primitives: list(PRIMITIVE), name: text })),
  accessors: list(ACCESSOR),
  bufferViews: list(
    object({ buffer: whole, byteOffset: whole, byteLength: whole, byteStride: whole }),
  ),
  buffers: list(object({ uri: text, byteLength: whole })),
  animations: list((value) => value),
  ...{ extensionsUsed: list(text), extensionsRequired: list(text) },
  extensions: object({
    KHR_implicit_shapes: object({ shapes: list(SHAPE) }, true),
    KHR_physics_rigid_bodies: object(
      {
        ...{ physicsMaterials: list(MATERIAL), collisionFilters: list(FILTER) },
        physicsJoints: list(JOINT),
      },
      true,
    ),
  }),
  extras: extras({ settings: later, joints: list(later), assets: later }),
})

/**
 * A node is named in paths.
 * @param {unknown} value
 * @param {number} i
 */
function labelOf(value, i) {
  const name = isObject(value) ? value.name : undefined
  return typeof name === 'string' ? `${i} (${name})` : String(i)
}

/** @returns {Reader} bits of 32 */
function whole32() {
  return (value, path) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32) {
      return value
    }
    throw invalid(path, 'a whole number of 32 bits', value)
  }
}

/**
 * @param {unknown} json
 * @param {Warnings} warnings
 * @returns {Gltf} a copy of what is read of it
 * @throws {MoreauError} `invalid-argument` with the place
 */
export const copyOf = (json, warnings) => FILE(json, '', warnings)
