import { MathUtils } from 'three'
import { RapierWorld, WorldSnapshot } from '../../rapier/index.mjs'
import { ParentFrames } from './parent-frames.mjs'

/** @import { WorldOptions } from '../../index.mjs' */
/** @import { BodyHost } from './body-host.mjs' */

/** Seconds that a frame simulates at the most, as @react-three/rapier has it: after a pause nothing leaps. */
const LONGEST_FRAME = 0.5

/** @typedef {(world: RapierWorld) => void} StepCallback */

/** A world that is stepped with the frames, and the objects that show it. */
export class Simulation {
  world
  /** Mounted RigidBodies. @type {Set<BodyHost>} */
  hosts = new Set()
  /** @type {Set<{ current: StepCallback }>} */
  beforeStepCallbacks = new Set()
  /** @type {Set<{ current: StepCallback }>} */
  afterStepCallbacks = new Set()
  /** What is to be seen to before a frame is simulated. @type {Set<() => void>} */
  keepers = new Set()
  /** @type {{ timeStep: number | 'vary', paused: boolean, interpolate: boolean }} */
  settings = { timeStep: 1 / 60, paused: false, interpolate: true }

  #frames = new ParentFrames()
  #poses = new Float32Array(0)

  /** @param {Partial<WorldOptions>} options */
  constructor(options) {
    this.world = new RapierWorld(options)
  }

  /**
   * Simulates seconds, in steps of `timeStep`, and draws where everything is then.
   * @param {number} seconds
   */
  step = (seconds) => {
    for (const keep of this.keepers) keep()
    this.#advance(MathUtils.clamp(seconds, 0, LONGEST_FRAME))
    this.draw()
    this.world.events.tell()
  }

  /** @param {number} seconds */
  #advance(seconds) {
    const { raw } = this.world
    const { timeStep } = this.settings
    if (timeStep === 'vary') {
      this.#beforeStep(seconds)
      raw.step(seconds)
      raw.resetInterpolation()
      return this.#afterStep()
    }
    const maxSteps = Math.ceil(LONGEST_FRAME / timeStep) + 1
    const [beforeStep, afterStep] = [() => this.#beforeStep(timeStep), () => this.#afterStep()]
    raw.advance(seconds, { fixedDt: timeStep, maxSteps, beforeStep, afterStep, interpolate: true })
  }

  /** @param {number} seconds */
  #beforeStep(seconds) {
    this.world.timestep = seconds
    for (const { current } of this.beforeStepCallbacks) current(this.world)
    this.world.prepare()
  }

  #afterStep() {
    this.world.finish()
    for (const { current } of this.afterStepCallbacks) current(this.world)
  }

  /** Puts all objects where their bodies are. */
  draw() {
    const poses = this.#visiblePoses()
    this.#frames.begin()
    for (const host of this.hosts) host.draw(poses, this.#frames)
  }

  /** Between the last two steps, unless somebody wants the last one. */
  #visiblePoses() {
    const { raw } = this.world
    const { interpolate, paused, timeStep } = this.settings
    if (!interpolate || paused || timeStep === 'vary') return raw.transforms
    const { length } = raw.transforms
    if (this.#poses.length < length) this.#poses = new Float32Array(2 * length)
    return raw.interpolate(this.#poses)
  }

  /**
   * Takes the world back to a snapshot. Bodies that it has are the same ones.
   * @param {WorldSnapshot | RapierWorld} snapshot of `rapier.World.restoreSnapshot`
   */
  setWorld = (snapshot) => {
    if (!(snapshot instanceof WorldSnapshot)) {
      throw new TypeError('setWorld: it takes what rapier.World.restoreSnapshot gives')
    }
    this.world.restore(snapshot.bytes)
    for (const host of this.hosts) host.redraw()
    this.draw()
  }
}
