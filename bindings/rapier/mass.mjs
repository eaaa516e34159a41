import { diagonal, placeInertial, together, turnTensor } from '../import/inertia.mjs'
import { quadruple, triple } from './vectors.mjs'

// The mass of a body whose colliders say more of it than a density.

/** @import { Inertial } from '../import/inertia.mjs' */
/** @import { Body } from '../index.mjs' */
/** @import { RapierCollider } from './collider.mjs' */
/** @import { MassProperties } from './collider-settings.mjs' */

/**
 * Gives a body the mass of its colliders, if some of them have mass properties of their own or none at all, or if the body has
 * some besides. Others have their densities, which the engine adds up.
 * @param {Body} raw
 * @param {readonly RapierCollider[]} colliders
 * @param {MassProperties} [additional] in the frame of the body
 */
export function weigh(raw, colliders, additional) {
  if (raw.type !== 'dynamic') return
  const isPlain = colliders.every((one) => one.massProperties === undefined && one.hasMass)
  if (isPlain && additional === undefined) return
  const parts = colliders.filter((one) => one.hasMass).map(inertialOf)
  if (additional !== undefined) parts.push(given(additional))
  const { mass, center, inertia } = together(parts)
  raw.mass = mass
  raw.centerOfMass = center
  raw.inertia = inertia
}

/** @param {RapierCollider} collider @returns {Inertial} in the frame of the body */
function inertialOf(collider) {
  const { massProperties, placement } = collider
  return placeInertial(massProperties ? given(massProperties) : ofShape(collider), placement)
}

/** @param {MassProperties} properties @returns {Inertial} in the frame that they are given in */
function given({ mass, centerOfMass, principalAngularInertia, angularInertiaLocalFrame }) {
  const principal = diagonal(...triple(principalAngularInertia))
  const inertia = turnTensor(principal, quadruple(angularInertiaLocalFrame))
  return { mass, center: triple(centerOfMass), inertia }
}

/** @param {RapierCollider} collider @returns {Inertial} in the frame of the collider */
function ofShape(collider) {
  const mass = collider.mass()
  return { mass, center: triple(collider.raw.centroid), inertia: [...collider.raw.inertia(mass)] }
}
