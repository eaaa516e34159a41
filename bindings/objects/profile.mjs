import { unwritable } from '../core/describe.mjs'
import { Scratch } from '../core/scratch.mjs'
import { PROFILE_STAGES } from '../generated/enums.mjs'

/** @import { Profile } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

const times = new Scratch(PROFILE_STAGES.length)

/**
 * @template {Partial<Profile>} Out
 * @param {WorldCore} core
 * @param {Out} out
 * @param {string} where
 * @returns {Out & Profile} `out`
 */
export function readProfile(core, out, where) {
  const module = core.engine
  module.exports.world_profile(core.pointerFor(where))
  module.begin(PROFILE_STAGES.length)
  const seconds = times.take()
  for (let i = 0; i < PROFILE_STAGES.length; i++) seconds[i] = module.take()
  const profile = /** @type {Out & Profile} */ (out)
  try {
    for (let i = 0; i < PROFILE_STAGES.length; i++) {
      /** @type {Profile} */ profile[PROFILE_STAGES[i]] = seconds[i]
    }
  } catch (error) {
    throw unwritable(error, `${where}: out`, 'an object', out)
  }
  times.giveBack(seconds)
  return profile
}
