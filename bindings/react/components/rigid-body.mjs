import { createElement, memo, useImperativeHandle, useLayoutEffect } from 'react'
import { useRef, useState } from 'react'
import { useMounted } from '../hooks/mounted.mjs'
import { BodyHost } from './body-host.mjs'
import { bodyContext, useRapier } from './context.mjs'
import { objectProps } from './options.mjs'
import { useMoves } from './moves.mjs'

/** @import { Object3D } from 'three' */
/** @import { RigidBodyProps } from './types.mjs' */

/**
 * A body that is simulated, and moves the objects within. Meshes get colliders by `colliders`, those of
 * `Physics` by default.
 * @type {import('react').NamedExoticComponent<RigidBodyProps>}
 */
export const RigidBody = memo((props) => {
  const { simulation, physicsOptions } = useRapier()
  const [host] = useState(() => new BodyHost(simulation))
  const object = useRef(/** @type {Object3D | null} */ (null))
  const group = props.instanceOf?.group

  useLayoutEffect(() => host.update({ colliders: physicsOptions.colliders, ...given(props) }))
  useMounted(
    () => {
      group?.add(host)
      host.enter(/** @type {Object3D} */ (object.current))
    },
    () => {
      group?.remove(host)
      host.leave()
    },
  )
  useMoves(props, () => host.moveToObject())
  useLayoutEffect(() => {
    if (group !== undefined) group.bodies[props.instanceOf.index] = host.body
  })
  useImperativeHandle(props.ref, () => host.body, [host])

  return createElement(
    bodyContext.Provider,
    { value: host },
    createElement('object3D', { ...objectProps(props), ref: object }, props.children),
  )
})
RigidBody.displayName = 'RigidBody'

/** A prop that is undefined is not there. @param {Readonly<Record<string, any>>} props */
function given(props) {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined))
}
