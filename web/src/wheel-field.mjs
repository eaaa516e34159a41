/**
 * The wheels of vehicles, which are rays and no bodies: one instanced mesh, placed by what the last update of each wheel found.
 */
import {
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from 'three'
import { themeColor } from './theme.mjs'

/** @typedef {import('./simulation.mjs').Simulation} Simulation */
/** @typedef {import('./body-field.mjs').BodyField} BodyField */
/** @typedef {import('moreau').Wheel} Wheel */

/** Flat sides of a drawn wheel: with so few one sees it turn. */
const SIDES = 14
/** Of a drawn wheel, in radii: wheels that are rays have none. */
const WIDTH = 0.6
/** The axis of the geometry. */
const AXIS = new Vector3(0, 1, 0)

export class WheelField {
  group = new Group()

  #bodies
  /** @type {Simulation | null} */
  #simulation = null
  /** @type {InstancedMesh | null} */
  #mesh = null
  #geometry = new CylinderGeometry(1, 1, WIDTH, SIDES)
  #material = new MeshStandardMaterial({ roughness: 0.8, metalness: 0, flatShading: true })

  // Of the chassis, and of the wheel.
  #origin = new Vector3()
  #turn = new Quaternion()
  #place = new Vector3()
  #orientation = new Quaternion()

  #up = new Vector3()
  #axle = new Vector3()
  #size = new Vector3()
  #part = new Quaternion()
  #matrix = new Matrix4()

  /** @param {BodyField} bodies which knows where chassis are drawn */
  constructor(bodies) {
    this.#bodies = bodies
  }

  applyTheme() {
    this.#material.color.set(themeColor('--stage-wheel'))
  }

  /** @param {Simulation} simulation whose wheels are to be drawn from now on */
  show(simulation) {
    this.#mesh?.dispose()
    this.#mesh = null
    this.group.clear()
    this.#simulation = simulation
    const count = simulation.vehicles.reduce((sum, { wheels }) => sum + wheels.length, 0)
    if (count === 0) return
    this.#mesh = new InstancedMesh(this.#geometry, this.#material, count)
    this.#mesh.instanceMatrix.setUsage(DynamicDrawUsage)
    this.#mesh.frustumCulled = false
    this.#mesh.castShadow = true
    this.#mesh.receiveShadow = true
    this.group.add(this.#mesh)
  }

  /** Writes all matrices, after those of the bodies. */
  update() {
    const mesh = this.#mesh
    if (!mesh || !this.#simulation) return
    let index = 0
    for (const { chassis, wheels } of this.#simulation.vehicles) {
      this.#bodies.readPose(chassis.index, this.#origin, this.#turn)
      for (const wheel of wheels) mesh.setMatrixAt(index++, this.#matrixOf(wheel))
    }
    mesh.instanceMatrix.needsUpdate = true
  }

  /**
   * Steered about the strut, then turned about the axle. Angles are those of the end of the step.
   *
   * @param {Wheel} wheel
   */
  #matrixOf(wheel) {
    const { interpolation, timeStep } = /** @type {Simulation} */ (this.#simulation)
    const angle = wheel.rotation - (1 - interpolation) * timeStep * wheel.spin
    this.#up
      .fromArray(/** @type {number[]} */ (wheel.direction))
      .normalize()
      .negate()
    this.#axle.fromArray(/** @type {number[]} */ (wheel.axle)).normalize()
    this.#orientation
      .copy(this.#turn)
      .multiply(this.#part.setFromAxisAngle(this.#up, wheel.steering))
      .multiply(this.#part.setFromAxisAngle(this.#axle, angle))
      .multiply(this.#part.setFromUnitVectors(AXIS, this.#axle))
    this.#place
      .fromArray(/** @type {number[]} */ (wheel.position))
      .addScaledVector(this.#up, -wheel.suspensionLength)
      .applyQuaternion(this.#turn)
      .add(this.#origin)
    return this.#matrix.compose(this.#place, this.#orientation, this.#size.setScalar(wheel.radius))
  }
}
