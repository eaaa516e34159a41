import { filterOf } from './groups.mjs'
import { triple, xyz } from './vectors.mjs'
import { warnOnce } from './warn.mjs'

/** @import { Vehicle } from '../index.mjs' */
/** @import { RapierRigidBody } from './rigid-body.mjs' */
/** @import { RapierWorld } from './world.mjs' */
/** @import { Triple, VectorInput, Xyz } from './vectors.mjs' */

/** What a wheel has until it is said: Rapier's, in its units, of which stiffness and damping are per kg of the chassis. */
const WHEEL = Object.freeze({
  ...{ stiffness: 5.88, compression: 0.83, relaxation: 0.88, maxTravel: 5, maxForce: 6000 },
  ...{ frictionSlip: 10.5, sideStiffness: 1, steering: 0, engineForce: 0, brake: 0 },
})

/**
 * @typedef {object} WheelPlace
 * @property {Triple} position
 * @property {Triple} direction
 * @property {Triple} axle
 * @property {number} restLength
 * @property {number} radius
 */
/** @typedef {{ -readonly [name in keyof typeof WHEEL]: number } & WheelPlace} WheelNumbers */

/**
 * What `world.createVehicleController` gives: a body on wheels that are rays, in Rapier's spelling, over a `Vehicle` of
 * Moreau, `raw`. From the first `updateVehicle` on its wheels act in every step of the world.
 */
export class DynamicRayCastVehicleController {
  /** 0 to 2: x, y or z of the chassis. */
  indexUpAxis = 1

  #world
  #chassis
  /** @type {WheelNumbers[]} */
  #wheels = []
  #forwardAxis = 0
  /** @type {Vehicle | undefined} */
  #raw
  /** @type {number | undefined} */
  #groups

  /** @param {RapierWorld} world @param {RapierRigidBody} chassis */
  constructor(world, chassis) {
    this.#world = world
    this.#chassis = chassis
  }

  /** The `Vehicle` of Moreau, from the first update on. @returns {Vehicle | undefined} */
  get raw() {
    return this.#raw
  }

  get indexForwardAxis() {
    return this.#forwardAxis
  }
  set setIndexForwardAxis(/** @type {number} */ axis) {
    this.#forwardAxis = axis
  }

  chassis = () => this.#chassis
  numWheels = () => this.#wheels.length

