import { userData } from './bodies.mjs'
import {
  byType,
  define,
  flag,
  list,
  nonNegative,
  number,
  object,
  positive,
  quaternion,
  text,
  told,
  vector,
  whole,
} from './values.mjs'

// Joints and other constraints as a scene has them: the definitions of createJoint and createConstraint.

/** @typedef {import('./values.mjs').Schema} Schema */
/** @typedef {Readonly<Record<string, Schema>>} Members */

const index = whole(0, 2 ** 31)
export const bodyReference = told('the index of a body, or its name', { anyOf: [index, text] })
const bodyOrWorld = told('the index of a body, or its name; null: the world', {
  anyOf: [index, text, { type: 'null' }],
})
/** Loads and bounds that are infinite are left out. */
const load = { anyOf: [nonNegative, { const: 'Infinity' }] }
const bound = { anyOf: [number, { enum: ['Infinity', '-Infinity'] }] }

const GAINS = {
  alpha: told('1/s²', nonNegative),
  beta: told('1/s', nonNegative),
  compliance: told('1/kg, or 1/(kg m²)', nonNegative),
  userData,
}

const SPRING_GAINS = {
  hertz: nonNegative,
  damping: nonNegative,
  stiffness: nonNegative,
  dampingCoefficient: nonNegative,
}
const limits = define(
  'limits',
  told('rad or m', {
    anyOf: [list(bound, 2), object({ lower: bound, upper: bound })],
  }),
)
const motor = define(
  'motor',
  object({
    ...{ targetVelocity: number, targetPosition: number, maxForce: load },
    ...SPRING_GAINS,
  }),
)
const spring = define('spring', object({ ...SPRING_GAINS, rest: number }))
/** @type {Members} */
const DRIVE = { limits, motor, spring, friction: nonNegative }
const sixDofAxis = {
  anyOf: [
    { enum: ['locked', 'free'] },
    list(bound, 2),
    object({ lower: bound, upper: bound, ...DRIVE }),
  ],
}
const sixDofAxes = define('sixDofAxes', {
  anyOf: [list(sixDofAxis, 3), object({ x: sixDofAxis, y: sixDofAxis, z: sixDofAxis })],
})

const reference = define(
  'reference',
  told(
    'What the joint keeps of the poses at which it was made, as joint.reference gives it. Leave it out in files that are written by hand: the poses in the file are it then.',
    object(
      {
        ...{ frameA: quaternion, frameB: quaternion, frameC: quaternion, frameD: quaternion },
        ...{ length: nonNegative, sum: number, linearMass: nonNegative, angularMass: nonNegative },
        coordinates: list(
          object({ value: number, mass: nonNegative, rest: number }, ['value', 'mass', 'rest']),
        ),
      },
      ['frameA', 'frameB'],
    ),
  ),
)
const drives = define(
  'drives',
  told(
    'of all coordinates, instead of what the type names',
    list(object({ ...DRIVE, locked: flag })),
  ),
)

const LOADS = {
  collideConnected: flag,
  breakForce: told('N', load),
  breakTorque: told('N m', load),
}
/** @type {Members} */
const REMAKING = { reference, drives }
const ANCHORS = {
  anchor: told('m, world', vector),
  anchorA: told('m, in the frame of A, or of the world', vector),
  anchorB: told('m, in the frame of B, or of the world', vector),
}
const AXES = { axis: told('world', vector), axisA: vector, axisB: vector }
const PLACED = { bodyA: bodyOrWorld, bodyB: bodyOrWorld, ...ANCHORS, ...LOADS, ...REMAKING }
/** What is in A is its points. */
const ON_PATH = Object.fromEntries(Object.entries(PLACED).filter(([name]) => name !== 'anchorA'))

/**
 * @param {string} type
 * @param {Members} members
 * @param {readonly string[]} [required]
 */
const joint = (type, members, required = []) =>
  object({ type: { const: type }, ...members, ...GAINS }, ['type', ...required])

