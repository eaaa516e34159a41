import { RigidBodyType, TYPE_NUMBERS } from './enums.mjs'
import { refuse } from './refusals.mjs'
import { RapierShape } from './shape-classes.mjs'
import { quadruple, triple } from './vectors.mjs'

// Rapier's descriptions of bodies and colliders that are made by hand.

/** @import { RigidBodyTypeString } from './enums.mjs' */
/** @import { ColliderSettings, MassProperties } from './collider-settings.mjs' */
/** @import { ColliderArgs, ColliderKind } from './shapes.mjs' */
/** @import { QuaternionInput, VectorInput } from './vectors.mjs' */

const WORDS = /** @type {readonly RigidBodyTypeString[]} */ (Object.keys(TYPE_NUMBERS))

/**
 * Three numbers of a call that takes them one by one, or of a vector.
 * @param {VectorInput} x
 * @param {number} [y]
 * @param {number} [z]
 */
const threeOf = (x, y, z) => (y === undefined ? triple(x) : triple([Number(x), y, z ?? 0]))

/** What `world.createRigidBody` makes a body of. */
export class RigidBodyDesc {
  /** @internal In the words of the props of a RigidBody. @type {Record<string, any>} */
  props
  /** @internal */
  pose = { position: triple(0), orientation: quadruple([0, 0, 0, 1]) }
  /** @internal */
  isAsleep = false
  /** @internal */
  isEnabled = true
  /** @internal @type {MassProperties | undefined} */
  additionalProperties
  /** @type {unknown} */
  userData = undefined

  /** @param {number} status `RigidBodyType` */
  constructor(status) {
    const type = WORDS.find((word) => TYPE_NUMBERS[word] === status)
    if (type === undefined) {
      throw new TypeError(`RigidBodyDesc: status must be a RigidBodyType, got ${status}`)
    }
    this.props = { type }
  }

  static dynamic = () => new RigidBodyDesc(RigidBodyType.Dynamic)
  static fixed = () => new RigidBodyDesc(RigidBodyType.Fixed)
  static kinematicPositionBased = () => new RigidBodyDesc(RigidBodyType.KinematicPositionBased)
  static kinematicVelocityBased = () => new RigidBodyDesc(RigidBodyType.KinematicVelocityBased)

  /** @param {VectorInput} x metres, world @param {number} [y] @param {number} [z] */
  setTranslation(x, y, z) {
    this.pose.position = threeOf(x, y, z)
    return this
  }

  /** @param {QuaternionInput} orientation */
  setRotation(orientation) {
    this.pose.orientation = quadruple(orientation)
    return this
  }

  /** @param {VectorInput} x m/s @param {number} [y] @param {number} [z] */
  setLinvel = (x, y, z) => this.#set({ linearVelocity: threeOf(x, y, z) })
  /** @param {VectorInput} velocity rad/s */
  setAngvel = (velocity) => this.#set({ angularVelocity: triple(velocity) })
  /** @param {number} gravityScale */
  setGravityScale = (gravityScale) => this.#set({ gravityScale })
  /** @param {number} linearDamping 1/s */
  setLinearDamping = (linearDamping) => this.#set({ linearDamping })
  /** @param {number} angularDamping 1/s */
  setAngularDamping = (angularDamping) => this.#set({ angularDamping })
  /** @param {boolean} canSleep */
  setCanSleep = (canSleep) => this.#set({ canSleep })
  /** @param {boolean} ccd */
  setCcdEnabled = (ccd) => this.#set({ ccd })
  /** @param {number} additionalMass kg on top of what the colliders have */
  setAdditionalMass = (additionalMass) => this.#set({ additionalMass })
  /** @param {number} dominanceGroup has no equal */
  setDominanceGroup = (dominanceGroup) => this.#set({ dominanceGroup })
  /** @param {number} softCcdPrediction has no equal */
  setSoftCcdPrediction = (softCcdPrediction) => this.#set({ softCcdPrediction })
  /** @param {number} count has no equal */
  setAdditionalSolverIterations = (count) => this.#set({ additionalSolverIterations: count })

