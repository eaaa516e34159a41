import { isSeen } from './rays.mjs'
import { quadruple, triple, xyz } from './vectors.mjs'
import { warnOnce } from './warn.mjs'

/** @import { Body, Character, CharacterContact, Shape, World } from '../index.mjs' */
/** @import { RapierCollider } from './collider.mjs' */
/** @import { RayFilter } from './rays.mjs' */
/** @import { RapierWorld } from './world.mjs' */
/** @import { VectorInput, Xyz } from './vectors.mjs' */

/** Metres: a collider that is nearer to where its last move ended was put there by it. */
const SAME_PLACE = 1e-6

/**
 * Of a `Character` of Moreau.
 * @typedef {object} Measures
 * @property {number} offset
 * @property {number} slopeLimit
 * @property {number} slideAngle
 * @property {number} stepHeight
 * @property {number} stepDown
 * @property {readonly [number, number, number]} up
 */

/** What Rapier has where a program says nothing. */
const MEASURES = Object.freeze({
  ...{ slopeLimit: Math.PI / 4, slideAngle: Math.PI / 6, stepHeight: 0, stepDown: 0 },
  up: Object.freeze(/** @type {const} */ ([0, 1, 0])),
})

/**
 * What `world.createCharacterController` gives: how far a collider gets, in Rapier's spelling, over a `Character` of
 * Moreau, `raw`. Unlike Rapier's it is carried by what it stands on.
 */
export class KinematicCharacterController {
  #world
  /** @type {Measures} */
  #measures
  #mayPush = false
  /** kg @type {number | null} */
  #mass = null
  /** @type {RayFilter} */
  #filter = {}
  /** @type {Character | undefined} */
  #raw
  /** What `raw` was made for. @type {{ world: World, shape: Shape, body: Body } | undefined} */
  #made
  #movement = triple(0)
  /** @type {readonly CharacterContact[]} */
  #contacts = []

  /**
   * @param {RapierWorld} world
   * @param {number} offset metres that it keeps to everything, above 0
   */
  constructor(world, offset) {
    if (!(offset > 0)) {
      throw new TypeError(`createCharacterController: offset must be above 0, got ${offset}`)
    }
    this.#world = world
    this.#measures = { ...MEASURES, offset }
  }

  /** The `Character` of Moreau, from the first movement on. @returns {Character | undefined} */
  get raw() {
    return this.#raw
  }

  // --- moves ------------------------------------------------------------------------------------

  /**
   * Finds how far a collider gets. It stays where it is: `computedMovement` says where to put it.
   * @param {RapierCollider} collider convex
   * @param {VectorInput} desired metres in this step
   * @param {number} [flags] `QueryFilterFlags`
   * @param {number} [groups]
   * @param {(collider: RapierCollider) => boolean} [predicate]
   */
  computeColliderMovement(collider, desired, flags, groups, predicate) {
    const { timestep } = this.#world
    const way = triple(desired)
    const character = this.#characterOf(collider)
    this.#filter = { flags, groups, predicate, collider }
    character.pushForce = this.#mayPush ? this.#strength(collider, way, timestep) : 0
    const from = triple(collider.translation())
    this.#put(character, collider, from)
    character.move(way, timestep)
    const to = character.position
    this.#movement = triple(to.map((x, i) => x - from[i]))
    this.#contacts = character.contacts()
  }

