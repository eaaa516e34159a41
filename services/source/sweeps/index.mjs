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
export { connectRedis } from '../operations/redis-connection.mjs'
export { redisStore, sweepsInRedis } from './redis-store.mjs'
export { startWorker } from './worker.mjs'
export { EXPORT_FORMATS, exportTable } from './export.mjs'
export { checkExport, DamagedFile } from './file-sum.mjs'
export { DamagedChunk } from './sealed-chunk.mjs'
export { summarize } from './statistics.mjs'
export { ExportError } from './whole-file.mjs'
export { checkParameters } from './scene.mjs'

/** @typedef {import('./spec.mjs').SweepSpec} SweepSpec */
/** @typedef {import('./store.mjs').SweepStore} SweepStore */
/** @typedef {import('./space.mjs').Axis} Axis */
/** @typedef {import('./table.mjs').Table} Table */
/** @typedef {import('./statistics.mjs').Summary} Summary */
/** @typedef {import('./scene.mjs').FreeModule} FreeModule */
/** @typedef {import('./batch-simulation.mjs').SweepModule} SweepModule */
