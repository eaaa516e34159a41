import { FRAME_TIME } from '../netcode/events.mjs'
import { RoomSimulation } from '../netcode/simulation.mjs'
import { Damaged, TooNew } from '../storage/seal.mjs'
import { Authority } from './authority.mjs'
import { decodeCheckpoint, decodeRecord } from './checkpoint.mjs'
import { RoomRefusal } from './host.mjs'
import { checkWorld } from './limits.mjs'
import { LiveRoom } from './live-room.mjs'
import { Peer } from './peer.mjs'
import { troubleOf } from './store-health.mjs'
import { Tokens } from './tokens.mjs'

/** @import { RoomState, Scene } from '../netcode/simulation.mjs' */
/** @import { Checkpoint, RoomRules } from './checkpoint.mjs' */
/** @import { Host, Takeover } from './host.mjs' */
/** @import { StoredRoom } from './store.mjs' */
/** @import { BuiltWorld } from './world-builder.mjs' */

/** What rooms can be. */
export const MODES = Object.freeze(['lockstep', 'authoritative'])
/** Characters of a client's text that go into a message. */
const MOST_NAMED = 64

/**
 * Begins a new room, as a client wants it.
 * @param {Host} host
 * @param {string} id
 * @param {{ scene?: unknown, options?: unknown, mode?: unknown }} wish as it came over the wire
 * @returns {Promise<LiveRoom>}
 * @throws {RoomRefusal}
 */
export async function beginRoom(host, id, wish) {
  // What is wrong with a wish at first sight takes nobody's turn.
  const { scene, rules } = readWish(host, wish)
  const trouble = host.store?.health.trouble
  if (trouble) throw unwritable(trouble)
  const { builder } = host
  const built =
    builder && scene.module
      ? () => builder.build(/** @type {any} */ (scene), rules.options, host.limits)
      : undefined
  return host.admission.take(
    (world) => ({ room: makeRoom(host, id, scene, rules, world), state: world?.state }),
    ({ room, state }) => writeDown(host, room, state),
    built,
  )
}

/**
 * A new room is written down before anybody is told of it.
 * @param {Host} host @param {LiveRoom} room @param {RoomState} [state] as it is, where somebody has it already
 * @throws {RoomRefusal}
 */
async function writeDown(host, room, state) {
  try {
    const isNew = !host.store || (await host.store.create(room.id, room.journal.encode(state)))
    if (isNew) return room
  } catch (error) {
    room.close()
    throw unwritable(troubleOf(error))
  }
  room.close()
  throw new RoomRefusal('rules', `there is a room ${room.id}`)
}

/** A stranger is told the word for it, and nothing of where Redis is and what it said. @param {import('./store-health.mjs').Trouble} trouble */
const unwritable = ({ cause }) =>
  new RoomRefusal('busy', `no room can be written down now: Redis: ${cause}`, { retryAfter: 1 })

/** @param {Host} host @param {string} id @param {Scene} scene @param {RoomRules} rules @param {BuiltWorld} [world] that was built elsewhere */
function makeRoom(host, id, scene, rules, world) {
  const authority = new Authority(
    world ? RoomSimulation.restore(scene, world.state) : beginSimulation(host, scene, rules),
  )
  const state = { id, epoch: 1, rules, authority, frameZero: host.now(), tokens: new Tokens() }
  return new LiveRoom(host, state)
}

/**
 * A client that plays another game, or the same in another way, could not read a word of what this room tells it.
 * @param {RoomRules} rules of the room
 * @param {{ scene?: unknown, mode?: unknown }} wish as it came over the wire; what it does not name is not compared
 * @throws {RoomRefusal}
 */
export function checkGame(rules, wish) {
  for (const name of /** @type {const} */ (['scene', 'mode'])) {
    if (wish[name] === undefined || wish[name] === rules[name]) continue
    throw new RoomRefusal(
      'rules',
      `${name} of the room is ${rules[name]}, not ${named(wish[name])}`,
    )
  }
}

