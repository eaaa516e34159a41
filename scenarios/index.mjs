/**
 * The registry of scenes.
 */
import bouncingBall from './bouncing-ball.mjs'
import elasticSpheres from './elastic-spheres.mjs'
import glancingCubes from './glancing-cubes.mjs'
import { inclineSlides, inclineSticks } from './inclines.mjs'
import pour from './pour.mjs'
import pyramid210 from './pyramid-210.mjs'
import restingCube from './resting-cube.mjs'
import rollingBall from './rolling-ball.mjs'
import { sliding0, sliding20, sliding45 } from './sliding-cubes.mjs'
import spinningTop from './spinning-top.mjs'
import stackOf10 from './stack-of-10.mjs'
import tippingBox from './tipping-box.mjs'
import tumblingBoxes from './tumbling-boxes.mjs'

export { runScene, SceneRun } from './runner.mjs'

/** @typedef {import('./scene.mjs').Scene} Scene */

/**
 * All scenes, in the order in which people should meet them.
 *
 * @type {Scene[]}
 */
export const scenes = [
  pour,
  tumblingBoxes,
  pyramid210,
  stackOf10,
  restingCube,
  sliding0,
  sliding20,
  sliding45,
  inclineSticks,
  inclineSlides,
  tippingBox,
  bouncingBall,
  rollingBall,
  elasticSpheres,
  glancingCubes,
  spinningTop,
]

/**
 * The scene with this name.
 *
 * @param {string} name
 * @returns {Scene}
 * @throws {RangeError} that names the scenes that are meant perhaps
 */
export function sceneByName(name) {
  const scene = scenes.find((candidate) => candidate.name === name)
  if (scene) return scene
  const similar = similarNames(
    name,
    scenes.map((candidate) => candidate.name),
  )
  const hint = similar.length
    ? `did you mean ${similar.map((other) => `'${other}'`).join(' or ')}?`
    : `there are ${scenes.map((candidate) => candidate.name).join(', ')}`
  throw new RangeError(`there is no scene '${name}'; ${hint}`)
}

/**
 * Up to three names that are close to one that does not exist.
 *
 * @param {string} wanted
 * @param {string[]} names
 * @returns {string[]} the closest first
 */
function similarNames(wanted, names) {
  const lower = String(wanted).toLowerCase()
  return names
    .map((name) => ({
      name,
      distance: lower && name.includes(lower) ? 0 : wordDistance(lower, name),
    }))
    .filter(({ distance }) => distance <= Math.max(1, wanted.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name)
}

/**
 * How far a word is from a name, or from the beginning of it: people forget what comes last.
 *
 * @param {string} wanted
 * @param {string} name
 * @returns {number}
 */
const wordDistance = (wanted, name) =>
  Math.min(
    editDistance(wanted, name),
    wanted.length < 4 ? Infinity : editDistance(wanted, name.slice(0, wanted.length)),
  )

/**
 * Letters to be added, dropped or changed to make one word of the other (Levenshtein 1966).
 *
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
function editDistance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j] + 1, next[j - 1] + 1))
    }
    row = next
  }
  return row[b.length]
}
