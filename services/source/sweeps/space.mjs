/**
 * Parameter spaces: what the parameters of each run of a sweep are.
 */
import { MOST_RUNS, parameterRandom, randomPermutation } from './random-runs.mjs'
import { SOBOL_DIMENSIONS, sobolCoordinate } from './sobol.mjs'

/** @typedef {Record<string, number | string>} Parameters */
/** @typedef {{ name: string, kind: 'grid', values: (number | string)[] }} GridAxis */
/** @typedef {{ name: string, kind: 'random' | 'sobol' | 'latin', lower: number, upper: number }} SampledAxis */
/** @typedef {GridAxis | SampledAxis} Axis */

/**
 * @typedef {object} Space
 * @property {Axis[]} axes
 * @property {number} runs
 * @property {number} seed
 */

/** What can be asked for on the command line, each as often as one likes. */
export const AXIS_KINDS = /** @type {const} */ (['grid', 'random', 'sobol', 'latin'])

/** Values of a grid: more are a slip of the finger. */
const MOST_VALUES = 1e6

/**
 * Reads an axis: `gap=0.02:0.2:64` and `solver=exact,fast` of a grid, `friction=0.1:0.9` of the others.
 *
 * @param {typeof AXIS_KINDS[number]} kind
 * @param {string} text
 * @returns {Axis}
 */
export function readAxis(kind, text) {
  const [, name, range] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (!name) throw new RangeError(`--${kind} ${text}: must be name=range`)
  if (kind === 'grid') return { name, kind, values: readGrid(range, text) }
  const bounds = readNumbers(range)
  const [lower, upper] = bounds
  if (bounds.length !== 2 || !bounds.every(Number.isFinite))
    throw new RangeError(`--${kind} ${text}: must be name=lower:upper, two numbers`)
  if (lower > upper) throw new RangeError(`--${kind} ${text}: ${lower} is above ${upper}`)
  return { name, kind, lower, upper }
}

/** @param {string} range @param {string} text @returns {(number | string)[]} */
function readGrid(range, text) {
  if (!range.includes(':')) {
    return range.split(',').map((word) => readValue(word, text))
  }
  const numbers = readNumbers(range)
  const [lower, upper, count] = numbers
  if (numbers.length !== 3 || !numbers.every(Number.isFinite)) {
    throw new RangeError(`--grid ${text}: must be name=lower:upper:count or name=value,value`)
  }
  if (!Number.isInteger(count) || count < 1 || count > MOST_VALUES) {
    throw new RangeError(`--grid ${text}: count must be a whole number from 1 to ${MOST_VALUES}`)
  }
  return Array.from(
    { length: count },
    (_, i) => lower + ((upper - lower) * i) / Math.max(1, count - 1),
  )
}

/** @param {string} range @returns {number[]} NaN for what is none, also nothing at all */
const readNumbers = (range) =>
  range.split(':').map((word) => (word.trim() === '' ? NaN : Number(word)))

/** @param {string} word @param {string} text of the axis @returns {number | string} */
function readValue(word, text) {
  const number = Number(word)
  if (word.trim() === '') throw new RangeError(`--grid ${text}: a value is empty`)
  if (Math.abs(number) === Infinity)
    throw new RangeError(`--grid ${text}: ${word} is no finite number`)
  return Number.isNaN(number) ? word : number
}

/** @param {readonly Axis[]} axes @returns {number} points of the grid, 1 without one */
export const gridPoints = (axes) =>
  axes.reduce((points, axis) => points * (axis.kind === 'grid' ? axis.values.length : 1), 1)

/** @param {Space} space @throws {RangeError} that names what is wrong with it */
export function checkSpace({ axes, runs }) {
  const names = axes.map(({ name }) => name)
  const double = names.find((name, index) => names.indexOf(name) !== index)
  if (double !== undefined) throw new RangeError(`parameter ${double} is given twice`)
  if (!Number.isInteger(runs) || runs < 1 || runs >= MOST_RUNS) {
    throw new RangeError(`runs must be a whole number from 1 to ${MOST_RUNS - 1}, is ${runs}`)
  }
  const points = gridPoints(axes)
  if (points > runs)
    throw new RangeError(`runs must be at least the ${points} points of the grid, is ${runs}`)
  const sobol = axes.filter(({ kind }) => kind === 'sobol').length
  if (sobol > SOBOL_DIMENSIONS) {
    throw new RangeError(
      `Sobol's sequence has ${SOBOL_DIMENSIONS} dimensions here; ${sobol} were asked for`,
    )
  }
}

/**
 * The parameters of any run, from its number alone. Runs of the same point of the grid follow one another, the last axis turns fastest, and
 * each point has as many runs as the others, give or take one.
 *
 * @param {Space} space
 * @returns {(run: number) => Parameters}
 */
export function parameterSampler(space) {
  checkSpace(space)
  const { axes, runs, seed } = space
  const wholeSweep = parameterRandom(seed, MOST_RUNS - 1)
  const points = gridPoints(axes)
  let [stride, dimension] = [points, 0]
  const samplers = axes.map((axis) => {
    if (axis.kind === 'grid') {
      stride /= axis.values.length
      return gridSampler(axis.values, stride)
    }
    return unitSampler(axis, runs, wholeSweep, axis.kind === 'sobol' ? dimension++ : 0)
  })
  const isRandom = axes.some(({ kind }) => kind === 'random' || kind === 'latin')
  return (run) => {
    const random = isRandom ? parameterRandom(seed, run) : undefined
    const point = Math.floor((run * points) / runs)
    return Object.fromEntries(axes.map(({ name }, i) => [name, samplers[i](run, point, random)]))
  }
}

/** @typedef {import('moreau/gym').Random} Random */
/** @typedef {(run: number, point: number, random: any) => number | string} Sampler */

/** @param {(number | string)[]} values @param {number} stride points of the grid after which the value changes @returns {Sampler} */
const gridSampler = (values, stride) => (_, point) =>
  values[Math.floor(point / stride) % values.length]

/**
 * @param {SampledAxis} axis
 * @param {number} runs
 * @param {Random} wholeSweep
 * @param {number} dimension of Sobol's sequence
 * @returns {Sampler}
 */
function unitSampler({ kind, lower, upper }, runs, wholeSweep, dimension) {
  const between = (/** @type {number} */ part) => lower + (upper - lower) * part
  if (kind === 'random') return (_run, _point, random) => between(random.uniform())
  if (kind === 'sobol') {
    const coordinate = sobolCoordinate(dimension, wholeSweep.bits())
    return (run) => between(coordinate(run))
  }
  // Latin hypercube (McKay, Beckman and Conover 1979): each of as many equal parts as there are runs has one of them.
  const partOf = randomPermutation(runs, wholeSweep)
  return (run, _point, random) => between((partOf(run) + random.uniform()) / runs)
}
