/**
 * Picking a body with the mouse or a finger, and pulling it by a damped spring between the point that was grabbed and
 * the pointer. The spring is a force like any other: it shows in the energy.
 */
import {
  BufferGeometry,
  EdgesGeometry,
  Float32BufferAttribute,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
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
/** @typedef {import('./simulation.mjs').MadeBody} MadeBody */

/** Hz of the spring with the body alone on it, and its damping ratio. */
const FREQUENCY = 2
const DAMPING_RATIO = 0.7
/** m/s^2: the spring pulls no harder than this times the mass, as a hand would let go. */
const STRONGEST = 400
/** Pixels that a pointer may tremble and still click. */
const CLICK_DISTANCE = 4

/**
 * @typedef {object} Grip
 * @property {MadeBody} made
 * @property {Vector3} anchor the grabbed point in the body's frame
 * @property {Vector3} target where the pointer wants it
 * @property {Plane} plane in which the pointer moves it
 */

export class Puller {
  /** To be added to the scene. */
  group = new Group()
  /** @type {MadeBody | null} */
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
  #outline = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ depthTest: false, fog: false }),
  )
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
   * @param {{ onSelect: (made: MadeBody | null) => void, onPull: () => void }} listeners
   */
  constructor(canvas, stage, field, { onSelect, onPull }) {
    this.#stage = stage
    this.#field = field
    this.#onSelect = onSelect
    this.#onPull = onPull
    this.#band.geometry.setAttribute('position', this.#bandEnds)
    for (const line of [this.#outline, this.#band]) {
      line.renderOrder = 5
      line.frustumCulled = false
      line.visible = false
      this.group.add(line)
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

  /** @param {MadeBody | null} made */
  select(made) {
    if (made === this.selected) return
    this.selected = made
    this.#outline.geometry.dispose()
    const geometry = made && made.definition.type !== 'static' ? this.#field.geometryOf(made) : null
    this.#outline.visible = geometry !== null
    if (geometry) this.#outline.geometry = new EdgesGeometry(geometry, 20)
    this.#onSelect(made)
    this.#stage.onChange()
  }

  /** Moves outline and band to where the bodies are drawn. */
  update() {
    const { selected } = this
    if (selected && this.#outline.visible) {
      this.#field.readPose(selected.body.index, this.#outline.position, this.#outline.quaternion)
    }
    this.#band.visible = this.#grip !== null
    if (this.#grip) {
      this.#field.readPose(this.#grip.made.body.index, this.#position, this.#orientation)
      this.#arm.copy(this.#grip.anchor).applyQuaternion(this.#orientation).add(this.#position)
      this.#arm.toArray(this.#bandEnds.array, 0)
      this.#grip.target.toArray(this.#bandEnds.array, 3)
      this.#bandEnds.needsUpdate = true
    }
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button !== 0 || !event.isPrimary || !this.#simulation) return
    this.#down.set(event.clientX, event.clientY)
    this.#aim(event)
    const hit = this.#field.pick(this.#raycaster)
    if (!hit || hit.made.body.type !== 'dynamic') return
    const { made, point } = hit
    this.#field.readPose(made.body.index, this.#position, this.#orientation)
    this.#grip = {
      made,
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
    this.select(made)
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
      this.select(this.#field.pick(this.#raycaster)?.made ?? null)
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
    const { body } = grip.made
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
    const center = body.worldCenterOfMass
    const arm = this.#arm.set(point.x - center[0], point.y - center[1], point.z - center[2])
    const velocity = this.#velocity.fromArray(body.angularVelocity).cross(arm)
    velocity.add(this.#position.fromArray(body.linearVelocity))

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
