import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { add, ANGLES, distance, rotate, scale } from './vector.mjs'

/** @typedef {import('./vector.mjs').Vector} Vector */
/** @typedef {import('./scene.mjs').Body} Body */

const LINKS = 10
/** m */
const LENGTH = 1
const RADIUS = 0.6
/** kg: a link and what hangs on the last one */
const LINK_MASS = 1
const LOAD_MASS = 1000
/** Of the chain to the vertical when it is let go. */
const LEAN = ANGLES[20]
const DOWN = /** @type {Vector} */ ([LEAN.sine, -LEAN.cosine, 0])
/** rad: sin 20° is 0.342 */
const LEAN_ANGLE = Math.PI / 9
const REACH = LINKS * LENGTH + RADIUS
/** Quarter of the period of a rigid pendulum of that mass, length and amplitude, s. */
const QUARTER = quarterPeriod()

/**
 * The chain as a rod with a ball at its end: the links hardly bend, because the load is a hundred times as heavy as all of them.
 *
 * @returns {number} s
 */
function quarterPeriod() {
  const chain = LINKS * LINK_MASS
  const rod = LINKS * LENGTH
  const inertia = (chain * rod * rod) / 3 + LOAD_MASS * (REACH * REACH + 0.4 * RADIUS * RADIUS)
  const moment = GRAVITY * ((chain * rod) / 2 + LOAD_MASS * REACH)
  const amplitude = 1 + LEAN_ANGLE ** 2 / 16 + (11 * LEAN_ANGLE ** 4) / 3072
  return (Math.PI / 2) * Math.sqrt(inertia / moment) * amplitude
}

/** An end of a link in the world; `side` -1 is the upper one. */
const endOf = (/** @type {Body} */ link, /** @type {number} */ side) =>
  add(link.position, rotate(link.orientation, [0, (-side * LENGTH) / 2, 0]))

export default defineScene({
  name: 'heavy-chain',
  title: 'Chain with a heavy end',
  description:
    'Ten links of 1 m and 1 kg carry a ball of 1000 kg, let go at 20°. It swings like a rigid pendulum, and the joints do not open: the longest way for an iterative solver, one factorisation for an exact one.',
  options: { solver: 'exact', integrator: 'implicit-midpoint' },
  timeStep: 1 / 480,
  duration: 6,
  camera: { position: [3, -4, 16], target: [0, -5, 0] },
  setup(world) {
    const orientation = /** @type {[number, number, number, number]} */ ([
      0,
      0,
      Math.sqrt((1 - LEAN.cosine) / 2),
      Math.sqrt((1 + LEAN.cosine) / 2),
    ])
    /** @type {{ type: 'box', halfExtents: [number, number, number] }} */
    const shape = { type: 'box', halfExtents: [0.05, LENGTH / 2, 0.05] }
    const links = Array.from({ length: LINKS }, (_, index) =>
      world.createBody({
        shape,
        position: scale(DOWN, (index + 0.5) * LENGTH),
        orientation,
        mass: LINK_MASS,
      }),
    )
    const load = world.createBody({
      shape: { type: 'sphere', radius: RADIUS },
      position: scale(DOWN, REACH),
      orientation,
      mass: LOAD_MASS,
    })
    const chain = [...links, load]
    for (const [index, body] of chain.entries()) {
      world.createJoint({
        type: 'ball',
        bodyA: index === 0 ? null : chain[index - 1],
        bodyB: body,
        anchorA: index === 0 ? [0, 0, 0] : [0, -LENGTH / 2, 0],
        anchorB: [0, index === LINKS ? RADIUS : LENGTH / 2, 0],
      })
    }
    return { links, load }
  },
  checks: [
    {
      name: 'joints-stay-closed',
      description: 'Distance of the ends that belong together',
      unit: 'm',
      tolerance: 1e-8,
      error({ things: { links, load } }) {
        const hook = add(load.position, rotate(load.orientation, [0, RADIUS, 0]))
        const gaps = links.map((link, index) =>
          distance(endOf(link, -1), index === 0 ? [0, 0, 0] : endOf(links[index - 1], 1)),
        )
        return Math.max(...gaps, distance(hook, endOf(links[LINKS - 1], 1)))
      },
    },
    {
      name: 'does-not-stretch',
      description: 'Distance of the load from the anchor: at most that of the straight chain',
      unit: 'm',
      tolerance: 1e-6,
      error: ({ things }) => Math.max(0, distance(things.load.position, [0, 0, 0]) - REACH),
    },
    {
      name: 'swings-like-a-pendulum',
      description: 'It passes its lowest point after a quarter of the period of a rigid pendulum',
      unit: '(part of the time)',
      tolerance: 1e-3,
      error({ things, time, timeStep, previous }) {
        const x = things.load.position[0]
        const before = previous.x ?? REACH * LEAN.sine
        previous.x = x
        if (previous.crossing === undefined && x < 0) {
          previous.crossing = time - (timeStep * x) / (x - before)
        }
        const crossing = previous.crossing ?? Math.max(QUARTER, time)
        return Math.abs(crossing / QUARTER - 1)
      },
    },
    {
      name: 'energy-kept',
      description: 'Kinetic plus potential energy stays what it was',
      unit: '(part of the energy of the swing)',
      tolerance: 1e-6,
      error: ({ world, start }) =>
        Math.abs(world.energy().total - start.energy.total) /
        (LOAD_MASS * GRAVITY * REACH * (1 - LEAN.cosine)),
    },
  ],
})
