// Shapes of bodies as colliders of nodes.

import { AssetReader } from '../../scene/assets.mjs'
import { fromPlain } from '../../scene/values.mjs'
import { compose, NO_TURN, ZERO } from '../rigid.mjs'

/** @import { Body } from '../../index.mjs' */
/** @import { CombineRule, Filter, ShapeDefinition } from '../../types/index.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { BufferWriter } from './buffer.mjs' */
/** @import { Gltf, GltfCollider, GltfFilter, GltfGeometry, GltfMaterial, GltfNode, GltfShape, NodePhysics } from './types.mjs' */

/** A shape as a scene has it. @typedef {Record<string, any>} Written */
/** Measures, placement and material of a shape that its collider has words for. */
const SAID = new Set([
  ...['type', 'halfExtents', 'radius', 'radiusTop', 'radiusBottom', 'halfHeight', 'position'],
  ...[
    'orientation',
    'friction',
    'restitution',
    'frictionCombine',
    'restitutionCombine',
    'filter',
    'sensor',
  ],
  ...['asset', 'normal', 'offset', 'oneSided', 'density', 'rounding'],
])

export class ShapeWriter {
  /** @type {GltfShape[]} */
  shapes = []
  /** @type {GltfMaterial[]} */
  physicsMaterials = []
  /** @type {GltfFilter[]} */
  collisionFilters = []
  /** @type {NonNullable<Gltf['meshes']>} */
  meshes = []
  /** Whether shapes of `extras` name assets. */
  usesAssets = false
  #buffer
  #assets
  #warnings
  /** Numbers of what was written, by its text. @type {Map<string, number>} */
  #known = new Map()

  /**
   * @param {BufferWriter} buffer
   * @param {object} assets of the scene
   * @param {Warnings} warnings
   */
  constructor(buffer, assets, warnings) {
    this.#buffer = buffer
    this.#assets = new AssetReader(assets, undefined)
    this.#warnings = warnings
  }

  /**
   * Writes the shapes of a body: one that is at its origin on its own node, others on nodes below.
   * @param {Body} body
   * @param {Written[]} written
   * @param {GltfNode} node of the body
   * @returns {GltfNode[]} those below
   */
  write(body, written, node) {
    const parts = written.flatMap((shape) => partsOf(shape))
    const isAlone = parts.length === 1 && !parts[0].position && !parts[0].orientation
    const nodes = parts.map((shape, i) => this.#node(body, shape, `${body.index}/shapes[${i}]`))
    if (!isAlone) return nodes
    Object.assign(node, nodes[0])
    return []
  }

  /**
   * @param {Body} body
   * @param {Written} shape
   * @param {string} path
   * @returns {GltfNode}
   */
  #node(body, shape, path) {
    const geometry = this.#geometryOf(shape, path)
    const collisionFilter = this.#filterOf(shape.filter ?? body.filter)
    const isSensor = shape.sensor ?? body.sensor
    const common = { geometry, ...(collisionFilter !== null && { collisionFilter }) }
    /** @type {NodePhysics} */
    const physics = isSensor
      ? { trigger: common }
      : { collider: { ...common, physicsMaterial: this.#materialOf(body, shape) } }
    return {
      ...(shape.position && { translation: shape.position }),
      ...(shape.orientation && { rotation: shape.orientation }),
      extensions: { KHR_physics_rigid_bodies: physics },
      ...this.#extrasOf(shape),
    }
  }

  /**
   * The number of what is written once.
   * @template Value
   * @param {Value[]} list
   * @param {string} kind
   * @param {Value} value
   */
  #once(list, kind, value) {
    const key = kind + JSON.stringify(value)
    const number = this.#known.get(key) ?? list.push(value) - 1
    this.#known.set(key, number)
    return number
  }

  // --- materials and filters ----------------------------------------------------------------------

  /**
   * @param {Body} body
   * @param {Written} shape
   */
  #materialOf(body, shape) {
    const friction = shape.friction ?? body.friction
    const rule = (/** @type {'frictionCombine' | 'restitutionCombine'} */ name) =>
      /** @type {CombineRule} */ (shape[name] ?? body[name])
    const material = {
      staticFriction: friction,
      dynamicFriction: friction,
      restitution: shape.restitution ?? body.restitution,
    }
    /** @type {Record<string, string>} */
    const extras = {}
    for (const name of /** @type {const} */ (['frictionCombine', 'restitutionCombine'])) {
      // The extension does not have this rule.
      if (rule(name) === 'geometricMean') extras[name] = rule(name)
      else Object.assign(material, { [name]: rule(name) })
    }
    const own = Object.keys(extras).length > 0 && { extras: { moreau: extras } }
    return this.#once(this.physicsMaterials, 'material', { ...material, ...own })
  }

