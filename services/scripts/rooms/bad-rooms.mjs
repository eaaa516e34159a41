/**
 * Rooms in Redis with which no process can go on, of every kind.
 */
import { decodeCheckpoint, encodeCheckpoint } from '../../source/rooms/checkpoint.mjs'
import { seal, sealLine } from '../../source/storage/seal.mjs'

/** @typedef {import('ioredis').ChainableCommander} Commands */

/** What one of a kind has in place of what is right. @typedef {{ id: string, room: string, log: string, checkpoint: Buffer }} Place */

/** @param {Buffer} bytes @param {number} bit */
function flipped(bytes, bit) {
  const copy = Buffer.from(bytes)
  copy[bit >> 3] ^= 1 << (bit & 7)
  return copy
}

/** @param {Place} place @param {(checkpoint: any) => any} change @returns {Buffer} with a checksum that is right */
const changed = ({ id, checkpoint }, change) =>
  encodeCheckpoint(id, change(decodeCheckpoint(id, checkpoint)))

const record = (/** @type {object} */ other) =>
  JSON.stringify({ frame: 3, first: 0, events: [], tokens: [], ...other })

/** How they come into being, and what the process that finds one says of it. @type {Record<string, { kind: string, make: (commands: Commands, place: Place) => unknown }>} */
export const BAD_ROOMS = {
  'a string instead of the room': {
    kind: 'unreadable',
    make: (commands, { room }) => commands.set(room, 'no'),
  },
  'a list instead of the room': {
    kind: 'unreadable',
    make: (commands, { room }) => commands.rpush(room, 'no'),
  },
  'no room behind a lease': { kind: 'unreadable', make: () => {} },
  'records without a room': {
    kind: 'unreadable',
    make: (commands, { log }) => commands.rpush(log, 'no'),
  },
  'an epoch that is no number': {
    kind: 'unreadable',
    make: (commands, { room, checkpoint }) => commands.hset(room, { epoch: 'late', checkpoint }),
  },
  'an empty checkpoint': {
    kind: 'unreadable',
    make: (commands, { room }) => commands.hset(room, { epoch: 1, owner: 'x', checkpoint: '' }),
  },
  noise: {
    kind: 'unreadable',
    make: (commands, { room }) =>
      commands.hset(room, { epoch: 1, owner: 'x', checkpoint: 'a checkpoint? no, a sentence.' }),
  },
  'a checkpoint that was cut': {
    kind: 'unreadable',
    make: (commands, { room, checkpoint }) =>
      commands.hset(room, {
        ...{ epoch: 1, owner: 'x' },
        checkpoint: checkpoint.subarray(0, Math.floor(0.7 * checkpoint.length)),
      }),
  },
  'a flipped bit': {
    kind: 'unreadable',
    make: (commands, { room, checkpoint, id }) =>
      commands.hset(room, {
        ...{ epoch: 1, owner: 'x' },
        checkpoint: flipped(checkpoint, (7919 * id.length * Number(id.split('-')[1])) % 8000),
      }),
  },
  'another room’s checkpoint': {
    kind: 'unreadable',
    make: (commands, { room, checkpoint }) =>
      commands.hset(room, {
        ...{ epoch: 1, owner: 'x' },
        checkpoint: encodeCheckpoint('other', decodeCheckpoint(room.split(':')[2], checkpoint)),
      }),
  },
  'a format of the future': {
    kind: 'too-new',
    make: (commands, { room, id }) =>
      commands.hset(room, {
        ...{ epoch: 1, owner: 'x' },
        checkpoint: seal('R', 77, id, [Buffer.from('who knows')]),
      }),
  },
  'a scene of others': {
    kind: 'foreign',
    make: (commands, place) =>
      commands.hset(place.room, {
        ...{ epoch: 1, owner: 'x' },
        checkpoint: changed(place, (one) => ({ ...one, rules: { ...one.rules, scene: 'pong' } })),
      }),
  },
  'a world that is none': {
    kind: 'replay',
    make: (commands, place) =>
      commands.hset(place.room, {
        ...{ epoch: 1, owner: 'x' },
        checkpoint: changed(place, ({ state, ...one }) => ({
          ...one,
          state: { ...state, world: state.world.slice(0, 100) },
        })),
      }),
  },
  'a log of another type': {
    kind: 'unreadable',
    make: (commands, { room, log, checkpoint }) =>
      commands.hset(room, { epoch: 1, owner: 'x', checkpoint, records: 0 }).set(log, 'no'),
  },
  'a log that is gone': {
    kind: 'unreadable',
    make: (commands, { room, checkpoint }) =>
      commands.hset(room, { epoch: 1, owner: 'x', checkpoint, records: 3 }),
  },
  'a record that is none': {
    kind: 'unreadable',
    make: (commands, { room, log, checkpoint }) =>
      commands.hset(room, { epoch: 1, owner: 'x', checkpoint }).rpush(log, 'no'),
  },
  'a record with a flipped bit': {
    kind: 'unreadable',
    make: (commands, { id, room, log, checkpoint }) =>
      commands
        .hset(room, { epoch: 1, owner: 'x', checkpoint })
        .rpush(log, flipped(Buffer.from(sealLine(id, record({}))), 250)),
  },
  'records with a gap': {
    kind: 'unreadable',
    make: (commands, { id, room, log, checkpoint }) =>
      commands
        .hset(room, { epoch: 1, owner: 'x', checkpoint })
        .rpush(log, sealLine(id, record({ first: 5 }))),
  },
  'a record that never ends': {
    kind: 'unreadable',
    make: (commands, { id, room, log, checkpoint }) =>
      commands
        .hset(room, { epoch: 1, owner: 'x', checkpoint })
        .rpush(log, sealLine(id, record({ frame: 1e15 }))),
  },
  'a record that does not replay': {
    kind: 'replay',
    make: (commands, { id, room, log, checkpoint }) =>
      commands
        .hset(room, { epoch: 1, owner: 'x', checkpoint })
        .rpush(log, sealLine(id, record({ events: [[1, 0, 1, '']], tokens: 5 }))),
  },
}

/**
 * Writes bad rooms, of all kinds in turn, whose leases are over.
 * @param {import('ioredis').Redis} redis
 * @param {number} count
 * @param {Buffer} checkpoint of a room called `seed`
 * @param {(commands: Commands) => void} [last] is done with them, at once
 * @returns {Promise<Record<string, number>>} how many of each kind
 */
export async function writeBadRooms(redis, count, checkpoint, last) {
  const [all, seed] = [Object.values(BAD_ROOMS), decodeCheckpoint('seed', checkpoint)]
  const commands = redis.multi()
  const counts = /** @type {Record<string, number>} */ ({})
  for (let i = 0; i < count; i++) {
    const { kind, make } = all[i % all.length]
    const id = `bad-${i}`
    const room = `moreau:room:${id}`
    make(commands, { id, room, log: `${room}:log`, checkpoint: encodeCheckpoint(id, seed) })
    commands.zadd('moreau:rooms', i % 7 === 3 ? '+inf' : i % 3, id)
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  last?.(commands)
  await commands.exec()
  return counts
}
