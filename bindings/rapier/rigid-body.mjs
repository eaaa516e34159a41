import { BodySwitches } from './body-switches.mjs'
import { TYPE_NUMBERS } from './enums.mjs'
import { quadruple, triple, xyz, xyzw } from './vectors.mjs'

/** @import { RapierCollider } from './collider.mjs' */
/** @import { MassProperties } from './collider-settings.mjs' */
/** @import { RapierWorld } from './world.mjs' */
/** @import { RigidBodyTypeString } from './enums.mjs' */
/** @import { QuaternionInput, VectorInput, Xyz, Xyzw } from './vectors.mjs' */

/** @typedef {'static' | 'kinematic' | 'dynamic'} EngineType */
/** @typedef {{ position: [number, number, number], orientation: [number, number, number, number] }} Pose */

const TYPES = /** @type {RigidBodyTypeString[]} */ (Object.keys(TYPE_NUMBERS))
const REST = Object.freeze([0, 0, 0])

/**
 * What the ref of a `RigidBody` gives: the body in Rapier's spelling, over a `Body` of Moreau, `raw`. It is the same
 * object for the life of the component. Calls on a body that is not mounted do nothing, and say so once.
 */
export class RapierRigidBody extends BodySwitches {
  /** Names the body in `world.getRigidBody` and in filters. @type {number} */
  handle
  /** Anything: that of the component. @type {unknown} */
  userData = undefined
  /** @internal An Object3D of three.js; what events call it. @type {any} */
  object
  /** @internal In the order of the shapes of the body. @type {RapierCollider[]} */
  colliders = []
  /** @internal @type {Readonly<Record<string, Function | undefined>>} */
  handlers = {}

  /** @type {RapierWorld} */
  #world
  /** @type {RigidBodyTypeString} */
  #type = 'dynamic'
  /** kg that the props or a call give the whole body; undefined: the colliders do. @type {number | undefined} */
  #mass
  /** kg on top of what the colliders have. */
  #additionalMass = 0
  /** On top of what the colliders have. @type {MassProperties | undefined} */
  #additional
  // Rapier's forces last until they are taken back.
  #force = [0, 0, 0]
  #torque = [0, 0, 0]
  /** Where a kinematic body is to be after the next step. @type {Partial<Pose> | undefined} */
  #next

  /** @param {RapierWorld} world */
  constructor(world) {
    super()
    this.#world = world
    this.handle = world.nextHandle()
  }

  // --- life -------------------------------------------------------------------------------------

  /**
   * @internal Puts the body into the world, with the colliders that are there.
   * @param {Pose} pose
   */
  enter(pose) {
    if (this.isValid()) return
    const world = this.#world.open()
    const type = this.#wantedType()
    for (const collider of this.colliders) collider.define(type === 'dynamic')
    const shapes = this.colliders.map((collider) => collider.definition)
    this.take(world.createBody({ type, ...pose, shapes }))
    this.colliders.forEach((collider, i) => collider.take(this.raw.shapes[i]))
    this.#world.noteBody(this)
    this.#weigh()
  }

  /** @internal Takes it out. Where it was can still be read. */
  leave() {
    this.keepLast()
    this.#world.forgetBody(this)
    this.#force = [0, 0, 0]
    this.#torque = [0, 0, 0]
    this.#next = undefined
    if (this.isValid()) this.raw.destroy()
  }

