import { access } from '../core/access.mjs'
import { engine } from '../core/engine.mjs'
import { Warner } from '../core/warner.mjs'
import { WorldCore } from '../core/world-core.mjs'
import { reading } from '../core/readable.mjs'
import { changeSettings, readSettings } from '../definitions/settings.mjs'
import { NUMBERS as SETTINGS_NUMBERS } from '../generated/places/settings.mjs'

/** @import { World } from './world.mjs' */
/** @import { WorldOptions } from '../types/index.mjs' */

/** @type {(owner: SettingsOwner) => WorldCore} what a world shares with its bodies */
export let coreOf

/**
 * Who has the settings of a world: what the getters and setters of `WorldSettings` stand on, which are
 * made from bindings/schema. A part of `World`, and nothing by itself.
 */
export class SettingsOwner {
  #core

  static {
    coreOf = (owner) => owner.#core
    access.coreOf = coreOf
  }

  /**
   * Has the engine make the world.
   * @param {WorldOptions} options
   */
  constructor(options) {
    const module = engine()
    module.needStack()
    const settings = reading(options, 'World: options', () => readSettings(options, defaultsIn))
    module.begin(SETTINGS_NUMBERS)
    module.putAll(settings)
    const pointer = module.exports.world_create() >>> 0
    if (pointer === 0) throw module.failure(module.exports.last_result(), 'World', 0)
    const world = /** @type {World} */ (/** @type {unknown} */ (this))
    this.#core = new WorldCore(world, pointer, new Warner(options.warnings))
    this.#core.locate()
  }
}

/** The engine's defaults. @param {number} lengthUnit m @returns {number[]} */
function defaultsIn(lengthUnit) {
  const module = engine()
  module.exports.world_default_settings(lengthUnit)
  module.begin(SETTINGS_NUMBERS)
  return module.takeAll(SETTINGS_NUMBERS)
}

/**
 * @param {SettingsOwner} owner
 * @param {string} name of the setting that is asked for
 * @returns {number[]} all settings
 */
export function settingsOf(owner, name) {
  const core = coreOf(owner)
  core.engine.exports.world_get_settings(core.pointerFor(name))
  core.engine.begin(SETTINGS_NUMBERS)
  return core.engine.takeAll(SETTINGS_NUMBERS)
}

/**
 * @param {SettingsOwner} owner
 * @param {string} name
 * @param {unknown} value
 */
export function changeSetting(owner, name, value) {
  const core = coreOf(owner)
  core.alive(name)
  const settings = changeSettings(name, value, () => settingsOf(owner, name))
  core.engine.begin(SETTINGS_NUMBERS)
  core.engine.putAll(settings)
  core.check(core.engine.exports.world_set_settings(core.pointer), `World: ${name}`)
}

/**
 * A setting that the engine chooses where it is below 0.
 * @param {number} value
 * @returns {number | 'auto'}
 */
export function orAuto(value) {
  return value < 0 ? 'auto' : value
}
