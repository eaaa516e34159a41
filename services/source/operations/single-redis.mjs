import { Redis } from 'ioredis'

/** What is at the address is not one Redis. */
export class RedisClusterError extends Error {
  name = 'RedisClusterError'

  /** @param {string} url */
  constructor(url) {
    super(
      `Redis ${url}: this is a Redis Cluster, which the services do not take: it would put the keys of one sweep or room on several nodes, ` +
        'and what has to happen at once could not. Give the address of a single Redis (cluster-enabled no); for more than one can do, ' +
        'give each group of sweeps or rooms a Redis of its own',
    )
  }
}

/**
 * @param {string} url
 * @param {import('ioredis').Redis} connection to it; nothing comes back before it answers
 * @throws {RedisClusterError}
 */
export async function refuseCluster(url, connection) {
  if (/cluster_enabled:1/.test(await connection.info('cluster'))) throw new RedisClusterError(url)
}

/** The same of a Redis to which there is no connection yet. @param {string} url @throws {RedisClusterError} */
export async function checkRedis(url) {
  // The libraries take a list of nodes for a cluster, and would take this one for a name.
  if (url.includes(',')) throw new RedisClusterError(url)
  const connection = new Redis(url, { maxRetriesPerRequest: null })
  connection.on('error', () => {})
  try {
    await refuseCluster(url, connection)
  } finally {
    connection.disconnect()
  }
}
