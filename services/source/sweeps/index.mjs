/**
 * Sweeps: a scene over a space of parameters, in threads of this machine or over many by Redis.
 */
export { folderStore, sweepsIn } from './store.mjs'
export { runLocally } from './local.mjs'
export { AXIS_KINDS, gridPoints, readAxis } from './space.mjs'
export { referToScene } from './scene-reference.mjs'
export { chunkCount, engineVersion, makeSpec } from './spec.mjs'
export { hashTable, openTable } from './table.mjs'
export { runDistributed } from './distributed.mjs'
export { connectRedis, redisStore, sweepsInRedis } from './redis-store.mjs'
export { startWorker } from './worker.mjs'
export { EXPORT_FORMATS, exportTable } from './export.mjs'
export { summarize } from './statistics.mjs'
export { ExportError } from './whole-file.mjs'
export { checkParameters } from './scene.mjs'
