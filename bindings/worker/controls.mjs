import { CHARACTER_DEF_NUMBERS } from '../generated/records.mjs'
import { internals } from '../index.mjs'
import { CHARACTER_COUNT, KIND, ROW, vehicleCount } from './control-rows.mjs'

/** @import { Character, Shape, Vehicle } from '../index.mjs' */
/** @import { Elsewhere } from '../core/controls.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { Journal } from '../state/journal.mjs' */

const { access } = internals

/**
 * What a character or vehicle has that its numbers do not say, as it may be posted.
 * @typedef {object} Plain
 * @property {object} [filter]
 * @property {string} [predicate] name of a function of the module
 * @property {number} [exclude] id of a body
 */

/**
 * @template Control
 * @typedef {object} Known
 * @property {Control} control
 * @property {number} number that both sides know it by
 * @property {Plain} plain
 * @property {number} placed the last batch that put it somewhere
 */

/**
 * The characters and vehicles of a world that is stepped elsewhere: what is done to them here is noted, and frames say
 * what they are.
 * @implements {Elsewhere}
 */
export class RemoteControls {
  #core
  #journal
  /** By number. @type {Map<number, Known<Character>>} */
  #characters = new Map()
  /** @type {Map<number, Known<Vehicle>>} */
  #vehicles = new Map()
  #vehicleCount = 0
  /** Doubles that they take in a frame. */
  size = 0
  /** Asks what is answered by a promise. @type {(note: (ticket: number) => void) => Promise<any>} */
  ask = () => Promise.reject(new TypeError('there is no worker'))

  /**
   * @param {WorldCore} core
   * @param {Journal} journal
   */
  constructor(core, journal) {
    this.#core = core
    this.#journal = journal
    core.controls.elsewhere = this
  }

  // --- what there is --------------------------------------------------------------------------------

