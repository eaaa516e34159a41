/**
 * Random convex shapes, without the help of any engine.
 */
import { add, cross, dot, scale, subtract } from '../../scenarios/vector.mjs'

/** @typedef {import('../../scenarios/vector.mjs').Vector} Vector */
/** @typedef {import('../../scenarios/random.mjs').Random} Random */

/**
 * Points on an ellipsoid with random half axes, all of them corners of their hull, whose centroid is the origin.
 *
 * @param {Random} random
 * @param {number} count
 * @param {[number, number]} halfAxes the least and the greatest, m
 * @returns {Vector[]}
 */
export function randomHull(random, count, halfAxes) {
  const axes = [0, 1, 2].map(() => random.between(...halfAxes))
  const points = Array.from({ length: count }, () => {
    const [x, y, z] = direction(random)
    return /** @type {Vector} */ ([axes[0] * x, axes[1] * y, axes[2] * z])
  })
  const middle = centroid(points)
  return points.map((point) => subtract(point, middle))
}

/**
 * @param {Random} random
 * @returns {Vector} a unit vector, all directions equally likely
 */
export function direction(random) {
  for (;;) {
    const vector = /** @type {Vector} */ ([0, 1, 2].map(() => random.between(-1, 1)))
    const squared = dot(vector, vector)
    if (squared > 0.01 && squared <= 1) return scale(vector, 1 / Math.sqrt(squared))
  }
}

/**
 * The tetrahedra of a hull's facets and a point inside: volume and middle of each.
 *
 * @param {Vector[]} points
 * @returns {{ volume: number, middle: Vector }[]}
 */
function tetrahedra(points) {
  const apex = scale(points.reduce(add), 1 / points.length)
  return hullTriangles(points).map((triangle) => {
    const [a, b, c] = triangle.map((index) => subtract(points[index], apex))
    return {
      volume: dot(a, cross(b, c)) / 6,
      middle: add(apex, scale(add(add(a, b), c), 1 / 4)),
    }
  })
}

/**
 * @param {Vector[]} points
 * @returns {number} m³, of their hull
 */
export const hullVolume = (points) =>
  tetrahedra(points).reduce((sum, { volume }) => sum + volume, 0)

/**
 * @param {Vector[]} points
 * @returns {Vector} of their hull
 */
function centroid(points) {
  /** @type {Vector} */
  let moment = [0, 0, 0]
  for (const { volume, middle } of tetrahedra(points)) moment = add(moment, scale(middle, volume))
  return scale(moment, 1 / hullVolume(points))
}

/**
 * The hull of points in general position: tries all triangles, which is quick enough for a few points.
 *
 * @param {Vector[]} points
 * @returns {[number, number, number][]} indices, counter-clockwise from outside
 */
export function hullTriangles(points) {
  /** @type {[number, number, number][]} */
  const found = []
  for (let i = 0; i < points.length; i++) {
    for (let j = i + 1; j < points.length; j++) {
      for (let k = j + 1; k < points.length; k++) {
        const [a, b, c] = [points[i], points[j], points[k]]
        const normal = cross(subtract(b, a), subtract(c, a))
        const heights = points
          .filter((_, index) => index !== i && index !== j && index !== k)
          .map((point) => dot(normal, subtract(point, a)))
        if (heights.every((height) => height < 0)) found.push([i, j, k])
        if (heights.every((height) => height > 0)) found.push([i, k, j])
      }
    }
  }
  return found
}
