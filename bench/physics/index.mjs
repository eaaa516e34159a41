/**
 * All rows of the table of physics. Engines are stepped by 1/60 s with their default settings, sleep off, unless a row says otherwise.
 */
import { bulletRows } from './bullets.mjs'
import { churnRows } from './churn.mjs'
import { forceRows } from './forces.mjs'
import { frictionRows } from './friction.mjs'
import { gyroscopeRows } from './gyroscopes.mjs'
import { impactRows } from './impacts.mjs'
import { jointRows } from './joints.mjs'
import { kinematicRows } from './kinematics.mjs'
import { massRatioRows } from './mass-ratios.mjs'
import { energyRows } from './random-energy.mjs'
import { rollingRows } from './rolling.mjs'
import { sleepRows } from './sleep.mjs'
import { stackRows } from './stacks.mjs'
import { staticsRows } from './statics.mjs'

export const rows = [
  ...forceRows,
  ...frictionRows,
  ...rollingRows,
  ...staticsRows,
  ...stackRows,
  ...massRatioRows,
  ...gyroscopeRows,
  ...impactRows,
  ...kinematicRows,
  ...sleepRows,
  ...jointRows,
  ...churnRows,
  ...bulletRows,
  ...energyRows,
]

export const rowNames = rows.map(({ name }) => name)

/**
 * @param {string} name
 * @returns {import('./row.mjs').Row}
 */
export function rowOf(name) {
  const row = rows.find((each) => each.name === name)
  if (row) return row
  throw new RangeError(`no row '${name}'; there are ${rowNames.join(', ')}`)
}
