import { once } from 'node:events'
import { createServer, STATUS_CODES } from 'node:http'
import { Addresses } from './addresses.mjs'
import { HttpRefusal, refusals } from './refusal.mjs'

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Duplex } from 'node:stream' */
/** @import { Socket } from 'node:net' */

/**
 * What a server takes of whoever reaches its port.
 * @typedef {object} HttpLimits
 * @property {number} headBytes of the first line and the headers of a request (431)
 * @property {number} bodyBytes of a request (413)
 * @property {number} requestTime ms until a request is there as a whole, from its first byte or from when the socket was opened (408)
 * @property {number} idleTime ms after which a socket of HTTP on which nothing happens is closed
 * @property {number} requestsPerAddress per second, over two seconds (429)
 * @property {number} socketsPerAddress at once (429)
 * @property {number} sockets at once
 */

/** @type {Readonly<HttpLimits>} */
export const HTTP_LIMITS = Object.freeze({
  ...{ headBytes: 8192, bodyBytes: 16_384, requestTime: 5000, idleTime: 10_000 },
  ...{ requestsPerAddress: 100, socketsPerAddress: 256, sockets: 4096 },
})

/** ms: between two looks for requests that take too long */
const LOOK = 500
/** ms that a socket stays open after a refusal, so that who still sends can read why. Nothing is read from it meanwhile. */
const LINGER = 1000

/**
 * @typedef {object} HttpHandlers
 * @property {(request: IncomingMessage, response: ServerResponse) => unknown} answer may throw an `HttpRefusal`, also later
 * @property {(request: IncomingMessage, socket: Duplex, head: Buffer) => void} [upgrade] to another protocol; may throw an `HttpRefusal`
 * @property {(refusal: HttpRefusal) => void} [onRefused]
 * @property {import('pino').Logger} [log] gets what else is thrown
 * @property {() => number} [now] ms, of a clock by which the requests of an address are counted
 * @property {number} [proxies] before this server, of which each adds to `x-forwarded-for`; default 0: the header is what anybody may write
 */

/**
 * A server of HTTP that knows its limits before it reads: what is beyond them is answered and cut off by the head of the request alone.
 */
export class LimitedServer {
  #http
  #limits
  #handlers
  #addresses
  #proxies
  /** Sockets of which nothing is read any more. @type {WeakSet<Duplex>} */
  #cut = new WeakSet()

