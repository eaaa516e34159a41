/**
 * The registry of scenes.
 */
import { similar } from '../bindings/spelling.mjs'
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
  const names = scenes.map((candidate) => candidate.name)
  const near = similar(String(name), names)
  const hint = near.length
    ? `did you mean ${near.map((other) => `'${other}'`).join(' or ')}?`
    : `there are ${names.join(', ')}`
  throw new RangeError(`there is no scene '${name}'; ${hint}`)
}
