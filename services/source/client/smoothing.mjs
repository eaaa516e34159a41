import { Offset } from './offset.mjs'

/** @import { RoomSimulation } from '../netcode/simulation.mjs' */
/** @typedef {import('moreau').Body} Body */

/** Numbers of a body in the bulk array of poses: position, one of no meaning, orientation. */
const STRIDE = 8
/** m and 1: changes of a coordinate below are what rounding leaves */
const ROUNDING = 1e-9

/**
 * How far what is drawn is from what is simulated. A correction, whether of a rollback or of a room that came back, changes the simulation at
 * once and the picture little by little: no body is drawn further from its last place than it moved and `Offset` allows.
 */
export class Smoothing {
  /** By id of the body. @type {Map<number, Offset>} */
  #offsets = new Map()
  /** By id of the body. @type {Map<number, number[]>} */
  #before = new Map()
  /** The last corrections of all players' bodies, metres. @type {(corrections: Map<number, number>) => void} */
  onCorrection = () => {}

  /** To be called before and after frames are made again, or before one simulation takes the place of another and after. @param {RoomSimulation} simulation @param {boolean} isBefore */
  onRollback(simulation, isBefore) {
    const now = posesOf(simulation)
    if (isBefore) {
      this.#before = now
      return
    }
    for (const [id, pose] of now) this.#correct(id, pose)
    this.onCorrection(this.#correctionsOf(simulation, now))
  }

  /** @param {number} id @param {number[]} now */
  #correct(id, now) {
    const before = this.#before.get(id)
    if (!before || before.every((x, i) => Math.abs(x - now[i]) < ROUNDING)) return
    const offset = this.#offsets.get(id) ?? new Offset()
    offset.absorb(before, now)
    this.#offsets.set(id, offset)
  }

  /** @param {RoomSimulation} simulation @param {Map<number, number[]>} now @returns {Map<number, number>} metres by player */
  #correctionsOf({ members }, now) {
    const corrections = new Map()
    for (const [player, { body }] of members) {
      const [before, after] = [this.#before.get(body), now.get(body)]
      if (!before || !after) continue
      corrections.set(player, Math.hypot(...[0, 1, 2].map((axis) => before[axis] - after[axis])))
    }
    return corrections
  }

  /** Works off corrections. @param {number} elapsed ms since the last time */
  advance(elapsed) {
    for (const [id, offset] of this.#offsets) {
      offset.advance(elapsed)
      if (offset.isNothing) this.#offsets.delete(id)
    }
  }

  /** m/s by which corrections are worked off at present, of the fastest; 0 without any */
  get speed() {
    return Math.max(0, ...[...this.#offsets.values()].map(({ speed }) => speed))
  }

  /** @param {Body} body @returns {number[]} where it is to be drawn: position x y z, orientation x y z w */
  pose(body) {
    const pose = [...body.position, ...body.orientation]
    return this.#offsets.get(body.id)?.apply(pose) ?? pose
  }
}

/** @param {RoomSimulation} simulation @returns {Map<number, number[]>} by id of the body */
function posesOf({ world: { bodyIds, transforms64 } }) {
  const poses = new Map()
  bodyIds.forEach((id, slot) => {
    const at = STRIDE * slot
    if (id !== 0)
      poses.set(id, [
        ...transforms64.subarray(at, at + 3),
        ...transforms64.subarray(at + 4, at + STRIDE),
      ])
  })
  return poses
}