  /** @param {HttpLimits} limits @param {HttpHandlers} handlers */
  constructor(limits, handlers) {
    this.#limits = limits
    this.#handlers = handlers
    this.#addresses = new Addresses(limits, handlers.now)
    this.#proxies = handlers.proxies ?? 0
    const http = createServer({
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.requestTime,
      requestTimeout: limits.requestTime,
      connectionsCheckingInterval: Math.min(LOOK, limits.requestTime),
    })
    http.timeout = limits.idleTime
    http.keepAliveTimeout = Math.min(http.keepAliveTimeout, limits.idleTime)
    http.maxConnections = limits.sockets
    http.on('connection', (socket) => this.#onConnection(socket))
    http.on('request', (request, response) => void this.#onRequest(request, response))
    // Who asks first whether it may send a body hears of a refusal instead of `100 Continue`.
    http.on('checkContinue', (request, response) => void this.#onRequest(request, response, true))
    http.on('upgrade', (request, socket, head) => this.#onUpgrade(request, socket, head))
    http.on('clientError', (error, socket) => this.#onError(error, socket))
    this.#http = http
  }

  /** @param {number} port 0: any that is free @param {string} [host] default: all addresses of the machine @returns {Promise<number>} the port @throws {Error} with a sentence */
  async listen(port, host) {
    try {
      await once(this.#http.listen(port, host), 'listening')
    } catch (error) {
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
      const reason = code === 'EADDRINUSE' ? 'another program listens there' : message
      throw new Error(`port ${port}: ${reason}`, { cause: error })
    }
    return /** @type {import('node:net').AddressInfo} */ (this.#http.address()).port
  }

  close() {
    this.#http.close()
    this.#http.closeAllConnections()
  }

  /** @param {Socket} socket */
  #onConnection(socket) {
    // Behind a proxy all sockets are the proxy's.
    if (this.#proxies > 0) return
    const leave = this.#addresses.enter(String(socket.remoteAddress))
    if (leave) return void socket.once('close', leave)
    const refusal = refusals.flood('this address has as many sockets as it may')
    this.#count(refusal)
    this.#cut.add(socket)
    socket.end(textOf(refusal), () => socket.destroy())
  }

  /** @param {IncomingMessage} request @param {ServerResponse} response @param {boolean} [isAsking] whether it waits for a word before it sends its body */
  async #onRequest(request, response, isAsking = false) {
    if (this.#cut.has(request.socket)) return
    try {
      this.#check(request)
      if (isAsking) response.writeContinue()
      await this.#handlers.answer(request, response)
    } catch (error) {
      // Who is gone gets no answer.
      if (request.socket.destroyed) return
      if (error instanceof HttpRefusal) return this.#refuse(request, response, error)
      this.#handlers.log?.error({ err: error, path: pathOf(request) }, 'request failed')
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    }
  }

  /** @param {IncomingMessage} request @throws {HttpRefusal} */
  #check(request) {
    if (!this.#addresses.mayAsk(this.#addressOf(request)))
      throw refusals.flood('this address asks too often')
    const most = this.#limits.bodyBytes
    if (Number(request.headers['content-length'] ?? 0) > most)
      throw refusals.oversized(`the body must have at most ${most} bytes`)
    try {
      decodeURIComponent(pathOf(request))
    } catch {
      throw refusals.malformed('the path must be percent-encoded UTF-8')
    }
  }

  /** @param {IncomingMessage} request @returns {string} */
  #addressOf({ headers, socket }) {
    const hops = String(headers['x-forwarded-for'] ?? '').split(',')
    const told = this.#proxies > 0 ? hops.at(-this.#proxies)?.trim() : ''
    return told || String(socket.remoteAddress)
  }

  /** @param {IncomingMessage} request @param {ServerResponse} response @param {HttpRefusal} refusal */
  #refuse(request, response, refusal) {
    this.#count(refusal)
    // What is still to come is not read.
    const isThere = request.complete || !hasBody(request)
    if (!isThere || response.headersSent) return this.#cutOff(request.socket, refusal, request)
    const { status, message } = refusal
    // Who is refused a second of requests is not to send the next ones over the same socket.
    const isOver = status === 429
    if (isOver) this.#cut.add(request.socket)
    const body = bodyOf(status, message)
    response.writeHead(status, {
      ...{ ...headersOf(request), 'content-length': Buffer.byteLength(body) },
      ...(isOver ? { connection: 'close', 'retry-after': '1' } : {}),
    })
    response.end(body)
  }

  /** @param {HttpRefusal} refusal */
  #count(refusal) {
    this.#handlers.onRefused?.(refusal)
  }

  /**
   * Says why, and reads nothing more. The answer goes past the library, which would read the rest of the body before it ends the socket.
   * @param {Duplex} socket @param {HttpRefusal} refusal @param {IncomingMessage} [request]
   */
  #cutOff(socket, refusal, request) {
    if (this.#cut.has(socket)) return
    this.#cut.add(socket)
    socket.on('error', () => socket.destroy())
    socket.pause()
    socket.end(textOf(refusal, request))
    setTimeout(() => socket.destroy(), LINGER).unref()
  }

  /** @param {IncomingMessage} request @param {Duplex} socket @param {Buffer} head */
  #onUpgrade(request, socket, head) {
    try {
      this.#check(request)
      if (hasBody(request)) throw refusals.malformed('an upgrade must have no body')
      if (this.#proxies > 0) {
        const leave = this.#addresses.enter(this.#addressOf(request))
        if (!leave) throw refusals.flood('this address has as many sockets as it may')
        socket.once('close', leave)
      }
      if (!this.#handlers.upgrade) throw refusals.malformed('there is no other protocol here')
      this.#handlers.upgrade(request, socket, head)
    } catch (error) {
      if (!(error instanceof HttpRefusal)) {
        this.#handlers.log?.error({ err: error, path: pathOf(request) }, 'upgrade failed')
        return void socket.destroy()
      }
      this.#count(error)
      this.#cutOff(socket, error, request)
    }
  }

  /** What is no request of HTTP, or does not come in time. @param {NodeJS.ErrnoException} error @param {Duplex} socket */
  #onError({ code }, socket) {
    const isGone = code === 'ECONNRESET' || code === 'EPIPE' || !socket.writable
    if (isGone || this.#cut.has(socket)) return void socket.destroy()
    const refusal = refusalOf(code)
    this.#count(refusal)
    this.#cutOff(socket, refusal)
  }
}

/** @param {string | undefined} code of an error of the library @returns {HttpRefusal} */
function refusalOf(code) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusals.slow('the request did not come in time')
  if (code === 'HPE_HEADER_OVERFLOW') return refusals.oversized('the headers are too long', 431)
  return refusals.malformed('this is no request of HTTP')
}

/** @param {IncomingMessage} request without its query, which may have what is nobody's business */
const pathOf = ({ url }) => String(url).split('?')[0]

/** @param {IncomingMessage} request */
export const hasBody = ({ headers }) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * A body, as far as it is within the limit.
 *
 * @param {IncomingMessage} request
 * @param {number} most bytes
 * @returns {Promise<Buffer>}
 * @throws {HttpRefusal} as soon as there are more
 */
export async function readBody(request, most) {
  /** @type {Buffer[]} */
  const parts = []
  let length = 0
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    length += part.length
    if (length > most) throw refusals.oversized(`the body must have at most ${most} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Pages of any origin may read why they were refused. @param {IncomingMessage} [request] */
const headersOf = (request) => ({
  'content-type': 'application/json',
  'access-control-allow-origin': request?.headers.origin ?? '*',
  'access-control-allow-credentials': 'true',
})

/** As Colyseus words an error. @param {number} code @param {string} error */
const bodyOf = (code, error) => JSON.stringify({ code, error })

/** A whole answer of HTTP. @param {HttpRefusal} refusal @param {IncomingMessage} [request] */
function textOf({ status, message }, request) {
  const body = bodyOf(status, message)
  const headers = {
    ...headersOf(request),
    ...{ connection: 'close', 'content-length': Buffer.byteLength(body) },
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}
