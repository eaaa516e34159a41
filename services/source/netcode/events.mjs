/**
 * What changes a room's simulation from outside. A room is its first state and the list of its events.
 * @typedef {object} RoomEvent
 * @property {number} frame at whose beginning it counts
 * @property {number} player
 * @property {number} kind one of `EVENT`
 * @property {Uint8Array} input of `EVENT.input` what the player holds from then on; else empty
 */

export const EVENT = Object.freeze({ input: 0, join: 1, leave: 2 })

/** Inputs of players, from one change to the next, as a player sends them. @typedef {{ frame: number, input: Uint8Array }} InputChange */

export const NO_INPUT = new Uint8Array(0)

/** Frames per second, of all rooms. */
export const FRAME_RATE = 60
/** ms */
export const FRAME_TIME = 1000 / FRAME_RATE
/** Frames from one hash to the next: a second. */
export const HASH_EVERY = FRAME_RATE
