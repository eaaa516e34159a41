import { readFileSync } from 'node:fs'
import { scale } from '../../scenarios/vector.mjs'
import { FRICTION, GRAVITY, RESTITUTION, TIME_STEP } from '../scenes/description.mjs'
import {
  across,
  localDirection,
  localPoint,
  peerFile,
  peerVersion,
  POSE,
  refuseWhatIsMissing,
  slotCount,
} from './engine.mjs'
import { countEvents, makeShape, valueOf } from './havok-parts.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').BodyDescription} BodyDescription */
/** @typedef {import('./engine.mjs').JointDescription} JointDescription */
/** @typedef {import('./engine.mjs').ShapeDescription} ShapeDescription */
/** @typedef {import('./engine.mjs').SimulationOptions} SimulationOptions */
/** @typedef {import('./engine.mjs').Vector} Vector */
/** @typedef {import('./engine.mjs').Quaternion} Quaternion */

const PACKAGE = '@babylonjs/havok'
/** Floats per body in the world's buffer: a 4x4 matrix by columns, the translation in the last one. */
const MATRIX_BYTES = 64

/** @returns {Promise<import('./engine.mjs').Engine>} */
export async function load() {
  const { default: start } = await import(peerFile(`${PACKAGE}/lib/esm/HavokPhysics_es.js`).href)
  // In Node its loader cannot fetch a file.
  const wasmBinary = readFileSync(peerFile(`${PACKAGE}/lib/esm/HavokPhysics.wasm`))
  const HK = await start({ wasmBinary })
  return {
    version: peerVersion(PACKAGE),
    create: async (description, options) => new Simulation(HK, description, options),
  }
}

/** @type {import('./engine.mjs').Has} */
const HAS = { shapes: ['cylinder', 'compound', 'mesh'], listens: true }

class Simulation {
  #HK
  #world
  #sleep
  #descriptions
  #shapes
  #shapeDescriptions
  /** @type {any[]} by slot */
  #bodies
  /** Bytes from the start of the world's buffer to a body's matrix, or -1. */
  #offsets
  #listens

  eventCount = 0

