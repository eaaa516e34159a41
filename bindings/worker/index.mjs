// `moreau/worker`: everything of `moreau`, with worlds that are stepped in a worker.

export * from '../index.mjs'
export { WorkerHistory, WorkerRecording } from './remote.mjs'
export { World } from './world.mjs'

/** @typedef {import('./options.mjs').WorkerOptions} WorkerOptions */
/** @typedef {import('./world-controls.mjs').WorkerCharacter} WorkerCharacter */
/** @typedef {import('./world-controls.mjs').WorkerCharacterDefinition} WorkerCharacterDefinition */
/** @typedef {import('./world-functions.mjs').WorkerConstraintDefinition} WorkerConstraintDefinition */
/** @typedef {import('./hearing.mjs').WorkerEvents} WorkerEvents */
/** @typedef {import('./world-functions.mjs').WorkerPotentialDefinition} WorkerPotentialDefinition */
/** @typedef {import('./world-functions.mjs').WorkerSceneReading} WorkerSceneReading */
