/**
 * A host of rooms without sockets and Redis, whose clock is set by hand: what happens in its rooms does not depend on how busy the machine is.
 */
import { makeLog, makeRegistry } from '../../source/operations/index.mjs'
import { Admission } from '../../source/rooms/admission.mjs'
import { TIMES } from '../../source/rooms/host.mjs'
import { LIMITS } from '../../source/rooms/limits.mjs'
import { makeRoomMetrics } from '../../source/rooms/metrics.mjs'
import { Share } from '../../source/rooms/share.mjs'
import { Ticker } from '../../source/rooms/ticker.mjs'
import { stacks } from '../../source/scenes/stacks.mjs'

/** @import { Host } from '../../source/rooms/host.mjs' */
/** @import { Scene } from '../../source/netcode/simulation.mjs' */

/**
 * @param {{ time: number }} clock ms
 * @param {{ limits?: Partial<import('../../source/rooms/limits.mjs').Limits>, load?: import('../../source/rooms/admission.mjs').Measured, scene?: Scene }} [options]
 * @returns {Host}
 */
export function makeStillHost(clock, options = {}) {
  const { load = { busy: 0, onMeasured() {}, leaveOut() {} }, scene = stacks } = options
  const limits = { ...LIMITS, ...options.limits }
  const rooms = new Map()
  const now = () => clock.time
  return {
    ...{ store: undefined, ticker: new Ticker(now), now, limits, times: TIMES, rooms },
    ...{ log: makeLog('still', { level: 'fatal' }), takeovers: new Map(), claimed: new Map() },
    metrics: makeRoomMetrics(makeRegistry(), rooms),
    ...{ admission: new Admission(limits, rooms, load), welcoming: new Share(1) },
    scenes: new Map([[scene.name, scene]]),
  }
}
