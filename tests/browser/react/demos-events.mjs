import { useFrame } from '@react-three/fiber'
import {
  CapsuleCollider,
  CuboidCollider,
  HeightfieldCollider,
  interactionGroups,
  RigidBody,
  useBeforePhysicsStep,
  useFilterContactPair,
  useRapier,
} from 'moreau/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Color, PlaneGeometry } from 'three'
import { Box, h, Model, random, seen, Sphere, times } from './kit.mjs'

/** @returns {import('react').RefObject<any>} */
const useBody = () => useRef(/** @type {any} */ (null))

const SIZE = 30
const heights = times(SIZE * SIZE, () => random())
const field = new PlaneGeometry(SIZE, SIZE, SIZE - 1, SIZE - 1)
heights.forEach((height, i) => field.attributes.position.setZ(i, height))
field.scale(1, -1, 1)
field.rotateX(-Math.PI / 2)
field.rotateY(-Math.PI / 2)
field.computeVertexNormals()

/** Things are red while they touch something, with a ball where they met. */
export function CollisionEvents() {
  const [places, setPlaces] = useState(/** @type {number[][]} */ ([]))
  const tell = useCallback(
    (/** @type {number[]} */ place) => setPlaces((all) => [...all.slice(-40), place]),
    [],
  )
  const common = { tell }
  return h(
    'group',
    null,
    h(
      Touching,
      { ...common, position: [1, 4, 0], colliders: 'cuboid', name: 'Box 1' },
      (/** @type {string} */ color) => h(Box, { color }),
    ),
    h(
      Touching,
      { ...common, position: [-1, 5, 0], colliders: 'cuboid', name: 'Box 2' },
      (/** @type {string} */ color) => h(Box, { color }),
    ),
    h(
      Touching,
      { ...common, position: [0, 8, 0], colliders: 'ball', name: 'Sphere 1' },
      (/** @type {string} */ color) => h(Sphere, { color }),
    ),
    h(
      Touching,
      { ...common, position: [-4, 2, 0], colliders: 'hull', name: 'Model' },
      (/** @type {string} */ color) => h(Model, { color }),
    ),
    h(
      Touching,
      { ...common, colliders: false, collisionGroups: interactionGroups([1]), name: 'Capsule 1' },
      (/** @type {string} */ color) =>
        h(
          'group',
          null,
          h(
            'mesh',
            null,
            h('capsuleGeometry', { args: [1, 2, 16, 16] }),
            h('meshStandardMaterial', { color }),
          ),
          h(CapsuleCollider, {
            ...{ args: [1, 1], collisionGroups: interactionGroups([2]) },
            onCollisionEnter: (/** @type {any} */ { other }) =>
              (seen.capsuleMet = other.rigidBodyObject?.name),
          }),
        ),
    ),
    h(
      Touching,
      { ...common, type: 'fixed', position: [0, -8, 0], colliders: false, name: 'Floor' },
      (/** @type {string} */ color) => [
        h(
          'mesh',
          { key: 1, geometry: field, receiveShadow: true },
          h('meshStandardMaterial', { color, side: 2 }),
        ),
        h(HeightfieldCollider, {
          ...{ key: 2, args: [SIZE - 1, SIZE - 1, heights, { x: SIZE, y: 1, z: SIZE }] },
        }),
      ],
    ),
    ...places.map((position, i) => h(Sphere, { key: i, position, scale: 0.2, color: 'white' })),
  )
}

/** @param {any} props */
function Touching({ tell, children, name, ...props }) {
  const [color, setColor] = useState('royalblue')
  const enter = useCallback((/** @type {any} */ { manifold, other, target }) => {
    setColor('crimson')
    const { x, y, z } = manifold.solverContactPoint(0)
    seen.enters ??= []
    seen.enters.push([target.rigidBodyObject.name, other.rigidBodyObject.name, y])
    tell([x, y, z])
  }, [])
  const exit = useCallback(() => {
    seen.exits = (seen.exits ?? 0) + 1
    setColor('royalblue')
  }, [])
  return h(
    RigidBody,
    { ...props, name, onCollisionEnter: enter, onCollisionExit: exit },
    children(color),
  )
}

