import {
  BallCollider,
  CapsuleCollider,
  ConeCollider,
  ConvexHullCollider,
  CuboidCollider,
  CylinderCollider,
  HeightfieldCollider,
  MeshCollider,
  RigidBody,
  RoundConeCollider,
  RoundCuboidCollider,
  RoundCylinderCollider,
  TrimeshCollider,
} from 'moreau/react'
import { useEffect, useRef, useState } from 'react'
import { PlaneGeometry } from 'three'
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js'
import {
  Box,
  Capsule,
  Cone,
  Cylinder,
  h,
  Model,
  model,
  random,
  Sphere,
  times,
  Torus,
} from './kit.mjs'
import { useRandomColor } from './kit.mjs'

/** All kinds of colliders for one model. */
export function AllShapes() {
  const points = model.attributes.position.array
  const body = (/** @type {any} */ props, /** @type {any[]} */ ...children) =>
    h(RigidBody, props, h(Model), ...children)
  return h(
    'group',
    null,
    body({ colliders: 'cuboid' }),
    body({ colliders: 'ball', position: [4, 0, 0] }),
    body({ colliders: 'hull', position: [8, 0, 0] }),
    body({ colliders: 'trimesh', position: [12, 0, 0] }),
    body({ colliders: false, position: [0, 4, 0] }, h(CuboidCollider, { args: [1, 1, 1] })),
    body({ colliders: false, position: [4.1, 4, 0] }, h(BallCollider, { args: [1] })),
    body({ colliders: false, position: [8, 4, 0] }, h(ConeCollider, { args: [1, 1] })),
    body(
      { colliders: false, position: [5, 8, 0] },
      h(TrimeshCollider, { args: [points, model.index?.array ?? []], mass: 1 }),
    ),
    body({ colliders: false, position: [0, 8, 0] }, h(ConvexHullCollider, { args: [points] })),
    body(
      { colliders: false, position: [8, 8, 0] },
      h(CuboidCollider, { args: [0.5, 0.5, 0.5], position: [1, 1, 1] }),
      h(BallCollider, { args: [0.5], position: [-1, -1, 1] }),
    ),
    body(
      { colliders: 'ball', position: [4, 10, 0] },
      h(CuboidCollider, { args: [0.5, 0.5, 0.5], position: [1, 1, 1] }),
      h(BallCollider, { args: [0.5], position: [-1, -1, 1] }),
    ),
    h(
      'group',
      { scale: 1.5, position: [5, 10, 0] },
      h(
        RigidBody,
        { colliders: 'ball' },
        h('group', { position: [-2, -2, -2], scale: 1.2 }, h(Torus, { args: [0.5, 0.2] })),
      ),
    ),
  )
}

const SIZE = 10
const heights = times(SIZE * SIZE, () => random())
const field = new PlaneGeometry(SIZE, SIZE, SIZE - 1, SIZE - 1)
heights.forEach((height, i) => field.attributes.position.setZ(i, height))
field.scale(1, -1, 1)
field.rotateX(-Math.PI / 2)
field.rotateY(-Math.PI / 2)
field.computeVertexNormals()
const roundBox = new RoundedBoxGeometry(1.4, 1.4, 1.4, 8, 0.2)

