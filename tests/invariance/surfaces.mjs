/**
 * One flat surface, made in many ways.
 */
import { Random } from '../../scenarios/random.mjs'
import { add, rotate } from '../../scenarios/vector.mjs'
import { CUBE_FACES } from '../../scenarios/voxel-ground.mjs'

/** @import { Vector } from '../../scenarios/vector.mjs' */
/** @import { Slab, Surface } from './scene.mjs' */

/** Tiles along a side at the most. */
const MOST_TILES = 40

/** @typedef {{ slab: Slab, surface: Surface, random: Random }} Making */

/** A body of a slab: what is in it, in the frame of the slab or at another place of it. @typedef {{ at?: Vector, shape?: any, shapes?: any[] }} Part */

/** @param {number} x @param {number} y @param {number} z */
const box = (x, y, z) => ({ type: 'box', halfExtents: [x, y, z] })

/** Tiles of about the wanted size. @param {number} half of the side @param {number} size @returns {{ middle: number, half: number }[]} */
function tilesOf(half, size) {
  const count = Math.min(MOST_TILES, Math.max(2, Math.round((2 * half) / size)))
  const part = half / count
  return Array.from({ length: count }, (_, i) => ({
    middle: (2 * i + 1) * part - half,
    half: part,
  }))
}

/** @typedef {{ x: number, z: number, halfX: number, halfZ: number, i: number }} Tile */

/** @param {Making} making @returns {Tile[]} */
function grid({ slab, surface: { size, gap = 0 } }) {
  const columns = tilesOf(slab.half[1], size)
  return tilesOf(slab.half[0], size).flatMap((row, i) =>
    columns.map((column, j) => ({
      ...{ x: row.middle, z: column.middle },
      ...{ halfX: row.half - gap / 2, halfZ: column.half - gap / 2 },
      i: i + 2 * j,
    })),
  )
}

/** @param {Tile} tile @param {Slab} slab */
const tileBox = ({ halfX, halfZ }, { depth }) => box(halfX, depth / 2, halfZ)

/** @param {Tile} tile @param {Slab} slab @returns {Vector} */
const belowTile = ({ x, z }, { depth }) => [x, -depth / 2, z]

/** Triangles of a rectangle of corners that are counted from the lower left. @param {number} a @param {number} b @param {number} c @param {number} d */
const rectangle = (a, b, c, d) => [a, b, c, a, c, d]

/** @param {number} x @param {number} z half of the sides */
const sheet = (x, z) => ({
  type: 'mesh',
  vertices: [-x, 0, -z, -x, 0, z, x, 0, z, x, 0, -z],
  indices: rectangle(0, 1, 2, 3),
})

/**
 * A mesh of rows and columns.
 * @param {readonly number[]} xs
 * @param {readonly number[]} zs
 * @param {(x: number, z: number, isRim: boolean) => number[]} [place]
 */
function lattice(xs, zs, place = (x, z) => [x, 0, z]) {
  const isRim = (/** @type {number} */ i, /** @type {readonly number[]} */ all) =>
    i === 0 || i === all.length - 1
  const vertices = xs.flatMap((x, i) =>
    zs.flatMap((z, j) => place(x, z, isRim(i, xs) || isRim(j, zs))),
  )
  const n = zs.length
  const indices = xs
    .slice(1)
    .flatMap((_, i) =>
      zs
        .slice(1)
        .flatMap((__, j) => rectangle(n * i + j, n * i + j + 1, n * i + n + j + 1, n * i + n + j)),
    )
  return { type: 'mesh', vertices, indices }
}

/** @param {number} half @param {number} size @returns {number[]} */
function marks(half, size) {
  const tiles = tilesOf(half, size)
  return [-half, ...tiles.map((tile) => tile.middle + tile.half)]
}

/** @param {number[][]} faces corners, counted from the lower left, per rectangle */
const soup = (faces) => ({
  type: 'mesh',
  vertices: faces.flat(),
  indices: faces.flatMap((_, i) => rectangle(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3)),
})

/** @param {Tile} tile @returns {number[]} */
const cornersOf = ({ x, z, halfX: a, halfZ: b }) => [
  ...[x - a, 0, z - b, x - a, 0, z + b],
  ...[x + a, 0, z + b, x + a, 0, z - b],
]

/** Corners of a cube by the signs of x, y and z; its faces are CUBE_FACES. */
const CUBE = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 4 ? 1 : -1, i & 2 ? 1 : -1, i & 1 ? 1 : -1])
/** Closed boxes below the surface, as triangles of one mesh. @param {Tile[]} tiles */
function voxels(tiles) {
  const vertices = tiles.flatMap(({ x, z, halfX, halfZ }) =>
    CUBE.flatMap(([a, b, c]) => [x + a * halfX, (b - 1) * halfX, z + c * halfZ]),
  )
  const indices = tiles.flatMap((_, t) =>
    CUBE_FACES.flatMap(([a, b, c, d]) => rectangle(a, b, c, d).map((corner) => 8 * t + corner)),
  )
  return { type: 'mesh', vertices, indices }
}

