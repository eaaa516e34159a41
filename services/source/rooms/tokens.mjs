import { createHash, randomBytes } from 'node:crypto'
import { fromHex } from '../netcode/bytes.mjs'
import { TOKEN_BYTES } from '../netcode/protocol.mjs'

/** @param {Uint8Array} bytes */
const digestOf = (bytes) => createHash('sha256').update(bytes).digest('hex')
const TOKEN = new RegExp(`^[0-9a-f]{${2 * TOKEN_BYTES}}$`)

/** The tokens by which clients come back. Only digests are kept and written down. */
export class Tokens {
  /** @type {Map<number, string>} */
  #digests
  /** Of players whose joining is not written down yet. @type {[number, string][]} */
  #fresh = []

  /** @param {[number, string][]} [digests] by player */
  constructor(digests = []) {
    this.#digests = new Map(digests)
  }

  /** @param {number} player @returns {Uint8Array} 16 random bytes */
  issue(player) {
    const token = new Uint8Array(randomBytes(TOKEN_BYTES))
    this.add(player, digestOf(token))
    this.#fresh.push([player, digestOf(token)])
    return token
  }

  /** @param {number} player @param {string} digest */
  add(player, digest) {
    this.#digests.set(player, digest)
  }

  /** @param {number} player */
  forget(player) {
    this.#digests.delete(player)
  }

  /** @param {unknown} token as a client sent it @returns {number | undefined} */
  playerOf(token) {
    if (typeof token !== 'string' || !TOKEN.test(token)) return undefined
    const digest = digestOf(fromHex(token))
    return [...this.#digests].find(([, known]) => known === digest)?.[0]
  }

  /** @param {unknown} token that was known */
  bytesOf(token) {
    return fromHex(String(token))
  }

  /** @returns {[number, string][]} what was issued since it was asked last */
  takeFresh() {
    return this.#fresh.splice(0)
  }

  /** @returns {[number, string][]} */
  entries() {
    return [...this.#digests]
  }
}
