import { access } from '../core/access.mjs'
import { engine } from '../core/engine.mjs'
import {
  COLLISION_NUMBERS,
  COLLISION_POINT_NUMBERS,
  DISTANCE_NUMBERS,
  POSE_PAIR_NUMBERS,
  takeCollision,
  takeCollisionPoint,
  takeDistance,
} from '../generated/records.mjs'
import { PLACEMENT_NUMBERS, putPlacement } from './placement.mjs'
import { freeIdleShapes, KEPT_SHAPES } from './idle-shapes.mjs'

/** @import { Collision, Distance, Pose, ShapeLike } from '../types/index.mjs' */

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
    const poses = new Float64Array(POSE_PAIR_NUMBERS)
    putPlacement(poseA, a, poses, 0, `${where}: poseA`)
    putPlacement(poseB, b, poses, PLACEMENT_NUMBERS, `${where}: poseB`)
    module.begin(POSE_PAIR_NUMBERS)
    module.putAll(poses)
    return call(access.shapePointer(a, where), access.shapePointer(b, where))
  } finally {
    freeIdleShapes(KEPT_SHAPES)
  }
}