  /** @internal @param {RapierCollider} collider */
  addCollider(collider) {
    this.colliders.push(collider)
    if (!this.isValid()) return
    collider.define(this.#wantedType() === 'dynamic')
    this.raw.addShape(collider.definition)
    collider.take(this.raw.shapes[this.colliders.length - 1])
    this.#becomeType()
  }

  /** @internal @param {RapierCollider} collider */
  removeCollider(collider) {
    const index = this.colliders.indexOf(collider)
    if (index < 0) return
    this.colliders.splice(index, 1)
    if (!this.isValid()) return
    // Without a mass the body has to be something else before its last shape goes.
    if (this.#wantedType() !== 'dynamic') this.#setRawType()
    this.raw.removeShape(index)
    this.#becomeType()
  }

  /** @internal Takes over what has changed of a collider. @param {RapierCollider} collider */
  refresh(collider) {
    const index = this.colliders.indexOf(collider)
    if (index < 0 || !this.isValid()) return
    if (!collider.define(this.raw.type === 'dynamic')) return this.#becomeType()
    this.raw.replaceShape(index, collider.definition)
    collider.take(this.raw.shapes[index])
    this.#becomeType()
  }

  /**
   * What moves by forces needs mass; without any a dynamic body of Rapier stays where it is, or goes on as it did.
   * @returns {EngineType}
   */
  #wantedType() {
    if (this.#type === 'fixed') return 'static'
    if (this.#type !== 'dynamic') return 'kinematic'
    const isHeavy =
      this.#mass !== undefined || this.#hasMore() || this.colliders.some((one) => one.hasMass)
    return isHeavy && this.colliders.length > 0 ? 'dynamic' : 'kinematic'
  }

  /** The type, and the mass with it: meshes are for what does not move, and hulls stand for them in what does. */
  #becomeType() {
    const type = this.#wantedType()
    if (type !== 'dynamic') this.#setRawType()
    this.colliders.forEach((collider, i) => {
      if (!collider.define(type === 'dynamic')) return
      this.raw.replaceShape(i, collider.definition)
      collider.take(this.raw.shapes[i])
    })
    this.#setRawType()
    this.#weigh()
  }

  #setRawType() {
    const type = this.#wantedType()
    if (this.raw.type !== type) this.raw.type = type
  }

  #weigh() {
    if (this.raw.type !== 'dynamic') return
    if (this.#mass !== undefined) this.raw.mass = this.#mass
    else if (this.#additionalMass > 0)
      this.raw.mass = this.#massOfColliders() + this.#additionalMass
    else this.#world.weigh(this, this.#additional)
  }

  #hasMore() {
    return this.#additionalMass > 0 || this.#additional !== undefined
  }

  #massOfColliders() {
    return this.colliders.reduce((sum, one) => sum + one.mass(), 0)
  }

