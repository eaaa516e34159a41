import { Redis } from 'ioredis'

/** ms after which a Redis that was named and does not answer is an error */
const ANSWER_DEADLINE = 5000

/** What is at the address is not one Redis. */
export class RedisClusterError extends Error {
  name = 'RedisClusterError'

  /** @param {string} url */
  constructor(url) {
    super(
      `Redis ${withoutPassword(url)}: this is a Redis Cluster, which the services do not take: it would put the keys of one sweep or room on several nodes, ` +
        'and what has to happen at once could not. Give the address of a single Redis (cluster-enabled no); for more than one can do, ' +
        'give each group of sweeps or rooms a Redis of its own',
    )
  }
}

/** Passwords are not for terminals and logs. @param {unknown} url */
const withoutPassword = (url) => String(url).replace(/:[^:@/]*@/, ':***@')

/**
 * The library takes anything for an address, and a database that it cannot read for the first one.
 *
 * @param {unknown} url
 * @returns {number} the database that it names
 * @throws {RangeError | RedisClusterError}
 */
function readUrl(url) {
  const text = String(url)
  // The library takes a list of nodes for a cluster, and would take this one for a name.
  if (text.includes(',')) throw new RedisClusterError(text)
  const parts = /^rediss?:\/\/[^/?]+(?:\/(\d*))?(?:\?.*)?$/.exec(text)
  if (parts && URL.canParse(text)) return Number(parts[1] ?? 0)
  throw new RangeError(
    `Redis ${withoutPassword(url)}: must be redis://host:port, with a password redis://:password@host:port, with a database redis://host:port/1`,
  )
}

/**
 * Waits until a Redis answers, and is one that the services can use.
 *
 * @param {string} url
 * @param {import('ioredis').Redis} connection to it; ended where this throws
 * @throws {RedisClusterError}
 */
async function awaitRedis(url, connection) {
  let failure = `no answer within ${ANSWER_DEADLINE / 1000} s`
  const onError = (/** @type {Error} */ error) => (failure = error.message)
  connection.on('error', onError)
  const late = new Promise((resolve) => setTimeout(resolve, ANSWER_DEADLINE, 'late').unref())
  try {
    const answer = await Promise.race([describe(connection, readUrl(url)), late])
    if (answer === 'late') throw new Error(failure)
    if (/cluster_enabled:1/.test(answer)) throw new RedisClusterError(url)
  } catch (error) {
    connection.disconnect()
    if (error instanceof RedisClusterError) throw error
    const { message } = /** @type {Error} */ (error)
    throw new Error(`Redis ${withoutPassword(url)}: ${message}`, { cause: error })
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
 * @param {(url: string) => import('ioredis').Redis} connect
 * @returns {Promise<import('ioredis').Redis>}
 */
export async function openRedis(url, connect) {
  readUrl(url)
  const connection = connect(url)
  await awaitRedis(url, connection)
  return connection
}

/** Refuses a Redis that does not answer, or is not a single one, before anything is begun. @param {string} url */
export async function checkRedis(url) {
  const connection = await openRedis(url, (address) => {
    const opened = new Redis(address, { maxRetriesPerRequest: null })
    opened.on('error', () => {})
    return opened
  })
  connection.disconnect()
}
