// Short runs of the fuzzer with fixed seeds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadFailing } from './failing-memory.mjs'
import { loadCopy, runSceneFiles, runSequences } from './fuzz.mjs'
import { sceneFiles } from './stage-files.mjs'

const SEQUENCES = 800
const FILES = 400

/** @param {(say: (text: string) => void) => Promise<{ failed: number }>} run */
async function findsNothing(run) {
  /** @type {string[]} */
  const findings = []
  const { failed } = await run((text) => findings.push(text))
  assert.equal(failed, 0, findings.join('\n'))
}

test(`${SEQUENCES} random sequences of calls leave nothing to be found, and call all that is public`, async () => {
  /** @type {import('./reach.mjs').Counts} */
  const counts = new Map()
  await findsNothing((say) => runSequences({ count: SEQUENCES, seed: 1, length: 60, counts, say }))
  // A new member needs lines that call it (lines.mjs).
  const never = [...counts].filter(([, calls]) => calls === 0).map(([name]) => name)
  assert.deepEqual(never, [])
  assert.ok(counts.size > 350, 'members are found by reflection')
})

test('100 sequences while one allocation in 1 to 100 fails: only errors of Moreau, no traces, no leak', async () => {
  await findsNothing(async (say) => {
    const result = await runSequences({ count: 100, seed: 1, length: 60, failMemory: true, say })
    assert.ok(result.failures > 500, `${result.failures} allocations failed`)
    return result
  })
})

test('a step stands where a history has no memory for its state, which is told', async () => {
  const { moreau, memory } = await loadFailing(() => import('moreau'))
  /** @type {string[]} */
  const told = []
  const warnings = (/** @type {import('moreau').Advice} */ { code }) => told.push(code)
  const world = new moreau.World({ warnings })
  world.createBody({ shape: { type: 'sphere', radius: 0.5 } })
  for (let i = 0; i < 10; i++) world.step(1 / 60) // what a step needs is there from now on
  const history = world.history({ frames: 1000 })
  let failed = 0
  for (let i = 0; i < 400 && failed === 0; i++) {
    memory.failing(1, 1, () => world.step(1 / 60))
    if (told.length > 0) failed = world.stepCount
  }
  assert.ok(failed > 0, 'the history asked for memory')
  assert.deepEqual(told, ['history-lost'])
  assert.ok(history.frames.last < history.frames.first)
  world.step(1 / 60)
  world.step(1 / 60)
  history.rewind(1)
  assert.equal(world.stepCount, failed + 1)
  world.free()
})

test('bodies that find no memory leave velocities and poses where they are read', async () => {
  const { moreau, memory } = await loadFailing(loadCopy)
  const shape = moreau.createShape({ type: 'sphere', radius: 0.5 })
  let refused = 0
  for (let seed = 1; seed <= 40; seed++) {
    const world = new moreau.World({ gravity: [0, 0, 0] })
    for (let i = 0; i < 70; i++) {
      const definition = { shape, position: [2 * i, 0, 0], linearVelocity: [i, 0, 0] }
      try {
        memory.failing(100 * seed + i, 4, () => world.createBody(definition))
      } catch (error) {
        assert.ok(error instanceof moreau.MoreauError, String(error))
        refused++
        world.assets() // takes the memory that was given back
        new moreau.World().free()
      }
      for (const body of world.bodies) {
        const x = body.position[0]
        assert.equal(world.transforms64[8 * body.index], x, `pose, seed ${seed}, body ${i}`)
        assert.equal(world.velocities[8 * body.index], x / 2, `velocity, seed ${seed}, body ${i}`)
      }
    }
    world.free()
  }
  assert.ok(refused > 100, `${refused} were refused`)
  shape.free()
})

test('60 sequences with moreau/threads on three threads', () =>
  findsNothing((say) => runSequences({ count: 60, seed: 1, length: 60, threads: 3, say })))

test(`${FILES} damaged files of worlds: a world that steps, or an error of Moreau`, () =>
  findsNothing(async (say) =>
    runSceneFiles({ count: FILES, seed: 1, files: await sceneFiles(), say }),
  ))
