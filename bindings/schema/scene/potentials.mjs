import { userData } from './bodies.mjs'
import { bodyReference } from './joints.mjs'
import {
  byType,
  extents,
  list,
  nonNegative,
  number,
  object,
  positive,
  quaternion,
  text,
  told,
  vector,
} from './values.mjs'

// Potentials as a scene has them: the definitions of createPotential.

/** @typedef {import('./values.mjs').Schema} Schema */
/** @typedef {Readonly<Record<string, Schema>>} Members */

const region = told('where it acts; default everywhere', {
  anyOf: [
    { type: 'null' },
    object({ type: { const: 'sphere' }, center: vector, radius: positive }, ['type', 'radius']),
    object(
      { type: { const: 'box' }, center: vector, halfExtents: extents, orientation: quaternion },
      ['type', 'halfExtents'],
    ),
  ],
})
const bodies = told('default: all dynamic ones', { ...list(bodyReference), minItems: 1 })
const bodyOrWorld = { anyOf: [bodyReference, { type: 'null' }] }

/**
 * @param {string} type
 * @param {Members} members
 * @param {readonly string[]} [required]
 */
const potential = (type, members, required = []) =>
  object({ type: { const: type }, userData, ...members }, ['type', ...required])

/** @type {typeof potential} */
const field = (type, members, required) => potential(type, { bodies, region, ...members }, required)

export const potentials = byType({
  gravity: field('gravity', { gravity: vector }, ['gravity']),
  pointGravity: field('pointGravity', { center: vector, mu: nonNegative, softening: nonNegative }, [
    'mu',
  ]),
  tidal: field('tidal', { center: vector, mu: nonNegative }, ['mu']),
  magnetic: field(
    'magnetic',
    { moment: vector, field: vector, center: vector, sourceMoment: vector },
    ['moment'],
  ),
  drag: field('drag', {
    ...{ linear: nonNegative, quadratic: nonNegative, angular: nonNegative, velocity: vector },
  }),
  buoyancy: field(
    'buoyancy',
    { density: nonNegative, surface: object({ normal: vector, offset: number }) },
    ['density'],
  ),
  spring: potential(
    'spring',
    {
      ...{ bodyA: bodyReference, bodyB: bodyOrWorld, anchorA: vector, anchorB: vector },
      ...{ stiffness: nonNegative, restLength: nonNegative, damping: nonNegative },
    },
    ['bodyA', 'stiffness'],
  ),
  mutualGravity: potential('mutualGravity', {
    ...{ bodies, gravitationalConstant: nonNegative, softening: nonNegative },
  }),
  custom: field('custom', {
    typeName: told('the name under which the reader is given its functions', text),
  }),
})
