/**
 * How far a flat body slides that spins: friction opposes the velocity of each point of its base, so that spin makes it slide
 * farther (Farkas, Bartels, Unger and Wolf, "Frictional coupling between sliding and spinning motion", Phys. Rev. Lett. 90, 2003).
 */
import { GRAVITY } from '../scenes/description.mjs'

/** s, so short that the way is good for a tenth of a millimetre. */
const STEP = 1e-4
/** m/s below which it lies still: what is left of the way is less than a micrometre. */
const STILL = 2e-3

/**
 * @typedef {object} Slide
 * @property {[number, number][]} points of the base that share the weight equally, about the centre, m
 * @property {number} gyrationSquared moment of inertia about the normal by the mass, m²
 * @property {number} speed m/s, along x
 * @property {number} spin rad/s
 * @property {number} friction coefficient
 */

/**
 * The equations of motion in the plane, by steps.
 *
 * @param {Slide} slide
 * @returns {number} the way, m
 */
export function slidingDistance({ points, gyrationSquared, speed, spin, friction }) {
  const share = (friction * GRAVITY) / points.length
  const reach = Math.max(...points.map(([x, y]) => Math.hypot(x, y)))
  let [x, y, angle, vx, vy, w] = [0, 0, 0, speed, 0, spin]
  while (Math.hypot(vx, vy) + reach * Math.abs(w) > STILL) {
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
    let [ax, ay, turning] = [0, 0, 0]
    for (const [px, py] of points) {
      const [rx, ry] = [cosine * px - sine * py, sine * px + cosine * py]
      const [ux, uy] = [vx - w * ry, vy + w * rx]
      const size = Math.max(Math.hypot(ux, uy), Number.MIN_VALUE)
      const [fx, fy] = [(-share * ux) / size, (-share * uy) / size]
      ax += fx
      ay += fy
      turning += rx * fy - ry * fx
    }
    vx += STEP * ax
    vy += STEP * ay
    w += (STEP * turning) / gyrationSquared
    x += STEP * vx
    y += STEP * vy
    angle += STEP * w
  }
  return Math.hypot(x, y)
}

/**
 * @param {number} count
 * @param {number} radius m
 * @returns {[number, number][]} corners of a regular polygon
 */
export function polygon(count, radius) {
  return Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * (index + 0.5)) / count
    return [radius * Math.cos(angle), radius * Math.sin(angle)]
  })
}
