import { useFrame } from '@react-three/fiber'
import { ActiveCollisionTypes, euler, quat, RigidBody, useRapier, vec3 } from 'moreau/react'
import { useAfterPhysicsStep, useBeforePhysicsStep } from 'moreau/react'
import { useEffect, useRef, useState } from 'react'
import { Box, h, Model, random, seen, Sphere, times, Torus } from './kit.mjs'

/** @returns {import('react').RefObject<any>} */
const useBody = () => useRef(/** @type {any} */ (null))

/** A ref is called: an impulse at first, and now and then a jump. */
export function ApiUsage() {
  const torus = useBody()
  useEffect(() => {
    torus.current.applyTorqueImpulse({ x: 1, y: 3, z: 0 }, true)
    const timer = setInterval(() => {
      torus.current.setTranslation({ x: 0, y: 0, z: 0 }, true)
      torus.current.setLinvel({ x: 0, y: 5, z: 0 }, true)
    }, 1000)
    return () => clearInterval(timer)
  }, [])
  return h(RigidBody, { colliders: 'hull', ref: torus, restitution: 2 }, h(Torus))
}

/** Bodies that the program moves carry and push others. */
export function Kinematics() {
  const torus = useBody()
  const platform = useBody()
  useFrame(({ clock: { elapsedTime: now } }) => {
    torus.current.setNextKinematicRotation(quat().setFromEuler(euler({ x: now })))
    const y = -8 + Math.sin(10 * now) * 0.2
    platform.current.setNextKinematicTranslation({ x: Math.sin(2 * now), y, z: 0 })
  })
  const Ball = () => {
    const ball = useBody()
    useFrame(() => {
      if (ball.current.translation().y > -10) return
      ball.current.setTranslation({ x: random() * 2, y: 20, z: 0 }, true)
      ball.current.setLinvel({ x: 0, y: 0, z: 0 }, true)
    })
    return h(RigidBody, { ref: ball, colliders: 'ball' }, h(Sphere, { color: 'red' }))
  }
  return h(
    'group',
    null,
    ...times(5, (i) => h(Ball, { key: i })),
    h(
      RigidBody,
      {
        ...{ position: [0, 2, 0], colliders: 'trimesh', type: 'kinematicPosition' },
        ...{ ref: torus, restitution: 1 },
      },
      h(Torus, { scale: 5 }),
    ),
    h(
      RigidBody,
      { colliders: 'cuboid', position: [0, -8, 0], type: 'kinematicPosition', ref: platform },
      h(Box, { args: [40, 1, 40], color: 'gray' }),
    ),
  )
}

/** Bodies that cannot turn, or move, or only so. */
export function LockedTransforms() {
  const torus = (/** @type {any} */ props) =>
    h(RigidBody, { colliders: 'hull', restitution: 1, ...props }, h(Torus, { scale: 3 }))
  const refs = [useBody(), useBody(), useBody(), useBody()]
  seen.locked = refs
  return h(
    'group',
    null,
    torus({ position: [0, 10, 0], lockRotations: true, ref: refs[0] }),
    torus({ position: [0, 5, 0], lockTranslations: true, ref: refs[1] }),
    torus({ position: [0, 0, 0], enabledRotations: [true, false, false], ref: refs[2] }),
    torus({ position: [0, 15, 0], enabledTranslations: [true, false, false], ref: refs[3] }),
  )
}

/** Balls with more and more angular damping roll down a ramp. */
export function Damping() {
  const balls = times(10, (i) => i)
  const refs = useRef(balls.map(() => ({ current: /** @type {any} */ (null) })))
  seen.balls = refs.current
  return h(
    'group',
    null,
    h(
      RigidBody,
      { type: 'fixed', colliders: 'cuboid' },
      h(Box, { args: [40, 1, 100], position: [18, -1, 25], color: 'white' }),
    ),
    h(
      RigidBody,
      { type: 'fixed', colliders: 'cuboid' },
      h(Box, {
        ...{ args: [40, 0.5, 14], position: [18, 2, -5], rotation: [Math.PI / 8, 0, 0] },
        color: 'crimson',
      }),
    ),
    ...balls.map((i) =>
      h(
        RigidBody,
        {
          ...{ key: i, colliders: 'ball', ref: refs.current[i] },
          ...{ position: [i * 3, 10, -10], angularDamping: i / 2 },
        },
        h(Sphere, { color: 'green' }),
      ),
    ),
  )
}

