/**
 * Scenes that a step of the exact solver cannot always solve within its budget, and what comes of them.
 */
import { scenes } from 'moreau/scenarios'
import { addFloor, unitCube } from '../scenarios/parts.mjs'
import { Random } from '../scenarios/random.mjs'

/** @typedef {import('moreau').World} World */
/** @typedef {import('moreau').Body} Body */

/**
 * @typedef {object} BudgetScene
 * @property {string} name
 * @property {number} steps of 1/60 s
 * @property {(world: World) => () => string} fill returns what is called after each step, and tells the outcome so far
 */

/** @type {BudgetScene[]} */
export const BUDGET_SCENES = [
  ...[1, 2, 3].map((seed) => pile(30, seed, 240)),
  ...[1, 2].map((seed) => pile(50, seed, 240)),
  pile(200, 1, 300),
  { name: 'wall at rest', steps: 200, fill: (world) => wall(world, null) },
  ...[0, 0.013, -0.021, 0.034, -0.047, 0.058].map((aside) => ({
    ...{ name: `wall hit, ${Math.round(1000 * aside)} mm`, steps: 300 },
    fill: (/** @type {World} */ world) => wall(world, aside),
  })),
  registered('pour', 300),
  { name: 'pyramid hit', steps: 240, fill: pyramidHit },
  registered('ragdolls', 420),
  registered('heavy-chain', 360),
]

/**
 * @param {number} count boxes that fall into a heap
 * @param {number} seed
 * @param {number} steps
 * @returns {BudgetScene}
 */
function pile(count, seed, steps) {
  return {
    name: `pile ${count}, seed ${seed}`,
    steps,
    fill(world) {
      addFloor(world)
      const random = new Random(seed)
      const perLayer = count > 100 ? 25 : 9
      const side = Math.sqrt(perLayer)
      for (let i = 0; i < count; i++) {
        // Cubes of 1 m do not touch at 1.75 m, however they are turned.
        const place = i % perLayer
        const at = (/** @type {number} */ line) => 1.75 * (line - (side - 1) / 2)
        world.createBody({
          shape: unitCube(),
          position: [
            at(place % side),
            0.9 + 1.75 * Math.floor(i / perLayer),
            at(Math.floor(place / side)),
          ],
          orientation: random.orientation(),
          mass: 1,
        })
      }
      return overlap(world)
    },
  }
}

/**
 * 10 x 10 bricks, and a ball of 20 kg that hits their middle at 15 m/s.
 * @param {World} world
 * @param {number | null} aside m, of the ball; null: no ball
 */
function wall(world, aside) {
  addFloor(world, { halfWidth: 30 })
  /** @type {Body[]} */
  const bricks = []
  const shape = { type: /** @type {const} */ ('box'), halfExtents: [0.5, 0.25, 0.25] }
  for (let row = 0; row < 10; row++) {
    for (let i = 0; i < 10; i++) {
      const position = [i - 4.5 + (row % 2 ? 0.25 : -0.25), 0.25 + 0.5 * row, 0]
      bricks.push(world.createBody({ ...{ shape, position, mass: 1 } }))
    }
  }
  const heights = bricks.map((brick) => brick.position[1])
  if (aside !== null) {
    world.createBody({
      shape: { type: 'sphere', radius: 0.3 },
      position: [aside, 2, 4],
      mass: 20,
      linearVelocity: [0, 0, -15],
    })
  }
  return () => `${bricks.filter((b, i) => b.position[1] < heights[i] - 0.25).length} fell`
}

/** 20 rows of cubes, and a cube of 10 kg at 10 m/s into the third row. @param {World} world */
function pyramidHit(world) {
  addFloor(world, { halfWidth: 40 })
  /** @type {Body[]} */
  const cubes = []
  for (let row = 0; row < 20; row++) {
    for (let i = 0; i < 20 - row; i++) {
      const position = [1.05 * (i - (19 - row) / 2), row + 0.5, 0]
      cubes.push(world.createBody({ shape: unitCube(), position, mass: 1 }))
    }
  }
  const heights = cubes.map((cube) => cube.position[1])
  const [position, linearVelocity] = [
    [0.2, 3, 5],
    [0, 0, -10],
  ]
  world.createBody({ shape: unitCube(), position, linearVelocity, mass: 10 })
  return () => `${cubes.filter((b, i) => b.position[1] < heights[i] - 0.5).length} fell`
}

/**
 * A scene of the registry.
 * @param {string} name
 * @param {number} steps
 * @returns {BudgetScene}
 */
function registered(name, steps) {
  return {
    ...{ name, steps },
    fill(world) {
      const scene = scenes.find((each) => each.name === name)
      if (!scene) throw new RangeError(`no scene '${name}'`)
      scene.setup(world)
      return world.joints.length > 0 ? opening(world) : overlap(world)
    },
  }
}

/** The deepest overlap so far. @param {World} world */
function overlap(world) {
  let worst = 0
  return () => {
    worst = Math.max(worst, world.stats.maxPenetration)
    return `${(1000 * worst).toFixed(2)} mm deep`
  }
}

/** By how much joints have been open so far. @param {World} world */
function opening(world) {
  let worst = 0
  return () => {
    for (const joint of world.joints) {
      const [x, y, z] = joint.violation()
      worst = Math.max(worst, Math.hypot(x, y, z))
    }
    return `${worst.toExponential(1)} m open`
  }
}
