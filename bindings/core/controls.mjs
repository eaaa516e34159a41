/** @import { Body } from '../objects/body.mjs' */
/** @import { Character } from '../objects/character.mjs' */
/** @import { Vehicle } from '../objects/vehicle.mjs' */

/** @import { Shape } from '../objects/shape.mjs' */

/**
 * What is told in the place of being done here.
 * @typedef {object} Elsewhere
 * @property {(character: Character, displacement: ArrayLike<number>, dt: number) => void} moved
 * @property {(character: Character, shape: Shape) => Promise<boolean>} reshaped whether there was room
 * @property {(character: Character) => void} placed its state was set
 * @property {(character: Character) => void} left it was destroyed
 * @property {(vehicle: Vehicle, dt: number) => void} driven
 */

/**
 * The vehicles and characters of a world, which are no bodies: what snapshots have to find again of
 * them. A vehicle is named by its chassis, a character by a number.
 */
export class Controls {
  /** @type {WeakMap<Body, Vehicle[]>} */
  #vehicles = new WeakMap()

  /** Whether there was a vehicle. */
  #hasVehicles = false

  /**
   * By number, in the order of their creation.
   * @readonly
   * @type {Map<number, Character>}
   */
  characters = new Map()

  #characterCount = 0

  /**
   * Where vehicles and characters are moved, if it is not here: in the worker of `moreau/worker`.
   * @type {Elsewhere | undefined}
   */
  elsewhere

  /** @param {Vehicle} vehicle a new one */
  addVehicle(vehicle) {
    this.#hasVehicles = true
    this.#vehicles.set(vehicle.chassis, [...this.vehiclesOn(vehicle.chassis), vehicle])
  }

  /** @param {Body} chassis @returns {readonly Vehicle[]} its vehicles, in the order of their creation */
  vehiclesOn(chassis) {
    return this.#vehicles.get(chassis) ?? []
  }

  /** @param {Iterable<Body>} bodies @returns {Vehicle[]} the vehicles on them */
  vehiclesOnAll(bodies) {
    return this.#hasVehicles ? [...bodies].flatMap((body) => this.vehiclesOn(body)) : []
  }

  /** @param {Character} character a new one */
  addCharacter(character) {
    this.characters.set(++this.#characterCount, character)
  }

  /** @param {Character} character */
  removeCharacter(character) {
    for (const [number, one] of this.characters) {
      if (one === character) this.characters.delete(number)
    }
    this.elsewhere?.left(character)
  }

  /** @param {number} number of the character that is created next */
  countFrom(number) {
    this.#characterCount = number - 1
  }
}
