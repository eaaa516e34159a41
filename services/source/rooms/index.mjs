/**
 * Authoritative rooms by Colyseus: `startRoomServer` runs them in a process, and processes share Redis (docs/rooms.md).
 */
export { MOVED, REFUSAL, RoomRefusal, TIMES } from './host.mjs'
export { LIMITS } from './limits.mjs'
export { checkScene } from './scene-check.mjs'
export { ROOM_NAME } from './routes.mjs'
export { startRoomServer } from './server.mjs'

/** @typedef {import('./host.mjs').RoomTimes} RoomTimes */
/** @typedef {import('./limits.mjs').Limits} Limits */
/** @typedef {import('./server.mjs').RoomServerOptions} RoomServerOptions */
/** @typedef {import('../netcode/simulation.mjs').Scene} Scene */
