/** `solveContactProblem`: forms of input, options, results and errors. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { init, solveContactProblem } from 'moreau'
import { Random } from '../../scenarios/random.mjs'
import { near, nearVector, throwsCode } from './support.mjs'

/** @typedef {import('moreau').ContactProblem} ContactProblem */

await init()

/**
 * Three contacts between a few bodies, in both forms: W = H' M^-1 H and q = H' M^-1 f + w.
 *
 * @param {number} seed
 */
function randomBodies(seed) {
  const random = new Random(seed)
  const [size, contacts] = [12, 3]
  const masses = Array.from({ length: size }, () => random.between(0.5, 4))
  const M = masses.map((m, i) => masses.map((_, k) => (i === k ? m : 0)))
  const H = masses.map(() => Array.from({ length: 3 * contacts }, () => random.between(-1, 1)))
  const f = masses.map((m) => m * random.between(-1, 1))
  const w = Array.from({ length: 3 * contacts }, (_, i) => (i % 3 === 0 ? -1 : 0.3))
  const mu = [0.5, 0.2, 0.9]
  const W = w.map((_, i) =>
    w.map((unused, k) => masses.reduce((sum, m, b) => sum + (H[b][i] * H[b][k]) / m, 0)),
  )
  const q = w.map((w0, i) => masses.reduce((sum, m, b) => sum + (H[b][i] * f[b]) / m, w0))
  return { local: { W, q, mu }, global: { M, H, f, w, mu } }
}

/**
 * M with blocks of given sizes and contacts on one or two of them each, and the same as W and q.
 *
 * @param {Random} random
 * @param {number[]} sizes
 */
function randomBlocks(random, sizes) {
  const size = sizes.reduce((sum, x) => sum + x, 0)
  const starts = sizes.map((_, b) => sizes.slice(0, b).reduce((sum, x) => sum + x, 0))
  const zeros = (/** @type {number} */ width) =>
    Array.from({ length: size }, () => Array(width).fill(0))
  const M = zeros(size)
  for (const [b, start] of starts.entries()) {
    // A A' + 1 of a random A.
    const A = Array.from({ length: sizes[b] }, () =>
      Array.from({ length: sizes[b] }, () => random.between(-0.5, 0.5)),
    )
    for (const [i, u] of A.entries()) {
      for (const [k, v] of A.entries()) {
        M[start + i][start + k] = u.reduce((sum, x, j) => sum + x * v[j], i === k ? 1 : 0)
      }
    }
  }
  const contacts = sizes.length + 1
  const H = zeros(3 * contacts)
  for (let contact = 0; contact < contacts; contact++) {
    // So many that its three rows are independent.
    const touched = new Set([contact % sizes.length, (contact + 1) % sizes.length])
    for (let b = contact + 2, rows = 0; rows < 3; b++) {
      touched.add(b % sizes.length)
      rows = [...touched].reduce((sum, one) => sum + sizes[one], 0)
    }
    for (const b of touched) {
      for (let i = starts[b]; i < starts[b] + sizes[b]; i++) {
        for (let k = 0; k < 3; k++) H[i][3 * contact + k] = random.between(-1, 1)
      }
    }
  }
  const f = M.map(() => random.between(-1, 1))
  const w = Array.from({ length: 3 * contacts }, (_, i) => (i % 3 === 0 ? -1 : 0.3))
  const mu = Array.from({ length: contacts }, () => random.between(0.2, 0.8))
  return { global: { M, H, f, w, mu }, local: { ...multiplied(M, H, f, w), mu } }
}

/**
 * W = H' M^-1 H and q = H' M^-1 f + w, by elimination.
 *
 * @param {number[][]} M
 * @param {number[][]} H
 * @param {number[]} f
 * @param {number[]} w
 */
