import { Matrix3, Matrix4, Quaternion, Vector3 } from 'three'
import { quadruple, triple } from './vectors.mjs'

// The mass of a body whose colliders say more of it than a density.

/** @import { Body } from '../index.mjs' */
/** @import { RapierCollider } from './collider.mjs' */
/** @import { MassProperties } from './collider-settings.mjs' */

/**
 * kg, the centre in the frame of the body, and the inertia about it along the axes of the body, kg m².
 * @typedef {{ mass: number, center: Vector3, inertia: Matrix3 }} Solid
 */

/**
 * Gives a body the mass of its colliders, if some of them have mass properties of their own or none at all. Others have
 * their densities, which the engine adds up.
 * @param {Body} raw
 * @param {readonly RapierCollider[]} colliders
 */
export function weigh(raw, colliders) {
  if (raw.type !== 'dynamic') return
  if (colliders.every((one) => one.massProperties === undefined && one.hasMass)) return
  const solids = colliders.filter((one) => one.hasMass).map(solidOf)
  const mass = solids.reduce((sum, solid) => sum + solid.mass, 0)
  const center = new Vector3()
  for (const solid of solids) center.addScaledVector(solid.center, solid.mass / mass)
  const inertia = solids.map((solid) => about(center, solid)).reduce(add)
  raw.mass = mass
  raw.centerOfMass = center
  raw.inertia = inertia.toArray()
}

/** @param {RapierCollider} collider @returns {Solid} in the frame of the body */
function solidOf(collider) {
  const { massProperties, placement } = collider
  const turn = new Quaternion(...placement.orientation)
  const { mass, center, inertia } = massProperties ? given(massProperties) : ofShape(collider)
  const origin = new Vector3(...placement.position)
  return { mass, center: center.applyQuaternion(turn).add(origin), inertia: turned(inertia, turn) }
}

/** @param {MassProperties} properties @returns {Solid} in the frame of the collider */
function given({ mass, centerOfMass, principalAngularInertia, angularInertiaLocalFrame }) {
  const [x, y, z] = triple(principalAngularInertia)
  const turn = new Quaternion(...quadruple(angularInertiaLocalFrame))
  const inertia = turned(new Matrix3(x, 0, 0, 0, y, 0, 0, 0, z), turn)
  return { mass, center: new Vector3(...triple(centerOfMass)), inertia }
}

/** @param {RapierCollider} collider @returns {Solid} in the frame of the collider */
function ofShape(collider) {
  const mass = collider.mass()
  const center = new Vector3(...collider.raw.centroid)
  return { mass, center, inertia: new Matrix3().fromArray(collider.raw.inertia(mass)) }
}

/** R I Rᵀ @param {Matrix3} inertia @param {Quaternion} turn */
function turned(inertia, turn) {
  const rotation = new Matrix3().setFromMatrix4(new Matrix4().makeRotationFromQuaternion(turn))
  return rotation.clone().multiply(inertia).multiply(rotation.transpose())
}

/**
 * The inertia about another point, by the theorem of Huygens and Steiner.
 * @param {Vector3} point
 * @param {Solid} solid
 */
function about(point, { mass, center, inertia }) {
  const { x, y, z } = center.clone().sub(point)
  const square = x * x + y * y + z * z
  const shift = new Matrix3(
    ...[square - x * x, -x * y, -x * z],
    ...[-x * y, square - y * y, -y * z],
    ...[-x * z, -y * z, square - z * z],
  )
  return add(inertia, shift.multiplyScalar(mass))
}

/** @param {Matrix3} a @param {Matrix3} b */
function add(a, b) {
  return new Matrix3().fromArray(a.elements.map((x, i) => x + b.elements[i]))
}
