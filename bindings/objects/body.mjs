import { access } from '../core/access.mjs'
import {
  readBoolean,
  readFraction,
  readNonNegative,
  readNumber,
  readPositive,
  readWordNumber,
} from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList, writeList } from '../core/lists.mjs'
import {
  noVector,
  putVector,
  readInertia,
  readQuaternion,
  readVector,
  writeQuaternion,
  writeVector,
} from '../core/vectors.mjs'
import { defaults, LATER } from '../definitions/body-definition.mjs'
import { contactsOf } from './contacts.mjs'
import { MoreauError } from '../core/errors.mjs'
import { readFilter } from '../definitions/filter.mjs'
import { BODY_TYPES, SOLVERS } from '../generated/enums.mjs'
import * as BODY_STATE from '../generated/places/body-state.mjs'
import * as PUSH from '../generated/places/push.mjs'
import { PUSH_NUMBERS } from '../generated/records.mjs'
import { Scratch } from '../core/scratch.mjs'
import { slotOf, WorldCore } from '../core/world-core.mjs'

/** @import { Shape } from './shape.mjs' */
/** @import { BodyContact, BodyType, Filter, InertiaLike, Quaternion, QuaternionLike } from '../types/index.mjs' */
/** @import { QuaternionOut, SolverName, Vector, VectorLike, VectorOut } from '../types/index.mjs' */
/** @import { World } from './world.mjs' */

const INERTIA_NUMBERS = 9

// A value is read here as a whole, and passed on before anything else is read.
const first = new Float64Array(4)
// A push is read in two parts: reading the point may push something else.
const pushes = new Scratch(PUSH_NUMBERS)
const inertias = new Scratch(INERTIA_NUMBERS)

/** @type {(core: WorldCore, id: number, shapes: readonly Shape[], userData: unknown) => Body} */
export let makeBody

/**
 * A rigid body. Made by `world.createBody`.
 *
 * Getters give new arrays; each has a `read...(out)` twin that allocates nothing. After `destroy()`,
 * or after the world was freed, everything but `id`, `index`, `world`, `userData`, `shape`, `shapes`
 * and `isAlive` throws `stale-handle`.
 */
export class Body {
  #core
  #shapes
  #id

  /**
   * Anything; Moreau does not look at it.
   * @type {unknown}
   */
  userData

  static {
    // By `this`: bundlers rename a class that names itself.
    const Type = this
    makeBody = (core, id, shapes, userData) => new Type(core, id, shapes, userData)
    access.isBody = (value) => typeof value === 'object' && value !== null && #core in value
  }

  /**
   * @private
   * @param {WorldCore} core
   * @param {number} id
   * @param {readonly Shape[]} shapes
   * @param {unknown} userData
   */
  constructor(core, id, shapes, userData) {
    if (!(core instanceof WorldCore)) {
      throw new MoreauError('invalid-argument', 'new Body: bodies are made by world.createBody')
    }
    this.#core = core
    this.#shapes = shapes
    this.#id = id
    this.userData = userData
  }

  /**
   * Names the body for good: an id never comes back. It is one of its world: bodies of two worlds may
   * have the same.
   * @returns {number}
   */
  get id() {
    return this.#id
  }

