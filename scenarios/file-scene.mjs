/**
 * A scene that is a file: what `world.toJSON()` wrote, or somebody by hand (docs/scene-format.md). It has no checks.
 */
import { DEFAULT_TIME_STEP } from './scene.mjs'

/** @typedef {import('./scene.mjs').Scene} Scene */
/** @typedef {import('./vector.mjs').Vector} Vector */

/** s for which a file runs, unless somebody says otherwise. */
const DURATION = 10
/** m: a camera is no nearer, whatever small things there are. */
const NEAREST = 2
/** From where the camera looks, in distances from the middle of the bodies. */
const VIEW = [0.9, 0.6, 1.2]

/**
 * @param {string} name of the file
 * @param {unknown} json what it holds
 * @returns {Scene}
 */
export function fileScene(name, json) {
  const file = /** @type {Record<string, any>} */ (json ?? {})
  const bodies = Array.isArray(file.bodies) ? file.bodies : []
  const { settings } = file
  return {
    name,
    title: name,
    description: describeFile(bodies.length, file.generator),
    options: {},
    solvers: [settings?.solver ?? 'auto'],
    timeStep: DEFAULT_TIME_STEP,
    duration: DURATION,
    open: (World, options) => World.fromJSON(withSettings(json, options)),
    setup: () => ({}),
    camera: cameraFor(bodies),
    checks: [],
  }
}

/**
 * @param {any} json a scene, or what is refused as none
 * @param {object} options that stand above its settings
 * @returns {any}
 */
function withSettings(json, options) {
  if (!isObject(json) || (json.settings !== undefined && !isObject(json.settings))) return json
  return { ...json, settings: { ...json.settings, ...options } }
}

/** @param {unknown} value */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * @param {number} count
 * @param {unknown} generator
 */
function describeFile(count, generator) {
  const bodies = `a file with ${count} bod${count === 1 ? 'y' : 'ies'}`
  return typeof generator === 'string' ? `${bodies}, written by ${generator}` : bodies
}

/**
 * A camera that sees where the bodies are; those that rest are not what one looks at.
 * @param {readonly any[]} bodies
 */
function cameraFor(bodies) {
  const moving = bodies.filter((body) => body?.type !== 'static')
  const places = (moving.length > 0 ? moving : bodies).map(placeOf)
  /** @param {number} axis @param {(...numbers: number[]) => number} choose */
  const bound = (axis, choose) => places.reduce((best, place) => choose(best, place[axis]), NaN)
  const edge = (/** @type {typeof Math.min} */ choose) =>
    [0, 1, 2].map((axis) => bound(axis, (a, b) => (Number.isNaN(a) ? b : choose(a, b))))
  const [lower, upper] =
    places.length > 0
      ? [edge(Math.min), edge(Math.max)]
      : [
          [0, 0, 0],
          [0, 0, 0],
        ]
  const distance = NEAREST + Math.max(...upper.map((x, axis) => x - lower[axis]))
  const target = /** @type {Vector} */ (upper.map((x, axis) => (x + lower[axis]) / 2))
  const position = /** @type {Vector} */ (target.map((x, axis) => x + VIEW[axis] * distance))
  return { position, target }
}

/** @param {any} body @returns {number[]} m */
function placeOf(body) {
  return [0, 1, 2].map((axis) => {
    const number = Number(body?.position?.[axis] ?? 0)
    return Number.isFinite(number) ? number : 0
  })
}
