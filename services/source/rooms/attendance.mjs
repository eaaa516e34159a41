import { MOST_PLAYERS } from '../netcode/states.mjs'
import { RoomRefusal } from './host.mjs'

/** @import { Host } from './host.mjs' */
/** @import { LiveRoom } from './live-room.mjs' */
/** @import { Peer } from './peer.mjs' */
/** @import { Seat } from './seat.mjs' */

/** Who is in a room: players with a connection, and players who may come back to theirs. */
export class Attendance {
  #host
  #room
  /** @type {Map<number, Seat>} */
  #seats = new Map()
  /** Players without a connection, and until when they are waited for. @type {Map<number, number>} */
  #absent = new Map()
  /** ms: since when nobody has been there */
  #emptySince
  #rollbacksOfGone = 0

  /** @param {Host} host @param {LiveRoom} room */
  constructor(host, room) {
    this.#host = host
    this.#room = room
    this.#emptySince = host.now()
    for (const player of room.authority.peers.keys()) this.#miss(player)
  }

  /** @returns {Iterable<Seat>} */
  get seats() {
    return this.#seats.values()
  }

  /** Rollbacks that clients have told of, gone ones included. */
  get rollbacks() {
    let sum = this.#rollbacksOfGone
    for (const { rollbacks } of this.#room.authority.peers.values()) sum += rollbacks
    return sum
  }

  /** @param {Seat} seat @returns {boolean} whether it is that of its player */
  has(seat) {
    return this.#seats.get(seat.player) === seat
  }

  /** Gives a client its player: a new one, or the one of its token. @param {Seat} seat @param {unknown} token @returns {Peer} @throws {RoomRefusal} */
  enter(seat, token) {
    const { tokens } = this.#room
    const player = token === undefined ? this.#newPlayer(seat) : tokens.playerOf(token)
    const peer = player === undefined ? undefined : this.#room.authority.peers.get(player)
    if (!peer) throw new RoomRefusal('forged-token', 'no player of this room has this token')
    this.#seats.get(peer.player)?.kick('replaced', 'the player has come by another connection')
    seat.player = peer.player
    if (token !== undefined) seat.token = tokens.bytesOf(token)
    this.#seats.set(peer.player, seat)
    this.#absent.delete(peer.player)
    return peer
  }

  /** @param {Seat} seat @returns {number} */
  #newPlayer(seat) {
    const { limits } = this.#host
    const { peers, simulation } = this.#room.authority
    let player = 0
    // Who has left stays until its last input has counted, and keeps its number so long, but takes no place of those who come.
    while (peers.has(player) || simulation.members.has(player)) player++
    const bodies = this.#room.world.stats.bodies + peers.size
    const isFull = peers.size >= limits.players || player >= MOST_PLAYERS
    if (isFull || bodies >= limits.bodies) {
      const numbers = { players: peers.size, mostPlayers: limits.players }
      throw new RoomRefusal('full', 'the room is full', {
        ...numbers,
        bodies,
        mostBodies: limits.bodies,
      })
    }
    this.#room.authority.join(player)
    seat.token = this.#room.tokens.issue(player)
    return player
  }

  /** A client's connection is over. @param {Seat} seat @param {boolean} isForGood */
  exit(seat, isForGood) {
    if (!this.has(seat)) return
    this.#seats.delete(seat.player)
    if (isForGood) this.#remove(seat.player)
    else this.#miss(seat.player)
  }

  /** @param {number} player */
  #miss(player) {
    this.#absent.set(player, this.#host.now() + this.#host.times.reconnect)
  }

  /** @param {number} player */
  #remove(player) {
    const { authority, outbox, tokens } = this.#room
    const peer = authority.peers.get(player)
    if (peer) outbox.forget(peer)
    this.#rollbacksOfGone += peer?.rollbacks ?? 0
    authority.leave(player)
    tokens.forget(player)
    this.#absent.delete(player)
  }

  /** @param {number} time ms @returns {boolean} whether nobody has been there for too long */
  expire(time) {
    for (const [player, end] of this.#absent) if (end <= time) this.#remove(player)
    if (this.#room.players > 0) this.#emptySince = time
    return time - this.#emptySince > this.#host.times.empty
  }
}
