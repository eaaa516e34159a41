/**
 * Pieces that several scenes are made of.
 */

/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */

/** Standard gravity of all scenes, m/s^2, along -y. */
export const GRAVITY = 9.81

/**
 * A cube of edge 1 m as a shape definition. Used again, it is built once: use one object per scene.
 *
 * @returns {{ type: 'box', halfExtents: [number, number, number] }}
 */
export const unitCube = () => ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })

/**
 * A floor 1 m thick whose top is the plane y = 0.
 *
 * @param {World} world
 * @param {{ halfWidth?: number, friction?: number, restitution?: number }} [options]
 * @returns {Body}
 */
export function addFloor(world, { halfWidth = 50, friction = 0.5, restitution = 0 } = {}) {
  return world.createBody({
    type: 'static',
    shape: { type: 'box', halfExtents: [halfWidth, 0.5, halfWidth] },
    position: [0, -0.5, 0],
    friction,
    restitution,
  })
}

/**
 * Sum of the normal impulses of all contacts of a body in the last step, N s.
 *
 * @param {Body} body
 * @param {Body} [other] only the contacts with this one
 * @returns {number}
 */
export function normalImpulse(body, other) {
  let sum = 0
  for (const contact of body.contacts()) {
    if (other && contact.other.id !== other.id) continue
    for (const point of contact.points) sum += point.normalImpulse
  }
  return sum
}