function multiplied(M, H, f, w) {
  const rows = M.map((row, i) => [...row, ...H[i], f[i]])
  for (const [i, pivot] of rows.entries()) {
    for (const [k, row] of rows.entries()) {
      if (k === i) continue
      const factor = row[i] / pivot[i]
      for (let c = i; c < row.length; c++) row[c] -= factor * pivot[c]
    }
  }
  const solved = rows.map((row, i) => row.slice(M.length).map((x) => x / row[i]))
  const product = (/** @type {number} */ i, /** @type {number} */ k) =>
    H.reduce((sum, row, r) => sum + row[i] * solved[r][k], 0)
  return {
    W: w.map((_, i) => w.map((unused, k) => product(i, k))),
    q: w.map((w0, i) => w0 + product(i, w.length)),
  }
}

/**
 * Balls of 1 to 5 kg in a row on the ground, pushed against each other: two contacts for each.
 *
 * @param {number} count
 */
function rowOfBalls(count) {
  const [rows, contacts] = [6 * count, 2 * count]
  const [M, H] = [sparse(rows, rows), sparse(rows, 3 * contacts)]
  const f = new Float64Array(rows)
  const axes = [[0, 1, 0], [1, 0, 0], [0, 0, 1]] // prettier-ignore
  /** @type {(ball: number, contact: number, arm: number[], directions: number[][], sign: number) => void} */
  const touch = (ball, contact, [x, y, z], directions, sign) => {
    for (const [k, [a, b, c]] of directions.entries()) {
      const parts = [a, b, c, y * c - z * b, z * a - x * c, x * b - y * a]
      for (const [i, part] of parts.entries()) H.add(6 * ball + i, 3 * contact + k, sign * part)
    }
  }
  for (let ball = 0; ball < count; ball++) {
    const mass = 1 + (ball % 5)
    for (let i = 0; i < 6; i++) M.add(6 * ball + i, 6 * ball + i, i < 3 ? mass : 0.1 * mass)
    f[6 * ball] = 0.5 * mass * Math.sin(ball)
    f[6 * ball + 1] = -0.16 * mass
    touch(ball, 2 * ball, [0, -0.5, 0], axes, 1)
    const normalFirst = [axes[1], axes[0], axes[2]]
    touch(ball, 2 * ball + 1, [0.5, 0, 0], normalFirst, -1)
    // The last one touches a wall.
    if (ball + 1 < count) touch(ball + 1, 2 * ball + 1, [-0.5, 0, 0], normalFirst, 1)
  }
  return {
    ...{ M: M.matrix, H: H.matrix, f, w: new Float64Array(3 * contacts) },
    mu: new Float64Array(contacts).fill(0.5),
  }
}

/**
 * @param {number} height
 * @param {number} width
 */
function sparse(height, width) {
  /** @type {{ shape: [number, number], rows: number[], cols: number[], vals: number[] }} */
  const matrix = { shape: [height, width], rows: [], cols: [], vals: [] }
  const add = (/** @type {number} */ row, /** @type {number} */ col, /** @type {number} */ val) => {
    if (val === 0) return
    matrix.rows.push(row)
    matrix.cols.push(col)
    matrix.vals.push(val)
  }
  return { matrix, add }
}

/** @param {number[][]} rows */
function triplets(rows) {
  /** @type {{ shape: [number, number], rows: number[], cols: number[], vals: number[] }} */
  const out = { shape: [rows.length, rows[0].length], rows: [], cols: [], vals: [] }
  for (const [i, row] of rows.entries()) {
    for (const [k, value] of row.entries()) {
      // Entries of the same place add up.
      out.rows.push(i, i)
      out.cols.push(k, k)
      out.vals.push(0.25 * value, 0.75 * value)
    }
  }
  return out
}

/** @param {number[][]} rows */
const flat = (rows) => Float64Array.from(rows.flat())

const block = Object.freeze({
  W: [
    [0.5, 0, 0],
    [0, 0.5, 0],
    [0, 0, 0.5],
  ],
  q: [-0.1635, 2, 0],
  mu: [0.5],
})

