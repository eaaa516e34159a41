/**
 * How good a simulation is, by poses and shapes alone: one judge for all engines.
 */
import { collide, createShape } from 'moreau'
import { add, distance, dot, length, subtract } from '../../scenarios/vector.mjs'
import {
  conjugate,
  localDirection,
  localPoint,
  multiply,
  POSE,
  relativeTurn,
  rotate,
} from '../engines/engine.mjs'
import { candidatePairs } from './pairs.mjs'

/** @typedef {import('../scenes/description.mjs').Description} Description */
/** @typedef {import('../scenes/description.mjs').BodyDescription} BodyDescription */
/** @typedef {import('../scenes/description.mjs').JointDescription} JointDescription */
/** @typedef {import('../scenes/description.mjs').Vector} Vector */
/** @typedef {import('../scenes/description.mjs').Quaternion} Quaternion */

/**
 * @typedef {object} Verdict
 * @property {number} touching pairs of bodies that touch or overlap
 * @property {number} meanPenetration m, over these pairs
 * @property {number} maxPenetration m
 * @property {number} escaped bodies outside of the scene's bounds, or nowhere
 * @property {number | null} drift m: the farthest that a body of a 'stands' scene is from where it began
 * @property {number | null} meanJointError m, between the two anchors of a joint
 * @property {number | null} maxJointError m
 * @property {number | null} maxLimitError rad by which a hinge is beyond its limits
 */

export class Referee {
  #description
  #shapes
  #radii
  #joints

  /** @param {Description} description */
  constructor(description) {
    this.#description = description
    this.#shapes = description.shapes.map((shape) => createShape(shape))
    this.#radii = description.shapes.map(radiusOf)
    this.#joints = description.joints.map((joint) => frames(joint, description.bodies))
  }

  /**
   * @param {Float32Array} poses by slot
   * @param {(BodyDescription | null)[]} [bodies] what is in each slot; default: the bodies of the description
   * @returns {Verdict}
   */
  judge(poses, bodies = this.#description.bodies) {
    return {
      ...this.#penetration(poses, bodies),
      escaped: this.#escaped(poses, bodies),
      drift: this.#description.kind === 'stands' ? drift(poses, bodies) : null,
      ...this.jointErrors(poses),
    }
  }

  /**
   * @param {Float32Array} poses
   * @param {(BodyDescription | null)[]} bodies
   */
  #penetration(poses, bodies) {
    const jointed = new Set(
      this.#description.joints.map(({ bodyA, bodyB }) => pairKey(bodyA, bodyB)),
    )
    let [touching, sum, max] = [0, 0, 0]
    for (const [a, b] of candidatePairs(poses, bodies, this.#radii)) {
      const [bodyA, bodyB] = [bodies[a], bodies[b]]
      if (!bodyA || !bodyB || jointed.has(pairKey(a, b))) continue
      const shapes = [this.#shapes[bodyA.shape], this.#shapes[bodyB.shape]]
      const hit = collide(shapes[0], poseOf(poses, a), shapes[1], poseOf(poses, b))
      if (!hit) continue
      touching++
      sum += hit.penetrationDepth
      max = Math.max(max, hit.penetrationDepth)
    }
    return { touching, meanPenetration: touching > 0 ? sum / touching : 0, maxPenetration: max }
  }

  /**
   * @param {Float32Array} poses
   * @param {(BodyDescription | null)[]} bodies
   */
  #escaped(poses, bodies) {
    const { min, max } = this.#description.bounds
    return bodies.filter((body, slot) => {
      if (!body || body.fixed) return false
      const { position } = poseOf(poses, slot)
      // Written so that what is not a number counts.
      return !position.every((x, i) => x >= min[i] && x <= max[i])
    }).length
  }

