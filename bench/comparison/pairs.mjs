/**
 * Pairs of bodies that may touch, by bounding spheres along one axis and boxes of what does not move.
 */
import { POSE } from '../engines/engine.mjs'

/** @typedef {import('../scenes/description.mjs').BodyDescription} BodyDescription */

/** Part of a radius by which rounding may move a surface. */
const SLACK = 1e-4

/**
 * @param {Float32Array} poses by slot
 * @param {(BodyDescription | null)[]} bodies
 * @param {number[]} radii of bounding spheres, by shape
 * @returns {Generator<[number, number]>} slots; at least one of both can move
 */
export function* candidatePairs(poses, bodies, radii) {
  const slots = [...bodies.keys()].filter((slot) => bodies[slot])
  const fixed = slots.filter((slot) => bodies[slot]?.fixed)
  const moving = slots.filter((slot) => !bodies[slot]?.fixed && Number.isFinite(poses[POSE * slot]))
  for (const a of fixed) for (const b of moving) yield [a, b]

  const cells = new Grid(2 * Math.max(...moving.map((slot) => radiusOf(slot))) * (1 + SLACK))
  for (const slot of moving) {
    const at = POSE * slot
    for (const other of cells.around(poses[at], poses[at + 1], poses[at + 2])) {
      const reach = (radiusOf(slot) + radiusOf(other)) * (1 + SLACK)
      if (squaredDistance(poses, slot, other) <= reach * reach) yield [other, slot]
    }
    cells.add(poses[at], poses[at + 1], poses[at + 2], slot)
  }

  /** @param {number} slot */
  function radiusOf(slot) {
    return radii[/** @type {BodyDescription} */ (bodies[slot]).shape]
  }
}

/**
 * @param {Float32Array} poses
 * @param {number} a
 * @param {number} b
 */
function squaredDistance(poses, a, b) {
  let sum = 0
  for (let i = 0; i < 3; i++) sum += (poses[POSE * a + i] - poses[POSE * b + i]) ** 2
  return sum
}

/** Cells as wide as the widest body: what touches is in the same cell or in one next to it. */
class Grid {
  #width
  /** @type {Map<string, number[]>} */
  #cells = new Map()

  /** @param {number} width m */
  constructor(width) {
    this.#width = width
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} slot
   */
  add(x, y, z, slot) {
    const key = [x, y, z].map((each) => Math.floor(each / this.#width)).join()
    const cell = this.#cells.get(key)
    if (cell) cell.push(slot)
    else this.#cells.set(key, [slot])
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {Generator<number>}
   */
  *around(x, y, z) {
    const [cx, cy, cz] = [x, y, z].map((each) => Math.floor(each / this.#width))
    for (let i = cx - 1; i <= cx + 1; i++) {
      for (let j = cy - 1; j <= cy + 1; j++) {
        for (let k = cz - 1; k <= cz + 1; k++) yield* this.#cells.get(`${i},${j},${k}`) ?? []
      }
    }
  }
}
