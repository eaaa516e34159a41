/**
 * Picking a body with the mouse or a finger, and pulling it by a damped spring between the point that was grabbed and
 * the pointer. The spring is a force like any other: it shows in the energy.
 */
import {
  BackSide,
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  Plane,
  Quaternion,
  Raycaster,
  Vector2,
  Vector3,
} from 'three'
import { themeColor } from './theme.mjs'

/** @typedef {import('./stage.mjs').Stage} Stage */
/** @typedef {import('./body-field.mjs').BodyField} BodyField */
/** @typedef {import('./simulation.mjs').Simulation} Simulation */
/** @typedef {import('moreau').Body} Body */

/** Hz of the spring with the body alone on it, and its damping ratio. */
const FREQUENCY = 2
const DAMPING_RATIO = 0.7
/** m/s^2: the spring pulls no harder than this times the mass, as a hand would let go. */
const STRONGEST = 400
/** Width of the line around the selected body, as a part of the distance between camera and scene. */
const OUTLINE = 0.0045
/** Pixels that a pointer may tremble and still click. */
const CLICK_DISTANCE = 4

/**
 * @typedef {object} Grip
 * @property {Body} body
 * @property {Vector3} anchor the grabbed point in the body's frame
 * @property {Vector3} target where the pointer wants it
 * @property {Plane} plane in which the pointer moves it
 */

export class Puller {
  /** To be added to the scene. */
  group = new Group()
  /** @type {Body | null} */
  selected = null

  #stage
  #field
  #onSelect
  #onPull
  /** @type {Simulation | null} */
  #simulation = null
  /** @type {Grip | null} */
  #grip = null
  #raycaster = new Raycaster()
  #pointer = new Vector2()
  #down = new Vector2()
  /** The selected body once more, a little larger and inside out: a line around it. */
  #outline = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ side: BackSide, fog: false }))
  #band = new Line(new BufferGeometry(), new LineBasicMaterial({ depthTest: false, fog: false }))
  #bandEnds = new Float32BufferAttribute(new Float32Array(6), 3)

