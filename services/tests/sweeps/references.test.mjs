/**
 * Scenes by name and hash: a worker makes the scene of the sweep or says that it has another, and reads no file outside of its folder.
 */
import assert from 'node:assert/strict'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startRedis } from '../../scripts/redis-server.mjs'
import {
  checkParameters,
  folderStore,
  referToScene,
  runLocally,
} from '../../source/sweeps/index.mjs'
import { fileOfScene } from '../../source/sweeps/scene-reference.mjs'
import { openTable, rowsOfPart } from '../../source/sweeps/table.mjs'
import { Command } from './command.mjs'
import { DEADLINE, inFolder, scenes, specOf } from './support.mjs'

test('a file that differs from that of the sweep is refused', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'scene.json')
    await writeFile(path, '{}')
    const { scene } = referToScene(path)
    assert.equal(fileOfScene(scene, folder), path)
    await writeFile(path, '{ }')
    assert.throws(() => fileOfScene(scene, folder), /scene.json: the file in .* differs/)
  }))

for (const name of ['../secret.mjs', '/etc/passwd', 'a/../../secret.mjs']) {
  test(`${name} is not read: it is not below the folder of scenes`, () => {
    const scene = { kind: /** @type {const} */ ('module'), name, sha256: '' }
    assert.throws(() => fileOfScene(scene, scenes), /is not below the folder of scenes/)
  })
}

test('a worker that has another scene fails its chunks, and the sweep says why', () =>
  inFolder(async (folder) => {
    const redis = await startRedis()
    const [scene, other] = [join(folder, 'scene.mjs'), join(folder, 'other')]
    await writeFile(scene, 'export default { run: () => ({ a: 1 }) }')
    await mkdir(other)
    await writeFile(join(other, 'scene.mjs'), 'export default { run: () => ({ a: 2 }) }')
    const worker = new Command(['worker', '--redis', redis.url, '--scenes', other], folder)
    try {
      const words = ['sweep', scene, '--runs', 3, '--workers', 0, '--redis', redis.url]
      const sweep = new Command(words, folder)
      assert.equal(await sweep.end(), 1, sweep.output)
      assert.match(sweep.errors, /3 chunks failed, .* differs from that of the sweep/)
      await copyFile(scene, join(other, 'scene.mjs'))
      const resumed = new Command(words, folder)
      assert.equal(await resumed.end(), 0, resumed.errors)
      assert.match(resumed.output, /3 runs, 0 failed/)
    } finally {
      worker.kill('SIGTERM')
      await worker.end()
      await redis.stop()
    }
  }))

/** @param {import('../../source/sweeps/spec.mjs').SweepSpec} spec @param {string} place of the scenes @param {string} folder */
async function rowsOf(spec, place, folder) {
  const store = folderStore(folder, spec.id)
  await store.create(spec, place)
  await runLocally({ store, spec, scenes: place, workers: 1, deadline: DEADLINE })
  const { columns, parts } = await openTable(store, spec)
  const rows = []
  for await (const part of parts()) rows.push(...rowsOfPart(part))
  return rows.map((row) => Object.fromEntries(row.map((value, i) => [columns[i].name, value])))
}

test('a scene of the registry: parameters are options of its world, results what its checks say', () =>
  inFolder(async (folder) => {
    const spec = specOf('resting-cube', ['grid iterations=1,20', 'grid seconds=0.5'], { runs: 2 })
    const rows = await rowsOf(spec, scenes, folder)
    for (const row of rows) {
      assert.equal(row.error, null)
      assert.match(String(row.hash), /^[0-9a-f]{16}$/)
      assert.ok(
        Number(row.penetration) < 0.01 &&
          Object.keys(row).some((name) => name.startsWith('check.')),
      )
    }
  }))

for (const [name, text, message] of /** @type {[string, string, RegExp][]} */ ([
  ['bad.json', '{ bad', /scene bad.json: .*JSON/],
  ['cut.mjs', 'export default {', /scene cut.mjs: Unexpected end of input/],
  ['lost.mjs', "import 'no-package'", /scene lost.mjs: Cannot find package 'no-package'/],
  ['empty.mjs', 'export default {}', /scene empty.mjs: .*a function setup or run/],
  ['half.mjs', 'export default { setup() {}, timeStep: 1, duration: 1 }', /observations must be/],
  ['still.mjs', 'export default { setup() {}, timeStep: 0, duration: 1 }', /timeStep must be.*0/],
])) {
  test(`${name} is no scene, and it is told why before anything is kept`, () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, name), text)
      const spec = specOf(join(folder, name), [], { runs: 1 })
      await assert.rejects(checkParameters(spec, folder), (error) => {
        assert.ok(error instanceof RangeError)
        assert.match(error.message, message)
        return true
      })
    }))
}

test('a scene that gives no results, and parameters with the names of the table’s own columns', () =>
  inFolder(async (folder) => {
    const text = `export default {
      parameters: { seed: 1, error: 0 },
      run: ({ seed, error }) => (error ? undefined : { twice: 2 * seed, run: 'x' }),
    }`
    await writeFile(join(folder, 'own.mjs'), text)
    const axes = ['grid seed=4,5', 'grid error=0,1']
    const rows = await rowsOf(specOf(join(folder, 'own.mjs'), axes, { runs: 4 }), folder, folder)
    assert.deepEqual(
      rows.map((row) => [row.run, row['parameter.seed'], row.twice, row['result.run'], row.error]),
      [
        [0, 4, 8, 'x', null],
        [1, 4, null, null, 'the scene must give an object of results, gave undefined'],
        [2, 5, 10, 'x', null],
        [3, 5, null, null, 'the scene must give an object of results, gave undefined'],
      ],
    )
    assert.notEqual(rows[0].seed, rows[0]['parameter.seed'])
  }))

test('a scene file: parameters with a dot are paths into it', () =>
  inFolder(async (folder) => {
    const { World } = await import('moreau')
    const world = await World.create()
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    world.createBody({ shape: { type: 'sphere', radius: 0.5 }, position: [0, 2, 0], mass: 1 })
    const path = join(folder, 'ball.json')
    await writeFile(path, JSON.stringify(world))
    const axes = ['grid bodies.1.gravityScale=0,1', 'grid seconds=0.5']
    const spec = specOf(path, axes, { runs: 2 })
    const rows = await rowsOf(spec, folder, folder)
    assert.deepEqual(
      rows.map(({ error }) => error),
      [null, null],
    )
    const [floats, falls] = rows.map(({ kinetic }) => Number(kinetic))
    assert.equal(floats, 0)
    // m v^2 / 2 after half a second of free fall
    assert.ok(Math.abs(falls - (9.81 * 0.5) ** 2 / 2) < 0.05, `${falls} J`)
  }))
