/** @import { Health } from '../operations/server.mjs' */
/** @import { Host } from './host.mjs' */

/**
 * What `/healthz` says of a process with rooms.
 *
 * @param {Pick<Host, 'admission' | 'limits' | 'rooms' | 'store'>} host
 * @returns {Health}
 */
export function healthOf({ admission, limits, rooms, store }) {
  const { refusal, busy } = admission
  const { rooms: mostRooms, busy: mostBusy } = limits
  const numbers = { rooms: rooms.size, mostRooms, busy, mostBusy }
  const trouble = store?.health.trouble
  if (trouble)
    return { ok: false, status: 'degraded', reason: `Redis: ${trouble.reason}`, ...numbers }
  return { ok: !refusal, status: refusal ? 'busy' : 'ok', ...numbers }
}
