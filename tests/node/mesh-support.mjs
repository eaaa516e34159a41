// Meshes for tests. Up is z.

/** @typedef {[number, number, number]} Vector */

/** Turns y to z. */
export const Y_TO_Z = /** @type {const} */ ([Math.SQRT1_2, 0, 0, Math.SQRT1_2])

/**
 * A flat floor about the origin, two triangles per cell, the diagonals alternating.
 *
 * @param {number} cells along each side
 * @param {number} size of a cell
 */
export function flatMesh(cells, size) {
  const vertices = []
  const indices = []
  for (let i = 0; i <= cells; i++) {
    for (let j = 0; j <= cells; j++)
      vertices.push((j - cells / 2) * size, (i - cells / 2) * size, 0)
  }
  for (let i = 0; i < cells; i++) {
    for (let j = 0; j < cells; j++) {
      const a = i * (cells + 1) + j
      const [b, c, d] = [a + 1, a + cells + 2, a + cells + 1]
      indices.push(...((i + j) % 2 ? [a, b, c, a, c, d] : [a, b, d, b, c, d]))
    }
  }
  return /** @type {const} */ ({ type: 'mesh', vertices, indices })
}

/**
 * @param {number} cells
 * @param {number} size
 */
export function flatField(cells, size) {
  const heights = new Float64Array((cells + 1) ** 2)
  const grid = {
    rows: cells + 1,
    columns: cells + 1,
    scale: /** @type {Vector} */ ([size, 1, size]),
  }
  return /** @type {const} */ ({ type: 'heightfield', heights, ...grid, orientation: Y_TO_Z })
}

/** @param {Vector} half */
export function meshBox([x, y, z]) {
  const vertices = []
  for (let i = 0; i < 8; i++) vertices.push(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z)
  const indices = [
    ...[0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4],
    ...[2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5],
  ]
  return /** @type {const} */ ({ type: 'mesh', vertices, indices })
}

/** The torus of acceptance row A72. */
export function torus() {
  const [N, M, R, r] = [24, 12, 1, 0.3]
  const vertices = []
  const indices = []
  for (let i = 0; i < N; i++) {
    for (let j = 0; j < M; j++) {
      const [a, b] = [(2 * Math.PI * i) / N, (2 * Math.PI * j) / M]
      const across = R + r * Math.cos(b)
      vertices.push(across * Math.cos(a), across * Math.sin(a), r * Math.sin(b))
      const at = (/** @type {number} */ p, /** @type {number} */ q) => (p % N) * M + (q % M)
      const quad = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]
      indices.push(quad[0], quad[1], quad[2], quad[0], quad[2], quad[3])
    }
  }
  return /** @type {const} */ ({ type: 'mesh', vertices, indices })
}

/** @param {number} top height of the ridge, negative for a valley */
export function ridge(top) {
  const vertices = [-1, -1, 0, -1, 1, 0, 0, -1, top, 0, 1, top, 1, -1, 0, 1, 1, 0]
  const indices = [0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5]
  return /** @type {const} */ ({ type: 'mesh', vertices, indices })
}