  /**
   * @param {any} HK
   * @param {Description} description
   * @param {SimulationOptions} options
   */
  constructor(HK, description, { sleep }) {
    refuseWhatIsMissing(description, HAS)
    this.#listens = description.listens ?? false
    this.#HK = HK
    this.#sleep = sleep
    this.#world = valueOf(HK.HP_World_Create())
    HK.HP_World_SetGravity(this.#world, description.gravity ?? [0, -GRAVITY, 0])
    this.#descriptions = description.bodies
    this.#shapes = description.shapes.map((shape) => this.#shape(shape))
    this.#shapeDescriptions = description.shapes
    this.#bodies = new Array(slotCount(description)).fill(null)
    this.#offsets = new Int32Array(this.#bodies.length).fill(-1)
    for (const [slot, body] of description.bodies.entries()) this.add(slot, body)
    for (const joint of description.joints) this.#join(joint)
  }

  /** @param {number} [dt] s */
  step(dt = TIME_STEP) {
    for (const { body, change, force } of this.#pushes) {
      change(body, scale(force, dt))
    }
    this.#pushes.length = 0
    this.#HK.HP_World_Step(this.#world, dt)
    if (this.#listens) this.eventCount += countEvents(this.#HK, this.#world)
  }

  /** @param {Float32Array} out */
  readPoses(out) {
    const start = valueOf(this.#HK.HP_World_GetBodyBuffer(this.#world))
    const matrices = new Float32Array(
      this.#HK.HEAPU8.buffer,
      start,
      ((this.#lastOffset + MATRIX_BYTES) / 4) | 0,
    )
    const offsets = this.#offsets
    for (let slot = 0, to = 0; slot < offsets.length; slot++, to += POSE) {
      if (offsets[slot] < 0) continue
      const from = offsets[slot] >> 2
      out[to] = matrices[from + 12]
      out[to + 1] = matrices[from + 13]
      out[to + 2] = matrices[from + 14]
      writeQuaternion(out, to + 3, matrices, from)
    }
  }

  #lastOffset = 0
  /**
   * Forces and torques for the next step: Havok has impulses only, which need its length.
   *
   * @type {{ body: any, change: (body: any, impulse: Vector) => void, force: Vector }[]}
   */
  #pushes = []

  /**
   * @param {number} slot
   * @param {BodyDescription} description
   */
  add(slot, description) {
    const HK = this.#HK
    const { fixed, kinematic, position, orientation, linearVelocity, angularVelocity } = description
    const body = valueOf(HK.HP_Body_Create())
    const shape = this.#shapeOf(description)
    const { STATIC, KINEMATIC, DYNAMIC } = HK.MotionType
    HK.HP_Body_SetShape(body, shape)
    HK.HP_Body_SetMotionType(body, fixed ? STATIC : kinematic ? KINEMATIC : DYNAMIC)
    if (!fixed) this.#setMotion(body, shape, description)
    HK.HP_Body_SetQTransform(body, [position, orientation])
    if (!fixed && !this.#sleep) {
      HK.HP_Body_SetActivationControl(body, HK.ActivationControl.ALWAYS_ACTIVE)
    }
    if (this.#listens) {
      const { COLLISION_STARTED, COLLISION_FINISHED } = HK.EventType
      HK.HP_Body_SetEventMask(body, COLLISION_STARTED.value | COLLISION_FINISHED.value)
    }
    HK.HP_World_AddBody(this.#world, body, false)
    if (!fixed) HK.HP_Body_SetLinearVelocity(body, linearVelocity)
    if (angularVelocity) HK.HP_Body_SetAngularVelocity(body, angularVelocity)
    this.#bodies[slot] = body
    this.#offsets[slot] = valueOf(HK.HP_Body_GetWorldTransformOffset(body))
    this.#lastOffset = Math.max(this.#lastOffset, this.#offsets[slot])
  }

  /**
   * @param {any} body
   * @param {any} shape
   * @param {BodyDescription} description
   */
  #setMotion(body, shape, { mass, undamped }) {
    const HK = this.#HK
    const [centre, ofDensity, ...inertia] = valueOf(HK.HP_Shape_BuildMassProperties(shape))
    HK.HP_Body_SetMassProperties(body, [centre, mass ?? ofDensity, ...inertia])
    if (!undamped) return
    HK.HP_Body_SetLinearDamping(body, 0)
    HK.HP_Body_SetAngularDamping(body, 0)
  }

  /**
   * The shape of a body, one of its own if its material is another: materials belong to shapes.
   *
   * @param {BodyDescription} body
   */
  #shapeOf({ shape, friction, restitution }) {
    if (friction === undefined && restitution === undefined) return this.#shapes[shape]
    return this.#shape(this.#shapeDescriptions[shape], friction, restitution)
  }

  /** @param {number} slot */
  remove(slot) {
    const body = this.#bodies[slot]
    this.#HK.HP_World_RemoveBody(this.#world, body)
    this.#HK.HP_Body_Release(body)
    this.#bodies[slot] = null
    this.#offsets[slot] = -1
  }

  /**
   * @param {ShapeDescription} description
   * @param {number} [friction]
   * @param {number} [restitution]
   */
  #shape(description, friction = FRICTION, restitution = RESTITUTION) {
    return makeShape(this.#HK, description, { friction, restitution })
  }

  /** @param {JointDescription} joint */
  #join({ type, bodyA, bodyB, anchor, axis, limits }) {
    const HK = this.#HK
    const constraint = valueOf(HK.HP_Constraint_Create())
    HK.HP_Constraint_SetParentBody(constraint, this.#bodies[bodyA])
    HK.HP_Constraint_SetChildBody(constraint, this.#bodies[bodyB])
    const [a, b] = [bodyA, bodyB].map((body) => this.#frame(body, anchor, axis))
    HK.HP_Constraint_SetAnchorInParent(constraint, ...a)
    HK.HP_Constraint_SetAnchorInChild(constraint, ...b)
    const { ConstraintAxis: Axis, ConstraintAxisLimitMode: Mode } = HK
    for (const each of [Axis.LINEAR_X, Axis.LINEAR_Y, Axis.LINEAR_Z]) {
      HK.HP_Constraint_SetAxisMode(constraint, each, Mode.LOCKED)
    }
    if (type === 'fixed') HK.HP_Constraint_SetAxisMode(constraint, Axis.ANGULAR_X, Mode.LOCKED)
    if (type !== 'ball') {
      HK.HP_Constraint_SetAxisMode(constraint, Axis.ANGULAR_Y, Mode.LOCKED)
      HK.HP_Constraint_SetAxisMode(constraint, Axis.ANGULAR_Z, Mode.LOCKED)
    }
    if (limits) {
      HK.HP_Constraint_SetAxisMode(constraint, Axis.ANGULAR_X, Mode.LIMITED)
      HK.HP_Constraint_SetAxisMinLimit(constraint, Axis.ANGULAR_X, limits[0])
      HK.HP_Constraint_SetAxisMaxLimit(constraint, Axis.ANGULAR_X, limits[1])
    }
    HK.HP_Constraint_SetCollisionsEnabled(constraint, false)
    HK.HP_Constraint_SetEnabled(constraint, true)
  }

  /**
   * A joint's frame in a body: origin, x axis and y axis.
   *
   * @param {number} slot
   * @param {Vector} anchor world
   * @param {Vector} axis world
   */
  #frame(slot, anchor, axis) {
    const body = this.#descriptions[slot]
    return [
      localPoint(body, anchor),
      localDirection(body, axis),
      localDirection(body, across(axis)),
    ]
  }

  /**
   * @param {number} slot
   * @param {Float64Array} out
   */
  readState(slot, out) {
    const HK = this.#HK
    const body = this.#bodies[slot]
    const [position, orientation] = valueOf(HK.HP_Body_GetQTransform(body))
    out.set(position, 0)
    out.set(orientation, 3)
    out.set(valueOf(HK.HP_Body_GetLinearVelocity(body)), 7)
    out.set(valueOf(HK.HP_Body_GetAngularVelocity(body)), 10)
  }

  /**
   * @param {number} slot
   * @param {Vector} force
   */
  applyForce(slot, force) {
    const HK = this.#HK
    this.#pushes.push({
      body: this.#bodies[slot],
      force,
      change: (body, impulse) =>
        HK.HP_Body_ApplyImpulse(body, valueOf(HK.HP_Body_GetPosition(body)), impulse),
    })
  }

  /**
   * @param {number} slot
   * @param {Vector} torque
   */
  applyTorque(slot, torque) {
    const HK = this.#HK
    this.#pushes.push({
      body: this.#bodies[slot],
      force: torque,
      change: (body, impulse) => HK.HP_Body_ApplyAngularImpulse(body, impulse),
    })
  }

  /**
   * @param {number} slot
   * @param {Vector} position
   * @param {Quaternion} orientation
   */
  moveTo(slot, position, orientation) {
    this.#HK.HP_Body_SetTargetQTransform(this.#bodies[slot], [position, orientation])
  }

  free() {
    this.#HK.HP_World_Release(this.#world)
  }

  /** @param {number} slot */
  isAsleep(slot) {
    const state = valueOf(this.#HK.HP_Body_GetActivationState(this.#bodies[slot]))
    return state === this.#HK.ActivationState.INACTIVE
  }

  /**
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castRays(rays, distances) {
    const HK = this.#HK
    const collector = valueOf(HK.HP_QueryCollector_Create(1))
    const start = [0, 0, 0]
    const end = [0, 0, 0]
    const query = [start, end, [0xffff, 0xffff], false, [0n]]
    for (let ray = 0, from = 0; ray < distances.length; ray++, from += 7) {
      const length = rays[from + 6]
      for (let i = 0; i < 3; i++) {
        start[i] = rays[from + i]
        end[i] = start[i] + length * rays[from + 3 + i]
      }
      HK.HP_World_CastRayWithCollector(this.#world, collector, query)
      const hits = valueOf(HK.HP_QueryCollector_GetNumHits(collector))
      distances[ray] =
        hits > 0
          ? length * valueOf(HK.HP_QueryCollector_GetCastRayResult(collector, 0))[0]
          : Infinity
    }
    HK.HP_QueryCollector_Release(collector)
  }

  /**
   * @param {number} shape
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castShapes(shape, rays, distances) {
    const HK = this.#HK
    const collector = valueOf(HK.HP_QueryCollector_Create(1))
    const [start, end] = [
      [0, 0, 0],
      [0, 0, 0],
    ]
    const query = [this.#shapes[shape], [0, 0, 0, 1], start, end, false, [0n]]
    for (let ray = 0, from = 0; ray < distances.length; ray++, from += 7) {
      const length = rays[from + 6]
      for (let i = 0; i < 3; i++) {
        start[i] = rays[from + i]
        end[i] = start[i] + length * rays[from + 3 + i]
      }
      HK.HP_World_ShapeCastWithCollector(this.#world, collector, query)
      const hits = valueOf(HK.HP_QueryCollector_GetNumHits(collector))
      distances[ray] =
        hits > 0
          ? length * valueOf(HK.HP_QueryCollector_GetShapeCastResult(collector, 0))[0]
          : Infinity
    }
    HK.HP_QueryCollector_Release(collector)
  }
}

/**
 * The unit quaternion of a rotation matrix by columns, in a 4x4 matrix.
 *
 * @param {Float32Array} out
 * @param {number} to
 * @param {Float32Array} m
 * @param {number} from
 */
function writeQuaternion(out, to, m, from) {
  const xx = m[from]
  const yy = m[from + 5]
  const zz = m[from + 10]
  const trace = xx + yy + zz
  if (trace > 0) {
    const s = Math.sqrt(trace + 1)
    const half = 0.5 / s
    out[to] = (m[from + 6] - m[from + 9]) * half
    out[to + 1] = (m[from + 8] - m[from + 2]) * half
    out[to + 2] = (m[from + 1] - m[from + 4]) * half
    out[to + 3] = 0.5 * s
    return
  }
  const i = xx > yy ? (xx > zz ? 0 : 2) : yy > zz ? 1 : 2
  const j = (i + 1) % 3
  const k = (i + 2) % 3
  const s = Math.sqrt(m[from + 5 * i] - m[from + 5 * j] - m[from + 5 * k] + 1)
  const half = 0.5 / s
  out[to + i] = 0.5 * s
  out[to + j] = (m[from + 4 * i + j] + m[from + 4 * j + i]) * half
  out[to + k] = (m[from + 4 * i + k] + m[from + 4 * k + i]) * half
  out[to + 3] = (m[from + 4 * j + k] - m[from + 4 * k + j]) * half
}