  /**
   * @param {Float32Array} poses
   * @returns {Pick<Verdict, 'meanJointError' | 'maxJointError' | 'maxLimitError'>}
   */
  jointErrors(poses) {
    if (this.#joints.length === 0) {
      return { meanJointError: null, maxJointError: null, maxLimitError: null }
    }
    const gaps = this.#joints.map((joint) => gap(joint, poses))
    const limited = this.#joints.filter(({ limits }) => limits)
    return {
      meanJointError: gaps.reduce((sum, each) => sum + each) / gaps.length,
      maxJointError: gaps.reduce((most, each) => Math.max(most, each)),
      maxLimitError:
        limited.length > 0 ? Math.max(...limited.map((joint) => limitError(joint, poses))) : null,
    }
  }
}

/**
 * Of a bounding sphere about the origin of a shape; those of meshes, which do not move, do not count.
 *
 * @param {import('../scenes/description.mjs').ShapeDescription} shape
 * @returns {number} m
 */
function radiusOf(shape) {
  switch (shape.type) {
    case 'sphere':
      return shape.radius
    case 'capsule':
    case 'cylinder':
      return shape.radius + shape.halfHeight
    case 'box':
      return length(shape.halfExtents)
    case 'hull':
      return Math.max(...shape.points.map(length))
    case 'compound':
      return Math.max(...shape.shapes.map((part) => length(part.position) + radiusOf(part)))
    case 'mesh':
      return Infinity
  }
}

/**
 * @param {number} a
 * @param {number} b
 */
const pairKey = (a, b) => Math.min(a, b) * 0x100000 + Math.max(a, b)

/**
 * @param {Float32Array} poses
 * @param {number} slot
 * @returns {{ position: Vector, orientation: Quaternion }}
 */
export function poseOf(poses, slot) {
  const [x, y, z, ...orientation] = poses.subarray(POSE * slot, POSE * (slot + 1))
  return { position: [x, y, z], orientation: /** @type {Quaternion} */ (orientation) }
}

/**
 * @param {Float32Array} poses
 * @param {(BodyDescription | null)[]} bodies
 */
function drift(poses, bodies) {
  const moved = bodies.map((body, slot) =>
    body ? distance(poseOf(poses, slot).position, body.position) : 0,
  )
  return moved.reduce((most, each) => Math.max(most, each))
}

/**
 * A joint as its bodies see it.
 *
 * @param {JointDescription} joint
 * @param {BodyDescription[]} bodies
 */
function frames({ bodyA, bodyB, anchor, axis, limits }, bodies) {
  return {
    bodyA,
    bodyB,
    anchorA: localPoint(bodies[bodyA], anchor),
    anchorB: localPoint(bodies[bodyB], anchor),
    axisA: localDirection(bodies[bodyA], axis),
    start: relativeTurn(bodies[bodyA].orientation, bodies[bodyB].orientation),
    limits,
  }
}

/**
 * @param {ReturnType<typeof frames>} joint
 * @param {Float32Array} poses
 * @returns {number} m
 */
function gap({ bodyA, bodyB, anchorA, anchorB }, poses) {
  const [a, b] = [poseOf(poses, bodyA), poseOf(poses, bodyB)]
  // The difference of positions first, where single precision costs nothing.
  const between = subtract(b.position, a.position)
  const ends = [rotate(a.orientation, anchorA), rotate(b.orientation, anchorB)]
  return length(add(between, subtract(ends[1], ends[0])))
}

/**
 * @param {ReturnType<typeof frames>} joint
 * @param {Float32Array} poses
 * @returns {number} rad
 */
function limitError({ bodyA, bodyB, axisA, start, limits }, poses) {
  if (!limits) return 0
  const [a, b] = [poseOf(poses, bodyA), poseOf(poses, bodyB)]
  const turned = relativeTurn(a.orientation, b.orientation)
  const [x, y, z, w] = multiply(turned, conjugate(start))
  const angle = 2 * Math.atan2(dot([x, y, z], axisA), w)
  // From the middle of the allowed angles, the shorter way round.
  const [middle, half] = [(limits[0] + limits[1]) / 2, (limits[1] - limits[0]) / 2]
  const turns = (angle - middle) / (2 * Math.PI)
  return Math.max(0, 2 * Math.PI * Math.abs(turns - Math.round(turns)) - half)
}
