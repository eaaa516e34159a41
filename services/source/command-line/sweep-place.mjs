/**
 * Where the sweeps of a command line are: in a folder, or in Redis.
 */
import { RedisClusterError, refuseCluster } from '../operations/index.mjs'
import { connectRedis, folderStore, redisStore, sweepsIn, sweepsInRedis } from '../sweeps/index.mjs'

/** ms after which a Redis that was named on the command line and does not answer is an error */
const ANSWER_DEADLINE = 5000

/**
 * @typedef {object} SweepPlace
 * @property {string | undefined} url of Redis
 * @property {(id: string) => import('../sweeps/store.mjs').SweepStore} storeOf
 * @property {() => Promise<string[]>} list
 * @property {() => void} close
 */

/**
 * @param {{ redis?: string, folder: string }} options
 * @returns {Promise<SweepPlace>}
 */
export async function openPlace({ redis: url, folder }) {
  if (url === undefined) {
    const storeOf = (/** @type {string} */ id) => folderStore(folder, id)
    return { url, storeOf, list: () => sweepsIn(folder), close() {} }
  }
  if (url.includes(',')) throw new RedisClusterError(url)
  let failure = 'no answer'
  const connection = connectRedis(url, (error) => (failure = error.message))
  const late = new Promise((resolve) => setTimeout(resolve, ANSWER_DEADLINE, 'late').unref())
  try {
    if ((await Promise.race([refuseCluster(url, connection), late])) === 'late')
      throw new Error(`--redis ${url}: ${failure}`)
  } catch (error) {
    connection.disconnect()
    throw error
  }
  return {
    url,
    storeOf: (id) => redisStore(connection, id),
    list: () => sweepsInRedis(connection),
    close: () => connection.disconnect(),
  }
}
