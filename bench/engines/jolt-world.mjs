/**
 * Both builds of Jolt: the default one, and the one with SIMD, which is meant for threads and gets none here.
 */
import { FRICTION, GRAVITY, RESTITUTION, TIME_STEP } from '../scenes/description.mjs'
import { across, peerFile, peerVersion, POSE, refuseWhatIsMissing, slotCount } from './engine.mjs'
import { allLayers, drive, listenTo, walk } from './jolt-parts.mjs'
import {
  collisionGroups,
  LAYER_FIXED,
  LAYER_MOVING,
  makeShape,
  settings,
} from './jolt-settings.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').BodyDescription} BodyDescription */
/** @typedef {import('./engine.mjs').JointDescription} JointDescription */
/** @typedef {import('./engine.mjs').SimulationOptions} SimulationOptions */
/** @typedef {import('./engine.mjs').Vector} Vector */
/** @typedef {import('./engine.mjs').Quaternion} Quaternion */

const PACKAGE = 'jolt-physics'
/** rad/s that a body may have which is to spin; the default, 47, is less than what some scenes are about. */
const MAX_SPIN = 1000

/**
 * @param {string} file of the package's dist
 * @returns {Promise<import('./engine.mjs').Engine>}
 */
export async function loadJolt(file) {
  const { default: start } = await import(peerFile(`${PACKAGE}/dist/${file}`).href)
  const JOLT = await start()
  return {
    version: peerVersion(PACKAGE),
    create: async (description, options) => new Simulation(JOLT, description, options),
  }
}

/** @type {import('./engine.mjs').Has} */
const HAS = {
  shapes: ['cylinder', 'compound', 'mesh'],
  listens: true,
  cars: true,
  characters: true,
}

class Simulation {
  #JOLT
  #jolt
  #system
  #interface
  #sleep
  #shapes
  #position
  #rotation
  /** @type {any[]} the id in each slot, or null */
  #ids
  /** @type {any[]} the body in each slot */
  #bodies
  /** What is done before each step. @type {((dt: number) => void)[]} */
  #movers
  /** @type {any[]} */
  #characters = []

  eventCount = 0