/** The floor gets darker the harder it is pushed. */
export function ContactForceEvents() {
  const [color, setColor] = useState(0)
  const ball = useBody()
  seen.forces ??= []
  const onContactForce = (/** @type {any} */ { totalForceMagnitude, totalForce }) => {
    seen.forces.push([totalForceMagnitude, totalForce.y])
    if (totalForceMagnitude < 300) ball.current.applyImpulse({ x: 0, y: 65, z: 0 }, true)
    const white = new Color(0xffffff)
    setColor(white.multiplyScalar(Math.max(0, 1 - totalForceMagnitude / 6500)).getHex())
  }
  return h(
    'group',
    { position: [0, -10, -10] },
    h(
      RigidBody,
      { ref: ball, colliders: 'ball', position: [2, 8, 0], restitution: 1.5, onContactForce },
      h(Sphere, { color: 'red' }),
    ),
    h(RigidBody, { colliders: 'cuboid', type: 'fixed' }, h(Box, { args: [10, 1, 10], color })),
  )
}

/** A ball is shot through a goal. */
export function Sensors() {
  const ball = useBody()
  const [isGoal, setGoal] = useState(false)
  const shoot = () => {
    ball.current.setTranslation({ x: 0, y: -7, z: -14 }, true)
    ball.current.setLinvel({ x: 0, y: 0, z: 14 }, true)
  }
  useFrame(() => {
    if (ball.current.translation().z > 10) shoot()
  })
  useEffect(shoot, [])
  const post = (/** @type {any} */ scale, /** @type {any} */ position) =>
    h(Box, { scale, position, color: isGoal ? 'gold' : 'silver' })
  return h(
    'group',
    null,
    h(
      RigidBody,
      { position: [0, -8.5, 0] },
      post([11, 1, 1], [0, 3, 0]),
      post([1, 6, 1], [-5, 0, 0]),
      post([1, 6, 1], [5, 0, 0]),
      post([1, 1, 3], [-5, -3, 0]),
      post([1, 1, 3], [5, -3, 0]),
      h(CuboidCollider, {
        ...{ position: [0, 0, 1], args: [5, 3, 1], sensor: true },
        onIntersectionEnter: (/** @type {any} */ { other }) => {
          if (other.rigidBodyObject?.name !== 'ball') return
          seen.goals = (seen.goals ?? 0) + 1
          setGoal(true)
        },
        onIntersectionExit: (/** @type {any} */ { other }) => {
          if (other.rigidBodyObject?.name !== 'ball') return
          seen.outs = (seen.outs ?? 0) + 1
          setGoal(false)
        },
      }),
    ),
    h(
      RigidBody,
      { ref: ball, name: 'ball', colliders: 'ball', restitution: 1.5 },
      h(Sphere, { color: 'red' }),
    ),
  )
}

/** A ball comes through a platform from below and lies on it then. */
export function OneWayPlatform() {
  const [platform, ball, collider] = [useBody(), useBody(), useBody()]
  const { rapier } = useRapier()
  const state = useRef({ above: false, falls: false })
  seen.ball = ball
  seen.jump = () => ball.current.applyImpulse({ x: 0, y: 75, z: 0 }, true)
  useBeforePhysicsStep(() => {
    const above = ball.current.translation().y > platform.current.translation().y
    state.current = { above, falls: ball.current.linvel().y < 0 }
  })
  useFilterContactPair((_c1, _c2, body1, body2) => {
    const ours = [platform.current.handle, ball.current.handle]
    if (!ours.includes(body1) || !ours.includes(body2)) return null
    const { COMPUTE_IMPULSE, EMPTY } = rapier.SolverFlags
    return state.current.above && state.current.falls ? COMPUTE_IMPULSE : EMPTY
  })
  useEffect(() => {
    collider.current.setActiveHooks(rapier.ActiveHooks.FILTER_CONTACT_PAIRS)
  }, [rapier])
  return h(
    'group',
    null,
    h(
      RigidBody,
      { ref: ball, colliders: 'ball', position: [0, -8, 0], userData: { type: 'ball' } },
      h(Sphere, { color: 'red' }),
    ),
    h(Box, { args: [10, 0.1, 10] }),
    h(
      RigidBody,
      { type: 'fixed', userData: { type: 'platform' }, ref: platform },
      h(CuboidCollider, { args: [10, 0.1, 10], ref: collider }),
    ),
  )
}