/** Each collider under the geometry that it is of. */
export function AllColliders() {
  const body = (/** @type {any} */ props, /** @type {any} */ mesh, /** @type {any} */ collider) =>
    h(RigidBody, { colliders: false, ...props }, mesh, collider)
  const orange = h('meshPhysicalMaterial', { color: 'orange', side: 2 })
  return h(
    'group',
    null,
    body({}, h(Box), h(CuboidCollider, { args: [0.5, 0.5, 0.5] })),
    body(
      { position: [2, 0, 0] },
      h('mesh', { geometry: roundBox, castShadow: true }, orange),
      h(RoundCuboidCollider, { args: [0.5, 0.5, 0.5, 0.2] }),
    ),
    body({ position: [4, 0, 0] }, h(Sphere, { args: [0.5] }), h(BallCollider, { args: [0.5] })),
    body(
      { position: [6, 0, 0] },
      h(Capsule, { args: [0.5, 1, 4, 8] }),
      h(CapsuleCollider, { args: [0.5, 0.5] }),
    ),
    body(
      { position: [15, 0, 0] },
      h(Cylinder, { args: [0.5, 0.5, 2] }),
      h(CylinderCollider, { args: [1, 0.5] }),
    ),
    h(RigidBody, { position: [8, 0, 0], colliders: 'trimesh' }, h(Model)),
    h(RigidBody, { position: [11, 0, 0], colliders: 'hull' }, h(Model)),
    h(
      RigidBody,
      { position: [-5, 0, 0], colliders: 'hull', includeInvisible: true },
      h('object3D', null, h(Model, { visible: false })),
    ),
    body({ position: [0, 6, 0] }, h(Cone, { args: [0.5, 2] }), h(ConeCollider, { args: [1, 0.5] })),
    body(
      { position: [0, 3, 0] },
      h(Cone, { args: [0.5, 2] }),
      h(RoundConeCollider, { args: [1, 0.5, 0.1] }),
    ),
    body(
      { position: [3, 3, 0] },
      h(Cylinder, { args: [0.5, 0.5, 2] }),
      h(RoundCylinderCollider, { args: [1, 0.4, 0.1] }),
    ),
    // In the demo it falls; meshes and height fields of Moreau are for what does not move.
    body(
      { position: [0, -8, 0], type: 'fixed' },
      h('mesh', { geometry: field, castShadow: true, receiveShadow: true }, orange),
      h(HeightfieldCollider, { args: [SIZE - 1, SIZE - 1, heights, { x: SIZE, y: 1, z: SIZE }] }),
    ),
    h(RigidBody, { position: [4, 10, 2] }, h(Box)),
  )
}

/** Colliders without a body hold up what falls on them. */
export function Colliders() {
  const Ball = () =>
    h(
      RigidBody,
      { colliders: 'ball', position: [random(), 5 + random() * 20, random()] },
      h(Sphere, { color: 'red' }),
    )
  return h(
    'group',
    null,
    ...times(5, (i) => h(Ball, { key: i })),
    h(
      'group',
      null,
      h(CuboidCollider, { args: [10, 1, 10], rotation: [0.1, 0.1, 0.2] }),
      h(BallCollider, { args: [3], position: [1, 2, 1] }),
    ),
  )
}

/** Meshes of a body with colliders of another kind than the others. */
export function MeshColliders() {
  const blue = (/** @type {number} */ y) => h(Sphere, { position: [0, y, 4], color: 'blue' })
  return h(
    'group',
    null,
    h(
      RigidBody,
      { position: [0, 2, 0], colliders: false },
      h(MeshCollider, { type: 'hull' }, h(Torus, { scale: 5 })),
      h(MeshCollider, { type: 'cuboid' }, h(Box, { position: [0, 0, 3] })),
      h(MeshCollider, { type: 'cuboid' }, h(Box, { args: [1, 1, 6], visible: false })),
      ...[2, 1, 3].map(blue),
    ),
    h(
      RigidBody,
      { colliders: 'cuboid', position: [0, 0, 4], restitution: 2 },
      h(MeshCollider, { type: 'ball' }, h(Sphere)),
      h(Sphere, { position: [2, 0, 0] }),
    ),
    h(
      RigidBody,
      { colliders: false, position: [0, -8, 0], type: 'kinematicPosition' },
      h(
        MeshCollider,
        { type: 'cuboid' },
        h(Box, { args: [40, 1, 40], color: 'gray' }),
        h(Box, { args: [2, 1, 2], position: [1, 1, 1], rotation: [1, 1, 1] }),
      ),
    ),
  )
}

