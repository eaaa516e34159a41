/**
 * Floors that are one flat surface at y = 0, made in many ways, and the same floor made of one box.
 */
import { Random } from '../../../scenarios/random.mjs'
import { WHOLE } from '../scene.mjs'
import { bodiesOfSlabs, SURFACES } from '../surfaces.mjs'

/** @import { Slab } from '../scene.mjs' */

/** @typedef {{ half: [x: number, z: number], place: number, friction: number, size: number, gap: number, uneven: number }} Floor */

const WALL_BELOW = 'mesh with a wall below'

export const FLOORS = Object.freeze([...SURFACES.filter((kind) => kind !== WHOLE.kind), WALL_BELOW])

/** Wider cracks within one mesh are edges of it, which may be of a hole: m. */
const CRACK_OF_MESH = 3e-5
const ONE_MESH = ['mesh of single precision', 'mesh of voxels']

/** The box that is compared with is larger than any of the floors, so that none of its edges is near. */
const BEYOND = 20

/** @param {Floor} floor @param {number} [larger] @returns {Slab} */
const slabOf = ({ half, place, friction, size }, larger = 1) => ({
  ...{ origin: [place, 0, -place], orientation: [0, 0, 0, 1] },
  ...{ half: [half[0] * larger, half[1] * larger], depth: Math.max(size, half[0] / 10) },
  ...{ friction, restitution: 0 },
})

/** Two quads, and from the edge that they share a third one that goes down. @param {Floor} floor @returns {any[]} */
function wallBelow({ half: [x, z], place, friction }) {
  const rows = [
    [-x, 0],
    [0, 0],
    [x, 0],
    [0, -x],
  ]
  const vertices = rows.flatMap(([at, y]) => [at, y, -z, at, y, z])
  const quads = [0, 2].flatMap((i) => [i, i + 1, i + 3, i, i + 3, i + 2])
  const shape = { type: 'mesh', vertices, indices: [...quads, 2, 3, 7, 2, 7, 6] }
  return [{ type: 'static', friction, shape, position: [place, 0, -place] }]
}

/** Moves each body up or down, by no more than half of `uneven`. @param {any[]} bodies @param {number} uneven m @returns {any[]} */
function unlevel(bodies, uneven) {
  const random = new Random(7)
  return bodies.map(({ position: [x, y, z], ...body }) => ({
    ...body,
    position: [x, y + uneven * (random.next() - 0.5), z],
  }))
}

/** @param {string} kind @param {Floor} floor @returns {any[]} bodies, as a file has them */
export function floorOf(kind, floor) {
  if (kind === WALL_BELOW) return wallBelow(floor)
  const { size, uneven } = floor
  const gap = ONE_MESH.includes(kind) ? Math.min(floor.gap, CRACK_OF_MESH) : floor.gap
  return unlevel(bodiesOfSlabs([slabOf(floor)], { kind, size, gap, seed: 1 }), uneven)
}

/** @param {Floor} floor @returns {any[]} */
export const wholeFloorOf = (floor) => bodiesOfSlabs([slabOf(floor, BEYOND)], WHOLE)
