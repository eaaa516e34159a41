/**
 * Checks that several scenes share.
 */
import { hasSubsteps } from './solver-choices.mjs'
import { distance } from './vector.mjs'

/** @typedef {import('./scene.mjs').CheckContext<any>} Context */
/** @typedef {import('./scene.mjs').SceneCheck<any>} Check */

/**
 * The steps that a scene is integrated in, s: soft-step moves the bodies in each of its substeps.
 *
 * @param {Pick<Context, 'world' | 'timeStep'>} context
 * @returns {number}
 */
export const integrationStep = ({ world, timeStep }) =>
  hasSubsteps(world.solver) ? timeStep / world.substeps : timeStep

/**
 * Kinetic plus potential energy rises in no step. In soft-step contacts are springs, which give back what they took.
 *
 * @param {{ tolerance?: number, softTolerance?: number, from?: number, to?: number }} [options] tolerances in J
 * @returns {Check}
 */
export function energyNeverRises({ tolerance = 1e-8, softTolerance = 1e-3, from, to } = {}) {
  return {
    name: 'energy-never-rises',
    description: 'Friction and inelastic contacts only take energy: the total rises in no step',
    unit: 'J',
    tolerance,
    softTolerance,
    ...window(from, to),
    error({ world, start, previous }) {
      const total = world.energy().total
      const rise = total - (previous.energy ?? start.energy.total)
      previous.energy = total
      return Math.max(0, rise)
    },
  }
}

/**
 * Kinetic plus potential energy stays what it was at the start.
 *
 * @param {number} tolerance J
 * @returns {Check}
 */
export function energyKept(tolerance, softTolerance = tolerance) {
  return {
    name: 'energy-kept',
    description: 'Nothing takes energy here: the total stays what it was',
    unit: 'J',
    tolerance,
    softTolerance,
    error: ({ world, start }) => Math.abs(world.energy().total - start.energy.total),
  }
}

/**
 * Linear momentum stays what it was at the start.
 *
 * @param {number} tolerance kg m/s
 * @returns {Check}
 */
export function linearMomentumKept(tolerance) {
  return momentumKept('linear', 'kg m/s', tolerance)
}

/**
 * Angular momentum about the world's origin stays what it was at the start.
 *
 * @param {number} tolerance kg m^2/s
 * @returns {Check}
 */
export function angularMomentumKept(tolerance) {
  return momentumKept('angular', 'kg m²/s', tolerance)
}

/**
 * @param {'linear' | 'angular'} kind
 * @param {string} unit
 * @param {number} tolerance
 * @returns {Check}
 */
function momentumKept(kind, unit, tolerance) {
  return {
    name: `${kind}-momentum-kept`,
    description: `No force from outside: the ${kind} momentum stays what it was`,
    unit,
    tolerance,
    error: ({ world, start }) => distance(world.momentum()[kind], start.momentum[kind]),
  }
}

/**
 * @param {number | undefined} from
 * @param {number | undefined} to
 * @returns {{ from?: number, to?: number }} only what is given
 */
function window(from, to) {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}
