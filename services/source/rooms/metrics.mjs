import { Counter, Gauge, Histogram } from 'prom-client'

/** @import { Registry } from 'prom-client' */
/** @import { LiveRoom } from './live-room.mjs' */

/** s: around 1/60, by which a step has to be done */
const STEP_BUCKETS = [
  ...[0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.004, 0.008],
  ...[0.012, 0.0167, 0.025, 0.05, 0.1, 0.5],
]

/**
 * What a process tells of its rooms.
 * @param {Registry} registry
 * @param {ReadonlyMap<string, LiveRoom>} rooms
 */
export function makeRoomMetrics(registry, rooms) {
  const registers = [registry]
  /** @param {string} name @param {string} help @param {(room: LiveRoom) => number} of @param {'sum' | 'max'} [how] */
  const gauge = (name, help, of, how = 'sum') =>
    new Gauge({
      ...{ name: `moreau_${name}`, help, registers },
      collect() {
        const values = [...rooms.values()].map(of)
        this.set(how === 'sum' ? values.reduce((a, b) => a + b, 0) : Math.max(0, ...values))
      },
    })
  gauge('rooms', 'rooms of this process', () => 1)
  gauge('room_players', 'players, those who may come back included', (room) => room.players)
  gauge('room_bodies', 'bodies of all rooms', (room) => room.world.stats.bodies)
  gauge(
    'room_certificate',
    'worst certificate of a last step, m/s',
    (room) => room.world.residual().worst,
    'max',
  )
  gauge('room_rollbacks', 'rollbacks that clients have told of', (room) => room.rollbacks)
  /** @param {string} name @param {string} help */
  const histogram = (name, help) =>
    new Histogram({ name: `moreau_${name}`, help, buckets: STEP_BUCKETS, registers })
  /** @param {string} name @param {string} help @param {string[]} [labelNames] */
  const counter = (name, help, labelNames = []) =>
    new Counter({ name: `moreau_${name}`, help, labelNames, registers })
  return {
    step: histogram('room_step_seconds', 'time that a frame of a room takes'),
    lateness: histogram('room_frame_seconds', 'from when a frame is due to when it is made'),
    refused: counter('room_refused_total', 'what clients were refused', ['reason']),
    pickedUp: counter('room_picked_up_total', 'rooms taken from other processes', ['hash']),
    putAside: counter('room_put_aside_total', 'rooms that nobody can go on with', ['kind']),
    storeFailures: counter('store_failures_total', 'what Redis refused, and lost connections', [
      'cause',
    ]),
    sent: counter('room_sent_bytes_total', 'bytes sent to clients'),
  }
}

/** @typedef {ReturnType<typeof makeRoomMetrics>} RoomMetrics */
