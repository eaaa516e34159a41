import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { cosineOf, sineOf } from './vector.mjs'

const SPIN = 2
const FRICTION = 0.5
/** m: where friction can just hold a rider on its circle. */
const LIMIT = (FRICTION * GRAVITY) / SPIN ** 2
const INSIDE = 0.8 * LIMIT
const OUTSIDE = 1.2 * LIMIT

export default defineScene({
  name: 'carousel',
  title: 'Carousel',
  description:
    'Cubes on a disc that turns at 2 rad/s. Friction of 0.5 holds those within 1.226 m of the axis; those beyond slide off.',
  solvers: ['soft-step', 'block-pgs', 'exact'],
  timeStep: 0.004,
  duration: 4,
  camera: { position: [0, 4, 6], target: [0, 0, 0] },
  setup(world) {
    world.createBody({
      type: 'kinematic',
      shape: { type: 'box', halfExtents: [2, 0.25, 2] },
      position: [0, -0.25, 0],
      angularVelocity: [0, SPIN, 0],
      friction: FRICTION,
    })
    const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.05, 0.05, 0.05] })
    const riders = [INSIDE, OUTSIDE].flatMap((radius) =>
      [0, 1, 2, 3].map((i) => {
        const angle = (i * Math.PI) / 2
        const place = [radius * cosineOf(angle), 0.05, -radius * sineOf(angle)]
        return world.createBody({
          shape,
          position: place,
          orientation: [0, sineOf(angle / 2), 0, cosineOf(angle / 2)],
          linearVelocity: [SPIN * place[2], 0, -SPIN * place[0]],
          angularVelocity: [0, SPIN, 0],
          friction: FRICTION,
        })
      }),
    )
    return { inner: riders.slice(0, 4), outer: riders.slice(4) }
  },
  checks: [
    {
      name: 'rides',
      description: 'The inner cubes stay on their circle',
      unit: 'm',
      tolerance: 0.05,
      error: ({ things }) =>
        Math.max(...things.inner.map((body) => Math.abs(radiusOf(body) - INSIDE))),
    },
    {
      name: 'slides-off',
      description: 'The outer cubes leave the disc',
      unit: 'm',
      tolerance: 0,
      from: 3.9,
      error: ({ things }) =>
        Math.max(...things.outer.map((body) => Math.max(0, 1.9 - radiusOf(body)))),
    },
  ],
})

/** @param {import('./scene.mjs').Body} body */
const radiusOf = ({ position: [x, , z] }) => Math.hypot(x, z)