  lockTranslations = () => this.#set({ lockTranslations: true })
  lockRotations = () => this.#set({ lockRotations: true })
  /** @param {boolean} x @param {boolean} y @param {boolean} z */
  enabledTranslations = (x, y, z) => this.#set({ enabledTranslations: [x, y, z] })
  /** @param {boolean} x @param {boolean} y @param {boolean} z */
  enabledRotations = (x, y, z) => this.#set({ enabledRotations: [x, y, z] })

  /**
   * @param {number} mass kg on top of what the colliders have
   * @param {VectorInput} centerOfMass in the frame of the body
   * @param {VectorInput} principalAngularInertia kg m²
   * @param {QuaternionInput} angularInertiaLocalFrame
   */
  setAdditionalMassProperties(
    mass,
    centerOfMass,
    principalAngularInertia,
    angularInertiaLocalFrame,
  ) {
    const more = { principalAngularInertia, angularInertiaLocalFrame }
    this.additionalProperties = { mass, centerOfMass, ...more }
    return this
  }

  /** @param {boolean} isEnabled */
  setEnabled(isEnabled) {
    this.isEnabled = isEnabled
    return this
  }

  /** @param {boolean} isAsleep */
  setSleeping(isAsleep) {
    this.isAsleep = isAsleep
    return this
  }

  /** @param {unknown} userData */
  setUserData(userData) {
    this.userData = userData
    return this
  }

  /** @param {Record<string, unknown>} props */
  #set(props) {
    Object.assign(this.props, props)
    return this
  }
}

/** What `world.createCollider` makes a collider of. */
export class ColliderDesc {
  /** @internal @type {ColliderKind} */
  kind
  /** @internal @type {ColliderArgs} */
  args
  /** @internal */
  pose = { position: triple(0), orientation: quadruple([0, 0, 0, 1]) }
  /** @internal @type {ColliderSettings} */
  settings = {}
  /** @internal */
  more = { isEnabled: true, hooks: 0, events: 0, forceThreshold: 0 }

  /** @param {ColliderKind | RapierShape} shape one, as Rapier takes it; or a kind of collider and its `args` @param {ColliderArgs} [args] */
  constructor(shape, args = []) {
    const { kind, args: all } = shape instanceof RapierShape ? shape : { kind: shape, args }
    this.kind = kind
    this.args = all
  }

  /** @param {number} radius metres */
  static ball = (radius) => new ColliderDesc('ball', [radius])
  /** @param {number} hx half, metres @param {number} hy @param {number} hz */
  static cuboid = (hx, hy, hz) => new ColliderDesc('cuboid', [hx, hy, hz])
  /** @param {number} hx half of its core @param {number} hy @param {number} hz @param {number} radius that it is rounded by */
  static roundCuboid = (hx, hy, hz, radius) => new ColliderDesc('roundCuboid', [hx, hy, hz, radius])
  /** @param {number} halfHeight @param {number} radius */
  static capsule = (halfHeight, radius) => new ColliderDesc('capsule', [halfHeight, radius])
  /** @param {number} halfHeight @param {number} radius */
  static cylinder = (halfHeight, radius) => new ColliderDesc('cylinder', [halfHeight, radius])
  /** @param {number} halfHeight @param {number} radius @param {number} border */
  static roundCylinder = (halfHeight, radius, border) =>
    new ColliderDesc('roundCylinder', [halfHeight, radius, border])
  /** @param {number} halfHeight @param {number} radius */
  static cone = (halfHeight, radius) => new ColliderDesc('cone', [halfHeight, radius])
  /** @param {number} halfHeight @param {number} radius @param {number} border */
  static roundCone = (halfHeight, radius, border) =>
    new ColliderDesc('roundCone', [halfHeight, radius, border])
  /** @param {ArrayLike<number>} points three numbers each */
  static convexHull = (points) => new ColliderDesc('convexHull', [points])
  /** @param {ArrayLike<number>} vertices of a convex mesh: their hull is taken @param {ArrayLike<number> | null} [_indices] */
  static convexMesh = (vertices, _indices) => ColliderDesc.convexHull(vertices)
  /** @param {ArrayLike<number>} points @param {number} borderRadius that their hull is rounded by */
  static roundConvexHull = (points, borderRadius) =>
    new ColliderDesc('roundConvexHull', [points, borderRadius])
  /** @param {ArrayLike<number>} vertices @param {ArrayLike<number> | null} _indices @param {number} borderRadius */
  static roundConvexMesh = (vertices, _indices, borderRadius) =>
    ColliderDesc.roundConvexHull(vertices, borderRadius)
  /** @param {VectorInput} a @param {VectorInput} b @param {VectorInput} c */
  static triangle = (a, b, c) => ColliderDesc.trimesh([a, b, c].flatMap(triple))
  /** @param {ArrayLike<number>} vertices @param {ArrayLike<number>} [indices] @param {number} [_flags] */
  static trimesh = (vertices, indices, _flags) => new ColliderDesc('trimesh', [vertices, indices])
  /** @param {number} rows cells along z @param {number} columns cells along x @param {ArrayLike<number>} heights @param {VectorInput} scale of all of it @param {number} [_flags] */
  static heightfield = (rows, columns, heights, scale, _flags) =>
    new ColliderDesc('heightfield', [rows, columns, heights, scale])