describe('forms of a contact problem', () => {
  test('rows, one flat list, triplets and the form with masses give the same answer', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const { local, global } = randomBodies(seed)
      const { W, q, mu } = local
      const options = { tolerance: 1e-12 }
      const expected = solveContactProblem(local, options)
      assert.equal(expected.status, 'converged')
      /** @type {[string, ContactProblem][]} */
      const forms = [
        ['typed rows', { W: W.map((row) => Float64Array.from(row)), q, mu }],
        ['flat', { W: flat(W), q: Float64Array.from(q), mu: Float64Array.from(mu) }],
        ['triplets', { W: triplets(W), q, mu }],
        ['masses', global],
        ['masses flat', { ...global, M: flat(global.M) }],
        ['masses as triplets', { ...global, M: triplets(global.M), H: triplets(global.H) }],
      ]
      for (const [name, problem] of forms) {
        const answer = solveContactProblem(problem, options)
        nearVector(answer.velocities, expected.velocities, 1e-9, `${name}: velocities`)
        nearVector(answer.impulses, expected.impulses, 1e-8, `${name}: impulses`)
      }
    }
  })

  test('only the symmetric part of W counts', () => {
    const skew = block.W.map((row, i) => row.map((x, k) => x + 0.3 * (i - k)))
    const straight = solveContactProblem(block)
    const answer = solveContactProblem({ ...block, W: skew })
    assert.deepEqual(answer.impulses, straight.impulses)
    assert.deepEqual(answer.velocities, straight.velocities)
  })

  test('masses need not be diagonal', () => {
    const M = [
      [2, 0.5, 0],
      [0.5, 3, 0.25],
      [0, 0.25, 1],
    ]
    const H = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]
    const answer = solveContactProblem({ M, H, f: [-2, 1, 0], w: [0, 0, 0], mu: [0] })
    // Frictionless: the impulse undoes the free velocity along the normal, v = M^-1 (f + r).
    const v = [0, ...answer.velocities.slice(1)]
    near(answer.velocities[0], 0, 1e-9, 'normal velocity')
    nearVector(
      M.map((row) => row.reduce((sum, m, k) => sum + m * v[k], 0)),
      [-2 + answer.impulses[0], 1, 0],
      1e-9,
      'M v = f + H r',
    )
  })

  // Blocks of M in all sizes, with contacts that act on some of them.
  for (const sizes of [
    [6, 6, 6, 6],
    [3, 3, 3, 3, 3],
    [1, 1, 1, 3, 1, 1, 1, 3],
    [13, 6, 1],
    [7, 9],
    [30],
  ]) {
    test(`bodies of ${sizes.join(', ')} rows, as W has them`, () => {
      for (let seed = 1; seed <= 5; seed++) {
        const { local, global } = randomBlocks(new Random(seed), sizes)
        for (const mu of [local.mu, local.mu.map(() => 0), local.mu.map((x, i) => (i % 2) * x)]) {
          const options = { tolerance: 1e-11, maxIterations: 4000 }
          const expected = solveContactProblem({ ...local, mu }, options)
          const answer = solveContactProblem({ ...global, mu }, options)
          assert.deepEqual([expected.status, answer.status], ['converged', 'converged'])
          assert.equal(answer.solver, expected.solver)
          nearVector(answer.velocities, expected.velocities, 1e-8, 'velocities')
          const { velocities } = solveContactProblem(
            { ...global, mu },
            { ...options, solver: 'block-pgs' },
          )
          const { W, q } = local
          const again = solveContactProblem({ W, q, mu }, { ...options, solver: 'block-pgs' })
          nearVector(velocities, again.velocities, 1e-9, 'velocities of sweeps')
        }
      }
    })
  }

  test('u = W r + q of all three rows, also where there is no friction', () => {
    const { local, global } = randomBlocks(new Random(3), [6, 6, 2])
    const mu = local.mu.map((x, i) => (i % 2) * x)
    const { impulses, velocities } = solveContactProblem({ ...global, mu }, { tolerance: 1e-12 })
    const u = local.q.map((q, i) => local.W[i].reduce((sum, x, k) => sum + x * impulses[k], q))
    nearVector(velocities, u, 1e-12, 'W r + q')
  })

  test('impulses to start from serve masses too', () => {
    const { global } = randomBlocks(new Random(5), [6, 6, 6])
    const { impulses } = solveContactProblem(global, { tolerance: 1e-12 })
    const warm = solveContactProblem(global, { tolerance: 1e-9, impulses })
    assert.deepEqual([warm.status, warm.factorisations], ['converged', 0])
  })

  test('8000 contacts in body space, of which W would have 4.6 GB', () => {
    const { status, residual, velocities } = solveContactProblem(rowOfBalls(4000), {
      tolerance: 1e-8,
    })
    assert.equal(status, 'converged')
    assert.ok(residual < 1e-8)
    for (let i = 0; i < 8000; i++) assert.ok(velocities[3 * i] > -1e-7, `contact ${i} approaches`)
  })

  test('no contacts', () => {
    for (const problem of [
      { W: [], q: [], mu: [] },
      { W: new Float64Array(0), q: [], mu: [] },
      { W: { shape: [0, 0], rows: [], cols: [], vals: [] }, q: [], mu: [] },
    ]) {
      const answer = solveContactProblem(/** @type {ContactProblem} */ (problem))
      assert.equal(answer.status, 'none')
      assert.equal(answer.impulses.length, 0)
      assert.equal(answer.velocities.length, 0)
      assert.equal(answer.residual, 0)
    }
  })
})

