/**
 * A bad network between clients and a process with rooms. Each message of a room takes its own time, so that later ones overtake it, and some
 * are lost: worse than what TCP makes of such a network, where nothing is lost and nothing overtakes. What Colyseus itself sends to join takes
 * its time, too, but is not lost.
 */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'

/** The first byte of messages of rooms, as Colyseus numbers them: these are lost and overtake each other. */
const ROOM_MESSAGE = 17
/** Bytes of a WebSocket's frame before a message of up to 125 bytes, longer ones, and the mask from clients. */
const HEADS = /** @type {const} */ ([2, 4])
const MASK = 4
const SHORT = 125

/**
 * @typedef {object} Conditions
 * @property {number} delay ms, one way
 * @property {number} jitter ms, at the most, one way, more
 * @property {number} loss part of the messages
 */

/** What went through one client's connection. @typedef {{ down: number, up: number, lost: number, messages: number }} Traffic */

/** @param {number} length @param {boolean} isUp @returns {number} bytes in the stream */
const framed = (length, isUp) => length + HEADS[length > SHORT ? 1 : 0] + (isUp ? MASK : 0)

export class Proxy {
  #conditions
  #random
  #target
  #server
  #sockets = new WebSocketServer({ noServer: true })
  /** By connection, in their order. @type {Traffic[]} */
  traffic = []

  /** @param {number} target port @param {Conditions} conditions @param {() => number} random */
  constructor(target, conditions, random) {
    this.#target = target
    this.#conditions = conditions
    this.#random = random
    this.#server = createServer((incoming, answer) => this.#forward(incoming, answer))
    this.#server.on('upgrade', (incoming, socket, head) => {
      this.#sockets.handleUpgrade(incoming, socket, head, (client) =>
        this.#join(client, incoming.url ?? '/'),
      )
    })
  }

  /** @param {number} port */
  async listen(port) {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** @param {import('node:http').IncomingMessage} incoming @param {import('node:http').ServerResponse} answer */
  #forward(incoming, answer) {
    const { url, method, headers } = incoming
    answer.on('error', () => {})
    const onward = request({ port: this.#target, path: url, method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    onward.on('error', () => answer.writeHead(502).end())
    incoming.pipe(onward)
  }

  /** @param {WebSocket} client @param {string} url */
  #join(client, url) {
    const room = new WebSocket(`ws://127.0.0.1:${this.#target}${url}`)
    const traffic = { down: 0, up: 0, lost: 0, messages: 0 }
    this.traffic.push(traffic)
    const open = once(room, 'open').catch(() => {})
    this.#pass(client, room, true, traffic, open)
    this.#pass(room, client, false, traffic, Promise.resolve())
  }

  /** @param {WebSocket} from @param {WebSocket} to @param {boolean} isUp @param {Traffic} traffic @param {Promise<unknown>} open */
  #pass(from, to, isUp, traffic, open) {
    let last = 0
    from.on('error', () => {})
    from.on('close', (code, reason) => {
      const isSendable = code >= 4000 || code === 1000
      setTimeout(() => to.close(isSendable ? code : 4100, reason), this.#conditions.delay)
    })
    from.on('message', (data, isBinary) => {
      const bytes = /** @type {Buffer} */ (data)
      const isRooms = bytes[0] === ROOM_MESSAGE
      traffic[isUp ? 'up' : 'down'] += framed(bytes.length, isUp)
      traffic.messages++
      if (isRooms && this.#random() < this.#conditions.loss) {
        traffic.lost++
        return
      }
      const due =
        performance.now() + this.#conditions.delay + this.#conditions.jitter * this.#random()
      if (!isRooms) last = Math.max(last, due)
      const send = () => to.readyState === WebSocket.OPEN && to.send(bytes, { binary: isBinary })
      setTimeout(() => void open.then(send), (isRooms ? due : last) - performance.now())
    })
  }
}
