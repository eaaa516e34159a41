// A ball without friction in a trough of facets: an edge between two takes the square of the sine of its angle of what moves,
// as a plastic impact does, and gives nothing.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'

before(() => init())

const GRAVITY = 9.81

/**
 * Half a tube along z, of flat facets whose edges are at a radius from the middle, open to the top.
 * @param {number} radius @param {number} facets
 * @returns {import('moreau').ShapeDefinition}
 */
function trough(radius, facets) {
  const vertices = []
  const indices = []
  for (let i = 0; i <= facets; i++) {
    const angle = (Math.PI * i) / facets - Math.PI / 2
    const [x, y] = [radius * Math.sin(angle), radius * (1 - Math.cos(angle))]
    vertices.push(x, y, -2, x, y, 2)
    if (i < facets) indices.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3)
  }
  return { type: 'mesh', vertices, indices }
}

/**
 * The greatest and the last energy of a ball that is let go, relative to that at the start, and its spin at the end.
 * @param {import('moreau').WorldOptions['solver']} solver
 * @param {{ radius: number, ball: number, facets: number, degrees: number, seconds: number, rate: number }} options
 */
function swing(solver, { radius, ball, facets, degrees, seconds, rate }) {
  const world = new World({ solver, allowSleep: false, warnings: false })
  world.createBody({ type: 'static', shape: trough(radius, facets), friction: 0, restitution: 0 })
  const facet = Math.PI / facets
  const angle = (Math.round((degrees * Math.PI) / 180 / facet - 0.5) + 0.5) * facet
  const away = radius * Math.cos(facet / 2) - ball
  const body = world.createBody({
    ...{ shape: { type: 'sphere', radius: ball }, friction: 0, restitution: 0 },
    position: [away * Math.sin(angle), radius - away * Math.cos(angle), 0],
  })
  const lowest = radius - away / Math.cos(facet / 2)
  const energy = () =>
    body.speed ** 2 / 2 + GRAVITY * /** @type {number} */ (body.position[1] - lowest)
  const start = energy()
  let most = 0
  for (let step = 0; step < seconds * rate; step++) {
    world.step(1 / rate)
    most = Math.max(most, energy() / start)
  }
  const found = { most, last: energy() / start, spin: body.angularSpeed }
  world.free()
  return found
}

// Edges of 1.2 degrees to 0.1, of which steps pass some at once: a contact has the normal of one facet, which is that of the
// middle of the way to within half the angle of an edge, so that energy wanders by half a percent. What the solvers lose besides
// is of the first order of the step, and soft contacts sink in by up to 0.1 mm on each facet.
const TROUGHS = [
  { radius: 2, ball: 0.3, facets: 200, degrees: 15, seconds: 20, rate: 60 },
  { radius: 2, ball: 0.3, facets: 800, degrees: 15, seconds: 20, rate: 60 },
  { radius: 2, ball: 0.3, facets: 1600, degrees: 15, seconds: 20, rate: 60 },
  { radius: 3, ball: 0.5, facets: 250, degrees: 20, seconds: 10, rate: 60 },
  { radius: 3, ball: 0.5, facets: 900, degrees: 20, seconds: 10, rate: 120 },
  { radius: 5, ball: 0.4, facets: 600, degrees: 12, seconds: 10, rate: 60 },
  { radius: 1.3, ball: 0.25, facets: 500, degrees: 24, seconds: 10, rate: 120 },
]

for (const solver of /** @type {const} */ (['soft-step', 'block-pgs', 'exact'])) {
  describe(`a ball in a trough, ${solver}`, () => {
    for (const options of TROUGHS) {
      const { radius, ball, facets } = options
      test(`of ${radius} m and ${facets} facets, ball of ${ball} m`, () => {
        const { most, last, spin } = swing(solver, options)
        assert.ok(most < 1.01, `gains ${most}`)
        assert.ok(last > 0.85, `keeps ${last}`)
        assert.ok(spin < 1e-5, `spins at ${spin}`)
      })
    }
  })
}
