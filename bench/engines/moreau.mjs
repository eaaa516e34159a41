import { readFileSync } from 'node:fs'
import { CONTACT_EVENT_LAYOUT, MoreauError, World } from 'moreau'
import { DENSITY, FRICTION, GRAVITY, RESTITUTION, TIME_STEP } from '../scenes/description.mjs'
import { scale, subtract } from '../../scenarios/vector.mjs'
import { POSE, relativeTurn, rotate, rotationVector, slotCount, Unsupported } from './engine.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').BodyDescription} BodyDescription */
/** @typedef {import('./engine.mjs').JointDescription} JointDescription */
/** @typedef {import('./engine.mjs').SimulationOptions} SimulationOptions */
/** @typedef {import('./engine.mjs').Vector} Vector */
/** @typedef {import('./engine.mjs').Quaternion} Quaternion */
/** @typedef {import('../scenes/description.mjs').PotentialDescription} PotentialDescription */
/** @typedef {import('moreau').Body} Body */
/** @typedef {ReturnType<World['createCharacter']>} Character */
/** @typedef {import('../scenes/description.mjs').CarDescription} CarDescription */
/** @typedef {import('../scenes/description.mjs').CharacterDescription} CharacterDescription */

/** Numbers per slot in `world.transforms`: x y z 0, then the quaternion. */
const STRIDE = 8

/** Contact events that a step may have. */
const EVENTS = 16384

/** @returns {Promise<import('./engine.mjs').Engine>} */
export async function load() {
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8'))
  return { version, create, hasPotentials: true }
}

/**
 * @param {Description} description
 * @param {SimulationOptions} options
 */
async function create(description, { sleep, world: options }) {
  try {
    const { gravity } = description
    const own = { allowSleep: sleep, ...(gravity ? { gravity } : {}), ...options }
    const world = await World.create(/** @type {any} */ (own))
    return new Simulation(world, description)
  } catch (error) {
    if (error instanceof MoreauError && error.code === 'not-supported') {
      throw new Unsupported(error.message)
    }
    throw error
  }
}

/**
 * How a body moves at first, and its mass.
 *
 * @param {BodyDescription} body
 */
function motionOf({ linearVelocity, angularVelocity = [0, 0, 0], mass }) {
  return {
    linearVelocity,
    angularVelocity,
    ...(mass === undefined ? { density: DENSITY } : { mass }),
  }
}

/**
 * @param {Character} character
 * @param {CharacterDescription} description
 * @returns {(dt: number) => void} what comes before each step
 */
function walk(character, { velocity }) {
  let fall = 0
  const way = [0, 0, 0]
  return (dt) => {
    fall = character.grounded ? 0 : fall - GRAVITY * dt
    way[0] = velocity[0] * dt
    way[1] = fall * dt
    way[2] = velocity[2] * dt
    character.move(way, dt)
  }
}

class Simulation {
  #world
  #shapes
  /** @type {(Body | undefined)[]} by slot */
  #bodies
  /** Where a slot's pose is in `world.transforms`, or -1. */
  #places
  /** What is done before each step. @type {((dt: number) => void)[]} */
  #movers
  /** @type {Character[]} */
  #characters