/** @param {number} halfX @param {number} halfZ @param {number} [count] of heights along a side */
const field = (halfX, halfZ, count = 3) => ({
  type: 'heightfield',
  heights: new Array(count ** 2).fill(0),
  rows: count,
  columns: count,
  scale: [(2 * halfX) / (count - 1), 1, (2 * halfZ) / (count - 1)],
})

/** Columns of one mesh that are cut into other parts than their neighbours. @param {Making} making */
function junctions({ slab: { half }, surface: { size } }) {
  const rows = tilesOf(half[0], size)
  return soup(
    rows.flatMap((row, i) =>
      tilesOf(half[1], i % 2 ? size / 3 : size).map((part) =>
        cornersOf({ ...{ x: row.middle, halfX: row.half, i }, z: part.middle, halfZ: part.half }),
      ),
    ),
  )
}

/** Each corner moved in the plane by less than a quarter of a tile. @param {Making} making */
function irregular({ slab: { half }, surface: { size }, random }) {
  const [xs, zs] = [marks(half[0], size), marks(half[1], size)]
  const reach = 0.25 * Math.min(xs[1] - xs[0], zs[1] - zs[0])
  return lattice(xs, zs, (x, z, isRim) => {
    const [dx, dz] = [random.between(-reach, reach), random.between(-reach, reach)]
    return isRim ? [x, 0, z] : [x + dx, 0, z + dz]
  })
}

/**
 * The ways, each with the bodies of a slab.
 * @type {Record<string, (making: Making) => Part[]>}
 */
const WAYS = {
  box: ({ slab: { half, depth } }) => [
    { shape: box(half[0], depth / 2, half[1]), at: [0, -depth / 2, 0] },
  ],
  'box, whose origin is far away': ({ slab: { half, depth } }) => [
    {
      shapes: [{ ...box(half[0], depth / 2, half[1]), position: [300, -depth / 2, -40] }],
      at: [-300, 0, 40],
    },
  ],
  plane: () => [{ shape: { type: 'plane' } }],
  'box tiles': (making) =>
    grid(making).map((tile) => ({
      shape: tileBox(tile, making.slab),
      at: belowTile(tile, making.slab),
    })),
  'box tiles, a body': (making) => [
    {
      shapes: grid(making).map((tile) => ({
        ...tileBox(tile, making.slab),
        position: belowTile(tile, making.slab),
      })),
    },
  ],
  compound: (making) => [
    {
      shape: {
        type: 'compound',
        shapes: grid(making).map((tile) => ({
          ...tileBox(tile, making.slab),
          position: belowTile(tile, making.slab),
        })),
      },
    },
  ],
  mesh: ({ slab: { half }, surface: { size } }) => [
    { shape: lattice(marks(half[0], size), marks(half[1], size)) },
  ],
  'irregular mesh': (making) => [{ shape: irregular(making) }],
  'mesh of long triangles': ({ slab: { half } }) => [
    { shape: lattice(marks(half[0], half[0] / 300), [-half[1], half[1]]) },
  ],
  'mesh with T-junctions': (making) => [{ shape: junctions(making) }],
  'mesh of single precision': (making) => [
    {
      // Each tile has corners of its own, rounded as they are 100 m away.
      shape: soup(
        grid(making).map((tile) => cornersOf(tile).map((x) => Math.fround(x + 100) - 100)),
      ),
    },
  ],
  'mesh of voxels': (making) => [{ shape: voxels(grid(making)) }],
  'mesh tiles': (making) =>
    grid(making).map((tile) => ({ shape: sheet(tile.halfX, tile.halfZ), at: [tile.x, 0, tile.z] })),
  'height field': ({ slab: { half } }) => [{ shape: field(half[0], half[1], MOST_TILES) }],
  'height field tiles': (making) =>
    grid(making).map((tile) => ({ shape: field(tile.halfX, tile.halfZ), at: [tile.x, 0, tile.z] })),
  'tiles of all kinds': (making) =>
    grid(making).map((tile) => {
      const { x, z, halfX, halfZ, i } = tile
      if (i % 3 === 0)
        return { shape: tileBox(tile, making.slab), at: belowTile(tile, making.slab) }
      return { shape: i % 3 === 1 ? sheet(halfX, halfZ) : field(halfX, halfZ), at: [x, 0, z] }
    }),
}

export const WHOLE_KIND = 'box'
export const SURFACES = Object.freeze(Object.keys(WAYS))

/** @param {Slab} slab */
const motionOf = ({ linearVelocity }) =>
  linearVelocity ? { type: 'kinematic', linearVelocity } : { type: 'static' }

/**
 * @param {readonly Slab[]} slabs
 * @param {Surface} surface
 * @returns {any[]} static or kinematic bodies, as a file has them
 */
export function bodiesOfSlabs(slabs, surface) {
  const random = new Random(surface.seed)
  return slabs.flatMap((slab) =>
    WAYS[surface.kind]({ slab, surface, random }).map(({ at = [0, 0, 0], ...what }) => ({
      ...motionOf(slab),
      ...{ friction: slab.friction, restitution: slab.restitution },
      ...{ position: add(slab.origin, rotate(slab.orientation, at)) },
      ...{ orientation: slab.orientation, ...what },
    })),
  )
}
