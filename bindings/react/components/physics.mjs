import { useFrame, useThree } from '@react-three/fiber'
import { createElement, use, useCallback, useLayoutEffect, useMemo, useState } from 'react'
import { init } from '../../index.mjs'
import { rapier, triple, warnOnce } from '../../rapier/index.mjs'
import { useMounted } from '../hooks/mounted.mjs'
import { useAnimationFrames } from '../hooks/animation-frames.mjs'
import { physicsContext } from './context.mjs'
import { Debug } from './debug.mjs'
import { Simulation } from './simulation.mjs'

/** @import { ReactNode } from 'react' */
/** @import { WorldOptions } from '../../index.mjs' */
/** @import { FilterContactPair, FilterIntersectionPair } from '../../rapier/pair-rules.mjs' */
/** @import { RapierWorld } from '../../rapier/world.mjs' */
/** @import { WorldSnapshot } from '../../rapier/namespace.mjs' */
/** @import { VectorInput } from '../../rapier/vectors.mjs' */
/** @import { AutoCollider } from './auto-colliders.mjs' */

/**
 * @typedef {object} PhysicsProps
 * @property {ReactNode} [children]
 * @property {VectorInput} [gravity] m/s²; `[0, -9.81, 0]`
 * @property {AutoCollider | false} [colliders] of meshes in bodies that do not say it; `'cuboid'`
 * @property {number | 'vary'} [timeStep] seconds; `'vary'`: as long as the frames are; 1/60
 * @property {boolean} [paused] false
 * @property {boolean} [interpolate] whether objects are shown between the last two steps; true
 * @property {number} [updatePriority] of `useFrame`
 * @property {'follow' | 'independent'} [updateLoop] with the frames of fiber, or with those of the browser; `'follow'`
 * @property {boolean} [debug] whether lines show the world; false
 * @property {number} [numSolverIterations] substeps of each step; 4
 * @property {number} [contactNaturalFrequency] Hz, how stiff contacts are; 30
 * @property {number} [allowedLinearError] metres of overlap that is left alone; default: as Moreau has it
 * @property {number} [lengthUnit] how big things are; 1
 * @property {number} [numInternalPgsIterations] Moreau has none
 * @property {number} [predictionDistance] Moreau has none
 * @property {number} [minIslandSize] Moreau has none
 * @property {number} [maxCcdSubsteps] Moreau has none
 * @property {Partial<WorldOptions>} [world] ours: all options of a `World`
 */

/**
 * What `useRapier` gives.
 * @typedef {object} PhysicsContext
 * @property {typeof rapier} rapier
 * @property {RapierWorld} world
 * @property {(snapshot: WorldSnapshot) => void} setWorld
 * @property {(seconds: number) => void} step
 * @property {boolean} isPaused
 * @property {boolean} isDebug
 * @property {{ colliders: AutoCollider | false, gravity: VectorInput }} physicsOptions
 * @property {Simulation['beforeStepCallbacks']} beforeStepCallbacks
 * @property {Simulation['afterStepCallbacks']} afterStepCallbacks
 * @property {Set<{ current: FilterContactPair }>} filterContactPairHooks
 * @property {Set<{ current: FilterIntersectionPair }>} filterIntersectionPairHooks
 * @property {Simulation} simulation ours
 */

/** Metres, m/s: what of Moreau's defaults depends on how big things are. */
const SLEEP_THRESHOLD = 0.05
const CORRECTION_SPEED = 3

/** Props that say how Rapier works and not what it computes, and their defaults. */
const WITHOUT_EQUAL = Object.freeze({
  ...{ numInternalPgsIterations: 1, predictionDistance: 0.002, minIslandSize: 128 },
  maxCcdSubsteps: 1,
})

/** The load that all wait for; another one after it failed. @type {Promise<void> | undefined} */
let loading

function engine() {
  loading ??= init().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

/**
 * A world, and all that is simulated in it. It suspends until the engine is loaded.
 * @param {PhysicsProps} props
 */
export function Physics(props) {
  use(engine())
  const { colliders = 'cuboid', gravity = [0, -9.81, 0], children } = props
  const { timeStep = 1 / 60, paused = false, interpolate = true, debug = false } = props
  const options = optionsOf(props)
  const [simulation] = useState(() => new Simulation(options))
  const { world } = simulation
  simulation.settings = { timeStep, paused, interpolate }

  useLayoutEffect(() => world.configure(options), [JSON.stringify(options)])
  useMounted(
    () => void world.open(),
    () => world.free(),
  )

  const [x, y, z] = triple(gravity)
  const context = useMemo(
    () => ({
      ...{ rapier, world, simulation, setWorld: simulation.setWorld, step: simulation.step },
      ...{ isPaused: paused, isDebug: debug },
      physicsOptions: { colliders, gravity: triple([x, y, z]) },
      beforeStepCallbacks: simulation.beforeStepCallbacks,
      afterStepCallbacks: simulation.afterStepCallbacks,
      filterContactPairHooks: world.rules.contactHooks,
      filterIntersectionPairHooks: world.rules.intersectionHooks,
    }),
    [simulation, paused, debug, colliders, x, y, z],
  )

  const { updateLoop = 'follow', updatePriority } = props
  const Loop = updateLoop === 'independent' ? BrowserLoop : FiberLoop
  return createElement(
    physicsContext.Provider,
    { value: context },
    createElement(Loop, { simulation, updatePriority }),
    debug ? createElement(Debug) : null,
    children,
  )
}

/**
 * Options of the world. What has no equal is said once.
 * @param {PhysicsProps} props
 * @returns {Partial<WorldOptions>}
 */
function optionsOf(props) {
  for (const [name, usual] of Object.entries(WITHOUT_EQUAL)) {
    const value = /** @type {Record<string, unknown>} */ (props)[name]
    if (value !== undefined && value !== usual) {
      warnOnce(name, `Physics: ${name} has no equal in Moreau, and does nothing`)
    }
  }
  const { gravity = [0, -9.81, 0], numSolverIterations = 4, lengthUnit = 1 } = props
  const { allowedLinearError, contactNaturalFrequency = 30, world = {} } = props
  return {
    ...{ gravity: triple(gravity), substeps: numSolverIterations },
    contactHertz: contactNaturalFrequency,
    ...(allowedLinearError !== undefined && { linearSlop: allowedLinearError * lengthUnit }),
    sleepThreshold: SLEEP_THRESHOLD * lengthUnit,
    maxCorrectionSpeed: CORRECTION_SPEED * lengthUnit,
    ...world,
  }
}

/** @typedef {{ simulation: Simulation, updatePriority: number | undefined }} LoopProps */

/** @param {LoopProps} props */
function FiberLoop({ simulation, updatePriority }) {
  const step = useStep(simulation)
  useFrame((_, seconds) => step(seconds), updatePriority)
  return null
}

/** @param {LoopProps} props */
function BrowserLoop({ simulation }) {
  useAnimationFrames(useStep(simulation))
  return null
}

/** @param {Simulation} simulation @returns {(seconds: number) => void} a frame of it */
function useStep(simulation) {
  const invalidate = useThree((state) => state.invalidate)
  return useCallback(
    (/** @type {number} */ seconds) => {
      if (!simulation.settings.paused) simulation.step(seconds)
      else simulation.draw()
      // Where frames are drawn on demand, what moves demands them.
      if (simulation.world.raw.awakeCount > 0) invalidate()
    },
    [simulation, invalidate],
  )
}
