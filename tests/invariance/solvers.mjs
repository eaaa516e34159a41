/**
 * The solvers of the exam.
 */

/** Those of every exam. */
export const SOLVERS = /** @type {const} */ (['auto', 'exact', 'block-pgs'])

/** Those that may be asked for. */
export const ALL_SOLVERS = /** @type {const} */ ([...SOLVERS, 'soft-step'])

/**
 * The name of a solver in tolerances and in what is known: 'soft-step' is 'auto' without the bodies that 'auto' gives to 'exact', so what
 * holds for one holds for the other.
 *
 * @param {string} solver
 */
export const judgedAs = (solver) => (solver === 'soft-step' ? 'auto' : solver)
