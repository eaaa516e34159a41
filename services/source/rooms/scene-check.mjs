import { MOST_INPUT_BYTES } from '../netcode/protocol.mjs'

/** @import { Scene } from '../netcode/simulation.mjs' */

/** What a scene of rooms has to have. */
const FUNCTIONS = /** @type {const} */ (['readOptions', 'build', 'join', 'leave', 'drive'])

/** @param {any} scene as a user wrote it @returns {asserts scene is Scene} @throws {RangeError} that names what is missing */
export function checkScene(scene) {
  const { name, inputBytes, module } = Object(scene)
  if (typeof name !== 'string' || name === '')
    throw new RangeError(`a scene of rooms must have a name (docs/rooms.md), has ${name}`)
  if (!Number.isInteger(inputBytes) || inputBytes < 1 || inputBytes > MOST_INPUT_BYTES)
    throw new RangeError(
      `scene ${name}: inputBytes must be a whole number from 1 to ${MOST_INPUT_BYTES}, is ${inputBytes}`,
    )
  if (module !== undefined && typeof module !== 'string')
    throw new RangeError(
      `scene ${name}: module must be import.meta.url of its module, or left out, is ${module}`,
    )
  const missing = FUNCTIONS.find((key) => typeof scene[key] !== 'function')
  if (missing) throw new RangeError(`scene ${name}: ${missing} must be a function (docs/rooms.md)`)
}

/** @param {readonly any[]} scenes @throws {RangeError} */
export function checkScenes(scenes) {
  if (!Array.isArray(scenes) || scenes.length === 0)
    throw new RangeError(`scenes must be a list with one scene or more, is ${scenes}`)
  scenes.forEach(checkScene)
  const names = scenes.map(({ name }) => name)
  const double = names.find((name, i) => names.indexOf(name) !== i)
  if (double !== undefined) throw new RangeError(`two scenes have the name ${double}`)
}