const jointReference = told('the index of a joint that comes before', index)
const POSE_MOTOR = {
  ...{ targetPosition: vector, targetOrientation: quaternion },
  ...{ maxForce: load, maxTorque: load },
  ...SPRING_GAINS,
}

export const joints = byType({
  fixed: joint('fixed', PLACED),
  ball: joint('ball', {
    ...PLACED,
    ...AXES,
    limits: object({ cone: { anyOf: [positive, { const: 'Infinity' }] }, twist: limits }),
  }),
  hinge: joint('hinge', { ...PLACED, ...AXES, ...DRIVE }),
  slider: joint('slider', { ...PLACED, ...AXES, ...DRIVE }),
  distance: joint('distance', { ...PLACED, length: nonNegative, ...DRIVE }),
  rope: joint('rope', { ...PLACED, length: positive }),
  spring: joint('spring', {
    ...{ ...PLACED, ...SPRING_GAINS },
    ...{ spring, length: nonNegative, limits, friction: nonNegative },
  }),
  universal: joint('universal', { ...PLACED, axisA: vector, axisB: vector }, ['axisA', 'axisB']),
  sixDof: joint('sixDof', { ...PLACED, linear: sixDofAxes, angular: sixDofAxes }),
  gear: joint('gear', {
    ...{ bodyA: bodyReference, bodyB: bodyReference, axis: vector },
    ...{ jointA: jointReference, jointB: jointReference, ratio: number, ...LOADS, ...REMAKING },
  }),
  rackAndPinion: joint(
    'rackAndPinion',
    { jointA: jointReference, jointB: jointReference, ratio: number, ...LOADS, ...REMAKING },
    ['jointA', 'jointB'],
  ),
  pulley: joint(
    'pulley',
    {
      ...{ ...PLACED, groundAnchorA: vector, groundAnchorB: vector },
      ...{ ratio: positive, length: positive },
    },
    ['groundAnchorA', 'groundAnchorB'],
  ),
  wheel: joint('wheel', {
    ...{ ...PLACED, ...AXES, axle: vector, ...DRIVE },
    steering: told('rad', number),
  }),
  path: joint(
    'path',
    {
      ...{ ...ON_PATH, ...DRIVE },
      points: told('m, in the frame of A, or of the world', list(vector)),
      ...{ closed: flag, align: { enum: ['none', 'tangent', 'frame'] } },
    },
    ['points'],
  ),
  motor: joint('motor', { ...PLACED, ...POSE_MOTOR }),
})

// --- other constraints ----------------------------------------------------------------------------

const rowBounds = {
  anyOf: [
    { enum: ['bilateral', 'unilateral'] },
    told('a box of the impulse, N s', object({ lower: bound, upper: bound })),
    told('a cone over three rows', object({ friction: nonNegative }, ['friction'])),
  ],
}
const after = told('how many joints are made before it; default all', index)
/** @param {number} most @returns {Schema} */
const bodies = (most) => ({ ...list(bodyOrWorld), minItems: 1, maxItems: most })

/**
 * @param {string} type
 * @param {Members} members
 * @param {readonly string[]} required
 */
const constraint = (type, members, required) => joint(type, { after, ...members }, required)

export const constraints = byType({
  distance: constraint(
    'distance',
    {
      ...{ bodies: bodies(2), anchorA: vector, anchorB: vector, ...LOADS },
      ...{ length: nonNegative, ...DRIVE, ...REMAKING },
    },
    ['bodies'],
  ),
  unitQuaternion: constraint('unitQuaternion', { bodies: bodies(1) }, ['bodies']),
  custom: constraint(
    'custom',
    {
      bodies: bodies(2),
      typeName: told('the name under which the reader is given its functions', text),
      dimension: whole(1, 32),
      bounds: { anyOf: [rowBounds, list(rowBounds)] },
    },
    ['bodies', 'dimension'],
  ),
})
