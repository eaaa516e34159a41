import { ClientState, matchMaker } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { MOST_CLIENT_BYTES } from '../netcode/protocol.mjs'
import { refusals } from '../operations/refusal.mjs'
import { RoomRefusal } from './host.mjs'

/** @import { IncomingMessage } from 'node:http' */
/** @import { Duplex } from 'node:stream' */
/** @import { LimitedServer } from '../operations/http-server.mjs' */
/** @import { Host } from './host.mjs' */

/** Bytes that Colyseus puts before a message. */
const MESSAGE_HEAD = 16
/** Parts in which a message may come. A client sends each in one. */
const MOST_PARTS = 16
/** ms from one ping to the next, and how many may go unanswered until a client counts as gone. */
const [PING, MOST_PINGS] = [3000, 2]
/** ms that a client may take to answer that a socket is closed */
const CLOSE = 2000
/** The path of a socket: process and room. */
const SOCKET_PATH = /^\/[\w-]{1,64}\/([\w-]{1,64})$/

/**
 * Sockets of players. Colyseus sees only those of clients that have a seat in a room of this process, and of HTTP it sees nothing: the server
 * before it answers (`playersRoutes`), within its limits.
 */
export class PlayersTransport extends WebSocketTransport {
  #server
  #host

  /** @param {LimitedServer} server @param {Host} host */
  constructor(server, host) {
    super({
      ...{ noServer: true, perMessageDeflate: false },
      ...{ maxPayload: MOST_CLIENT_BYTES + MESSAGE_HEAD },
      ...{ maxFragments: MOST_PARTS, maxBufferedChunks: 2 * MOST_PARTS, closeTimeout: CLOSE },
    })
    this.#server = server
    this.#host = host
  }

  /** @override @param {number} port @param {string} [hostname] @param {number} [_backlog] @param {(error?: unknown) => void} [onListening] */
  listen(port, hostname, _backlog, onListening) {
    this.#server.listen(port, hostname).then(
      () => {
        this.autoTerminateUnresponsiveClients(PING, MOST_PINGS)
        onListening?.()
      },
      (error) => onListening?.(error),
    )
    return this
  }

  /** Colyseus' own routes are not served. */
  bindRouter() {}

  /** @override */
  shutdown() {
    clearInterval(this.pingInterval)
    this.wss.close()
    this.#server.close()
  }

  /**
   * @param {IncomingMessage} request @param {Duplex} socket @param {Buffer} head
   * @throws {import('../operations/refusal.mjs').HttpRefusal}
   */
  upgrade(request, socket, head) {
    const { method, headers } = request
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket')
      throw refusals.malformed('sockets are WebSockets')
    const refusal = this.#refusalOf(request)
    this.wss.handleUpgrade(request, socket, head, (client) => {
      if (refusal) this.#refuse(client, refusal)
      else this.wss.emit('connection', client, request)
    })
  }

  /** Pages cannot read why a socket was not opened, but why it was closed. @param {import('ws').WebSocket} client @param {RoomRefusal} refusal */
  #refuse(client, { reason, code, message }) {
    this.#host.metrics.refused.inc({ reason })
    client.on('error', () => {})
    client.close(code, message)
  }

  /** @param {IncomingMessage} request @returns {RoomRefusal | undefined} */
  #refusalOf({ url }) {
    const [path, query] = String(url).split('?')
    const [, id] = SOCKET_PATH.exec(path) ?? []
    // A room's name is looked up in our own list: in that of Colyseus there are also names that any object has.
    if (id === undefined || !this.#host.rooms.has(id))
      return new RoomRefusal('unknown-room', 'there is no room of this name here')
    const words = new URLSearchParams(query)
    const [seat, token] = ['sessionId', 'reconnectionToken'].map((name) => words.get(name) ?? '')
    return matchMaker.getLocalRoomById(id)?.hasReservedSeat(seat, token)
      ? undefined
      : new RoomRefusal('forged-token', 'no seat of this room is kept for this client')
  }

  /** @override @param {any} client a WebSocket @param {IncomingMessage} request @param {any} [upgrade] */
  async onConnection(client, request, upgrade) {
    // Colyseus logs what goes wrong with a socket with a stack trace each time; rooms count it (MoreauRoom).
    client.on('error', () => {})
    const before = client.listeners('error').length
    const joined = super.onConnection(client, request, upgrade)
    client.off('error', client.listeners('error')[before])
    await joined
  }
}

/**
 * Whoever was let in has to say that it is there, and to read: what waits for it takes memory.
 *
 * @param {any} client of Colyseus
 * @param {Pick<import('./limits.mjs').Limits, 'handshakeTime' | 'unsentBytes'>} limits
 * @param {(reason: 'slow', message: string) => void} kick
 * @returns {() => void} to be called before something is sent
 */
export function watchReader(client, { handshakeTime, unsentBytes }, kick) {
  const timer = setTimeout(() => {
    if (client.state === ClientState.JOINING)
      kick('slow', 'the client did not say that it is there')
  }, handshakeTime)
  timer.unref()
  client.ref.once('close', () => clearTimeout(timer))
  return () => {
    if (client.ref.bufferedAmount > unsentBytes) kick('slow', 'the client does not read')
  }
}
