// Rollback for games of several players: `moreau/rollback` (docs/rollback.md).

export { Divergence } from './divergence.mjs'
export { RollbackSession } from './session.mjs'
export { RollbackWorld } from './rollback-world.mjs'
export { SyncTestSession } from './sync-test.mjs'

/** @typedef {import('./inputs.mjs').Input} Input */
/** @typedef {import('./inputs.mjs').Predict} Predict */
/**
 * @template [Inputs=any]
 * @typedef {import('./rollback-world.mjs').RollbackOptions<Inputs>} RollbackOptions
 */
/** @typedef {import('./rollback-world.mjs').UserState} UserState */
/** @typedef {import('./session.mjs').InputMessage} InputMessage */
/** @typedef {import('./session.mjs').SessionOptions} SessionOptions */
/** @typedef {import('../state/difference.mjs').StateDifference} StateDifference */
/** @typedef {import('./sync-test.mjs').SyncTestOptions} SyncTestOptions */