  /**
   * @param {any} JOLT
   * @param {Description} description
   * @param {SimulationOptions} options
   */
  constructor(JOLT, description, { sleep }) {
    refuseWhatIsMissing(description, HAS)
    this.#JOLT = JOLT
    this.#jolt = new JOLT.JoltInterface(settings(JOLT, slotCount(description)))
    this.#system = this.#jolt.GetPhysicsSystem()
    this.#system.SetGravity(new JOLT.Vec3(...(description.gravity ?? [0, -GRAVITY, 0])))
    this.#interface = this.#system.GetBodyInterfaceNoLock()
    this.#sleep = sleep
    this.#shapes = description.shapes.map((shape) => makeShape(JOLT, shape))
    this.#position = new JOLT.RVec3(0, 0, 0)
    this.#rotation = new JOLT.Quat(0, 0, 0, 1)
    this.#ids = new Array(slotCount(description)).fill(null)
    this.#bodies = new Array(this.#ids.length).fill(null)
    const groups = collisionGroups(JOLT, description)
    for (const [slot, body] of description.bodies.entries()) this.add(slot, body, groups(slot))
    for (const joint of description.joints) this.#join(joint)
    if (description.listens) listenTo(JOLT, this.#system, () => this.eventCount++)
    for (const car of description.cars ?? []) {
      drive(JOLT, this.#system, car, this.#bodies[car.chassis])
    }
    this.#movers = (description.characters ?? []).map((each) => {
      const { character, move } = walk(JOLT, this.#jolt, each, this.#shapes[each.shape])
      this.#characters.push(character)
      return move
    })
    this.#system.OptimizeBroadPhase()
  }

  /** @param {Float32Array} out */
  readCharacters(out) {
    for (const [i, character] of this.#characters.entries()) {
      const position = character.GetPosition()
      out.set([position.GetX(), position.GetY(), position.GetZ()], 3 * i)
    }
  }

  /** @param {number} [dt] s */
  step(dt = TIME_STEP) {
    for (const move of this.#movers) move(dt)
    this.#jolt.Step(dt, 1)
  }

  /** @param {Float32Array} out */
  readPoses(out) {
    const JOLT = this.#JOLT
    const bodies = this.#interface
    const ids = this.#ids
    const [position, rotation] = [this.#position, this.#rotation]
    const p = JOLT.getPointer(position) >> 2
    const q = JOLT.getPointer(rotation) >> 2
    for (let slot = 0, to = 0; slot < ids.length; slot++, to += POSE) {
      const id = ids[slot]
      if (id === null) continue
      bodies.GetPositionAndRotation(id, position, rotation)
      const heap = JOLT.HEAPF32
      out[to] = heap[p]
      out[to + 1] = heap[p + 1]
      out[to + 2] = heap[p + 2]
      out[to + 3] = heap[q]
      out[to + 4] = heap[q + 1]
      out[to + 5] = heap[q + 2]
      out[to + 6] = heap[q + 3]
    }
  }

  /**
   * @param {number} slot
   * @param {BodyDescription} description
   * @param {any} [group] what it does not collide with
   */
  add(slot, description, group = null) {
    const JOLT = this.#JOLT
    const { fixed, kinematic, shape, position, orientation } = description
    const [place, turn] = [new JOLT.RVec3(...position), new JOLT.Quat(...orientation)]
    const type = fixed
      ? JOLT.EMotionType_Static
      : kinematic
        ? JOLT.EMotionType_Kinematic
        : JOLT.EMotionType_Dynamic
    const layer = fixed ? LAYER_FIXED : LAYER_MOVING
    const definition = new JOLT.BodyCreationSettings(this.#shapes[shape], place, turn, type, layer)
    definition.mFriction = description.friction ?? FRICTION
    definition.mRestitution = description.restitution ?? RESTITUTION
    definition.mAllowSleeping = this.#sleep
    if (!fixed) this.#setMotion(definition, description)
    if (group) definition.mCollisionGroup = group
    const body = this.#interface.CreateBody(definition)
    const id = body.GetID()
    this.#interface.AddBody(id, fixed ? JOLT.EActivation_DontActivate : JOLT.EActivation_Activate)
    // An own copy: what GetID returns belongs to the body.
    this.#ids[slot] = new JOLT.BodyID(id.GetIndexAndSequenceNumber())
    this.#bodies[slot] = body
    for (const each of [definition, place, turn]) JOLT.destroy(each)
  }

  /**
   * @param {any} definition
   * @param {BodyDescription} body
   */
  #setMotion(definition, { linearVelocity, angularVelocity, mass, undamped }) {
    const JOLT = this.#JOLT
    const [velocity, spin] = [new JOLT.Vec3(...linearVelocity), new JOLT.Vec3(0, 0, 0)]
    definition.mLinearVelocity = velocity
    if (undamped) definition.mLinearDamping = definition.mAngularDamping = 0
    if (angularVelocity) {
      spin.Set(...angularVelocity)
      definition.mAngularVelocity = spin
      definition.mMaxAngularVelocity = MAX_SPIN
    }
    if (mass !== undefined) {
      definition.mOverrideMassProperties = JOLT.EOverrideMassProperties_CalculateInertia
      definition.mMassPropertiesOverride.mMass = mass
    }
    for (const each of [velocity, spin]) JOLT.destroy(each)
  }

  /** @param {number} slot */
  remove(slot) {
    const id = this.#ids[slot]
    this.#interface.RemoveBody(id)
    this.#interface.DestroyBody(id)
    this.#JOLT.destroy(id)
    this.#ids[slot] = null
    this.#bodies[slot] = null
  }

  /** @param {JointDescription} joint */
  #join(joint) {
    const JOLT = this.#JOLT
    const { bodyA, bodyB } = joint
    const definition = {
      ball: () => this.#pointSettings(joint),
      fixed: () => this.#fixedSettings(),
      hinge: () => this.#hinge(joint),
    }[joint.type]()
    const constraint = definition.Create(this.#bodies[bodyA], this.#bodies[bodyB])
    this.#system.AddConstraint(constraint)
    JOLT.destroy(definition)
  }

  /** @param {JointDescription} joint */
  #pointSettings({ anchor }) {
    const JOLT = this.#JOLT
    const definition = new JOLT.PointConstraintSettings()
    definition.mPoint1 = definition.mPoint2 = new JOLT.RVec3(...anchor)
    return definition
  }

  #fixedSettings() {
    const definition = new this.#JOLT.FixedConstraintSettings()
    definition.mAutoDetectPoint = true
    return definition
  }

  /** @param {JointDescription} joint */
  #hinge({ anchor, axis, limits }) {
    const JOLT = this.#JOLT
    const definition = new JOLT.HingeConstraintSettings()
    definition.mPoint1 = definition.mPoint2 = new JOLT.RVec3(...anchor)
    definition.mHingeAxis1 = definition.mHingeAxis2 = new JOLT.Vec3(...axis)
    definition.mNormalAxis1 = definition.mNormalAxis2 = new JOLT.Vec3(...across(axis))
    if (limits) [definition.mLimitsMin, definition.mLimitsMax] = limits
    return definition
  }