/** A body is held by the mouse while it is kinematic. */
export function DynamicTypeChange() {
  const body = useBody()
  const [isHeld, setHeld] = useState(false)
  seen.hold = setHeld
  useFrame(() => {
    if (!isHeld) return
    const { x } = body.current.translation()
    body.current.setNextKinematicTranslation({ x: x + 0.05, y: 2, z: 0 })
  })
  seen.held = body
  const type = isHeld ? 'kinematicPosition' : 'dynamic'
  return h(RigidBody, { type, ref: body }, h(Model, { color: isHeld ? 'yellow' : 'tan' }))
}

/** Props that Rapier makes another body for change, and the ref stays. */
export function ImmutableProps() {
  const body = useBody()
  const [canSleep, setCanSleep] = useState(true)
  seen.setCanSleep = setCanSleep
  seen.turning = body
  useFrame(({ clock: { elapsedTime } }) => {
    body.current.setRotation(quat().setFromEuler(euler({ y: elapsedTime })), true)
  })
  return h(RigidBody, { type: 'fixed', ref: body, canSleep }, h(Box, { scale: 4 }))
}

/** Steps by hand while the simulation is paused. */
export function ManualStep() {
  const { step } = useRapier()
  const steps = useRef({ before: 0, after: 0 })
  seen.step = step
  seen.steps = steps.current
  useBeforePhysicsStep(() => void steps.current.before++)
  useAfterPhysicsStep(() => void steps.current.after++)
  return h(RigidBody, { linearVelocity: [10, 10, 0] }, h(Box))
}

/** A body that is set somewhere in each frame is drawn there. */
export function Stuttering() {
  const body = useBody()
  seen.error = 0
  useFrame(({ scene }) => {
    const object = /** @type {any} */ (scene.getObjectByName('runner'))
    if (seen.set !== undefined) {
      seen.error = Math.max(seen.error, Math.abs(object.position.x - seen.set))
    }
    seen.set = (performance.now() / 100) % 20
    body.current.setTranslation(vec3({ x: seen.set, y: 0, z: 0 }), true)
  }, 0)
  return h(
    RigidBody,
    {
      ...{ ref: body, name: 'runner', position: [0, 15, 0], colliders: 'hull', gravityScale: 0 },
      ...{ enabledTranslations: [true, false, false], restitution: 1 },
    },
    h(Torus, { scale: 3 }),
  )
}

/** A kinematic ball is told when it is in a wall. */
export function ActiveCollisions() {
  const body = useBody()
  const [color, setColor] = useState('blue')
  seen.color = color
  useFrame(({ clock: { elapsedTime } }) => {
    body.current.setTranslation({ x: Math.sin(2 * elapsedTime) * 3, y: 0, z: 0 }, true)
  })
  return h(
    'group',
    null,
    h(
      RigidBody,
      {
        ...{ ref: body, colliders: 'ball', type: 'kinematicPosition' },
        activeCollisionTypes: ActiveCollisionTypes.DEFAULT | ActiveCollisionTypes.KINEMATIC_FIXED,
        onCollisionEnter: () => {
          seen.entered = (seen.entered ?? 0) + 1
          setColor('green')
        },
        onCollisionExit: () => {
          seen.left = (seen.left ?? 0) + 1
          setColor('blue')
        },
      },
      h(Sphere, { color }),
    ),
    h(
      RigidBody,
      { type: 'fixed', colliders: 'cuboid' },
      h(Box, { args: [0.5, 5, 2], color: '#ccc' }),
    ),
  )
}

/** A snapshot is taken, and the world goes back to it. */
export function Snapshot() {
  const { world, setWorld, rapier } = useRapier()
  seen.take = () => (seen.bytes = world.takeSnapshot())
  seen.restore = () => setWorld(rapier.World.restoreSnapshot(seen.bytes))
  return h(Damping)
}
