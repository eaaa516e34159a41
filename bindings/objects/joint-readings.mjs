import { readNumber } from '../core/arguments.mjs'
import { toQuaternion } from '../core/vectors.mjs'
import { HAS_AXES } from '../definitions/joint-frames.mjs'
import { springOf } from '../definitions/joint-drives.mjs'
import { takePath } from '../definitions/path-definition.mjs'
import * as COORDINATE_STATE from '../generated/places/coordinate-state.mjs'
import * as DRIVE_IMPULSES from '../generated/places/drive-impulses.mjs'
import {
  CONSTRAINT_DEF_NUMBERS,
  PATH_POINT_NUMBERS,
  PATH_STATE_NUMBERS,
  takeConstraintDef,
  takeConstraintReaction,
  takePathPoint,
} from '../generated/records.mjs'
import { Constraint, handleOf } from './constraint.mjs'
import {
  coordinateAt,
  coordinatesOf,
  countOf,
  drivesOf,
  hasNone,
  readIndex,
} from './joint-state.mjs'

/** @import { JointPath, QuaternionLike, Vector } from '../types/index.mjs' */

/** Where a joint is, and what it did in the last step. A part of `Joint`, and nothing by itself. */
export class JointReadings extends Constraint {
  // --- where it is --------------------------------------------------------------------------------

  /**
   * Where it holds body A.
   * @returns {Readonly<Vector> | null} metres, in the body's frame, in the world's where that is null;
   *   null of what has no anchors, such as a gear
   */
  get anchorA() {
    return this.#frame('anchorA')
  }

  /**
   * Where it holds body B.
   * @returns {Readonly<Vector> | null} as `anchorA`
   */
  get anchorB() {
    return this.#frame('anchorB')
  }

  /**
   * Its axis in the frame of A; that of a gear is in the world.
   * @returns {Readonly<Vector> | null} unit; null of what has no axis
   */
  get axisA() {
    return this.#frame('axisA')
  }

  /**
   * Its axis in the frame of B.
   * @returns {Readonly<Vector> | null} unit; null of what has no axis
   */
  get axisB() {
    return this.#frame('axisB')
  }

  // --- read-outs --------------------------------------------------------------------------------

  /**
   * Where B is relative to A: angles in rad, counted over full turns, translations and distances in
   * metres. A hinge's angle, a slider's translation; of a ball with limits the angle between the axes
   * and the twist; nothing for a fixed joint.
   * @returns {number[]}
   */
  get coordinates() {
    return coordinatesOf(this, 'coordinates', COORDINATE_STATE.value)
  }

  /** @returns {number[]} rates of the `coordinates`, rad/s and m/s */
  get speeds() {
    return coordinatesOf(this, 'speeds', COORDINATE_STATE.rate)
  }

  /** @returns {number} the first coordinate that is an angle, rad; 0 without */
  get angle() {
    return this.#first('angle', true)
  }

  /**
   * Of a hinge: the angle at which it has B nearest to an orientation, of those that differ by full turns
   * the one next to where it is. For the target of a motor that follows an animation.
   * @param {QuaternionLike} orientation of B in the frame of A
   * @returns {number} rad
   */
  angleAt(orientation) {
    if (this.type !== 'hinge') throw hasNone('angleAt', this.type)
    const [x, y, z, w] = toQuaternion(orientation, 'angleAt: orientation')
    const { core, id } = handleOf(this, 'angleAt')
    const { exports } = core.engine
    core.check(exports.constraint_angle_at(core.pointer, id, x, y, z, w), 'angleAt')
    return core.engine.at(0)
  }

  /** @returns {Readonly<JointPath> | null} what a joint of type `'path'` runs along; null for others */
  get path() {
    const { core, id } = handleOf(this, 'path')
    core.check(core.engine.exports.constraint_get_path(core.pointer, id), 'path')
    core.engine.begin(PATH_STATE_NUMBERS)
    const path = takePath(core.engine)
    return path === null ? null : Object.freeze({ ...path, points: Object.freeze(path.points) })
  }

  /**
   * A point of a path where it is at present: to draw it, or to look ahead.
   * @param {number} length m from its first point; an open path goes on straight beyond its ends
   * @returns {{ position: Vector, tangent: Vector }} world, metres; unit
   */
  pathPoint(length) {
    if (this.type !== 'path') throw hasNone('pathPoint', this.type)
    const at = readNumber(length, 'pathPoint: length')
    const { core, id } = handleOf(this, 'pathPoint')
    core.check(core.engine.exports.constraint_path_point(core.pointer, id, at), 'pathPoint')
    core.engine.begin(PATH_POINT_NUMBERS)
    return takePathPoint(core.engine)
  }

