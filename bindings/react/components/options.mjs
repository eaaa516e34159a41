import { PAIR_HANDLERS, SLEEP_HANDLERS } from '../../rapier/index.mjs'

// Which props are physics, and which the object of a component has.

/** @import { ColliderSettings } from '../../rapier/collider-settings.mjs' */

/** @typedef {Readonly<Record<string, any>>} Props */

const SETTINGS = Object.freeze([
  ...['friction', 'frictionCombineRule', 'restitution', 'restitutionCombineRule'],
  ...['density', 'mass', 'massProperties'],
  ...['collisionGroups', 'solverGroups', 'sensor', 'contactSkin', 'activeCollisionTypes'],
])

const OF_BODIES = Object.freeze([
  ...['type', 'canSleep', 'linearDamping', 'angularDamping', 'linearVelocity', 'angularVelocity'],
  ...['gravityScale', 'dominanceGroup', 'ccd', 'softCcdPrediction', 'additionalSolverIterations'],
  ...['lockRotations', 'lockTranslations', 'enabledRotations', 'enabledTranslations'],
  ...['colliders', 'includeInvisible', 'gravity', 'instanceOf', 'shape', 'args', 'ref', 'children'],
  'principalAngularInertia',
])

const PHYSICAL = new Set([...SETTINGS, ...OF_BODIES, ...PAIR_HANDLERS, ...SLEEP_HANDLERS])

/**
 * What the object of three.js is to have: place, name, user data, pointer events and so on.
 * @param {Props} props
 * @returns {Record<string, unknown>}
 */
export function objectProps(props) {
  return Object.fromEntries(Object.entries(props).filter(([name]) => !PHYSICAL.has(name)))
}

/**
 * What a collider is made of. All of them have what their body says, but for its mass, which is that of all.
 * @param {Props} props
 * @returns {ColliderSettings}
 */
export const settingsOf = (props) => pick(props, SETTINGS)

/** @param {Props} props of a body @returns {ColliderSettings} for its colliders */
export const inheritedSettings = ({ mass: _mass, ...props }) => settingsOf(props)

/** @param {Props} props @returns {Record<string, Function | undefined>} */
export const handlersOf = (props) => pick(props, [...PAIR_HANDLERS, ...SLEEP_HANDLERS])

/**
 * @param {Props} props
 * @param {readonly string[]} names
 * @returns {Record<string, any>}
 */
function pick(props, names) {
  const given = names.filter((name) => props[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, props[name]]))
}
