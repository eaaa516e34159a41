import { access } from '../core/access.mjs'
import { checkNames, readObject } from '../core/arguments.mjs'
import { toQuaternion, toVector } from '../core/vectors.mjs'
import { engine } from '../core/engine.mjs'
import {
  COLLISION_NUMBERS,
  COLLISION_POINT_NUMBERS,
  DISTANCE_NUMBERS,
  POSE_PAIR_NUMBERS,
  putPosePair,
  takeCollision,
  takeCollisionPoint,
  takeDistance,
} from '../generated/records.mjs'
import { freeIdleShapes } from './shape.mjs'

/** @import { Shape } from './shape.mjs' */
/** @import { Collision, Distance, Pose, ShapeLike, Vector } from '../types/index.mjs' */

/**
 * Shapes of definitions that no body uses are kept from call to call, so that a hull is not built
 * anew for each: as many as a loop over some pairs of definitions may need.
 */
const KEPT_SHAPES = 16

/** MO_MANIFOLD_POINTS */
const MOST_POINTS = 4

/**
 * Collides two shapes that are placed by hand; no world is needed.
 *
 * @param {ShapeLike} shapeA a `Shape` or a definition; its own placement applies inside its pose
 * @param {Pose} poseA
 * @param {ShapeLike} shapeB
 * @param {Pose} poseB
 * @returns {Collision | null} null where they do not touch
 * @throws {MoreauError} `invalid-argument`, `not-supported`, `stale-handle`, one of `hull-...`,
 *   `not-initialized`
 *
 * @example
 * const ball = { type: 'sphere', radius: 1 }
 * collide(ball, {}, ball, { position: [1.5, 0, 0] })?.penetrationDepth // 0.5
 */
export function collide(shapeA, poseA, shapeB, poseB) {
  const module = engine()
  if (!withShapes('collide', shapeA, poseA, shapeB, poseB, module.exports.collide)) return null
  module.begin(COLLISION_NUMBERS + MOST_POINTS * COLLISION_POINT_NUMBERS)
  const { pointA, pointB, pointCount, ...collision } = takeCollision(module)
  const manifold = Array.from({ length: pointCount }, () => takeCollisionPoint(module))
  return { ...collision, contactPointA: pointA, contactPointB: pointB, manifold }
}

/**
 * How far two shapes are apart, and where they are closest.
 *
 * @param {ShapeLike} shapeA a `Shape` or a definition; its own placement applies inside its pose
 * @param {Pose} poseA
 * @param {ShapeLike} shapeB
 * @param {Pose} poseB
 * @returns {Distance} distance 0 where they touch or overlap
 * @throws {MoreauError} `invalid-argument`, `not-supported`, `stale-handle`, one of `hull-...`,
 *   `not-initialized`
 */
export function distance(shapeA, poseA, shapeB, poseB) {
  const module = engine()
  withShapes('distance', shapeA, poseA, shapeB, poseB, module.exports.distance)
  module.begin(DISTANCE_NUMBERS)
  return takeDistance(module)
}

/**
 * Calls the engine with two shapes, and with their poses in the shared block.
 * @template Answer
 * @param {string} where
 * @param {ShapeLike} shapeA
 * @param {Pose} poseA
 * @param {ShapeLike} shapeB
 * @param {Pose} poseB
 * @param {(pointerA: number, pointerB: number) => Answer} call
 * @returns {Answer}
 */
function withShapes(where, shapeA, poseA, shapeB, poseB, call) {
  const module = engine()
  module.needStack()
  try {
    const a = access.toShape(shapeA, where, 'shapeA')
    const b = access.toShape(shapeB, where, 'shapeB')
    const placeA = readPose(poseA, `${where}: poseA`, a)
    const placeB = readPose(poseB, `${where}: poseB`, b)
    module.begin(POSE_PAIR_NUMBERS)
    putPosePair(module, { a: placeA, b: placeB })
    return call(access.shapePointer(a, where), access.shapePointer(b, where))
  } finally {
    freeIdleShapes(KEPT_SHAPES)
  }
}

/**
 * The pose of a shape in the world: that of its frame times its own placement.
 * @param {unknown} value a Pose
 * @param {string} path
 * @param {Shape} shape
 * @returns {{ position: Vector, orientation: readonly number[] }} the latter unit
 */
function readPose(value, path, shape) {
  const pose = readObject(value, path)
  checkNames(pose, ['position', 'orientation'], path)
  const { position = [0, 0, 0], orientation = [0, 0, 0, 1] } = pose
  const p = toVector(position, `${path}.position`)
  const q = normalized(toQuaternion(orientation, `${path}.orientation`))
  const local = access.shapeDefinition(shape)
  const offset = rotate(q, local.position)
  return {
    position: [p[0] + offset[0], p[1] + offset[1], p[2] + offset[2]],
    orientation: multiply(q, normalized(local.orientation)),
  }
}

/** @param {readonly number[]} q */
function normalized(q) {
  // Scaled first, so that the squares neither overflow nor vanish.
  const scale = Math.max(...q.map(Math.abs))
  const [x, y, z, w] = q.map((c) => c / scale)
  const squares = x * x + y * y + z * z + w * w
  if (scale === 1 && squares === 1) return q
  const length = Math.sqrt(squares)
  return [x / length, y / length, z / length, w / length]
}

/**
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
function multiply([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ]
}

/**
 * @param {readonly number[]} q unit
 * @param {readonly number[]} v
 */
function rotate([x, y, z, w], [a, b, c]) {
  // v + 2 q_v x (q_v x v + w v)
  const tx = 2 * (y * c - z * b)
  const ty = 2 * (z * a - x * c)
  const tz = 2 * (x * b - y * a)
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx]
}