  /** @returns {number} the first coordinate that is a length, m; 0 without */
  get translation() {
    return this.#first('translation', false)
  }

  /** @returns {number} rate of the first coordinate, rad/s or m/s; 0 without */
  get speed() {
    return this.speeds[0] ?? 0
  }

  /**
   * What is in its springs at this moment, J; 0 without one. The sum over all joints is part of
   * `world.energy().potential`.
   * @returns {number}
   */
  get energy() {
    const { core, id } = handleOf(this, 'energy')
    core.check(core.engine.exports.constraint_get_energy(core.pointer, id), 'energy')
    return core.engine.at(0)
  }

  /**
   * How far it is from holding: the largest error of its rows, m or rad, or limit that is exceeded.
   * @returns {number}
   */
  get error() {
    const { drivenRows, rows } = this.#rows('error')
    let worst = 0
    rows.forEach((c, row) => {
      const driven = drivenRows[row - rows.length + drivenRows.length]
      if (driven === undefined) worst = Math.max(worst, Math.abs(c))
      else if (driven === 'limit') worst = Math.max(worst, -c)
    })
    return worst
  }

  /**
   * What it did to B in the last step: force in N, and the couple about B's anchor in N m, world. Of
   * a gear or a rack it is what that did to `bodyA`, the body that the first joint moves.
   * @returns {{ force: Vector, torque: Vector }}
   */
  reaction() {
    const { core, id } = handleOf(this, 'reaction')
    const { exports } = core.engine
    core.callBack(() => exports.constraint_get_reaction(core.pointer, id), 'reaction')
    core.engine.begin(6)
    const { linear, angular } = takeConstraintReaction(core.engine)
    const rate = core.lastDt > 0 ? 1 / core.lastDt : 0
    const scaled = (/** @type {Vector} */ v) => /** @type {Vector} */ (v.map((x) => rate * x))
    return { force: scaled(linear), torque: scaled(angular) }
  }

  /** @returns {Vector} `reaction().torque` */
  torque() {
    return this.reaction().torque
  }

  /**
   * The parts of the last step's force along a coordinate, on B: N, or N m of an angle.
   * @param {number} [index] of the coordinate
   * @returns {{ limits: number, spring: number, motor: number, friction: number }}
   */
  driveForces(index = 0) {
    const where = 'driveForces'
    const at = readIndex(this, where, index)
    const { core, id } = handleOf(this, where)
    core.check(core.engine.exports.constraint_get_drive_impulses(core.pointer, id, at), where)
    const rate = core.lastDt > 0 ? 1 / core.lastDt : 0
    return {
      limits: rate * core.engine.at(DRIVE_IMPULSES.limits),
      spring: rate * core.engine.at(DRIVE_IMPULSES.spring),
      motor: rate * core.engine.at(DRIVE_IMPULSES.motor),
      friction: rate * core.engine.at(DRIVE_IMPULSES.friction),
    }
  }

  /**
   * @param {string} where
   * @param {boolean} isAngle
   */
  #first(where, isAngle) {
    const count = countOf(this, where)
    for (let i = 0; i < count; i++) {
      if ((coordinateAt(this, where, i, COORDINATE_STATE.isAngle) !== 0) === isAngle) {
        return coordinateAt(this, where, i, COORDINATE_STATE.value)
      }
    }
    return 0
  }

  /**
   * C of all rows, and what the last of them are for.
   * @param {string} where
   */
  #rows(where) {
    const drivenRows = drivesOf(this, where).flatMap((drive) => [
      ...(drive.lower > -Infinity ? ['limit'] : []),
      ...(drive.upper < Infinity ? ['limit'] : []),
      ...(springOf(drive) === null ? [] : ['drive']),
      ...(drive.motor === 'none' ? [] : ['drive']),
      ...(drive.friction > 0 ? ['drive'] : []),
    ])
    return { drivenRows, rows: this.violation() }
  }

  /**
   * @param {'anchorA' | 'anchorB' | 'axisA' | 'axisB'} name
   * @returns {Readonly<Vector> | null}
   */
  #frame(name) {
    const { core, id } = handleOf(this, name)
    if (name.startsWith('anchor') ? this.joints.length > 0 : !HAS_AXES.has(this.type)) return null
    core.check(core.engine.exports.constraint_get_definition(core.pointer, id), name)
    core.engine.begin(CONSTRAINT_DEF_NUMBERS)
    return Object.freeze(takeConstraintDef(core.engine)[name])
  }
}
