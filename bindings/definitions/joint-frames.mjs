import { invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { toVector } from '../core/vectors.mjs'
import { sineBetween } from './directions.mjs'

// Where a joint holds its bodies: anchors and axes.

/** @import { Body } from '../objects/body.mjs' */
/** @import { JointType, Vector } from '../types/index.mjs' */

export const HAS_AXES = new Set(['hinge', 'slider', 'ball', 'universal', 'wheel'])
/** Types whose anchors are two points, which default to the centres of mass. */
const TWO_POINTS = new Set(['distance', 'rope', 'spring', 'pulley'])
/** Types of which any point will do, or the centre of B. */
const ANY_POINT = new Set(['fixed', 'slider', 'sixDof', 'wheel'])
/** Of what has neither anchors nor axes. @type {Vector} */
export const ORIGIN = [0, 0, 0]
/** The least sine of the angle between a wheel's axis and its axle, as in the engine. */
const LEAST_ACROSS = 1e-6
/** @type {Vector} */
export const SOME_AXIS = [1, 0, 0]

/**
 * Anchors or axes of both sides, and whether they are in the world's frame.
 * @typedef {{ isWorld: boolean, a: Readonly<Vector>, b: Readonly<Vector> }} Pair
 */

/**
 * @param {Record<string, unknown>} definition
 * @param {JointType | 'unitQuaternion'} type
 * @param {Body | null} bodyA
 * @param {Body | null} bodyB
 * @param {string} where
 * @returns {Pair}
 */
export function readAnchors(definition, type, bodyA, bodyB, where) {
  const { anchor, anchorA, anchorB } = definition
  if (anchor !== undefined) {
    if (
      anchorA !== undefined ||
      anchorB !== undefined ||
      (type !== 'path' && TWO_POINTS.has(type))
    ) {
      const message = `${where}: anchor is one point for both; give anchorA and anchorB here`
      throw new MoreauError('invalid-argument', message)
    }
    const point = toVector(anchor, `${where}: anchor`)
    return { isWorld: true, a: point, b: point }
  }
  const drivesPose = type === 'motor' && definition.targetPosition !== undefined
  const isFree = ANY_POINT.has(type) || (type === 'motor' && !drivesPose)
  if (type === 'unitQuaternion') return { isWorld: false, a: ORIGIN, b: ORIGIN }
  if (type === 'path') {
    return { isWorld: false, a: ORIGIN, b: readAnchor(anchorB, bodyB, `${where}: anchorB`) }
  }
  if (isFree && anchorA === undefined && anchorB === undefined) {
    const point = (bodyB ?? bodyA)?.worldCenterOfMass ?? [0, 0, 0]
    return { isWorld: true, a: point, b: point }
  }
  if (drivesPose && anchorA === undefined && anchorB === undefined) {
    // Then the target is the position of B in the frame of A.
    return { isWorld: false, a: ORIGIN, b: ORIGIN }
  }
  const center = TWO_POINTS.has(type)
  return {
    isWorld: false,
    a: readAnchor(anchorA, center ? bodyA : null, `${where}: anchorA`, !center),
    b: readAnchor(anchorB, center ? bodyB : null, `${where}: anchorB`, !center),
  }
}

/**
 * @param {unknown} value
 * @param {Body | null} body whose centre of mass is the default; null: there is none
 * @param {string} path
 * @param {boolean} [hasOther] one `anchor` for both bodies would do as well
 * @returns {Readonly<Vector>}
 */
function readAnchor(value, body, path, hasOther = false) {
  if (value === undefined && body !== null) return body.centerOfMass
  if (value === undefined) {
    const other = hasOther ? '; or give anchor, one point in the world for both' : ''
    throw new MoreauError('invalid-argument', `${path} is missing${other}`)
  }
  return toVector(value, path)
}

/**
 * @param {Record<string, unknown>} definition
 * @param {JointType | 'unitQuaternion'} type
 * @param {string} where
 * @returns {Pair}
 */
export function readAxes(definition, type, where) {
  const { axis, axisA, axisB } = definition
  if (type === 'wheel' && axis !== undefined && axisA === undefined && axisB === undefined) {
    const [a, b] = [readAxis(axis, `${where}: axis`), readAxis(definition.axle, `${where}: axle`)]
    // The engine sees it too, but not by the name `axle`.
    if (!(sineBetween(a, b) > LEAST_ACROSS))
      throw invalid(`${where}: axle`, 'not parallel to axis', definition.axle)
    return { isWorld: true, a, b }
  }
  if (definition.axle !== undefined) {
    const message = `${where}: give either axis and axle (world) or axisA and axisB (body frames)`
    throw new MoreauError('invalid-argument', message)
  }
  const isFree =
    type === 'ball' && definition.limits === undefined && definition.drives === undefined
  const isGiven = axis !== undefined || axisA !== undefined || axisB !== undefined
  if (!HAS_AXES.has(type) || (isFree && !isGiven)) {
    return { isWorld: false, a: SOME_AXIS, b: SOME_AXIS }
  }
  if (axis === undefined && axisA !== undefined && axisB !== undefined) {
    return {
      isWorld: false,
      a: readAxis(axisA, `${where}: axisA`),
      b: readAxis(axisB, `${where}: axisB`),
    }
  }
  if (axisA !== undefined || axisB !== undefined) {
    const message = `${where}: give either axis (world) or both axisA and axisB (body frames)`
    throw new MoreauError('invalid-argument', message)
  }
  const both = readAxis(axis, `${where}: axis`)
  return { isWorld: true, a: both, b: both }
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {Vector}
 */
export function readAxis(value, path) {
  const axis = toVector(value, path)
  const size = Math.max(...axis.map(Math.abs))
  // Any length will do: those whose square would overflow, or vanish, are brought near to 1.
  if (size > 0)
    return size > 1e-100 && size < 1e100
      ? axis
      : /** @type {Vector} */ (axis.map((one) => one / size))
  throw invalid(path, 'a direction, not zero', value)
}
