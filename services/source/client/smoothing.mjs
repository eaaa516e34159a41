/** @import { RoomSimulation } from '../netcode/simulation.mjs' */

/** ms in which half of a correction is worked off on the screen */
const HALF_LIFE = 60
/** m: corrections beyond are shown at once, for nobody takes them for motion */
const MOST = 3

/**
 * How far what is drawn is from what is simulated: a correction changes the simulation at once, the picture little by little.
 */
export class Smoothing {
  /** Metres by player: x, y, z. @type {Map<number, number[]>} */
  #offsets = new Map()
  /** @type {Map<number, number[]>} */
  #before = new Map()
  /** The last corrections of all players, metres. @type {(corrections: Map<number, number>) => void} */
  onCorrection = () => {}

  /** To be called before and after frames are made again. @param {RoomSimulation} simulation @param {boolean} isBefore */
  onRollback(simulation, isBefore) {
    const now = positions(simulation)
    if (isBefore) {
      this.#before = now
      return
    }
    const corrections = new Map()
    for (const [player, position] of now) {
      const before = this.#before.get(player)
      if (before) corrections.set(player, this.#correct(player, before, position))
    }
    this.onCorrection(corrections)
  }

  /** @param {number} player @param {number[]} before @param {number[]} now @returns {number} metres */
  #correct(player, before, now) {
    const old = this.#offsets.get(player) ?? [0, 0, 0]
    const step = now.map((x, axis) => before[axis] - x)
    const offset = step.map((x, axis) => old[axis] + x)
    this.#offsets.set(player, Math.hypot(...offset) < MOST ? offset : [0, 0, 0])
    return Math.hypot(...step)
  }

  /** Works off corrections. @param {number} elapsed ms since the last time */
  advance(elapsed) {
    const rest = 0.5 ** (elapsed / HALF_LIFE)
    for (const offset of this.#offsets.values())
      offset.forEach((x, axis) => (offset[axis] = x * rest))
  }

  /** @param {number} player @returns {readonly number[]} metres to be added to the position of its body */
  offset(player) {
    return this.#offsets.get(player) ?? [0, 0, 0]
  }
}

/** @param {RoomSimulation} simulation @returns {Map<number, number[]>} of the players' bodies */
function positions({ members, world }) {
  const list = new Map()
  for (const [player, { body }] of members)
    list.set(player, [...(world.bodyById(body)?.position ?? [])])
  return list
}
