import { createElement, memo, useContext, useLayoutEffect } from 'react'
import { useRef, useState } from 'react'
import { useMounted } from '../hooks/mounted.mjs'
import { bodyContext, useRapier } from './context.mjs'
import { MeshColliderHost } from './mesh-collider-host.mjs'

/** @import { ReactNode } from 'react' */
/** @import { Object3D } from 'three' */
/** @import { AutoCollider } from './auto-colliders.mjs' */

/** @typedef {{ type: AutoCollider, children: ReactNode }} MeshColliderProps */

/**
 * Meshes of a RigidBody that have colliders of another kind than its other ones.
 * @type {import('react').NamedExoticComponent<MeshColliderProps>}
 */
export const MeshCollider = memo(({ type, children }) => {
  const { world } = useRapier()
  const body = useContext(bodyContext)
  if (body === undefined) throw new Error('moreau/react: MeshCollider must be in a RigidBody')
  const [host] = useState(() => new MeshColliderHost(world, body))
  const object = useRef(/** @type {Object3D | null} */ (null))

  useLayoutEffect(() => host.update(type), [type])
  useMounted(
    () => host.enter(/** @type {Object3D} */ (object.current)),
    () => host.leave(),
  )
  return createElement('object3D', { ref: object }, children)
})
MeshCollider.displayName = 'MeshCollider'
