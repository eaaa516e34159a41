/**
 * All scenes of the comparison by name. Making one is quick and gives the same every time.
 */
import { casts, churn, debris, rays, sleeping } from './events.mjs'
import { cars, characters, terrain, tiles } from './grounds.mjs'
import { chains, ragdolls, sheet } from './joints.mjs'
import { boxes, compounds, hulls, listened, mixed, spheres } from './piles.mjs'
import { pyramid, stacks } from './stacks.mjs'

/** @typedef {import('./description.mjs').Description} Description */

/** The sizes of the piles that show how the cost grows. */
export const GROWTH = [125, 250, 500, 1000, 2000, 4000, 8000, 16000]

/** @type {Map<string, () => Description>} */
const SCENES = new Map([
  ['pyramid-20', () => pyramid(20)],
  ['pyramid-40', () => pyramid(40)],
  ['boxes', () => boxes(1000)],
  ['hulls', hulls],
  ['spheres', spheres],
  ['stacks', () => stacks(10, 10)],
  ['sheet', () => sheet(20)],
  ['chains', () => chains(10, 100)],
  ['ragdolls', () => ragdolls(200)],
  ['debris', debris],
  ['sleeping', sleeping],
  ['rays', rays],
  ['churn', churn],
  ['mixed', mixed],
  ['terrain', terrain],
  ['tiles', tiles],
  ['compounds', compounds],
  ['cars', cars],
  ['characters', characters],
  ['listened', listened],
  ['casts', casts],
  ...GROWTH.map((count) => {
    const name = `growth-${count}`
    return /** @type {[string, () => Description]} */ ([name, () => boxes(count, name)])
  }),
])

export const sceneNames = [...SCENES.keys()]

/**
 * @param {string} name
 * @returns {Description}
 */
export function describeScene(name) {
  const make = SCENES.get(name)
  if (make) return make()
  throw new RangeError(`no scene '${name}'; there are ${sceneNames.join(', ')}`)
}
