import { ConvexHull } from '../index.mjs'
import { triple } from './vectors.mjs'
import { warnOnce } from './warn.mjs'

// Shapes of colliders, from what Rapier takes as `args`.

/** @import { ShapeDefinition } from '../index.mjs' */

/** @typedef {readonly [number, number, number]} Scale in the world */
/** @typedef {readonly any[]} ColliderArgs */

/**
 * How a collider is to be built.
 * @typedef {object} Build
 * @property {Scale} scale
 * @property {boolean} isDynamic meshes and height fields are for what does not move by forces
 * @property {number} skin metres that the shape is enlarged by
 */

/**
 * Metres, half: what has no thickness gets this much. It is half of what soft-step takes for near, so that nobody sees it and
 * bodies still rest on it.
 */
const THINNEST = 0.0025

/** @param {number} halfExtent */
const thick = (halfExtent) => Math.max(Math.abs(halfExtent), THINNEST)

/** @type {Readonly<Record<string, (args: ColliderArgs, build: Build) => ShapeDefinition>>} */
const KINDS = {
  ball: ([radius], { scale: [x], skin }) => ({ type: 'sphere', radius: radius * x + skin }),
  cuboid: (args, build) => KINDS.roundCuboid([args[0], args[1], args[2], 0], build),
  roundCuboid: ([hx, hy, hz, border], { scale: [x, y, z], skin }) => ({
    ...{ type: 'box', halfExtents: [thick(hx * x), thick(hy * y), thick(hz * z)] },
    radius: border * x + skin,
  }),
  capsule: ([halfHeight, radius], { scale: [x, y], skin }) => ({
    ...{ type: 'capsule', radius: radius * x + skin, halfHeight: halfHeight * y },
  }),
  cylinder: (args, build) => KINDS.roundCylinder([args[0], args[1], 0], build),
  roundCylinder: (args, build) => ({ type: 'cylinder', ...roundOf(args, build) }),
  cone: (args, build) => KINDS.roundCone([args[0], args[1], 0], build),
  roundCone: (args, build) => ({ type: 'cone', ...roundOf(args, build) }),
  convexHull: ([points, hulls], build) => hullOf(points, build, hulls),
  roundConvexHull: ([points, border], build) =>
    hullOf(points, { ...build, skin: border * Math.abs(build.scale[0]) + build.skin }),
  halfSpace: ([normal]) => ({ type: 'plane', normal: triple(normal), offset: 0 }),
  trimesh: ([vertices, indices], build) =>
    build.isDynamic ? hullInstead('trimesh', vertices, build) : meshOf(vertices, indices, build),
  // A definition of Moreau, of bindings that have found the shape themselves.
  shape: ([definition]) => definition,
  heightfield: (args, build) =>
    build.isDynamic
      ? hullInstead('heightfield', pointsOf(args), build)
      : fieldOf(args, build.scale),
}

/** @typedef {'ball' | 'cuboid' | 'roundCuboid' | 'capsule' | 'cylinder' | 'roundCylinder' | 'cone' | 'roundCone' | 'convexHull' | 'roundConvexHull' | 'halfSpace' | 'trimesh' | 'heightfield' | 'shape'} ColliderKind */

/**
 * The shape of a collider at the origin of its own frame.
 * @param {ColliderKind} kind
 * @param {ColliderArgs} args of Rapier's `ColliderDesc`
 * @param {Build} build
 * @returns {ShapeDefinition}
 * @throws {TypeError} for a kind that there is not
 */
export function shapeOf(kind, args, build) {
  const make = KINDS[kind]
  if (make === undefined) throw new TypeError(`Collider: shape must be a known one, got '${kind}'`)
  if (!Array.isArray(args))
    throw new TypeError(`${kind} collider: args must be an array, got ${args}`)
  const scale = /** @type {const} */ ([...build.scale.map(Math.abs)])
  const isSigned = kind === 'convexHull' || kind === 'roundConvexHull' || kind === 'trimesh'
  return make(args, isSigned ? build : { ...build, scale: triple(scale) })
}

/** @param {ColliderArgs} args @param {Build} build */
const roundOf = ([halfHeight, radius, border], { scale: [x, y], skin }) => ({
  ...{ halfHeight: halfHeight * y, radius: radius * x, rounding: border * x + skin },
})

/**
 * Points are scaled one by one: a mirrored or bent mesh has another hull.
 * @param {ArrayLike<number>} points
 * @param {Scale} scale
 */
function scaled(points, scale) {
  return Float64Array.from({ length: points.length }, (_, i) => points[i] * scale[i % 3])
}

/**
 * Instances that look alike share their hull.
 * @param {ArrayLike<number>} points
 * @param {Build} build
 * @param {Map<string, ConvexHull>} [hulls] that were built of these points before
 * @returns {ShapeDefinition}
 */
function hullOf(points, { scale, skin }, hulls) {
  const key = scale.join()
  const hull = hulls?.get(key) ?? ConvexHull.fromPoints(scaled(points, scale))
  hulls?.set(key, hull)
  return { type: 'hull', hull, radius: skin }
}

/**
 * @param {string} kind
 * @param {ArrayLike<number>} points
 * @param {Build} build
 */
function hullInstead(kind, points, build) {
  const text = `a dynamic body has no ${kind} in Moreau: its convex hull is taken; moreau/decompose makes several hulls of it`
  warnOnce(`dynamic ${kind}`, text)
  return hullOf(points, build)
}

/**
 * @param {ArrayLike<number>} vertices
 * @param {ArrayLike<number> | undefined} indices three per triangle; none: as the vertices follow one another
 * @param {Build} build
 * @returns {ShapeDefinition}
 */
function meshOf(vertices, indices, { scale, skin }) {
  if (skin > 0) warnOnce('contactSkin', 'a trimesh has no contactSkin: give it to what touches it')
  const all = indices?.length ? indices : Array.from({ length: vertices.length / 3 }, (_, i) => i)
  return { type: 'mesh', vertices: scaled(vertices, scale), indices: Uint32Array.from(all) }
}

/**
 * Heights of Rapier go by columns: sample i of `nrows + 1` along z, then the next j along x. The scale is that of all.
 * @param {ColliderArgs} args
 * @param {Scale} scale
 * @returns {ShapeDefinition}
 */
function fieldOf([nrows, ncols, heights, size], [x, y, z]) {
  const [rows, columns] = [nrows + 1, ncols + 1]
  const byRows = Float64Array.from({ length: rows * columns }, (_, at) => {
    return heights[Math.floor(at / columns) + (at % columns) * rows]
  })
  const [sx, sy, sz] = triple(size)
  const cell = triple([(sx * x) / ncols, sy * y, (sz * z) / nrows])
  return { type: 'heightfield', heights: byRows, rows, columns, scale: cell }
}

/** @param {ColliderArgs} args of a height field */
function pointsOf([nrows, ncols, heights, size]) {
  const [sx, sy, sz] = triple(size)
  return Array.from({ length: ncols + 1 }, (_, j) =>
    Array.from({ length: nrows + 1 }, (_unused, i) => [
      (j / ncols - 0.5) * sx,
      heights[i + j * (nrows + 1)] * sy,
      (i / nrows - 0.5) * sz,
    ]),
  ).flat(2)
}
