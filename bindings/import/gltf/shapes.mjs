// Colliders and triggers: implicit shapes and meshes with their materials and filters.

import { compose, inverse, ORIGIN, rotate, subtract, turnAbout, ZERO } from '../rigid.mjs'
import { apply, isSame, within } from './nodes.mjs'

/** @import { ShapeDefinition, Vector } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Mesh } from '../meshes.mjs' */
/** @import { Place } from './nodes.mjs' */
/** @import { SceneContext } from './gltf.mjs' */
/** @import { GltfCollider, GltfGeometry, GltfShape, GltfTrigger } from './types.mjs' */

/** What the extension has where a material does not say. */
const MATERIAL = { staticFriction: 0.6, dynamicFriction: 0.6, restitution: 0 }
const COMBINE = 'average'
/** @type {Frame} */
const UPSIDE_DOWN = { position: ZERO, orientation: turnAbout([1, 0, 0], Math.PI) }

/** A shape, and its frame in that of its node. @typedef {{ definition: ShapeDefinition, frame: Frame }} Placed */

/**
 * The shapes of a node's collider and trigger.
 * @param {Place} place
 * @param {Frame} body world of the file
 * @param {boolean} isStatic whether the body is
 * @param {SceneContext} context
 * @returns {Promise<ShapeDefinition[]>} in the frame of the body
 */
export async function shapesOf(place, body, isStatic, context) {
  const { collider, trigger } = place.node.extensions?.KHR_physics_rigid_bodies ?? {}
  /** @type {ShapeDefinition[]} */
  const shapes = []
  for (const [name, part] of /** @type {const} */ ([
    ['collider', collider],
    ['trigger', trigger],
  ])) {
    if (part?.geometry === undefined) continue
    const path = `${place.path}/${name}`
    const placed = await geometryOf(part.geometry, place, isStatic, path, context)
    if (placed === null) continue
    const whole = {
      ...placed.definition,
      ...compose(within(place, body), placed.frame),
      ...(name === 'trigger' ? { sensor: true } : materialOf(part, path, context)),
      ...filterOf(part, path, context),
    }
    shapes.push(/** @type {ShapeDefinition} */ (whole))
  }
  return shapes
}

/**
 * @param {GltfCollider} collider
 * @param {string} path
 * @param {SceneContext} context
 * @returns {Partial<ShapeDefinition>} nothing: the defaults of the engine
 */
function materialOf({ physicsMaterial }, path, { physics, warnings }) {
  if (physicsMaterial === undefined) return {}
  const found = physics.physicsMaterials?.[physicsMaterial]
  if (found === undefined) {
    warnings.add(path, `there is no material ${physicsMaterial}`)
    return {}
  }
  const { staticFriction, dynamicFriction, restitution } = { ...MATERIAL, ...found }
  if (staticFriction !== dynamicFriction) {
    const message = `staticFriction ${staticFriction} is not dynamicFriction ${dynamicFriction}, which holds`
    const at = `extensions/KHR_physics_rigid_bodies/physicsMaterials/${physicsMaterial}`
    if (!warnings.list.some((one) => one.path === at)) warnings.add(at, message)
  }
  const own = found.extras?.moreau
  return {
    ...{ friction: dynamicFriction, restitution },
    frictionCombine: own?.frictionCombine ?? found.frictionCombine ?? COMBINE,
    restitutionCombine: own?.restitutionCombine ?? found.restitutionCombine ?? COMBINE,
  }
}

/**
 * @param {GltfCollider | GltfTrigger} part
 * @param {string} path
 * @param {SceneContext} context
 * @returns {Partial<ShapeDefinition>}
 */
function filterOf({ collisionFilter }, path, { filters, warnings }) {
  if (collisionFilter === undefined) return {}
  const filter = filters[collisionFilter]
  if (filter !== undefined) return { filter }
  warnings.add(path, `there is no filter ${collisionFilter}`)
  return {}
}

/**
 * @param {GltfGeometry} geometry
 * @param {Place} place
 * @param {boolean} isStatic
 * @param {string} path
 * @param {SceneContext} context
 * @returns {Promise<Placed | null>} null: there is none, with a warning
 */
async function geometryOf(geometry, place, isStatic, path, context) {
  const own = place.node.extras?.moreau?.shape
  if (own !== undefined) return { definition: context.assets.shapeOf(own, path), frame: ORIGIN }
  if (place.scale.every((x) => x === 0)) return null
  if (geometry.shape !== undefined) {
    const shape = context.shapes[geometry.shape]
    if (shape !== undefined) return implicitShape(shape, place, isStatic, path, context)
    context.warnings.add(path, `there is no shape ${geometry.shape}`)
    return null
  }
  return meshOf(geometry, place, isStatic, path, context)
}

// --- implicit shapes ------------------------------------------------------------------------------

/**
 * @param {GltfShape} shape
 * @param {Place} place
 * @param {boolean} isStatic
 * @param {string} path
 * @param {SceneContext} context
 * @returns {Placed | null}
 */
