/** @import { QuaternionInput, VectorInput } from './vectors.mjs' */

/**
 * @typedef {object} MassProperties
 * @property {number} mass kg
 * @property {VectorInput} centerOfMass in the frame of the collider
 * @property {VectorInput} principalAngularInertia kg m²
 * @property {QuaternionInput} angularInertiaLocalFrame
 */

/**
 * What a collider is made of beside its shape; undefined: as Rapier has it.
 * @typedef {object} ColliderSettings
 * @property {number} [friction] 0.5
 * @property {number} [frictionCombineRule] average
 * @property {number} [restitution] 0
 * @property {number} [restitutionCombineRule] average
 * @property {number} [density] kg/m³, 1
 * @property {number} [mass] kg, instead
 * @property {MassProperties} [massProperties] instead
 * @property {number} [collisionGroups]
 * @property {number} [solverGroups]
 * @property {boolean} [sensor]
 * @property {number} [contactSkin] metres
 * @property {number} [activeCollisionTypes]
 */

/**
 * What is given later counts, and of density, mass and mass properties those that come together.
 * @param {readonly ColliderSettings[]} layers
 * @returns {ColliderSettings}
 */
export function merge(layers) {
  /** @type {ColliderSettings} */
  const all = {}
  for (const layer of layers) {
    const given = Object.fromEntries(
      Object.entries(layer).filter(([, value]) => value !== undefined),
    )
    const names = ['density', 'mass', 'massProperties'].filter((name) => name in given)
    if (names.length > 1) {
      throw new TypeError(
        `Collider: give only one of density, mass and massProperties, got ${names}`,
      )
    }
    if (names.length > 0) all.density = all.mass = all.massProperties = undefined
    Object.assign(all, given)
  }
  return all
}
