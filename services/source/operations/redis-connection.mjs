import { Redis } from 'ioredis'
import { readRedisAddress } from './redis-address.mjs'

/**
 * A connection that waits for Redis to come back however long that takes: what is asked meanwhile is answered then.
 *
 * @param {string} url
 * @param {(error: Error) => void} [onError] gets why Redis is not there, again and again
 */
export function connectRedis(url, onError = () => {}) {
  const connection = new Redis(readRedisAddress(url).url, { maxRetriesPerRequest: null })
  connection.on('error', onError)
  return connection
}
