import { RapierCollider, standAlone } from '../../rapier/index.mjs'
import { handlersOf, settingsOf } from './options.mjs'
import { placementOf } from './placements.mjs'
import { poseOf } from './poses.mjs'

/** @import { Object3D } from 'three' */
/** @import { BodyHost } from './body-host.mjs' */
/** @import { Props } from './options.mjs' */
/** @import { RapierRigidBody } from '../../rapier/rigid-body.mjs' */
/** @import { RapierWorld } from '../../rapier/world.mjs' */

/** What a collider component keeps: its collider, its object of three.js, and the body that it is in. */
export class ColliderHost {
  collider
  #world
  /** @type {BodyHost | undefined} */
  #host
  /** Of a collider that is not within a RigidBody. @type {RapierRigidBody | undefined} */
  #ground

  /** @param {RapierWorld} world @param {Props} props */
  constructor(world, { shape, args }) {
    this.#world = world
    this.collider = new RapierCollider(world, shape, args)
  }

  /** @param {Object3D} object @param {BodyHost | undefined} host of the RigidBody around it */
  enter(object, host) {
    if (this.collider.object !== undefined) return
    this.collider.object = object
    this.#host = host
    if (host !== undefined) host.add(this)
    else this.#standAlone(object)
  }

  leave() {
    this.collider.leave()
    this.collider.object = undefined
    this.#host?.remove(this)
    this.#host = undefined
    this.#ground?.leave()
    this.#ground = undefined
  }

  /** The body is there, or comes right after this. @param {BodyHost} host */
  join(host) {
    host.passOn(this.collider)
    this.place(host)
    this.collider.enter(host.body)
  }

  /** @param {BodyHost} host */
  place({ object }) {
    const own = /** @type {Object3D} */ (this.collider.object)
    own.updateWorldMatrix(true, false)
    const { matrixWorld } = /** @type {Object3D} */ (object)
    this.collider.placement = placementOf(matrixWorld, own.matrixWorld)
  }

  /** Without a RigidBody it belongs to the ground: to a fixed body of its own. @param {Object3D} object */
  #standAlone(object) {
    this.#ground = standAlone(this.#world, this.collider, this.#placeOnGround(object))
  }

  /** @param {Object3D} object @returns the pose of the ground, which is that of the object */
  #placeOnGround(object) {
    object.updateWorldMatrix(true, false)
    this.collider.placement = placementOf(object.matrixWorld, object.matrixWorld)
    return poseOf(object.matrixWorld)
  }

  /** @param {Props} props that it has now */
  update(props) {
    const { collider } = this
    collider.handlers = handlersOf(props)
    this.#world.events.expect(collider.handlers)
    collider.setMeasures(props.shape, props.args)
    collider.setLayer(1, settingsOf(props))
    if (collider.body !== undefined) collider.refresh()
  }

  /** Its object was put elsewhere. */
  moveToObject() {
    const { collider } = this
    if (collider.object === undefined) return
    if (this.#host !== undefined) this.place(this.#host)
    else this.#ground?.teleport(this.#placeOnGround(collider.object))
    collider.refresh()
  }
}
