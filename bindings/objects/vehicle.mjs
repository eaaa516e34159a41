import { access } from '../core/access.mjs'
import { readPositive } from '../core/arguments.mjs'
import { MoreauError } from '../core/errors.mjs'
import { close, guard } from '../core/guard.mjs'
import { inspectable } from '../core/inspect.mjs'
import { WorldCore } from '../core/world-core.mjs'
import { checkWheel, putWheel, takeWheel } from '../definitions/vehicle-definition.mjs'
import * as VEHICLE from '../generated/places/vehicle.mjs'
import * as WHEEL from '../generated/places/wheel.mjs'
import * as MOTION from '../generated/places/wheel-motion.mjs'
import * as STATE from '../generated/places/wheel-state.mjs'
import { adviseSteering } from './advice.mjs'

/** @import { Body } from './body.mjs' */
/** @import { ReadVehicle } from '../definitions/vehicle-definition.mjs' */
/** @import { Wheel } from '../types/index.mjs' */

/** Numbers of a wheel in snapshots. */
const KEPT = WHEEL.NUMBERS + STATE.NUMBERS

/** @type {(core: WorldCore, definition: ReadVehicle) => Vehicle} */
export let makeVehicle

/**
 * A vehicle on wheels that are rays. Made by `world.createVehicle`. It is nothing by itself but its
 * chassis, the angles of its wheels and what carried the ground below them: who wants it gone forgets it.
 */
export class Vehicle {
  #core
  #definition
  #numbers

  static {
    // By `this`: bundlers rename a class that names itself.
    const Type = this
    makeVehicle = (core, definition) => close(new Type(core, definition))
    access.checkVehicle = (vehicle, where) => vehicle.#checkWheels(where)
    access.vehicleNumbers = (vehicle, where) => vehicle.#numbersOfWheels(where)
    access.takeVehicle = (vehicle, numbers) => vehicle.#takeWheels(numbers)
    access.takeWheelStates = (vehicle, list, at) => vehicle.#takeStates(list, at)
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
    core.controls.addVehicle(this)
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
    const { chassis } = this.#definition
    core.alive('update')
    core.own(chassis, 'update: chassis')
    if (!this.#put(readPositive(dt, 'update: dt'))) this.#checkWheels('update')
    adviseSteering(core, this.wheels)
    const { engine } = core
    const { elsewhere } = core.controls
    if (elsewhere) {
      this.#checkWheels('update')
      elsewhere.driven(this, dt)
      return
    }
    const numbers = this.#numbers
    const pointer = core.pointerFor('update')
    engine.begin(numbers.length)
    engine.putAll(numbers)
    const result = engine.exports.vehicle_update(pointer)
    if (result !== 0) this.#checkWheels('update')
    core.check(result, 'update')
    this.#takeStates(engine.f64, engine.place(0))
  }

  /** Throws if a wheel has a bad value, and names the wheel, which the engine cannot. @param {string} where */
  #checkWheels(where) {
    const { wheels } = this
    for (const [i, wheel] of wheels.entries())
      checkWheel(wheel, `${where}: wheels[${i}]`, wheels.length)
  }

