/**
 * What every long-running process of the services has: a structured log, metrics, health, and a graceful end.
 */
export { drainOnSignal } from './drain.mjs'
export { makeLog } from './log.mjs'
export { makeRegistry } from './metrics.mjs'
export { RareLog } from './rare-log.mjs'
export { checkRedis, openRedis, RedisClusterError } from './single-redis.mjs'
export { operationsHandler, serveOperations } from './server.mjs'
