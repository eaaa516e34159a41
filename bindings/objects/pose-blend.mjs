/** Floats per slot of transforms. */
export const STRIDE = 8

/**
 * The pose of a slot between two: the position along a straight line, the orientation along the chord.
 * @param {Float32Array} from
 * @param {Float32Array} to
 * @param {number} part 0 to 1
 * @param {Float32Array} out
 * @param {number} at of a slot
 */
export function blend(from, to, part, out, at) {
  let dot = 0
  for (let i = at + 4; i < at + STRIDE; i++) dot += from[i] * to[i]
  // q and -q are one rotation: the nearer of the two is the short way.
  const sign = dot < 0 ? -1 : 1
  let squares = 0
  for (let i = at; i < at + STRIDE; i++) {
    const target = i < at + 4 ? to[i] : sign * to[i]
    out[i] = from[i] + part * (target - from[i])
    if (i >= at + 4) squares += out[i] * out[i]
  }
  if (squares === 0) return // a free slot
  const scale = 1 / Math.sqrt(squares)
  for (let i = at + 4; i < at + STRIDE; i++) out[i] *= scale
}