  /** @param {string} where @returns {number[]} what the wheels are, how they are driven, and their states */
  #numbersOfWheels(where) {
    const numbers = new Float64Array(KEPT * this.wheels.length)
    this.#checkWheels(where)
    for (const [i, wheel] of this.wheels.entries()) {
      putWheel(wheel, numbers, KEPT * i)
      putState(wheel, numbers, KEPT * i + WHEEL.NUMBERS)
    }
    return [...numbers]
  }

  /** @param {Float64Array} numbers of a snapshot, in which it had them */
  #takeWheels(numbers) {
    const core = this.#core
    if (numbers.length !== KEPT * this.wheels.length) return
    for (const [i, wheel] of this.wheels.entries()) {
      takeWheel(wheel, numbers, KEPT * i)
      takeState(core, wheel, numbers, KEPT * i + WHEEL.NUMBERS)
    }
  }

  /**
   * @param {number} dt
   * @returns {boolean} whether what the wheels have are numbers
   */
  #put(dt) {
    const { chassis, wheels, category, mask } = this.#definition
    const numbers = this.#numbers
    numbers[VEHICLE.chassis] = chassis.id
    numbers[VEHICLE.dt] = dt
    numbers[VEHICLE.category] = category
    numbers[VEHICLE.mask] = mask
    numbers[VEHICLE.wheelCount] = wheels.length
    let at = VEHICLE.NUMBERS
    let motion = at + WHEEL.NUMBERS * wheels.length
    for (let i = 0; i < wheels.length; i++) {
      const wheel = wheels[i]
      if (!putWheel(wheel, numbers, at)) return false
      numbers[motion + MOTION.rotation] = wheel.rotation
      numbers[motion + MOTION.spin] = wheel.spin
      numbers[motion + MOTION.ground] = wheel.ground?.id ?? 0
      const { forecastLinear, forecastAngular } = wheel
      for (let k = 0; k < 3; k++) {
        numbers[motion + MOTION.forecastLinear + k] = forecastLinear[k]
        numbers[motion + MOTION.forecastAngular + k] = forecastAngular[k]
      }
      at += WHEEL.NUMBERS
      motion += MOTION.NUMBERS
    }
    return true
  }

  /** @param {Float64Array} list @param {number} start where its states are */
  #takeStates(list, start) {
    const core = this.#core
    const { wheels } = this.#definition
    let at = start
    for (let i = 0; i < wheels.length; i++) {
      takeState(core, wheels[i], list, at)
      at += STATE.NUMBERS
    }
  }
}

guard(Vehicle, 'Vehicle')
inspectable(Vehicle, 'Vehicle', ({ chassis, wheels }) => ({
  ...{ chassis: chassis.id, wheels: wheels.length },
  ...(chassis.isAlive && { position: chassis.position }),
}))

/**
 * @param {WorldCore} core
 * @param {Wheel} wheel
 * @param {Float64Array} f64
 * @param {number} at
 */
function takeState(core, wheel, f64, at) {
  const ground = f64[at + STATE.ground]
  const { contactPoint, contactNormal, forecastLinear, forecastAngular } = wheel
  wheel.isInContact = f64[at + STATE.isInContact] !== 0
  wheel.isSliding = f64[at + STATE.isSliding] !== 0
  wheel.ground = ground === 0 ? null : /** @type {Body} */ (core.find(ground) ?? null)
  for (let i = 0; i < 3; i++) {
    contactPoint[i] = f64[at + STATE.contactPoint + i]
    contactNormal[i] = f64[at + STATE.contactNormal + i]
    forecastLinear[i] = f64[at + STATE.forecastLinear + i]
    forecastAngular[i] = f64[at + STATE.forecastAngular + i]
  }
  wheel.suspensionLength = f64[at + STATE.suspensionLength]
  wheel.suspensionForce = f64[at + STATE.suspensionForce]
  wheel.forwardImpulse = f64[at + STATE.forwardImpulse]
  wheel.sideImpulse = f64[at + STATE.sideImpulse]
  wheel.rotation = f64[at + STATE.rotation]
  wheel.spin = f64[at + STATE.spin]
}

/**
 * The twin of `takeState`.
 * @param {Wheel} wheel
 * @param {Float64Array} f64
 * @param {number} at
 */
function putState(wheel, f64, at) {
  const { contactPoint, contactNormal, forecastLinear, forecastAngular } = wheel
  f64[at + STATE.isInContact] = wheel.isInContact ? 1 : 0
  f64[at + STATE.isSliding] = wheel.isSliding ? 1 : 0
  f64[at + STATE.ground] = wheel.ground?.id ?? 0
  for (let i = 0; i < 3; i++) {
    f64[at + STATE.contactPoint + i] = contactPoint[i]
    f64[at + STATE.contactNormal + i] = contactNormal[i]
    f64[at + STATE.forecastLinear + i] = forecastLinear[i]
    f64[at + STATE.forecastAngular + i] = forecastAngular[i]
  }
  f64[at + STATE.suspensionLength] = wheel.suspensionLength
  f64[at + STATE.suspensionForce] = wheel.suspensionForce
  f64[at + STATE.forwardImpulse] = wheel.forwardImpulse
  f64[at + STATE.sideImpulse] = wheel.sideImpulse
  f64[at + STATE.rotation] = wheel.rotation
  f64[at + STATE.spin] = wheel.spin
}
