import { Canvas } from '@react-three/fiber'
// The line that is another one with Rapier:
// import { CuboidCollider, InstancedRigidBodies, Physics, RigidBody, useRapier } from '@react-three/rapier'
import { CuboidCollider, InstancedRigidBodies, Physics, RigidBody, useRapier } from 'moreau/react'
import { createElement, StrictMode, Suspense, useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

const h = /** @type {(...args: any[]) => any} */ (createElement)

const ROWS = 6
const MOST_BALLS = 120

/** One brick, which a click pushes away from whoever clicks. @param {any} props */
function Brick({ position, color }) {
  const body = useRef(/** @type {any} */ (null))
  const push = (/** @type {any} */ { ray }) => {
    const { x, y, z } = ray.direction
    body.current.applyImpulse({ x: 4 * x, y: 4 * y + 1, z: 4 * z }, true)
  }
  return h(
    RigidBody,
    { ref: body, position },
    h(
      'mesh',
      { castShadow: true, receiveShadow: true, onClick: push },
      h('boxGeometry', { args: [1, 0.5, 0.5] }),
      h('meshStandardMaterial', { color }),
    ),
  )
}

function Wall() {
  const bricks = []
  for (let row = 0; row < ROWS; row++) {
    for (let i = 0; i < 6 - (row % 2); i++) {
      const position = [i - 2.5 + (row % 2) / 2, 0.25 + row / 2, 0]
      bricks.push(h(Brick, { key: `${row} ${i}`, position, color: row % 2 ? '#c96' : '#b75' }))
    }
  }
  return bricks
}

/** Balls fall one after the other. Those that fell off the table are left out: the count may change. */
function Rain() {
  const bodies = useRef(/** @type {any[]} */ ([]))
  const [balls, setBalls] = useState(/** @type {any[]} */ ([]))
  useEffect(() => {
    let count = 0
    const timer = setInterval(() => {
      const x = (0.37 * count * 7) % 5
      const ball = { key: count++, position: [x - 2.5, 6, ((0.61 * count) % 1) - 0.5] }
      setBalls((all) => {
        const there = all.filter((_, i) => !(bodies.current[i]?.translation().y < -3))
        return [...there, ball].slice(-MOST_BALLS)
      })
    }, 250)
    return () => clearInterval(timer)
  }, [])
  return h(
    InstancedRigidBodies,
    { ref: bodies, instances: balls, colliders: 'ball', restitution: 0.4 },
    h(
      'instancedMesh',
      { args: [undefined, undefined, MOST_BALLS], castShadow: true },
      h('sphereGeometry', { args: [0.2, 24, 12] }),
      h('meshStandardMaterial', { color: '#48c' }),
    ),
  )
}

function Table() {
  return h(
    'group',
    { position: [0, -0.25, 0] },
    h(CuboidCollider, { args: [5, 0.25, 5] }),
    h(
      'mesh',
      { receiveShadow: true },
      h('boxGeometry', { args: [10, 0.5, 10] }),
      h('meshStandardMaterial', { color: '#9a9' }),
    ),
  )
}

/** For the console: `moreau.energy()`. */
function Shared() {
  const { world } = useRapier()
  useEffect(() => {
    Object.assign(globalThis, { moreau: world.raw })
  }, [world])
  return null
}

function App() {
  return h(
    Canvas,
    { shadows: true, camera: { position: [4, 4, 8], fov: 45 } },
    h('color', { attach: 'background', args: ['#dde6ee'] }),
    h('hemisphereLight', { args: ['#fff', '#667', 1.2] }),
    h('directionalLight', { castShadow: true, position: [4, 8, 5], intensity: 2 }),
    h(Suspense, { fallback: null }, h(Physics, null, h(Wall), h(Rain), h(Table), h(Shared))),
  )
}

createRoot(/** @type {Element} */ (document.getElementById('root'))).render(
  h(StrictMode, null, h(App)),
)
