/** @import { Health } from '../operations/server.mjs' */
/** @import { Host } from './host.mjs' */

/**
 * What `/healthz` says of a process with rooms.
 *
 * @param {Pick<Host, 'admission' | 'limits' | 'rooms'>} host
 * @returns {Health}
 */
export function healthOf({ admission, limits, rooms }) {
  const { refusal, busy } = admission
  const { rooms: mostRooms, busy: mostBusy } = limits
  return { ok: refusal === undefined, rooms: rooms.size, mostRooms, busy, mostBusy }
}