  /** @returns {Xyz} metres */
  computedMovement() {
    return xyz(this.#movement)
  }

  /** @returns {boolean} */
  computedGrounded() {
    return this.#raw?.grounded === true
  }

  /** @returns {number} */
  numComputedCollisions() {
    return this.#contacts.length
  }

  /** @param {number} i what the last move met */
  computedCollision(i) {
    const contact = this.#contacts[i]
    if (contact === undefined) return null
    const { body, shape, position, normal } = contact
    const collider = this.#world.colliderOf(body, shape) ?? null
    return { collider, witness1: xyz(position), normal1: xyz(normal) }
  }

  /** Gives back what the engine has of it. */
  free() {
    if (this.#made && this.#world.isOpen(this.#made.world)) this.#raw?.destroy()
    this.#raw = this.#made = undefined
  }

  // --- measures ---------------------------------------------------------------------------------

  offset = () => this.#measures.offset
  up = () => xyz(this.#measures.up)
  maxSlopeClimbAngle = () => this.#measures.slopeLimit
  minSlopeSlideAngle = () => this.#measures.slideAngle
  autostepEnabled = () => this.#measures.stepHeight > 0
  autostepMaxHeight = () => this.#measures.stepHeight
  snapToGroundEnabled = () => this.#measures.stepDown > 0
  snapToGroundDistance = () => this.#measures.stepDown
  applyImpulsesToDynamicBodies = () => this.#mayPush
  characterMass = () => this.#mass

  /** @param {number} offset metres */
  setOffset = (offset) => this.#measure({ offset })
  /** @param {VectorInput} up */
  setUp = (up) => this.#measure({ up: triple(up) })
  /** @param {number} slopeLimit radians */
  setMaxSlopeClimbAngle = (slopeLimit) => this.#measure({ slopeLimit })
  /** @param {number} slideAngle radians */
  setMinSlopeSlideAngle = (slideAngle) => this.#measure({ slideAngle })
  /** @param {number} stepHeight metres @param {number} [_minWidth] @param {boolean} [_dynamic] every step that it fits on is climbed */
  enableAutostep = (stepHeight, _minWidth, _dynamic) => this.#measure({ stepHeight })
  disableAutostep = () => this.#measure({ stepHeight: 0 })
  /** @param {number} stepDown metres */
  enableSnapToGround = (stepDown) => this.#measure({ stepDown })
  disableSnapToGround = () => this.#measure({ stepDown: 0 })

  /** @param {boolean} isOn */
  setSlideEnabled(isOn) {
    if (!isOn) warnOnce('setSlideEnabled', 'characters of Moreau slide along what stops them')
  }

  /** @param {boolean} isOn */
  setApplyImpulsesToDynamicBodies(isOn) {
    this.#mayPush = isOn
  }

  /** @param {number | null} mass kg; null: that of the collider */
  setCharacterMass(mass) {
    this.#mass = mass
  }

  /** @param {Partial<Measures>} measures */
  #measure(measures) {
    this.#measures = { ...this.#measures, ...measures }
    this.free() // the next movement makes another one
  }

  // --- parts ------------------------------------------------------------------------------------

  /**
   * The most that moving masses push with: their momentum, in one step.
   * @param {RapierCollider} collider
   * @param {readonly number[]} way
   * @param {number} dt
   */
  #strength(collider, way, dt) {
    return ((this.#mass ?? collider.mass()) * Math.hypot(...way)) / (dt * dt)
  }

  /** @param {RapierCollider} collider @returns {Character} */
  #characterOf(collider) {
    const { raw: world } = this.#world
    const { raw: shape } = collider
    const body = /** @type {NonNullable<RapierCollider['body']>} */ (collider.body).raw
    const { world: w, shape: s, body: b } = this.#made ?? {}
    if (this.#raw && w === world && s === shape && b === body) return this.#raw
    this.free()
    this.#made = { world, shape, body }
    this.#raw = world.createCharacter({
      ...{ shape, ...engineMeasures(this.#measures) },
      exclude: body,
      predicate: (other, part) => this.#isSolid(other, part),
    })
    return this.#raw
  }

  /** @param {Body} body @param {Shape} shape */
  #isSolid(body, shape) {
    const collider = this.#world.colliderOf(body, shape)
    return collider === undefined || isSeen(collider, this.#filter)
  }

  /** What was put elsewhere stands on nothing yet. @param {Character} character @param {RapierCollider} collider @param {[number, number, number]} place */
  #put(character, collider, place) {
    const { position } = character
    const distance = Math.hypot(...place.map((x, i) => x - position[i]))
    if (distance > SAME_PLACE) character.position = place
    character.orientation = quadruple(collider.rotation())
  }
}

/**
 * On slopes that it climbs a character of Moreau does not slide.
 * @param {Measures} measures
 */
function engineMeasures({ slideAngle, slopeLimit, ...others }) {
  return { ...others, slopeLimit, slideAngle: Math.max(slideAngle, slopeLimit) }
}
