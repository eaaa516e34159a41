/**
 * The contacts of the last step: a ball at each point, its normal, and the force on the second body.
 */
import { CONTACT_POINT_LAYOUT } from 'moreau'
import { Group, SphereGeometry } from 'three'
import { ArrowField, GhostedInstances } from './arrow-field.mjs'
import { themeColor } from './theme.mjs'

/** @typedef {import('moreau').World} World */

const {
  stride: STRIDE,
  position: POSITION,
  normal: NORMAL,
  normalImpulse: NORMAL_IMPULSE,
  tangentImpulse: TANGENT_IMPULSE,
} = CONTACT_POINT_LAYOUT

/**
 * Sizes as parts of the distance between camera and scene, which looks the same from everywhere, but no more than a part
 * of a typical body's radius: a pile of small bodies would drown in its contacts.
 */
const THICKNESS = { ofDistance: 0.0011, ofRadius: 0.03 }
const POINT_RADIUS = { ofDistance: 0.0032, ofRadius: 0.07 }
/** Lengths in typical radii. */
const NORMAL_LENGTH = 0.5
const LONGEST_FORCE = 2
/** What lies behind a body shows through, the less the more there is of it. */
const HIDDEN_OPACITY = { most: 0.55, least: 0.1, perContact: 40 }
/** Forces below this part of the largest are not drawn: a dot says as much. */
const SMALLEST_FORCE = 0.01
/** s of simulated time in which the scale forgets an impact. */
const SCALE_MEMORY = 0.25

export class ContactField {
  group = new Group()
  /** N, of the contacts that were read; 0 without any. */
  largestForce = 0

  #points = new GhostedInstances(new SphereGeometry(1, 14, 10))
  #normals = new ArrowField()
  #forces = new ArrowField()
  #contacts = new Float64Array(64 * STRIDE)
  #count = 0
  /** Force on the second body of the contact looked at, N. @type {[number, number, number]} */
  #force = [0, 0, 0]
  #perSecond = 0
  /** N that the longest arrow stands for. */
  #scale = 0
  /** s, when contacts were read last */
  #time = 0

  constructor() {
    this.group.add(this.#points.group, this.#normals.group, this.#forces.group)
  }

  applyTheme() {
    this.#points.setColor(themeColor('--stage-point'))
    this.#normals.setColor(themeColor('--stage-normal'))
    this.#forces.setColor(themeColor('--stage-force'))
  }

  /** @param {{ contacts: boolean, forces: boolean }} shown */
  show({ contacts, forces }) {
    this.#points.group.visible = contacts
    this.#normals.group.visible = contacts
    this.#forces.group.visible = forces
  }

  /** Whether anything is shown. */
  get isShown() {
    return this.#points.group.visible || this.#forces.group.visible
  }

  get isForcesShown() {
    return this.#forces.group.visible
  }

  /**
   * Reads the contacts of the last step.
   *
   * @param {World} world
   * @param {number} timeStep s
   */
  read(world, timeStep) {
    this.#count = world.readContactPoints(this.#contacts)
    if (this.#count * STRIDE > this.#contacts.length) {
      this.#contacts = new Float64Array(2 * this.#count * STRIDE)
      world.readContactPoints(this.#contacts)
    }
    this.#perSecond = 1 / timeStep
    const kept = Math.exp((this.#time - world.time) / SCALE_MEMORY)
    this.#time = world.time
    let largest = 0
    for (let i = 0; i < this.#count; ++i) largest = Math.max(largest, this.#readForce(i * STRIDE))
    this.largestForce = largest
    this.#scale = Math.max(largest, this.#scale * kept)
  }

  /** Forgets the scene before. */
  reset() {
    this.largestForce = 0
    this.#scale = 0
    this.#time = 0
    this.#count = 0
  }

  /**
   * Draws what was read.
   *
   * @param {number} distance m between the camera and the scene
   * @param {number} typicalRadius m, of the scene's bodies
   */
  update(distance, typicalRadius) {
    /** @param {{ ofDistance: number, ofRadius: number }} size */
    const sized = ({ ofDistance, ofRadius }) =>
      Math.min(ofDistance * distance, ofRadius * typicalRadius)
    const thickness = sized(THICKNESS)
    const radius = sized(POINT_RADIUS)
    const normalLength = NORMAL_LENGTH * typicalRadius
    const longest = LONGEST_FORCE * typicalRadius
    this.#fadeHidden()
    const perNewton = longest / (this.#scale || 1)
    const contacts = this.#contacts
    const force = this.#force
    this.#points.count = 0
    this.#normals.begin()
    this.#forces.begin()
    for (let i = 0, at = 0; i < this.#count; ++i, at += STRIDE) {
      const x = contacts[at + POSITION]
      const y = contacts[at + POSITION + 1]
      const z = contacts[at + POSITION + 2]
      const nx = contacts[at + NORMAL]
      const ny = contacts[at + NORMAL + 1]
      const nz = contacts[at + NORMAL + 2]
      this.#addPoint(x, y, z, radius)
      this.#normals.add(x, y, z, nx, ny, nz, normalLength, thickness)
      const size = this.#readForce(at)
      if (size <= SMALLEST_FORCE * this.#scale) continue
      const [fx, fy, fz] = force
      const length = size * perNewton
      this.#forces.add(x, y, z, fx / size, fy / size, fz / size, length, 1.5 * thickness)
    }
    this.#points.commit()
    this.#normals.end()
    this.#forces.end()
  }

  #fadeHidden() {
    const { most, least, perContact } = HIDDEN_OPACITY
    const opacity = Math.min(most, Math.max(least, perContact / this.#count))
    this.#points.hiddenOpacity = opacity
    this.#normals.hiddenOpacity = opacity
    this.#forces.hiddenOpacity = opacity
  }

  /**
   * @param {number} at where the contact begins
   * @returns {number} its force in N, whose components are then in `#force`
   */
  #readForce(at) {
    const contacts = this.#contacts
    const force = this.#force
    for (let axis = 0; axis < 3; ++axis) {
      const normal = contacts[at + NORMAL_IMPULSE] * contacts[at + NORMAL + axis]
      force[axis] = (normal + contacts[at + TANGENT_IMPULSE + axis]) * this.#perSecond
    }
    return Math.sqrt(force[0] ** 2 + force[1] ** 2 + force[2] ** 2)
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} radius
   */
  #addPoint(x, y, z, radius) {
    const at = this.#points.add()
    const { matrices } = this.#points
    matrices.fill(0, at, at + 12)
    matrices[at] = matrices[at + 5] = matrices[at + 10] = radius
    matrices[at + 12] = x
    matrices[at + 13] = y
    matrices[at + 14] = z
    matrices[at + 15] = 1
  }
}
