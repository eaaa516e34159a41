import { turnOnto } from '../import/rigid.mjs'
import { JointType, MotorModel } from './enums.mjs'
import { refuse } from './refusals.mjs'
import { quadruple, triple, xyz } from './vectors.mjs'

/** @import { Joint, JointDefinition, JointLimits, JointMotor } from '../index.mjs' */
/** @import { QuaternionInput, VectorInput } from './vectors.mjs' */
/** @import { RapierRigidBody } from './rigid-body.mjs' */
/** @import { RapierWorld } from './world.mjs' */

/**
 * What `rapier.JointData` gives.
 * @typedef {object} JointParams
 * @property {'fixed' | 'spherical' | 'revolute' | 'prismatic' | 'rope' | 'spring'} kind
 * @property {VectorInput} anchor1
 * @property {VectorInput} anchor2
 * @property {VectorInput} [axis]
 * @property {VectorInput} [axis2] in the frame of the second body, where it is another one
 * @property {QuaternionInput} [frame1]
 * @property {QuaternionInput} [frame2]
 * @property {number} [length]
 * @property {number} [stiffness]
 * @property {number} [damping]
 * @property {boolean} [limitsEnabled]
 * @property {ArrayLike<number>} [limits]
 */

/** Hz: a spring so soft that nobody feels it, to which the damper of a motor to a velocity is tied. */
const NO_SPRING = 1e-6
const TURN = 2 * Math.PI
/** @type {[number, number, number]} */
const X = [1, 0, 0]

const CONSTRUCTORS = {
  /** @param {VectorInput} anchor1 @param {QuaternionInput} frame1 @param {VectorInput} anchor2 @param {QuaternionInput} frame2 @returns {JointParams} */
  fixed: (anchor1, frame1, anchor2, frame2) => ({
    ...{ kind: 'fixed', anchor1, frame1, anchor2, frame2 },
  }),
  /** @param {VectorInput} anchor1 @param {VectorInput} anchor2 @returns {JointParams} */
  spherical: (anchor1, anchor2) => ({ kind: 'spherical', anchor1, anchor2 }),
  /** @param {VectorInput} anchor1 @param {VectorInput} anchor2 @param {VectorInput} axis @returns {JointParams} */
  revolute: (anchor1, anchor2, axis) => ({ kind: 'revolute', anchor1, anchor2, axis }),
  /** @param {VectorInput} anchor1 @param {VectorInput} anchor2 @param {VectorInput} axis @param {VectorInput} axis2 @returns {JointParams} */
  revoluteWithAxes: (anchor1, anchor2, axis, axis2) => ({
    ...{ kind: 'revolute', anchor1, anchor2, axis, axis2 },
  }),
  /** @param {VectorInput} anchor1 @param {VectorInput} anchor2 @param {VectorInput} axis @returns {JointParams} */
  prismatic: (anchor1, anchor2, axis) => ({ kind: 'prismatic', anchor1, anchor2, axis }),
  /** @param {number} length @param {VectorInput} anchor1 @param {VectorInput} anchor2 @returns {JointParams} */
  rope: (length, anchor1, anchor2) => ({ kind: 'rope', length, anchor1, anchor2 }),
  /** @param {number} length @param {number} stiffness @param {number} damping @param {VectorInput} anchor1 @param {VectorInput} anchor2 @returns {JointParams} */
  spring: (length, stiffness, damping, anchor1, anchor2) => ({
    ...{ kind: 'spring', length, stiffness, damping, anchor1, anchor2 },
  }),
}
refuse(CONSTRUCTORS, 'JointData', { generic: "world.raw.createJoint({ type: 'sixDof' })" })

/** Rapier's constructors of joints. */
export const JointData = Object.freeze(CONSTRUCTORS)

/** @type {Readonly<Record<JointParams['kind'], number>>} */
const TYPES = {
  ...{ fixed: JointType.Fixed, spherical: JointType.Spherical, revolute: JointType.Revolute },
  ...{ prismatic: JointType.Prismatic, rope: JointType.Rope, spring: JointType.Spring },
}

/** @type {Readonly<Record<JointParams['kind'], (params: JointParams) => object>>} */
const DEFINITIONS = {
  fixed: () => ({ type: 'fixed' }),
  spherical: () => ({ type: 'ball' }),
  revolute: (params) => ({ type: 'hinge', ...axesOf(params), ...limitsOf(params) }),
  prismatic: (params) => ({ type: 'slider', ...axesOf(params), ...limitsOf(params) }),
  rope: ({ length }) => ({ type: 'rope', length }),
  spring: ({ length, stiffness, damping }) => ({
    ...{ type: 'spring', length, stiffness, dampingCoefficient: damping },
  }),
}

/** @param {JointParams} params */
function axesOf({ axis = [1, 0, 0], axis2 = axis }) {
  return { axisA: triple(axis), axisB: triple(axis2) }
}

/** @param {JointParams} params */
function limitsOf({ limits, limitsEnabled = limits !== undefined }) {
  return limits && limitsEnabled ? { limits: [limits[0], limits[1]] } : {}
}

/**
 * @param {RapierWorld} world
 * @param {JointParams} params
 * @param {RapierRigidBody} body1
 * @param {RapierRigidBody} body2
 */
