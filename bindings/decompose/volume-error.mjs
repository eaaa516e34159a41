// How far the union of hulls is from a closed mesh: the volume that only one of both encloses. Both are cut by parallel
// lines. Along a line the lengths are exact: from where it enters a surface to where it leaves it. Across the lines the
// measure is the midpoint rule. Nothing is random.

/**
 * The lines pass through the points of a lattice of Fibonacci: line i at i / 28657 of the width and at the fraction of
 * 17711 i / 28657 of the height, both Fibonacci numbers (Zaremba 1966; Niederreiter, Random Number Generation and
 * Quasi-Monte Carlo Methods, 1992, ch. 5). What such lines measure is off by 1e-4 of the box around the solid or less
 * (tests/node/decompose.test.mjs), also where its faces are aligned with the axes: lines of a square grid are not,
 * with 3e-3.
 */
const LINES = 28657
const STRIDE = 17711

/** @typedef {{ vertices: ArrayLike<number>, indices: ArrayLike<number> }} Surface closed, counter-clockwise from outside */
/** @typedef {readonly [number, number, number]} Corner */

/**
 * Where a line passes through a surface.
 * @typedef {object} Passage
 * @property {number} height along the line
 * @property {number} side 0: of the mesh, 1: of the hulls
 * @property {1 | -1} depth 1: into it, seen along the line, -1: out of it
 */

/** Lines parallel to z, and where they pass through surfaces. */
class Lines {
  /** Of each line. @type {Passage[][]} */
  passages = Array.from({ length: LINES }, () => [])
  #x
  #y

  /** @param {readonly Surface[]} surfaces what the lines span */
  constructor(surfaces) {
    this.#x = rangeOf(surfaces, 0)
    this.#y = rangeOf(surfaces, 1)
  }

  /** The area that a line stands for. */
  get cellArea() {
    return (this.#x.width * this.#y.width) / LINES
  }

  /**
   * Adds the passages through a surface.
   * @param {Surface} surface
   * @param {number} side
   */
  add({ vertices, indices }, side) {
    const corner = (/** @type {number} */ place) => cornerAt(vertices, indices[place])
    for (let first = 0; first < indices.length; first += 3) {
      this.#addTriangle([corner(first), corner(first + 1), corner(first + 2)], side)
    }
  }

  /**
   * @param {Corner[]} corners
   * @param {number} side
   */
  #addTriangle(corners, side) {
    const { first, last } = this.#linesNear(corners)
    const [[, a], [, b], [, c]] = corners
    const [lowest, highest] = [Math.min(a, b, c), Math.max(a, b, c)]
    for (let line = first; line <= last; line++) {
      const y = this.#y.least + (this.#y.width * ((line * STRIDE) % LINES)) / LINES
      if (y < lowest || y > highest) continue
      const passage = passageAt(corners, this.#xOf(line), y, side)
      if (passage !== undefined) this.passages[line].push(passage)
    }
  }

  /** @param {number} line */
  #xOf(line) {
    return this.#x.least + (this.#x.width * (line + 0.5)) / LINES
  }

  /**
   * The lines that may pass through a triangle by their x, and one more on either side, for what rounding takes.
   * @param {Corner[]} corners
   */
  #linesNear([[a], [b], [c]]) {
    const { least, width } = this.#x
    const place = (/** @type {number} */ x) => Math.floor((LINES * (x - least)) / width)
    const [first, last] = [place(Math.min(a, b, c)) - 1, place(Math.max(a, b, c)) + 1]
    return { first: Math.max(first, 0), last: Math.min(last, LINES - 1) }
  }
}

/**
 * @param {ArrayLike<number>} vertices
 * @param {number} index
 * @returns {Corner}
 */
function cornerAt(vertices, index) {
  return [vertices[3 * index], vertices[3 * index + 1], vertices[3 * index + 2]]
}

/**
 * @param {readonly Surface[]} surfaces
 * @param {number} axis
 * @returns {{ least: number, width: number }} of the coordinates along an axis
 */
function rangeOf(surfaces, axis) {
  let [least, greatest] = [Infinity, -Infinity]
  for (const { vertices } of surfaces) {
    for (let i = axis; i < vertices.length; i += 3) {
      least = Math.min(least, vertices[i])
      greatest = Math.max(greatest, vertices[i])
    }
  }
  return { least, width: greatest - least }
}

/**
 * Where the line through (x, y) passes through a triangle. Of the triangles that share an edge which it meets exactly
 * one of two that lie side by side is passed, so that it never slips through a closed surface.
 * @param {Corner[]} corners
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @returns {Passage | undefined}
 */
function passageAt([a, b, c], x, y, side) {
  const [u, v, w] = [sideOf(b, c, x, y), sideOf(c, a, x, y), sideOf(a, b, x, y)]
  if (u.isLeft !== v.isLeft || v.isLeft !== w.isLeft) return undefined
  const area = u.area + v.area + w.area
  if (area === 0) return undefined
  const height = (u.area * a[2] + v.area * b[2] + w.area * c[2]) / area
  // Counter-clockwise from above is a front that looks up: the line leaves there.
  return { height, depth: u.isLeft ? -1 : 1, side }
}

/**
 * On which side of the edge from `a` to `b` the point (x, y) is, seen from above. Both triangles of the edge get the same
 * answer, because it is worked out from its lesser end to the greater one. A point on the edge counts as moved by a
 * little along y, and by much less against x.
 * @param {Corner} a
 * @param {Corner} b
 * @param {number} x
 * @param {number} y
 */
function sideOf(a, b, x, y) {
  const isForward = a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])
  const [p, q] = isForward ? [a, b] : [b, a]
  const area = (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])
  return { isLeft: area >= 0 === isForward, area: isForward ? area : -area }
}

/**
 * The lengths of a line in the mesh, and in one of both only.
 * @param {Passage[]} passages
 */
function measureLine(passages) {
  passages.sort((one, other) => one.height - other.height)
  const depths = [0, 0]
  let [inside, differing] = [0, 0]
  for (let i = 0; i + 1 < passages.length; i++) {
    const { height, side, depth } = passages[i]
    depths[side] += depth
    const length = passages[i + 1].height - height
    if (depths[0] > 0) inside += length
    if (depths[0] > 0 !== depths[1] > 0) differing += length
  }
  return { inside, differing }
}

/**
 * The volume that only the mesh or only the hulls enclose, and that of the mesh by the same lines; in the cubed units of
 * the vertices.
 * @param {Surface} mesh
 * @param {readonly Surface[]} hulls
 * @returns {{ differing: number, volume: number }}
 */
export function measureDifference(mesh, hulls) {
  const lines = new Lines([mesh, ...hulls])
  lines.add(mesh, 0)
  for (const hull of hulls) lines.add(hull, 1)
  let [volume, differing] = [0, 0]
  for (const passages of lines.passages) {
    const lengths = measureLine(passages)
    volume += lengths.inside * lines.cellArea
    differing += lengths.differing * lines.cellArea
  }
  return { differing, volume }
}
