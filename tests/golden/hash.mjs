/**
 * Hashes of what a step made, over the bits of poses, velocities and contact points. They are the tests' own, so that they outlive
 * changes of what `world.hash()` covers. tests/native/state_bits.h has the same.
 */
import { CONTACT_POINT_LAYOUT } from 'moreau'

/** @typedef {import('moreau').World} World */

/**
 * 64-bit FNV-1a (Fowler, Noll, Vo): per byte an exclusive or, then a product with 2^40 + 0x1b3. BigInt would take a second per
 * scene, so the hash is two halves of 32 bits.
 */
export class Fnv {
  #high = 0xcbf29ce4
  #low = 0x84222325

  /** @param {Uint8Array} bytes */
  add(bytes) {
    let [high, low] = [this.#high, this.#low]
    for (const byte of bytes) {
      low = (low ^ byte) >>> 0
      const product = low * 0x1b3
      // Below 2^53, so exact.
      high = (high * 0x1b3 + Math.floor(product / 0x100000000) + ((low << 8) >>> 0)) >>> 0
      low = product >>> 0
    }
    this.#high = high
    this.#low = low
  }

  /** 16 hexadecimal digits. */
  toString() {
    return [this.#high, this.#low].map((half) => half.toString(16).padStart(8, '0')).join('')
  }
}

/** @param {Float64Array} numbers */
const bytesOf = ({ buffer, byteOffset, byteLength }) =>
  new Uint8Array(buffer, byteOffset, byteLength)

/**
 * Poses of all bodies, then velocities of all bodies.
 *
 * @param {World} world
 */
function hashMotion(world) {
  const hash = new Fnv()
  hash.add(bytesOf(world.transforms64))
  hash.add(bytesOf(world.velocities))
  return hash.toString()
}

/**
 * Contact points: position, normal, separation, impulses. Ids of bodies are left out, as they are no result.
 *
 * @param {World} world
 */
function hashContacts(world) {
  const { stride, position } = CONTACT_POINT_LAYOUT
  const numbers = new Float64Array(stride * world.stats.contactPoints)
  const count = world.readContactPoints(numbers)
  if (count * stride !== numbers.length) throw new Error(`${count} contact points do not fit`)
  const hash = new Fnv()
  for (let at = 0; at < numbers.length; at += stride) {
    hash.add(bytesOf(numbers.subarray(at + position, at + stride)))
  }
  return hash.toString()
}

/**
 * Both hashes of a world as it is after a step.
 *
 * @param {World} world
 */
export const hashState = (world) => `${hashMotion(world)} ${hashContacts(world)}`
