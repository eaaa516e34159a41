/**
 * The worlds that histories are tested and measured with: A142, of 500 bodies each, and the pile of A141.
 */

/** @typedef {typeof import('moreau').World} WorldClass */
/** @typedef {import('moreau').World} World */
/** @typedef {import('moreau').Body} Body */

const cube = /** @type {const} */ ({ type: 'box', halfExtents: [0.25, 0.25, 0.25] })
const floor = /** @type {const} */ ({ type: 'static', shape: { type: 'plane' } })

/** @param {WorldClass} WorldType */
function floored(WorldType) {
  const world = new WorldType({ solver: 'soft-step' })
  world.createBody(floor)
  return world
}

/**
 * Cubes in layers that fall on a floor.
 *
 * @param {WorldClass} WorldType
 * @param {number} count
 * @param {number} [width] cubes on a side of a layer
 * @returns {World}
 */
export function pileOfCubes(WorldType, count, width = 5) {
  const world = floored(WorldType)
  for (let i = 0; i < count; i++) {
    const layer = Math.floor(i / width ** 2)
    const [x, z] = [i % width, Math.floor(i / width) % width].map((k) => k - (width - 1) / 2)
    const shift = 0.15 * (layer % 3)
    const position = [0.6 * x + shift, 0.3 + 0.55 * layer, 0.6 * z - shift]
    world.createBody({ shape: cube, position })
  }
  return world
}

/** @param {WorldClass} WorldType */
function pyramid(WorldType) {
  const world = floored(WorldType)
  for (let row = 0; row < 31; row++) {
    for (let i = 0; i < 31 - row; i++) {
      const position = [0.52 * (i - (31 - row) / 2), 0.25 + 0.5 * row, 0]
      world.createBody({ shape: cube, position })
    }
  }
  return world
}

/** @param {WorldClass} WorldType */
function towers(WorldType) {
  const world = floored(WorldType)
  for (let i = 0; i < 500; i++) {
    const [tower, level] = [Math.floor(i / 10), i % 10]
    const position = [2 * (tower % 10), 0.25 + 0.5 * level, 2 * Math.floor(tower / 10)]
    world.createBody({ shape: cube, position })
  }
  return world
}

/** Inside the pit is 5 m wide. @param {WorldClass} WorldType */
function spheresInAPit(WorldType) {
  const world = floored(WorldType)
  for (const [x, z] of [
    [-3, 0],
    [3, 0],
    [0, -3],
    [0, 3],
  ]) {
    const halfExtents = [x === 0 ? 3.5 : 0.5, 5, z === 0 ? 3.5 : 0.5]
    const shape = /** @type {const} */ ({ type: 'box', halfExtents })
    world.createBody({ type: 'static', shape, position: [x, 5, z] })
  }
  for (let i = 0; i < 500; i++) {
    const [layer, x, z] = [Math.floor(i / 49), i % 7, Math.floor((i % 49) / 7)]
    const position = [0.65 * (x - 3), 0.3 + 0.6 * layer, 0.65 * (z - 3) + 0.02 * (layer % 2)]
    world.createBody({ shape: { type: 'sphere', radius: 0.25 }, position })
  }
  return world
}

/** @param {WorldClass} WorldType */
function chains(WorldType) {
  const world = floored(WorldType)
  for (let chain = 0; chain < 100; chain++) {
    const [x, z] = [1.2 * (chain % 10), 1.2 * Math.floor(chain / 10)]
    /** @type {Body | undefined} */
    let bodyA
    for (let i = 0; i < 5; i++) {
      const shape = /** @type {const} */ ({ type: 'capsule', radius: 0.1, halfHeight: 0.15 })
      const bodyB = world.createBody({ shape, position: [x + 0.02 * i, 1 + 0.5 * i, z] })
      const anchor = [x + 0.02 * i, 0.75 + 0.5 * i, z]
      if (bodyA) world.createJoint({ type: 'ball', bodyA, bodyB, anchor })
      bodyA = bodyB
    }
  }
  return world
}

/** @param {WorldClass} WorldType */
function cubesOnAHeightField(WorldType) {
  const world = new WorldType({ solver: 'soft-step' })
  const heights = Array.from({ length: 100 * 100 }, (_, i) => 0.05 * ((i * 7) % 5))
  const shape = /** @type {const} */ ({ type: 'heightfield', rows: 100, columns: 100 })
  world.createBody({ type: 'static', shape: { ...shape, heights, scale: [0.3, 1, 0.3] } })
  for (let i = 0; i < 250; i++) {
    const [layer, x, z] = [Math.floor(i / 125), i % 25, Math.floor((i % 125) / 25)]
    world.createBody({ shape: cube, position: [0.8 * (x - 12), 1 + 0.8 * layer, 0.8 * (z - 2)] })
  }
  return world
}

/** By what they are. @type {Readonly<Record<string, (WorldType: WorldClass) => World>>} */
export const HISTORY_SCENES = Object.freeze({
  'pile of 500 cubes': (WorldType) => pileOfCubes(WorldType, 500),
  'pyramid of 496 cubes': pyramid,
  '50 towers of 10': towers,
  '500 spheres in a pit': spheresInAPit,
  '100 chains of 5 capsules': chains,
  '250 cubes on a height field': cubesOnAHeightField,
})
