import { RoomSimulation } from '../netcode/simulation.mjs'
import { Authority } from './authority.mjs'
import { decodeCheckpoint, decodeRecord } from './checkpoint.mjs'
import { RoomRefusal } from './host.mjs'
import { checkWorld } from './limits.mjs'
import { LiveRoom } from './live-room.mjs'
import { Peer } from './peer.mjs'
import { Tokens } from './tokens.mjs'

/** @import { FrameHash } from '../netcode/protocol.mjs' */
/** @import { Scene } from '../netcode/simulation.mjs' */
/** @import { RoomRules } from './checkpoint.mjs' */
/** @import { Host, Takeover } from './host.mjs' */

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
  return host.admission.take(
    () => makeRoom(host, id, scene, rules),
    async (room) => {
      const isNew = !host.store || (await host.store.create(id, room.journal.encode()))
      if (isNew) return room
      room.close()
      throw new RoomRefusal('rules', `there is a room ${id}`)
    },
  )
}

/** @param {Host} host @param {string} id @param {Scene} scene @param {RoomRules} rules */
function makeRoom(host, id, scene, rules) {
  const authority = new Authority(beginSimulation(host, scene, rules))
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

/**
 * Goes on with a room whose process is gone: from its checkpoint, with the events since, up to the last frame that anybody was told of.
 * @param {Host} host
 * @param {Takeover} takeover
 * @returns {LiveRoom}
 */
export function pickUpRoom(host, { id, stored }) {
  const {
    state,
    rules,
    frameZero,
    peers,
    tokens: digests,
    ...past
  } = decodeCheckpoint(stored.checkpoint)
  const scene = host.scenes.get(rules.scene)
  if (!scene) throw new RoomRefusal('rules', `no scene ${rules.scene} here`)
  const authority = new Authority(RoomSimulation.restore(scene, state))
  const tokens = new Tokens(digests)
  for (const { player, received, lastFrame } of peers) {
    authority.restorePeer(
      Object.assign(new Peer(player), { received, recorded: received, lastFrame }),
    )
  }
  authority.resume(past.firstEvent, past.nextEvent, past.events)
  const isSame = replay(authority, tokens, stored.records)
  host.metrics.pickedUp.inc({ hash: isSame ? 'same' : 'other' })
  const waitUntil = host.now() + host.times.grace
  const room = new LiveRoom(host, {
    id,
    epoch: stored.epoch,
    rules,
    authority,
    frameZero,
    tokens,
    waitUntil,
  })
  room.journal.resume(stored.records.length)
  return room
}

/**
 * @param {Authority} authority
 * @param {Tokens} tokens
 * @param {Buffer[]} lines
 * @returns {boolean} whether the hashes came out as they were written down
 */
function replay(authority, tokens, lines) {
  const hashes = /** @type {FrameHash[]} */ ([])
  for (const line of lines) {
    const { record, tokens: issued } = decodeRecord(line)
    authority.replay(record)
    for (const [player, digest] of issued) tokens.add(player, digest)
    if (record.hash) hashes.push(record.hash)
  }
  let isSame = true
  while (authority.frame < authority.releasedFrame) {
    authority.advance()
    const { hash } = hashes.find(({ frame }) => frame === authority.frame) ?? {}
    if (hash !== undefined && hash !== authority.simulation.hash()) isSame = false
  }
  return isSame
}
