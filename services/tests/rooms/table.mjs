/**
 * A room and its clients without sockets: the network between them is made here, with delay, loss, repetition and another order.
 */
import assert from 'node:assert/strict'
import { FRAME_TIME } from '../../source/netcode/events.mjs'
import { decodeInputs } from '../../source/netcode/protocol.mjs'
import { RoomSimulation } from '../../source/netcode/simulation.mjs'
import { Authority } from '../../source/rooms/authority.mjs'
import { Broadcast } from '../../source/rooms/broadcast.mjs'
import { inputOf, stacks } from '../../source/scenes/stacks.mjs'
import { randomFrom } from '../../scripts/rooms/random.mjs'

/** @import { LockstepSession, PredictedSession } from '../../source/client/index.mjs' */

const OPTIONS = { stacks: 4, height: 4 }

/**
 * A room, its clients, and a network of which every message takes its own time.
 * @template {LockstepSession | PredictedSession} Session
 */
export class Table {
  random
  network
  Session
  isLockstep
  time = 0
  authority = new Authority(RoomSimulation.begin(stacks, OPTIONS))
  #broadcast = new Broadcast(this.authority)
  /** @type {Session[]} */
  sessions = []
  /** @type {{ at: number, deliver: () => void }[]} */
  #wire = []
  bytes = 0

  /** @param {new (...values: any[]) => Session} Session @param {{ delay: number, jitter: number, loss: number, repeat: number }} network ms one way, parts of 1 */
  constructor(Session, network, seed = 1) {
    this.Session = Session
    this.isLockstep = Session.name === 'LockstepSession'
    this.network = network
    this.random = randomFrom(seed)
  }

  /** @param {() => void} deliver */
  send(deliver) {
    const { delay, jitter, loss, repeat } = this.network
    for (let copy = 0; copy < (this.random() < repeat ? 2 : 1); copy++) {
      if (this.random() < loss) continue
      this.#wire.push({ at: this.time + delay + jitter * this.random(), deliver })
    }
  }

  /** @param {number} player */
  join(player, options = {}) {
    this.authority.join(player)
    this.advanceRoom()
    const peer = this.authority.peers.get(player)
    assert.ok(peer)
    peer.begin(this.isLockstep ? this.authority.firstScheduled : 0, this.authority.frame)
    const welcome = {
      ...this.authority.simulation.state(),
      ...{ player, session: peer.session, token: new Uint8Array(16) },
      ...{ received: peer.received, nextEvent: peer.acknowledged },
    }
    this.sessions[player] = new this.Session(stacks, welcome, this.time, options)
  }

  advanceRoom() {
    this.authority.advance()
    const record = this.authority.takeRecord()
    if (record) this.authority.release(record)
  }

  frame() {
    this.time += FRAME_TIME
    for (const packet of this.#wire.filter(({ at }) => at <= this.time)) packet.deliver()
    this.#wire = this.#wire.filter(({ at }) => at > this.time)
    this.advanceRoom()
    this.sessions.forEach((session, player) => this.exchange(session, player))
  }

  /** @param {Session} session @param {number} player */
  exchange(session, player) {
    session.update(this.time)
    const up = session.packet(this.time)
    if (up) {
      this.send(() =>
        this.authority.receive(player, decodeInputs(up, stacks.inputBytes), this.time, Infinity),
      )
    }
    const peer = this.authority.peers.get(player)
    const down =
      this.isLockstep || !peer
        ? this.authority.packet(player, this.time)
        : this.#broadcast.packet(peer, this.time)
    if (!down) return
    this.bytes += down.length
    this.send(() => session.receive(down, this.time))
  }

  free() {
    for (const session of this.sessions) session.free()
    this.authority.simulation.free()
  }
}

/** Everybody rolls about, and changes their mind about three times a second. @param {Table<any>} table */
export function play(table) {
  for (const session of table.sessions) {
    if (table.random() > 0.05) continue
    session.setInput(
      inputOf(2 * table.random() - 1, 2 * table.random() - 1, table.random() < 0.2 ? 1 : 0),
    )
  }
}

/** @param {Table<any>} table @param {number} frames */
export function run(table, frames) {
  for (let i = 0; i < frames; i++) {
    play(table)
    table.frame()
  }
}
