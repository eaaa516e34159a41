/** Rows of the acceptance page that are given as matrices: W, q, mu without a world. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { init, solveContactProblem } from 'moreau'
import { describeForSolvers, dt, g, near, nearVector } from './support.mjs'

/** @typedef {import('./support.mjs').SolverName} SolverName */

await init()

const tight = { tolerance: 1e-12, maxIterations: 2000 }

/**
 * Contacts without friction from the matrix of their normal rows alone.
 *
 * @param {number[][]} normal
 * @param {number[]} q
 */
function normalRowsOnly(normal, q) {
  const size = 3 * q.length
  const W = Array.from({ length: size }, (_, i) =>
    q
      .flatMap(() => [0, 0, 0])
      .map((zero, k) => {
        if (i % 3 === 0 && k % 3 === 0) return normal[i / 3][k / 3]
        return i === k ? 1 : zero
      }),
  )
  return { W, q: q.flatMap((value) => [value, 0, 0]), mu: q.map(() => 0) }
}

/** @param {Float64Array} list */
const normals = (list) => Array.from(list).filter((_, i) => i % 3 === 0)

/**
 * The matrix of four corners of a unit cube of 1 kg on the floor, normal rows then tangent rows of
 * each: W = J M^-1 J'.
 */
function cubeOnFloor() {
  /** @type {number[][]} */
  const rows = []
  for (const [x, y] of [
    [-0.5, -0.5],
    [0.5, -0.5],
    [-0.5, 0.5],
    [0.5, 0.5],
  ]) {
    // Velocity of the cube at (x, y, -0.5) along z, x, y; it is B, and the floor A.
    rows.push([0, 0, 1, y, -x, 0], [1, 0, 0, 0, -0.5, -y], [0, 1, 0, 0.5, 0, x])
  }
  const inverseMass = [1, 1, 1, 6, 6, 6]
  return rows.map((p) =>
    rows.map((q) => p.reduce((sum, value, i) => sum + value * inverseMass[i] * q[i], 0)),
  )
}

describeForSolvers('contact problems of the page', (/** @type {any} */ solver) => {
  test('A25 one contact with lever arms, e = 0.5: 0.4 N s', () => {
    const answer = solveContactProblem(normalRowsOnly([[3.75]], [-1.5]), { ...tight, solver })
    near(answer.impulses[0], 0.4, 1e-12, 'impulse')
    near(answer.velocities[0], 0, 1e-12, 'velocity against its target')
  })

  test('A26 two coupled rows: 9/23 and 10/23', () => {
    const problem = normalRowsOnly(
      [
        [2, 0.5],
        [0.5, 3],
      ],
      [-1, -1.5],
    )
    const answer = solveContactProblem(problem, { solver, tolerance: 1e-8, maxIterations: 10 })
    assert.equal(answer.status, 'converged', 'within 10 sweeps, or factorisations')
    nearVector(normals(answer.impulses), [9 / 23, 10 / 23], 1e-8, 'impulses')
  })

  for (const { row, q, impulse, velocity } of [
    {
      row: 'A28',
      q: [-0.15696, -2, 0],
      impulse: [0.048876, 0.024404, 0.001293],
      velocity: [0, -1.977638, -0.10475],
    },
    { row: 'A28', q: [0, -2, 0], impulse: [0, 0, 0], velocity: [0, -2, 0] },
    {
      row: 'A29',
      q: [-0.15696, -1.414213562, -1.414213562],
      impulse: [0.0534, 0.01888, 0.01888],
      velocity: [0, -1.447114, -1.447114],
    },
  ]) {
    test(`${row} the corner of a sliding cube, q = ${q}: slides and does not lift off`, () => {
      const W = [
        [4, -1.5, -1.5],
        [-1.5, 4, -1.5],
        [-1.5, -1.5, 4],
      ]
      const answer = solveContactProblem({ W, q, mu: [0.5] }, { ...tight, solver })
      nearVector(answer.impulses, impulse, 1e-5, 'impulse')
      nearVector(answer.velocities, velocity, 1e-5, 'velocity')
      near(answer.velocities[0] * answer.impulses[0], 0, 1e-10, 'normal complementarity')
    })
  }

  test('A33 four corners without friction: a singular matrix is legal', () => {
    const W = cubeOnFloor()
    const normal = [0, 3, 6, 9].map((i) => [0, 3, 6, 9].map((k) => W[i][k]))
    for (const [value, vector] of /** @type {[number, number[]][]} */ ([
      [4, [1, 1, 1, 1]],
      [6, [1, 1, -1, -1]],
      [6, [1, -1, 1, -1]],
      [0, [1, -1, -1, 1]],
    ])) {
      const product = normal.map((row) => row.reduce((sum, w, k) => sum + w * vector[k], 0))
      nearVector(
        product,
        vector.map((x) => value * x),
        1e-12,
        `eigenvalue ${value}`,
      )
    }
    const problem = normalRowsOnly(normal, Array(4).fill(-g * dt))
    const { impulses } = solveContactProblem(problem, { ...tight, solver })
    assert.ok(impulses.every((x) => Number.isFinite(x) && x >= 0))
    near(
      impulses.reduce((sum, x) => sum + x),
      g * dt,
      1e-9,
      'sum',
    )
  })

  test('A30 four corners with friction, rank 6 of 12: no lift at 3 m/s in any direction', () => {
    for (let degrees = 0; degrees < 360; degrees += 24) {
      const angle = (degrees * Math.PI) / 180
      const slip = [3 * Math.cos(angle), 3 * Math.sin(angle)]
      const q = [0, 1, 2, 3].flatMap(() => [-g * dt, ...slip])
      const problem = { W: cubeOnFloor(), q, mu: Array(4).fill(0.5) }
      const { impulses, velocities } = solveContactProblem(problem, { ...tight, solver })
      near(
        normals(impulses).reduce((sum, x) => sum + x),
        g * dt,
        1e-6,
        'sum of normal impulses',
      )
      for (let i = 0; i < 12; i += 3) {
        const [n, t1, t2] = impulses.slice(i, i + 3)
        const [un, u1, u2] = velocities.slice(i, i + 3)
        near(un, 0, 1e-6, `normal velocity at ${degrees}°`)
        near(Math.hypot(u1, u2), 2.92152, 1e-6, `slip at ${degrees}°`)
        near(Math.hypot(t1, t2), 0.5 * n, 1e-6, `friction at ${degrees}°`)
        near(t1 * u2 - t2 * u1, 0, 1e-6, `friction against the slip at ${degrees}°`)
        assert.ok(t1 * u1 + t2 * u2 <= 0)
      }
    }
  })
})
