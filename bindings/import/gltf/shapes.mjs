// Colliders and triggers: implicit shapes and meshes with their materials and filters.

import { compose, ORIGIN, turnAbout, ZERO } from '../rigid.mjs'
import { meshOf } from './meshes.mjs'
import { isSame, within } from './nodes.mjs'

/** @import { ShapeDefinition, Vector } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
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
    if (part === undefined) continue
    const path = `${place.path}/${name}`
    if (part.geometry === undefined) {
      context.warnings.add(path, 'it has no geometry: left out')
      continue
    }
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
  if (place.scale.every((x) => x === 0)) {
    context.warnings.add(path, 'its scale is 0: left out')
    return null
  }
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
      const measures = shape[shape.type] ?? {}
      const { height = 0.5, radiusTop = 0.25, radiusBottom = 0.25 } = measures
      if (!isSame(x, z)) warnOfScale(path, `a ${shape.type}`, context)
      if (shape.type === 'capsule' && !isSame(x, y)) warnOfScale(path, 'a capsule', context)
      const side = Math.max(x, z)
      const radii = { radiusTop: radiusTop * side, radiusBottom: radiusBottom * side }
      return roundShape(shape.type, (height * y) / 2, radii, place.scale[1] < 0)
    }
    case 'plane':
      return planeOf(shape.plane ?? {}, factors, isStatic, path, context)
    default:
      context.warnings.add(
        path,
        `there is no shape ${shape.type === undefined ? 'without a type' : `of type '${shape.type}'`}: left out`,
      )
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
