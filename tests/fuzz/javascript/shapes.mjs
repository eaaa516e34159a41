/**
 * Shapes of all types, and lines that change those of living bodies.
 */
import fc from 'fast-check'
import {
  flag,
  index,
  mixed,
  object,
  quaternion,
  size,
  sizes,
  strange,
  vector,
  words,
} from './values.mjs'

/** @typedef {fc.Arbitrary<string>} Text */

const POINTS = [
  '[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]',
  '[-1, -1, -1, 1, -1, -1, 0, 1, -1, 0, 0, 1, 0.2, 0.1, 0]',
  '[[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]',
  'new Array(3e9)',
]
/** Points of hulls. */
export const points = mixed(fc.constantFrom(...POINTS), strange)

const VERTICES = [
  '[-3, 1, -3, -3, 1, 3, 0, 0, -3, 0, 0, 3, 3, 1, -3, 3, 1, 3]',
  '[[-2, 0, -2], [-2, 0, 2], [2, 0, -2], [2, 0, 2], [0, 1, 0], [0, -1, 0]]',
  'new Float64Array(18)',
]
const INDICES = [
  '[0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]',
  'new Uint16Array([0, 1, 2])',
  '[0, 1, 9]',
  '[0, 1]',
]
const HEIGHTS = ['[0.3, 0.1, 0.2, 0, 0, 0.1, 0.2, 0, 0.3]', 'new Float32Array(9)', '[0, 1, NaN, 1]']

/** Combine rules. */
export const combine = words('average', 'minimum', 'maximum', 'multiply', 'geometricMean')
/** Filters of bodies and shapes. */
export const filter = object(
  {},
  {
    category: mixed(fc.constantFrom('1', '2', '3'), size),
    mask: mixed(fc.constantFrom('0', '1', '6'), size),
    group: mixed(fc.constantFrom('0', '1', '-1'), size),
  },
)
const placement = {
  ...{ position: vector, orientation: quaternion, friction: size, density: size },
  ...{ frictionCombine: combine, sensor: flag, filter },
}

/**
 * @param {string} type
 * @param {Record<string, Text>} always
 * @param {Record<string, Text>} [optional]
 */
const of = (type, always, optional = {}) =>
  object({ type: fc.constant(`'${type}'`), ...always }, { ...optional, ...placement })
const tapered = { radiusTop: size, radiusBottom: size, halfHeight: size }
const round = { radius: size, halfHeight: size }

const simple = fc.oneof(
  { arbitrary: of('sphere', { radius: size }), weight: 6 },
  { arbitrary: of('box', { halfExtents: sizes }, { radius: size }), weight: 6 },
  { arbitrary: fc.oneof(of('capsule', round), of('capsule', tapered)), weight: 3 },
  {
    arbitrary: fc.oneof(
      of('cylinder', round, { rounding: size }),
      of('cylinder', tapered, { rounding: size }),
      of('cone', round, { rounding: size }),
    ),
    weight: 4,
  },
  { arbitrary: of('hull', { points }, { radius: size }), weight: 2 },
  { arbitrary: object({ type: fc.constant(`'plane'`) }, { normal: vector }), weight: 1 },
  { arbitrary: index.map((i) => `shape(${i})`), weight: 3 },
  { arbitrary: strange, weight: 1 },
)
const mesh = of(
  'mesh',
  {
    vertices: mixed(fc.constantFrom(...VERTICES), strange),
    indices: mixed(fc.constantFrom(INDICES[0], ...INDICES), strange),
  },
  { oneSided: flag },
)
const heightfield = of(
  'heightfield',
  {
    heights: mixed(fc.constantFrom(HEIGHTS[0], ...HEIGHTS), strange),
    rows: mixed(fc.constantFrom('3', '3', '2'), size),
    columns: mixed(fc.constantFrom('3', '3', '2'), size),
  },
  { scale: sizes, oneSided: flag },
)
const compound = of('compound', {
  shapes: fc.array(simple, { maxLength: 3 }).map((list) => `[${list.join(', ')}]`),
})

/** Any shape, by its definition or one that exists. */
export const shape = fc.oneof(
  { arbitrary: simple, weight: 26 },
  { arbitrary: mesh, weight: 2 },
  { arbitrary: heightfield, weight: 2 },
  { arbitrary: compound, weight: 3 },
)

const body = index.map((i) => `body(${i})`)
const which = fc.oneof(
  fc.nat({ max: 2 }).map((i) => String(i)),
  index.map((i) => `shape(${i})`),
  strange,
)
/** Changes of the shapes of a living body. */
export const changeShapes = fc.oneof(
  fc.tuple(body, shape).map(([one, text]) => `${one}.addShape(${text})`),
  fc.tuple(body, which).map(([one, text]) => `${one}.removeShape(${text})`),
  fc.tuple(body, which, shape).map(([one, old, text]) => `${one}.replaceShape(${old}, ${text})`),
  fc.tuple(body, shape).map(([one, text]) => `${one}.shape = ${text}`),
  fc.tuple(body, shape, shape).map(([one, a, b]) => `${one}.shapes = [${a}, ${b}]`),
  fc.tuple(body, shape, shape).map(([one, a, b]) => `${one}.setShapes([${a}, ${b}])`),
)
