/**
 * Values in JavaScript, at random: ordinary, extreme, or none at all. Each is an arbitrary of fast-check, so that
 * failures shrink.
 */
import fc from 'fast-check'

/** @typedef {fc.Arbitrary<string>} Text */

export const index = fc.nat({ max: 12 })
export const strange = fc.nat({ max: 26 }).map((i) => `strange(${i})`)
export const ordinary = fc.oneof(
  fc.constantFrom('0', '1', '-1', '0.5', '0.1', '2', '10', '0.01'),
  fc.integer({ min: -300, max: 300 }).map((i) => String(i / 100)),
)
export const positive = fc.oneof(
  fc.constantFrom('1', '0.5', '0.1', '2', '0.02', '100'),
  fc.integer({ min: 1, max: 300 }).map((i) => String(i / 100)),
)
const EXTREMES = ['1e-300', '5e-324', '1e-154', '1e-20', '1e-9', '1e9', '1e21', '1e39', '1e100']
const FAR_EXTREMES = ['1e127', '1e154', '1e160', '1e300', '1.7e308', '1e6', '3e7', '1e50', '1e30']
export const magnitude = fc.constantFrom(...EXTREMES, ...FAR_EXTREMES)
export const extreme = fc
  .tuple(fc.constantFrom('', '-'), magnitude)
  .map(([sign, size]) => sign + size)

/**
 * Mostly one, at times an extreme one, at times none.
 * @param {Text} good
 * @param {Text} far
 */
export const mixed = (good, far) =>
  fc.oneof(
    { arbitrary: good, weight: 40 },
    { arbitrary: far, weight: 3 },
    { arbitrary: strange, weight: 2 },
  )
export const number = mixed(ordinary, extreme)
export const size = mixed(positive, magnitude)
export const flag = mixed(fc.constantFrom('true', 'false'), strange)

/** @param {Text} one */
export const triple = (one) => fc.tuple(one, one, one).map(([x, y, z]) => `[${x}, ${y}, ${z}]`)
export const vector = fc.oneof(
  { arbitrary: triple(ordinary), weight: 30 },
  { arbitrary: triple(number), weight: 6 },
  {
    arbitrary: fc.tuple(ordinary, number).map(([x, y]) => `{ x: ${x}, y: ${y}, z: 0 }`),
    weight: 3,
  },
  { arbitrary: strange, weight: 1 },
)
export const sizes = fc.oneof(
  { arbitrary: triple(positive), weight: 20 },
  { arbitrary: triple(size), weight: 2 },
  { arbitrary: strange, weight: 1 },
)
export const quaternion = fc.oneof(
  { arbitrary: fc.constantFrom('[0, 0, 0, 1]', '[0, 0.6, 0, 0.8]', '[1, 2, 3, 4]'), weight: 12 },
  { arbitrary: fc.tuple(number, number).map(([x, w]) => `[${x}, 0, 0, ${w}]`), weight: 3 },
  { arbitrary: strange, weight: 1 },
)

/** @param {...string} names */
export const words = (...names) =>
  mixed(fc.constantFrom(...names.map((name) => `'${name}'`)), strange)
export const solver = words('block-pgs', 'exact', 'bilateral', 'active-set', 'cone', 'soft-step')
export const integrator = words(
  ...['semi-implicit-euler', 'explicit-euler', 'velocity-verlet', 'rk4', 'implicit-midpoint'],
)

/**
 * An object that has each option or leaves it out, and may read the world while it is read.
 * @param {Record<string, Text>} always
 * @param {Record<string, Text>} [optional]
 * @returns {Text}
 */
export function object(always, optional = {}) {
  const chosen = fc.record({ ...always, ...optional }, { requiredKeys: Object.keys(always) })
  const text = chosen.map((entries) => {
    const list = Object.entries(entries).map(([name, value]) => `${name}: ${value}`)
    return `{ ${list.join(', ')} }`
  })
  const isNosy = fc.integer({ min: 0, max: 11 })
  return fc.tuple(text, isNosy).map(([inner, nosy]) => (nosy === 11 ? `nosy(${inner})` : inner))
}
