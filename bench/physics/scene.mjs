/**
 * What a measurement of physics is made of: a scene, which is the same for every engine, and its run, step by step.
 */
import { STATE, Unsupported } from '../engines/engine.mjs'
import { NO_ROTATION, SceneBuilder, TIME_STEP } from '../scenes/description.mjs'

/** @typedef {import('../engines/engine.mjs').Engine} Engine */
/** @typedef {import('../engines/engine.mjs').Simulation} Simulation */
/** @typedef {import('../engines/engine.mjs').Controls} Controls */
/** @typedef {import('../scenes/description.mjs').Description} Description */
/** @typedef {import('../scenes/description.mjs').BodyDescription} BodyDescription */
/** @typedef {import('../scenes/description.mjs').JointDescription} JointDescription */
/** @typedef {import('../scenes/description.mjs').PotentialDescription} PotentialDescription */
/** @typedef {import('../scenes/description.mjs').ShapeDescription} ShapeDescription */
/** @typedef {import('../../scenarios/vector.mjs').Vector} Vector */
/** @typedef {import('../../scenarios/vector.mjs').Quaternion} Quaternion */

/**
 * What a scene measures.
 *
 * @typedef {object} Outcome
 * @property {number} value the figure that the goal is about; NaN where the engine lost the bodies
 * @property {string} [note] what else is worth to be read beside it
 */

/** @typedef {Partial<Omit<BodyDescription, 'shape' | 'position'>>} BodyOptions */

/** Fills in a scene. Nothing is damped but by friction, whatever an engine does by default. */
export class Scene extends SceneBuilder {
  /** @param {Vector} [gravity] m/s²; by default that of all scenes */
  constructor(gravity) {
    super('physics', '', 'stands', 0)
    if (gravity) this.description.gravity = gravity
  }

  /**
   * @param {ShapeDescription | number} shape or its index
   * @param {Vector} position
   * @param {BodyOptions} [options]
   * @returns {number} the body's slot
   */
  add(shape, position, options = {}) {
    const slot = this.body(typeof shape === 'number' ? shape : this.shape(shape), position)
    Object.assign(this.description.bodies[slot], { undamped: true, ...options })
    return slot
  }

  /**
   * @param {Vector} halfExtents
   * @param {Vector} position
   * @param {BodyOptions} [options]
   */
  box(halfExtents, position, options) {
    return this.add({ type: 'box', halfExtents }, position, options)
  }

  /**
   * @param {number} radius
   * @param {Vector} position
   * @param {BodyOptions} [options]
   */
  sphere(radius, position, options) {
    return this.add({ type: 'sphere', radius }, position, options)
  }

  /**
   * A wide slab whose top is y = 0, so thick that nothing gets through.
   *
   * @param {BodyOptions} [options]
   */
  ground(options) {
    return this.box([100, 5, 100], [0, -5, 0], { fixed: true, ...options })
  }

  /**
   * A body that holds what hangs on it and touches nothing.
   *
   * @param {Vector} position
   */
  anchor(position) {
    return this.box([0.01, 0.01, 0.01], position, { fixed: true })
  }

  /**
   * @param {'ball' | 'fixed' | 'hinge'} type
   * @param {number} bodyA
   * @param {number} bodyB
   * @param {Vector} anchor
   * @param {Vector} [axis] of a hinge
   */
  join(type, bodyA, bodyB, anchor, axis = [1, 0, 0]) {
    this.description.joints.push({ type, bodyA, bodyB, anchor, axis, limits: null })
  }

  /** @param {PotentialDescription} potential */
  attract(potential) {
    ;(this.description.potentials ??= []).push(potential)
  }
}

/**
 * @typedef {object} State of a body
 * @property {Vector} position
 * @property {Quaternion} orientation
 * @property {Vector} velocity m/s
 * @property {Vector} spin rad/s
 */

/** A scene that runs in an engine. */
export class Experiment {
  time = 0
  #simulation
  #out = new Float64Array(STATE)

  /**
   * @param {Engine} engine
   * @param {{ description: Description }} scene
   * @param {{ sleep?: boolean, world?: Record<string, unknown> }} [options] whether bodies may fall asleep; options of
   *   Moreau's world
   */
  static async start(engine, { description }, { sleep = false, world = {} } = {}) {
    const simulation = await engine.create(description, { sleep, world })
    if (!('readState' in simulation)) throw new Unsupported('its adapter has no controls')
    return new Experiment(/** @type {Simulation & Controls} */ (simulation), description)
  }

  /**
   * @param {Simulation & Controls} simulation
   * @param {Description} description
   */
  constructor(simulation, description) {
    this.#simulation = simulation
    this.description = description
    /** Slots of the bodies that move by themselves. */
    this.moving = [...description.bodies.keys()].filter((slot) => {
      const { fixed, kinematic } = description.bodies[slot]
      return !fixed && !kinematic
    })
  }

  get controls() {
    return this.#simulation
  }

  /** For measurements of many scenes; a process ends with its last one. */
  free() {
    this.#simulation.free()
  }

  /** @param {number} [dt] s */
  step(dt = TIME_STEP) {
    this.#simulation.step(dt)
    this.time += dt
  }

  /**
   * @param {number} seconds
   * @param {(experiment: this) => unknown} [eachStep] called after each step; `false` ends the run
   * @param {number} [dt] s
   */
  run(seconds, eachStep = () => undefined, dt = TIME_STEP) {
    const steps = Math.round(seconds / dt)
    for (let step = 0; step < steps; step++) {
      this.step(dt)
      if (eachStep(this) === false) return
    }
  }

  /**
   * @param {number} slot
   * @returns {State}
   */
  state(slot) {
    this.#simulation.readState(slot, this.#out)
    const [x, y, z, qx, qy, qz, qw, vx, vy, vz, wx, wy, wz] = this.#out
    return {
      position: [x, y, z],
      orientation: [qx, qy, qz, qw],
      velocity: [vx, vy, vz],
      spin: [wx, wy, wz],
    }
  }
}

export { NO_ROTATION, TIME_STEP }
