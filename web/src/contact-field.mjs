/**
 * The contacts of the last step: a ball at each point, its normal, and the force on the second body.
 */
import { Group, SphereGeometry } from 'three'
import { ArrowField, GhostedInstances } from './arrow-field.mjs'
import { themeColor } from './theme.mjs'

/** @typedef {import('moreau').World} World */
/** @typedef {import('moreau').ContactPoint} ContactPoint */

/** Sizes as parts of the distance between camera and scene: the same on the screen at any distance. */
const THICKNESS = 0.0011
const POINT_RADIUS = 0.0032
/** Lengths in typical radii of the scene's bodies. */
const NORMAL_LENGTH = 0.55
const LONGEST_FORCE = 2
/** Forces below this part of the largest are not drawn: a dot says as much. */
const SMALLEST_FORCE = 0.01
/** How much of the scale is kept from picture to picture: after an impact the arrows grow back within a second. */
const SCALE_DECAY = 0.95

export class ContactField {
  group = new Group()
  /** N that the longest arrow stands for; 0 without forces. */
  longestForce = 0

  #points = new GhostedInstances(new SphereGeometry(1, 14, 10))
  #normals = new ArrowField()
  #forces = new ArrowField()
  /** @type {ContactPoint[]} */
  #contacts = []

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
   */
  read(world) {
    this.#contacts = world.contactPoints()
    let largest = 0
    for (const { normalForce: n, tangentForce: t } of this.#contacts) {
      largest = Math.max(largest, Math.sqrt(n * n + t[0] * t[0] + t[1] * t[1] + t[2] * t[2]))
    }
    this.longestForce = Math.max(largest, this.longestForce * SCALE_DECAY)
  }

  /** Forgets the scale of the scene before. */
  reset() {
    this.longestForce = 0
    this.#contacts = []
  }

  /**
   * Draws what was read.
   *
   * @param {number} distance m between the camera and the scene
   * @param {number} typicalRadius m, of the scene's bodies
   */
  update(distance, typicalRadius) {
    const thickness = THICKNESS * distance
    const radius = POINT_RADIUS * distance
    const normalLength = Math.max(NORMAL_LENGTH * typicalRadius, 20 * thickness)
    const perNewton =
      Math.max(LONGEST_FORCE * typicalRadius, 50 * thickness) / (this.longestForce || 1)
    const points = this.#points
    points.count = 0
    this.#normals.begin()
    this.#forces.begin()
    for (const { position: p, normal: n, normalForce, tangentForce: t } of this.#contacts) {
      const at = points.add()
      const { matrices } = points
      matrices.fill(0, at, at + 12)
      matrices[at] = matrices[at + 5] = matrices[at + 10] = radius
      matrices[at + 12] = p[0]
      matrices[at + 13] = p[1]
      matrices[at + 14] = p[2]
      matrices[at + 15] = 1
      this.#normals.add(p[0], p[1], p[2], n[0], n[1], n[2], normalLength, thickness)

      const fx = normalForce * n[0] + t[0]
      const fy = normalForce * n[1] + t[1]
      const fz = normalForce * n[2] + t[2]
      const force = Math.sqrt(fx * fx + fy * fy + fz * fz)
      if (force <= SMALLEST_FORCE * this.longestForce) continue
      const length = force * perNewton
      this.#forces.add(
        p[0],
        p[1],
        p[2],
        fx / force,
        fy / force,
        fz / force,
        length,
        1.5 * thickness,
      )
    }
    points.commit()
    this.#normals.end()
    this.#forces.end()
  }
}