export function makeJoint(world, params, body1, body2) {
  const definition = /** @type {JointDefinition & object} */ (
    /** @type {unknown} */ ({
      ...{ bodyA: body1.raw, bodyB: body2.raw, collideConnected: true },
      ...{ anchorA: triple(params.anchor1), anchorB: triple(params.anchor2) },
      ...DEFINITIONS[params.kind](params),
    })
  )
  const raw = world.raw.createJoint(definition)
  const frames = framesOf(params)
  if (frames === undefined) return new RapierImpulseJoint(world, raw, body1, body2, params.kind)
  // Joints of Moreau hold bodies as they are, those of Rapier turn them until their frames coincide: the joint is made again,
  // with the masses that it found, and frames of Rapier.
  const reference = { ...raw.reference, ...frames }
  raw.destroy()
  const turned = world.raw.createJoint({ ...definition, reference })
  return new RapierImpulseJoint(world, turned, body1, body2, params.kind)
}

/**
 * The frames in which a joint has both bodies turned alike; x is its axis.
 * @param {JointParams} params
 */
function framesOf({ kind, axis = [1, 0, 0], axis2 = axis, frame1, frame2 }) {
  if (kind === 'fixed') {
    const none = [0, 0, 0, 1]
    return { frameA: quadruple(frame1 ?? none), frameB: quadruple(frame2 ?? none) }
  }
  if (kind !== 'revolute' && kind !== 'prismatic') return undefined
  return { frameA: turnOnto(X, triple(axis)), frameB: turnOnto(X, triple(axis2)) }
}

/** What the ref of a joint hook holds: the joint in Rapier's spelling, over a `Joint` of Moreau, `raw`. */
export class RapierImpulseJoint {
  /** @readonly */
  handle
  /** The `Joint` of Moreau. @readonly */
  raw

  #bodies
  #kind
  /** @type {number} */
  #model = MotorModel.AccelerationBased

  /**
   * @param {RapierWorld} world
   * @param {Joint} raw
   * @param {RapierRigidBody} body1
   * @param {RapierRigidBody} body2
   * @param {JointParams['kind']} kind
   */
  constructor(world, raw, body1, body2, kind) {
    this.handle = world.nextHandle()
    this.raw = raw
    this.#bodies = [body1, body2]
    this.#kind = kind
  }

  isValid = () => this.raw.isAlive
  /** @returns {number} `JointType` */
  type = () => TYPES[this.#kind]
  body1 = () => this.#bodies[0]
  body2 = () => this.#bodies[1]
  anchor1 = () => xyz(/** @type {ArrayLike<number>} */ (this.raw.anchorA))
  anchor2 = () => xyz(/** @type {ArrayLike<number>} */ (this.raw.anchorB))
  contactsEnabled = () => this.raw.collideConnected

  /** @param {boolean} isOn whether both bodies collide with each other */
  setContactsEnabled(isOn) {
    this.#change((raw) => (raw.collideConnected = isOn))
  }

  get #limits() {
    return /** @type {JointLimits | null} */ (this.raw.limits)
  }

  // --- of hinges and sliders --------------------------------------------------------------------

  limitsEnabled = () => this.raw.limits !== null
  limitsMin = () => this.#limits?.lower ?? -Infinity
  limitsMax = () => this.#limits?.upper ?? Infinity

  /** @param {number} min rad or metres @param {number} max */
  setLimits(min, max) {
    this.#change((raw) => (raw.limits = [min, max]))
  }

  /** @param {number} model `MotorModel`: gains per mass, the default, or as they are */
  configureMotorModel(model) {
    this.#model = model
  }

  /** @param {number} velocity rad/s or m/s @param {number} damping */
  configureMotorVelocity(velocity, damping) {
    this.configureMotor(0, velocity, 0, damping)
  }

  /** @param {number} position rad or metres @param {number} stiffness @param {number} damping */
  configureMotorPosition(position, stiffness, damping) {
    this.configureMotor(position, 0, stiffness, damping)
  }

  /** @param {number} position @param {number} velocity @param {number} stiffness @param {number} damping */
  configureMotor(position, velocity, stiffness, damping) {
    const targets = { targetPosition: position, targetVelocity: velocity }
    const isForce = this.#model === MotorModel.ForceBased
    const gains = isForce ? { stiffness, dampingCoefficient: damping } : perMass(stiffness, damping)
    const isOff = stiffness === 0 && damping === 0
    this.#setMotor(isOff ? null : { ...targets, maxForce: this.#maxForce, ...gains })
  }

  /** @param {number} maxForce N or N m */
  setMotorMaxForce(maxForce) {
    this.#maxForce = maxForce
    const motor = /** @type {JointMotor | null} */ (this.raw.motor)
    if (motor !== null) this.#setMotor({ ...motor, maxForce })
  }
  #maxForce = Infinity

  /** A motor that is set in each frame to what it was wakes nobody. @param {JointMotor | null} motor */
  #setMotor(motor) {
    const key = JSON.stringify(motor)
    if (key === this.#lastMotor) return
    this.#change((raw) => (raw.motor = motor))
    this.#lastMotor = key
  }
  #lastMotor = 'null'

  /** A joint went with one of its bodies, perhaps. @param {(raw: Joint) => void} change */
  #change(change) {
    if (this.isValid()) change(this.raw)
  }
}

/**
 * Gains of an acceleration: stiffness in 1/s², damping in 1/s.
 * @param {number} stiffness
 * @param {number} damping
 */
function perMass(stiffness, damping) {
  const hertz = stiffness > 0 ? Math.sqrt(stiffness) / TURN : NO_SPRING
  return { hertz, damping: damping / (2 * hertz * TURN) }
}
