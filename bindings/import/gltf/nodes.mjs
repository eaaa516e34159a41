// Where the nodes of a scene are, their scales, and which body each belongs to.

import {
  add,
  compose,
  cross,
  dot,
  inverse,
  length,
  NO_TURN,
  rotate,
  scale as scaled,
  subtract,
  turnAfter,
  turnOfColumns,
  unit,
  unitTurn,
  ZERO,
} from '../rigid.mjs'

/** @import { Quaternion, Vector } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Gltf, GltfNode } from './types.mjs' */

/** Columns of a matrix. @typedef {[Vector, Vector, Vector]} Columns */

/**
 * @typedef {object} Place
 * @property {number} index
 * @property {GltfNode} node
 * @property {string} path
 * @property {Place | null} parent
 * @property {Place[]} children
 * @property {Place | null} mover the node that moves it: itself, or the first above it with motion; null: it does not move
 * @property {Frame} frame in the world of the file, without its scale
 * @property {Vector} scale along its axes; below 0: mirrored
 * @property {Columns} linear turn and scale: vectors of the node in the world of the file
 */

/** Scales and angles that differ by less are the same: far above the rounding of single precision. */
const SAME = 1e-5

/**
 * The nodes of the scene, parents first, brothers in their order.
 * @param {Gltf} json
 * @param {Warnings} warnings
 * @returns {Map<number, Place>}
 */
export function placeNodes(json, warnings) {
  const { nodes = [], scenes = [] } = json
  const scene = scenes[json.scene ?? 0]
  if (scene === undefined && json.scene !== undefined) {
    warnings.add('scene', `there is no scene ${json.scene}: all nodes are taken`)
  }
  const roots = scene === undefined ? rootsOf(nodes, warnings) : (scene.nodes ?? [])
  /** @type {Map<number, Place>} */
  const places = new Map()
  /** What is still to be placed, the next one last. @type {{ index: number, parent: Place | null }[]} */
  const open = []
  const openAll = (/** @type {readonly number[]} */ list, /** @type {Place | null} */ parent) => {
    for (let i = list.length - 1; i >= 0; i--) open.push({ index: list[i], parent })
  }
  openAll(roots, null)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { index, parent } = next
    const node = nodes[index]
    if (node === undefined || places.has(index)) {
      const message = node === undefined ? 'there is no such node' : 'it is in the tree twice'
      warnings.add(`nodes/${index}`, message)
      continue
    }
    const place = placeOf(index, node, parent, warnings)
    parent?.children.push(place)
    places.set(index, place)
    openAll(node.children ?? [], place)
  }
  return places
}

/**
 * @param {GltfNode[]} nodes
 * @param {Warnings} warnings
 * @returns {number[]} those that are children of none
 */
function rootsOf(nodes, warnings) {
  const isChild = new Set(nodes.flatMap(({ children = [] }) => children))
  const roots = nodes.map((_, i) => i).filter((i) => !isChild.has(i))
  if (roots.length === 0 && nodes.length > 0) {
    warnings.add('nodes', 'all are children of others: none is taken')
  }
  return roots
}

/**
 * @param {number} index
 * @param {GltfNode} node
 * @param {Place | null} parent
 * @param {Warnings} warnings
 * @returns {Place}
 */
function placeOf(index, node, parent, warnings) {
  const path = `nodes/${index}${node.name === undefined ? '' : ` (${node.name})`}`
  const own = ownOf(node)
  const linear = parent === null ? own.linear : multiply(parent.linear, own.linear)
  const common = { index, node, path, parent, linear, children: [], mover: parent?.mover ?? null }
  if (node.matrix !== undefined && (node.translation ?? node.rotation ?? node.scale)) {
    warnings.add(`${path}/matrix`, 'the matrix holds, not translation, rotation and scale')
  }
  const position =
    parent === null ? own.position : add(parent.frame.position, apply(parent.linear, own.position))
  if (own.turn !== null && (parent === null || isUniform(parent.scale))) {
    // An even scale commutes with turns: the turns can be kept as they are written.
    const size = parent === null ? 1 : parent.scale[0]
    const orientation = parent === null ? own.turn : turnAfter(parent.frame.orientation, own.turn)
    return moving({ ...common, frame: { position, orientation }, scale: scaled(own.scale, size) })
  }
  const { orientation, scale, isSheared } = decompose(linear)
  if (isSheared)
    warnings.add(path, 'turns and uneven scales above it shear it: taken without the shear')
  return moving({ ...common, frame: { position, orientation }, scale })
}

/**
 * @param {Place} place
 * @returns {Place} that moves itself, if it does
 */
function moving(place) {
  const { extensions, extras } = place.node
  const moves = extensions?.KHR_physics_rigid_bodies?.motion !== undefined
  // In files of ours a static body may have several colliders.
  if (moves || extras?.moreau?.body !== undefined) place.mover = place
  return place
}

/**
 * @param {GltfNode} node
 * @returns {{ position: Vector, turn: Quaternion | null, scale: Vector, linear: Columns }} turn null: it has a matrix
 */
function ownOf({ translation, rotation, scale, matrix }) {
  if (matrix !== undefined) {
    const column = (/** @type {number} */ i) =>
      /** @type {Vector} */ (matrix.slice(4 * i, 4 * i + 3))
    const linear = /** @type {Columns} */ ([column(0), column(1), column(2)])
    return { position: column(3), turn: null, scale: [1, 1, 1], linear }
  }
  const turn = rotation === undefined ? NO_TURN : unitTurn(/** @type {Quaternion} */ (rotation))
  const factors = /** @type {Vector} */ (scale ?? [1, 1, 1])
  const linear = /** @type {Columns} */ (
    AXES.map((axis, i) => scaled(rotate(turn, axis), factors[i]))
  )
  return { position: /** @type {Vector} */ (translation ?? ZERO), turn, scale: factors, linear }
}

/** @type {Columns} */
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** @param {Vector} scale */
const isUniform = ([x, y, z]) => x > 0 && x === y && y === z

/**
 * @param {Columns} columns
 * @param {Vector} v
 */
export const apply = ([x, y, z], v) => add(add(scaled(x, v[0]), scaled(y, v[1])), scaled(z, v[2]))

/**
 * @param {Columns} a
 * @param {Columns} b
 * @returns {Columns}
 */
const multiply = (a, b) => /** @type {Columns} */ (b.map((column) => apply(a, column)))

/**
 * A turn and scales of a matrix, by Gram and Schmidt: the rest is shear.
 * @param {Columns} columns
 */
function decompose([x, y, z]) {
  const sizes = /** @type {Vector} */ ([length(x), length(y), length(z)])
  if (sizes.some((size) => size === 0))
    return { orientation: NO_TURN, scale: sizes, isSheared: false }
  const first = unit(x)
  const second = unit(subtract(y, scaled(first, dot(first, y))))
  const third = cross(first, second)
  const isMirrored = dot(third, z) < 0
  const isSheared =
    Math.abs(dot(unit(x), unit(y))) > SAME || Math.abs(Math.abs(dot(third, unit(z))) - 1) > SAME
  return {
    orientation: turnOfColumns(first, second, third),
    scale: /** @type {Vector} */ ([sizes[0], sizes[1], isMirrored ? -sizes[2] : sizes[2]]),
    isSheared,
  }
}

/**
 * The frame of a node in that of another one.
 * @param {Place} place
 * @param {Frame} outer
 * @returns {Frame}
 */
export const within = (place, outer) => compose(inverse(outer), place.frame)

/** Whether two numbers are the same but for rounding. */
export const isSame = (/** @type {number} */ a, /** @type {number} */ b) =>
  Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b))