function implicitShape(shape, place, isStatic, path, context) {
  const factors = /** @type {Vector} */ (place.scale.map(Math.abs))
  const [x, y, z] = factors
  switch (shape.type) {
    case 'box': {
      const size = shape.box?.size ?? [1, 1, 1]
      const halfExtents = size.map((length, i) => (length * factors[i]) / 2)
      return { definition: { type: 'box', halfExtents }, frame: ORIGIN }
    }
    case 'sphere': {
      if (!(isSame(x, y) && isSame(y, z))) warnOfScale(path, 'a sphere', context)
      const radius = (shape.sphere?.radius ?? 0.5) * Math.max(x, y, z)
      return { definition: { type: 'sphere', radius }, frame: ORIGIN }
    }
    case 'capsule':
    case 'cylinder': {
      const { height = 0.5, radiusTop = 0.25, radiusBottom = 0.25 } = shape[shape.type] ?? {}
      if (!isSame(x, z)) warnOfScale(path, `a ${shape.type}`, context)
      if (shape.type === 'capsule' && !isSame(x, y)) warnOfScale(path, 'a capsule', context)
      const side = Math.max(x, z)
      const radii = { radiusTop: radiusTop * side, radiusBottom: radiusBottom * side }
      return roundShape(shape.type, (height * y) / 2, radii, place.scale[1] < 0)
    }
    case 'plane':
      return planeOf(shape.plane ?? {}, factors, isStatic, path, context)
    default:
      context.warnings.add(path, `there is no shape of type '${shape.type}': left out`)
      return null
  }
}

/**
 * @param {string} path
 * @param {string} what
 * @param {SceneContext} context
 */
const warnOfScale = (path, what, { warnings }) =>
  warnings.add(path, `${what} is not scaled unevenly: its largest scale holds`)

/**
 * @param {'capsule' | 'cylinder'} type
 * @param {number} halfHeight
 * @param {{ radiusTop: number, radiusBottom: number }} radii
 * @param {boolean} isMirrored along its axis
 * @returns {Placed}
 */
function roundShape(type, halfHeight, radii, isMirrored) {
  const { radiusTop, radiusBottom } = radii
  const frame = isMirrored && radiusTop !== radiusBottom ? UPSIDE_DOWN : ORIGIN
  const measures =
    radiusTop === radiusBottom ? { radius: radiusTop, halfHeight } : { ...radii, halfHeight }
  if (type === 'cylinder' && radiusTop === 0) {
    return { definition: { type: 'cone', radius: radiusBottom, halfHeight }, frame }
  }
  if (type === 'cylinder' && radiusBottom === 0) {
    const turned = isMirrored ? ORIGIN : UPSIDE_DOWN
    return { definition: { type: 'cone', radius: radiusTop, halfHeight }, frame: turned }
  }
  return { definition: { type, ...measures }, frame }
}

/**
 * @param {{ sizeX?: number, sizeZ?: number, doubleSided?: boolean }} plane
 * @param {Vector} scale
 * @param {boolean} isStatic
 * @param {string} path
 * @param {SceneContext} context
 * @returns {Placed | null}
 */
function planeOf({ sizeX, sizeZ, doubleSided = false }, scale, isStatic, path, { warnings }) {
  if (!isStatic) {
    warnings.add(path, 'a plane that moves is left out: planes are static here')
    return null
  }
  if (sizeX === undefined && sizeZ === undefined) {
    if (doubleSided) warnings.add(path, 'an endless plane has one side here')
    return { definition: { type: 'plane', normal: [0, 1, 0], offset: 0 }, frame: ORIGIN }
  }
  const [x, z] = [((sizeX ?? FAR) * scale[0]) / 2, ((sizeZ ?? FAR) * scale[2]) / 2]
  const vertices = [-x, 0, -z, -x, 0, z, x, 0, z, x, 0, -z]
  const indices = [0, 1, 2, 0, 2, 3]
  return { definition: { type: 'mesh', vertices, indices, oneSided: !doubleSided }, frame: ORIGIN }
}

/** How far a plane reaches that ends along the other axis only, m. */
const FAR = 1e4

// --- meshes ---------------------------------------------------------------------------------------

/**
 * @param {GltfGeometry} geometry
 * @param {Place} place
 * @param {boolean} isStatic
 * @param {string} path
 * @param {SceneContext} context
 * @returns {Promise<Placed | null>}
 */
