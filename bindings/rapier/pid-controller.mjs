import { turnAfter, turnBack } from '../import/rigid.mjs'
import { quadruple, triple, xyz } from './vectors.mjs'

/** @import { RapierRigidBody } from './rigid-body.mjs' */
/** @import { QuaternionInput, VectorInput, Xyz } from './vectors.mjs' */
/** @import { RapierWorld } from './world.mjs' */

export const PidAxesMask = Object.freeze({
  ...{ None: 0, LinX: 1, LinY: 2, LinZ: 4, AngX: 8, AngY: 16, AngZ: 32 },
  ...{ AllLin: 7, AllAng: 56, All: 63 },
})

/** The first of the three axes of turns. */
const ANGULAR = 3
const AXES = 6

/** What `world.createPidController` gives: it changes the velocity of a body so that it goes where it is wanted. */
export class PidController {
  #world
  /** Gains of the six axes: 1/s, 1/s², none. @type {{ kp: number[], ki: number[], kd: number[] }} */
  #gains = { kp: zeros(), ki: zeros(), kd: zeros() }
  #integrals = zeros()
  #axes

  /**
   * @param {RapierWorld} world
   * @param {number} kp 1/s
   * @param {number} ki 1/s²
   * @param {number} kd
   * @param {number} axes `PidAxesMask`
   */
  constructor(world, kp, ki, kd, axes) {
    this.#world = world
    this.#axes = axes
    this.setKp(kp, PidAxesMask.All)
    this.setKi(ki, PidAxesMask.All)
    this.setKd(kd, PidAxesMask.All)
  }

  /** @param {number} kp @param {number} axes `PidAxesMask` */
  setKp = (kp, axes) => this.#setGain('kp', kp, axes)
  /** @param {number} ki @param {number} axes */
  setKi = (ki, axes) => this.#setGain('ki', ki, axes)
  /** @param {number} kd @param {number} axes */
  setKd = (kd, axes) => this.#setGain('kd', kd, axes)

  /** @param {number} axes `PidAxesMask`: the others are left alone */
  setAxes(axes) {
    this.#axes = axes
  }

  resetIntegrals() {
    this.#integrals = zeros()
  }

  /**
   * @param {RapierRigidBody} body
   * @param {VectorInput} target metres, world: where the body is to be
   * @param {VectorInput} velocity m/s, that it is to have
   * @returns {Xyz} m/s that its velocity lacks
   */
  linearCorrection(body, target, velocity) {
    const errors = difference(triple(target), triple(body.translation()))
    const rates = difference(triple(velocity), triple(body.linvel()))
    return xyz(this.#correction(0, errors, rates))
  }

  /**
   * @param {RapierRigidBody} body
   * @param {QuaternionInput} target the orientation that the body is to have
   * @param {VectorInput} velocity rad/s
   * @returns {Xyz} rad/s that its velocity lacks
   */
  angularCorrection(body, target, velocity) {
    const errors = turnBetween(quadruple(body.rotation()), quadruple(target))
    const rates = difference(triple(velocity), triple(body.angvel()))
    return xyz(this.#correction(ANGULAR, errors, rates))
  }

  /** @param {RapierRigidBody} body @param {VectorInput} target @param {VectorInput} velocity */
  applyLinearCorrection(body, target, velocity) {
    const lack = triple(this.linearCorrection(body, target, velocity))
    body.setLinvel(sum(triple(body.linvel()), lack), true)
  }

  /** @param {RapierRigidBody} body @param {QuaternionInput} target @param {VectorInput} velocity */
  applyAngularCorrection(body, target, velocity) {
    const lack = triple(this.angularCorrection(body, target, velocity))
    body.setAngvel(sum(triple(body.angvel()), lack), true)
  }

  free() {}

  /** @param {'kp' | 'ki' | 'kd'} name @param {number} gain @param {number} axes */
  #setGain(name, gain, axes) {
    this.#gains[name] = this.#gains[name].map((old, i) => (axes & (1 << i) ? gain : old))
  }

  /** @param {number} first of the axes @param {number[]} errors @param {number[]} rates */
  #correction(first, errors, rates) {
    const { kp, ki, kd } = this.#gains
    return errors.map((error, i) => {
      const axis = first + i
      if ((this.#axes & (1 << axis)) === 0) return 0
      this.#integrals[axis] += error * this.#world.timestep
      return kp[axis] * error + ki[axis] * this.#integrals[axis] + kd[axis] * rates[i]
    })
  }
}

/** @returns {number[]} */
const zeros = () => new Array(AXES).fill(0)

/** @param {number[]} a @param {number[]} b */
const difference = (a, b) => a.map((x, i) => x - b[i])

/** @param {number[]} a @param {number[]} b */
const sum = (a, b) => a.map((x, i) => x + b[i])

/**
 * The turn from one orientation to another one, the short way round.
 * @param {[number, number, number, number]} from
 * @param {[number, number, number, number]} to
 * @returns {number[]} rad, along its axis, world
 */
function turnBetween(from, to) {
  const [x, y, z, w] = turnAfter(to, turnBack(from))
  const sine = Math.hypot(x, y, z)
  if (sine === 0) return [0, 0, 0]
  const angle = 2 * Math.atan2(Math.sign(w || 1) * sine, Math.abs(w))
  return [x, y, z].map((part) => (part * angle) / sine)
}