  /**
   * The slot of the body in the bulk arrays of its world, fixed for its life.
   * @returns {number}
   */
  get index() {
    return slotOf(this.#id)
  }

  /** @returns {World} */
  get world() {
    return this.#core.world
  }

  /** @returns {boolean} false once the body was destroyed or its world freed */
  get isAlive() {
    return this.#core.has(this.#id)
  }

  /**
   * The first shape, if there is one. If it was made by the way from a definition, it is freed with
   * the last body that uses it.
   * @returns {Shape | undefined}
   */
  get shape() {
    return this.#shapes[0]
  }

  /** @returns {readonly Shape[]} in the order of the definition */
  get shapes() {
    return this.#shapes
  }

  // --- pose and velocity, straight from the bulk arrays ------------------------------------------

  /**
   * The body's origin in the world, metres. Setting it moves the body at once, whatever is in the way.
   * @returns {Vector}
   */
  get position() {
    return this.readPosition(/** @type {Vector} */ (/** @type {number[]} */ ([])))
  }

  /** @param {VectorLike} value */
  set position(value) {
    const core = this.#alive('position')
    readVector(value, 'position', first)
    const { exports } = core.engine
    core.check(
      exports.body_set_position(core.pointer, this.#id, first[0], first[1], first[2]),
      'position',
    )
  }

  /**
   * Writes `position` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readPosition(out) {
    const core = this.#core
    const at = core.transforms64 + 8 * core.slot(this.#id, 'readPosition')
    return writeVector(out, core.engine.f64, at, 'readPosition: out')
  }

  /**
   * World from body, unit. Setting it turns the body at once about its origin; any length from
   * 1e-150 to 1e150 is fine.
   * @returns {Quaternion}
   */
  get orientation() {
    return this.readOrientation(/** @type {Quaternion} */ (/** @type {number[]} */ ([])))
  }

  /** @param {QuaternionLike} value */
  set orientation(value) {
    const core = this.#alive('orientation')
    readQuaternion(value, 'orientation', first)
    const { exports } = core.engine
    core.check(
      exports.body_set_orientation(core.pointer, this.#id, first[0], first[1], first[2], first[3]),
      'orientation',
    )
  }

  /**
   * Writes `orientation` to what is given, and allocates nothing.
   * @template {QuaternionOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readOrientation(out) {
    const core = this.#core
    const at = core.transforms64 + 8 * core.slot(this.#id, 'readOrientation') + 4
    return writeQuaternion(out, core.engine.f64, at, 'readOrientation: out')
  }

  /**
   * Velocity of the centre of mass, m/s, world. That of a static body is 0.
   * @returns {Vector}
   */
  get linearVelocity() {
    return this.readLinearVelocity(/** @type {Vector} */ (/** @type {number[]} */ ([])))
  }

  /** @param {VectorLike} value */
  set linearVelocity(value) {
    const core = this.#alive('linearVelocity')
    readVector(value, 'linearVelocity', first)
    const { exports } = core.engine
    core.check(
      exports.body_set_linear_velocity(core.pointer, this.#id, first[0], first[1], first[2]),
      'linearVelocity',
    )
  }

  /**
   * Writes `linearVelocity` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readLinearVelocity(out) {
    const core = this.#core
    const at = core.velocities + 8 * core.slot(this.#id, 'readLinearVelocity')
    return writeVector(out, core.engine.f64, at, 'readLinearVelocity: out')
  }

  /**
   * rad/s, world. That of a static body is 0.
   * @returns {Vector}
   */
  get angularVelocity() {
    return this.readAngularVelocity(/** @type {Vector} */ (/** @type {number[]} */ ([])))
  }

  /** @param {VectorLike} value */
  set angularVelocity(value) {
    const core = this.#alive('angularVelocity')
    readVector(value, 'angularVelocity', first)
    const { exports } = core.engine
    core.check(
      exports.body_set_angular_velocity(core.pointer, this.#id, first[0], first[1], first[2]),
      'angularVelocity',
    )
  }

  /**
   * Writes `angularVelocity` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readAngularVelocity(out) {
    const core = this.#core
    const at = core.velocities + 8 * core.slot(this.#id, 'readAngularVelocity') + 4
    return writeVector(out, core.engine.f64, at, 'readAngularVelocity: out')
  }

  /**
   * Length of the linear velocity, m/s.
   * @returns {number}
   */
  get speed() {
    return this.#velocityLength(0, 'speed')
  }

  /**
   * Length of the angular velocity, rad/s.
   * @returns {number}
   */
  get angularSpeed() {
    return this.#velocityLength(4, 'angularSpeed')
  }

  /**
   * Whether the body is as good as still at this moment.
   * @param {number} [linear] m/s, the speed up to which it is; default 0.01
   * @param {number} [angular] rad/s; default 0.01
   * @returns {boolean}
   */
  isAtRest(linear = 0.01, angular = 0.01) {
    const slow = this.speed <= readNonNegative(linear, 'isAtRest: linear')
    return this.angularSpeed <= readNonNegative(angular, 'isAtRest: angular') && slow
  }

  // --- read from the engine ---------------------------------------------------------------------

  /**
   * The centre of mass in the world, metres.
   * @returns {Vector}
   */
  get worldCenterOfMass() {
    return this.readWorldCenterOfMass(/** @type {Vector} */ (/** @type {number[]} */ ([])))
  }

  /**
   * Writes `worldCenterOfMass` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readWorldCenterOfMass(out) {
    return this.#readStateVector(
      out,
      BODY_STATE.worldCenterOfMass,
      'readWorldCenterOfMass',
      'readWorldCenterOfMass: out',
    )
  }

  /**
   * Change of the linear velocity over the last step, divided by its dt, m/s².
   * @returns {Vector}
   */
  get linearAcceleration() {
    return this.readLinearAcceleration(/** @type {Vector} */ (/** @type {number[]} */ ([])))
  }

  /**
   * Writes `linearAcceleration` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readLinearAcceleration(out) {
    return this.#readStateVector(
      out,
      BODY_STATE.linearAcceleration,
      'readLinearAcceleration',
      'readLinearAcceleration: out',
    )
  }

  /**
   * Change of the angular velocity over the last step, divided by its dt, rad/s².
   * @returns {Vector}
   */
  get angularAcceleration() {
    return this.readAngularAcceleration(/** @type {Vector} */ (/** @type {number[]} */ ([])))
  }

  /**
   * Writes `angularAcceleration` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readAngularAcceleration(out) {
    return this.#readStateVector(
      out,
      BODY_STATE.angularAcceleration,
      'readAngularAcceleration',
      'readAngularAcceleration: out',
    )
  }

  /**
   * About the centre of mass, world, kg m²/s; 0 for static and kinematic bodies.
   * @returns {Vector}
   */
  get angularMomentum() {
    return this.readAngularMomentum(/** @type {Vector} */ (/** @type {number[]} */ ([])))
  }

  /**
   * Writes `angularMomentum` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readAngularMomentum(out) {
    return this.#readStateVector(
      out,
      BODY_STATE.angularMomentum,
      'readAngularMomentum',
      'readAngularMomentum: out',
    )
  }

  /**
   * J, of the motion of the centre of mass and of the rotation; 0 for static and kinematic bodies.
   * @returns {number}
   */
  get kineticEnergy() {
    return this.#state('kineticEnergy').at(BODY_STATE.kineticEnergy)
  }

  // --- mass -------------------------------------------------------------------------------------

  /**
   * How the body takes part: a `dynamic` body moves by forces and contacts, a `kinematic` one only by
   * its velocity, a `static` one not at all. A plane must stay static, and a dynamic body needs mass.
   * @returns {BodyType}
   */
  get type() {
    return BODY_TYPES[this.#state('type').at(BODY_STATE.type)]
  }

  /** @param {BodyType} value */
  set type(value) {
    const core = this.#alive('type')
    const type = readWordNumber(value, 'type', BODY_TYPES)
    core.check(core.engine.exports.body_set_type(core.pointer, this.#id, type), 'type')
  }

  /**
   * kg; 0 for static and kinematic bodies, which keep what is set for when they become dynamic. Above
   * 0 to set; the inertia is scaled with it.
   * @returns {number}
   */
  get mass() {
    return this.#state('mass').at(BODY_STATE.mass)
  }

  /** @param {number} value */
  set mass(value) {
    const core = this.#alive('mass')
    const mass = readPositive(value, 'mass')
    core.check(core.engine.exports.body_set_mass(core.pointer, this.#id, mass), 'mass')
  }

  /**
   * Mean density in kg/m³: the mass over the volume of the shapes; 0 for static and kinematic bodies.
   * Above 0 to set, which sets the mass and scales the inertia; refused without a shape that has a
   * volume.
   * @returns {number}
   */
  get density() {
    return this.#state('density').at(BODY_STATE.density)
  }

  /** @param {number} value */
  set density(value) {
    const core = this.#alive('density')
    const density = readPositive(value, 'density')
    core.check(core.engine.exports.body_set_density(core.pointer, this.#id, density), 'density')
  }

  /**
   * Inertia about the centre of mass in body axes, 9 numbers by rows, kg m²; 0 for static and
   * kinematic bodies. `[Ixx, Iyy, Izz]` or 9 numbers to set, symmetric and positive definite.
   * @returns {number[]}
   */
  get inertia() {
    return this.readInertia([])
  }

  /** @param {InertiaLike} value */
  set inertia(value) {
    const core = this.#alive('inertia')
    const rows = readInertia(value, 'inertia')
    core.engine.begin(rows.length)
    core.engine.putAll(rows)
    core.check(core.engine.exports.body_set_inertia(core.pointer, this.#id), 'inertia')
  }

  /**
   * Writes the 9 numbers of `inertia` to what is given, and allocates nothing.
   * @template {number[] | Float32Array | Float64Array} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readInertia(out) {
    const path = 'readInertia: out'
    if (!isList(out)) throw invalid(path, 'an array or a typed array of 9 or more', out)
    const engine = this.#state('readInertia')
    const numbers = inertias.take()
    for (let i = 0; i < INERTIA_NUMBERS; i++) numbers[i] = engine.at(BODY_STATE.inertia + i)
    writeList(out, numbers, INERTIA_NUMBERS, path)
    inertias.giveBack(numbers)
    return out
  }

  /**
   * The centre of mass in the body's frame, metres. Setting it leaves the inertia as it is, and the
   * motion of every point of the body.
   * @returns {Vector}
   */
  get centerOfMass() {
    return this.readCenterOfMass(/** @type {Vector} */ (/** @type {number[]} */ ([])))
  }

  /** @param {VectorLike} value */
  set centerOfMass(value) {
    const core = this.#alive('centerOfMass')
    readVector(value, 'centerOfMass', first)
    const { exports } = core.engine
    core.check(
      exports.body_set_center_of_mass(core.pointer, this.#id, first[0], first[1], first[2]),
      'centerOfMass',
    )
  }

  /**
   * Writes `centerOfMass` to what is given, and allocates nothing.
   * @template {VectorOut} Out
   * @param {Out} out
   * @returns {Out} `out`
   */
  readCenterOfMass(out) {
    return this.#readStateVector(
      out,
      BODY_STATE.centerOfMass,
      'readCenterOfMass',
      'readCenterOfMass: out',
    )
  }

  // --- material and damping ---------------------------------------------------------------------

  /**
   * Coulomb coefficient of the shapes that have none of their own, 0 or more. A pair takes the geometric
   * mean. Counts from the next step on.
   * @returns {number}
   */
  get friction() {
    return this.#state('friction').at(BODY_STATE.friction)
  }

  /** @param {number} value */
  set friction(value) {
    const core = this.#alive('friction')
    const number = readNonNegative(value, 'friction')
    core.check(core.engine.exports.body_set_friction(core.pointer, this.#id, number), 'friction')
  }

  /**
   * Restitution of the shapes that have none of their own, 0 to 1. A pair takes the geometric mean.
   * Counts from the next step on.
   * @returns {number}
   */
  get restitution() {
    return this.#state('restitution').at(BODY_STATE.restitution)
  }

  /** @param {number} value */
  set restitution(value) {
    const core = this.#alive('restitution')
    const number = readFraction(value, 'restitution')
    core.check(
      core.engine.exports.body_set_restitution(core.pointer, this.#id, number),
      'restitution',
    )
  }

  /**
   * 1/s, 0 or more: the linear velocity falls by this part per second.
   * @returns {number}
   */
  get linearDamping() {
    return this.#state('linearDamping').at(BODY_STATE.linearDamping)
  }

  /** @param {number} value */
  set linearDamping(value) {
    const core = this.#alive('linearDamping')
    const number = readNonNegative(value, 'linearDamping')
    core.check(
      core.engine.exports.body_set_linear_damping(core.pointer, this.#id, number),
      'linearDamping',
    )
  }

  /**
   * 1/s, 0 or more: the angular velocity falls by this part per second.
   * @returns {number}
   */
  get angularDamping() {
    return this.#state('angularDamping').at(BODY_STATE.angularDamping)
  }

  /** @param {number} value */
  set angularDamping(value) {
    const core = this.#alive('angularDamping')
    const number = readNonNegative(value, 'angularDamping')
    core.check(
      core.engine.exports.body_set_angular_damping(core.pointer, this.#id, number),
      'angularDamping',
    )
  }

  /**
   * Factor on the world's gravity, any finite number.
   * @returns {number}
   */
  get gravityScale() {
    return this.#state('gravityScale').at(BODY_STATE.gravityScale)
  }

  /** @param {number} value */
  set gravityScale(value) {
    const core = this.#alive('gravityScale')
    const number = readNumber(value, 'gravityScale')
    core.check(
      core.engine.exports.body_set_gravity_scale(core.pointer, this.#id, number),
      'gravityScale',
    )
  }

  /**
   * The solver that the body asks for; undefined: the world's. The most exact one that a body of an
   * island asks for solves the island.
   * @returns {SolverName | undefined}
   */
  get solver() {
    const engine = this.#state('solver')
    return engine.at(BODY_STATE.hasSolver) === 0 ? undefined : SOLVERS[engine.at(BODY_STATE.solver)]
  }

  /** @param {SolverName | undefined} value */
  set solver(value) {
    const core = this.#alive('solver')
    const number = value === undefined ? -1 : readWordNumber(value, 'solver', SOLVERS)
    core.check(core.engine.exports.body_set_solver(core.pointer, this.#id, number), 'solver')
  }

  // --- forces and impulses ----------------------------------------------------------------------

  /**
   * Adds a force for the next step. Forces move dynamic bodies only.
   * @param {VectorLike} force N, world
   * @param {VectorLike} [point] where it acts, world, metres; default: the centre of mass
   */
  applyForce(force, point) {
    const core = this.#alive('applyForce')
    const hasPoint = putPush(core, force, 'applyForce: force', point, 'applyForce: point')
    const { exports } = core.engine
    core.check(exports.body_apply_force(core.pointer, this.#id, hasPoint), 'applyForce')
  }

  /**
   * Adds a torque for the next step.
   * @param {VectorLike} torque N m, world
   */
  applyTorque(torque) {
    const core = this.#alive('applyTorque')
    readVector(torque, 'applyTorque: torque', first)
    core.check(
      core.engine.exports.body_apply_torque(core.pointer, this.#id, first[0], first[1], first[2]),
      'applyTorque',
    )
  }

  /**
   * Changes the velocities at once. Impulses move dynamic bodies only.
   * @param {VectorLike} impulse N s, world
   * @param {VectorLike} [point] where it acts, world, metres; default: the centre of mass
   */
  applyImpulse(impulse, point) {
    const core = this.#alive('applyImpulse')
    const hasPoint = putPush(core, impulse, 'applyImpulse: impulse', point, 'applyImpulse: point')
    const { exports } = core.engine
    core.check(exports.body_apply_impulse(core.pointer, this.#id, hasPoint), 'applyImpulse')
  }

  /**
   * Changes the angular velocity at once.
   * @param {VectorLike} impulse N m s, world
   */
  applyAngularImpulse(impulse) {
    const where = 'applyAngularImpulse'
    const core = this.#alive(where)
    readVector(impulse, 'applyAngularImpulse: impulse', first)
    const { exports } = core.engine
    core.check(
      exports.body_apply_angular_impulse(core.pointer, this.#id, first[0], first[1], first[2]),
      where,
    )
  }

  /** Drops the forces and torques that were added since the last step. */
  clearForces() {
    const core = this.#alive('clearForces')
    core.check(core.engine.exports.body_clear_forces(core.pointer, this.#id), 'clearForces')
  }

  /**
   * What the body touches, as the last step left it.
   * @returns {BodyContact[]} one per other body, in a fixed order
   */
  contacts() {
    return contactsOf(this.#alive('contacts'), this.#id)
  }

  // --- collision and sleep ----------------------------------------------------------------------

  /**
   * Which bodies this one collides with. Setting it takes the defaults for what is left out, and
   * counts from the next step on.
   * @returns {Required<Filter>}
   */
  get filter() {
    const engine = this.#state('filter')
    return {
      category: engine.at(BODY_STATE.filter),
      mask: engine.at(BODY_STATE.filter + 1),
      group: engine.at(BODY_STATE.filter + 2),
    }
  }

  /** @param {Filter} value */
  set filter(value) {
    const core = this.#alive('filter')
    const [category, mask, group] = readFilter(value, 'filter', defaults().filter)
    core.check(
      core.engine.exports.body_set_filter(core.pointer, this.#id, category, mask, group),
      'filter',
    )
  }

  /**
   * Whether the body, when it is fast, stops at moving bodies too and does not pass them in a step.
   * At static ones every body does.
   * @returns {boolean}
   */
  get bullet() {
    return this.#state('bullet').at(BODY_STATE.bullet) !== 0
  }

  /** @param {boolean} value */
  set bullet(value) {
    const core = this.#alive('bullet')
    const number = Number(readBoolean(value, 'bullet'))
    core.check(core.engine.exports.body_set_bullet(core.pointer, this.#id, number), 'bullet')
  }

  /**
   * Whether the body may fall asleep; with false it stays awake, and all that it touches.
   * @returns {boolean}
   */
  get allowSleep() {
    return this.#state('allowSleep').at(BODY_STATE.allowSleep) !== 0
  }

  /** @param {boolean} value */
  set allowSleep(value) {
    const core = this.#alive('allowSleep')
    const number = Number(readBoolean(value, 'allowSleep'))
    core.check(
      core.engine.exports.body_set_allow_sleep(core.pointer, this.#id, number),
      'allowSleep',
    )
  }

  /**
   * Whether the body takes part in steps: it is neither static nor asleep.
   * @returns {boolean}
   */
  get isAwake() {
    return this.#state('isAwake').at(BODY_STATE.isAwake) !== 0
  }

  /**
   * Puts the body and all that it touches or is joined to asleep, with velocities 0. Anything that
   * touches or changes one of them wakes them. Does nothing to static bodies.
   */
  sleep() {
    const core = this.#alive('sleep')
    core.check(core.engine.exports.body_sleep(core.pointer, this.#id), 'sleep')
  }

  /** Wakes the body and all that fell asleep with it. */
  wake() {
    const core = this.#alive('wake')
    core.check(core.engine.exports.body_wake(core.pointer, this.#id), 'wake')
  }

  // --- what a later version brings ----------------------------------------------------------------

  /**
   * Always false in this version; setting it to true throws `not-supported`.
   * @returns {boolean}
   */
  get sensor() {
    this.#alive('sensor')
    return false
  }

  /** @param {boolean} value */
  set sensor(value) {
    this.#later('sensor', value)
  }

  /**
   * World axes along which the body cannot move: none in this version; setting one throws
   * `not-supported`.
   * @returns {[boolean, boolean, boolean]}
   */
  get lockTranslation() {
    this.#alive('lockTranslation')
    return [false, false, false]
  }

  /** @param {boolean | readonly boolean[]} value */
  set lockTranslation(value) {
    this.#later('lockTranslation', value)
  }

  /**
   * World axes about which the body cannot turn: none in this version; setting one throws
   * `not-supported`.
   * @returns {[boolean, boolean, boolean]}
   */
  get lockRotation() {
    this.#alive('lockRotation')
    return [false, false, false]
  }

  /** @param {boolean | readonly boolean[]} value */
  set lockRotation(value) {
    this.#later('lockRotation', value)
  }

  // --- life -------------------------------------------------------------------------------------

  /** Takes the body out of its world. Its id never names another body; its slot may be used again. */
  destroy() {
    const core = this.#alive('destroy')
    core.begin('destroy')
    core.check(core.engine.exports.body_destroy(core.pointer, this.#id), 'destroy')
    core.remove(this)
  }

  /** @param {string} where */
  #alive(where) {
    this.#core.slot(this.#id, where)
    return this.#core
  }

  /**
   * Has the engine write the state of the body into the shared block.
   * @param {string} where
   */
  #state(where) {
    const core = this.#alive(where)
    core.check(core.engine.exports.body_get_state(core.pointer, this.#id), where)
    return core.engine
  }

  /**
   * @template {VectorOut} Out
   * @param {Out} out
   * @param {number} place
   * @param {string} where
   * @param {string} path
   * @returns {Out}
   */
  #readStateVector(out, place, where, path) {
    const engine = this.#state(where)
    return writeVector(out, engine.f64, engine.place(place), path)
  }

  /**
   * @param {number} offset
   * @param {string} where
   */
  #velocityLength(offset, where) {
    const core = this.#core
    const at = core.velocities + 8 * core.slot(this.#id, where) + offset
    const { f64 } = core.engine
    return Math.sqrt(f64[at] * f64[at] + f64[at + 1] * f64[at + 1] + f64[at + 2] * f64[at + 2])
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  #later(name, value) {
    this.#alive(name)
    LATER[name](value, name)
  }
}

/**
 * Puts a force or an impulse and its point into the shared block.
 * @param {WorldCore} core
 * @param {VectorLike} push
 * @param {string} pushPath
 * @param {VectorLike | undefined} point
 * @param {string} pointPath
 * @returns {number} 1 if there is a point, else 0
 */
function putPush(core, push, pushPath, point, pointPath) {
  const numbers = pushes.take()
  if (!putVector(push, numbers, PUSH.push)) throw noVector(push, pushPath)
  if (point !== undefined && !putVector(point, numbers, PUSH.point))
    throw noVector(point, pointPath)
  core.engine.begin(PUSH_NUMBERS)
  core.engine.putAll(numbers)
  pushes.giveBack(numbers)
  return point === undefined ? 0 : 1
}
