/**
 * The certificate of an answer to a contact problem, in m/s: how far it is from Signorini's and Coulomb's laws. Written for the
 * benchmarks, so that what judges the solvers shares no line with them.
 */
import { multiplyAdd } from './dense-matrix.mjs'

/** A contact whose effective inverse mass is below this part of the largest is scaled as if it had that. */
const LEAST_SCALE = 1e-14

/**
 * Worst contact of the natural map in velocity units: r_i = |d_i g_i - P(d_i g_i - u^_i)| with u = W g + q, u^ = u + mu |u_T| n
 * (de Saxce and Feng 1998), P the projection on the cone |x_T| <= mu x_N and d_i = tr(W_ii)/3.
 *
 * @param {Float64Array} W by rows, 1/kg
 * @param {ArrayLike<number>} q m/s
 * @param {ArrayLike<number>} mu per contact
 * @param {ArrayLike<number>} impulses N s, per contact normal, tangent 1, tangent 2
 * @returns {number} m/s; not a number if an impulse is none
 */
export function certificate(W, q, mu, impulses) {
  const u = multiplyAdd(W, impulses, q)
  const scales = contactScales(W, mu.length)
  let worst = 0
  for (let i = 0; i < mu.length; i++) {
    const g = [0, 1, 2].map((row) => scales[i] * impulses[3 * i + row])
    const shifted = u[3 * i] + mu[i] * Math.hypot(u[3 * i + 1], u[3 * i + 2])
    const candidate = [g[0] - shifted, g[1] - u[3 * i + 1], g[2] - u[3 * i + 2]]
    const nearest = projectOnCone(candidate, mu[i])
    const residual = Math.hypot(g[0] - nearest[0], g[1] - nearest[1], g[2] - nearest[2])
    if (!(residual <= worst)) worst = residual
    if (Number.isNaN(worst)) return NaN
  }
  return worst
}

/**
 * @param {Float64Array} W
 * @param {number} contacts
 * @returns {number[]} 1/kg, tr(W_ii)/3 of each contact
 */
function contactScales(W, contacts) {
  const size = 3 * contacts
  const scales = Array.from({ length: contacts }, (_, i) => {
    const trace = [0, 1, 2].reduce((sum, row) => sum + W[(3 * i + row) * (size + 1)], 0)
    return trace / 3
  })
  const least = LEAST_SCALE * scales.reduce((a, b) => Math.max(a, b), 0)
  return scales.map((scale) => Math.max(scale, least))
}

/**
 * The nearest point of the cone |x_T| <= mu x_N.
 *
 * @param {number[]} point normal, tangent 1, tangent 2
 * @param {number} mu
 * @returns {number[]}
 */
function projectOnCone([normal, tangent1, tangent2], mu) {
  const tangent = Math.hypot(tangent1, tangent2)
  if (tangent <= mu * normal) return [normal, tangent1, tangent2]
  if (mu * tangent <= -normal) return [0, 0, 0]
  const height = (normal + mu * tangent) / (1 + mu * mu)
  const factor = (mu * height) / tangent
  return [height, factor * tangent1, factor * tangent2]
}
