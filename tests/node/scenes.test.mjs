import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World } from 'moreau'
import { runScene, SceneRun, sceneByName, scenes } from 'moreau/scenarios'
import { reportJson } from '../../bin/text.mjs'
import { SOLVER_CHOICES } from '../../scenarios/solver-choices.mjs'
import { parseSettings } from '../../web/src/settings.mjs'

describe('scenes', () => {
  const runs = scenes.flatMap((scene) => scene.solvers.map((solver) => ({ scene, solver })))
  for (const { scene, solver } of runs) {
    test(`${scene.name}, ${solver}: ${scene.title}`, async (t) => {
      const report = await runScene(World, scene, { worldOptions: { solver } })
      assert.ok(report.checks.length > 0, 'a scene has checks')
      for (const check of report.checks) {
        await t.test(`${check.name}: ${check.description}`, () => {
          assert.equal(
            check.passed,
            true,
            `${check.worst} ${check.unit} at ${check.at} s, at most ${check.tolerance} ${check.unit}`,
          )
        })
      }
    })
  }
})

describe('the registry', () => {
  test('names are unique, in kebab-case, and find their scene', () => {
    assert.equal(new Set(scenes.map(({ name }) => name)).size, scenes.length)
    for (const scene of scenes) {
      assert.match(scene.name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
      assert.equal(sceneByName(scene.name), scene)
      assert.equal(scene.options.solver, scene.solvers[0])
      assert.equal(new Set(scene.checks.map(({ name }) => name)).size, scene.checks.length)
    }
  })

  test('the solvers that are offered are those of the engine, and all that scenes ask for', async () => {
    for (const solver of SOLVER_CHOICES) {
      const world = await World.create({ solver })
      assert.equal(world.solver, solver)
      assert.deepEqual(parseSettings({ solver }), { solver })
      world.free()
    }
    for (const { solvers } of scenes) {
      for (const solver of solvers) assert.ok(SOLVER_CHOICES.some((choice) => choice === solver))
    }
  })

  test('an unknown name gets suggestions', () => {
    assert.throws(() => sceneByName('piramid'), /no scene 'piramid'; did you mean 'pyramid-210'\?/)
    assert.throws(() => sceneByName('poor'), /no scene 'poor'; did you mean 'pour'\?/)
    assert.throws(() => sceneByName('incline'), /'incline-sticks' or 'incline-slides'\?/)
    assert.throws(() => sceneByName('cube'), /'resting-cube' or 'glancing-cubes'\?/)
    assert.throws(() => sceneByName('zzz'), /no scene 'zzz'; there are pour, /)
  })
})

describe('the runner', () => {
  const scene = sceneByName('resting-cube')

  test('reports what the run was', async () => {
    /** @type {number[]} */
    const seen = []
    const report = await runScene(World, scene, {
      seconds: 0.5,
      onStep: (run, steps) => {
        assert.equal(steps, 30)
        seen.push(run.stepIndex)
      },
    })
    assert.equal(report.scene, 'resting-cube')
    assert.equal(report.steps, 30)
    assert.equal(report.bodies, 2)
    assert.equal(seen.length, 30)
    assert.match(report.hash, /^[0-9a-f]{16}$/)
    assert.ok(report.stepTime.max >= report.stepTime.p95)
    assert.ok(report.stepTime.p95 >= report.stepTime.median)
  })

  test('a check that fails or is not a number fails the run, one not reached does not', async () => {
    const check = { description: '', unit: '', tolerance: 1 }
    const report = await runScene(
      World,
      {
        ...scene,
        checks: [
          { ...check, name: 'fine', error: () => 1 },
          { ...check, name: 'worse with time', error: ({ time }) => 3 * time },
          { ...check, name: 'not a number', error: ({ stepIndex }) => (stepIndex === 5 ? NaN : 0) },
          { ...check, name: 'later', from: scene.duration, error: () => 2 },
          { ...check, name: 'over before', to: 0.1, error: ({ time }) => (time > 0.11 ? 2 : 0) },
        ],
      },
      { seconds: 0.5 },
    )
    assert.deepEqual(
      report.checks.map(({ passed }) => passed),
      [true, false, false, null, true],
    )
    assert.equal(report.passed, false)
    assert.equal(report.checks[1].at, 0.5)
    assert.ok(Number.isNaN(report.checks[2].worst))
    // JSON has no NaN, and null would say that the check was not reached.
    const json = JSON.parse(reportJson(report))
    assert.equal(json.checks[2].worst, 'NaN')
    assert.equal(json.checks[3].worst, null)
    assert.equal(json.steps, report.steps)
  })

  test('soft-step and auto are held to their own tolerance of a check, where it has one', async () => {
    const check = { description: '', unit: '', tolerance: 1, error: () => 2 }
    const checks = [
      { ...check, name: 'the same' },
      { ...check, name: 'another', softTolerance: 3 },
      { ...check, name: 'none', softTolerance: null },
    ]
    /** @param {import('moreau').SolverName} solver */
    const judged = async (solver) => {
      const worldOptions = { solver }
      const report = await runScene(World, { ...scene, checks }, { seconds: 0.1, worldOptions })
      return report.checks.map(({ name, tolerance, passed }) => [name, tolerance, passed])
    }
    for (const solver of /** @type {const} */ (['soft-step', 'auto'])) {
      assert.deepEqual(await judged(solver), [
        ['the same', 1, false],
        ['another', 3, true],
      ])
    }
    assert.deepEqual(await judged('block-pgs'), [
      ['the same', 1, false],
      ['another', 1, false],
      ['none', 1, false],
    ])
  })

  test('times its steps by the clock that it is given', async () => {
    let clock = 0
    class Slow extends World {
      /** @param {number} seconds */
      step(seconds) {
        super.step(seconds)
        clock += run.stepIndex + 1
      }
    }
    const world = new Slow()
    const run = new SceneRun(world, scene, { now: () => clock })
    for (let i = 0; i < 20; i++) run.step()
    assert.equal(run.lastStepTime, 20)
    assert.deepEqual(run.report().stepTime, { mean: 10.5, median: 11, p95: 20, max: 20 })
    world.free()
  })

  test('other settings of the world and another time step', async () => {
    const report = await runScene(World, scene, {
      seconds: 0.1,
      timeStep: 0.01,
      worldOptions: { gravity: [0, -1, 0] },
    })
    assert.equal(report.steps, 10)
    assert.ok(Math.abs(report.energy.start - 2.5) < 1e-12, 'm g h of the cube')
  })
})