  // Work space of `#pull`
  #position = new Vector3()
  #orientation = new Quaternion()
  #arm = new Vector3()
  #force = new Vector3()
  #velocity = new Vector3()
  #point = new Vector3()

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Stage} stage
   * @param {BodyField} field
   * @param {{ onSelect: (body: Body | null) => void, onPull: () => void }} listeners
   */
  constructor(canvas, stage, field, { onSelect, onPull }) {
    this.#stage = stage
    this.#field = field
    this.#onSelect = onSelect
    this.#onPull = onPull
    this.#band.geometry.setAttribute('position', this.#bandEnds)
    this.#band.renderOrder = 5
    for (const object of [this.#outline, this.#band]) {
      object.frustumCulled = false
      object.visible = false
      this.group.add(object)
    }
    // In the capture phase: before the camera's controls see the pointer
    canvas.addEventListener('pointerdown', (event) => this.#press(event), { capture: true })
    canvas.addEventListener('pointermove', (event) => this.#move(event))
    canvas.addEventListener('pointerup', (event) => this.#release(event))
    canvas.addEventListener('pointercancel', (event) => this.#release(event))
    canvas.addEventListener('keydown', (event) => event.key === 'Escape' && this.select(null))
  }

  applyTheme() {
    this.#outline.material.color.set(themeColor('--stage-selected'))
    this.#band.material.color.set(themeColor('--stage-selected'))
  }

  /** @param {Simulation} simulation whose bodies are to be picked from now on */
  show(simulation) {
    this.#simulation = simulation
    this.#letGo()
    this.select(null)
    simulation.beforeStep = () => this.#pull()
  }

  /** @param {Body | null} body */
  select(body) {
    if (body === this.selected) return
    this.selected = body
    const geometry = body && body.type !== 'static' ? this.#field.geometryOf(body) : null
    this.#outline.visible = geometry !== null
    if (geometry) this.#outline.geometry = geometry
    this.#onSelect(body)
    this.#stage.onChange()
  }

  /** Moves outline and band to where the bodies are drawn. */
  update() {
    if (this.#outline.visible) this.#placeOutline()
    this.#band.visible = this.#grip !== null
    if (this.#grip) {
      this.#field.readPose(this.#grip.body.index, this.#position, this.#orientation)
      this.#arm.copy(this.#grip.anchor).applyQuaternion(this.#orientation).add(this.#position)
      this.#arm.toArray(this.#bandEnds.array, 0)
      this.#grip.target.toArray(this.#bandEnds.array, 3)
      this.#bandEnds.needsUpdate = true
    }
  }

  #placeOutline() {
    const { geometry, position, quaternion, scale } = this.#outline
    const { center, radius } = /** @type {import('three').Sphere} */ (geometry.boundingSphere)
    const body = /** @type {Body} */ (this.selected)
    this.#field.readPose(body.index, position, quaternion)
    const factor = 1 + (OUTLINE * this.#stage.distance) / radius
    scale.setScalar(factor)
    // Grown about its middle, which need not be its origin
    position.addScaledVector(this.#arm.copy(center).applyQuaternion(quaternion), 1 - factor)
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button !== 0 || !event.isPrimary || !this.#simulation) return
    this.#down.set(event.clientX, event.clientY)
    this.#aim(event)
    const hit = this.#field.pick(this.#raycaster)
    if (!hit || hit.body.type !== 'dynamic') return
    const { body, point } = hit
    this.#field.readPose(body.index, this.#position, this.#orientation)
    this.#grip = {
      body,
      anchor: point.clone().sub(this.#position).applyQuaternion(this.#orientation.clone().invert()),
      target: point.clone(),
      plane: new Plane().setFromNormalAndCoplanarPoint(
        this.#stage.camera.getWorldDirection(new Vector3()).negate(),
        point,
      ),
    }
    this.#stage.controls.enabled = false
    const canvas = /** @type {HTMLCanvasElement} */ (event.currentTarget)
    canvas.setPointerCapture(event.pointerId)
    canvas.classList.add('pulling')
    this.select(body)
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#grip || !event.isPrimary) return
    this.#aim(event)
    if (this.#isClick(event)) return
    this.#raycaster.ray.intersectPlane(this.#grip.plane, this.#grip.target)
    this.#stage.onChange()
  }

  /** @param {PointerEvent} event */
  #release(event) {
    if (!event.isPrimary) return
    const canvas = /** @type {HTMLCanvasElement} */ (event.currentTarget)
    canvas.classList.remove('pulling')
    if (this.#grip) this.#letGo()
    else if (event.button === 0 && this.#isClick(event)) {
      this.#aim(event)
      this.select(this.#field.pick(this.#raycaster)?.body ?? null)
    }
  }

  #letGo() {
    this.#grip = null
    this.#stage.controls.enabled = true
    this.#stage.onChange()
  }

  /** @param {PointerEvent} event */
  #isClick({ clientX, clientY }) {
    return Math.hypot(clientX - this.#down.x, clientY - this.#down.y) <= CLICK_DISTANCE
  }

  /** @param {PointerEvent} event */
  #aim({ clientX, clientY, currentTarget }) {
    const { left, top, width, height } = /** @type {Element} */ (
      currentTarget
    ).getBoundingClientRect()
    this.#pointer.set((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height)
    this.#raycaster.setFromCamera(this.#pointer, this.#stage.camera)
  }

  /** Applies the spring for one step. */
  #pull() {
    const grip = this.#grip
    if (!grip) return
    const { body } = grip
    body.readPosition(this.#position)
    body.readOrientation(this.#orientation)
    const point = this.#point
      .copy(grip.anchor)
      .applyQuaternion(this.#orientation)
      .add(this.#position)
    const force = this.#force.subVectors(grip.target, point)
    if (force.lengthSq() === 0) return
    this.#onPull()

    // Velocity of the grabbed point
    body.readWorldCenterOfMass(this.#arm)
    const arm = this.#arm.subVectors(point, this.#arm)
    body.readAngularVelocity(this.#velocity)
    body.readLinearVelocity(this.#position)
    const velocity = this.#velocity.cross(arm).add(this.#position)

    // What the spring feels at the point is less than the mass, since the body also turns: with the whole mass, explicit
    // damping would kick light corners
    const { mass, inertia } = body
    const least = Math.min(inertia[0], inertia[4], inertia[8])
    const felt = 1 / (1 / mass + arm.lengthSq() / least)
    const rate = 2 * Math.PI * FREQUENCY
    force
      .multiplyScalar(felt * rate * rate)
      .addScaledVector(velocity, -2 * DAMPING_RATIO * felt * rate)
    force.clampLength(0, STRONGEST * mass)
    body.applyForce(force, point)
  }
}
