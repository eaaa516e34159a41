// FNV-1a with 64 bits (Fowler, Noll, Vo: draft-eastlake-fnv), in two halves of 32: BigInt would be slow.

const OFFSET_HIGH = 0xcbf29ce4
const OFFSET_LOW = 0x84222325
/** The prime is 2^40 + this. */
const PRIME_LOW = 0x1b3

/**
 * The hash of some lists of bytes, one behind the other, each after its length.
 * @param {readonly Uint8Array[]} lists
 * @returns {string} 16 hexadecimal digits
 */
export function hashOf(lists) {
  let high = OFFSET_HIGH
  let low = OFFSET_LOW
  for (const bytes of lists) {
    const length = new Uint8Array(Uint32Array.of(bytes.length).buffer)
    for (const part of [length, bytes]) {
      for (let i = 0; i < part.length; i++) {
        // All products are below 2^53, and so exact.
        const mixed = (low ^ part[i]) >>> 0
        const product = mixed * PRIME_LOW
        high = (high * PRIME_LOW + Math.floor(product / 2 ** 32) + mixed * 2 ** 8) % 2 ** 32
        low = product >>> 0
      }
    }
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('')
}
