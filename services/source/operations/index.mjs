/**
 * What every long-running process of the services has: a structured log, metrics, health, and a graceful end.
 */
export { drainOnSignal } from './drain.mjs'
export { makeLog } from './log.mjs'
export { makeRegistry } from './metrics.mjs'
export { stackOf } from './error-text.mjs'
export { printedAddress, readRedisAddress, RedisClusterError } from './redis-address.mjs'
export { RareLog } from './rare-log.mjs'
export { checkRedis, openRedis } from './single-redis.mjs'
export { OPERATIONS_HOST, serveOperations } from './server.mjs'
