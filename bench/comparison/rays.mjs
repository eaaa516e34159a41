/**
 * Whether an engine's rays hit where they must: boxes and balls are easy enough to hit by hand.
 */
import { length, subtract } from '../../scenarios/vector.mjs'
import { localDirection, localPoint } from '../engines/engine.mjs'
import { poseOf } from './referee.mjs'

/** @typedef {import('../scenes/description.mjs').Vector} Vector */
/** @typedef {import('../scenes/description.mjs').ShapeDescription} ShapeDescription */

/**
 * @typedef {object} RayVerdict
 * @property {number} hits
 * @property {number} wrong rays whose distance is off by more than 1 mm
 */

/** What single precision may do to a distance of 100 m, and convex radii to grazing rays, m. */
const TOLERANCE = 1e-3

/**
 * @param {import('./scene-run.mjs').Run} run
 * @param {import('../scenes/description.mjs').Description} description
 * @returns {RayVerdict}
 */
export function judgeRays(run, { rays, shapes }) {
  if (!rays) throw new TypeError('a scene without rays')
  const distances = new Float32Array(rays.length / 7)
  run.castRays(rays, distances)
  const targets = run.bodies.flatMap((body, slot) => {
    if (!body) return []
    const shape = shapes[body.shape]
    const radius = shape.type === 'sphere' ? shape.radius : boxRadius(shape)
    return [{ ...body, ...poseOf(run.poses, slot), radius, form: shape }]
  })
  let [hits, wrong] = [0, 0]
  for (const [ray, found] of distances.entries()) {
    const [ox, oy, oz, dx, dy, dz, reach] = rays.subarray(7 * ray, 7 * ray + 7)
    const expected = Math.min(...targets.map((target) => hit(target, [ox, oy, oz], [dx, dy, dz])))
    const exact = expected <= reach ? expected : Infinity
    if (found < Infinity) hits++
    if (found !== exact && !(Math.abs(found - exact) <= TOLERANCE)) wrong++
  }
  return { hits, wrong }
}

/** @param {ShapeDescription} shape */
function boxRadius(shape) {
  if (shape.type === 'box') return length(shape.halfExtents)
  throw new TypeError(`no rays against a ${shape.type}`)
}

/**
 * @param {import('../scenes/description.mjs').BodyDescription & { radius: number, form: ShapeDescription }} target
 * @param {Vector} origin
 * @param {Vector} direction unit
 * @returns {number} m, or Infinity
 */
function hit(target, origin, direction) {
  const { position, radius, form } = target
  const offset = subtract(origin, position)
  const along = -(offset[0] * direction[0] + offset[1] * direction[1] + offset[2] * direction[2])
  const squared = offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2
  const inside = radius * radius - (squared - along * along)
  if (inside < 0) return Infinity
  if (form.type === 'sphere') return along < 0 ? Infinity : along - Math.sqrt(inside)
  return form.type === 'box'
    ? hitBox(localPoint(target, origin), localDirection(target, direction), form.halfExtents)
    : Infinity
}

/**
 * By slabs, in the frame of the box.
 *
 * @param {Vector} origin
 * @param {Vector} direction
 * @param {Vector} halfExtents
 */
function hitBox(origin, direction, halfExtents) {
  const inverse = direction.map((each) => 1 / each)
  let [enter, leave] = [0, Infinity]
  for (let i = 0; i < 3; i++) {
    const ends = [-1, 1].map((side) => (side * halfExtents[i] - origin[i]) * inverse[i])
    enter = Math.max(enter, Math.min(...ends))
    leave = Math.min(leave, Math.max(...ends))
  }
  return enter <= leave ? enter : Infinity
}
