import { ENUMS } from '../enums.mjs'
import {
  byType,
  define,
  extents,
  flag,
  fraction,
  list,
  nonNegative,
  number,
  object,
  oneOf,
  positive,
  quaternion,
  text,
  told,
  vector,
  whole,
} from './values.mjs'

// Shapes and what they are made of, as a scene has them.

/** @typedef {import('./values.mjs').Schema} Schema */

/** The rules that can be asked for: the first word is none. */
export const combineRule = oneOf(ENUMS.combine.words.filter((word) => typeof word === 'string'))

const BITS = whole(-(2 ** 31), 2 ** 32 - 1)
export const filter = define(
  'filter',
  told(
    'Which shapes collide with which: category and mask of 32 bits, and a group, as in createBody.',
    object({ category: BITS, mask: BITS, group: whole(-(2 ** 31), 2 ** 31 - 1) }),
  ),
)

/** @type {Readonly<Record<string, Schema>>} */
const PLACEMENT = {
  position: told('m, in the frame of the body; default the origin', vector),
  orientation: told('x y z w, in the frame of the body; default no rotation', quaternion),
  friction: nonNegative,
  restitution: fraction,
  density: told('kg/m³; default that of the body; only a sensor may have 0', nonNegative),
  frictionCombine: combineRule,
  restitutionCombine: combineRule,
  filter,
  sensor: flag,
}

const asset = told('name of an entry of assets, or of what the reader resolves', text)
const points = told('m', { anyOf: [list(vector), list(number)] })

/**
 * @param {string} type
 * @param {Readonly<Record<string, Schema>>} measures
 * @param {readonly string[]} required
 */
const kind = (type, measures, required) =>
  object({ type: { const: type }, ...measures, ...PLACEMENT }, ['type', ...required])

/** Either one radius or one for each end. @param {Schema} schema */
const withRadii = (schema) => ({
  ...schema,
  oneOf: [{ required: ['radius'] }, { required: ['radiusTop', 'radiusBottom'] }],
})

const RADII = { radius: positive, radiusTop: nonNegative, radiusBottom: nonNegative }
const GRID = { rows: whole(2, 2 ** 27), columns: whole(2, 2 ** 27), scale: extents }

/** @param {Schema} schema @param {readonly string[]} data @returns {Schema} */
const withData = (schema, data) => ({
  ...schema,
  oneOf: [{ required: ['asset'] }, { required: data }],
})

export const shape = define(
  'shape',
  byType({
    sphere: kind('sphere', { radius: positive }, ['radius']),
    box: kind('box', { halfExtents: extents, radius: nonNegative }, ['halfExtents']),
    capsule: withRadii(kind('capsule', { ...RADII, halfHeight: positive }, ['halfHeight'])),
    cylinder: withRadii(
      kind('cylinder', { ...RADII, halfHeight: positive, rounding: nonNegative }, ['halfHeight']),
    ),
    cone: kind('cone', { radius: positive, halfHeight: positive, rounding: nonNegative }, [
      ...['radius', 'halfHeight'],
    ]),
    hull: withData(kind('hull', { asset, points, radius: nonNegative }, []), ['points']),
    plane: kind('plane', { normal: vector, offset: number }, []),
    mesh: withData(
      kind(
        'mesh',
        { asset, vertices: points, indices: list(whole(0, 2 ** 31)), oneSided: flag },
        [],
      ),
      ['vertices', 'indices'],
    ),
    heightfield: withData(
      kind('heightfield', { asset, heights: list(number), ...GRID, oneSided: flag }, [
        ...['rows', 'columns'],
      ]),
      ['heights'],
    ),
    compound: kind('compound', { shapes: { ...list({ $ref: '#/$defs/shape' }), minItems: 1 } }, [
      'shapes',
    ]),
  }),
)

/** @param {string} of */
const base64 = (of) =>
  told(`base64 of ${of}, little-endian`, { type: 'string', contentEncoding: 'base64' })

export const assets = told(
  'Data that shapes name. The names that are written are made of the content; any will do.',
  {
    type: 'object',
    additionalProperties: byType({
      hull: object({ type: { const: 'hull' }, points: base64('float64 x y z x y z ...') }, [
        ...['type', 'points'],
      ]),
      mesh: object(
        {
          type: { const: 'mesh' },
          vertices: base64('float64 x y z x y z ...'),
          indices: base64('uint32, three per triangle'),
        },
        ['type', 'vertices', 'indices'],
      ),
      heightfield: object(
        { type: { const: 'heightfield' }, heights: base64('float64, row by row') },
        ['type', 'heights'],
      ),
    }),
  },
)
