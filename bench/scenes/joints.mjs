/**
 * Bodies on joints.
 */
import { Random } from '../../scenarios/random.mjs'
import { SceneBuilder } from './description.mjs'

/** @typedef {import('../../scenarios/vector.mjs').Vector} Vector */

const QUALITY_SECONDS = 5

/**
 * A horizontal square of balls on ball joints, 1 m from ball to ball, held by one edge: it swings down.
 *
 * @param {number} side
 */
export function sheet(side) {
  const scene = new SceneBuilder(
    'sheet',
    `sheet of ${side} x ${side} on ball joints`,
    'joints',
    QUALITY_SECONDS,
  )
  scene.description.bounds.min = [-1e3, -1e3, -1e3]
  const wall = scene.fixedBox([side, 0.1, 0.1], [side / 2, 0, -2])
  const ball = scene.shape({ type: 'sphere', radius: 0.4 })
  const first = scene.description.bodies.length
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const body = scene.body(ball, [column, 0, row])
      const above = row === 0 ? wall : body - side
      scene.ball(above, body, [column, 0, row - 0.5])
      if (body > first && column > 0) scene.ball(body - 1, body, [column - 0.5, 0, row])
    }
  }
  return scene.description
}

/**
 * Chains that begin stretched out horizontally and swing down, a link of 1 m after the other.
 *
 * @param {number} count
 * @param {number} links
 */
export function chains(count, links) {
  const scene = new SceneBuilder(
    'chains',
    `${count} chains of ${links} on ball joints`,
    'joints',
    QUALITY_SECONDS,
  )
  scene.description.bounds.min = [-1e3, -1e3, -1e3]
  const wall = scene.fixedBox([0.1, 0.1, 5 * count], [-2, 0, 0])
  const link = scene.shape({ type: 'box', halfExtents: [0.4, 0.125, 0.125] })
  for (let chain = 0; chain < count; chain++) {
    const z = 5 * (chain - (count - 1) / 2)
    for (let index = 0; index < links; index++) {
      const body = scene.body(link, [index + 0.5, 0, z])
      scene.ball(index === 0 ? wall : body - 1, body, [index, 0, z])
    }
  }
  return scene.description
}

/** Where the parts of a ragdoll are, from its feet up, m: half extents and middle. */
const PARTS = /** @type {const} */ ({
  pelvis: { halfExtents: [0.15, 0.1, 0.1], middle: [0, 1, 0] },
  chest: { halfExtents: [0.18, 0.2, 0.1], middle: [0, 1.32, 0] },
  head: { halfExtents: [0.1, 0.12, 0.1], middle: [0, 1.68, 0] },
})
/** Arms and legs: half extents and middle of the upper and of the lower part, for the left side. */
const LIMBS = /** @type {const} */ ([
  {
    parent: 'chest',
    upper: { halfExtents: [0.14, 0.05, 0.05], middle: [0.34, 1.45, 0] },
    lower: { halfExtents: [0.13, 0.04, 0.04], middle: [0.63, 1.45, 0] },
    top: [0.19, 1.45, 0],
    bend: [0.49, 1.45, 0],
    axis: [0, 1, 0],
    limits: [-2.4, 0.05],
  },
  {
    parent: 'pelvis',
    upper: { halfExtents: [0.07, 0.19, 0.07], middle: [0.09, 0.69, 0] },
    lower: { halfExtents: [0.06, 0.2, 0.06], middle: [0.09, 0.28, 0] },
    top: [0.09, 0.89, 0],
    bend: [0.09, 0.49, 0],
    axis: [1, 0, 0],
    limits: [-0.05, 2.4],
  },
])

/**
 * Ragdolls of 11 boxes, ball joints and hinges with limits, that fall into a heap in a pit.
 *
 * @param {number} count
 */
export function ragdolls(count) {
  const scene = new SceneBuilder(
    'ragdolls',
    `${count} ragdolls, ball joints and hinges with limits`,
    'joints',
    QUALITY_SECONDS,
  )
  const random = new Random(200)
  const side = 5
  const [spacing, layerHeight] = [1.8, 2.1]
  const layers = Math.ceil(count / (side * side))
  scene.pit((side * spacing) / 2, layers * layerHeight)
  const shapes = ragdollShapes(scene)
  for (let index = 0; index < count; index++) {
    const jitter = () => random.between(-0.1, 0.1)
    addRagdoll(scene, shapes, [
      ((index % side) - (side - 1) / 2) * spacing + jitter(),
      0.3 + Math.floor(index / (side * side)) * layerHeight,
      ((Math.floor(index / side) % side) - (side - 1) / 2) * spacing + jitter(),
    ])
  }
  return scene.description
}

/** @param {SceneBuilder} scene */
function ragdollShapes(scene) {
  /** @param {{ halfExtents: readonly [number, number, number] }} part */
  const box = ({ halfExtents }) => scene.shape({ type: 'box', halfExtents: [...halfExtents] })
  return {
    pelvis: box(PARTS.pelvis),
    chest: box(PARTS.chest),
    head: box(PARTS.head),
    limbs: LIMBS.map(({ upper, lower }) => ({ upper: box(upper), lower: box(lower) })),
  }
}

/**
 * @param {SceneBuilder} scene
 * @param {ReturnType<typeof ragdollShapes>} shapes
 * @param {Vector} feet between them
 */
function addRagdoll(scene, shapes, feet) {
  /** @type {(point: readonly [number, number, number], mirror?: number) => Vector} */
  const at = ([x, y, z], mirror = 1) => [feet[0] + mirror * x, feet[1] + y, feet[2] + z]
  const trunk = {
    pelvis: scene.body(shapes.pelvis, at(PARTS.pelvis.middle)),
    chest: scene.body(shapes.chest, at(PARTS.chest.middle)),
  }
  const head = scene.body(shapes.head, at(PARTS.head.middle))
  scene.ball(trunk.pelvis, trunk.chest, at([0, 1.11, 0]))
  scene.ball(trunk.chest, head, at([0, 1.54, 0]))
  for (const [index, limb] of LIMBS.entries()) {
    for (const mirror of [1, -1]) {
      const upper = scene.body(shapes.limbs[index].upper, at(limb.upper.middle, mirror))
      const lower = scene.body(shapes.limbs[index].lower, at(limb.lower.middle, mirror))
      // The mirror image of a turn about y is one the other way round.
      const [x, y, z] = limb.axis
      scene.ball(trunk[limb.parent], upper, at(limb.top, mirror))
      scene.hinge(upper, lower, at(limb.bend, mirror), [x, mirror * y, z], [...limb.limits])
    }
  }
}
