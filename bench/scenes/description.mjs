/**
 * What a scene of the comparison is: plain data, the same for every engine, and a builder that fills it in. Nothing here knows an
 * engine. Gravity is 9.81 m/s² along -y; every shape has the same density, friction and restitution.
 */
import { createHash } from 'node:crypto'

/** @typedef {import('../../scenarios/vector.mjs').Vector} Vector */
/** @typedef {import('../../scenarios/vector.mjs').Quaternion} Quaternion */

/**
 * @typedef {{ type: 'box', halfExtents: Vector } | { type: 'sphere', radius: number }
 *   | { type: 'capsule', radius: number, halfHeight: number }
 *   | { type: 'hull', points: Vector[] }} BasicShape a hull's centroid is its origin; a capsule lies along y
 */

/** @typedef {BasicShape | { type: 'cylinder', radius: number, halfHeight: number }} ConvexDescription a cylinder lies along y */

/** @typedef {ConvexDescription & { position: Vector, orientation: Quaternion }} PartDescription */

/** @typedef {{ type: 'mesh', vertices: number[], indices: number[] }} MeshDescription triangles, counter-clockwise from outside */

/** @typedef {ConvexDescription | MeshDescription | { type: 'compound', shapes: PartDescription[] }} ShapeDescription */

/**
 * @typedef {object} BodyDescription
 * @property {boolean} fixed
 * @property {number} shape index in `shapes`
 * @property {Vector} position m
 * @property {Quaternion} orientation
 * @property {Vector} linearVelocity m/s
 * @property {Vector} [angularVelocity] rad/s, 0 if left out
 * @property {boolean} [kinematic] moved by `moveTo` alone
 * @property {number} [mass] kg, instead of what DENSITY gives
 * @property {number} [friction] instead of FRICTION
 * @property {number} [restitution] instead of RESTITUTION
 * @property {boolean} [undamped] without the damping of velocities that some engines have by default
 */

/**
 * A force that an engine computes by itself. The options are those of Moreau's potentials.
 *
 * @typedef {{ type: 'spring' | 'pointGravity' | 'magnetic', body: number } & Record<string, unknown>} PotentialDescription
 */

/**
 * A joint of two bodies, which do not collide with each other. Angles are zero as the bodies are at the start.
 *
 * @typedef {object} JointDescription
 * @property {'ball' | 'hinge' | 'fixed'} type
 * @property {number} bodyA index in `bodies`; a fixed body is what hangs a chain on the world
 * @property {number} bodyB
 * @property {Vector} anchor world, m
 * @property {Vector} axis of a hinge, world
 * @property {[number, number] | null} limits of a hinge, rad: the angle by which B is turned about the axis against A
 * @property {MotorDescription} [motor] of a hinge
 */

/**
 * Turns a hinge at a speed, rad/s, or to an angle, rad, by at most so many N m.
 *
 * @typedef {{ targetVelocity: number, maxForce: number } | { targetPosition: number, maxForce: number }} MotorDescription
 */

/**
 * Bodies that come and go: `perSecond` of them, each of which lives `life` steps.
 *
 * @typedef {object} Churn
 * @property {number} perSecond
 * @property {number} life steps
 * @property {BodyDescription[]} bodies those that come, over and over
 */

/**
 * A car: a body on wheels that are rays or the like. Its x axis points forwards, y up. Springs and tyres are each engine's own.
 *
 * @typedef {object} CarDescription
 * @property {number} chassis index in `bodies`
 * @property {Vector[]} wheels where the struts begin, in the frame of the chassis: two in front, two behind
 * @property {number} radius of the wheels, m
 * @property {number} restLength of the struts, m
 * @property {number} engineForce of each wheel, N
 * @property {number} steering of the wheels in front, rad to the left
 */

/**
 * A character that walks straight on, up steps and along walls.
 *
 * @typedef {object} CharacterDescription
 * @property {number} shape index in `shapes`, of a capsule
 * @property {Vector} position of its middle, m
 * @property {Vector} velocity horizontal, m/s
 * @property {number} stepHeight m
 */

