import { readPositive } from '../core/arguments.mjs'
import { MoreauError } from '../core/errors.mjs'
import { WorldCore } from '../core/world-core.mjs'
import { putWheel } from '../definitions/vehicle-definition.mjs'
import * as VEHICLE from '../generated/places/vehicle.mjs'
import * as WHEEL from '../generated/places/wheel.mjs'
import * as MOTION from '../generated/places/wheel-motion.mjs'
import * as STATE from '../generated/places/wheel-state.mjs'

/** @import { Body } from './body.mjs' */
/** @import { ReadVehicle } from '../definitions/vehicle-definition.mjs' */
/** @import { Vector, Wheel } from '../types/index.mjs' */

/** @type {(core: WorldCore, definition: ReadVehicle) => Vehicle} */
export let makeVehicle

/**
 * A vehicle on wheels that are rays. Made by `world.createVehicle`. It is nothing by itself but its
 * chassis and the angles of its wheels: who wants it gone forgets it.
 */
export class Vehicle {
  #core
  #definition
  #numbers

  static {
    // By `this`: bundlers rename a class that names itself.
    const Type = this
    makeVehicle = (core, definition) => new Type(core, definition)
  }

  /**
   * @private
   * @param {WorldCore} core
   * @param {ReadVehicle} definition
   */
  constructor(core, definition) {
    if (!(core instanceof WorldCore)) {
      throw new MoreauError('invalid-argument', 'vehicles are made by world.createVehicle')
    }
    this.#core = core
    this.#definition = definition
    const perWheel = Math.max(WHEEL.NUMBERS + MOTION.NUMBERS, STATE.NUMBERS)
    this.#numbers = new Float64Array(VEHICLE.NUMBERS + perWheel * definition.wheels.length)
  }

  /** @returns {Body} */
  get chassis() {
    return this.#definition.chassis
  }

  /**
   * Its wheels: how they are built, what the driver does to them, and what became of them in the last
   * update. An unknown property of a wheel cannot be set.
   * @returns {readonly Wheel[]}
   */
  get wheels() {
    return this.#definition.wheels
  }

  /**
   * The velocity of its centre of mass along its `forward`.
   * @returns {number} m/s
   */
  get speed() {
    const { chassis, forward } = this.#definition
    const [x, y, z, w] = chassis.orientation
    const [vx, vy, vz] = chassis.linearVelocity
    const [fx, fy, fz] = forward
    // 2 q x f, of which f' = f + w t + q x t
    const [tx, ty, tz] = [2 * (y * fz - z * fy), 2 * (z * fx - x * fz), 2 * (x * fy - y * fx)]
    const along =
      vx * (fx + w * tx + y * tz - z * ty) +
      vy * (fy + w * ty + z * tx - x * tz) +
      vz * (fz + w * tz + x * ty - y * tx)
    return along / Math.sqrt(fx * fx + fy * fy + fz * fz)
  }

  /**
   * Puts the wheels to the ground and applies their forces to the chassis and to what they stand on,
   * for the next `world.step(dt)`. To be called once before each step.
   * @param {number} dt seconds
   * @throws {MoreauError} `invalid-argument`, `not-finite`, `stale-handle`; the vehicle and its world
   *   are as before
   */
  update(dt) {
    const core = this.#core
    const { chassis, wheels } = this.#definition
    const pointer = core.pointerFor('update')
    core.own(chassis, 'update: chassis')
    this.#put(readPositive(dt, 'update: dt'))
    const { engine } = core
    const numbers = this.#numbers
    engine.begin(numbers.length)
    engine.putAll(numbers)
    core.check(engine.exports.vehicle_update(pointer), 'update')
    engine.begin(numbers.length)
    for (let i = 0; i < STATE.NUMBERS * wheels.length; i++) numbers[i] = engine.take()
    wheels.forEach((wheel, i) => this.#takeState(wheel, STATE.NUMBERS * i))
  }

  /** @param {number} dt */
  #put(dt) {
    const { chassis, wheels, category, mask } = this.#definition
    const numbers = this.#numbers
    numbers[VEHICLE.chassis] = chassis.id
    numbers[VEHICLE.dt] = dt
    numbers[VEHICLE.category] = category
    numbers[VEHICLE.mask] = mask
    numbers[VEHICLE.wheelCount] = wheels.length
    const motions = VEHICLE.NUMBERS + WHEEL.NUMBERS * wheels.length
    wheels.forEach((wheel, i) => {
      putWheel(wheel, `update: wheels[${i}]`, numbers, VEHICLE.NUMBERS + WHEEL.NUMBERS * i)
      const at = motions + MOTION.NUMBERS * i
      numbers[at + MOTION.rotation] = wheel.rotation
      numbers[at + MOTION.spin] = wheel.spin
    })
  }

  /**
   * @param {Wheel} wheel
   * @param {number} at
   */
  #takeState(wheel, at) {
    const numbers = this.#numbers
    const ground = numbers[at + STATE.ground]
    wheel.isInContact = numbers[at + STATE.isInContact] !== 0
    wheel.isSliding = numbers[at + STATE.isSliding] !== 0
    wheel.ground = ground === 0 ? null : /** @type {Body} */ (this.#core.find(ground))
    copy(numbers, at + STATE.contactPoint, wheel.contactPoint)
    copy(numbers, at + STATE.contactNormal, wheel.contactNormal)
    wheel.suspensionLength = numbers[at + STATE.suspensionLength]
    wheel.suspensionForce = numbers[at + STATE.suspensionForce]
    wheel.forwardImpulse = numbers[at + STATE.forwardImpulse]
    wheel.sideImpulse = numbers[at + STATE.sideImpulse]
    wheel.rotation = numbers[at + STATE.rotation]
    wheel.spin = numbers[at + STATE.spin]
  }
}

/**
 * @param {Float64Array} numbers
 * @param {number} at
 * @param {Vector} out
 */
function copy(numbers, at, out) {
  for (let i = 0; i < 3; i++) out[i] = numbers[at + i]
}
