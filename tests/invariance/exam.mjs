/**
 * Pairs of the exam: a scene and its image.
 */
import fc from 'fast-check'
import { Failure } from '../../scripts/tools.mjs'
import { compare, enlargement } from './compare.mjs'
import { anyScene } from './generate/scenes.mjs'
import { RELATIONS } from './relations/index.mjs'
import { play } from './scene.mjs'
import { judgedAs } from './solvers.mjs'

/** @import { Difference } from './compare.mjs' */
/** @import { Relation } from './relations/index.mjs' */
/** @import { Motion, Scene } from './scene.mjs' */

/**
 * m: how far a pair may be apart where the scene enlarges nothing.
 * soft-step: `linearSlop`, 5 mm, is what it counts as near, and so what two surfaces may differ by in when they are touched.
 * The others leave 1 mm of overlap alone.
 * @type {Record<string, number>}
 */
const TOLERANCE = { auto: 5e-3, exact: 1e-3, 'block-pgs': 1e-3 }

/** @param {number} seed @returns {Scene} */
export const sceneOf = (seed) => fc.sample(anyScene, { seed, numRuns: 1 })[0]

/** @template T @param {() => T} make @returns {() => T} which makes it once, and only where somebody asks */
function once(make) {
  /** @type {T | undefined} */
  let made
  return () => (made ??= make())
}

/** How a scene moves with a solver, and what it makes of differences of a size. @typedef {{ motion: Motion, factors: () => number[] }} Played */

/** What was played before, by the solver and the tolerance: many relations share a scene. @type {WeakMap<Scene, Map<string, Played>>} */
const playedBefore = new WeakMap()

/** @param {Scene} scene @param {string} solver @param {number} tolerance m @returns {Played} */
function playScene(scene, solver, tolerance) {
  const known = playedBefore.get(scene) ?? new Map()
  playedBefore.set(scene, known)
  const key = `${solver} ${tolerance}`
  if (!known.has(key)) {
    const motion = play(scene, solver)
    known.set(key, {
      motion,
      factors: once(() => enlargement(scene, solver, motion, tolerance)),
    })
  }
  return known.get(key)
}

/**
 * Counted operations, more than any step takes. The exact solvers share a budget among the islands of a step, so that where it binds what
 * is far away takes some of it: the bits are the same where none binds.
 */
const NO_BUDGET = 1e15

/** The scenes without a budget, once each. @type {WeakMap<Scene, Scene>} */
const unbounded = new WeakMap()

/** @param {Scene} scene @returns {Scene} */
function withoutBudget(scene) {
  const known = unbounded.get(scene)
  const made = known ?? { ...scene, settings: { workBudget: NO_BUDGET, ...scene.settings } }
  unbounded.set(scene, made)
  return made
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
  if (relation.judge) return relation.judge(image.scene, solver)
  const { scene: changed, of = scene, back = (motion) => motion, ...beside } = image
  const tolerance = (relation.tolerance ?? TOLERANCE)[judgedAs(solver)]
  const budget = relation.isExact ? withoutBudget : (/** @type {Scene} */ one) => one
  const { motion, factors } = playScene(budget(of), solver, tolerance)
  const moved = back(play(budget(changed), solver, beside))
  if (!relation.isExact) return compare(motion, moved, tolerance, factors())
  const ones = motion.map(() => 1)
  return compare(motion, moved, Number.MIN_VALUE, ones)
}

/** @param {readonly string[]} [words] names of relations or groups; without them all @returns {Relation[]} */
export function relationsOf(words) {
  if (words === undefined) return [...RELATIONS]
  return words.flatMap((word) => {
    const found = RELATIONS.filter(({ name, group }) => name === word || group === word)
    if (found.length === 0) {
      const names = [...new Set(RELATIONS.flatMap(({ name, group }) => [group, name]))]
      throw new Failure(`there is no relation '${word}'; there are ${names.join('; ')}`)
    }
    return found
  })
}