/**
 * @typedef {object} Description
 * @property {string} name
 * @property {string} title
 * @property {'stands' | 'pile' | 'joints' | 'field' | 'rays' | 'churn' | 'movers'} kind what there is to measure
 * @property {ShapeDescription[]} shapes
 * @property {BodyDescription[]} bodies
 * @property {JointDescription[]} joints
 * @property {{ min: Vector, max: Vector }} bounds what no centre of a moving body should leave
 * @property {number} settle steps before the timed ones
 * @property {number} timed steps that are timed
 * @property {number} qualitySeconds length of the run that looks at quality, s
 * @property {Float64Array | null} rays of a 'rays' scene: origin, unit direction, length, seven numbers each
 * @property {Churn | null} churn of a 'churn' scene
 * @property {number} [castShape] index in `shapes` of what is cast along the rays, instead of a point
 * @property {boolean} [listens] whether the begin and the end of every contact is heard of
 * @property {CarDescription[]} [cars]
 * @property {CharacterDescription[]} [characters]
 * @property {Vector} [gravity] m/s², instead of GRAVITY along -y
 * @property {PotentialDescription[]} [potentials]
 */

export const GRAVITY = 9.81
export const TIME_STEP = 1 / 60
export const DENSITY = 1000
export const FRICTION = 0.5
export const RESTITUTION = 0

/** Speeds are the mean of the last 120 of 300 steps. */
const SETTLE = 180
const TIMED = 120

/** @type {Quaternion} */
export const NO_ROTATION = [0, 0, 0, 1]

/** Fills in a description. */
export class SceneBuilder {
  /** @type {Description} */
  description

  /**
   * @param {string} name
   * @param {string} title
   * @param {Description['kind']} kind
   * @param {number} qualitySeconds
   */
  constructor(name, title, kind, qualitySeconds) {
    this.description = {
      name,
      title,
      kind,
      shapes: [],
      bodies: [],
      joints: [],
      bounds: { min: [-1e3, -1, -1e3], max: [1e3, 1e3, 1e3] },
      settle: SETTLE,
      timed: TIMED,
      qualitySeconds,
      rays: null,
      churn: null,
    }
  }

  /**
   * @param {ShapeDescription} shape
   * @returns {number} its index
   */
  shape(shape) {
    return this.description.shapes.push(shape) - 1
  }

  /**
   * @param {number} shape
   * @param {Vector} position
   * @param {Quaternion} [orientation]
   * @param {Vector} [linearVelocity]
   * @returns {number} the index of a moving body
   */
  body(shape, position, orientation = NO_ROTATION, linearVelocity = [0, 0, 0]) {
    const body = { fixed: false, shape, position, orientation, linearVelocity }
    return this.description.bodies.push(body) - 1
  }

  /**
   * @param {Vector} halfExtents
   * @param {Vector} position
   * @returns {number} the index of a box that does not move
   */
  fixedBox(halfExtents, position) {
    const body = this.body(this.shape({ type: 'box', halfExtents }), position)
    this.description.bodies[body].fixed = true
    return body
  }

  /**
   * A floor 1 m thick whose top is the plane y = 0.
   *
   * @param {number} halfWidth
   */
  floor(halfWidth) {
    this.fixedBox([halfWidth, 0.5, halfWidth], [0, -0.5, 0])
  }

  /**
   * A square pit: a floor at y = 0 and four walls. What leaves it has escaped.
   *
   * @param {number} halfWidth of the inside, m
   * @param {number} height m
   */
  pit(halfWidth, height) {
    const thickness = 1
    const along = halfWidth + thickness
    const offset = halfWidth + thickness / 2
    this.floor(along)
    for (const side of [-1, 1]) {
      this.fixedBox([thickness / 2, height / 2, along], [side * offset, height / 2, 0])
      this.fixedBox([halfWidth, height / 2, thickness / 2], [0, height / 2, side * offset])
    }
    this.description.bounds = {
      min: [-halfWidth, 0, -halfWidth],
      max: [halfWidth, 10 * height, halfWidth],
    }
  }

  /**
   * @param {number} bodyA
   * @param {number} bodyB
   * @param {Vector} anchor
   */
  ball(bodyA, bodyB, anchor) {
    const joint = { type: /** @type {const} */ ('ball'), bodyA, bodyB, anchor }
    this.description.joints.push({ ...joint, axis: [1, 0, 0], limits: null })
  }

  /**
   * @param {number} bodyA
   * @param {number} bodyB
   * @param {Vector} anchor
   * @param {Vector} axis
   * @param {[number, number]} limits rad
   */
  hinge(bodyA, bodyB, anchor, axis, limits) {
    this.description.joints.push({ type: 'hinge', bodyA, bodyB, anchor, axis, limits })
  }
}

/**
 * @param {Description} description
 * @returns {string} SHA-256 of all that it says, so that a result names its input
 */
export function hashOf(description) {
  const rays = description.rays ? [...description.rays] : null
  return createHash('sha256')
    .update(JSON.stringify({ ...description, rays }))
    .digest('hex')
}