  /** Has the mass follow the colliders again. */
  #forgetMass() {
    if (this.raw.type !== 'dynamic') return
    const total = (/** @type {(one: RapierCollider) => number} */ of) =>
      this.colliders.reduce((sum, one) => sum + of(one), 0)
    const [mass, volume] = [total((one) => one.mass()), total((one) => one.raw.volume)]
    if (mass > 0 && volume > 0) this.raw.density = mass / volume
  }

  // --- types and colliders ----------------------------------------------------------------------

  /** @returns {number} `RigidBodyType` */
  bodyType() {
    return TYPE_NUMBERS[this.#type]
  }

  /** @internal @returns {RigidBodyTypeString} */
  get type() {
    return this.#type
  }

  /** @param {number | RigidBodyTypeString} type @param {boolean} [_wakeUp] */
  setBodyType(type, _wakeUp) {
    const word = typeof type === 'number' ? TYPES.find((name) => TYPE_NUMBERS[name] === type) : type
    if (word === undefined || !TYPES.includes(word)) {
      throw new TypeError(`RigidBody: type must be one of ${TYPES.join(', ')}, got ${type}`)
    }
    if (word === this.#type) return
    this.#type = word
    if (this.isValid()) this.#becomeType()
  }

  isFixed = () => this.#type === 'fixed'
  isDynamic = () => this.#type === 'dynamic'
  isKinematic = () => !this.isFixed() && !this.isDynamic()

  /** @returns {number} */
  numColliders() {
    return this.colliders.length
  }

  /** @param {number} index @returns {RapierCollider} */
  collider(index) {
    return this.colliders[index]
  }

  /** @internal kg of all of it; undefined: what the colliders have. @param {number | undefined} mass */
  setMass(mass) {
    if (mass === this.#mass) return
    this.#mass = mass
    if (!this.isValid()) return
    if (mass === undefined) this.#forgetMass()
    this.#becomeType()
  }

  /** @param {number} mass kg on top of what the colliders have @param {boolean} [_wakeUp] */
  setAdditionalMass(mass, _wakeUp) {
    this.#mass = undefined
    this.#additionalMass = mass
    this.#additional = undefined
    if (this.isValid()) this.#becomeType()
  }

  /**
   * @param {number} mass kg on top of what the colliders have
   * @param {VectorInput} centerOfMass in the frame of the body
   * @param {VectorInput} principalAngularInertia kg m²
   * @param {QuaternionInput} angularInertiaLocalFrame
   * @param {boolean} [_wakeUp]
   */
  setAdditionalMassProperties(
    mass,
    centerOfMass,
    principalAngularInertia,
    angularInertiaLocalFrame,
    _wakeUp,
  ) {
    const more = { principalAngularInertia, angularInertiaLocalFrame }
    this.addMassProperties({ mass, centerOfMass, ...more })
  }

  /** @internal @param {MassProperties} properties */
  addMassProperties(properties) {
    this.#mass = undefined
    this.#additionalMass = 0
    this.#additional = properties
    if (this.isValid()) this.#becomeType()
  }

  /** The mass follows the colliders at once: nothing is left to do. */
  recomputeMassPropertiesFromColliders() {}

  // --- motion -----------------------------------------------------------------------------------

  /** @param {VectorInput} position metres, world @param {boolean} [wakeUp] */
  setTranslation(position, wakeUp) {
    this.change('setTranslation', wakeUp, (raw) => {
      raw.position = triple(position)
      this.#world.settle(raw)
    })
  }

  /** @param {QuaternionInput} orientation @param {boolean} [wakeUp] */
  setRotation(orientation, wakeUp) {
    this.change('setRotation', wakeUp, (raw) => {
      raw.orientation = quadruple(orientation)
      this.#world.settle(raw)
    })
  }

  /** @internal @param {Pose} pose */
  teleport(pose) {
    this.change('teleport', true, (raw) => {
      raw.teleport(pose)
      this.#world.settle(raw)
    })
  }

  /** @param {VectorInput} velocity m/s @param {boolean} [wakeUp] */
  setLinvel(velocity, wakeUp) {
    this.change('setLinvel', wakeUp, (raw) => {
      if (this.#hasVelocity()) raw.linearVelocity = triple(velocity)
    })
  }

  /** @param {VectorInput} velocity rad/s @param {boolean} [wakeUp] */
  setAngvel(velocity, wakeUp) {
    this.change('setAngvel', wakeUp, (raw) => {
      if (this.#hasVelocity()) raw.angularVelocity = triple(velocity)
    })
  }

  /** What is fixed has none, and what goes by positions has that of its way. */
  #hasVelocity() {
    return this.#type === 'dynamic' || this.#type === 'kinematicVelocity'
  }

  /** @param {VectorInput} position where a kinematic body is to be after the next step */
  setNextKinematicTranslation(position) {
    this.#moveTo('setNextKinematicTranslation', { position: triple(position) })
  }

  /** @param {QuaternionInput} orientation */
  setNextKinematicRotation(orientation) {
    this.#moveTo('setNextKinematicRotation', { orientation: quadruple(orientation) })
  }

  /** @param {string} name @param {Partial<Pose>} pose */
  #moveTo(name, pose) {
    this.change(name, true, () => {
      if (!this.isKinematic()) return
      this.#next = { ...this.#next, ...pose }
      this.#world.activate(this)
    })
  }

  /** @returns {Xyz} */
  nextTranslation() {
    return this.#next?.position ? xyz(this.#next.position) : this.translation()
  }

  /** @returns {Xyzw} */
  nextRotation() {
    return this.#next?.orientation ? xyzw(this.#next.orientation) : this.rotation()
  }

  // --- forces -----------------------------------------------------------------------------------

  /** @param {VectorInput} impulse N s @param {boolean} [wakeUp] */
  applyImpulse(impulse, wakeUp) {
    this.#push('applyImpulse', wakeUp, (raw) => raw.applyImpulse(triple(impulse)))
  }

  /** @param {VectorInput} impulse N m s @param {boolean} [wakeUp] */
  applyTorqueImpulse(impulse, wakeUp) {
    this.#push('applyTorqueImpulse', wakeUp, (raw) => raw.applyAngularImpulse(triple(impulse)))
  }

  /** @param {VectorInput} impulse N s @param {VectorInput} point world @param {boolean} [wakeUp] */
  applyImpulseAtPoint(impulse, point, wakeUp) {
    const [j, at] = [triple(impulse), triple(point)]
    this.#push('applyImpulseAtPoint', wakeUp, (raw) => raw.applyImpulse(j, at))
  }

  /** @param {VectorInput} force N, in every step until `resetForces` @param {boolean} [wakeUp] */
  addForce(force, wakeUp) {
    this.#push('addForce', wakeUp, () => this.#load(triple(force), REST))
  }

  /** @param {VectorInput} torque N m, in every step until `resetTorques` @param {boolean} [wakeUp] */
  addTorque(torque, wakeUp) {
    this.#push('addTorque', wakeUp, () => this.#load(REST, triple(torque)))
  }

  /** @param {VectorInput} force N @param {VectorInput} point world @param {boolean} [wakeUp] */
  addForceAtPoint(force, point, wakeUp) {
    this.#push('addForceAtPoint', wakeUp, (raw) => {
      const [fx, fy, fz] = triple(force)
      const [x, y, z] = triple(point).map((p, i) => p - raw.worldCenterOfMass[i])
      this.#load([fx, fy, fz], [y * fz - z * fy, z * fx - x * fz, x * fy - y * fx])
    })
  }

  /** @param {boolean} [wakeUp] */
  resetForces(wakeUp) {
    this.change('resetForces', wakeUp, () => (this.#force = [0, 0, 0]))
  }

  /** @param {boolean} [wakeUp] */
  resetTorques(wakeUp) {
    this.change('resetTorques', wakeUp, () => (this.#torque = [0, 0, 0]))
  }

  userForce = () => xyz(this.#force)
  userTorque = () => xyz(this.#torque)

  /**
   * Forces move dynamic bodies alone.
   * @param {string} name
   * @param {boolean | undefined} wakeUp
   * @param {Parameters<BodySwitches['change']>[2]} push
   */
  #push(name, wakeUp, push) {
    this.change(name, wakeUp, (raw) => {
      if (raw.type !== 'dynamic') return
      push(raw)
      if (wakeUp) raw.wake()
    })
  }

  /** @param {readonly number[]} force @param {readonly number[]} torque */
  #load(force, torque) {
    this.#force = this.#force.map((f, i) => f + force[i])
    this.#torque = this.#torque.map((t, i) => t + torque[i])
    this.#world.activate(this)
  }

  /**
   * @internal What Rapier keeps and Moreau wants anew for each step.
   * @returns {boolean} whether it goes on
   */
  beforeStep() {
    if (!this.isValid()) return false
    if (this.#next !== undefined && this.raw.type === 'kinematic') this.raw.moveTo(this.#next)
    this.#next = undefined
    const isLoaded = [...this.#force, ...this.#torque].some((x) => x !== 0)
    // A body that sleeps is not woken by a force that was there before.
    if (!isLoaded || this.raw.type !== 'dynamic' || !this.raw.isAwake) return isLoaded
    this.raw.applyForce(this.#force)
    this.raw.applyTorque(this.#torque)
    return true
  }
}
