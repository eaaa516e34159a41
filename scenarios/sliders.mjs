import { cosineOf, sineOf } from './vector.mjs'

/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {{ body: Body, x: number, z: number }} Slider a body that goes along x and z, parts of its speed */

/** m: half of the edge of the cube, and the radius of the others. */
const HALF = 0.5
/** rad: where the bodies head, and how they are turned. */
const HEADINGS = [0.3, 1.4, 2.5, 3.6, 4.7, 5.8]

const SHAPES = /** @type {const} */ ({
  cube: { type: 'box', halfExtents: [HALF, HALF, HALF] },
  ball: { type: 'sphere', radius: HALF },
  cylinder: { type: 'cylinder', radius: HALF, halfHeight: HALF },
})

/**
 * Bodies without friction that slide away from the origin in all directions, on a floor at y = 0.
 *
 * @param {import('./scene.mjs').World} world
 * @param {number} speed m/s
 * @param {readonly (keyof typeof SHAPES)[]} kinds in turn
 * @returns {Slider[]}
 */
export function addSliders(world, speed, kinds) {
  return HEADINGS.map((heading, index) => {
    const [x, z] = [cosineOf(heading), sineOf(heading)]
    const body = world.createBody({
      shape: SHAPES[kinds[index % kinds.length]],
      position: [3 * x, HALF, 3 * z],
      orientation: [0, sineOf(0.4 * index), 0, cosineOf(0.4 * index)],
      linearVelocity: [speed * x, 0, speed * z],
      friction: 0,
    })
    return { body, x, z }
  })
}

/** @typedef {import('./scene.mjs').SceneCheck<{ sliders: Slider[] }>} Check */

/**
 * @param {number} speed m/s
 * @returns {Check}
 */
export const keepsItsVelocity = (speed) => ({
  name: 'keeps-its-velocity',
  description: 'Change of the velocity',
  unit: 'm/s',
  tolerance: 1e-6,
  softTolerance: 1e-3,
  error: ({ things }) =>
    Math.max(
      ...things.sliders.map(({ body, x, z }) => {
        const [vx, vy, vz] = body.linearVelocity
        return Math.hypot(vx - speed * x, vy, vz - speed * z)
      }),
    ),
})

/**
 * @param {number} softTolerance rad/s
 * @returns {Check}
 */
export const doesNotTurn = (softTolerance) => ({
  name: 'does-not-turn',
  description: 'Angular velocity',
  unit: 'rad/s',
  tolerance: 1e-6,
  softTolerance,
  error: ({ things }) =>
    Math.max(...things.sliders.map(({ body }) => Math.hypot(...body.angularVelocity))),
})
