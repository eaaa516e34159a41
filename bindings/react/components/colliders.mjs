import { createElement, memo, useContext, useImperativeHandle, useLayoutEffect } from 'react'
import { useRef, useState } from 'react'
import { useMounted } from '../hooks/mounted.mjs'
import { ColliderHost } from './collider-host.mjs'
import { bodyContext, useRapier } from './context.mjs'
import { useMoves } from './moves.mjs'
import { objectProps } from './options.mjs'

/** @import { NamedExoticComponent } from 'react' */
/** @import { Object3D } from 'three' */
/** @import { ColliderKind } from '../../rapier/shapes.mjs' */
/** @import { AnyColliderProps, ColliderProps } from './types.mjs' */

/**
 * A shape of the RigidBody that it is within, or of the ground.
 * @type {NamedExoticComponent<AnyColliderProps>}
 */
export const AnyCollider = memo((props) => {
  const { world } = useRapier()
  const body = useContext(bodyContext)
  const [host] = useState(() => new ColliderHost(world, props))
  const object = useRef(/** @type {Object3D | null} */ (null))

  useLayoutEffect(() => host.update(props))
  useMounted(
    () => host.enter(/** @type {Object3D} */ (object.current), body),
    () => host.leave(),
  )
  useMoves(props, () => host.moveToObject())
  useImperativeHandle(props.ref, () => host.collider, [host])

  return createElement('object3D', { ...objectProps(props), ref: object }, props.children)
})
AnyCollider.displayName = 'AnyCollider'

/**
 * @template {readonly unknown[]} Args
 * @param {ColliderKind} shape
 * @param {string} displayName
 * @returns {import('react').FunctionComponent<ColliderProps<Args>>}
 */
function colliderOf(shape, displayName) {
  /** @param {ColliderProps<Args>} props */
  const Collider = (props) => createElement(AnyCollider, { ...props, shape })
  return Object.assign(Collider, { displayName })
}

/** @import { BallArgs, CuboidArgs, HeightfieldArgs, HullArgs, RoundArgs, RoundBorderArgs, RoundCuboidArgs, TrimeshArgs } from './types.mjs' */

/** `args`: half of each edge. */
export const CuboidCollider = /** @type {typeof colliderOf<CuboidArgs>} */ (colliderOf)(
  'cuboid',
  'CuboidCollider',
)
/** `args`: half of each edge, and how far the rounding goes beyond them. */
export const RoundCuboidCollider = /** @type {typeof colliderOf<RoundCuboidArgs>} */ (colliderOf)(
  'roundCuboid',
  'RoundCuboidCollider',
)
/** `args`: radius. */
export const BallCollider = /** @type {typeof colliderOf<BallArgs>} */ (colliderOf)(
  'ball',
  'BallCollider',
)
/** `args`: half of the straight part, radius. */
export const CapsuleCollider = /** @type {typeof colliderOf<RoundArgs>} */ (colliderOf)(
  'capsule',
  'CapsuleCollider',
)
/** `args`: half of the height, radius. */
export const CylinderCollider = /** @type {typeof colliderOf<RoundArgs>} */ (colliderOf)(
  'cylinder',
  'CylinderCollider',
)
/** `args`: half of the height, radius, and how far the rounding goes beyond them. */
export const RoundCylinderCollider = /** @type {typeof colliderOf<RoundBorderArgs>} */ (colliderOf)(
  'roundCylinder',
  'RoundCylinderCollider',
)
/** `args`: half of the height, radius of the base. */
export const ConeCollider = /** @type {typeof colliderOf<RoundArgs>} */ (colliderOf)(
  'cone',
  'ConeCollider',
)
/** `args`: half of the height, radius of the base, and how far the rounding goes beyond them. */
export const RoundConeCollider = /** @type {typeof colliderOf<RoundBorderArgs>} */ (colliderOf)(
  'roundCone',
  'RoundConeCollider',
)
/** `args`: x y z of points, whose convex hull it is. */
export const ConvexHullCollider = /** @type {typeof colliderOf<HullArgs>} */ (colliderOf)(
  'convexHull',
  'ConvexHullCollider',
)
/** `args`: x y z of vertices, three indices of each triangle. Of a dynamic body the hull is taken. */
export const TrimeshCollider = /** @type {typeof colliderOf<TrimeshArgs>} */ (colliderOf)(
  'trimesh',
  'TrimeshCollider',
)
/** `args`: cells along z and along x, heights by columns, and the size of all. */
export const HeightfieldCollider = /** @type {typeof colliderOf<HeightfieldArgs>} */ (colliderOf)(
  'heightfield',
  'HeightfieldCollider',
)
