import { init as load } from '../index.mjs'

/** Loads the engine. What Rapier's `init` is given is not needed. @returns {Promise<void>} when worlds can be made */
export async function init() {
  await load()
}

/** The version of Rapier whose names these are. @returns {string} */
export const version = () => '0.21.0'

/** Memory grows by itself. @param {number} _bytes */
export function reserveMemory(_bytes) {}
