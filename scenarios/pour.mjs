import { addFloor } from './parts.mjs'
import { pointCloud, pointCloudNames } from './point-clouds.mjs'
import { Random } from './random.mjs'
import { defineScene } from './scene.mjs'

/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {import('./scene.mjs').World} World */

const COUNT = 200
/** The pit, m: half of its inner width, height and thickness of its walls. */
const PIT = { halfWidth: 1.5, height: 4, thickness: 1 }
/** Pieces begin in layers of 5 x 5, far enough apart not to touch however they are turned, m. */
const LAYER = 5
const SPACING = 0.58
/** How far a piece may begin from its place of the grid, m. */
const JITTER = 0.015
const LOWEST = 1
const HIGHEST = LOWEST + Math.floor((COUNT - 1) / (LAYER * LAYER)) * SPACING

export default defineScene({
  name: 'pour',
  title: 'Pour',
  description: `Real input: ${COUNT} convex hulls of real geometry (the Utah teapot, three torus knots, four Platonic solids; pieces of 0.3 to 0.5 m, 1000 kg/m³) are poured into a pit of ${2 * PIT.halfWidth} x ${2 * PIT.halfWidth} m with walls of ${PIT.height} m. They fall from ${LOWEST} to ${HIGHEST.toFixed(1)} m.`,
  solvers: ['soft-step', 'block-pgs'],
  duration: 10,
  camera: { position: [6, 6.5, 8], target: [0, 1.2, 0] },
  setup(world) {
    const random = new Random(2026)
    const floor = addFloor(world, { halfWidth: PIT.halfWidth + PIT.thickness })
    const glass = addWalls(world)
    // One definition per kind: each hull is built once.
    const shapes = pointCloudNames().map((name) => ({
      type: /** @type {const} */ ('hull'),
      points: pointCloud(name),
    }))
    /** @type {Body[]} */
    const pieces = []
    for (let index = 0; index < COUNT; index++) {
      const layer = Math.floor(index / (LAYER * LAYER))
      const row = Math.floor(index / LAYER) % LAYER
      const column = index % LAYER
      pieces.push(
        world.createBody({
          shape: shapes[Math.floor(random.next() * shapes.length)],
          position: [
            (column - (LAYER - 1) / 2) * SPACING + random.between(-JITTER, JITTER),
            LOWEST + layer * SPACING,
            (row - (LAYER - 1) / 2) * SPACING + random.between(-JITTER, JITTER),
          ],
          orientation: random.orientation(),
          density: 1000,
        }),
      )
    }
    return { floor, glass, pieces }
  },
  checks: [
    {
      name: 'nothing-escapes',
      description: 'How far any centre of mass is outside of the pit',
      unit: 'm',
      tolerance: 0,
      error({ things }) {
        let worst = 0
        for (const piece of things.pieces) {
          const [x, y, z] = piece.worldCenterOfMass
          worst = Math.max(worst, Math.abs(x) - PIT.halfWidth, Math.abs(z) - PIT.halfWidth, -y)
        }
        return worst
      },
    },
    {
      name: 'overlap',
      description: 'Deepest overlap once the pieces have settled',
      unit: 'm',
      // In soft-step a small piece gives way under the heap on top of it.
      tolerance: 0.005,
      softTolerance: 0.01, // a wedged piece bears 3 kN on the spring of one point
      from: 5,
      error: ({ world }) => world.stats.maxPenetration,
    },
    {
      name: 'fastest-piece',
      description: 'Speed of the fastest piece after 10 s',
      unit: 'm/s',
      tolerance: 0.1,
      from: 10,
      error: ({ things }) => Math.max(...things.pieces.map((piece) => piece.speed)),
    },
    {
      name: 'kinetic-energy',
      description: 'Kinetic energy after 10 s per mass, mean over the pieces',
      unit: 'J/kg',
      tolerance: 1e-3,
      from: 10,
      error({ things }) {
        let sum = 0
        for (const piece of things.pieces) sum += piece.kineticEnergy / piece.mass
        return sum / things.pieces.length
      },
    },
  ],
})

/**
 * The four walls of the pit.
 *
 * @param {World} world
 * @returns {Body[]}
 */
function addWalls(world) {
  const { halfWidth, height, thickness } = PIT
  const offset = halfWidth + thickness / 2
  const along = halfWidth + thickness
  /** @type {[number, number, number, number][]} x, z and half extents along x, z */
  const places = [
    [offset, 0, thickness / 2, along],
    [-offset, 0, thickness / 2, along],
    [0, offset, along, thickness / 2],
    [0, -offset, along, thickness / 2],
  ]
  return places.map(([x, z, halfX, halfZ]) =>
    world.createBody({
      type: 'static',
      shape: { type: 'box', halfExtents: [halfX, height / 2, halfZ] },
      position: [x, height / 2, z],
    }),
  )
}
