/**
 * Players in rooms, in pages and in Node (docs/rooms.md).
 */
export { RoomClient } from './room-client.mjs'
export { LockstepSession } from './lockstep-session.mjs'
export { PredictedSession } from './predicted-session.mjs'
export { RoomRefused } from './refusal.mjs'
export { Smoothing } from './smoothing.mjs'

/** @typedef {import('./room-client.mjs').ClientOptions} ClientOptions */
/** @typedef {import('./connection.mjs').ConnectionOptions} ConnectionOptions */
/** @typedef {import('../netcode/simulation.mjs').Scene} Scene */
