/**
 * Who speaks to a port as no client does: it sends what it likes, as fast or as slowly as it likes, and notes what comes back.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Bytes that are sent at a time. */
const PIECE = 65_536

/** @typedef {{ status: number, text: string, sent: number }} Answer `status` 0: the socket was closed without an answer; `sent`: bytes that the other side's machine has taken */

/** A socket of an attacker. */
export class Line {
  text = ''
  isOver = false

  /** @param {number} port */
  constructor(port) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.on('data', (text) => (this.text += text))
    this.socket.on('error', () => {})
    this.over = new Promise((resolve) => this.socket.once('close', resolve))
    this.over.then(() => (this.isOver = true))
  }

  /** Ends when the other side does. @returns {Promise<Answer>} */
  async answer() {
    await this.over
    const { bytesWritten, writableLength } = this.socket
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(this.text)?.[1] ?? 0)
    return { status, text: this.text, sent: bytesWritten - writableLength }
  }

  /** Sends so many bytes, for as long as somebody listens. @param {number} length */
  async pour(length) {
    const piece = Buffer.alloc(PIECE, '[')
    for (let sent = 0; sent < length && !this.isOver && !this.text; sent += PIECE) {
      const isTaken = this.socket.write(piece.subarray(0, Math.min(PIECE, length - sent)))
      // A socket that nobody reads from is never drained.
      if (!isTaken) await Promise.race([once(this.socket, 'drain'), this.over]).catch(() => {})
    }
  }

  /** A byte at a time. @param {string} text @param {number} pause ms */
  async drip(text, pause) {
    for (const letter of text) {
      if (this.isOver) return
      this.socket.write(letter)
      await delay(pause)
    }
  }
}

/** @param {number} port @param {string} text @param {(line: Line) => Promise<unknown>} [after] @returns {Promise<Answer>} */
export async function say(port, text, after = async () => {}) {
  const line = new Line(port)
  line.socket.write(text)
  await after(line)
  return line.answer()
}

/**
 * A request as a text.
 * @param {string} first method and path
 * @param {Record<string, string | number>} [headers]
 * @param {string} [body] whose length is told, if none is given
 */
export function ask(first, headers = {}, body = '') {
  const length = body ? { 'content-length': Buffer.byteLength(body) } : {}
  const all = { host: 'x', connection: 'close', ...length, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${first} HTTP/1.1`, ...lines, '', body].join('\r\n')
}

/** A part of a body whose length is not told. @param {string} text */
export const chunk = (text) => `${text.length.toString(16)}\r\n${text}\r\n`
