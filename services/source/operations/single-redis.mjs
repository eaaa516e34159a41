import { messageOf } from './error-text.mjs'
import { readRedisAddress, RedisClusterError } from './redis-address.mjs'
import { connectRedis } from './redis-connection.mjs'

/** @import { RedisAddress } from './redis-address.mjs' */

/** ms after which a Redis that was named and does not answer is an error */
const ANSWER_DEADLINE = 5000

/**
 * Waits until a Redis answers, and is one that the services can use.
 *
 * @param {RedisAddress} address
 * @param {import('ioredis').Redis} connection to it; ended where this throws
 * @throws {RedisClusterError}
 */
async function awaitRedis({ url, printed, database }, connection) {
  let failure = `no answer within ${ANSWER_DEADLINE / 1000} s`
  const onError = (/** @type {Error} */ error) => (failure = messageOf(error))
  connection.on('error', onError)
  const late = new Promise((resolve) => setTimeout(resolve, ANSWER_DEADLINE, 'late').unref())
  try {
    const answer = await Promise.race([describe(connection, database), late])
    if (answer === 'late') throw new Error(failure)
    if (/cluster_enabled:1/.test(answer)) throw new RedisClusterError(url)
  } catch (error) {
    connection.disconnect()
    if (error instanceof RedisClusterError) throw error
    // The library's own error has the words of the command that failed, of which the password is one.
    const { command } = Object(error)
    if (command) Object(error).command = command.name
    throw new Error(`Redis ${printed}: ${messageOf(error)}`, { cause: error })
  } finally {
    connection.off('error', onError)
  }
}

/** @param {import('ioredis').Redis} connection @param {number} database @returns {Promise<any>} */
async function describe(connection, database) {
  const description = await connection.info('cluster')
  await connection.select(database)
  return description
}

/**
 * A connection to a Redis that answers and is a single one.
 *
 * @param {string} url
 * @returns {Promise<import('ioredis').Redis>}
 */
export async function openRedis(url) {
  const address = readRedisAddress(url)
  const connection = connectRedis(address.url)
  await awaitRedis(address, connection)
  return connection
}

/**
 * Refuses a Redis that does not answer, or is not a single one, before anything is begun.
 * @param {string} url
 */
export async function checkRedis(url) {
  const connection = await openRedis(url)
  connection.disconnect()
}
