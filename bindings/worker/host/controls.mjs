import { access } from '../../core/access.mjs'
import { MoreauError } from '../../core/errors.mjs'
import {
  CHARACTER_COUNT,
  KIND,
  ROW,
  SETTINGS,
  vehicleCount,
  WHEEL_STATE,
} from '../control-rows.mjs'

/** @import { Character, Vehicle, World } from '../../index.mjs' */
/** @import { Functions } from '../functions.mjs' */

/**
 * The characters and vehicles of the page, here. By the worker's own clock vehicles that the page drives are updated
 * before each step, since the page knows nothing of steps.
 */
export class HostControls {
  #world
  #shapes
  #functions
  /** @type {Map<number, Character>} */
  #characters = new Map()
  /** @type {Map<number, { vehicle: Vehicle, isDriven: boolean }>} */
  #vehicles = new Map()

  /**
   * @param {World} world
   * @param {readonly any[]} shapes definitions, by their places
   * @param {Functions} functions
   */
  constructor(world, shapes, functions) {
    this.#world = world
    this.#shapes = shapes
    this.#functions = functions
  }

  /**
   * Does what the page has noted.
   * @param {string} name
   * @param {number} number of the character or vehicle
   * @param {any} first
   * @param {any} second
   * @param {boolean} isClocked whether steps are by the worker's own clock
   * @returns {unknown} the answer, if it has one
   */
  apply(name, number, first, second, isClocked) {
    if (name === 'makeCharacter') return this.#makeCharacter(number, first)
    if (name === 'makeVehicle') return this.#makeVehicle(number, first)
    if (name === 'drive') return this.#drive(number, first, second, isClocked)
    const character = this.#character(number)
    if (name === 'move') return this.#move(character, first, second)
    if (name === 'place') return access.takeCharacter(character, first)
    if (name === 'reshape') return character.setShape(this.#shapes[first])
    this.#characters.delete(number)
    return character.destroy()
  }

  /** @param {number} number @returns {Character} */
  #character(number) {
    const character = this.#characters.get(number)
    if (character) return character
    throw new MoreauError('stale-handle', `character ${number} was destroyed`)
  }

  /** @param {number} number @param {any} given */
  #makeCharacter(number, { shape, numbers, filter, predicate, exclude }) {
    if (this.#characters.has(number)) return
    const world = this.#world
    access.coreOf(world).controls.countFrom(number) // snapshots name it by this
    const character = world.createCharacter({
      shape: this.#shapes[shape],
      ...(filter && { filter }),
      ...(exclude && { exclude: world.bodyById(exclude) }),
      ...(predicate && { predicate: this.#functions[predicate] }),
    })
    access.takeCharacter(character, numbers)
    this.#characters.set(number, character)
  }

  /** @param {number} number @param {any} given */
  #makeVehicle(number, { chassis, wheels, numbers, filter }) {
    if (this.#vehicles.has(number)) return
    const world = this.#world
    const vehicle = world.createVehicle({
      chassis: /** @type {any} */ (world.bodyById(chassis)),
      wheels: Array.from({ length: wheels }, () => ({ position: [0, 0, 0] })),
      ...(filter && { filter }),
    })
    access.takeVehicle(vehicle, numbers)
    this.#vehicles.set(number, { vehicle, isDriven: false })
  }

  /**
   * @param {Character} character
   * @param {Float64Array} way
   * @param {Float64Array} measures
   */
  #move(character, [x, y, z, dt], measures) {
    const own = Float64Array.from(access.characterNumbers(character))
    own.set(measures)
    access.takeCharacter(character, own)
    character.move([x, y, z], dt)
  }

  /**
   * @param {number} number
   * @param {number} dt
   * @param {Float64Array} numbers settings of wheels, and what the page has of their states
   * @param {boolean} isClocked
   */
  #drive(number, dt, numbers, isClocked) {
    const known = this.#vehicles.get(number)
    if (!known?.vehicle.chassis.isAlive) throw new MoreauError('stale-handle', 'update: chassis')
    const own = access.vehicleNumbers(known.vehicle, 'update')
    const mixed = numbers.map((value, i) =>
      i % (SETTINGS + WHEEL_STATE) < SETTINGS ? value : own[i],
    )
    access.takeVehicle(known.vehicle, mixed)
    known.isDriven = true
    if (!isClocked) known.vehicle.update(dt)
  }

  /** Drives the vehicles before a step of the own clock. @param {number} dt */
  driveAll(dt) {
    for (const [number, { vehicle, isDriven }] of this.#vehicles) {
      if (!vehicle.chassis.isAlive) this.#vehicles.delete(number)
      else if (isDriven) vehicle.update(dt)
    }
  }

  /**
   * Writes what the page shows of them.
   * @param {Float64Array} frame
   * @param {number} start
   * @returns {number} doubles
   */
  write(frame, start) {
    let at = start
    for (const [number, character] of this.#characters) {
      at = writeHead(frame, at, KIND.character, number, CHARACTER_COUNT)
      access.putCharacterState(character, frame, at)
      at += CHARACTER_COUNT
    }
    for (const [number, { vehicle }] of this.#vehicles) {
      if (!vehicle.chassis.isAlive) continue
      const count = vehicleCount(vehicle.wheels.length)
      at = writeHead(frame, at, KIND.vehicle, number, count)
      writeStates(frame, at, vehicle)
      at += count
    }
    return at - start
  }
}

/**
 * @param {Float64Array} frame
 * @param {number} at
 * @param {number} kind
 * @param {number} number
 * @param {number} count
 * @returns {number} where its numbers are
 */
function writeHead(frame, at, kind, number, count) {
  frame[at + ROW.kind] = kind
  frame[at + ROW.number] = number
  frame[at + ROW.count] = count
  return at + ROW.numbers
}

/** @param {Float64Array} frame @param {number} start @param {Vehicle} vehicle */
function writeStates(frame, start, vehicle) {
  const numbers = access.vehicleNumbers(vehicle, 'update')
  const kept = SETTINGS + WHEEL_STATE
  for (let i = 0; i < vehicle.wheels.length; i++) {
    for (let k = 0; k < WHEEL_STATE; k++) {
      frame[start + WHEEL_STATE * i + k] = numbers[kept * i + SETTINGS + k]
    }
  }
}
