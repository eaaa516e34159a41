import { useFrame } from '@react-three/fiber'
import { BallCollider, CylinderCollider, RigidBody } from 'moreau/react'
import { usePrismaticJoint, useRevoluteJoint, useRopeJoint, useSphericalJoint } from 'moreau/react'
import { useFixedJoint, useSpringJoint } from 'moreau/react'
import { createRef, useMemo, useRef } from 'react'
import { Quaternion, Vector3 } from 'three'
import { Box, Cylinder, h, seen, Sphere, times } from './kit.mjs'

/** @returns {import('react').RefObject<any>} */
const useBody = () => useRef(/** @type {any} */ (null))

/** @param {number} count @returns {import('react').RefObject<any>[]} */
const useBodies = (count) => useRef(times(count, () => createRef())).current

/** A rope of balls at a body that turns, and two boxes on a slider. */
export function Joints() {
  return h('group', null, h(Rope, { length: 20 }), h(Prismatic), h(Fixed))
}

/** @param {{ length: number }} props */
function Rope({ length }) {
  const refs = useBodies(length)
  seen.rope = refs
  useFrame(({ clock: { elapsedTime: now } }) => {
    refs[0].current?.setNextKinematicRotation(new Quaternion(0, Math.sin(now * 2) * 3, 0))
  })
  return h(
    'group',
    null,
    ...refs.map((ref, i) =>
      h(
        RigidBody,
        { ref, key: i, position: [i, 4, 0], type: i === 0 ? 'kinematicPosition' : 'dynamic' },
        h(Sphere, { args: [0.5] }),
      ),
    ),
    ...refs.slice(1).map((a, i) => h(RopeJoint, { key: `joint ${i}`, a, b: refs[i] })),
  )
}

/** @param {{ a: any, b: any }} props */
function RopeJoint({ a, b }) {
  useSphericalJoint(a, b, [
    [-0.5, 0, 0],
    [0.5, 0, 0],
  ])
  return null
}

function Prismatic() {
  const [box1, box2] = [useBody(), useBody()]
  seen.slider = usePrismaticJoint(box1, box2, [
    [-4, 0, 0],
    [0, 4, 0],
    [1, 0, 0],
    [-2, 2],
  ])
  return h(
    'group',
    { position: [0, 0, 4] },
    h(RigidBody, { ref: box1 }, h(Box)),
    h(RigidBody, { ref: box2 }, h(Box)),
  )
}

function Fixed() {
  const [wall, shelf] = [useBody(), useBody()]
  seen.shelf = shelf
  useFixedJoint(wall, shelf, [
    [1, 0, 0],
    [0, 0, 0, 1],
    [-1, 0, 0],
    [0, 0, Math.SQRT1_2, Math.SQRT1_2],
  ])
  return h(
    'group',
    { position: [-6, 0, 0] },
    h(RigidBody, { ref: wall, type: 'fixed' }, h(Box, { color: 'gray' })),
    h(RigidBody, { ref: shelf, position: [2, 0, 0] }, h(Box, { args: [2, 0.2, 1] })),
  )
}

/** A car whose wheels are driven. */
export function Car() {
  const chassis = useBody()
  const wheels = useBodies(4)
  seen.car = chassis
  const places = [
    [-3, 0, 2],
    [-3, 0, -2],
    [3, 0, 2],
    [3, 0, -2],
  ]
  return h(
    'group',
    { position: [0, -10, 0] },
    h(
      RigidBody,
      { colliders: 'cuboid', ref: chassis },
      h(Box, { scale: [6, 1, 1.9], color: 'red' }),
    ),
    ...places.map((position, i) =>
      h(
        RigidBody,
        { position, colliders: 'hull', key: i, ref: wheels[i] },
        h(Cylinder, { rotation: [Math.PI / 2, 0, 0], args: [1, 1, 1, 32], color: 'gray' }),
      ),
    ),
    ...places.map((place, i) =>
      h(WheelJoint, { key: `joint ${i}`, body: chassis, wheel: wheels[i], place }),
    ),
  )
}

/** @param {{ body: any, wheel: any, place: any }} props */
function WheelJoint({ body, wheel, place }) {
  const joint = useRevoluteJoint(body, wheel, [place, [0, 0, 0], [0, 0, 1]])
  useFrame(() => joint.current?.configureMotorVelocity(20, 10))
  return null
}

