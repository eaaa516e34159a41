/**
 * Writes scenarios/concave-pieces.mjs: a ring, a bowl and a bracket, taken apart into convex hulls by moreau/decompose.
 * The numbers are kept in the repository, so that the scene needs neither the optional peer nor its bits.
 *
 *     npm run build && node scripts/generate-concave-pieces.mjs
 */
import { rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { decompose } from 'moreau/decompose'
import { format, resolveConfig } from 'prettier'
import { readCommandLine } from './command-line.mjs'

/** @typedef {{ vertices: number[], indices: number[] }} Mesh */
/** @typedef {[number, number]} Point of an outline, m */

readCommandLine(import.meta.url)
const target = fileURLToPath(new URL('../scenarios/concave-pieces.mjs', import.meta.url))

/** m: to which coordinates are rounded. */
const UNIT = 1e-4

/**
 * What a closed outline becomes that turns about y.
 *
 * @param {Point[]} outline radius and height, counter-clockwise with the radius to the right
 * @param {number} segments
 * @returns {Mesh}
 */
function revolve(outline, segments) {
  const count = outline.length
  const vertices = Array.from({ length: segments }, (_, s) => {
    const angle = (2 * Math.PI * s) / segments
    return outline.map(([r, y]) => [r * Math.sin(angle), y, r * Math.cos(angle)])
  })
  const indices = Array.from({ length: segments }, (_, s) =>
    outline.map((__, i) => {
      const at = (/** @type {number} */ turn, /** @type {number} */ place) =>
        ((s + turn) % segments) * count + ((i + place) % count)
      return [at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1)]
    }),
  )
  return { vertices: vertices.flat(2), indices: indices.flat(2) }
}

/**
 * A closed outline with a thickness along z.
 *
 * @param {Point[]} outline counter-clockwise
 * @param {number[]} triangles of it
 * @param {number} half m, of the thickness
 * @returns {Mesh}
 */
function extrude(outline, triangles, half) {
  const count = outline.length
  const at = (/** @type {number} */ z) => outline.flatMap(([x, y]) => [x, y, z])
  const sides = outline.flatMap((_, i) => {
    const next = (i + 1) % count
    return [i, next, next + count, i, next + count, i + count]
  })
  const top = triangles.map((i) => i + count)
  return {
    vertices: [...at(-half), ...at(half)],
    indices: [...triangles.toReversed(), ...top, ...sides],
  }
}

/** @param {number} radius @param {number} count @param {number} from @param {number} to rad @returns {Point[]} */
const arc = (radius, count, from, to) =>
  Array.from({ length: count + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / count
    return [Math.max(radius * Math.cos(angle), 0.002), radius * Math.sin(angle)]
  })

const down = -Math.PI / 2
/** @type {Record<string, { mesh: Mesh, maxHulls: number }>} */
const pieces = {
  // Radii 0.35 m and 0.08 m.
  ring: {
    mesh: revolve(
      Array.from({ length: 8 }, (_, i) => {
        const angle = (2 * Math.PI * i) / 8
        return [0.35 + 0.08 * Math.cos(angle), 0.08 * Math.sin(angle)]
      }),
      16,
    ),
    maxHulls: 24,
  },
  // Open upwards, of radius 0.5 m with a wall of 0.15 m.
  bowl: {
    mesh: revolve([...arc(0.5, 6, down, 0), ...arc(0.35, 6, 0, down)], 16),
    maxHulls: 32,
  },
  // An arch with square corners: 0.6 m wide and high, its legs 0.1 m apart from the middle of each side.
  bracket: {
    mesh: extrude(
      [
        [-0.3, -0.3],
        [-0.2, -0.3],
        [-0.2, 0.2],
        [0.2, 0.2],
        [0.2, -0.3],
        [0.3, -0.3],
        [0.3, 0.3],
        [-0.3, 0.3],
      ],
      [0, 1, 2, 0, 2, 7, 2, 3, 7, 3, 6, 7, 3, 4, 5, 3, 5, 6],
      0.08,
    ),
    maxHulls: 8,
  },
}

/** @param {number} x */
const round = (x) => Math.round(x / UNIT) * UNIT
/** @param {ArrayLike<number>} numbers @param {number} digits */
const write = (numbers, digits) =>
  `[${Array.from(numbers, (x) => Number(x.toFixed(digits)) + 0).join(', ')}]`

const entries = []
for (const [name, { mesh, maxHulls }] of Object.entries(pieces)) {
  const { body, volumeError } = await decompose(mesh.vertices, mesh.indices, {
    ...{ maxHulls, maxVertices: 16, voxels: 500_000 },
  })
  const hulls = body.shapes.map(({ points }) => write(points.map(round), 4))
  const error = `${(100 * volumeError).toFixed(1)} %`
  entries.push(`  /** ${hulls.length} hulls; they differ from the piece by ${error} of its volume. */
  ${name}: {
    mass: ${body.mass.toPrecision(6)},
    centerOfMass: ${write(body.centerOfMass, 6)},
    inertia: ${write(body.inertia, 6)},
    hulls: [${hulls.join(', ')}],
  },`)
  console.error(`${name}: ${hulls.length} hulls, volume error ${error}`)
}

const text = `// Made by scripts/generate-concave-pieces.mjs with moreau/decompose. Not to be edited.

/** Concave pieces: mass properties in kg and m, and hulls, each \`x y z x y z ...\` in m. */
export const concavePieces = {
${entries.join('\n')}
}
`
const options = await resolveConfig(target)
// Renamed into place, so that nobody ever reads half of it.
const partial = `${target}.${process.pid}`
await writeFile(partial, await format(text, { ...options, filepath: target }))
await rename(partial, target)
