import { turnAfter } from '../import/rigid.mjs'
import { createShape } from '../index.mjs'
import {
  ActiveCollisionTypes,
  ActiveEvents,
  CoefficientCombineRule,
  COMBINE_RULES,
} from './enums.mjs'
import { merge } from './collider-settings.mjs'
import { filterOf } from './groups.mjs'
import { refuse } from './refusals.mjs'
import { RapierShape, typeOfKind } from './shape-classes.mjs'
import { shapeOf } from './shapes.mjs'
import { quadruple, triple, xyz, xyzw } from './vectors.mjs'

/** @import { Shape, ShapeDefinition } from '../index.mjs' */
/** @import { ColliderSettings, MassProperties } from './collider-settings.mjs' */
/** @import { ColliderArgs, ColliderKind } from './shapes.mjs' */
/** @import { RapierRigidBody } from './rigid-body.mjs' */
/** @import { RapierWorld } from './world.mjs' */
/** @import { QuaternionInput, VectorInput } from './vectors.mjs' */

/** What Rapier has and this has not, and what to use. */
const OTHER_WAYS = {
  ...{ castShape: 'world.castShape', castCollider: 'world.castShape' },
  ...{ castRay: 'world.castRay', castRayAndGetNormal: 'world.castRay' },
  ...{ intersectsRay: 'world.castRay', intersectsShape: 'world.intersectionWithShape' },
  ...{ containsPoint: 'world.intersectionsWithPoint', projectPoint: 'world.projectPoint' },
  ...{ contactShape: 'distance of moreau', contactCollider: 'distance of moreau' },
  ...{ setVoxel: 'cuboids', combineVoxelStates: 'cuboids', propagateVoxelChange: 'cuboids' },
}

/** Rapier's groups of what meets everything. */
const EVERYTHING = 0xffffffff
/** Kinds whose `args` begin with half of the height and the radius. @type {readonly ColliderKind[]} */
const ROUND = ['capsule', 'cylinder', 'cone', 'roundCylinder', 'roundCone']
/** @type {readonly ColliderKind[]} */
const HAS_VERTICES = ['convexHull', 'roundConvexHull', 'trimesh']
/** Where the radius that rounds a shape is. @type {Partial<Record<ColliderKind, (args: ColliderArgs) => number>>} */
const ROUND_RADIUS = {
  roundCuboid: (args) => args[3],
  ...{ roundCylinder: (args) => args[2], roundCone: (args) => args[2] },
  roundConvexHull: (args) => args[1],
}
/** What a collider that is switched off meets. */
const NOTHING = Object.freeze({ category: 0, mask: 0 })

/**
 * What the ref of a collider gives: it in Rapier's spelling, over a `Shape` of a body of Moreau, `raw`. It is the same object
 * for the life of the component, and a setter has the body take another shape.
 */
export class RapierCollider {
  /** Names the collider in `world.getCollider` and in filters. @type {number} */
  handle
  /** @internal An Object3D of three.js: where it is, and what events call it. @type {any} */
  object
  /** @internal @type {Readonly<Record<string, Function | undefined>>} */
  handlers = {}
  /** @internal @type {ShapeDefinition} */
  definition = { type: 'sphere', radius: 1 }
  /** @internal The pose within the body, and the scale in the world. */
  placement = { position: triple(0), orientation: quadruple([0, 0, 0, 1]), scale: triple(1) }

  /** @type {RapierWorld} */
  #world
  /** @type {ColliderKind} */
  #kind
  /** @type {ColliderArgs} */
  #args
  /** Of the body, of the props, and of calls: what comes later counts. @type {ColliderSettings[]} */
  #layers = [{}, {}, {}]
  /** @type {ColliderSettings} */
  #settings = {}
  /** @type {RapierRigidBody | undefined} */
  #body
  /** @type {Shape | undefined} */
  #raw
  #isEnabled = true
  #hooks = 0
  #events = 0
  #forceThreshold = 0
  /** What the shape was built of, to see whether it is another one. */
  #built = ''
  /** @type {ColliderArgs | undefined} */
  #builtArgs
  /** @type {ShapeDefinition | undefined} */
  #measures

  /**
   * @param {RapierWorld} world
   * @param {ColliderKind} kind
   * @param {ColliderArgs} args
   */
  constructor(world, kind, args) {
    this.#world = world
    this.#kind = kind
    this.#args = args
    this.handle = world.nextHandle()
    refuse(this, 'collider', OTHER_WAYS)
  }

