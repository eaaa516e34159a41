import { POSE, slotCount } from '../engines/engine.mjs'

/** @typedef {import('../engines/engine.mjs').Simulation} Simulation */
/** @typedef {import('../scenes/description.mjs').Description} Description */
/** @typedef {import('../scenes/description.mjs').BodyDescription} BodyDescription */

/** A simulation that makes its steps, with the bodies that come and go. */
export class Run {
  #simulation
  #churn
  #castShape
  #characters
  #listens
  #firstSlot
  #steps = 0
  #created = 0
  #destroyed = 0
  /** How many bodies there were after each step. @type {number[]} */
  #createdAt = []

  /**
   * @param {Simulation} simulation
   * @param {Description} description
   */
  constructor(simulation, description) {
    const { bodies, castShape, characters = [], churn, listens = false } = description
    this.#simulation = simulation
    this.#churn = churn
    this.#castShape = castShape
    this.#characters = characters
    this.#listens = listens
    this.#firstSlot = bodies.length
    const slots = slotCount(description)
    this.poses = new Float32Array(POSE * slots)
    /** @type {(BodyDescription | null)[]} */
    this.bodies = [...bodies, ...new Array(slots - bodies.length).fill(null)]
    simulation.readPoses(this.poses)
  }

  step() {
    if (this.#churn) this.#comeAndGo(this.#churn)
    this.#simulation.step()
    this.#steps++
  }

  read() {
    this.#simulation.readPoses(this.poses)
  }

  /**
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castRays(rays, distances) {
    if (this.#castShape === undefined) this.#simulation.castRays?.(rays, distances)
    else this.#simulation.castShapes?.(this.#castShape, rays, distances)
  }

  /** What the engine has to show beside poses. */
  get shown() {
    const { eventCount, readCharacters } = this.#simulation
    const places = this.#characters.map(({ position }) => position)
    const now = new Float32Array(3 * places.length)
    readCharacters?.call(this.#simulation, now)
    const ways = places.map(([x, , z], i) => Math.hypot(now[3 * i] - x, now[3 * i + 2] - z))
    const mean = ways.reduce((sum, way) => sum + way, 0) / Math.max(1, ways.length)
    return {
      ...(this.#listens ? { eventsPerStep: (eventCount ?? 0) / this.#steps } : {}),
      ...(ways.length > 0 ? { walked: mean } : {}),
    }
  }

  /** @param {import('../scenes/description.mjs').Churn} churn */
  #comeAndGo({ perSecond, life, bodies }) {
    const slots = this.bodies.length - this.#firstSlot
    const slotOf = (/** @type {number} */ index) => this.#firstSlot + (index % slots)
    const dying = this.#createdAt[this.#steps - life] ?? 0
    for (; this.#destroyed < dying; this.#destroyed++) {
      const slot = slotOf(this.#destroyed)
      this.#simulation.remove(slot)
      this.bodies[slot] = null
    }
    const due = Math.floor(((this.#steps + 1) * perSecond) / 60)
    for (; this.#created < due; this.#created++) {
      const slot = slotOf(this.#created)
      const body = bodies[this.#created % bodies.length]
      this.#simulation.add(slot, body)
      this.bodies[slot] = body
    }
    this.#createdAt.push(this.#created)
  }
}