  /**
   * @param {World} world
   * @param {Description} description
   */
  constructor(world, description) {
    this.#world = world
    this.#shapes = description.shapes
    this.#bodies = new Array(slotCount(description))
    this.#places = new Int32Array(slotCount(description)).fill(-1)
    for (const [slot, body] of description.bodies.entries()) this.add(slot, body)
    for (const joint of description.joints) this.#join(joint)
    for (const potential of description.potentials ?? []) this.#attract(potential)
    const { cars = [], characters = [], listens = false } = description
    this.#characters = characters.map((each) => this.#addCharacter(each))
    this.#movers = [
      ...cars.map((car) => this.#drive(car)),
      ...characters.map((each, i) => walk(this.#characters[i], each)),
    ]
    if (listens) this.#events = new Float64Array(EVENTS * CONTACT_EVENT_LAYOUT.stride)
  }

  eventCount = 0
  /** @type {Float64Array | undefined} */
  #events

  /** @param {CharacterDescription} description */
  #addCharacter({ shape, position, stepHeight }) {
    return this.#world.createCharacter({ shape: this.#shapes[shape], position, stepHeight })
  }

  /** @param {CarDescription} description */
  #drive({ chassis, wheels, radius, restLength, engineForce, steering }) {
    const vehicle = this.#world.createVehicle({
      chassis: /** @type {Body} */ (this.#bodies[chassis]),
      wheels: wheels.map((position, i) => ({
        ...{ position, radius, restLength, engineForce },
        steering: i < 2 ? steering : 0,
      })),
    })
    return (/** @type {number} */ dt) => vehicle.update(dt)
  }

  /** @param {Float32Array} out */
  readCharacters(out) {
    for (const [i, character] of this.#characters.entries()) {
      out.set(character.readPosition([0, 0, 0]), 3 * i)
    }
  }

  /** @param {number} [dt] s */
  step(dt = TIME_STEP) {
    for (const move of this.#movers) move(dt)
    this.#world.step(dt)
    if (this.#events) this.eventCount += this.#world.readContactEvents(this.#events)
  }

  /** @param {Float32Array} out */
  readPoses(out) {
    const poses = this.#world.transforms
    const places = this.#places
    for (let slot = 0, to = 0; slot < places.length; slot++, to += POSE) {
      const from = places[slot]
      if (from < 0) continue
      out[to] = poses[from]
      out[to + 1] = poses[from + 1]
      out[to + 2] = poses[from + 2]
      out[to + 3] = poses[from + 4]
      out[to + 4] = poses[from + 5]
      out[to + 5] = poses[from + 6]
      out[to + 6] = poses[from + 7]
    }
  }

  /**
   * @param {number} slot
   * @param {BodyDescription} description
   */
  add(slot, description) {
    const { fixed, kinematic, shape, position, orientation } = description
    const { friction = FRICTION, restitution = RESTITUTION } = description
    const body = this.#world.createBody({
      type: fixed ? 'static' : kinematic ? 'kinematic' : 'dynamic',
      shape: { ...this.#shapes[shape] }, // a literal for each body, as most users write it
      position,
      orientation,
      friction,
      restitution,
      ...(fixed ? {} : motionOf(description)),
    })
    this.#bodies[slot] = body
    this.#places[slot] = STRIDE * body.index
  }

  /** @param {number} slot */
  remove(slot) {
    this.#bodies[slot]?.destroy()
    this.#bodies[slot] = undefined
    this.#places[slot] = -1
  }

  /** @param {JointDescription} joint */
  #join({ type, bodyA, bodyB, anchor, axis, limits, motor }) {
    const options = { ...(limits ? { limits } : {}), ...(motor ? { motor } : {}) }
    const hinge = { type: /** @type {const} */ ('hinge'), axis, ...options }
    this.#world.createJoint({
      ...(type === 'hinge' ? hinge : { type }),
      bodyA: this.#bodies[bodyA] ?? null,
      bodyB: this.#bodies[bodyB] ?? null,
      anchor,
    })
  }

  /** @param {PotentialDescription} description */
  #attract({ body, ...definition }) {
    const of = this.#bodies[body]
    const ends = definition.type === 'spring' ? { bodyA: of } : { bodies: of }
    this.#world.createPotential(/** @type {any} */ ({ ...definition, ...ends }))
  }

  /**
   * @param {number} slot
   * @param {Float64Array} out
   */
  readState(slot, out) {
    const from = this.#places[slot]
    const { transforms64: poses, velocities } = this.#world
    for (let i = 0; i < 3; i++) {
      out[i] = poses[from + i]
      out[7 + i] = velocities[from + i]
      out[10 + i] = velocities[from + 4 + i]
    }
    for (let i = 0; i < 4; i++) out[3 + i] = poses[from + 4 + i]
  }

  /**
   * @param {number} slot
   * @param {Vector} force
   */
  applyForce(slot, force) {
    this.#bodies[slot]?.applyForce(force)
  }

  /**
   * @param {number} slot
   * @param {Vector} torque
   */
  applyTorque(slot, torque) {
    this.#bodies[slot]?.applyTorque(torque)
  }

  /**
   * @param {number} slot
   * @param {Vector} position
   * @param {Quaternion} orientation
   * @param {number} dt
   */
  moveTo(slot, position, orientation, dt) {
    const body = /** @type {Body} */ (this.#bodies[slot])
    const turn = relativeTurn(/** @type {Quaternion} */ (body.orientation), orientation)
    // A body that moves by its velocities is where it should be in the end if they are those of the whole step.
    body.linearVelocity = scale(subtract(position, body.position), 1 / dt)
    body.angularVelocity = scale(rotate(orientation, rotationVector(turn)), 1 / dt)
  }

  free() {
    this.#world.free()
  }

  /** @param {number} slot */
  isAsleep(slot) {
    return !this.#bodies[slot]?.isAwake
  }

  /**
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castRays(rays, distances) {
    const world = this.#world
    const origin = [0, 0, 0]
    const direction = [0, 0, 0]
    const options = { maxDistance: 0 }
    const out = { position: [0, 0, 0], normal: [0, 0, 0] }
    for (let ray = 0, from = 0; ray < distances.length; ray++, from += 7) {
      for (let i = 0; i < 3; i++) {
        origin[i] = rays[from + i]
        direction[i] = rays[from + 3 + i]
      }
      options.maxDistance = rays[from + 6]
      const hit = world.readRayCast(out, origin, direction, options)
      distances[ray] = hit === null ? Infinity : hit.distance
    }
  }

  /**
   * @param {number} shape
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castShapes(shape, rays, distances) {
    const [origins, directions] = [distances, distances].map(
      ({ length }) => new Float64Array(3 * length),
    )
    for (let ray = 0, from = 0; ray < distances.length; ray++, from += 7) {
      for (let i = 0; i < 3; i++) {
        origins[3 * ray + i] = rays[from + i]
        directions[3 * ray + i] = rays[from + 3 + i]
      }
    }
    // All rays of a scene are equally long.
    const options = { maxDistance: rays[6] }
    this.#world.shapeCastBatch(this.#shapes[shape], origins, directions, { distances }, options)
  }
}
