import { turnTensor } from '../inertia.mjs'
import { compose, ORIGIN, turnAbout, turnAfter } from '../rigid.mjs'
import { loadMesh, warnOfMesh } from '../meshes.mjs'
import { childOf, childrenOf, numberOf, vectorOf, warnOfOthers } from '../xml/reader.mjs'

/** @import { Quaternion, ShapeDefinition, Vector } from '../../types/index.mjs' */
/** @import { Loading } from '../meshes.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Inertial } from '../inertia.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */

/** Cylinders and capsules of URDF are along z, ours along y. */
const Y_TO_Z = turnAbout([1, 0, 0], Math.PI / 2)
/** @type {Frame} */
const ALONG_Z = { position: ORIGIN.position, orientation: Y_TO_Z }

/**
 * Roll, pitch and yaw about the fixed axes x, y and z: Rz(yaw) Ry(pitch) Rx(roll).
 * @param {Vector} rpy rad
 * @returns {Quaternion}
 */
const turnOfRpy = ([roll, pitch, yaw]) =>
  turnAfter(
    turnAbout([0, 0, 1], yaw),
    turnAfter(turnAbout([0, 1, 0], pitch), turnAbout([1, 0, 0], roll)),
  )

/**
 * The `<origin>` of an element.
 * @param {Element | null} element
 * @param {Warnings} warnings
 * @returns {Frame}
 */
export function readOrigin(element, warnings) {
  const origin = element === null ? undefined : childOf(element, 'origin')
  if (origin === undefined) return ORIGIN
  warnOfOthers(origin, { attributes: ['xyz', 'rpy'] }, warnings)
  return {
    position: vectorOf(origin, 'xyz', [0, 0, 0], warnings),
    orientation: turnOfRpy(vectorOf(origin, 'rpy', [0, 0, 0], warnings)),
  }
}

/** Entries of a tensor in URDF. */
const ENTRIES = ['ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz']

/**
 * @param {Element} link
 * @param {Warnings} warnings
 * @returns {Inertial | null} in the link's frame; null: none
 */
export function readInertial(link, warnings) {
  const element = childOf(link, 'inertial')
  if (element === undefined) return null
  warnOfOthers(element, { once: ['origin', 'mass', 'inertia'] }, warnings)
  const { position, orientation } = readOrigin(element, warnings)
  const massElement = childOf(element, 'mass')
  const inertia = childOf(element, 'inertia')
  if (massElement !== undefined) warnOfOthers(massElement, { attributes: ['value'] }, warnings)
  if (inertia !== undefined) warnOfOthers(inertia, { attributes: ENTRIES }, warnings)
  const mass = massElement === undefined ? 0 : numberOf(massElement, 'value', 0, warnings)
  const [xx, xy, xz, yy, yz, zz] = ENTRIES.map((name) =>
    inertia === undefined ? 0 : numberOf(inertia, name, 0, warnings),
  )
  if (mass === 0) {
    if ([xx, yy, zz].some((moment) => moment !== 0))
      warnings.add(element, 'it has no mass: its inertia is not taken over')
    return null
  }
  const tensor = [...[xx, xy, xz], ...[xy, yy, yz], ...[xz, yz, zz]]
  return { mass, center: position, inertia: turnTensor(tensor, orientation) }
}

/**
 * The shapes of `<collision>`; what is `<visual>` is for renderers.
 * @param {Element} link
 * @param {Loading} loading
 * @returns {Promise<ShapeDefinition[]>} in the link's frame
 */
export async function readShapes(link, loading) {
  const { warnings } = loading
  const shapes = []
  for (const collision of childrenOf(link, 'collision')) {
    const once = ['origin', 'geometry', 'verbose']
    warnOfOthers(collision, { attributes: ['name'], once }, warnings)
    const frame = readOrigin(collision, warnings)
    const geometry = childOf(collision, 'geometry')
    if (geometry === undefined) warnings.add(collision, 'it has no <geometry>: left out')
    else if (geometry.children.length === 0) warnings.add(geometry, 'it is empty: left out')
    for (const one of geometry?.children ?? []) {
      const shape = await readGeometry(one, loading)
      if (shape !== null) shapes.push({ ...shape.definition, ...compose(frame, shape.frame) })
    }
  }
  return shapes
}

/** Attributes by geometry. @type {ReadonlyMap<string, readonly string[]>} */
const ATTRIBUTES = new Map([
  ['box', ['size']],
  ['sphere', ['radius']],
  ['cylinder', ['radius', 'length']],
  ['capsule', ['radius', 'length']],
  ['mesh', ['filename', 'scale']],
])

/**
 * @param {Element} geometry
 * @param {Loading} loading
 * @returns {Promise<{ definition: ShapeDefinition, frame: Frame } | null>} null: none, with a warning
 */
async function readGeometry(geometry, loading) {
  const { warnings } = loading
  const attributes = ATTRIBUTES.get(geometry.name)
  if (attributes !== undefined) warnOfOthers(geometry, { attributes }, warnings)
  const number = (/** @type {string} */ name) => numberOf(geometry, name, 0, warnings)
  switch (geometry.name) {
    case 'box': {
      const [x, y, z] = vectorOf(geometry, 'size', [0, 0, 0], warnings)
      return { definition: { type: 'box', halfExtents: [x / 2, y / 2, z / 2] }, frame: ORIGIN }
    }
    case 'sphere':
      return { definition: { type: 'sphere', radius: number('radius') }, frame: ORIGIN }
    case 'cylinder':
    case 'capsule': {
      const measures = { radius: number('radius'), halfHeight: number('length') / 2 }
      return { definition: { type: geometry.name, ...measures }, frame: ALONG_Z }
    }
    case 'mesh': {
      const scale = vectorOf(geometry, 'scale', [1, 1, 1], warnings)
      const mesh = await loadMesh(geometry.attributes.filename ?? '', scale, geometry, loading)
      if (mesh === null) return null
      warnOfMesh(geometry, warnings)
      return { definition: { type: 'hull', points: mesh.vertices }, frame: ORIGIN }
    }
    default:
      warnings.add(geometry, `there is no shape for <${geometry.name}>: left out`)
      return null
  }
}
