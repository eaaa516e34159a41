import { unwritable } from '../core/describe.mjs'
import { Scratch } from '../core/scratch.mjs'

/** @import { Profile } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/**
 * The stages of a step, in the order of mo_profile_stage.
 * @type {readonly (keyof Profile)[]}
 */
const STAGES = [
  'step',
  'forces',
  'broadPhase',
  'narrowPhase',
  'islands',
  'prepare',
  'solve',
  'integrate',
  'continuous',
  'sleep',
  'commit',
  'certificate',
]

const times = new Scratch(STAGES.length)

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
  module.begin(STAGES.length)
  const seconds = times.take()
  for (let i = 0; i < STAGES.length; i++) seconds[i] = module.take()
  const profile = /** @type {Out & Profile} */ (out)
  try {
    for (let i = 0; i < STAGES.length; i++) {
      /** @type {Profile} */ profile[STAGES[i]] = seconds[i]
    }
  } catch (error) {
    throw unwritable(error, `${where}: out`, 'an object', out)
  }
  times.giveBack(seconds)
  return profile
}
