import { HttpRefusal } from '../operations/refusal.mjs'

/**
 * What the rooms of a process share.
 * @typedef {object} Host
 * @property {import('./store.mjs').RoomStore | undefined} store none: rooms live and die with their process
 * @property {import('./ticker.mjs').Ticker} ticker
 * @property {() => number} now ms since 1970, the same in all processes
 * @property {ReadonlyMap<string, Scene>} scenes by name
 * @property {import('./limits.mjs').Limits} limits
 * @property {import('./metrics.mjs').RoomMetrics} metrics
 * @property {import('pino').Logger} log
 * @property {RoomTimes} times
 * @property {Map<string, import('./live-room.mjs').LiveRoom>} takeovers rooms of other processes that this one goes on with, by a word that only it knows
 * @property {Map<string, number>} claimed epochs of rooms that were taken and are not at work yet, by id
 * @property {Map<string, import('./live-room.mjs').LiveRoom>} rooms by id
 * @property {import('./admission.mjs').Admission} admission of new rooms
 * @property {import('./share.mjs').Share} welcoming of clients by whole states
 * @property {import('./world-builder.mjs').WorldBuilder} [builder] none: worlds are built in the way of rooms that run
 */

/** @import { Scene } from '../netcode/simulation.mjs' */

/** A room of another process that this one takes. @typedef {{ id: string, stored: import('./store.mjs').StoredRoom }} Takeover */

/**
 * ms
 * @typedef {object} RoomTimes
 * @property {number} lease for which a room stays with a process that does not renew it
 * @property {number} renew from one renewal to the next
 * @property {number} scan from one look for rooms without a process to the next
 * @property {number} grace for which a room that was picked up waits for its players before it goes on
 * @property {number} checkpoint from one checkpoint to the next
 * @property {number} reconnect for which a player who lost the connection keeps its place
 * @property {number} empty after which a room without players ends
 */

/** @type {Readonly<RoomTimes>} */
export const TIMES = Object.freeze({
  ...{ lease: 800, renew: 200, scan: 100, grace: 2000 },
  ...{ checkpoint: 5000, reconnect: 20_000, empty: 10_000 },
})

/** Why a client or a room was refused. The code is sent to the client; less 4000 it is one of HTTP, by which rooms are asked for. */
export class RoomRefusal extends HttpRefusal {
  name = 'RoomRefusal'
  code

  /** @param {keyof typeof REFUSAL} reason @param {string} message @param {Record<string, number>} [numbers] by which a client can decide what to do */
  constructor(reason, message, numbers) {
    super(reason, REFUSAL[reason] - 4000, message, numbers)
    this.code = REFUSAL[reason]
  }
}

/** Reasons as clients see them: codes of HTTP as far as they fit, by 4000 more, as codes of WebSockets are the user's from there on. */
export const REFUSAL = Object.freeze({
  ...{ malformed: 4400, 'forged-token': 4401, rules: 4403, 'unknown-room': 4404, replaced: 4409 },
  ...{ slow: 4408, oversized: 4413, flood: 4429, full: 4507, busy: 4503 },
})
/** The room goes on in another process. */
export const MOVED = 4100
