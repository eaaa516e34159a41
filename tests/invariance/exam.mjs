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
const TOLERANCE = { auto: 5e-3, exact: 1e-3, 'block-pgs': 1e-3 }

/** @param {number} seed @returns {Scene} */
export const sceneOf = (seed) => fc.sample(anyScene, { seed, numRuns: 1 })[0]

/** How a scene moves with a solver, and what it makes of differences. @typedef {{ motion: Motion, factors: number[] }} Played */

/** @type {WeakMap<Scene, Map<string, Played>>} by solvers */
const playedBefore = new WeakMap()

/** @param {Scene} scene @param {string} solver @returns {Played} which is found once */
export function playScene(scene, solver) {
  const bySolver = playedBefore.get(scene) ?? new Map()
  playedBefore.set(scene, bySolver)
  const found = bySolver.get(solver)
  if (found) return found
  const motion = play(scene, solver)
  const played = { motion, factors: enlargement(scene, solver, motion, TOLERANCE[solver]) }
  bySolver.set(solver, played)
  return played
}

/** @typedef {{ worst: number, compared: number, difference?: Difference | undefined }} Verdict */

/**
 * @param {Scene} scene
 * @param {string} solver
 * @param {Relation} relation
 * @returns {Verdict | undefined} undefined: the scene has no such image
 */
export function judge(scene, solver, relation) {
  const image = relation.image(scene)
  if (!image) return undefined
  const { scene: changed, base = scene, back, ...beside } = image
  const { motion, factors } = playScene(base, solver)
  const found = play(changed, solver, beside)
  const moved = back ? back(found) : found
  if (!relation.isExact) return compare(motion, moved, () => TOLERANCE[solver], factors)
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
