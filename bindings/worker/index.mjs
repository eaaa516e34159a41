// `moreau/worker`: everything of `moreau`, with worlds that are stepped in a worker.

export * from '../index.mjs'
export { WorkerHistory, WorkerRecording } from './remote.mjs'
export { World } from './world.mjs'

/** @typedef {import('./options.mjs').WorkerOptions} WorkerOptions */
/** @typedef {import('./world.mjs').WorkerCharacter} WorkerCharacter */
/** @typedef {import('./world.mjs').WorkerCharacterDefinition} WorkerCharacterDefinition */
/** @typedef {import('./world.mjs').WorkerConstraintDefinition} WorkerConstraintDefinition */
/** @typedef {import('./world.mjs').WorkerEvents} WorkerEvents */
/** @typedef {import('./world.mjs').WorkerPotentialDefinition} WorkerPotentialDefinition */
/** @typedef {import('./world.mjs').WorkerSceneReading} WorkerSceneReading */