  /**
   * @param {Filter} filter
   * @returns {number | null} null: it meets everything
   */
  #filterOf({ category = 1, mask = ALL, group = 0 }) {
    if (category === 1 && mask === ALL && group === 0) return null
    if (group !== 0) {
      this.#warnings.add('filter.group', 'a group is in extras alone: others see category and mask')
    }
    const systems = (/** @type {number} */ bits) =>
      Array.from({ length: 32 }, (_, bit) => bit)
        .filter((bit) => ((bits >>> bit) & 1) === 1)
        .map((bit) => `category-${bit}`)
    /** @type {GltfFilter} */
    const written = {
      ...(category !== 0 && { collisionSystems: systems(category) }),
      ...(mask === 0 ? {} : mask === ALL ? {} : { collideWithSystems: systems(mask) }),
      ...(mask === 0 && { collideWithSystems: ['nothing'] }),
      extras: { moreau: { category, mask, group } },
    }
    return this.#once(this.collisionFilters, 'filter', written)
  }

  // --- geometry -----------------------------------------------------------------------------------

  /**
   * @param {Written} shape
   * @param {string} path
   * @returns {GltfGeometry}
   */
  #geometryOf(shape, path) {
    const implicit = implicitOf(shape)
    if (implicit !== null) return { shape: this.#once(this.shapes, 'shape', implicit) }
    const key = `mesh ${shape.asset} ${shape.type === 'heightfield' ? shape.scale : ''}`
    const mesh = this.#known.get(key) ?? this.meshes.push(this.#meshOf(shape, path)) - 1
    this.#known.set(key, mesh)
    return { mesh, ...(shape.type === 'hull' && { convexHull: true }) }
  }

  /**
   * @param {Written} shape
   * @param {string} path
   * @returns {NonNullable<Gltf['meshes']>[number]}
   */
  #meshOf(shape, path) {
    const { vertices, indices } = trianglesOf(
      shape,
      this.#assets.get(shape.asset, shape.type, path),
    )
    const POSITION = this.#buffer.addPoints(vertices)
    return { primitives: [{ attributes: { POSITION }, indices: this.#buffer.addIndices(indices) }] }
  }

  /**
   * What a collider has no words for, and data that single precision would change.
   * @param {Written} shape
   * @returns {Pick<GltfNode, 'extras'>}
   */
  #extrasOf(shape) {
    const isOther = Object.keys(shape).some((name) => !SAID.has(name) && shape[name] !== undefined)
    const isRounded = (shape.rounding ?? 0) > 0 || (ROUNDED.has(shape.type) && shape.radius > 0)
    const isSaid =
      !isOther && !isRounded && shape.density === undefined && shape.asset === undefined
    const isPlane = shape.type === 'plane' && !isPlainPlane(shape)
    if (isSaid && !isPlane) return {}
    const own = { ...shape }
    for (const name of ['position', 'orientation']) delete own[name]
    this.usesAssets ||= own.asset !== undefined
    return { extras: { moreau: { shape: own } } }
  }
}

