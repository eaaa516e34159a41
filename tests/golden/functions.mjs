/**
 * Functions of custom constraints and potentials that tests/native/replay_functions.h has too, in the same order. Both write the
 * same operations in the same order, so that they round alike.
 */

/** @typedef {import('moreau').ConstraintFunction} ConstraintFunction */
/** @typedef {{ dimension: number, bounds: 'bilateral' | 'unilateral', evaluate: ConstraintFunction, jacobian?: ConstraintFunction }} Functions */

/**
 * A bead on a parabola that moves along z with 0.125 m/s. It has no Jacobian, so the engine takes differences.
 *
 * @type {Functions}
 */
const rail = {
  dimension: 2,
  bounds: 'bilateral',
  evaluate({ worldCenterOfMass: [x, y, z] }, _, time, out) {
    out[0] = y - 0.25 * x * x
    out[1] = z - 0.125 * time
  },
}

/**
 * Centres of mass that are at most 2 m apart.
 *
 * @type {Functions}
 */
const leash = {
  dimension: 1,
  bounds: 'unilateral',
  evaluate(a, b, _, out) {
    const [x, y, z] = between(a, b)
    out[0] = 4 - (x * x + y * y + z * z)
  },
  jacobian(a, b, _, out) {
    const apart = between(a, b)
    for (let i = 0; i < 3; i++) {
      out[i] = 2 * apart[i]
      out[6 + i] = -2 * apart[i]
    }
  },
}

/** @type {(a: import('moreau').ConstraintBody, b: import('moreau').ConstraintBody | null) => number[]} */
const between = (a, b) => a.worldCenterOfMass.map((x, i) => (b ? b.worldCenterOfMass[i] : 0) - x)

/** @type {readonly Functions[]} */
export const CONSTRAINTS = [rail, leash]

/**
 * A well around the origin with drag in it.
 *
 * @type {{ force: import('moreau').PotentialForce, torque: import('moreau').PotentialForce }}
 */
const well = {
  force({ worldCenterOfMass: r, linearVelocity: v }, _, out) {
    for (let i = 0; i < 3; i++) out[i] = -3 * r[i] - 0.5 * v[i]
  },
  torque({ angularVelocity }, _, out) {
    for (let i = 0; i < 3; i++) out[i] = -0.0625 * angularVelocity[i]
  },
}

export const POTENTIALS = [well]
