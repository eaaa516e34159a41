import { distance } from './collide.mjs'

// Advice of bodies in a joint that pass through each other: see types/advice.mjs.

/** @import { Body } from './body.mjs' */
/** @import { Joint } from './joint.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/** Metres: stands for a point. */
const POINT = /** @type {const} */ ({ type: 'sphere', radius: 1e-6 })
/** Joints that one look is for, so that it costs little in a world of thousands. */
const JOINTS_PER_LOOK = 16

/**
 * Watches a joint that was made, if its bodies are apart: those that overlap from the start, as the parts of
 * a figure do, are meant to.
 * @param {WorldCore} core
 * @param {Joint} joint
 */
export function watchJoint(core, joint) {
  if (!core.warner.wants('pass-through') || joint.collideConnected) return
  const { bodyA, bodyB } = joint
  if (bodyA === null || bodyB === null || !mayMeet(bodyA, bodyB) || overlap(bodyA, bodyB)) return
  core.jointsApart.add(joint)
}

/**
 * Looks at some of these joints, and at others the next time.
 * @param {WorldCore} core
 */
export function adviseJointed(core) {
  const { warner, jointsApart } = core
  const some = [...take(jointsApart, JOINTS_PER_LOOK)]
  for (const joint of some) {
    jointsApart.delete(joint)
    if (!joint.isAlive || joint.collideConnected) continue
    const bodies = /** @type {[Body, Body]} */ ([joint.bodyA, joint.bodyB])
    if (isDeep(...bodies)) return tell(core, bodies)
    if (warner.wants('pass-through')) jointsApart.add(joint)
  }
}

/**
 * @template T
 * @param {Set<T>} items
 * @param {number} most
 */
function* take(items, most) {
  for (const item of items) {
    if (most-- === 0) return
    yield item
  }
}

/**
 * @param {WorldCore} core
 * @param {[Body, Body]} bodies
 */
function tell({ warner, jointsApart }, [a, b]) {
  jointsApart.clear()
  const text = `bodies ${a.id} and ${b.id} overlap: a joint holds them, and so they do not collide. Its collideConnected: true lets them`
  warner.tell('pass-through', text)
}

/**
 * @param {Body} a
 * @param {Body} b
 */
function mayMeet({ filter: a, sensor: sensorA }, { filter: b, sensor: sensorB }) {
  if (sensorA || sensorB) return false
  if (a.group === b.group && a.group !== 0) return a.group > 0
  return (a.category & b.mask) !== 0 && (b.category & a.mask) !== 0
}

/**
 * @param {Body} a
 * @param {Body} b
 */
function overlap(a, b) {
  const [{ min: lowA, max: highA }, { min: lowB, max: highB }] = [a.bounds, b.bounds]
  for (let i = 0; i < 3; i++) if (lowA[i] > highB[i] || lowB[i] > highA[i]) return false
  return a.shapes.some((one) => b.shapes.some((other) => distance(one, a, other, b).distance === 0))
}

/**
 * Whether the centre of one is inside of the other: limbs that bend overlap at their joint, and may.
 * @param {Body} a
 * @param {Body} b
 */
const isDeep = (a, b) => isInside(a, b) || isInside(b, a)

/**
 * @param {Body} inner
 * @param {Body} outer
 */
function isInside({ worldCenterOfMass: position }, outer) {
  return outer.shapes.some((shape) => distance(POINT, { position }, shape, outer).distance === 0)
}
