/**
 * A mesh of a million triangles: how long it takes to build, what it holds, and what a ray into it costs, where each goes elsewhere (the
 * cache does not have what it needs) and where all are alike.
 *
 *   npm run bench:rays [-- --rounds 25]
 */
import { createShape, init, World } from 'moreau'
import { Random } from '../scenarios/random.mjs'
import { readCommandLine } from '../scripts/command-line.mjs'
import { formatTable } from './table.mjs'

/** Cells along an edge of a field, of two triangles each: 999,698 triangles. */
const CELLS = 707
/** m */
const CELL = 0.5
const RAYS = 20000
const BATCH = 1000

const { values } = readCommandLine(import.meta.url, {
  options: { rounds: { type: 'string', default: '25' } },
})

/** Hills of all sizes. @param {boolean} asFloats whether coordinates are single numbers */
function field(asFloats) {
  const random = new Random(7)
  const side = CELLS + 1
  const vertices = new Float64Array(3 * side * side)
  for (let i = 0; i < side * side; i++) {
    const [x, z] = [i % side, Math.floor(i / side)]
    const hill = ((x * 37) % 101) * ((z * 53) % 97)
    const height = hill / 4000 + random.between(0, 0.2)
    vertices.set([CELL * x, height, CELL * z].map(asFloats ? Math.fround : (n) => n), 3 * i)
  }
  const indices = new Uint32Array(6 * CELLS * CELLS)
  for (let cell = 0; cell < CELLS * CELLS; cell++) {
    const corner = (cell % CELLS) + side * Math.floor(cell / CELLS)
    const [a, b, c, d] = [corner, corner + side, corner + 1, corner + side + 1]
    indices.set([a, b, c, c, b, d], 6 * cell)
  }
  return { type: /** @type {const} */ ('mesh'), vertices, indices }
}

/** Origins and directions of rays from above. @param {boolean} apart whether each goes elsewhere */
function rays(apart) {
  const random = new Random(11)
  const [origins, directions] = [new Float64Array(3 * RAYS), new Float64Array(3 * RAYS)]
  const size = CELL * CELLS
  for (let i = 0; i < RAYS; i++) {
    const at = () => (apart ? random.between(0.1 * size, 0.9 * size) : 0.4 * size + 1e-4 * i)
    origins.set([at(), 20, at()], 3 * i)
    directions.set([random.between(-0.3, 0.3), -1, random.between(-0.3, 0.3)], 3 * i)
  }
  return { origins, directions }
}

/** µs of a ray, of all batches. @param {World} world @param {ReturnType<typeof rays>} given */
function timeOf(world, { origins, directions }) {
  const out = { distances: new Float64Array(BATCH) }
  let [spent, hits] = [0, 0]
  for (let first = 0; first < RAYS; first += BATCH) {
    const part = (/** @type {Float64Array} */ list) => list.subarray(3 * first, 3 * (first + BATCH))
    const start = performance.now()
    hits += world.rayCastBatch(part(origins), part(directions), out)
    spent += performance.now() - start
  }
  if (hits !== RAYS) throw new Error(`${RAYS - hits} rays met nothing`)
  return (1000 * spent) / RAYS
}

/** @param {boolean} asFloats */
function measure(asFloats) {
  const given = field(asFloats)
  const start = performance.now()
  const shape = createShape(given)
  const seconds = (performance.now() - start) / 1000
  const world = new World()
  world.createBody({ type: 'static', shape })
  world.step(1 / 60)
  const rounds = (/** @type {ReturnType<typeof rays>} */ all) =>
    Math.min(...Array.from({ length: Number(values.rounds) }, () => timeOf(world, all)))
  const [apart, alike] = [rounds(rays(true)), rounds(rays(false))]
  world.free()
  return [seconds, apart, alike].map((number) => number.toFixed(2))
}

await init()
const head = ['vertices', 'built in, s', 'rays apart, µs', 'rays alike, µs']
const rows = [true, false].map((asFloats) => [
  asFloats ? 'floats' : 'doubles',
  ...measure(asFloats),
])
console.log(formatTable(head, rows))
