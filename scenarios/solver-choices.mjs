/**
 * The solvers that scenes, the command line and the page offer. Those that `'exact'` consists of are left out: they refuse
 * worlds that have what they cannot solve.
 */

/** @typedef {import('./scene.mjs').SolverName} SolverName */

/** @satisfies {SolverName[]} */
export const SOLVER_CHOICES = /** @type {const} */ (['soft-step', 'auto', 'block-pgs', 'exact'])

/**
 * Whether a solver moves bodies by substeps with soft contacts: `'auto'` is soft-step but for bodies with great loads.
 *
 * @param {SolverName} solver
 * @returns {boolean}
 */
export const hasSubsteps = (solver) => solver === 'soft-step' || solver === 'auto'

/**
 * Whether the checks of a scene are made for a solver. `'auto'` promises what soft-step does.
 *
 * @param {import('./scene.mjs').Scene} scene
 * @param {SolverName} solver
 * @returns {boolean}
 */
export const isMadeFor = ({ solvers }, solver) =>
  solvers.includes(solver) || (solver === 'auto' && solvers.includes('soft-step'))
