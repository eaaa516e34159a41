import { BodyReader } from './body-reader.mjs'
import { warnOnce } from './warn.mjs'

/** How a body takes part, in Rapier's spelling. A part of `RapierRigidBody`, and nothing by itself. */
export class BodySwitches extends BodyReader {
  sleep() {
    this.change('sleep', true, (raw) => raw.sleep())
  }

  wakeUp() {
    this.change('wakeUp', true, (raw) => raw.wake())
  }

  /** @param {number} factor @param {boolean} [wakeUp] */
  setGravityScale(factor, wakeUp) {
    this.change('setGravityScale', wakeUp, (raw) => (raw.gravityScale = factor))
  }

  /** @param {number} damping 1/s */
  setLinearDamping(damping) {
    this.change('setLinearDamping', false, (raw) => (raw.linearDamping = damping))
  }

  /** @param {number} damping 1/s */
  setAngularDamping(damping) {
    this.change('setAngularDamping', false, (raw) => (raw.angularDamping = damping))
  }

  /** @param {boolean} isOn */
  enableCcd(isOn) {
    this.change('enableCcd', false, (raw) => (raw.bullet = isOn))
  }

  /** @internal @param {boolean} isAllowed */
  setCanSleep(isAllowed) {
    this.change('canSleep', true, (raw) => (raw.allowSleep = isAllowed))
  }

  /** @param {boolean} isLocked @param {boolean} [wakeUp] */
  lockTranslations(isLocked, wakeUp) {
    this.setEnabledTranslations(!isLocked, !isLocked, !isLocked, wakeUp)
  }

  /** @param {boolean} isLocked @param {boolean} [wakeUp] */
  lockRotations(isLocked, wakeUp) {
    this.setEnabledRotations(!isLocked, !isLocked, !isLocked, wakeUp)
  }

  /** @param {boolean} x @param {boolean} y @param {boolean} z @param {boolean} [wakeUp] */
  setEnabledTranslations(x, y, z, wakeUp) {
    this.change('setEnabledTranslations', wakeUp, (raw) => (raw.lockTranslation = [!x, !y, !z]))
  }

  /** @param {boolean} x @param {boolean} y @param {boolean} z @param {boolean} [wakeUp] */
  setEnabledRotations(x, y, z, wakeUp) {
    this.change('setEnabledRotations', wakeUp, (raw) => (raw.lockRotation = [!x, !y, !z]))
  }

  /** @type {BodySwitches['setEnabledTranslations']} */
  restrictTranslations(x, y, z, wakeUp) {
    this.setEnabledTranslations(x, y, z, wakeUp)
  }

  /** @type {BodySwitches['setEnabledRotations']} */
  restrictRotations(x, y, z, wakeUp) {
    this.setEnabledRotations(x, y, z, wakeUp)
  }

  /** @param {boolean} isEnabled whether it takes part in the world */
  setEnabled(isEnabled) {
    this.change('setEnabled', true, (raw) => (raw.isEnabled = isEnabled))
  }

  /** @returns {boolean} */
  isEnabled() {
    return this.isValid() && this.raw.isEnabled
  }

  // --- what has no equal ------------------------------------------------------------------------

  /** @param {number} [group] */
  setDominanceGroup(group = 0) {
    if (group === 0) return
    warnOnce('dominanceGroup', 'Moreau has no dominance: bodies push each other by their masses')
  }

  /** @param {number} [count] */
  setAdditionalSolverIterations(count = 0) {
    if (count === 0) return
    const text = 'Moreau has no iterations per body: raise numSolverIterations of Physics'
    warnOnce('additionalSolverIterations', text)
  }

  /** @param {number} [distance] */
  setSoftCcdPrediction(distance = 0) {
    if (distance === 0) return
    const text = 'nothing passes fixed bodies in a step without it; ccd is for moving ones'
    warnOnce('softCcdPrediction', text)
  }

  dominanceGroup = () => 0
  additionalSolverIterations = () => 0
  softCcdPrediction = () => 0
}