/** What came over the wire is not made a text where it is none: that would carry out what it brought. @param {unknown} value */
const named = (value) => (typeof value === 'string' ? value.slice(0, MOST_NAMED) : typeof value)

/** @param {Host} host @param {{ scene?: unknown, options?: unknown, mode?: unknown }} wish */
function readWish(host, { scene: name, options: wanted = {}, mode = 'lockstep' }) {
  const scene = typeof name === 'string' ? host.scenes.get(name) : undefined
  if (!scene)
    throw new RoomRefusal('rules', `scene must be one of ${[...host.scenes.keys()].join(', ')}`)
  if (typeof mode !== 'string' || !MODES.includes(mode))
    throw new RoomRefusal('rules', `mode must be one of ${MODES.join(', ')}`)
  const options = orRefused(() => scene.readOptions(Object(wanted)))
  return { scene, rules: { scene: scene.name, options, mode } }
}

/** @param {Host} host @param {Scene} scene @param {RoomRules} rules @returns {RoomSimulation} */
function beginSimulation(host, scene, { options }) {
  return orRefused(() => {
    const simulation = RoomSimulation.begin(scene, options)
    checkWorld(simulation.world, host.limits)
    return simulation
  })
}

/** What a scene throws is what is wrong with the wish. @template Result @param {() => Result} work @returns {Result} @throws {RoomRefusal} */
function orRefused(work) {
  try {
    return work()
  } catch (error) {
    throw new RoomRefusal('rules', error instanceof Error ? error.message : String(error))
  }
}

/** What is wrong with a room that was written down: it cannot be read, has a scene that is not known here, is of a newer version, does not come to
 * what was told of it; or the fault is that of this process. @typedef {'unreadable' | 'foreign' | 'too-new' | 'replay' | 'process'} FaultKind */

/** A room that this process cannot go on with. */
export class RoomFault extends Error {
  name = 'RoomFault'

  /** @param {FaultKind} kind @param {string} message @param {unknown} [cause] */
  constructor(kind, message, cause) {
    super(message, { cause })
    this.kind = kind
  }

  /** @param {unknown} error @param {FaultKind} [kind] where it does not say itself @returns {RoomFault} */
  static of(error, kind = 'replay') {
    if (error instanceof RoomFault) return error
    const { code, message = String(error) } = Object(error)
    if (error instanceof TooNew) return new RoomFault('too-new', message, error)
    if (error instanceof Damaged) return new RoomFault('unreadable', message, error)
    return new RoomFault(code === 'out-of-memory' ? 'process' : kind, message, error)
  }
}

/** A room that was read. @typedef {Takeover & { checkpoint: ReturnType<typeof decodeCheckpoint>, records: ReturnType<typeof decodeRecord>[], scene: Scene }} OpenedRoom */

/** Frames that a log can have: a checkpoint comes every few seconds. */
const MOST_REPLAYED = 36_000
/** ms that a room can be ahead of the clock of the process that goes on with it; beyond, somebody set the clock of Redis. */
const MOST_AHEAD = 1000

/**
 * Reads a room that was written down. This is quick, and finds most of what can be wrong with it.
 * @param {Host} host
 * @param {string} id
 * @param {StoredRoom} stored
 * @returns {OpenedRoom}
 * @throws {RoomFault}
 */
export function openStored(host, id, stored) {
  try {
    if (stored.fault) throw new Damaged(stored.fault)
    const checkpoint = decodeCheckpoint(id, stored.checkpoint)
    const records = stored.records.map((line) => decodeRecord(id, line))
    checkOrder(checkpoint, records)
    const scene = host.scenes.get(checkpoint.rules.scene)
    if (!scene) throw new RoomFault('foreign', `no scene ${checkpoint.rules.scene} here`)
    if (!checkpoint.isChecked)
      host.log.warn({ room: id }, 'room of an older version, without checksums')
    return { id, stored, checkpoint, records, scene }
  } catch (error) {
    throw RoomFault.of(error, 'unreadable')
  }
}

