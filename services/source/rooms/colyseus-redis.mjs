import { RedisDriver } from '@colyseus/redis-driver'
import { RedisPresence } from '@colyseus/redis-presence'
import { connect } from './store.mjs'

/** @import { StoreHealth } from './store-health.mjs' */

/**
 * What Colyseus writes to Redis, and what it is answered where Redis refuses. It waits for most of this in places where nobody catches an error,
 * which would end the process; all of it is written again with the next change, or by the keeper.
 */
const DRIVER = { update: true, persist: true, remove: true, cleanup: undefined }
const PRESENCE = {
  ...{ publish: undefined, hset: false, hdel: false, hincrby: 1, hincrbyex: 1 },
  ...{ sadd: undefined, srem: 0, incr: 1, decr: 0, rpush: 0, lpush: 0 },
}

/**
 * @template {object} Target
 * @param {Target} target
 * @param {Record<string, unknown>} answers by name of a function
 * @param {StoreHealth} health
 * @returns {Target}
 */
function calm(target, answers, health) {
  const functions = /** @type {Record<string, any>} */ (target)
  for (const [name, answer] of Object.entries(answers)) {
    const write = functions[name].bind(target)
    functions[name] = (/** @type {any[]} */ ...values) =>
      health.watch(Promise.resolve(write(...values))).catch(() => answer)
  }
  return target
}

/** The list of rooms of all processes. @param {string} url @param {StoreHealth} health */
export const makeDriver = (url, health) =>
  calm(new RedisDriver(/** @type {any} */ (connect(url, health))), DRIVER, health)

/** What processes tell one another. @param {string} url @param {StoreHealth} health */
export const makePresence = (url, health) =>
  calm(new RedisPresence(/** @type {any} */ (connect(url, health))), PRESENCE, health)
