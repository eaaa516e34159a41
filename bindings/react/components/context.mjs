import { createContext, useContext } from 'react'

/** @import { RapierRigidBody } from '../../rapier/rigid-body.mjs' */
/** @import { PhysicsContext } from './physics.mjs' */
/** @import { BodyHost } from './body-host.mjs' */

/** @internal */
export const physicsContext = createContext(/** @type {PhysicsContext | undefined} */ (undefined))

/** @internal The RigidBody that a collider is within. */
export const bodyContext = createContext(/** @type {BodyHost | undefined} */ (undefined))

/**
 * The world and what goes with it.
 * @returns {PhysicsContext}
 * @throws {Error} outside of `Physics`
 */
export function useRapier() {
  const context = useContext(physicsContext)
  if (context === undefined) {
    throw new Error('moreau/react: useRapier must be used within <Physics />')
  }
  return context
}