describe('answers', () => {
  test('have impulses, velocities, certificate and counts', () => {
    for (const solver of /** @type {const} */ (['exact', 'cone', 'block-pgs'])) {
      const answer = solveContactProblem(block, { solver, tolerance: 1e-12 })
      // 2 kg that slide: r_N = 0.1635 m, friction half of it.
      nearVector(answer.impulses, [0.327, -0.1635, 0], 1e-9, 'impulses')
      nearVector(answer.velocities, [0, 2 - 0.08175, 0], 1e-9, 'velocities')
      assert.equal(answer.solver, solver === 'exact' ? 'cone' : solver)
      assert.equal(answer.status, 'converged')
      assert.equal(answer.residual, answer.details.worst)
      assert.equal(answer.details.contacts, 1)
      assert.ok(answer.residual <= 1e-12 && answer.iterations > 0)
      assert.equal(answer.factorisations > 0, solver !== 'block-pgs')
    }
  })

  test('at mu = 0 exact is active-set', () => {
    const answer = solveContactProblem({ ...block, mu: [0] })
    assert.equal(answer.solver, 'active-set')
    nearVector(answer.impulses, [0.327, 0, 0], 1e-9, 'impulses')
    nearVector(answer.velocities, [0, 2, 0], 1e-9, 'velocities')
  })

  test('contacts with and without friction in one problem', () => {
    const { local } = randomBodies(4)
    const mixed = { ...local, mu: [0, 0.5, 0] }
    const answer = solveContactProblem(mixed, { tolerance: 1e-11 })
    assert.equal(answer.status, 'converged')
    for (const i of [1, 2, 7, 8]) assert.equal(answer.impulses[i], 0, `tangent ${i}`)
    const sweeps = solveContactProblem(mixed, {
      solver: 'block-pgs',
      tolerance: 1e-13,
      maxIterations: 1e5,
    })
    nearVector(answer.velocities, sweeps.velocities, 1e-7, 'velocities')
  })

  test('the convex law is judged by its own certificate', () => {
    const answer = solveContactProblem(block, { frictionLaw: 'convex', tolerance: 1e-11 })
    const [normal, slip] = answer.velocities
    near(normal, 0.5 * slip, 1e-9, 'u_N = mu |u_T|')
    assert.ok(answer.residual <= 1e-11)
  })

  test('never pull, and never leave the cone', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { local } = randomBodies(seed)
      const { impulses } = solveContactProblem(local)
      for (const [i, mu] of local.mu.entries()) {
        const [n, t1, t2] = impulses.slice(3 * i, 3 * i + 3)
        assert.ok(n >= 0, `normal impulse ${n}`)
        assert.ok(Math.hypot(t1, t2) <= mu * n * (1 + 1e-12), `seed ${seed}, contact ${i}`)
      }
    }
  })
})

