/**
 * Many pairs, and the smallest scene of one that moves apart.
 */
import fc from 'fast-check'
import { judge, sceneOf } from './exam.mjs'
import { anyScene } from './generate/scenes.mjs'

/** @import { Difference } from './compare.mjs' */
/** @import { Relation } from './relations/index.mjs' */
/** @import { Scene } from './scene.mjs' */

/** ms that the search for a smaller scene may take, where nothing else is said */
const SHRINK_TIME = 20_000
/** Scenes in a row that have no image by any of the relations, until it is clear that none has. */
const MOST_IDLE = 1000

/** @typedef {{ seed: number, scene: Scene, difference: Difference }} Fault */

/** @typedef {{ solver: string, relation: Relation, worst: number[], faults: Fault[] }} Row `worst`: per pair, the largest distance as a part of what may be */

/**
 * @param {{ solver: string, relations: readonly Relation[], pairs: number, seed: number }} options `seed` of the first scene; the next has the next
 * @returns {Row[]} a row per relation
 */
export function examine({ solver, relations, pairs, seed }) {
  const rows = relations.map(
    (relation) => /** @type {Row} */ ({ solver, relation, worst: [], faults: [] }),
  )
  let [done, idle] = [0, 0]
  for (let next = seed; done < pairs && idle < MOST_IDLE; next++) {
    const scene = sceneOf(next)
    idle++
    for (const row of rows) {
      const verdict = done < pairs ? judge(scene, solver, row.relation) : undefined
      if (!verdict) continue
      done++
      idle = 0
      row.worst.push(verdict.worst)
      const { difference } = verdict
      if (difference) row.faults.push({ seed: next, scene, difference })
    }
  }
  return rows
}

/**
 * @param {Fault} fault
 * @param {string} solver
 * @param {Relation} relation
 * @param {number} [time] ms that it may take
 * @returns {{ scene: Scene, difference: Difference }} of the smallest scene that was found
 */
export function shrink({ seed, ...found }, solver, relation, time = SHRINK_TIME) {
  let smallest = found
  fc.check(
    fc.property(anyScene, (scene) => {
      const difference = judge(scene, solver, relation)?.difference
      if (difference) smallest = { scene, difference }
      return difference === undefined
    }),
    { seed, numRuns: 1, interruptAfterTimeLimit: time },
  )
  return smallest
}
