/**
 * One run of one scene: the world and time.
 *
 * Real time is spent by `world.advance`. If steps take longer than the time they simulate, the debt is dropped: the scene
 * then runs slower, the page does not.
 */
import { World } from 'moreau'
import { openWorld, SceneRun } from '../../scenarios/index.mjs'

/** @typedef {import('../../scenarios/scene.mjs').Scene} Scene */
/** @typedef {import('moreau').Body} Body */
/** @typedef {ReturnType<World['createVehicle']>} Vehicle */
/** @typedef {import('moreau').WorldOptions} WorldOptions */

/** s of a frame that steps may take: what is left of 16.7 ms draws. */
const STEP_BUDGET = 0.011
/** Steps of a frame at the most: the budget ends them sooner. */
const MOST_STEPS = 1e6
/** s that one can go back, and bytes that this may take: many bodies that move take some 30 MB per second. */
const HISTORY = { seconds: 60, memory: 150e6 }
/** s of real time that one frame may stand for: after a pause of the browser nothing jumps. */
const LONGEST_FRAME = 0.1

export class Simulation {
  /** Bodies of the scene that one should see through. @type {ReadonlySet<number>} ids */
  glass
  /** Vehicles of the scene, whose wheels are no bodies. @type {readonly Vehicle[]} */
  vehicles
  /** Body of the scene that the camera goes along with. @type {Body | null} */
  leader
  /** Simulated seconds per real second that are asked for. */
  speed = 1
  /** Called before each step: the place to apply forces. @type {((timeStep: number) => void) | null} */
  beforeStep = null

  #run
  #isDisturbed = false
  // Whether the checks speak about the step that is being made.
  #isStepChecked = false
  #history
  // The frame that the scene began with.
  #start
  // As far as steps were made before somebody went back: how many, and the hash of the world then.
  #reached = { steps: 0, hash: '' }
  #options

  /**
   * @param {Scene} scene
   * @param {World} world empty
   * @param {number} timeStep s
   * @param {() => number} now ms, the clock
   */
  constructor(scene, world, timeStep, now) {
    this.scene = scene
    this.world = world
    this.timeStep = timeStep
    // The read-outs look at the certificate by themselves
    this.#run = new SceneRun(world, scene, { timeStep, residualInterval: 0, now })
    this.glass = new Set(
      Array.from(this.#run.things?.glass ?? [], (/** @type {Body} */ body) => body.id),
    )
    this.vehicles = /** @type {Vehicle[]} */ (this.#run.things?.vehicles ?? [])
    this.leader = this.#run.things?.leader ?? null
    this.#options = {
      fixedDt: timeStep,
      maxSteps: MOST_STEPS,
      timeBudget: STEP_BUDGET,
      beforeStep: () => this.#beginStep(),
      afterStep: () => this.#endStep(),
      interpolate: true,
      now,
    }
    this.#start = world.stepCount
    this.#history = world.history(HISTORY)
    this.settle()
  }

  /**
   * @param {Scene} scene
   * @param {WorldOptions} settings on top of the scene's own
   * @param {object} [options]
   * @param {number} [options.timeStep] s, instead of the scene's own
   * @param {() => number} [options.now] ms, the clock that says how long steps take
   */
  static async create(scene, settings, options = {}) {
    const { timeStep = scene.timeStep, now = () => performance.now() } = options
    // Who wrote a file may want advice about it. The scenes need none, and steps that were asked for by the
    // hundred, without a picture between them, look like a view that was kept.
    const advice = scene.open ? {} : { warnings: false }
    const world = await openWorld(World, scene, { ...advice, ...settings })
    try {
      return new Simulation(scene, world, timeStep, now)
    } catch (error) {
      world.free()
      throw error
    }
  }

  /** ms that the last step took. */
  get stepTime() {
    return this.#run.lastStepTime
  }

  /** Whether the last `advance` could not keep up. */
  get late() {
    return this.world.isLate
  }

  /** Transforms before the last step, laid out as `world.transforms`. */
  get before() {
    return this.world.previousTransforms
  }

  /** Where between the last two states the present lies, 0 to 1. */
  get interpolation() {
    return this.world.interpolation
  }

  /**
   * Where a body is in the picture.
   *
   * @param {Body} body
   * @returns {number[]} m
   */
  placeOf(body) {
    const { before, interpolation } = this
    const { transforms } = this.world
    return [0, 1, 2].map((axis) => {
      const at = 8 * body.index + axis
      return before[at] + interpolation * (transforms[at] - before[at])
    })
  }

  /**
   * Takes the steps that a stretch of real time asks for.
   *
   * @param {number} seconds of real time
   * @returns {number} steps taken
   */
  advance(seconds) {
    return this.world.advance(Math.min(seconds, LONGEST_FRAME) * this.speed, this.#options)
  }

  /** Takes one step, and shows the state after it. */
  step() {
    this.#beginStep()
    this.world.step(this.timeStep)
    this.#endStep()
    this.settle()
  }

  /** @returns {import('./time-line.mjs').TimeLineState} */
  get timeLine() {
    const { first, last } = this.#history.frames
    const end = this.#start + Math.round(this.scene.duration / this.timeStep)
    return { first, last, present: this.world.stepCount, end }
  }

  /**
   * Shows the state after a step that was made. Going on from there, the checks speak again when they have come as
   * far as they were.
   *
   * @param {number} frame as in `timeLine`
   */
  seek(frame) {
    const steps = this.#run.stepIndex
    if (steps > this.#reached.steps) this.#reached = { steps, hash: this.world.hash() }
    this.#history.seek(frame)
    this.#run.stepIndex = frame - this.#start
  }

  /**
   * How the scene's checks stand. They look at steps as these are made, and at none once the scene is over or was
   * disturbed, so it does not matter when they are asked.
   */
  readChecks() {
    return this.#run.readChecks()
  }

  /** Whether somebody pulled a body: the checks speak of a scene that is left alone. */
  get isDisturbed() {
    return this.#isDisturbed
  }

  disturb() {
    this.#isDisturbed = true
  }

  /** Shows the state as it is, not something between it and the one before. */
  settle() {
    this.world.resetInterpolation()
  }

  free() {
    this.world.free()
  }

  #endStep() {
    this.#run.endStep(this.#isStepChecked)
    const { steps, hash } = this.#reached
    if (this.#run.stepIndex !== steps || this.#isDisturbed) return
    // What drives the scene from outside of the world may not have gone back with it.
    if (this.world.hash() !== hash) this.#isDisturbed = true
  }

  #beginStep() {
    this.beforeStep?.(this.timeStep)
    this.#isStepChecked = this.#isChecked
    this.#run.beginStep()
  }

  /** Whether a step still belongs to what the checks speak about. */
  get #isChecked() {
    const { time, stepIndex } = this.#run
    const isNew = stepIndex >= this.#reached.steps
    return !this.#isDisturbed && isNew && time < this.scene.duration + this.timeStep
  }
}
