import { applyOptions } from './body-options.mjs'
import { RapierCollider } from './collider.mjs'
import { ColliderDesc, RigidBodyDesc } from './descriptors.mjs'
import { RapierRigidBody } from './rigid-body.mjs'
import { triple } from './vectors.mjs'

// Bodies and colliders that are made by hand, and not by components.

/** @import { RapierWorld } from './world.mjs' */

/**
 * @param {RapierWorld} world
 * @param {RigidBodyDesc} desc
 * @returns {RapierRigidBody}
 */
export function makeBody(world, desc) {
  check(desc, RigidBodyDesc, 'createRigidBody: desc must be a rapier.RigidBodyDesc')
  const { props, pose, isAsleep, isEnabled, additionalProperties } = desc
  const body = new RapierRigidBody(world)
  body.userData = desc.userData
  body.setBodyType(props.type)
  body.enter(pose)
  applyOptions(body, props, {})
  if (props.additionalMass > 0) body.setAdditionalMass(props.additionalMass)
  if (additionalProperties) body.addMassProperties(additionalProperties)
  if (!isEnabled) body.setEnabled(false)
  if (isAsleep) body.sleep()
  return body
}

/**
 * @param {RapierWorld} world
 * @param {ColliderDesc} desc
 * @param {RapierRigidBody | null} [parent] without one it belongs to the ground, and can be put elsewhere
 * @returns {RapierCollider}
 */
export function makeCollider(world, desc, parent) {
  check(desc, ColliderDesc, 'createCollider: desc must be a rapier.ColliderDesc')
  const { kind, args, pose, settings, more } = desc
  const collider = new RapierCollider(world, kind, args)
  collider.setLayer(1, settings)
  collider.setActiveHooks(more.hooks)
  collider.setActiveEvents(more.events)
  collider.setContactForceEventThreshold(more.forceThreshold)
  collider.setEnabled(more.isEnabled)
  if (parent) {
    check(parent, RapierRigidBody, 'createCollider: parent must be a rigid body of this world')
    collider.placement = { ...pose, scale: triple(1) }
    // It is Moreau that wakes a body whose shapes are others.
    const slept = parent.isSleeping()
    collider.enter(parent)
    if (slept) parent.sleep()
  } else {
    standAlone(world, collider, pose)
  }
  return collider
}

/**
 * Without a body a collider has a fixed one of its own.
 * @param {RapierWorld} world
 * @param {RapierCollider} collider
 * @param {import('./rigid-body.mjs').Pose} pose
 * @returns {RapierRigidBody}
 */
export function standAlone(world, collider, pose) {
  const ground = new RapierRigidBody(world)
  world.hide(ground)
  ground.setBodyType('fixed')
  collider.enter(ground)
  ground.enter(pose)
  return ground
}

/** @param {RapierRigidBody} body with its colliders and joints */
export function dropBody(body) {
  for (const collider of [...body.colliders]) collider.leave()
  body.leave()
}

/** @param {RapierCollider} collider */
export function dropCollider(collider) {
  const isAlone = collider.parent() === null
  const { body } = collider
  collider.leave()
  if (isAlone) body?.leave()
}

/** @param {unknown} value @param {Function} type @param {string} must */
function check(value, type, must) {
  if (!(value instanceof type)) throw new TypeError(`${must}, got ${value}`)
}
