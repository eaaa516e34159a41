import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, solveContactProblem, World } from 'moreau'

describe('sizes at the ends of their ranges', () => {
  before(() => init())

  // The factors of one block of 65,536 rows would take 2 ** 35 bytes, which 32 bits do not count.
  for (const rows of [65536, 65537]) {
    test(`${rows} coupled rows of M are refused, and the module goes on`, () => {
      const band = Array.from({ length: rows - 1 }, (_, i) => i)
      const M = {
        shape: /** @type {[number, number]} */ ([rows, rows]),
        rows: [...band, rows - 1, ...band.map((i) => i + 1)],
        cols: [...band, rows - 1, ...band],
        vals: [...Array(rows).fill(4), ...Array(rows - 1).fill(1)],
      }
      const H = {
        shape: /** @type {[number, number]} */ ([rows, 3]),
        rows: [0],
        cols: [0],
        vals: [1],
      }
      const problem = { M, H, f: new Float64Array(rows), w: [-1, 0, 0], mu: [0.5] }
      assert.throws(() => solveContactProblem(problem), { code: 'out-of-memory' })
      const W = [1, 0, 0, 0, 1, 0, 0, 0, 1]
      const small = solveContactProblem({ W: new Float64Array(W), q: [-1, 0, 0], mu: [0.5] })
      assert.ok(Math.abs(small.impulses[0] - 1) < 1e-7)
    })
  }

  for (const speed of [1e18, 1e39, 1e100]) {
    test(`what a kinematic body of ${speed} m/s and rad/s touches has numbers`, () => {
      const world = new World({ solver: 'soft-step', warnings: false })
      const mover = world.createBody({
        type: 'kinematic',
        shape: { type: 'box', halfExtents: [1, 1, 1] },
      })
      const body = world.createBody({
        shape: { type: 'sphere', radius: 0.5 },
        position: [0.3, 1.49, 0.2],
      })
      mover.linearVelocity = [0, speed, 0]
      mover.angularVelocity = [speed, 0, 0]
      for (let i = 0; i < 3; i++) {
        world.step(1 / 60)
        const { linearVelocity, position } = body
        assert.ok([...linearVelocity, ...position, world.stats.maxPenetration].every(isFinite))
      }
      assert.deepEqual(mover.linearVelocity, [0, speed, 0])
    })
  }

  test('a diagonal M of 100,000 rows is reduced once and not row by row', () => {
    const rows = 100000
    const list = Array.from({ length: rows }, (_, i) => i)
    const M = {
      shape: /** @type {[number, number]} */ ([rows, rows]),
      rows: list,
      cols: list,
      vals: Array(rows).fill(2),
    }
    const H = {
      shape: /** @type {[number, number]} */ ([rows, 3]),
      rows: [0, 1, rows - 1],
      cols: [0, 1, 2],
      vals: [1, 1, 1],
    }
    const f = new Float64Array(rows)
    const { impulses, status } = solveContactProblem({ M, H, f, w: [-1, 0, 0], mu: [0.5] })
    assert.equal(status, 'converged')
    assert.ok(Math.abs(impulses[0] - 2) < 1e-7)
  })

  test('a recorded problem keeps no memory of the engine', async () => {
    const world = await World.create({ solver: 'block-pgs' })
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    for (let i = 0; i < 64; i++) {
      const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
      world.createBody({ shape, position: [2 * (i % 8), 0.5, 2 * Math.floor(i / 8)] })
    }
    world.step(1 / 60)
    world.residual() // has the memory that read-outs need
    const held = world.memory().bytes
    assert.equal(world.recordProblem().contacts, 256)
    assert.ok(world.memory().bytes < held + 1e6, 'W alone has 4.7 MB')
    world.free()
  })
})
