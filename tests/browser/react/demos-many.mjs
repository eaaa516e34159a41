import { useFrame } from '@react-three/fiber'
import { BallCollider, CuboidCollider, InstancedRigidBodies, interactionGroups } from 'moreau/react'
import { RigidBody, useBeforePhysicsStep, useRapier, vec3 } from 'moreau/react'
import { useEffect, useRef, useState } from 'react'
import { Color, Vector3 } from 'three'
import { Box, Cylinder, h, model, Model, random, randomColor, seen, Sphere, times } from './kit.mjs'

const BALLS = 300

/** A thousand instances that are drawn to the middle. */
export function Cluster() {
  const api = useRef(/** @type {any} */ (null))
  const mesh = useRef(/** @type {any} */ (null))
  const { isPaused } = useRapier()
  useFrame(() => {
    if (isPaused) return
    for (const body of api.current) {
      const p = vec3(body.translation())
      body.applyImpulse(p.normalize().multiplyScalar(-0.01), true)
    }
  })
  useEffect(() => {
    for (let i = 0; i < BALLS; i++) mesh.current.setColorAt(i, new Color(randomColor()))
    mesh.current.instanceColor.needsUpdate = true
  }, [])
  seen.instances = api
  const [instances] = useState(() =>
    times(BALLS, (i) => ({ key: i, position: [Math.floor(i / 30), (i % 30) * 0.5, 0] })),
  )
  return h(
    InstancedRigidBodies,
    { ref: api, instances, colliders: 'ball', linearDamping: 5, gravityScale: 0 },
    h(
      'instancedMesh',
      { ref: mesh, args: [undefined, undefined, BALLS], castShadow: true },
      h('sphereGeometry', { args: [0.2] }),
      h('meshPhysicalMaterial', { roughness: 0.4 }),
    ),
  )
}

const place = () => ({
  key: random(),
  position: [random() * 20, random() * 20, random() * 20],
  rotation: [random() * 6, random() * 6, random() * 6],
  scale: [0.5 + random(), 0.5 + random(), 0.5 + random()],
})

/** Scaled instances of a model, which come and go. */
export function InstancedMeshes() {
  const [instances, setInstances] = useState(() => times(60, place))
  const api = useRef([])
  seen.instances = api
  seen.add = () => setInstances((all) => [...all, place()])
  seen.remove = () => setInstances((all) => all.slice(0, -1))
  return h(
    InstancedRigidBodies,
    { instances, ref: api, colliders: 'hull' },
    h(
      'instancedMesh',
      {
        ...{ castShadow: true, args: [model, undefined, 100], count: instances.length },
        onClick: (/** @type {any} */ event) =>
          /** @type {any} */ (api.current[event.instanceId]).applyTorqueImpulse({
            x: 0,
            y: 50,
            z: 0,
          }),
      },
      h('meshPhysicalMaterial', { color: 'tan' }),
    ),
  )
}

/** Instances with three colliders each. */
export function InstancedMeshesCompound() {
  const api = useRef(/** @type {any} */ (null))
  useEffect(() => {
    for (const body of api.current) {
      body.applyImpulse({ x: -random() * 5, y: random() * 5, z: -random() * 5 }, true)
    }
  }, [])
  const [instances] = useState(() => times(100, place))
  seen.instances = api
  return h(
    'group',
    { scale: 0.7 },
    h(
      InstancedRigidBodies,
      {
        ...{ ref: api, colliders: false, instances },
        colliderNodes: [
          h(BallCollider, { args: [1] }),
          h(BallCollider, { args: [0.5], position: [1, 0.3, -0.25] }),
          h(CuboidCollider, { args: [0.5, 0.2, 0.5], position: [-1, 0.3, -0.25] }),
        ],
      },
      h(
        'instancedMesh',
        { castShadow: true, args: [model, undefined, 100] },
        h('meshPhysicalMaterial', { color: 'gold' }),
      ),
    ),
  )
}

/** Bodies come in heaps and are unmounted where they fell far. */
export function Performance() {
  const [all, setAll] = useState(/** @type {{ key: number, position: number[] }[]} */ ([]))
  seen.count = all.length
  seen.made ??= 0
  useEffect(() => {
    const timer = setInterval(() => {
      seen.made++
      const position = [random() * 10 - 5, random(), random() * 10 - 5]
      setAll((list) => [...list, { key: random(), position }])
    }, 50)
    return () => clearInterval(timer)
  }, [])
  const Falling = (/** @type {any} */ { onDead, position }) => {
    const body = useRef(/** @type {any} */ (null))
    useFrame(() => {
      if (body.current?.translation().y < -4) onDead()
    })
    return h(RigidBody, { position, ref: body, colliders: 'hull' }, h(Model, { color: 'orange' }))
  }
  const [Item] = useState(() => Falling)
  return h(
    'group',
    null,
    h(
      RigidBody,
      { type: 'fixed', colliders: 'trimesh' },
      h(Cylinder, {
        args: [1, 3, 3, 12, 1, true],
        color: 'steelblue',
      }),
    ),
    h(
      'group',
      { scale: 0.3, position: [0, 4, 0] },
      ...all.map(({ key, position }) =>
        h(Item, {
          ...{ key, position },
          onDead: () => setAll((list) => list.filter((one) => one.key !== key)),
        }),
      ),
    ),
  )
}

/** Attractors and repellers, by forces before each step. */
export function Attractors() {
  const Attractor = (/** @type {any} */ { position, range, strength }) => {
    useBeforePhysicsStep((world) => {
      world.forEachRigidBody((body) => {
        const away = new Vector3(...position).sub(vec3(body.translation()))
        if (away.length() > range || !body.isDynamic()) return
        body.applyImpulse(away.normalize().multiplyScalar(strength * 0.1), true)
      })
    })
    return h(Sphere, { position, scale: 0.5, color: strength > 0 ? 'white' : 'black' })
  }
  const [Force] = useState(() => Attractor)
  const [instances] = useState(() =>
    times(60, (i) => ({ key: i, position: [Math.floor(i / 30), (i % 30) * 0.5, 0] })),
  )
  return h(
    'group',
    null,
    h(
      InstancedRigidBodies,
      { instances, colliders: 'ball' },
      h(
        'instancedMesh',
        { args: [undefined, undefined, 60], castShadow: true },
        h('sphereGeometry', { args: [0.5] }),
        h('meshPhysicalMaterial', { color: 'green' }),
      ),
    ),
    h(
      RigidBody,
      { position: [-8, 10, 0], colliders: 'ball', collisionGroups: interactionGroups(1) },
      h(Sphere),
    ),
    h(Force, { position: [10, 0, 0], range: 20, strength: -2 }),
    h(Force, { position: [-10, 0, 0], range: 20, strength: 4 }),
  )
}

/** Colliders with a skin keep their distance. */
export function ContactSkin() {
  const ball = useRef(/** @type {any} */ (null))
  seen.ball = ball
  return h(
    'group',
    null,
    h(
      RigidBody,
      { ref: ball, colliders: 'ball', position: [0, 1, 0], contactSkin: 0.5 },
      h(Sphere),
    ),
    h(
      RigidBody,
      { type: 'fixed', colliders: 'cuboid', position: [0, -2, 0] },
      h(Box, { args: [20, 1, 20], color: 'white' }),
    ),
  )
}
