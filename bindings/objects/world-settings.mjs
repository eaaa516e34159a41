import { engine } from '../core/engine.mjs'
import {
  EFFORTS,
  FRICTION_LAWS,
  INTEGRATORS,
  PLACE,
  changeSetting,
  readSettings,
  SETTING_COUNT,
  SOLVERS,
  STABILIZATIONS,
} from '../definitions/settings.mjs'
import { WorldCore } from '../core/world-core.mjs'

/** @import { World } from './world.mjs' */
/** @import { Effort, FrictionLaw, IntegratorName, SolverName } from '../types/index.mjs' */
/** @import { Stabilization, Vector, VectorLike, WorldOptions } from '../types/index.mjs' */

/** @type {(world: WorldSettings) => WorldCore} what a world shares with its bodies */
export let coreOf

/**
 * The settings of a world, as in `WorldOptions`. All may be changed at any time; they count from the
 * next step on. A part of `World`, and nothing by itself.
 */
export class WorldSettings {
  #core

  static {
    coreOf = (world) => world.#core
  }

  /**
   * Has the engine make the world.
   * @param {WorldOptions} options
   */
  constructor(options) {
    const module = engine()
    module.needStack()
    module.exports.world_default_settings()
    module.begin(SETTING_COUNT)
    const settings = module.takeAll(SETTING_COUNT)
    readSettings(options, settings)
    module.begin(SETTING_COUNT)
    module.putAll(settings)
    const pointer = module.exports.world_create() >>> 0
    if (pointer === 0) throw module.failure(module.exports.last_result(), 'World', 0)
    this.#core = new WorldCore(/** @type {World} */ (/** @type {unknown} */ (this)), pointer)
    this.#core.locate()
  }

  /**
   * m/s².
   * @returns {Vector}
   */
  get gravity() {
    const [x, y, z] = this.#settings('gravity')
    return [x, y, z]
  }

  /** @param {VectorLike} value */
  set gravity(value) {
    this.#change('gravity', value)
  }

