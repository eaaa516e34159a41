/**
 * Runs a scene, evaluates its checks after every step and reports.
 *
 *     const report = await runScene(World, sceneByName('pour'), { seconds: 10 })
 *
 * The engine is passed in: tests, command line and page each bring their own.
 */
import { hasSubsteps } from './solver-choices.mjs'
import { StepTimes } from './step-times.mjs'

/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').WorldOptions} WorldOptions */
/** @typedef {import('./scene.mjs').Scene} Scene */
/** @typedef {import('./scene.mjs').SceneCheck<any>} SceneCheck */
/** @typedef {import('./vector.mjs').Vector} Vector */

/**
 * What became of a check.
 *
 * @typedef {object} CheckReport
 * @property {string} name
 * @property {string} description
 * @property {string} unit
 * @property {number} tolerance
 * @property {number | null} worst largest error; null if the run ended before the check began
 * @property {number | null} at s, when the error was largest
 * @property {boolean | null} passed null if the run ended before the check began
 */

/**
 * @typedef {object} SceneReport
 * @property {string} scene
 * @property {number} seconds simulated
 * @property {number} steps
 * @property {number} timeStep s
 * @property {number} bodies
 * @property {{ start: number, end: number, kinetic: number, potential: number }} energy total at the start and at the end,
 *   and what the end is made of, J
 * @property {{ linear: Vector, angular: Vector }} momentum at the end
 * @property {number} worstResidual m/s: the worst certificate of all steps that were looked at
 * @property {{ worst: number, end: number }} penetration m
 * @property {import('./step-times.mjs').Times} stepTime ms
 * @property {string} hash of the final state
 * @property {boolean} passed no check failed
 * @property {CheckReport[]} checks
 */

/** Above so many bodies the certificate, which costs about as much as a step, is taken every tenth step only. */
const MANY_BODIES = 50
const RESIDUAL_INTERVAL = 10

/** A scene on its way: `step()` as often as you like, `report()` at any time. */
export class SceneRun {
  /** ms that the last step took. */
  lastStepTime = 0

  #started
  #timeStep
  #now
  #checks
  #stepTimes = new StepTimes()
  #stepBegan = 0
  #worstResidual = 0
  #worstPenetration = 0
  #residualInterval
  // Filled anew after each step.
  #stats
  #residual