/** Bodies within groups that are moved, turned and scaled. */
export function Transforms() {
  return h(
    'group',
    null,
    h(
      'group',
      { rotation: [2, 2, 6], position: [0, -5, 0], scale: 1.2 },
      h(RigidBody, { position: [-0.5, 2, 1], colliders: 'ball' }, h(Sphere, { scale: 0.2 })),
      h(
        RigidBody,
        { position: [0, 0, 1], colliders: 'cuboid' },
        h(Box, { scale: 2, position: [0, 0, 2], rotation: [2, 1, 3] }),
        h(Box, { position: [2, 0, 0] }),
      ),
      h(RigidBody, { position: [3, 0, 1], colliders: 'cuboid' }, h(Box)),
    ),
    h(
      'group',
      { rotation: [1, 1, 1], scale: 1.1 },
      h(
        RigidBody,
        null,
        h(
          'group',
          { rotation: [2, 0, 1], position: [1, 4, 1] },
          h(Box, { color: 'blue', scale: [1, 1, 8] }),
          h(Box, { color: 'blue', position: [1, 2, 3] }),
        ),
      ),
    ),
    h(
      'group',
      { rotation: [0, 3, 0] },
      h(RigidBody, { colliders: 'ball' }, h(Sphere, { position: [2, 2, 2] })),
      h(RigidBody, { colliders: 'ball' }, h(Sphere, { position: [2, 10, 2], scale: 0.3 })),
      h(RigidBody, { colliders: 'ball' }, h(Sphere, { position: [-2, 10, 2], scale: 0.3 })),
    ),
  )
}

/** A body of scaled meshes, one in a scaled group, and one on a mesh of triangles. */
export function Components() {
  const [isAsleep, setAsleep] = useState(false)
  const [isTouched, setTouched] = useState(false)
  return h(
    'group',
    null,
    h(
      RigidBody,
      { colliders: 'cuboid', onSleep: () => setAsleep(true) },
      h(Box, { color: isAsleep ? 'red' : 'white' }),
      h(Box, { position: [2, 1, 1], scale: [4, 1, 2] }),
      h(Box, { position: [7, 3, 0], scale: 4 }),
    ),
    h('group', { scale: 1 }, h(RigidBody, { position: [0, 2, 0], colliders: 'hull' }, h(Model))),
    h(
      RigidBody,
      {
        ...{ colliders: 'ball', position: [5, 0, 0], onCollisionExit: () => setTouched(false) },
        onCollisionEnter: () => setTouched(true),
      },
      h(Sphere, { color: isTouched ? 'blue' : 'green' }),
    ),
    h(
      'group',
      { position: [0, -10, 0], scale: 4 },
      h(
        RigidBody,
        { type: 'fixed', colliders: 'trimesh' },
        h(Torus, { args: [2, 0.5, 12, 32], rotation: [Math.PI / 2, 0, 0], color: 'olive' }),
      ),
    ),
  )
}

/** Things of all kinds fall through rows of pegs. */
export function Plinko() {
  const [items, setItems] = useState(/** @type {number[]} */ ([]))
  useEffect(() => {
    const timer = setInterval(() => setItems((all) => [...all, all.length]), 60)
    return () => clearInterval(timer)
  }, [])
  const pegs = times(5, (row) =>
    times(8, (i) =>
      h(CylinderCollider, {
        key: `${row} ${i}`,
        ...{ args: [0.6, 0.25], rotation: [Math.PI / 2, 0, 0] },
        position: [2.2 * (i - 3.5) + (row % 2), -2 * row, 0],
        children: h(Cylinder, { args: [0.25, 0.25, 1.2], color: 'steelblue' }),
      }),
    ),
  )
  return h(
    'group',
    null,
    h(RigidBody, { type: 'fixed', colliders: false }, ...pegs),
    ...[-0.75, 0.75].map((z) =>
      h(CuboidCollider, { key: z, args: [20, 20, 0.1], position: [0, 0, z] }),
    ),
    ...items.slice(0, 40).map((i) => h(Thing, { key: i, kind: i % 4 })),
  )
}

/** @param {{ kind: number }} props */
function Thing({ kind }) {
  const color = useRandomColor()
  const [position] = useState(() => [-4 + random() * 8, 8, 0])
  const ref = useRef(/** @type {any} */ (null))
  useEffect(() => ref.current.applyTorqueImpulse({ x: 0, y: 0, z: 0.02 }, true), [])
  if (kind === 0) return h(RigidBody, { ref, position }, h(Box, { scale: 0.5, color }))
  if (kind === 1) {
    return h(RigidBody, { ref, position, colliders: 'ball' }, h(Sphere, { scale: 0.25, color }))
  }
  if (kind === 2) {
    return h(RigidBody, { ref, position, colliders: 'hull' }, h(Model, { scale: 0.25, color }))
  }
  return h(
    RigidBody,
    { ref, position, colliders: false },
    h(Cylinder, { args: [0.3, 0.3, 0.4], color }),
    h(CylinderCollider, { args: [0.2, 0.3] }),
  )
}
