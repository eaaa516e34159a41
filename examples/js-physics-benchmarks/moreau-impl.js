/**
 * Moreau for github.com/isaac-mason/js-physics-benchmarks: the functions that the site asks of an engine. README.md says where
 * the file goes. Handles are Moreau's own objects, of which there is one per body, so they may be keys of a Map.
 */
import { CONTACT_EVENT_LAYOUT, createShape as makeShape, init as load, World } from 'moreau'

/** @typedef {import('moreau').Body} Body */
/** @typedef {import('moreau').Shape} Shape */
/** @typedef {[number, number, number]} Vec3 */
/** @typedef {[number, number, number, number]} Quat x y z w */

/**
 * The shapes of the site, by its numbers: box, sphere, convex hull, triangle mesh.
 *
 * @typedef {{ type: 0, halfExtents: Vec3, convexRadius?: number }
 *   | { type: 1, radius: number }
 *   | { type: 2, points: number[] }
 *   | { type: 3, positions: Float32Array, indices: Uint32Array }} PhysicsShape
 */

/**
 * @typedef {object} RigidBodyOptions
 * @property {0 | 1 | 2} motionType static, dynamic, kinematic
 * @property {Vec3} position m
 * @property {Quat} [quaternion]
 * @property {number} [mass] kg; default: by a density of 1000 kg/m³
 * @property {number} [friction]
 * @property {number} [restitution]
 */

/** @typedef {{ hit: boolean, fraction: number }} RaycastResult */
/** @typedef {(bodyA: Body, bodyB: Body) => void} ContactListener */

/**
 * @typedef {object} State
 * @property {World} world
 * @property {ContactListener | null} onContact
 * @property {Float64Array} events where those of a step are read to
 */

/** Contact events for which there is room at first. */
const FIRST_EVENTS = 1024
/** The bit of a contact event that says that two shapes begin to touch. */
const BEGIN = 1

const BODY_TYPES = /** @type {const} */ (['static', 'dynamic', 'kinematic'])

/** @returns {Promise<void>} when worlds can be made */
export async function init() {
  await load()
}

// --- worlds -----------------------------------------------------------------------------------

/** @returns {State} */
export function createWorld() {
  const events = new Float64Array(FIRST_EVENTS * CONTACT_EVENT_LAYOUT.stride)
  return { world: new World({ gravity: [0, -9.81, 0] }), onContact: null, events }
}

/** @param {State} state */
export function disposeWorld({ world }) {
  world.free()
}

/**
 * @param {State} state
 * @param {number} x m/s²
 * @param {number} y
 * @param {number} z
 */
export function setGravity({ world }, x, y, z) {
  world.gravity = [x, y, z]
}

/**
 * @param {State} state
 * @param {number} dt s
 */
export function stepSimulation(state, dt) {
  state.world.step(dt)
  if (state.onContact) tellOfContacts(state, state.onContact)
}

// --- contacts ---------------------------------------------------------------------------------

/**
 * @param {State} state
 * @param {ContactListener} onContact called after a step for every two shapes that began to touch in it
 */
export function onContactAdded(state, onContact) {
  state.onContact = onContact
}

/** @param {State} state */
export function disposeContactListener(state) {
  state.onContact = null
}

/**
 * @param {State} state
 * @param {ContactListener} onContact
 */
function tellOfContacts(state, onContact) {
  const { world } = state
  const { stride, types, idA, idB } = CONTACT_EVENT_LAYOUT
  const count = world.readContactEvents(state.events)
  if (count * stride > state.events.length) {
    state.events = new Float64Array(2 * count * stride)
    world.readContactEvents(state.events)
  }
  const { events } = state
  for (let at = 0; at < count * stride; at += stride) {
    if ((events[at + types] & BEGIN) === 0) continue
    const bodyA = world.bodyById(events[at + idA])
    const bodyB = world.bodyById(events[at + idB])
    // A listener may have removed one of them meanwhile.
    if (bodyA && bodyB) onContact(bodyA, bodyB)
  }
}

// --- shapes -----------------------------------------------------------------------------------

/**
 * @param {State} _state
 * @param {PhysicsShape} description
 * @returns {Shape}
 */
export function createShape(_state, description) {
  switch (description.type) {
    case 0:
      // A convex radius is what other engines need for speed; the box keeps its size and its edges.
      return makeShape({ type: 'box', halfExtents: description.halfExtents })
    case 1:
      return makeShape({ type: 'sphere', radius: description.radius })
    case 2:
      return makeShape({ type: 'hull', points: description.points })
    case 3: {
      const { positions, indices } = description
      return makeShape({ type: 'mesh', vertices: positions, indices })
    }
  }
}

/**
 * @param {State} _state
 * @param {Shape} shape
 */
export function destroyShape(_state, shape) {
  shape.free()
}

// --- bodies -----------------------------------------------------------------------------------

/**
 * @param {State} state
 * @param {RigidBodyOptions} options
 * @param {Shape} shape
 * @returns {Body}
 */
export function createRigidBody({ world }, options, shape) {
  const { motionType, position, quaternion, mass, friction, restitution } = options
  const type = BODY_TYPES[motionType]
  return world.createBody({
    ...{ type, shape, position, orientation: quaternion, friction, restitution },
    mass: type === 'dynamic' ? mass : undefined,
  })
}

/**
 * @param {State} _state
 * @param {Body} body
 */
export function removeRigidBody(_state, body) {
  body.destroy()
}

/**
 * @param {Vec3} out
 * @param {State} _state
 * @param {Body} body
 */
export function getBodyPosition(out, _state, body) {
  body.readPosition(out)
}

/**
 * @param {Quat} out
 * @param {State} _state
 * @param {Body} body
 */
export function getBodyQuaternion(out, _state, body) {
  body.readOrientation(out)
}

/**
 * @param {State} _state
 * @param {Body} body
 * @param {Vec3} position
 */
export function setBodyPosition(_state, body, position) {
  body.position = position
}

/**
 * @param {State} _state
 * @param {Body} body
 * @param {Quat} quaternion
 */
export function setBodyQuaternion(_state, body, quaternion) {
  body.orientation = quaternion
}

/**
 * @param {State} _state
 * @param {Body} body
 * @param {Vec3} position
 * @param {Quat} quaternion
 */
export function setBodyTranslationRotation(_state, body, position, quaternion) {
  body.teleport({ position, orientation: quaternion })
}

/**
 * @param {State} _state
 * @param {Body} body
 * @param {Vec3} velocity m/s
 */
export function setBodyLinearVelocity(_state, body, velocity) {
  body.linearVelocity = velocity
}

/**
 * @param {Vec3} out
 * @param {State} _state
 * @param {Body} body
 */
export function getBodyLinearVelocity(out, _state, body) {
  body.readLinearVelocity(out)
}

// --- rays -------------------------------------------------------------------------------------

/** Used again by every ray, so that none makes garbage. */
const ray = {
  hit: { position: [0, 0, 0], normal: [0, 0, 0] },
  options: { maxDistance: 0 },
}

/**
 * @param {RaycastResult} out `fraction`: of `maxDistance`, 0 where nothing is met
 * @param {State} state
 * @param {Vec3} origin
 * @param {Vec3} direction unit
 * @param {number} maxDistance m
 */
export function raycastClosest(out, { world }, origin, direction, maxDistance) {
  ray.options.maxDistance = maxDistance
  const hit = world.readRayCast(ray.hit, origin, direction, ray.options)
  out.hit = hit !== null
  out.fraction = hit === null ? 0 : hit.distance / maxDistance
}
