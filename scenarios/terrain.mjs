import { Random } from './random.mjs'
import { defineScene } from './scene.mjs'

/** Samples of the terrain along each side. */
const SAMPLES = 49
/** Bodies along each side of the square in which they fall. */
const EDGE = 12
/** m: half of the largest side of a body. */
const LARGEST = 0.4

export default defineScene({
  name: 'terrain',
  title: 'Hills',
  description: `${EDGE * EDGE} boxes, hulls and compounds fall on a height field with hills and valleys and come to rest.`,
  solvers: ['soft-step', 'block-pgs'],
  duration: 6,
  camera: { position: [16, 12, 18], target: [0, 0, 0] },
  setup(world) {
    const random = new Random(5)
    world.createBody({ type: 'static', shape: hills(), friction: 0.8 })
    const shapes = /** @type {const} */ ([
      { type: 'box', halfExtents: [0.3, 0.2, LARGEST] },
      {
        type: 'compound',
        shapes: [
          { type: 'box', halfExtents: [LARGEST, 0.1, 0.1] },
          { type: 'box', halfExtents: [0.1, 0.1, 0.3], position: [0.3, 0, 0.2] },
        ],
      },
      { type: 'box', halfExtents: [0.25, 0.25, 0.25] },
    ])
    const pieces = []
    for (let index = 0; index < EDGE * EDGE; index++) {
      pieces.push(
        world.createBody({
          shape: shapes[index % shapes.length],
          position: [
            ((index % EDGE) - (EDGE - 1) / 2) * 1.5,
            2.5,
            (Math.floor(index / EDGE) - (EDGE - 1) / 2) * 1.5,
          ],
          orientation: random.orientation(),
          friction: 0.8,
        }),
      )
    }
    return { pieces }
  },
  checks: [
    {
      name: 'stays-on-the-ground',
      description: 'Way of a body below the ground',
      unit: 'm',
      tolerance: LARGEST,
      error: ({ things }) =>
        Math.max(...things.pieces.map(({ position: [x, y, z] }) => heightAt(x, z) - y)),
    },
    {
      name: 'comes-to-rest',
      description: 'Mean speed at the end',
      unit: 'm/s',
      tolerance: 0.02,
      from: 6,
      error: ({ things }) =>
        things.pieces.reduce((sum, piece) => sum + piece.speed, 0) / things.pieces.length,
    },
  ],
})

/** @param {number} x @param {number} z */
function heightAt(x, z) {
  return wave(0.5 * x) * wave(0.4 * z + 0.25)
}

/**
 * A wave of period 4 of parabolas, with the same bits everywhere.
 *
 * @param {number} t
 */
function wave(t) {
  const place = t - 4 * Math.floor(t / 4)
  return place < 2 ? place * (2 - place) : (place - 2) * (place - 4)
}

function hills() {
  const heights = Array.from({ length: SAMPLES * SAMPLES }, (_, k) => {
    const [i, j] = [Math.floor(k / SAMPLES), k % SAMPLES]
    return heightAt((j - (SAMPLES - 1) / 2) * 0.5, (i - (SAMPLES - 1) / 2) * 0.5)
  })
  const scale = /** @type {const} */ ([0.5, 1, 0.5])
  return /** @type {const} */ ({
    type: 'heightfield',
    heights,
    rows: SAMPLES,
    columns: SAMPLES,
    scale,
  })
}