  /**
   * @param {Character} character a new one
   * @param {Plain} plain
   */
  addCharacter(character, plain) {
    const number = /** @type {number} */ ([...this.#core.controls.characters.keys()].at(-1))
    const known = { control: character, number, plain, placed: 0 }
    this.#characters.set(number, known)
    this.#noteCharacter(known)
    this.#measure()
  }

  /**
   * @param {Vehicle} vehicle a new one
   * @param {Plain} plain
   */
  addVehicle(vehicle, plain) {
    const known = { control: vehicle, number: ++this.#vehicleCount, plain, placed: 0 }
    this.#vehicles.set(known.number, known)
    this.#noteVehicle(known)
    this.#measure()
  }

  /**
   * Goes on from the controls of before, with a worker that may know none of them, or not all.
   * @param {RemoteControls} [before]
   */
  renew(before = this) {
    for (const known of before.#characters.values()) this.#keep(this.#characters, known)
    for (const known of before.#vehicles.values()) this.#keep(this.#vehicles, known)
    this.#vehicleCount = before.#vehicleCount
    for (const known of this.#characters.values()) this.#noteCharacter(known)
    for (const known of this.#vehicles.values()) {
      if (known.control.chassis.isAlive) this.#noteVehicle(known)
    }
    this.#measure()
  }

  /**
   * @template Control
   * @param {Map<number, Known<Control>>} map
   * @param {Known<Control>} known
   */
  #keep(map, known) {
    map.set(known.number, { ...known, placed: 0 })
  }

  #measure() {
    this.size = (ROW.numbers + CHARACTER_COUNT) * this.#characters.size
    for (const { control } of this.#vehicles.values()) {
      this.size += ROW.numbers + vehicleCount(control.wheels.length)
    }
  }

  /** @param {Known<Character>} known */
  #noteCharacter({ control, number, plain }) {
    const [shape] = this.#journal.placesOf([control.shape])
    const numbers = Float64Array.from(access.characterNumbers(control))
    this.#journal.mark('control', 'makeCharacter', number, { ...plain, shape, numbers })
  }

  /** @param {Known<Vehicle>} known */
  #noteVehicle({ control, number, plain }) {
    const numbers = Float64Array.from(access.vehicleNumbers(control, 'createVehicle'))
    const { chassis, wheels } = control
    const given = { ...plain, chassis: chassis.id, wheels: wheels.length, numbers }
    this.#journal.mark('control', 'makeVehicle', number, given)
  }

  /**
   * @template Control
   * @param {Map<number, Known<Control>>} map
   * @param {Control} control
   * @returns {Known<Control>}
   */
  #known(map, control) {
    for (const known of map.values()) if (known.control === control) return known
    throw new TypeError('it is of another world')
  }

  // --- what is done to them -------------------------------------------------------------------------

  /**
   * @param {Character} character
   * @param {ArrayLike<number>} displacement
   * @param {number} dt
   */
  moved(character, displacement, dt) {
    const { number } = this.#known(this.#characters, character)
    const way = Float64Array.of(displacement[0], displacement[1], displacement[2], dt)
    const measures = access.characterNumbers(character).slice(0, CHARACTER_DEF_NUMBERS)
    this.#journal.mark('control', 'move', number, way, Float64Array.from(measures))
  }

  /**
   * @param {Character} character
   * @param {Shape} shape
   * @returns {Promise<boolean>}
   */
  async reshaped(character, shape) {
    const { number } = this.#known(this.#characters, character)
    const core = this.#core
    const token = {}
    core.holdShape(token, shape) // it lives until the answer is there
    const [place] = this.#journal.placesOf([shape])
    try {
      const fits = await this.ask((ticket) =>
        this.#journal.mark('control', 'reshape', number, place, ticket),
      )
      if (fits && !core.isFreed) access.setCharacterShape(character, shape)
      return fits
    } finally {
      if (!core.isFreed) core.holdShape(token, undefined)
    }
  }

  /** @param {Character} character */
  placed(character) {
    const { number } = this.#known(this.#characters, character)
    const numbers = Float64Array.from(access.characterNumbers(character))
    this.#journal.mark('control', 'place', number, numbers)
  }

  /** @param {Character} character */
  left(character) {
    const { number } = this.#known(this.#characters, character)
    this.#journal.mark('control', 'leave', number)
    this.#characters.delete(number)
    this.#measure()
  }

  /**
   * @param {Vehicle} vehicle
   * @param {number} dt
   */
  driven(vehicle, dt) {
    const { number } = this.#known(this.#vehicles, vehicle)
    const numbers = Float64Array.from(access.vehicleNumbers(vehicle, 'update'))
    this.#journal.mark('control', 'drive', number, dt, numbers)
  }

  // --- what becomes of them -------------------------------------------------------------------------

  /**
   * A batch was numbered in which a character was put somewhere: frames of before do not move it.
   * @param {number} number
   * @param {number} batch
   */
  notePlaced(number, batch) {
    const known = this.#characters.get(number)
    if (known) known.placed = batch
  }

  /**
   * Has them be what they are in a frame.
   * @param {Float64Array} frame
   * @param {number} start
   * @param {number} end
   * @param {number} batch the last that is in it
   */
  show(frame, start, end, batch) {
    for (let at = start; at < end; at += ROW.numbers + frame[at + ROW.count]) {
      const number = frame[at + ROW.number]
      if (frame[at + ROW.kind] === KIND.vehicle) this.#showVehicle(number, frame, at)
      else this.#showCharacter(number, frame, at, batch)
    }
  }

  /** @param {number} number @param {Float64Array} frame @param {number} at */
  #showVehicle(number, frame, at) {
    const known = this.#vehicles.get(number)
    if (known) access.takeWheelStates(known.control, frame, at + ROW.numbers)
  }

  /** @param {number} number @param {Float64Array} frame @param {number} at @param {number} batch */
  #showCharacter(number, frame, at, batch) {
    const known = this.#characters.get(number)
    if (!known || known.placed > batch) return
    access.takeCharacterState(known.control, frame, at + ROW.numbers)
  }

  /** The world is one like any other from now on. */
  end() {
    this.#core.controls.elsewhere = undefined
  }
}
