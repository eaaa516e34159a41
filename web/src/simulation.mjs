/**
 * One run of one scene: the world and time.
 *
 * Time moves in steps of fixed length, whatever the display does. Real time is collected in an accumulator and spent in
 * whole steps; what is left is the fraction by which the picture is interpolated between the last two states. If steps
 * take longer than the time they simulate, the debt is dropped: the scene then runs slower, the page does not.
 */
import { World } from 'moreau'
import { SceneRun } from '../../scenarios/index.mjs'

/** @typedef {import('../../scenarios/scene.mjs').Scene} Scene */
/** @typedef {import('moreau').Body} Body */
/** @typedef {import('moreau').WorldOptions} WorldOptions */

/** ms of a frame that steps may take: what is left of 16.7 ms draws. */
const STEP_BUDGET = 11
/** s of real time that one frame may stand for: after a pause of the browser nothing jumps. */
const LONGEST_FRAME = 0.1

export class Simulation {
  /** Bodies of the scene that one should see through. @type {ReadonlySet<number>} ids */
  glass
  /** Simulated seconds per real second that are asked for. */
  speed = 1
  /** Whether the last `advance` could not keep up. */
  late = false
  /** Called before each step: the place to apply forces. @type {((timeStep: number) => void) | null} */
  beforeStep = null

  #run
  #now
  #isDisturbed = false
  /** Transforms of the state before the last step. */
  #before = new Float32Array(0)
  #accumulator = 0

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
    this.#now = now
    // The read-outs look at the certificate by themselves
    this.#run = new SceneRun(world, scene, { timeStep, residualInterval: 0, now })
    this.glass = new Set(
      Array.from(this.#run.things?.glass ?? [], (/** @type {Body} */ body) => body.id),
    )
    this.checks = this.#run.report().checks
    this.#keepBefore()
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
    const world = await World.create({ ...scene.options, ...settings })
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

  /** Transforms before the last step, laid out as `world.transforms`. */
  get before() {
    return this.#before
  }

  /** Where between the last two states the present lies, 0 to 1. */
  get interpolation() {
    return this.#accumulator / this.timeStep
  }

  /**
   * Takes the steps that a stretch of real time asks for.
   *
   * @param {number} seconds of real time
   * @returns {number} steps taken
   */
  advance(seconds) {
    this.#accumulator += Math.min(seconds, LONGEST_FRAME) * this.speed
    const start = this.#now()
    let steps = 0
    this.late = false
    while (this.#accumulator >= this.timeStep) {
      this.step()
      this.#accumulator -= this.timeStep
      steps += 1
      if (this.#now() - start > STEP_BUDGET && this.#accumulator >= this.timeStep) {
        this.late = true
        this.#accumulator %= this.timeStep
      }
    }
    return steps
  }

  /** Takes one step. */
  step() {
    this.beforeStep?.(this.timeStep)
    this.#keepBefore()
    if (this.#isChecked) this.#run.step()
    else this.#run.stepUnchecked()
  }

  /** How the scene's checks stand: as they stood before, once it is over or was disturbed. */
  readChecks() {
    if (this.#isChecked) this.checks = this.#run.report().checks
    return this.checks
  }

  /** Whether somebody pulled a body: the checks speak of a scene that is left alone. */
  get isDisturbed() {
    return this.#isDisturbed
  }

  disturb() {
    if (this.#isDisturbed) return
    this.readChecks()
    this.#isDisturbed = true
  }

  /** Shows the state as it is, not something between it and the one before. */
  settle() {
    this.#accumulator = 0
    this.#keepBefore()
  }

  free() {
    this.world.free()
  }

  #keepBefore() {
    const { transforms } = this.world
    if (this.#before.length !== transforms.length) {
      this.#before = new Float32Array(transforms.length)
    }
    this.#before.set(transforms)
  }

  /** Whether a step still belongs to what the checks speak about. */
  get #isChecked() {
    return !this.#isDisturbed && this.#run.time < this.scene.duration + this.timeStep
  }
}