const ALL = 0xffffffff

/**
 * The parts of a compound, in the frame of the body, with what they have of the whole.
 * @param {Written} shape
 * @returns {Written[]}
 */
function partsOf({ type, shapes, position: at, orientation: turned, ...common }) {
  // A -0 is a text in a scene.
  const [position, orientation] = [at, turned].map(
    (value) => /** @type {any} */ (fromPlain(value, type)),
  )
  if (type !== 'compound') return [{ type, position, orientation, ...common }]
  const outer = { position: position ?? ZERO, orientation: orientation ?? NO_TURN }
  return shapes.flatMap(partsOf).map((/** @type {Written} */ part) => ({
    ...common,
    ...part,
    ...compose(outer, {
      position: part.position ?? ZERO,
      orientation: part.orientation ?? NO_TURN,
    }),
  }))
}

/** Types whose `radius` rounds them. */
const ROUNDED = new Set(['box', 'hull'])

/** @param {Written} shape */
const isPlainPlane = ({ normal, offset }) =>
  normal[0] === 0 && normal[1] === 1 && normal[2] === 0 && offset === 0

/**
 * @param {Written} written
 * @returns {GltfShape | null} null: it is a mesh
 */
function implicitOf(written) {
  const shape = /** @type {any} */ (fromPlain(written, 'shape'))
  const { radius = 0, radiusTop = radius, radiusBottom = radius, halfHeight, rounding = 0 } = shape
  switch (/** @type {ShapeDefinition['type']} */ (shape.type)) {
    case 'sphere':
      return { type: 'sphere', sphere: { radius } }
    case 'box':
      return {
        type: 'box',
        box: { size: shape.halfExtents.map((/** @type {number} */ x) => 2 * (x + radius)) },
      }
    case 'capsule':
      return { type: 'capsule', capsule: { height: 2 * halfHeight, radiusTop, radiusBottom } }
    case 'cylinder': {
      const radii = { radiusTop: radiusTop + rounding, radiusBottom: radiusBottom + rounding }
      return { type: 'cylinder', cylinder: { height: 2 * (halfHeight + rounding), ...radii } }
    }
    case 'cone': {
      const radii = { radiusTop: rounding, radiusBottom: radius + rounding }
      return { type: 'cylinder', cylinder: { height: 2 * (halfHeight + rounding), ...radii } }
    }
    case 'plane':
      return { type: 'plane', plane: {} }
    default:
      return null
  }
}

/**
 * @param {Written} shape
 * @param {Record<string, ArrayLike<number>>} lists
 * @returns {{ vertices: ArrayLike<number>, indices: ArrayLike<number> }}
 */
function trianglesOf(shape, { points, vertices, indices, heights }) {
  if (shape.type === 'mesh') return { vertices, indices }
  if (shape.type === 'heightfield') return gridOf(shape, heights)
  // Any triangles of a hull's points: a reader takes their hull.
  const fan = Array.from({ length: points.length / 3 - 2 }, (_, i) => [0, i + 1, i + 2])
  return { vertices: points, indices: fan.flat() }
}

/**
 * The triangles of a height field.
 * @param {Written} shape
 * @param {ArrayLike<number>} heights
 */
function gridOf({ rows, columns, scale }, heights) {
  const vertices = Array.from({ length: rows * columns }, (_, at) => {
    const [i, j] = [Math.floor(at / columns), at % columns]
    const [x, z] = [j - (columns - 1) / 2, i - (rows - 1) / 2]
    return [x * scale[0], heights[at] * scale[1], z * scale[2]]
  }).flat()
  const indices = []
  for (let i = 0; i + 1 < rows; i++) {
    for (let j = 0; j + 1 < columns; j++) {
      const corner = i * columns + j
      const [right, below] = [corner + 1, corner + columns]
      indices.push(corner, below, below + 1, corner, below + 1, right)
    }
  }
  return { vertices, indices }
}