  /**
   * What solves contacts and joints, where a body does not ask for another.
   * @returns {SolverName}
   */
  get solver() {
    return SOLVERS[this.#settings('solver')[PLACE.solver]]
  }

  /** @param {SolverName} value */
  set solver(value) {
    this.#change('solver', value)
  }

  /**
   * How overlap is removed.
   * @returns {Stabilization}
   */
  get stabilization() {
    return STABILIZATIONS[this.#settings('stabilization')[PLACE.stabilization]]
  }

  /** @param {Stabilization} value */
  set stabilization(value) {
    this.#change('stabilization', value)
  }

  /**
   * Sweeps of `'block-pgs'` per solve at the most, 1 to 100000.
   * @returns {number}
   */
  get iterations() {
    return this.#settings('iterations')[PLACE.iterations]
  }

  /** @param {number} value */
  set iterations(value) {
    this.#change('iterations', value)
  }

  /**
   * m/s: a sweep of `'block-pgs'` that changes no velocity of a row by more ends the solve; what the
   * certificate of an exactly solved island must reach; 0 or more.
   * @returns {number}
   */
  get tolerance() {
    return this.#settings('tolerance')[PLACE.tolerance]
  }

  /** @param {number} value */
  set tolerance(value) {
    this.#change('tolerance', value)
  }

  /**
   * m/s of approach below which nothing bounces; `'auto'` is `max(0.01, 2 |gravity| dt)`.
   * @returns {number | 'auto'}
   */
  get restitutionThreshold() {
    return orAuto(this.#settings('restitutionThreshold')[PLACE.restitutionThreshold])
  }

  /** @param {number | 'auto'} value */
  set restitutionThreshold(value) {
    this.#change('restitutionThreshold', value)
  }

  /**
   * Metres of overlap that are left alone, 0 or more; `'auto'` is 0.005 where `'soft-step'` solves, else
   * 0.001.
   * @returns {number | 'auto'}
   */
  get linearSlop() {
    return orAuto(this.#settings('linearSlop')[PLACE.linearSlop])
  }

  /** @param {number | 'auto'} value */
  set linearSlop(value) {
    this.#change('linearSlop', value)
  }

  /**
   * The part of the overlap beyond the slop that a step removes, 0 to 1.
   * @returns {number}
   */
  get errorReduction() {
    return this.#settings('errorReduction')[PLACE.errorReduction]
  }

  /** @param {number} value */
  set errorReduction(value) {
    this.#change('errorReduction', value)
  }

  /**
   * m/s, cap of that removal; 0 or more.
   * @returns {number}
   */
  get maxCorrectionSpeed() {
    return this.#settings('maxCorrectionSpeed')[PLACE.maxCorrectionSpeed]
  }

  /** @param {number} value */
  set maxCorrectionSpeed(value) {
    this.#change('maxCorrectionSpeed', value)
  }

  /**
   * Substeps that `'soft-step'` makes of each step, 1 to 64.
   * @returns {number}
   */
  get substeps() {
    return this.#settings('substeps')[PLACE.substeps]
  }

  /** @param {number} value */
  set substeps(value) {
    this.#change('substeps', value)
  }

  /**
   * What friction obeys in the exact solvers.
   * @returns {FrictionLaw}
   */
  get frictionLaw() {
    return FRICTION_LAWS[this.#settings('frictionLaw')[PLACE.frictionLaw]]
  }

  /** @param {FrictionLaw} value */
  set frictionLaw(value) {
    this.#change('frictionLaw', value)
  }

  /**
   * What an exact solve may cost.
   * @returns {Effort}
   */
  get effort() {
    return EFFORTS[this.#settings('effort')[PLACE.effort]]
  }

  /** @param {Effort} value */
  set effort(value) {
    this.#change('effort', value)
  }

  /**
   * Matrix factorisations that an exact solver may spend on an island in a step, 1 to 100000.
   * @returns {number}
   */
  get maxIterations() {
    return this.#settings('maxIterations')[PLACE.maxIterations]
  }

  /** @param {number} value */
  set maxIterations(value) {
    this.#change('maxIterations', value)
  }

  /**
   * Bytes of working memory that the exact solve of an island may take.
   * @returns {number}
   */
  get exactMemoryLimit() {
    return this.#settings('exactMemoryLimit')[PLACE.exactMemoryLimit]
  }

  /** @param {number} value */
  set exactMemoryLimit(value) {
    this.#change('exactMemoryLimit', value)
  }

  /**
   * How the smooth motion is integrated.
   * @returns {IntegratorName}
   */
  get integrator() {
    return INTEGRATORS[this.#settings('integrator')[PLACE.integrator]]
  }

  /** @param {IntegratorName} value */
  set integrator(value) {
    this.#change('integrator', value)
  }

  /**
   * 1/s, above 0: how stiff contacts of `'soft-step'` are. More than `substeps / (8 dt)` is not used.
   * @returns {number}
   */
  get contactHertz() {
    return this.#settings('contactHertz')[PLACE.contactHertz]
  }

  /** @param {number} value */
  set contactHertz(value) {
    this.#change('contactHertz', value)
  }

  /**
   * Damping ratio of contacts of `'soft-step'`, 0 or more.
   * @returns {number}
   */
  get contactDamping() {
    return this.#settings('contactDamping')[PLACE.contactDamping]
  }

  /** @param {number} value */
  set contactDamping(value) {
    this.#change('contactDamping', value)
  }

  /**
   * 1/s, above 0: how stiff joints of `'soft-step'` are.
   * @returns {number}
   */
  get jointHertz() {
    return this.#settings('jointHertz')[PLACE.jointHertz]
  }

  /** @param {number} value */
  set jointHertz(value) {
    this.#change('jointHertz', value)
  }

  /**
   * Damping ratio of joints of `'soft-step'`, 0 or more.
   * @returns {number}
   */
  get jointDamping() {
    return this.#settings('jointDamping')[PLACE.jointDamping]
  }

  /** @param {number} value */
  set jointDamping(value) {
    this.#change('jointDamping', value)
  }

  /**
   * Whether islands of bodies that lie still fall asleep: they are not stepped until something wakes them.
   * @returns {boolean}
   */
  get allowSleep() {
    return this.#settings('allowSleep')[PLACE.allowSleep] !== 0
  }

  /** @param {boolean} value */
  set allowSleep(value) {
    this.#change('allowSleep', value)
  }

  /**
   * m/s, 0 or more: no point of a body that falls asleep is faster; `'auto'` is 0.05 where `'soft-step'`
   * solves, else 0.0001.
   * @returns {number | 'auto'}
   */
  get sleepThreshold() {
    return orAuto(this.#settings('sleepThreshold')[PLACE.sleepThreshold])
  }

  /** @param {number | 'auto'} value */
  set sleepThreshold(value) {
    this.#change('sleepThreshold', value)
  }

  /**
   * Seconds that all bodies of an island have to be that slow, 0 or more.
   * @returns {number}
   */
  get timeToSleep() {
    return this.#settings('timeToSleep')[PLACE.timeToSleep]
  }

  /** @param {number} value */
  set timeToSleep(value) {
    this.#change('timeToSleep', value)
  }

  /**
   * Whether `'soft-step'` computes its certificate in every step, for `stats.residual`. `residual()` is
   * there without.
   * @returns {boolean}
   */
  get certify() {
    return this.#settings('certify')[PLACE.certify] !== 0
  }

  /** @param {boolean} value */
  set certify(value) {
    this.#change('certify', value)
  }

  /**
   * Whether each point of a contact has a disc of friction of its own in `'soft-step'`, instead of one and a twist for the
   * contact.
   *
   * @type {boolean}
   */
  get frictionPerPoint() {
    return this.#settings('frictionPerPoint')[PLACE.frictionPerPoint] !== 0
  }

  set frictionPerPoint(value) {
    this.#change('frictionPerPoint', value)
  }

  /**
   * @param {string} name
   * @returns {number[]} all settings
   */
  #settings(name) {
    const core = this.#core
    core.engine.exports.world_get_settings(core.pointerFor(name))
    core.engine.begin(SETTING_COUNT)
    return core.engine.takeAll(SETTING_COUNT)
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  #change(name, value) {
    const core = this.#core
    core.alive(name)
    const settings = changeSetting(name, value, () => this.#settings(name))
    core.engine.begin(SETTING_COUNT)
    core.engine.putAll(settings)
    core.check(core.engine.exports.world_set_settings(core.pointer), `World: ${name}`)
  }
}

/**
 * A setting that the engine chooses where it is below 0.
 * @param {number} value
 * @returns {number | 'auto'}
 */
function orAuto(value) {
  return value < 0 ? 'auto' : value
}