  /**
   * The `Shape` of Moreau.
   * @returns {Shape}
   */
  get raw() {
    if (this.#raw === undefined) throw new Error('moreau: the collider is not in a world yet')
    return this.#raw
  }

  // --- life -------------------------------------------------------------------------------------

  /** @internal @param {RapierRigidBody} body */
  enter(body) {
    if (this.#body !== undefined) return
    this.#body = body
    this.#world.noteCollider(this)
    body.addCollider(this)
  }

  /** @internal */
  leave() {
    this.#world.forgetCollider(this)
    this.#body?.removeCollider(this)
    this.#body = undefined
  }

  /** @internal The shape that the body has of it now. @param {Shape} raw */
  take(raw) {
    this.#raw = raw
    this.#world.nameShape(raw, this)
  }

  /** @internal @param {ColliderKind} kind @param {ColliderArgs} args */
  setMeasures(kind, args) {
    this.#kind = kind
    this.#args = args
  }

  /**
   * @internal
   * @param {0 | 1 | 2} layer of the body, of the props, of calls
   * @param {ColliderSettings} settings
   */
  setLayer(layer, settings) {
    this.#layers[layer] = settings
    this.#settings = merge(this.#layers)
  }

  /**
   * @internal Makes the definition that its body is to have of it.
   * @param {boolean} isDynamic whether the body moves by forces
   * @returns {boolean} whether it is another one
   */
  define(isDynamic) {
    const { scale: size, ...pose } = this.placement
    const { contactSkin: skin = 0 } = this.#settings
    const key = JSON.stringify([this.#kind, isDynamic, size, pose, this.#settings, this.#isEnabled])
    if (key === this.#built && sameItems(this.#builtArgs, this.#args)) return false
    this.#built = key
    this.#builtArgs = this.#args
    this.#measures = shapeOf(this.#kind, this.#args, { scale: size, isDynamic, skin })
    this.definition = { ...this.#measures, ...pose, ...this.#surface(), ...this.#weight(isDynamic) }
    return true
  }

  #surface() {
    const { friction = 0.5, restitution = 0, sensor = false } = this.#settings
    const groups = this.collisionGroups()
    return {
      ...{ friction, restitution: Math.min(restitution, 1), sensor },
      frictionCombine: COMBINE_RULES[this.frictionCombineRule()],
      restitutionCombine: COMBINE_RULES[this.restitutionCombineRule()],
      filter: this.#isEnabled ? filterOf(groups) : NOTHING,
    }
  }

  /** Of a mesh only bodies that do not move have one, and they have no mass. @param {boolean} isDynamic */
  #weight(isDynamic) {
    const { density = 1, mass, contactSkin = 0 } = this.#settings
    const type = this.#measures?.type
    if (!isDynamic || type === 'mesh' || type === 'heightfield' || !this.hasMass) return {}
    if (mass !== undefined) return { density: mass / this.#volumeAt(contactSkin) }
    if (contactSkin === 0) return density > 0 ? { density } : {}
    return { density: (density * this.#volumeAt(0)) / this.#volumeAt(contactSkin) }
  }

  /** m³ @param {number} skin metres */
  #volumeAt(skin) {
    const build = { scale: this.placement.scale, isDynamic: true, skin }
    const shape = createShape(shapeOf(this.#kind, this.#args, build))
    const { volume } = shape
    shape.free()
    return volume
  }

  // --- mass -------------------------------------------------------------------------------------

  /** @internal @returns {boolean} */
  get hasMass() {
    const { density = 1, mass, massProperties } = this.#settings
    return (massProperties?.mass ?? mass ?? density) > 0
  }

  /** @internal @returns {MassProperties | undefined} */
  get massProperties() {
    return this.#settings.massProperties
  }

  /** @returns {number} kg */
  mass() {
    const { density = 1, mass, massProperties } = this.#settings
    return massProperties?.mass ?? mass ?? density * this.#volumeAt(0)
  }

  /** @returns {number} kg/m³ */
  density() {
    return this.mass() / this.volume()
  }

  /** @returns {number} m³ */
  volume() {
    return this.#volumeAt(0)
  }

  /** @param {number} density kg/m³ */
  setDensity(density) {
    this.#set({ density, mass: undefined, massProperties: undefined })
  }

  /** @param {number} mass kg */
  setMass(mass) {
    this.#set({ mass, massProperties: undefined })
  }

  /**
   * @param {number} mass
   * @param {VectorInput} centerOfMass
   * @param {VectorInput} principalAngularInertia
   * @param {QuaternionInput} angularInertiaLocalFrame
   */
  setMassProperties(mass, centerOfMass, principalAngularInertia, angularInertiaLocalFrame) {
    const more = { principalAngularInertia, angularInertiaLocalFrame }
    this.#set({ massProperties: { mass, centerOfMass, ...more } })
  }

  // --- settings ---------------------------------------------------------------------------------

  friction = () => this.#settings.friction ?? 0.5
  restitution = () => this.#settings.restitution ?? 0
  frictionCombineRule = () => this.#settings.frictionCombineRule ?? CoefficientCombineRule.Average
  restitutionCombineRule = () =>
    this.#settings.restitutionCombineRule ?? CoefficientCombineRule.Average
  collisionGroups = () => this.#settings.collisionGroups ?? EVERYTHING
  solverGroups = () => this.#settings.solverGroups ?? EVERYTHING
  isSensor = () => this.#settings.sensor ?? false
  contactSkin = () => this.#settings.contactSkin ?? 0
  isEnabled = () => this.#isEnabled
  isValid = () => this.#body?.isValid() === true
  activeHooks = () => this.#hooks
  activeEvents = () => this.#events
  contactForceEventThreshold = () => this.#forceThreshold
  activeCollisionTypes = () => this.#settings.activeCollisionTypes ?? ActiveCollisionTypes.DEFAULT

  /** @param {number} friction */
  setFriction = (friction) => this.#set({ friction })
  /** @param {number} restitution */
  setRestitution = (restitution) => this.#set({ restitution })
  /** @param {number} frictionCombineRule */
  setFrictionCombineRule = (frictionCombineRule) => this.#set({ frictionCombineRule })
  /** @param {number} restitutionCombineRule */
  setRestitutionCombineRule = (restitutionCombineRule) => this.#set({ restitutionCombineRule })
  /** @param {number} collisionGroups */
  setCollisionGroups = (collisionGroups) => this.#set({ collisionGroups })
  /** @param {number} solverGroups */
  setSolverGroups = (solverGroups) => this.#set({ solverGroups })
  /** @param {boolean} sensor */
  setSensor = (sensor) => this.#set({ sensor })
  /** @param {number} contactSkin metres */
  setContactSkin = (contactSkin) => this.#set({ contactSkin })
  /** @param {number} activeCollisionTypes */
  setActiveCollisionTypes = (activeCollisionTypes) => this.#set({ activeCollisionTypes })

  /** @param {boolean} isEnabled */
  setEnabled(isEnabled) {
    this.#isEnabled = isEnabled
    this.#body?.refresh(this)
  }

  /** @param {number} hooks `ActiveHooks`: which functions for pairs are asked about it */
  setActiveHooks(hooks) {
    this.#hooks = hooks
  }

  /** @param {number} events `ActiveEvents`; handlers are told without it */
  setActiveEvents(events) {
    this.#events = events
    if ((events & ActiveEvents.CONTACT_FORCE_EVENTS) !== 0) this.#world.events.expectForces()
  }

  /** @param {number} threshold N: smaller forces are not told to `onContactForce` */
  setContactForceEventThreshold(threshold) {
    this.#forceThreshold = threshold
  }

  /** @param {ColliderSettings} settings */
  #set(settings) {
    this.setLayer(2, { ...this.#layers[2], ...settings })
    this.refresh()
  }

  /** @internal Has the body and the world take what has changed. */
  refresh() {
    this.#world.noticeSettings(this)
    this.#body?.refresh(this)
  }

  // --- place and measures -----------------------------------------------------------------------

  /** @returns {RapierRigidBody | null} null of one that is not within a RigidBody */
  parent() {
    return this.#body === undefined || this.#world.isHidden(this.#body) ? null : this.#body
  }

  /** @internal The body that has it, hidden ones too. @returns {RapierRigidBody | undefined} */
  get body() {
    return this.#body
  }

  translation = () =>
    xyz(this.#body?.isValid() ? this.#body.raw.worldPoint(this.placement.position) : [0, 0, 0])
  rotation = () => {
    const turn = quadruple(this.#body?.rotation() ?? [0, 0, 0, 1])
    return xyzw(quadruple(turnAfter(turn, this.placement.orientation)))
  }

  translationWrtParent = () => (this.parent() ? xyz(this.placement.position) : null)
  rotationWrtParent = () => (this.parent() ? xyzw(this.placement.orientation) : null)

  /** Puts a collider without a body elsewhere; one of a body goes where that does. @param {VectorInput} value metres, world */
  setTranslation(value) {
    if (this.parent() === null) this.#body?.setTranslation(value, true)
  }

  /** @param {QuaternionInput} value */
  setRotation(value) {
    if (this.parent() === null) this.#body?.setRotation(value, true)
  }

  /** @param {VectorInput} value */
  setTranslationWrtParent(value) {
    this.placement = { ...this.placement, position: triple(value) }
    this.#body?.refresh(this)
  }

  /** @param {QuaternionInput} value */
  setRotationWrtParent(value) {
    this.placement = { ...this.placement, orientation: quadruple(value) }
    this.#body?.refresh(this)
  }

  /** @internal @returns {ColliderKind} */
  get kind() {
    return this.#kind
  }

  /** @returns {RapierShape} a copy of what it is made of */
  get shape() {
    return new RapierShape(this.#kind, this.#args)
  }

  /** @returns {number} `ShapeType` */
  shapeType() {
    return typeOfKind(this.#kind)
  }

  /** @param {RapierShape} shape */
  setShape(shape) {
    this.setMeasures(shape.kind, shape.args)
    this.#body?.refresh(this)
  }

  /** @param {number} radius metres */
  setRadius = (radius) => this.#remeasure(['ball'], 0, radius) || this.#remeasure(ROUND, 1, radius)
  /** @param {number} halfHeight metres */
  setHalfHeight = (halfHeight) => this.#remeasure(ROUND, 0, halfHeight)
  /** @param {number} radius metres */
  setRoundRadius = (radius) =>
    this.#remeasure(['roundCylinder', 'roundCone'], 2, radius) ||
    this.#remeasure(['roundCuboid'], 3, radius)
  /** @param {VectorInput} half metres */
  setHalfExtents = (half) => this.#remeasure(['cuboid', 'roundCuboid'], 0, ...triple(half))

  /** As Rapier has it, another kind of shape is left as it is. @param {readonly ColliderKind[]} kinds @param {number} at in `args` @param {number[]} values */
  #remeasure(kinds, at, ...values) {
    if (!kinds.includes(this.#kind)) return false
    this.#args = this.#args.map((old, i) => values[i - at] ?? old)
    this.#body?.refresh(this)
    return true
  }

  /** @returns {Float32Array} of hulls and meshes */
  vertices = () => Float32Array.from(HAS_VERTICES.includes(this.#kind) ? this.#args[0] : [])
  /** @returns {Uint32Array | undefined} of meshes */
  indices = () =>
    this.#kind === 'trimesh' && this.#args[1] ? Uint32Array.from(this.#args[1]) : undefined
  heightfieldHeights = () => Float32Array.from(this.#field()?.[2] ?? [])
  heightfieldScale = () => (this.#field() ? xyz(triple(this.#field()?.[3])) : null)
  heightfieldNRows = () => this.#field()?.[0] ?? 0
  heightfieldNCols = () => this.#field()?.[1] ?? 0
  #field = () => (this.#kind === 'heightfield' ? this.#args : undefined)

  roundRadius = () => ROUND_RADIUS[this.#kind]?.(this.#args) ?? 0
  radius = () => this.raw.radius ?? 0
  halfHeight = () => this.raw.halfHeight ?? 0
  halfExtents = () => (this.raw.halfExtents ? xyz(this.raw.halfExtents) : null)
}

/** @param {ColliderArgs | undefined} a @param {ColliderArgs} b */
const sameItems = (a, b) =>
  a === b || (a !== undefined && a.length === b.length && a.every((item, i) => isSame(item, b[i])))

/**
 * Long arrays are looked at by their identity, as React looks at props; a vector by its numbers.
 * @param {any} a
 * @param {any} b
 */
function isSame(a, b) {
  if (Object.is(a, b)) return true
  if (typeof a?.x !== 'number' || typeof b?.x !== 'number') return false
  return a.x === b.x && a.y === b.y && a.z === b.z
}
