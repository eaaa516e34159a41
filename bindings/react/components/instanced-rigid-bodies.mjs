import { createElement, Fragment, memo, useImperativeHandle, useLayoutEffect } from 'react'
import { useRef, useState } from 'react'
import { useMounted } from '../hooks/mounted.mjs'
import { useRapier } from './context.mjs'
import { InstanceGroup } from './instance-group.mjs'
import { objectProps } from './options.mjs'
import { RigidBody } from './rigid-body.mjs'

/** @import { Object3D } from 'three' */
/** @import { InstancedRigidBodiesProps } from './types.mjs' */

/** Props that place what is around all instances, and not each of them. */
const OF_WRAPPER = Object.freeze(['position', 'rotation', 'quaternion', 'scale'])
const OWN = Object.freeze(['children', 'instances', 'colliderNodes', 'ref'])

/**
 * A body for each instance of the InstancedMesh that is the only child. Instances may come and go by their keys.
 * @type {import('react').NamedExoticComponent<InstancedRigidBodiesProps>}
 */
export const InstancedRigidBodies = memo((props) => {
  const { children, instances = [], colliderNodes = [], ref } = props
  const { physicsOptions } = useRapier()
  const [group] = useState(() => new InstanceGroup())
  const wrapper = useRef(/** @type {Object3D | null} */ (null))
  const options = { ...physicsOptions, ...props }
  const { colliders } = options

  useMounted(
    () => group.enter(/** @type {Object3D} */ (wrapper.current), options),
    () => group.leave(),
  )
  useLayoutEffect(() => group.findMeshes(options), [colliders])
  useLayoutEffect(() => group.resize(instances.length))
  useImperativeHandle(ref, () => group.bodies, [group])

  const nodes = colliderNodes.map((node, i) => createElement(Fragment, { key: i }, node))
  const common = without(props, [...OF_WRAPPER, ...OWN])
  const bodies = instances.map(({ key, ...instance }, index) =>
    createElement(RigidBody, { ...common, ...instance, key, instanceOf: { group, index } }, nodes),
  )
  const placed = without(objectProps(props), OWN)
  const meshes = createElement('object3D', { ref: wrapper }, children)
  return createElement('object3D', placed, meshes, bodies)
})
InstancedRigidBodies.displayName = 'InstancedRigidBodies'

/** @param {Readonly<Record<string, any>>} props @param {readonly string[]} names */
function without(props, names) {
  return Object.fromEntries(Object.entries(props).filter(([name]) => !names.includes(name)))
}
