import { access } from '../core/access.mjs'
import { badSnapshot, checkHash, hashed, NO_CONTROLS } from './frame.mjs'

/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { Part } from './frame.mjs' */

// What vehicles and characters go on from, as doubles: of each a head, and its numbers. They are in
// each snapshot, while the roster is the same in most.

const HEAD = Object.freeze({ kind: 0, id: 1, index: 2, count: 3, numbers: 4 })
const KIND = Object.freeze({ vehicle: 1, character: 2 })

/**
 * @param {WorldCore} core
 * @param {string} where
 * @returns {Part}
 * @throws {MoreauError} `invalid-argument` where a wheel has a bad value
 */
export function writeControls(core, where) {
  /** @type {number[]} */
  const all = []
  for (const vehicle of core.controls.vehiclesOnAll(core.living)) {
    const { chassis } = vehicle
    const numbers = access.vehicleNumbers(vehicle, where)
    const index = core.controls.vehiclesOn(chassis).indexOf(vehicle)
    all.push(KIND.vehicle, chassis.id, index, numbers.length, ...numbers)
  }
  for (const [id, character] of core.controls.characters) {
    const numbers = access.characterNumbers(character)
    all.push(KIND.character, id, 0, numbers.length, ...numbers)
  }
  return all.length === 0 ? NO_CONTROLS : hashed(new Uint8Array(Float64Array.from(all).buffer))
}

/**
 * Whether they can be written.
 * @param {WorldCore} core
 * @param {string} where
 * @throws {MoreauError} as `writeControls`
 */
export function checkControls(core, where) {
  for (const vehicle of core.controls.vehiclesOnAll(core.living))
    access.checkVehicle(vehicle, where)
}

/**
 * Has vehicles and characters be what they were. Those that this world does not have are left out.
 * @param {WorldCore} core restored
 * @param {readonly Float64Array[]} rows
 */
export function restoreControls(core, rows) {
  for (const row of rows) {
    const numbers = row.subarray(HEAD.numbers)
    if (row[HEAD.kind] === KIND.vehicle) {
      const chassis = core.find(row[HEAD.id])
      const vehicle = chassis && core.controls.vehiclesOn(chassis)[row[HEAD.index]]
      if (vehicle) access.takeVehicle(vehicle, numbers)
    } else {
      const character = core.controls.characters.get(row[HEAD.id])
      if (character) access.takeCharacter(character, numbers)
    }
  }
}

/**
 * @param {Part} controls
 * @returns {Float64Array[]} of each vehicle and character its head and numbers
 */
export function readControls(controls) {
  const { bytes } = controls
  checkHash(controls, 'restore: bytes', 'vehicles and characters')
  const refuse = () => badSnapshot('restore: bytes: their vehicles and characters are damaged')
  if (bytes.length % Float64Array.BYTES_PER_ELEMENT !== 0) throw refuse()
  const all = new Float64Array(new Uint8Array(bytes).buffer) // a copy: a Buffer's slice is none
  if (all.some(Number.isNaN)) throw refuse()
  const rows = []
  for (let at = 0; at < all.length;) {
    const end = at + HEAD.numbers + all[at + HEAD.count]
    if (!(end > at && end <= all.length)) throw refuse()
    rows.push(all.subarray(at, end))
    at = end
  }
  return rows
}