  /**
   * Fills an empty world with a scene.
   *
   * @param {World} world
   * @param {Scene} scene
   * @param {object} [options]
   * @param {number} [options.timeStep] s, instead of the scene's
   * @param {number} [options.residualInterval] steps from one look at the certificate to the next, 0 for never
   * @param {() => number} [options.now] ms, the clock that times the steps
   */
  constructor(world, scene, options = {}) {
    const { timeStep = scene.timeStep, now = () => performance.now() } = options
    this.world = world
    this.scene = scene
    this.things = scene.setup(world)
    this.stepIndex = 0
    this.#timeStep = timeStep
    this.#now = now
    this.#started = { energy: world.energy(), momentum: world.momentum() }
    const isSoft = hasSubsteps(world.solver)
    this.#checks = scene.checks
      .filter(({ softTolerance }) => !(isSoft && softTolerance === null))
      .map((check) => new RunningCheck(check, isSoft, scene.duration, timeStep))
    this.#stats = world.stats
    this.#residual = world.residual()
    this.#residualInterval =
      options.residualInterval ?? (this.#stats.bodies > MANY_BODIES ? RESIDUAL_INTERVAL : 1)
  }

  /** Time since the start of the scene, s. */
  get time() {
    return this.stepIndex * this.#timeStep
  }

  /** Makes one step and evaluates the checks. */
  step() {
    this.beginStep()
    this.world.step(this.#timeStep)
    this.endStep()
  }

  /** Comes before a step that somebody else makes, `world.advance` for example. */
  beginStep() {
    this.scene.beforeStep?.(this.world, this.things, this.#timeStep)
    this.#stepBegan = this.#now()
  }

  /**
   * Comes after such a step.
   * @param {boolean} [isChecked] false: the checks do not speak about it, the scene is over or somebody had a hand in it
   */
  endStep(isChecked = true) {
    this.lastStepTime = this.#now() - this.#stepBegan
    this.#stepTimes.add(this.lastStepTime)
    this.stepIndex++
    if (isChecked) this.#check()
  }

  #check() {
    const { world } = this
    const { maxPenetration } = world.readStats(this.#stats)
    this.#worstPenetration = Math.max(this.#worstPenetration, maxPenetration)
    if (this.#residualInterval > 0 && this.stepIndex % this.#residualInterval === 0) {
      const { worst } = world.readResidual(this.#residual)
      this.#worstResidual = Math.max(this.#worstResidual, worst)
    }
    const context = {
      world,
      things: this.things,
      time: this.time,
      timeStep: this.#timeStep,
      stepIndex: this.stepIndex,
      start: this.#started,
    }
    for (const check of this.#checks) check.evaluate(context)
  }

  /**
   * How the checks stand.
   *
   * @returns {CheckReport[]}
   */
  readChecks() {
    return this.#checks.map((check) => check.report())
  }

  /**
   * What there is to say so far.
   *
   * @returns {SceneReport}
   */
  report() {
    const { world } = this
    const energy = world.energy()
    const momentum = world.momentum()
    const checks = this.readChecks()
    return {
      scene: this.scene.name,
      seconds: this.time,
      steps: this.stepIndex,
      timeStep: this.#timeStep,
      bodies: world.stats.bodies,
      energy: {
        start: this.#started.energy.total,
        end: energy.total,
        kinetic: energy.kinetic,
        potential: energy.potential,
      },
      momentum: { linear: momentum.linear, angular: momentum.angular },
      worstResidual: this.#worstResidual,
      penetration: { worst: this.#worstPenetration, end: world.stats.maxPenetration },
      stepTime: this.#stepTimes.summary(),
      hash: world.hash(),
      passed: checks.every((check) => check.passed !== false),
      checks,
    }
  }
}

/**
 * The world that a scene begins with.
 *
 * @param {import('./scene.mjs').WorldClass} World the engine's class
 * @param {Scene} scene
 * @param {WorldOptions} [worldOptions] on top of the scene's
 * @returns {Promise<World>}
 */
export async function openWorld(World, scene, worldOptions) {
  const options = { ...scene.options, ...worldOptions }
  if (scene.open === undefined) return World.create(options)
  // The first world loads the engine.
  const first = await World.create()
  first.free()
  return scene.open(World, options)
}

/**
 * Runs a scene to its end.
 *
 * @param {import('./scene.mjs').WorldClass} World the engine's class
 * @param {Scene} scene
 * @param {object} [options]
 * @param {number} [options.seconds] to simulate, default the scene's duration
 * @param {number} [options.timeStep] s, default the scene's
 * @param {WorldOptions} [options.worldOptions] on top of the scene's
 * @param {number} [options.residualInterval] steps from one look at the certificate to the next
 * @param {(run: SceneRun, steps: number) => void} [options.onStep] called after each of `steps` steps
 * @returns {Promise<SceneReport>}
 */
export async function runScene(World, scene, options = {}) {
  const { seconds = scene.duration, timeStep = scene.timeStep, residualInterval, onStep } = options
  const world = await openWorld(World, scene, options.worldOptions)
  try {
    const run = new SceneRun(world, scene, {
      timeStep,
      ...(residualInterval === undefined ? {} : { residualInterval }),
    })
    const steps = stepsIn(seconds, timeStep)
    while (run.stepIndex < steps) {
      run.step()
      onStep?.(run, steps)
    }
    return run.report()
  } finally {
    world.free()
  }
}

/**
 * Steps that it takes to simulate a time: rounded up, but a hair more than a whole number is that number.
 *
 * @param {number} seconds
 * @param {number} timeStep s
 * @returns {number}
 */
const stepsIn = (seconds, timeStep) => Math.ceil(seconds / timeStep - 1e-6)

/** A check and what it has seen so far. */
class RunningCheck {
  #check
  #tolerance
  #from
  #to
  #previous = {}
  /** @type {number | null} */
  #worst = null
  /** @type {number | null} */
  #at = null

  /**
   * @param {SceneCheck} check
   * @param {boolean} isSoft whether soft-step solves
   * @param {number} duration s, of the scene
   * @param {number} timeStep s
   */
  constructor(check, isSoft, duration, timeStep) {
    this.#check = check
    this.#tolerance = (isSoft ? check.softTolerance : null) ?? check.tolerance
    // As steps, so that no rounding of times decides what is looked at.
    this.#from = stepsIn(check.from ?? 0, timeStep)
    this.#to = stepsIn(check.to ?? duration, timeStep)
  }

  /** @param {Omit<import('./scene.mjs').CheckContext<any>, 'previous'>} context */
  evaluate(context) {
    if (context.stepIndex < this.#from || context.stepIndex > this.#to) return
    const error = this.#check.error({ ...context, previous: this.#previous })
    // Not a number is worse than everything, and stays.
    if (this.#worst === null || !(error <= this.#worst)) {
      if (Number.isNaN(this.#worst)) return
      this.#worst = error
      this.#at = context.time
    }
  }

  /** @returns {CheckReport} */
  report() {
    const { name, description, unit } = this.#check
    const tolerance = this.#tolerance
    return {
      name,
      description,
      unit,
      tolerance,
      worst: this.#worst,
      at: this.#at,
      passed: this.#worst === null ? null : this.#worst <= tolerance,
    }
  }
}