  /** @returns {number} m/s, with the sign of the way along the forward axis */
  currentVehicleSpeed() {
    const { x, y, z } = this.#chassis.linvel()
    const speed = Math.hypot(x, y, z)
    if (!this.#chassis.isValid()) return 0
    const axis = triple([0, 1, 2].map((i) => Number(i === this.#forwardAxis)))
    const along = this.#chassis.raw.worldVector(axis)
    return along[0] * x + along[1] * y + along[2] * z < 0 ? -speed : speed
  }

  /**
   * @param {VectorInput} position upper end of the strut, in the frame of the chassis
   * @param {VectorInput} direction of the strut, to the ground
   * @param {VectorInput} axle the way that it rolls is up x axle
   * @param {number} restLength metres
   * @param {number} radius metres
   */
  addWheel(position, direction, axle, restLength, radius) {
    const place = { position: triple(position), direction: triple(direction), axle: triple(axle) }
    this.#wheels.push({ ...WHEEL, ...place, restLength, radius })
    this.#raw = undefined // it gets one with all wheels
  }

  /**
   * Has the wheels act in every step from now on.
   * @param {number} _dt seconds: those of the steps count
   * @param {number} [flags] has no equal
   * @param {number} [groups] which colliders are ground, as of `interactionGroups`
   * @param {Function} [predicate] has no equal
   */
  updateVehicle(_dt, flags, groups, predicate) {
    if (flags || predicate) {
      warnOnce(
        'updateVehicle',
        'wheels of Moreau have a filter of groups, and no flags or predicate',
      )
    }
    if (groups !== this.#groups) this.#raw = undefined
    this.#groups = groups
    this.#world.activate(this)
  }

  /** @internal Before a step. @param {number} dt @returns {boolean} whether it goes on */
  beforeStep(dt) {
    const chassis = this.#chassis
    if (!chassis.isValid()) return false
    if (this.#wheels.length === 0 || chassis.raw.type !== 'dynamic') return true
    if (this.#raw?.chassis !== chassis.raw) this.#raw = this.#build()
    const { mass } = chassis.raw
    this.#raw.wheels.forEach((wheel, i) =>
      Object.assign(wheel, numbersOf(this.#wheels[i], mass, dt)),
    )
    this.#raw.update(dt)
    return true
  }

  /** @returns {Vehicle} */
  #build() {
    const axis = (/** @type {number} */ n) => triple([0, 1, 2].map((i) => Number(i === n)))
    const up = axis(this.indexUpAxis)
    const { raw: chassis } = this.#chassis
    return this.#world.raw.createVehicle({
      ...{ chassis, up, forward: axis(this.#forwardAxis) },
      wheels: this.#wheels.map((wheel) => numbersOf(wheel, chassis.mass, 1)),
      ...(this.#groups !== undefined && { filter: filterOf(this.#groups) }),
    })
  }

  // --- wheels -----------------------------------------------------------------------------------

  /** @param {number} i */
  wheelChassisConnectionPointCs = (i) => vectorOf(this.#wheels[i]?.position)
  /** @param {number} i @param {VectorInput} value */
  setWheelChassisConnectionPointCs = (i, value) => this.#set(i, { position: triple(value) })
  /** @param {number} i */
  wheelDirectionCs = (i) => vectorOf(this.#wheels[i]?.direction)
  /** @param {number} i @param {VectorInput} value */
  setWheelDirectionCs = (i, value) => this.#set(i, { direction: triple(value) })
  /** @param {number} i */
  wheelAxleCs = (i) => vectorOf(this.#wheels[i]?.axle)
  /** @param {number} i @param {VectorInput} value */
  setWheelAxleCs = (i, value) => this.#set(i, { axle: triple(value) })
  /** @param {number} i */
  wheelSuspensionRestLength = (i) => this.#wheels[i]?.restLength ?? null
  /** @param {number} i @param {number} restLength metres */
  setWheelSuspensionRestLength = (i, restLength) => this.#set(i, { restLength })
  /** @param {number} i */
  wheelMaxSuspensionTravel = (i) => this.#wheels[i]?.maxTravel ?? null
  /** @param {number} i @param {number} maxTravel metres */
  setWheelMaxSuspensionTravel = (i, maxTravel) => this.#set(i, { maxTravel })
  /** @param {number} i */
  wheelRadius = (i) => this.#wheels[i]?.radius ?? null
  /** @param {number} i @param {number} radius metres */
  setWheelRadius = (i, radius) => this.#set(i, { radius })
  /** @param {number} i */
  wheelSuspensionStiffness = (i) => this.#wheels[i]?.stiffness ?? null
  /** @param {number} i @param {number} stiffness N/m per kg of the chassis */
  setWheelSuspensionStiffness = (i, stiffness) => this.#set(i, { stiffness })
  /** @param {number} i */
  wheelSuspensionCompression = (i) => this.#wheels[i]?.compression ?? null
  /** @param {number} i @param {number} compression N s/m per kg */
  setWheelSuspensionCompression = (i, compression) => this.#set(i, { compression })
  /** @param {number} i */
  wheelSuspensionRelaxation = (i) => this.#wheels[i]?.relaxation ?? null
  /** @param {number} i @param {number} relaxation N s/m per kg */
  setWheelSuspensionRelaxation = (i, relaxation) => this.#set(i, { relaxation })
  /** @param {number} i */
  wheelMaxSuspensionForce = (i) => this.#wheels[i]?.maxForce ?? null
  /** @param {number} i @param {number} maxForce N */
  setWheelMaxSuspensionForce = (i, maxForce) => this.#set(i, { maxForce })
  /** @param {number} i */
  wheelFrictionSlip = (i) => this.#wheels[i]?.frictionSlip ?? null
  /** @param {number} i @param {number} frictionSlip in units of the load */
  setWheelFrictionSlip = (i, frictionSlip) => this.#set(i, { frictionSlip })
  /** @param {number} i */
  wheelSideFrictionStiffness = (i) => this.#wheels[i]?.sideStiffness ?? null
  /** @param {number} i @param {number} sideStiffness times that of `frictionSlip` */
  setWheelSideFrictionStiffness = (i, sideStiffness) => this.#set(i, { sideStiffness })
  /** @param {number} i */
  wheelSteering = (i) => this.#wheels[i]?.steering ?? null
  /** @param {number} i @param {number} angle rad, to the left */
  setWheelSteering = (i, angle) => this.#set(i, { steering: Number(angle) })
  /** @param {number} i */
  wheelEngineForce = (i) => this.#wheels[i]?.engineForce ?? null
  /** @param {number} i @param {number} engineForce N */
  setWheelEngineForce = (i, engineForce) => this.#set(i, { engineForce })
  /** @param {number} i */
  wheelBrake = (i) => this.#wheels[i]?.brake ?? null
  /** @param {number} i @param {number} brake N s in each step */
  setWheelBrake = (i, brake) => this.#set(i, { brake })

  // --- what became of them ----------------------------------------------------------------------

  /** @param {number} i */
  wheelRotation = (i) => this.#state(i)?.rotation ?? null
  /** @param {number} i */
  wheelIsInContact = (i) => this.#state(i)?.isInContact === true
  /** @param {number} i */
  wheelSuspensionLength = (i) => this.#state(i)?.suspensionLength ?? null
  /** @param {number} i */
  wheelSuspensionForce = (i) => this.#state(i)?.suspensionForce ?? null
  /** @param {number} i */
  wheelForwardImpulse = (i) => this.#state(i)?.forwardImpulse ?? null
  /** @param {number} i */
  wheelSideImpulse = (i) => this.#state(i)?.sideImpulse ?? null
  /** @param {number} i */
  wheelContactPoint = (i) => vectorOf(this.#state(i)?.contactPoint)
  /** @param {number} i */
  wheelContactNormal = (i) => vectorOf(this.#state(i)?.contactNormal)
  /** @param {number} i */
  wheelHardPoint = (i) =>
    this.#wheels[i] ? xyz(this.#chassis.raw.worldPoint(this.#wheels[i].position)) : null
  /** @param {number} i the collider that it stands on: the first one of that body */
  wheelGroundObject = (i) => {
    const body = this.#state(i)?.ground
    return body ? (this.#world.bodyOf(body)?.collider(0) ?? null) : null
  }

  /** @param {number} i */
  #state = (i) => this.#raw?.wheels[i]

  /** @param {number} i @param {Partial<WheelNumbers>} numbers */
  #set(i, numbers) {
    const wheel = this.#wheels[i]
    if (wheel === undefined) {
      throw new RangeError(`vehicle: wheel must be below ${this.numWheels()}, got ${i}`)
    }
    Object.assign(wheel, numbers)
  }
}

/** @param {ArrayLike<number> | undefined} vector @returns {Xyz | null} */
const vectorOf = (vector) => (vector === undefined ? null : xyz(vector))

/**
 * A wheel in the units of Moreau, whose axles point to the left and not to the right.
 * @param {WheelNumbers} wheel
 * @param {number} mass kg of the chassis
 * @param {number} dt seconds of a step
 */
function numbersOf(wheel, mass, dt) {
  const { position, direction, axle, radius, restLength, maxTravel, frictionSlip } = wheel
  return {
    ...{ position: triple(position), direction: triple(direction), radius, restLength },
    axle: triple(axle.map((x) => -x)),
    travel: Math.min(maxTravel, restLength),
    stiffness: wheel.stiffness * mass,
    compression: wheel.compression * mass,
    relaxation: wheel.relaxation * mass,
    maxForce: wheel.maxForce,
    friction: frictionSlip,
    sideFriction: frictionSlip * wheel.sideStiffness,
    engineForce: wheel.engineForce,
    brake: wheel.brake / dt,
    steering: wheel.steering,
  }
}
