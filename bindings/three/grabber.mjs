import { Plane, Raycaster, Vector2, Vector3 } from 'three'

// Bodies on the end of the mouse.

/** @import { Camera } from 'three' */
/** @import { Body, Joint, World } from '../index.mjs' */

/** Hz of the spring with the body alone on it, and its damping ratio. */
const HERTZ = 4
const DAMPING = 1
/** m/s²: the spring pulls no harder than this times the mass, as a hand would let go. */
const STRONGEST = 400
/** rad/s²: as fast a spin comes to rest between the fingers. */
const BRAKE = 20

/**
 * Lets the user grab bodies with the mouse or a finger and pull them by a spring, in the plane through the grabbed point that
 * faces the camera. It listens until `dispose()`.
 *
 * @example
 * const grabber = new MouseGrabber(world, camera, renderer.domElement)
 * controls.enabled = !grabber.isGrabbing // of OrbitControls, in each frame
 */
export class MouseGrabber {
  #world
  #camera
  #element
  /** @type {Joint | null} */
  #joint = null
  /** @type {Body | null} */
  #body = null
  #raycaster = new Raycaster()
  #pointer = new Vector2()
  #plane = new Plane()
  #target = new Vector3()
  #listeners = new AbortController()

  /**
   * @param {World} world
   * @param {Camera} camera
   * @param {HTMLElement} element that the camera's picture is in, and whose pointer events count
   */
  constructor(world, camera, element) {
    this.#world = world
    this.#camera = camera
    this.#element = element
    const { signal } = this.#listeners
    element.addEventListener('pointerdown', (event) => this.#grab(event), { signal })
    element.addEventListener('pointermove', (event) => this.#move(event), { signal })
    for (const name of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      element.addEventListener(name, () => this.release(), { signal })
    }
  }

  /** @returns {Body | null} the body that is held */
  get body() {
    return this.#body
  }

  /** @returns {boolean} */
  get isGrabbing() {
    return this.#joint?.isAlive === true
  }

  /** Lets go. */
  release() {
    if (this.#joint?.isAlive) this.#joint.destroy()
    this.#joint = null
    this.#body = null
  }

  /** Lets go, and stops to listen. */
  dispose() {
    this.release()
    this.#listeners.abort()
  }

  /** @param {PointerEvent} event */
  #grab(event) {
    if (event.button !== 0 || !event.isPrimary) return
    this.#aim(event)
    const { origin, direction } = this.#raycaster.ray
    const hit = this.#world.rayCast(origin, direction)
    if (hit === null || hit.body.type !== 'dynamic') return
    this.release()
    this.#target.fromArray(hit.position)
    this.#camera.getWorldDirection(this.#plane.normal)
    this.#plane.setFromNormalAndCoplanarPoint(this.#plane.normal.clone(), this.#target)
    this.#body = hit.body
    this.#joint = this.#hold(hit.body)
    this.#element.setPointerCapture(event.pointerId)
  }

  /** @param {Body} body */
  #hold(body) {
    const anchorB = body.localPoint(this.#target)
    const targetPosition = this.#target.toArray()
    const { inertia, mass } = body
    const maxTorque = BRAKE * Math.max(inertia[0], inertia[4], inertia[8])
    return this.#world.createJoint({
      ...{ type: 'motor', bodyA: null, bodyB: body, anchorA: [0, 0, 0], anchorB, targetPosition },
      ...{ hertz: HERTZ, damping: DAMPING, maxForce: STRONGEST * mass, maxTorque },
      collideConnected: true,
    })
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.isGrabbing || this.#joint === null) return
    this.#aim(event)
    if (this.#raycaster.ray.intersectPlane(this.#plane, this.#target) === null) return
    this.#joint.motor = { ...this.#joint.motor, targetPosition: this.#target.toArray() }
  }

  /** @param {PointerEvent} event */
  #aim({ clientX, clientY }) {
    const { left, top, width, height } = this.#element.getBoundingClientRect()
    this.#pointer.set((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height)
    this.#raycaster.setFromCamera(this.#pointer, this.#camera)
  }
}
