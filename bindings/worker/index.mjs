// `moreau/worker`: everything of `moreau`, with worlds that are stepped in a worker.

export * from '../index.mjs'
export { WorkerHistory, WorkerRecording } from './remote.mjs'
export { World } from './world.mjs'

/** @typedef {import('./options.mjs').WorkerOptions} WorkerOptions */
/** @typedef {import('./world-parts.mjs').WorkerCharacter} WorkerCharacter */
/** @typedef {import('./world-parts.mjs').WorkerCharacterDefinition} WorkerCharacterDefinition */
/** @typedef {import('./world-parts.mjs').WorkerConstraintDefinition} WorkerConstraintDefinition */
/** @typedef {import('./world.mjs').WorkerEvents} WorkerEvents */
/** @typedef {import('./world-parts.mjs').WorkerPotentialDefinition} WorkerPotentialDefinition */
/** @typedef {import('./world-parts.mjs').WorkerSceneReading} WorkerSceneReading */
