/**
 * The page around the demos: `?demo=name`, with the canvas, the light and the floor that those of @react-three/rapier
 * have, in StrictMode.
 */
import { Canvas, useThree } from '@react-three/fiber'
import { Physics, RigidBody, useRapier } from 'moreau/react'
import { StrictMode, Suspense, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import * as bodies from './demos-bodies.mjs'
import * as events from './demos-events.mjs'
import * as joints from './demos-joints.mjs'
import * as many from './demos-many.mjs'
import * as shapes from './demos-shapes.mjs'
import { Box, h, seen } from './kit.mjs'

/** @type {Record<string, any>} */
const demos = { ...bodies, ...events, ...joints, ...many, ...shapes }
const query = new URLSearchParams(location.search)
const name = query.get('demo') ?? 'AllShapes'
const [x, y, z] = (query.get('camera') ?? '2,0,26').split(',').map(Number)

function Floor() {
  return h(
    RigidBody,
    { type: 'fixed', colliders: 'cuboid', name: 'floor' },
    h(Box, { position: [0, -17.55, 0], scale: [200, 10, 200], color: '#789' }),
  )
}

function Probe() {
  const { world } = useRapier()
  const { camera, scene, gl } = useThree()
  useEffect(() => {
    seen.world = world
    seen.scene = scene
    camera.position.set(x, y, z)
    camera.lookAt(x, -4, 0)
    seen.draw = () => gl.render(scene, camera)
  }, [camera])
  return null
}

function App() {
  const [props, setProps] = useState({})
  seen.setPhysics = setProps
  const { key, isGone, ...physics } = /** @type {any} */ (props)
  const Demo = demos[name]
  return h(
    Canvas,
    { shadows: true, dpr: 1, camera: { fov: 50 } },
    h(
      StrictMode,
      null,
      h('color', { attach: 'background', args: ['#cde'] }),
      h('hemisphereLight', { args: ['#fff', '#667', 1.2] }),
      h('directionalLight', {
        ...{ castShadow: true, position: [10, 20, 10], intensity: 2 },
        ...{ 'shadow-camera-bottom': -40, 'shadow-camera-top': 40 },
        ...{ 'shadow-camera-left': -40, 'shadow-camera-right': 40, 'shadow-bias': -0.0005 },
      }),
      !isGone &&
        h(
          Suspense,
          { fallback: null },
          h(
            Physics,
            { key, debug: query.has('debug'), paused: query.has('paused'), ...physics },
            h(Probe),
            h(Demo),
            query.has('no-floor') ? null : h(Floor),
          ),
        ),
    ),
  )
}

createRoot(/** @type {Element} */ (document.getElementById('root'))).render(
  h(StrictMode, null, h(App)),
)