/** Balls on rods that hit each other. */
export function Cradle() {
  return h(
    'group',
    { rotation: [1, 0, 0], scale: 3 },
    ...times(4, (i) => h(Rod, { key: i, position: [i * 0.5, 0, 0] })),
    h(Rod, { position: [2, 0, 0], rotation: [0, 0, 2] }),
  )
}

/** @param {any} props */
function Rod(props) {
  const [anchor, rod] = [useBody(), useBody()]
  seen.rods ??= []
  seen.rods.push([anchor, rod])
  useSphericalJoint(anchor, rod, [
    [0, 0, 0],
    [0, 0, 0],
  ])
  return h(
    'group',
    null,
    h(RigidBody, { ref: anchor, ...props }),
    h(
      RigidBody,
      { ref: rod, ...props, colliders: false },
      h(Cylinder, { scale: [0.05, 2, 0.05], position: [0, -1, 0], color: 'black' }),
      h(Sphere, { scale: 0.2, position: [0, -2, 0], color: 'silver' }),
      h(CylinderCollider, { args: [1, 0.05], position: [0, -1, 0] }),
      h(BallCollider, { args: [0.2], position: [0, -2, 0], restitution: 1.2 }),
    ),
  )
}

/** A wrecking ball on a rope, and a wall. */
export function RopeJointDemo() {
  const [anchor, ball] = [useBody(), useBody()]
  seen.ball = ball
  seen.anchor = anchor
  useRopeJoint(anchor, ball, [[0, 0, 0], [0, 0, 0], 35])
  const colors = ['#50514F', '#CBD4C2', '#FFFCFF', '#247BA0', '#C3B299']
  return h(
    'group',
    { scale: 3 },
    h(
      RigidBody,
      { type: 'fixed', colliders: 'cuboid', position: [0, -1, 0] },
      h(Box, { args: [20, 1, 20], color: 'white' }),
    ),
    h(
      'group',
      { 'rotation-y': -0.7853982, position: [-1.8, 0, -1.8] },
      ...times(48, (i) =>
        h(
          RigidBody,
          { key: i, density: 2, position: [i % 6, Math.floor(i / 6), 0] },
          h(Box, { color: colors[Math.floor(i / 6) % 5] }),
        ),
      ),
    ),
    h(RigidBody, { ref: anchor, position: [0, 15, 0] }),
    h(
      RigidBody,
      { position: [-8, 15, 8], ref: ball, restitution: 1.2, density: 30, colliders: false },
      h(Sphere, { args: [2], color: 'silver' }),
      h(BallCollider, { args: [2] }),
    ),
  )
}

/** Balls on springs with more and more damping, and boxes that fall on them. */
export function Spring() {
  const floor = useBody()
  const places = useMemo(() => times(12, (i) => new Vector3(-9 + 1.5 * i, 3, -4)), [])
  const colors = ['#335C67', '#FFF3B0', '#E09F3E', '#9E2A2B', '#540B0E']
  return h(
    'group',
    null,
    h(RigidBody, { ref: floor, position: [0, 0, 0], type: 'fixed' }),
    ...places.map((position, i) =>
      h(
        'group',
        { key: i },
        h(BallSpring, { floor, position, mass: 1, index: i, total: 12 }),
        h(
          RigidBody,
          {
            ...{ position: [position.x, position.y + 3, position.z], colliders: 'cuboid' },
            ...{ density: 100, ccd: true, canSleep: false },
          },
          h(Box, { color: colors[i % 5] }),
        ),
      ),
    ),
  )
}

/** @param {any} props */
function BallSpring({ floor, index, total, ...props }) {
  const ball = useBody()
  const { position } = props
  const stiffness = 1000
  const critical = 2 * Math.sqrt(stiffness * props.mass)
  seen.springs ??= []
  seen.springs[index] = ball
  useSpringJoint(ball, floor, [
    [0, 0, 0],
    [position.x, position.y - 3, position.z],
    0,
    stiffness,
    (index / (total / 2)) * critical,
  ])
  return h(
    RigidBody,
    { ...props, ref: ball, ccd: true, colliders: false, canSleep: false },
    h(Sphere, { args: [0.5] }),
    h(BallCollider, { args: [0.5] }),
  )
}
