import { Vector3 } from 'three'
import { applyOptions, RapierRigidBody } from '../../rapier/index.mjs'
import { collidersOf, own } from './auto-colliders.mjs'
import { MeshColliders } from './mesh-colliders.mjs'
import { handlersOf, inheritedSettings } from './options.mjs'
import { poseOf } from './poses.mjs'

/** @import { Object3D } from 'three' */
/** @import { MeshCollider } from './auto-colliders.mjs' */
/** @import { RapierCollider } from '../../rapier/collider.mjs' */
/** @import { InstanceGroup } from './instance-group.mjs' */
/** @import { ParentFrames } from './parent-frames.mjs' */
/** @import { Props } from './options.mjs' */
/** @import { Simulation } from './simulation.mjs' */

/**
 * What a component of colliders does when its body is there, and when the body's object was put elsewhere.
 * @typedef {{ join: (host: BodyHost) => void, place: (host: BodyHost) => void }} ColliderPart
 */

/** Floats per slot of the poses of a world. */
const STRIDE = 8

const scale = new Vector3()

/** What a `RigidBody` component keeps: its body, its object of three.js, and the colliders in it. */
export class BodyHost {
  body
  /** The object while it is mounted. @type {Object3D | undefined} */
  object
  /** @type {Props} */
  options = {}

  #simulation
  /** Components of colliders within. @type {Set<ColliderPart>} */
  #children = new Set()
  /** Of the meshes within. */
  #ofMeshes
  /** The pose that the object shows, and the version of its parent's frame. */
  #drawn = new Float32Array(STRIDE)
  #drawnVersion = -1
  #inherited = '{}'

  /** @param {Simulation} simulation */
  constructor(simulation) {
    this.#simulation = simulation
    this.body = new RapierRigidBody(simulation.world)
    this.#ofMeshes = new MeshColliders(simulation.world)
  }

  // --- life -------------------------------------------------------------------------------------

  /** @param {Object3D} object */
  enter(object) {
    if (this.object !== undefined) return
    this.object = this.body.object = object
    own(object)
    object.updateWorldMatrix(true, false)
    this.body.setBodyType(this.options.type ?? 'dynamic')
    for (const child of this.#children) child.join(this)
    this.#findMeshes()
    this.body.enter(poseOf(object.matrixWorld))
    applyOptions(this.body, this.options, {})
    this.#drawnVersion = -1
    this.#simulation.hosts.add(this)
  }

  leave() {
    this.#simulation.hosts.delete(this)
    this.body.leave()
    this.#ofMeshes.drop()
    this.object = this.body.object = undefined
  }

  /** @param {Props} options that the props give now */
  update(options) {
    const before = this.options
    this.options = options
    this.body.userData = options.userData
    this.body.handlers = handlersOf(options)
    this.#simulation.world.events.expect(this.body.handlers)
    if (this.object === undefined) return
    this.#inherit()
    applyOptions(this.body, options, before)
    if (options.colliders !== before.colliders) this.#findMeshes()
  }

  /** Colliders have what their body says, unless they say it themselves. */
  #inherit() {
    const inherited = JSON.stringify(inheritedSettings(this.options))
    if (inherited === this.#inherited) return
    this.#inherited = inherited
    for (const collider of [...this.body.colliders]) {
      this.passOn(collider)
      collider.refresh()
    }
  }

  /** @param {RapierCollider} collider that comes into the body */
  passOn(collider) {
    collider.setLayer(0, inheritedSettings(this.options))
  }

  /** Takes the body where the object was put. */
  moveToObject() {
    if (this.object === undefined || !this.body.isValid()) return
    this.object.updateWorldMatrix(true, true)
    for (const child of this.#children) child.place(this)
    this.#ofMeshes.place(this.object, this)
    this.body.teleport(poseOf(this.object.matrixWorld))
    for (const collider of this.body.colliders) collider.refresh()
  }

  // --- colliders --------------------------------------------------------------------------------

  /** @param {ColliderPart} child */
  add(child) {
    this.#children.add(child)
    if (this.object !== undefined) child.join(this)
  }

  /** @param {ColliderPart} child */
  remove(child) {
    this.#children.delete(child)
  }

  /** Makes colliders of the meshes, or takes those that the instances of a mesh share. */
  #findMeshes() {
    this.#ofMeshes.drop()
    const { colliders, instanceOf, includeInvisible } = this.options
    if (instanceOf !== undefined) return this.takeMeshes(instanceOf.group.meshes)
    if (colliders === false) return
    const object = /** @type {Object3D} */ (this.object)
    this.takeMeshes(collidersOf(object, { colliders, includeInvisible }))
  }

  /** @param {readonly MeshCollider[]} meshes whose colliders the body gets */
  takeMeshes(meshes) {
    if (this.object !== undefined) this.#ofMeshes.take(meshes, this.object, this)
  }

  // --- drawing ----------------------------------------------------------------------------------

  /**
   * Puts the object, or the instance, where the body is, if it is not there already.
   * @param {ArrayLike<number>} poses of the world
   * @param {ParentFrames} frames
   */
  draw(poses, frames) {
    const { object } = this
    if (object === undefined || !this.body.isValid()) return
    const at = STRIDE * this.body.raw.index
    /** @type {{ group: InstanceGroup, index: number } | undefined} */
    const instance = this.options.instanceOf
    const parent = instance === undefined ? object.parent : instance.group.mesh
    if (!parent) return
    const frame = frames.of(parent)
    if (frame.version === this.#drawnVersion && !this.#hasMoved(poses, at)) return
    this.#drawnVersion = frame.version
    for (let i = 0; i < STRIDE; i++) this.#drawn[i] = poses[at + i]
    if (instance === undefined) return frames.place(object, frame, poses, at)
    object.getWorldScale(scale)
    instance.group.draw(instance.index, frames.matrixOf(frame, poses, at, scale))
  }

  /** @param {ArrayLike<number>} poses @param {number} at */
  #hasMoved(poses, at) {
    for (let i = 0; i < STRIDE; i++) if (this.#drawn[i] !== poses[at + i]) return true
    return false
  }

  /** Has the next drawing show it, whatever it shows now. */
  redraw() {
    this.#drawnVersion = -1
  }
}