describe('work', () => {
  test('a warm start from the answer costs nothing', () => {
    const { local } = randomBodies(2)
    const cold = solveContactProblem(local, { tolerance: 1e-10 })
    assert.ok(cold.factorisations > 0)
    const warm = solveContactProblem(local, { tolerance: 1e-9, impulses: cold.impulses })
    assert.equal(warm.factorisations, 0)
    nearVector(warm.velocities, cold.velocities, 1e-12, 'velocities')
    const close = solveContactProblem(local, {
      tolerance: 1e-10,
      impulses: cold.impulses.map((x) => x * 1.001),
    })
    assert.ok(close.factorisations <= cold.factorisations)
    nearVector(close.velocities, cold.velocities, 1e-8, 'velocities')
  })

  test('maxIterations is kept, and what was found until then is told', () => {
    const { local } = randomBodies(3)
    const one = solveContactProblem(local, { maxIterations: 1, tolerance: 1e-13 })
    assert.ok(one.factorisations <= 1)
    assert.equal(one.status, 'budget')
    assert.ok(one.residual > 1e-13 && Number.isFinite(one.residual))
    for (const maxIterations of [1, 3, 10]) {
      const sweeps = solveContactProblem(local, {
        solver: 'block-pgs',
        maxIterations,
        tolerance: 1e-13,
      })
      assert.equal(sweeps.status, 'budget')
      assert.equal(sweeps.iterations, maxIterations)
    }
  })

  test('tolerance 0 asks for all that there is', () => {
    const answer = solveContactProblem(block, { tolerance: 0 })
    assert.notEqual(answer.status, 'none')
    assert.ok(answer.residual < 1e-14)
  })
})

