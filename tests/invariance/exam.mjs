/**
 * Pairs of the exam: a scene and its image.
 */
import fc from 'fast-check'
import { compare, enlargement } from './compare.mjs'
import { anyScene } from './generate.mjs'
import { RELATIONS } from './relations/index.mjs'
import { play } from './scene.mjs'

/** @import { Difference } from './compare.mjs' */
/** @import { Relation } from './relations/index.mjs' */
/** @import { Motion, Scene } from './scene.mjs' */

export const SOLVERS = /** @type {const} */ (['auto', 'exact', 'block-pgs'])

/**
 * m: how far a pair may be apart where the scene enlarges nothing.
 * soft-step: `linearSlop`, 5 mm, is what it counts as near, and so what two surfaces may differ by in when they are touched.
 * The others leave 1 mm of overlap alone.
 * @type {Record<string, number>}
 */
export const TOLERANCE = { auto: 5e-3, exact: 1e-3, 'block-pgs': 1e-3 }

/** @param {number} seed @returns {Scene} */
export const sceneOf = (seed) => fc.sample(anyScene, { seed, numRuns: 1 })[0]

/** @param {Relation} relation @param {string} solver m */
const toleranceOf = ({ tolerance = TOLERANCE }, solver) => tolerance[solver]

/** How a scene moves with a solver, and what it makes of differences. @typedef {{ motion: Motion, factors: number[] }} Played */

/** @param {Scene} scene @param {string} solver @param {number} [tolerance] m @returns {Played} */
export function playScene(scene, solver, tolerance = TOLERANCE[solver]) {
  const motion = play(scene, solver)
  return { motion, factors: enlargement(scene, solver, motion, tolerance) }
}

/** @typedef {{ worst: number, compared: number, difference?: Difference | undefined }} Verdict */

/**
 * @param {Scene} scene
 * @param {string} solver
 * @param {Relation} relation
 * @param {() => Played} played of the scene
 * @returns {Verdict | undefined} undefined: the scene has no such image
 */
export function judge(scene, solver, relation, played) {
  const image = relation.image(scene)
  if (!image) return undefined
  if (relation.judge) return relation.judge(image.scene, solver)
  const { scene: changed, of, back, ...beside } = image
  const tolerance = toleranceOf(relation, solver)
  const { motion, factors } = of ? playScene(of, solver, tolerance) : played()
  const found = play(changed, solver, beside)
  const moved = back ? back(found) : found
  if (!relation.isExact) return compare(motion, moved, () => tolerance, factors)
  const ones = motion.map(() => 1)
  return compare(motion, moved, () => Number.MIN_VALUE, ones)
}

/** @param {string | undefined} words names of relations or groups, with commas between them @returns {Relation[]} */
export function relationsOf(words) {
  if (words === undefined) return [...RELATIONS]
  return words.split(',').flatMap((word) => {
    const found = RELATIONS.filter(({ name, group }) => name === word || group === word)
    if (found.length === 0) {
      const names = [...new Set(RELATIONS.flatMap(({ name, group }) => [group, name]))]
      throw new RangeError(`there is no relation '${word}'; there are ${names.join(', ')}`)
    }
    return found
  })
}
