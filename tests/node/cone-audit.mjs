/**
 * Row A31: Coulomb's law for every contact of a step, from the outside: impulses as the world reports them, velocities from
 * those of the bodies.
 */
import assert from 'node:assert/strict'
import { add, cross, dot, length, scale, subtract } from '../../scenarios/vector.mjs'

/** @typedef {import('moreau').World} World */
/** @typedef {import('moreau').Body} Body */

/** Relative velocity below which a contact counts as sticking, m/s. */
const SLIP = 1e-6
/** Of the world's own certificate: 1e-8 of g dt, m/s. */
const RESIDUAL = 1e-8 * 9.81 * 0.016

export class ConeAudit {
  #world
  #friction
  #scale
  #bodies
  /** @type {Map<number, Readonly<import('../../scenarios/vector.mjs').Vector>>} centres of mass at the start of the step */
  #centres = new Map()
  contacts = 0
  sliding = 0

  /**
   * @param {World} world
   * @param {number} friction of all contacts
   * @param {number} [mass] kg of the heaviest body: the page's tolerances of impulses are for a few kg
   */
  constructor(world, friction, mass = 1) {
    this.#world = world
    this.#friction = friction
    this.#scale = Math.max(1, mass)
    this.#bodies = [...world.bodies]
    this.remember()
  }

  /** To be called before a step if something moved a body since the last. */
  remember() {
    for (const body of this.#bodies) this.#centres.set(body.id, body.worldCenterOfMass)
  }

  /** Looks at the step that was just made. */
  afterStep() {
    const { worst } = this.#world.residual()
    assert.ok(worst <= RESIDUAL, `certificate ${worst} m/s`)
    for (const point of this.#world.contactPoints()) this.#auditPoint(point)
    this.remember()
  }

  /** @param {ReturnType<World['contactPoints']>[number]} point */
  #auditPoint({ bodyA, bodyB, position, normal, normalImpulse, tangentImpulse }) {
    const velocity = subtract(this.#velocityAt(bodyB, position), this.#velocityAt(bodyA, position))
    const normalVelocity = dot(velocity, normal)
    const slip = subtract(velocity, scale(normal, normalVelocity))
    const tangent = length(tangentImpulse)
    const limit = this.#friction * normalImpulse
    const text = `at ${position}: normal impulse ${normalImpulse}, tangent ${tangent}, limit ${limit}, normal velocity ${normalVelocity}, slip ${length(slip)}`

    this.contacts++
    assert.ok(normalImpulse >= 0, `pulls ${text}`)
    assert.ok(normalImpulse * normalVelocity <= 1e-8 * this.#scale, `pushes what separates ${text}`)
    assert.ok(tangent <= limit * (1 + 1e-9), `outside of the cone ${text}`)
    if (length(slip) <= SLIP || normalImpulse === 0) return
    this.sliding++
    assert.ok(tangent >= limit * (1 - 1e-6), `slides with too little friction ${text}`)
    const sine = length(cross(tangentImpulse, slip)) / (tangent * length(slip))
    assert.ok(dot(tangentImpulse, slip) < 0 && sine < 1e-5, `friction not against slip ${text}`)
  }

  /**
   * @param {Body} body
   * @param {import('../../scenarios/vector.mjs').Vector} point world
   */
  #velocityAt(body, point) {
    const centre = this.#centres.get(body.id) ?? body.worldCenterOfMass
    return add(body.linearVelocity, cross(body.angularVelocity, subtract(point, centre)))
  }
}