  /** @param {VectorInput} x metres, in its body @param {number} [y] @param {number} [z] */
  setTranslation(x, y, z) {
    this.pose.position = threeOf(x, y, z)
    return this
  }

  /** @param {QuaternionInput} orientation */
  setRotation(orientation) {
    this.pose.orientation = quadruple(orientation)
    return this
  }

  /** @param {number} friction */
  setFriction = (friction) => this.#set({ friction })
  /** @param {number} restitution */
  setRestitution = (restitution) => this.#set({ restitution })
  /** @param {number} frictionCombineRule */
  setFrictionCombineRule = (frictionCombineRule) => this.#set({ frictionCombineRule })
  /** @param {number} restitutionCombineRule */
  setRestitutionCombineRule = (restitutionCombineRule) => this.#set({ restitutionCombineRule })
  /** @param {boolean} sensor */
  setSensor = (sensor) => this.#set({ sensor })
  /** @param {number} collisionGroups */
  setCollisionGroups = (collisionGroups) => this.#set({ collisionGroups })
  /** @param {number} solverGroups */
  setSolverGroups = (solverGroups) => this.#set({ solverGroups })
  /** @param {number} contactSkin metres */
  setContactSkin = (contactSkin) => this.#set({ contactSkin })
  /** @param {number} activeCollisionTypes */
  setActiveCollisionTypes = (activeCollisionTypes) => this.#set({ activeCollisionTypes })
  /** @param {number} density kg/m³ */
  setDensity = (density) => this.#weigh({ density })
  /** @param {number} mass kg */
  setMass = (mass) => this.#weigh({ mass })
  /**
   * @param {number} mass
   * @param {VectorInput} centerOfMass
   * @param {VectorInput} principalAngularInertia
   * @param {QuaternionInput} angularInertiaLocalFrame
   */
  setMassProperties = (mass, centerOfMass, principalAngularInertia, angularInertiaLocalFrame) => {
    const more = { principalAngularInertia, angularInertiaLocalFrame }
    return this.#weigh({ massProperties: { mass, centerOfMass, ...more } })
  }

  /** @param {boolean} isEnabled */
  setEnabled = (isEnabled) => this.#note({ isEnabled })
  /** @param {number} hooks `ActiveHooks` */
  setActiveHooks = (hooks) => this.#note({ hooks })
  /** @param {number} events `ActiveEvents` */
  setActiveEvents = (events) => this.#note({ events })
  /** @param {number} forceThreshold N */
  setContactForceEventThreshold = (forceThreshold) => this.#note({ forceThreshold })

  /** @param {ColliderSettings} settings */
  #set(settings) {
    Object.assign(this.settings, settings)
    return this
  }

  /** Of density, mass and mass properties the last one counts. @param {ColliderSettings} weight */
  #weigh(weight) {
    const none = { density: undefined, mass: undefined, massProperties: undefined }
    return this.#set({ ...none, ...weight })
  }

  /** @param {Partial<ColliderDesc['more']>} more */
  #note(more) {
    Object.assign(this.more, more)
    return this
  }
}

refuse(ColliderDesc, 'ColliderDesc', {
  ...{ segment: 'a thin capsule', polyline: 'thin capsules', roundTriangle: 'roundConvexHull' },
  ...{ voxels: 'cuboids, or a trimesh', compound: 'one collider for each part, of one body' },
  convexDecomposition: 'moreau/decompose, and one convexHull for each part',
})