describe('what is refused', () => {
  /** @type {any} */
  const given = block
  const { global } = randomBodies(1)
  const bad = 'invalid-argument'
  /** @type {[string, () => unknown, RegExp][]} */
  const cases = [
    ['no problem', () => solve(undefined), /problem/],
    ['neither form', () => solve({ mu: [0.5] }), /W, q, mu/],
    ['no mu', () => solve({ W: given.W, q: given.q }), /mu/],
    ['W too small', () => solve({ ...given, mu: [0.5, 0.5] }), /W\.shape.*6 by 6.*3 by 3/],
    ['W not square', () => solve({ ...given, W: given.W.slice(1) }), /W\.shape.*2 by 3/],
    [
      'rows of different length',
      () =>
        solve({
          ...given,
          W: [
            [1, 0, 0],
            [1, 0],
            [0, 0, 1],
          ],
        }),
      /W\[1\]\.length.*2/,
    ],
    [
      'a flat list that is no square',
      () => solve({ ...given, W: new Float64Array(8) }),
      /W\.length.*8/,
    ],
    ['q too short', () => solve({ ...given, q: [1, 2] }), /q\.length.*3.*2/],
    ['q with NaN', () => solve({ ...given, q: [0, NaN, 0] }), /q\[1\].*NaN/],
    ['q that is no list', () => solve({ ...given, q: 'abc' }), /q.*abc/],
    [
      'W with Infinity',
      () =>
        solve({
          ...given,
          W: [
            [1, 0, 0],
            [0, Infinity, 0],
            [0, 0, 1],
          ],
        }),
      /W\[1\]\[1\].*Infinity/,
    ],
    [
      'W with a text',
      () =>
        solve({
          ...given,
          W: [
            [1, 0, 0],
            [0, '1', 0],
            [0, 0, 1],
          ],
        }),
      /W\[1\]\[1\]/,
    ],
    [
      'W with a negative diagonal',
      () =>
        solve({
          ...given,
          W: [
            [1, 0, 0],
            [0, -1, 0],
            [0, 0, 1],
          ],
        }),
      /diagonal of W.*negative.*1/,
    ],
    [
      'mu below zero',
      () => solve({ ...given, mu: [-0.5] }),
      /mu\[[01]\] must be .*0 or more, got -/,
    ],
    ['mu NaN', () => solve({ ...given, mu: [NaN] }), /mu\[0\].*NaN/],
    [
      'a row outside',
      () => solve({ ...given, W: { shape: [3, 3], rows: [3], cols: [0], vals: [1] } }),
      /W\.rows\[0\].*3/,
    ],
    [
      'a row that is no whole number',
      () => solve({ ...given, W: { shape: [3, 3], rows: [0.5], cols: [0], vals: [1] } }),
      /W\.rows\[0\].*0\.5/,
    ],
    [
      'lists of different length',
      () => solve({ ...given, W: { shape: [3, 3], rows: [0, 1], cols: [0], vals: [1] } }),
      /W\.rows\.length.*1.*2/,
    ],
    [
      'an unknown name in a matrix',
      () => solve({ ...given, W: { shape: [3, 3], rows: [], cols: [], values: [] } }),
      /values/,
    ],
    ['impulses too short', () => solve(given, { impulses: [0] }), /impulses\.length.*3.*1/],
    ['impulses with NaN', () => solve(given, { impulses: [0, 0, NaN] }), /impulses\[2\].*NaN/],
    ['an unknown solver', () => solve(given, { solver: 'bilateral' }), /solver.*bilateral/],
    ['active-set with friction', () => solve(given, { solver: 'active-set' }), /active-set.*mu/],
    ['an unknown option', () => solve(given, { tolerence: 1 }), /tolerence/],
    ['a negative tolerance', () => solve(given, { tolerance: -1 }), /tolerance.*-1/],
    ['maxIterations 0', () => solve(given, { maxIterations: 0 }), /maxIterations.*0/],
    ['an unknown law', () => solve(given, { frictionLaw: 'box' }), /frictionLaw.*box/],
    ['an unknown effort', () => solve(given, { effort: 'much' }), /effort.*much/],
    ['H with other rows than M', () => solve({ ...global, H: global.H.slice(1) }), /H\.shape.*11/],
    ['f too short', () => solve({ ...global, f: [1] }), /f\.length.*12.*1/],
    ['w too short', () => solve({ ...global, w: [1] }), /w\.length.*9.*1/],
  ]
  for (const [what, call, message] of cases) {
    test(what, () => {
      throwsCode(call, bad, message)
      assert.equal(solveContactProblem(block).status, 'converged', 'the next call is not harmed')
    })
  }

  test('masses that are not positive definite', () => {
    const M = global.M.map((row) => [...row])
    for (const value of [0, -1]) {
      M[4][4] = value
      for (const solver of ['exact', 'block-pgs']) {
        const message = new RegExp(`M must be positive definite \\(at 4\\), got ${value}$`)
        throwsCode(() => solve({ ...global, M }, { solver }), bad, message)
      }
    }
  })
})

/**
 * @param {any} problem
 * @param {any} [options]
 */
function solve(problem, options) {
  return solveContactProblem(problem, options)
}

test('sizes beyond the addresses of the module are refused, not wrapped', () => {
  const count = 8000 // 24000 x 24000 doubles are 4.6 GB
  const rows = Array.from({ length: 3 * count }, (_, i) => i)
  const W = {
    shape: /** @type {const} */ ([rows.length, rows.length]),
    rows,
    cols: rows,
    vals: rows,
  }
  const problem = { W, q: rows, mu: new Float64Array(count) }
  throwsCode(() => solveContactProblem(problem), 'out-of-memory', /4608000000/)
})

test('an answer that overflows is no answer', () => {
  const tiny = 1e-300
  const W = [
    [tiny, 0, 0],
    [0, tiny, 0],
    [0, 0, tiny],
  ]
  throwsCode(() => solveContactProblem({ W, q: [-1, 2, 3], mu: [0.5] }), 'not-finite', /overflows/)
})
