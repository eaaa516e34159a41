import { GRAVITY } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { add, ANGLES, dot, rotate, scale, turn } from './vector.mjs'

/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {NonNullable<Parameters<import('./scene.mjs').World['createBody']>[0]['frictionCombine']>} Rule */

const ANGLE = ANGLES[20]
const ORIENTATION = turn([0, 0, 1], ANGLE)
const UP = rotate(ORIENTATION, [0, 1, 0])
const DOWNHILL = rotate(ORIENTATION, [-1, 0, 0])
/** The friction of the slope and of the crates. A crate stays where both give more than tan 20° = 0.364. */
const [SLOPE, CRATE] = [0.4, 0.1]
/** What becomes of the two by each rule. @type {{ rule: Rule, friction: number }[]} */
const RULES = [
  { rule: 'multiply', friction: SLOPE * CRATE },
  { rule: 'minimum', friction: Math.min(SLOPE, CRATE) },
  { rule: 'geometricMean', friction: Math.sqrt(SLOPE * CRATE) },
  { rule: 'average', friction: (SLOPE + CRATE) / 2 },
  { rule: 'maximum', friction: Math.max(SLOPE, CRATE) },
]
/** What the function about contacts makes of the friction of two more crates: one slides, one stays. */
const [SLIPPERY, ROUGH] = [0.2, 0.5]
/** m, half of the height of a crate */
const HALF_HEIGHT = 0.15
/** m, up the slope from its middle: where all start. */
const START = 5

/** The speed of a crate that has slid for a time, m/s. @param {number} friction @param {number} time s */
const speedAfter = (friction, time) =>
  Math.max(0, GRAVITY * (ANGLE.sine - friction * ANGLE.cosine)) * time

/** How far the speed of a crate down the slope is from theory, m/s. @param {Body} crate @param {number} friction @param {number} time s */
const excess = (crate, friction, time) =>
  Math.abs(dot(crate.linearVelocity, DOWNHILL) - speedAfter(friction, time))

export default defineScene({
  name: 'grip',
  title: 'Friction by contact and by rule',
  description:
    'Crates on a slope of 20°, which holds friction above tan 20° = 0.364. Five combine the same two coefficients, 0.4 and 0.1, by different rules; of the last two a function sets the friction of each contact.',
  solvers: ['soft-step', 'block-pgs', 'exact'],
  options: { allowSleep: false },
  duration: 2,
  camera: { position: [-6, 8, 13], target: [0, 2, 0] },
  setup(world) {
    world.createBody({
      type: 'static',
      shape: { type: 'box', halfExtents: [8, 0.25, 4] },
      position: scale(UP, -0.25),
      orientation: ORIENTATION,
      friction: SLOPE,
    })
    const crate = (/** @type {number} */ lane, /** @type {object} */ definition) =>
      world.createBody({
        shape: { type: 'box', halfExtents: [0.3, HALF_HEIGHT, 0.3] },
        position: add(add(scale(UP, HALF_HEIGHT), scale(DOWNHILL, -START)), [0, 0, lane]),
        ...{ orientation: ORIENTATION, mass: 1, friction: CRATE, ...definition },
      })
    const crates = RULES.map(({ rule }, i) => crate(i - 3, { frictionCombine: rule }))
    // Their own friction would have it the other way round.
    const slippery = crate(2, { friction: 0.9 })
    const rough = crate(3, { friction: 0 })
    world.contactModifier = (pair) => {
      if (pair.bodyB === slippery) pair.friction = SLIPPERY
      if (pair.bodyB === rough) pair.friction = ROUGH
    }
    return { crates, slippery, rough }
  },
  checks: [
    {
      name: 'rules-combine-friction',
      description: 'Each of the five has the speed g (sin 20° - mu cos 20°) t, or none',
      unit: 'm/s',
      tolerance: 1e-5, // 20 sweeps do not solve the first step to the end
      softTolerance: 5e-3,
      error: ({ things, time }) =>
        Math.max(...RULES.map(({ friction }, i) => excess(things.crates[i], friction, time))),
    },
    {
      name: 'function-makes-slippery',
      description: 'A friction of 0.2 for the contact: g (sin 20° - 0.2 cos 20°) t',
      unit: 'm/s',
      tolerance: 1e-6,
      softTolerance: 5e-3,
      error: ({ things, time }) => excess(things.slippery, SLIPPERY, time),
    },
    {
      name: 'function-makes-rough',
      description: 'A friction of 0.5 for the contact: the crate stays, for 0.5 > tan 20°',
      unit: 'm/s',
      tolerance: 1e-6,
      softTolerance: 5e-3,
      error: ({ things, time }) => excess(things.rough, ROUGH, time),
    },
  ],
})
