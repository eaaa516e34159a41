/**
 * Joints of all types with limits, motors, springs and friction, and lines that change them.
 */
import fc from 'fast-check'
import {
  flag,
  index,
  mixed,
  number,
  object,
  ordinary,
  positive,
  quaternion,
  size,
  strange,
  vector,
  words,
} from './values.mjs'

/** @typedef {fc.Arbitrary<string>} Text */

const body = index.map((i) => `body(${i})`)
const joint = index.map((i) => `joint(${i})`)
/** What joints, queries and potentials take for a body. */
export const end = fc.oneof(
  { arbitrary: body, weight: 12 },
  { arbitrary: fc.constant('null'), weight: 1 },
  { arbitrary: strange, weight: 1 },
)
/** Gains of constraints. */
export const gains = { alpha: size, beta: size, compliance: size }
const limits = fc.oneof(
  fc.tuple(ordinary, positive).map(([from, width]) => `[${from}, ${from} + ${width}]`),
  fc.tuple(number, number).map(([from, to]) => `[${from}, ${to}]`),
)
const spring = fc.oneof(
  object({ hertz: size }, { damping: size, rest: number }),
  object({ stiffness: size }, { dampingCoefficient: size }),
)
const motor = object(
  {},
  {
    ...{ targetVelocity: number, targetPosition: number, maxForce: size },
    ...{ hertz: size, damping: size },
  },
)
const drive = { limits, motor, spring, friction: size }
const placed = {
  ...{
    anchor: vector,
    collideConnected: flag,
    breakForce: size,
    breakTorque: size,
    userData: strange,
  },
}
const pair = { bodyA: end, bodyB: end }

/**
 * @param {string} type
 * @param {Record<string, Text>} always
 * @param {Record<string, Text>} [optional]
 */
const of = (type, always, optional = {}) =>
  object({ type: fc.constant(`'${type}'`), ...always }, { ...placed, ...optional })

const axisOfSix = fc.oneof(
  fc.constantFrom(`'locked'`, `'free'`, '[-0.5, 0.5]'),
  object({}, { lower: number, upper: number, motor, spring, friction: size }),
  strange,
)
const axes = fc.tuple(axisOfSix, axisOfSix, axisOfSix).map(([x, y, z]) => `[${x}, ${y}, ${z}]`)
const ballLimits = object({}, { cone: size, twist: limits })
const anchors = { anchorA: vector, anchorB: vector }
const ratio = { ratio: number }
const points = fc
  .array(vector, { minLength: 1, maxLength: 6 })
  .map((vectors) => `[${vectors.join(', ')}]`)
const alignment = words('none', 'tangent', 'frame')
const pose = {
  targetPosition: vector,
  targetOrientation: quaternion,
  maxForce: size,
  maxTorque: size,
}

/** Lines that make joints. */
export const createJoint = fc
  .oneof(
    of('fixed', { ...pair, anchor: vector }, gains),
    of('ball', { ...pair, ...anchors }, gains),
    of('ball', pair, { axis: vector, limits: ballLimits }),
    of('hinge', { ...pair, axis: vector }, { ...drive, ...gains }),
    of('slider', { ...pair, axis: vector }, { ...drive, ...gains }),
    of('distance', { ...pair, ...anchors }, drive),
    of('distance', pair, { length: size }),
    of('rope', pair, { length: size }),
    of('spring', pair, { spring, length: size, limits, hertz: size, damping: size }),
    of('universal', { ...pair, axisA: vector, axisB: vector }, gains),
    of('sixDof', pair, { linear: axes, angular: axes }),
    of(
      'pulley',
      { ...pair, groundAnchorA: vector, groundAnchorB: vector },
      { ...ratio, length: size },
    ),
    of('wheel', pair, { axis: vector, axle: vector, spring, limits, motor, steering: number }),
    of('path', { ...pair, points }, { ...drive, closed: flag, align: alignment }),
    of('motor', pair, { ...pose, hertz: size, damping: size }),
    object({ type: words('gear', 'rackAndPinion'), jointA: joint, jointB: joint }, ratio),
    object({ type: words('gear'), ...pair, axis: vector }, ratio),
  )
  .map((definition) => `createJoint(${definition})`)

const ask = fc
  .tuple(
    joint,
    fc.constantFrom(
      ...['coordinates', 'speeds', 'angle', 'translation', 'speed', 'error', 'reaction()'],
      ...['torque()', 'force()', 'driveForces(0)', 'drive(0)', 'violation()', 'limits'],
      'rows()',
      ...['angleAt(world.time)', 'angleAt(0)', 'path', 'pathPoint(1)', 'pathPoint(world.time)'],
    ),
  )
  .map(([one, name]) => `${one}.${name}`)
const orNone = (/** @type {Text} */ text) => mixed(text, fc.constant('null'))
/** Lines that change joints and read them. */
export const changeJoint = fc.oneof(
  { arbitrary: ask, weight: 8 },
  ...Object.entries({
    ...{ limits: orNone(limits), motor: orNone(motor), spring: orNone(spring), friction: size },
    ...{ length: size, ratio: number, steering: number, linear: axes, angular: axes },
    ...{ breakForce: size, breakTorque: size, collideConnected: flag },
  }).map(([name, value]) =>
    fc.tuple(joint, value).map(([one, text]) => `${one}.${name} = ${text}`),
  ),
  fc
    .tuple(joint, fc.nat({ max: 6 }), object({}, drive))
    .map(([one, i, text]) => `${one}.setDrive(${i}, ${text})`),
)