  /**
   * @param {number} slot
   * @param {Float64Array} out
   */
  readState(slot, out) {
    const body = this.#bodies[slot]
    const p = body.GetPosition()
    out.set([p.GetX(), p.GetY(), p.GetZ()], 0)
    const q = body.GetRotation()
    out.set([q.GetX(), q.GetY(), q.GetZ(), q.GetW()], 3)
    const v = body.GetLinearVelocity()
    out.set([v.GetX(), v.GetY(), v.GetZ()], 7)
    const w = body.GetAngularVelocity()
    out.set([w.GetX(), w.GetY(), w.GetZ()], 10)
  }

  /**
   * @param {number} slot
   * @param {Vector} force
   */
  applyForce(slot, force) {
    const vector = new this.#JOLT.Vec3(...force)
    this.#interface.AddForce(this.#ids[slot], vector, this.#JOLT.EActivation_Activate)
    this.#JOLT.destroy(vector)
  }

  /**
   * @param {number} slot
   * @param {Vector} torque
   */
  applyTorque(slot, torque) {
    const vector = new this.#JOLT.Vec3(...torque)
    this.#interface.AddTorque(this.#ids[slot], vector, this.#JOLT.EActivation_Activate)
    this.#JOLT.destroy(vector)
  }

  /**
   * @param {number} slot
   * @param {Vector} position
   * @param {Quaternion} orientation
   * @param {number} dt
   */
  moveTo(slot, position, orientation, dt) {
    const JOLT = this.#JOLT
    const [place, turn] = [new JOLT.RVec3(...position), new JOLT.Quat(...orientation)]
    this.#interface.MoveKinematic(this.#ids[slot], place, turn, dt)
    for (const each of [place, turn]) JOLT.destroy(each)
  }

  free() {
    this.#JOLT.destroy(this.#jolt)
  }

  /** @param {number} slot */
  isAsleep(slot) {
    return !this.#interface.IsActive(this.#ids[slot])
  }

  /**
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castRays(rays, distances) {
    const JOLT = this.#JOLT
    const query = this.#system.GetNarrowPhaseQueryNoLock()
    const castSettings = new JOLT.RayCastSettings()
    const collector = new JOLT.CastRayClosestHitCollisionCollector()
    const filters = allLayers(JOLT)
    const ray = new JOLT.RRayCast()
    const [origin, direction] = [ray.mOrigin, ray.mDirection]
    for (let index = 0, from = 0; index < distances.length; index++, from += 7) {
      const reach = rays[from + 6]
      origin.Set(rays[from], rays[from + 1], rays[from + 2])
      direction.Set(reach * rays[from + 3], reach * rays[from + 4], reach * rays[from + 5])
      collector.Reset()
      query.CastRay(ray, castSettings, collector, ...filters)
      distances[index] = collector.HadHit() ? reach * collector.mHit.mFraction : Infinity
    }
    const made = [castSettings, collector, ...filters, ray]
    for (const each of made) JOLT.destroy(each)
  }

  /**
   * @param {number} shape
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castShapes(shape, rays, distances) {
    const JOLT = this.#JOLT
    const query = this.#system.GetNarrowPhaseQueryNoLock()
    const castSettings = new JOLT.ShapeCastSettings()
    const collector = new JOLT.CastShapeClosestHitCollisionCollector()
    const filters = allLayers(JOLT)
    const [one, base] = [new JOLT.Vec3(1, 1, 1), new JOLT.RVec3(0, 0, 0)]
    const [origin, direction] = [new JOLT.RVec3(0, 0, 0), new JOLT.Vec3(0, 0, 0)]
    for (let index = 0, from = 0; index < distances.length; index++, from += 7) {
      const reach = rays[from + 6]
      origin.Set(rays[from], rays[from + 1], rays[from + 2])
      direction.Set(reach * rays[from + 3], reach * rays[from + 4], reach * rays[from + 5])
      const start = JOLT.RMat44.prototype.sTranslation(origin)
      const cast = new JOLT.RShapeCast(this.#shapes[shape], one, start, direction)
      collector.Reset()
      query.CastShape(cast, castSettings, base, collector, ...filters)
      distances[index] = collector.HadHit() ? reach * collector.mHit.mFraction : Infinity
      JOLT.destroy(cast)
    }
    const made = [castSettings, collector, ...filters, one, base, origin, direction]
    for (const each of made) JOLT.destroy(each)
  }
}
