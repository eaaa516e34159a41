import { checkNames, readObject } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList } from '../core/lists.mjs'
import { DRIVE_NAMES, limitsOf, NO_DRIVE, readDrive, readLimits } from './joint-drives.mjs'

/** @import { Drive } from './joint-drives.mjs' */
/** @import { JointLimits } from '../types/index.mjs' */

const AXES = /** @type {const} */ (['x', 'y', 'z'])
/** @returns {Drive} */
const lockedAxis = () => ({ ...NO_DRIVE, locked: true })
const EXPECTED = "'locked', 'free', [lower, upper], or an object with limits and drives"

/**
 * The drives of a joint of six degrees of freedom: translations along x, y, z, then turns about them.
 * @param {Record<string, unknown>} definition
 * @param {string} where
 * @returns {Drive[]}
 */
export function readSixDof({ linear, angular }, where) {
  return [...readAxes(linear, `${where}: linear`), ...readAxes(angular, `${where}: angular`)]
}

/**
 * Three of them: a list, or an object with x, y, z; those that are left out are locked.
 * @param {unknown} value
 * @param {string} path
 * @returns {Drive[]}
 */
export function readAxes(value, path) {
  if (value === undefined) return AXES.map(lockedAxis)
  if (isList(value)) {
    if (value.length !== 3) throw invalid(path, 'three of them, for x, y and z', value)
    return AXES.map((_, i) => readAxis(value[i], `${path}[${i}]`))
  }
  const given = readObject(value, path)
  checkNames(given, AXES, path)
  return AXES.map((axis) => readAxis(given[axis], `${path}.${axis}`))
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {Drive}
 */
function readAxis(value, path) {
  if (value === undefined || value === 'locked') return lockedAxis()
  if (value === 'free') return NO_DRIVE
  if (isList(value)) return { ...NO_DRIVE, ...readLimits(value, path) }
  if (typeof value !== 'object' || value === null) throw invalid(path, EXPECTED, value)
  const given = readObject(value, path)
  checkNames(given, ['lower', 'upper', ...DRIVE_NAMES], path)
  const { lower, upper, limits, ...others } = given
  const hasBounds = lower !== undefined || upper !== undefined
  return readDrive({ limits: hasBounds ? { lower, upper } : limits, ...others }, path)
}

/**
 * What an axis was set to.
 * @param {Drive} drive
 * @returns {'locked' | 'free' | JointLimits}
 */
export function axisOf(drive) {
  return drive.locked ? 'locked' : (limitsOf(drive) ?? 'free')
}
