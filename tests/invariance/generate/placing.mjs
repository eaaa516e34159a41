/**
 * From the frame of the floor to the world.
 */
import { dot, rotate } from '../../../scenarios/vector.mjs'
import { withChanged } from '../properties.mjs'
import { multiply, pointIn } from '../scene.mjs'

/** @import { Quaternion, Vector } from '../../../scenarios/vector.mjs' */
/** @import { WalkingCharacter } from '../character.mjs' */

/** @typedef {{ origin: Vector, orientation: Quaternion }} Frame */

/** @type {Vector} */
const NOWHERE = [0, 0, 0]

/** A frame about another place of it. @param {Frame} frame @param {Vector} place @returns {Frame} */
export const about = (frame, place) => ({ ...frame, origin: pointIn(frame, place) })

/** @param {any} of @param {(value: any) => any} change @param {readonly string[]} names @returns {any} */
const changed = (of, change, names) =>
  withChanged(of, Object.fromEntries(names.map((name) => [name, change])))

/** @param {Frame} frame @param {any} body */
export function placedBody(frame, { position, orientation = [0, 0, 0, 1], ...rest }) {
  const { linearVelocity = NOWHERE, angularVelocity = NOWHERE, ...others } = rest
  return {
    ...others,
    position: pointIn(frame, position),
    orientation: multiply(frame.orientation, orientation),
    linearVelocity: rotate(frame.orientation, linearVelocity),
    angularVelocity: rotate(frame.orientation, angularVelocity),
  }
}

/** What a joint has in the world's frame: always, and where its body A is the world. */
const POINTS = ['anchor', 'groundAnchorA', 'groundAnchorB']
const POINTS_OF_WORLD = [...POINTS, 'anchorA', 'targetPosition']
const DIRECTIONS = ['axis', 'axle']
const DIRECTIONS_OF_WORLD = [...DIRECTIONS, 'axisA']

/** @param {Frame} frame @param {any} joint */
export function placedJoint(frame, joint) {
  const isOfWorld = joint.bodyA === null
  const point = (/** @type {Vector} */ p) => pointIn(frame, p)
  const placed = changed(
    changed(joint, point, isOfWorld ? POINTS_OF_WORLD : POINTS),
    (direction) => rotate(frame.orientation, direction),
    isOfWorld ? DIRECTIONS_OF_WORLD : DIRECTIONS,
  )
  if (!isOfWorld) return placed
  return changed(
    changed(placed, (points) => points.map(point), ['points']),
    (orientation) => multiply(frame.orientation, orientation),
    ['targetOrientation'],
  )
}

/** A surface of water lies as the floor does. @param {Frame} frame @param {{ normal: Vector, offset: number }} surface */
function placedSurface(frame, { normal, offset }) {
  const turned = rotate(frame.orientation, normal)
  return { normal: turned, offset: offset + dot(turned, frame.origin) }
}

/** @param {Frame} frame @param {any} potential */
export function placedPotential(frame, potential) {
  const points = changed(potential, (point) => pointIn(frame, point), ['center', 'anchorB'])
  const directions = ['gravity', 'field', 'velocity']
  const placed = changed(points, (v) => rotate(frame.orientation, v), directions)
  return changed(placed, (surface) => placedSurface(frame, surface), ['surface'])
}

/** @param {Frame} frame @param {WalkingCharacter} character @returns {WalkingCharacter} */
export const placedCharacter = (frame, character) => ({
  ...character,
  position: pointIn(frame, character.position),
  velocity: rotate(frame.orientation, character.velocity),
})
