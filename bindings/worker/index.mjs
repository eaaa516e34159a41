// `moreau/worker`: everything of `moreau`, with worlds that are stepped in a worker.

export * from '../index.mjs'
export { World } from './world.mjs'

/** @typedef {import('./options.mjs').WorkerOptions} WorkerOptions */
/** @typedef {import('./world.mjs').WorkerEvents} WorkerEvents */
