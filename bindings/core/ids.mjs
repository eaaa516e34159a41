// An id is the number generation 2^32 + slot + 1, and 0 where it names nothing. The generation, which
// counts the lives of the slot before, has 16 bits: ids are exact. The engine's ids have the tag of the
// world beside that; a world takes only ids of its own.
const GENERATION = 2 ** 32

/**
 * @param {number} id
 * @returns {number}
 */
export function slotOf(id) {
  return (id - 1) >>> 0
}

/**
 * The id in one of the engine's structs, which has the tag of the world above the generation.
 * @param {Uint32Array} u32
 * @param {number} at
 * @returns {number}
 */
export function idAt(u32, at) {
  return (u32[at + 1] & 0xffff) * GENERATION + u32[at]
}