async function meshOf({ node, mesh, convexHull = false }, place, isStatic, path, context) {
  const parts =
    mesh === undefined ? meshesBelow(node, context) : [{ mesh, linear: null, offset: ZERO }]
  /** @type {Mesh} */
  const whole = { vertices: [], indices: [] }
  for (const part of parts) {
    for (const one of await primitivesOf(part.mesh, path, context)) {
      const start = whole.vertices.length / 3
      for (let i = 0; i < one.vertices.length; i += 3) {
        const point = /** @type {Vector} */ (one.vertices.slice(i, i + 3))
        whole.vertices.push(...inNode(point, part, place))
      }
      for (const index of one.indices) whole.indices.push(start + index)
    }
  }
  if (whole.vertices.length === 0) {
    context.warnings.add(path, 'its mesh has no triangles: left out')
    return null
  }
  if (convexHull || !isStatic) {
    if (!convexHull) context.warnings.add(path, 'a mesh that moves collides as its convex hull')
    return { definition: { type: 'hull', points: whole.vertices }, frame: ORIGIN }
  }
  return { definition: { type: 'mesh', ...whole }, frame: ORIGIN }
}

/** A mesh, and where it is in the node that a geometry names. @typedef {{ mesh: number, linear: Place['linear'] | null, offset: Vector }} MeshPart */

/**
 * The point of a mesh in the frame of the collider's node, with that node's scale.
 * @param {Vector} point
 * @param {MeshPart} part
 * @param {Place} place
 * @returns {Vector}
 */
function inNode(point, { linear, offset }, place) {
  const local = linear === null ? point : apply(linear, point)
  const [x, y, z] = [local[0] + offset[0], local[1] + offset[1], local[2] + offset[2]]
  return rotate(inverse(place.frame).orientation, apply(place.linear, [x, y, z]))
}

/**
 * The meshes of a node and of those below it, relative to it.
 * @param {number | undefined} index
 * @param {SceneContext} context
 * @returns {MeshPart[]}
 */
function meshesBelow(index, { places, apart }) {
  const tree = places.has(index ?? -1) ? places : apart(index ?? -1)
  const root = tree.get(index ?? -1)
  if (root === undefined) return []
  /** @type {MeshPart[]} */
  const parts = []
  for (const place of tree.values()) {
    let at = /** @type {Place | null} */ (place)
    while (at !== null && at !== root) at = at.parent
    if (at === null || place.node.mesh === undefined) continue
    parts.push(
      place === root
        ? { mesh: place.node.mesh, linear: null, offset: ZERO }
        : relativePart(place, root),
    )
  }
  return parts
}

/**
 * @param {Place} place below root
 * @param {Place} root
 * @returns {MeshPart}
 */
function relativePart(place, root) {
  const invert = inverseOf(root.linear)
  const linear = /** @type {Place['linear']} */ (
    place.linear.map((column) => apply(invert, column))
  )
  const offset = apply(invert, subtract(place.frame.position, root.frame.position))
  return { mesh: place.node.mesh ?? -1, linear, offset }
}

/**
 * @param {Place['linear']} columns
 * @returns {Place['linear']}
 */
function inverseOf([a, b, c]) {
  const cofactor = (/** @type {Vector} */ u, /** @type {Vector} */ v) =>
    /** @type {Vector} */ ([
      u[1] * v[2] - u[2] * v[1],
      u[2] * v[0] - u[0] * v[2],
      u[0] * v[1] - u[1] * v[0],
    ])
  const rows = [cofactor(b, c), cofactor(c, a), cofactor(a, b)]
  const determinant = a[0] * rows[0][0] + a[1] * rows[0][1] + a[2] * rows[0][2]
  const column = (/** @type {number} */ i) =>
    /** @type {Vector} */ (rows.map((row) => row[i] / determinant))
  return [column(0), column(1), column(2)]
}

/** The modes of primitives that are triangles: each by itself, in a strip, in a fan. */
const TRIANGLES = 4
const STRIP = 5
const FAN = 6

/**
 * @param {number} index of a mesh
 * @param {string} path
 * @param {SceneContext} context
 * @returns {Promise<Mesh[]>}
 */
async function primitivesOf(index, path, { json, accessors, warnings }) {
  const meshes = []
  for (const primitive of json.meshes?.[index]?.primitives ?? []) {
    const { mode = TRIANGLES, attributes, indices } = primitive
    const vertices = await accessors.numbers(attributes.POSITION ?? -1, path)
    if (vertices === null || mode < TRIANGLES) {
      if (mode < TRIANGLES) warnings.add(path, 'a primitive that is no triangles is left out')
      continue
    }
    const plain = Array.from({ length: vertices.length / 3 }, (_, i) => i)
    const order = indices === undefined ? plain : await accessors.numbers(indices, path)
    if (order !== null) meshes.push({ vertices, indices: trianglesOf(order, mode) })
  }
  return meshes
}

/**
 * @param {number[]} order
 * @param {number} mode
 * @returns {number[]}
 */
function trianglesOf(order, mode) {
  if (mode === TRIANGLES) return order
  return order.slice(2).flatMap((last, i) => {
    if (mode === FAN) return [order[0], order[i + 1], last]
    return mode === STRIP && i % 2 === 1
      ? [order[i + 1], order[i], last]
      : [order[i], order[i + 1], last]
  })
}