/** Records follow the checkpoint, and one another, without a gap. @param {Checkpoint} checkpoint @param {OpenedRoom['records']} records @throws {Damaged} */
function checkOrder({ state, nextEvent }, records) {
  let next = nextEvent
  for (const { record } of records) {
    const { frame, first, events } = record
    const isNear = Number.isSafeInteger(frame) && frame - state.frame < MOST_REPLAYED
    if (!isNear) throw new Damaged(`a record of frame ${frame} behind one of ${state.frame}`)
    // A record that Redis was told of twice, because the connection broke, counts once.
    if (first > next) throw new Damaged(`events ${next} to ${first - 1} are missing`)
    next = Math.max(next, first + events.length)
  }
}

/**
 * Goes on with a room whose process is gone: from its checkpoint, with the events since, up to the last frame that anybody was told of. Frame by
 * frame, so that other rooms can be served in between.
 * @param {Host} host
 * @param {OpenedRoom} opened
 * @returns {Generator<void, LiveRoom>}
 * @throws {RoomFault}
 */
export function* goOnWith(host, { id, stored, checkpoint, records, scene }) {
  const { state, rules, peers, tokens: digests, ...past } = checkpoint
  let simulation
  try {
    simulation = RoomSimulation.restore(scene, state)
    yield
    const authority = new Authority(simulation)
    const tokens = new Tokens(digests)
    for (const { player, received, lastFrame } of peers) {
      authority.restorePeer(
        Object.assign(new Peer(player), { received, recorded: received, lastFrame }),
      )
    }
    authority.resume(past.firstEvent, past.nextEvent, past.events)
    const isSame = yield* replay(authority, tokens, records)
    host.metrics.pickedUp.inc({ hash: isSame ? 'same' : 'other' })
    const frameZero = frameZeroFor(host, past.frameZero, authority.frame)
    const waitUntil = host.now() + host.times.grace
    const { epoch } = stored
    return new LiveRoom(host, { id, epoch, rules, authority, frameZero, tokens, waitUntil })
  } catch (error) {
    simulation?.free()
    throw RoomFault.of(error)
  }
}

/**
 * Goes on with a room in one go.
 * @param {Host} host
 * @param {Takeover} takeover
 * @returns {LiveRoom}
 * @throws {RoomFault}
 */
export function pickUpRoom(host, { id, stored }) {
  const work = goOnWith(host, openStored(host, id, stored))
  for (let piece = work.next(); ; piece = work.next()) if (piece.done) return piece.value
}

/**
 * When frame 0 was, for a process whose clock may be another: a room is never ahead of it, or it would stand still until then.
 * @param {Host} host @param {number} frameZero ms, as it was written down @param {number} frame
 */
function frameZeroFor(host, frameZero, frame) {
  const now = host.now()
  const isAhead = !(frameZero + frame * FRAME_TIME <= now + MOST_AHEAD)
  return isAhead ? now - frame * FRAME_TIME : frameZero
}

/**
 * @param {Authority} authority
 * @param {Tokens} tokens
 * @param {OpenedRoom['records']} records
 * @returns {Generator<void, boolean>} whether the hashes came out as they were written down
 */
function* replay(authority, tokens, records) {
  const hashes = /** @type {Map<number, string>} */ (new Map())
  for (const { record, tokens: issued } of records) {
    authority.replay(record)
    for (const [player, digest] of issued) tokens.add(player, digest)
    if (record.hash) hashes.set(record.hash.frame, record.hash.hash)
  }
  let isSame = true
  while (authority.frame < authority.releasedFrame) {
    authority.advance()
    const hash = hashes.get(authority.frame)
    if (hash !== undefined && hash !== authority.simulation.hash()) isSame = false
    yield
  }
  return isSame
}
