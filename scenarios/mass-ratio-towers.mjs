import { addFloor, GRAVITY, normalImpulse, unitCube } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { distance } from './vector.mjs'

/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {import('./scene.mjs').SceneCheck<{ floor: Body, cubes: Body[] }>} Check */

/** The same in all towers: solved exactly, so that a step leaves 1e-9 m/s where the floor of doubles does. */
const SOLVER = 'exact'

/**
 * A tower of unit cubes of unlike masses.
 *
 * @param {string} name
 * @param {string} title
 * @param {string} description
 * @param {number[]} masses kg, from the lowest to the highest
 * @returns {import('./scene.mjs').Scene}
 */
function tower(name, title, description, masses) {
  return defineScene({
    name,
    title,
    description,
    options: { solver: SOLVER },
    duration: 10,
    camera: { position: [5, 4, 8], target: [0, masses.length / 2, 0] },
    setup(world) {
      const floor = addFloor(world, { halfWidth: 10 })
      const shape = unitCube()
      const cubes = masses.map((mass, level) =>
        world.createBody({ shape, position: [0, level + 0.5, 0], mass }),
      )
      return { floor, cubes }
    },
    checks: [interfacesCarry(masses), staysInPlace, overlapsLittle],
  })
}

/**
 * @param {number[]} masses kg
 * @returns {Check}
 */
const interfacesCarry = (masses) => ({
  name: 'interfaces-carry-the-weight-above',
  description:
    'The normal impulses under each cube sum up to the weight from there upwards times dt',
  unit: '(part of the weight)',
  tolerance: 1e-6,
  error({ things, timeStep }) {
    const errors = things.cubes.map((cube, level) => {
      const below = level === 0 ? things.floor : things.cubes[level - 1]
      const mass = masses.slice(level).reduce((sum, each) => sum + each, 0)
      return Math.abs(normalImpulse(cube, below) / (mass * GRAVITY * timeStep) - 1)
    })
    return Math.max(...errors)
  },
})

/** @type {Check} */
const staysInPlace = {
  name: 'stays-in-place',
  description: 'No cube leaves its place',
  unit: 'm',
  tolerance: 1e-4,
  error: ({ things }) =>
    Math.max(...things.cubes.map((cube, level) => distance(cube.position, [0, level + 0.5, 0]))),
}

/** @type {Check} */
const overlapsLittle = {
  name: 'overlaps-little',
  description: 'Deepest overlap of any contact',
  unit: 'm',
  tolerance: 1e-4,
  error: ({ world }) => world.stats.maxPenetration,
}

export const tower1e3 = tower(
  'mass-ratio-1e3',
  'Tower under 1 t',
  'Four cubes of 1 kg carry one of 1000 kg. Nothing sinks, and each interface carries what lies above it.',
  [1, 1, 1, 1, 1e3],
)

export const tower1e6 = tower(
  'mass-ratio-1e6',
  'A thousand tonnes on a kilogram',
  'A cube of 1 kg carries one of a million kilograms: it does not sink, and the forces are right to the sixth digit.',
  [1, 1e6],
)

export const towerAlternating = tower(
  'mass-ratio-alternating',
  'Alternating tower',
  'Six cubes of 1, 1e6, 1, 1e6, 1 and 1e6 kg, the light ones below the heavy ones. It stands.',
  [1, 1e6, 1, 1e6, 1, 1e6],
)
