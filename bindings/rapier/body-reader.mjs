import { warnOnce } from './warn.mjs'
import { triple, xyz, xyzw } from './vectors.mjs'

// What can be read of a rigid body, and what is left of it when it is gone.

/** @import { Body } from '../index.mjs' */
/** @import { VectorInput, Xyz, Xyzw } from './vectors.mjs' */

const ORIGIN = Object.freeze([0, 0, 0])
const NO_TURN = Object.freeze([0, 0, 0, 1])

/**
 * The readings of `RapierRigidBody`, in Rapier's spelling. What is read of a body that was unmounted is as it was
 * last, since a frame or a timer may well ask once more.
 */
export class BodyReader {
  /** @type {Body | undefined} */
  #raw
  /** @type {ArrayLike<number>} */
  #lastPosition = ORIGIN
  /** @type {ArrayLike<number>} */
  #lastOrientation = NO_TURN

  /**
   * The `Body` of Moreau, with everything that Rapier has no name for.
   * @returns {Body}
   * @throws {Error} before the component is mounted; of an unmounted one it is stale
   */
  get raw() {
    if (this.#raw === undefined) throw new Error('moreau: the RigidBody is not in a world yet')
    return this.#raw
  }

  /** @returns {boolean} whether the body is in the world */
  isValid() {
    return this.#raw?.isAlive === true
  }

  /** @returns {Xyz} metres, world */
  translation() {
    return xyz(this.isValid() ? this.raw.position : this.#lastPosition)
  }

  /** @returns {Xyzw} world from body */
  rotation() {
    return xyzw(this.isValid() ? this.raw.orientation : this.#lastOrientation)
  }

  /** @returns {Xyz} m/s, of the centre of mass */
  linvel() {
    return xyz(this.isValid() ? this.raw.linearVelocity : ORIGIN)
  }

  /** @returns {Xyz} rad/s */
  angvel() {
    return xyz(this.isValid() ? this.raw.angularVelocity : ORIGIN)
  }

  /** @param {VectorInput} point world @returns {Xyz} m/s */
  velocityAtPoint(point) {
    return xyz(this.isValid() ? this.raw.velocityAtPoint(triple(point)) : ORIGIN)
  }

  /** @returns {number} kg; 0 of what does not move by forces */
  mass() {
    return this.isValid() ? this.raw.mass : 0
  }

  /** @returns {number} 1/kg */
  invMass() {
    const mass = this.mass()
    return mass > 0 ? 1 / mass : 0
  }

  /** @returns {Xyz} body frame */
  localCom() {
    return xyz(this.isValid() ? this.raw.centerOfMass : ORIGIN)
  }

  /** @returns {Xyz} world */
  worldCom() {
    return this.isValid() ? xyz(this.raw.worldCenterOfMass) : this.translation()
  }

  /** @returns {number} */
  gravityScale() {
    return this.isValid() ? this.raw.gravityScale : 1
  }

  /** @returns {number} 1/s */
  linearDamping() {
    return this.isValid() ? this.raw.linearDamping : 0
  }

  /** @returns {number} 1/s */
  angularDamping() {
    return this.isValid() ? this.raw.angularDamping : 0
  }

  /** @returns {boolean} */
  isCcdEnabled() {
    return this.isValid() && this.raw.bullet
  }

  /** @returns {boolean} whether it takes no part in steps because it lies still */
  isSleeping() {
    return this.isValid() && this.raw.type !== 'static' && !this.raw.isAwake
  }

  /** @returns {boolean} */
  isMoving() {
    return this.isValid() && (this.raw.speed > 0 || this.raw.angularSpeed > 0)
  }

  /**
   * @protected
   * @param {Body} raw
   */
  take(raw) {
    this.#raw = raw
  }

  /** @protected Keeps where the body was, before it goes. */
  keepLast() {
    if (!this.isValid()) return
    this.#lastPosition = this.raw.position
    this.#lastOrientation = this.raw.orientation
  }

  /**
   * Changes the body, or says once that it is gone. Rapier wakes a body only if it is told to.
   * @protected
   * @param {string} name of the call
   * @param {boolean | undefined} wakeUp
   * @param {(raw: Body) => void} change
   */
  change(name, wakeUp, change) {
    if (!this.isValid()) {
      const text = `${name} was called on a rigid body that is not mounted: nothing happens`
      return warnOnce('unmounted', text)
    }
    const slept = wakeUp !== true && this.isSleeping()
    change(this.raw)
    if (slept) this.raw.sleep()
  }
}
