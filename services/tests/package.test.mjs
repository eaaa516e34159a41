/**
 * The package as strangers have it: packed, installed beside its dependencies, called from an empty folder and from TypeScript.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inFolder } from './sweeps/support.mjs'

const pathOf = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Packs the package and puts it where npm would, with the dependencies that are here. @param {string} folder @returns {string} where it is */
function install(folder) {
  // The declarations are made here, so that npm, whose Node may be older, need not.
  execFileSync(process.execPath, [pathOf('scripts/prepack.mjs')])
  const options = ['pack', '--ignore-scripts', '--pack-destination', folder]
  execFileSync('npm', options, { cwd: pathOf(''), stdio: 'ignore' })
  const modules = join(folder, 'node_modules')
  const place = join(modules, 'moreau-services')
  mkdirSync(place, { recursive: true })
  for (const name of readdirSync(pathOf('node_modules')))
    symlinkSync(pathOf(`node_modules/${name}`), join(modules, name))
  const [archive] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  execFileSync('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', place])
  return place
}

const USER = `
import { RoomClient, RoomRefused, type Scene } from 'moreau-services/client'
import { startRoomServer, LIMITS } from 'moreau-services/rooms'
import { drainOnSignal, makeLog } from 'moreau-services/operations'
import {
  exportTable, folderStore, hashTable, makeSpec, openTable, readAxis, referToScene, runLocally, type SweepModule,
} from 'moreau-services/sweeps'

const scene: Scene = {
  name: 'pit',
  inputBytes: 1,
  readOptions: (options: unknown) => options,
  build(world) {
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    // @ts-expect-error there is no such shape
    world.createBody({ shape: { type: 'blob' } })
  },
  join: (world, player) => world.createBody({ shape: { type: 'sphere', radius: 0.3 }, position: [player, 1, 0], mass: 1 }).id,
  leave: (world, body) => world.bodyById(body)?.destroy(),
  drive(world, body, input, frame) {
    world.bodyById(body)?.applyForce([input[0], 0, frame])
  },
}

export const die: SweepModule = {
  parameters: { friction: 0.3 },
  setup: (world, { friction }) => world.createBody({ type: 'static', shape: { type: 'plane' }, friction }),
  timeStep: 1 / 60,
  duration: 1,
  starts: () => [],
  start: () => [],
  observations: (body) => [{ type: 'position', body }],
  result: ([x, y, z]) => ({ x, y, z }),
}

export async function play(): Promise<number> {
  const { drain } = await startRoomServer({ port: 2567, redis: 'redis://127.0.0.1', scenes: [scene], limits: { rooms: LIMITS.rooms } })
  drainOnSignal({ drain, log: makeLog('pit') })
  try {
    const client = await RoomClient.join({ scene, endpoints: ['http://127.0.0.1:2567'], mode: 'authoritative' })
    client.setInput(Uint8Array.of(1))
    // @ts-expect-error bytes, no text
    client.setInput('jump')
    return client.update()
  } catch (error) {
    if (error instanceof RoomRefused) return Number(error.numbers.retryAfter)
    throw error
  }
}

export async function sweep(): Promise<string> {
  const { scene: reference, folder: scenes } = referToScene('domino.mjs')
  const spec = makeSpec({ scene: reference, axes: [readAxis('grid', 'gap=0.02:0.2:64')], runs: 640 })
  const store = folderStore('moreau-sweeps', spec.id)
  await store.create(spec, scenes)
  const isDone: boolean = await runLocally({ store, spec, scenes, workers: 2, deadline: 300 })
  // @ts-expect-error there is no such kind of axis
  readAxis('normal', 'gap=0:1')
  const table = await openTable(store, spec)
  await exportTable(table, 'csv', String(isDone))
  return hashTable(table)
}
`

test('it has its documents, a command that works from an empty folder, and types for strict TypeScript', () =>
  inFolder(async (folder) => {
    const place = install(folder)
    const files = readdirSync(place)
    for (const name of ['README.md', 'LICENSE', 'package.json', 'scenes', 'source', 'types'])
      assert.ok(files.includes(name), `${name} is not in ${files.join(', ')}`)

    cpSync(join(place, 'scenes/die.mjs'), join(folder, 'die.mjs'))
    const program = join(place, 'source/command-line/moreau-services.mjs')
    const words = [
      'sweep',
      'die.mjs',
      '--grid',
      'friction=0.1,0.9',
      '--workers',
      '1',
      '--csv',
      'a.csv',
    ]
    const { status, stderr } = spawnSync(process.execPath, [program, ...words], { cwd: folder })
    assert.equal(status, 0, String(stderr))

    writeFileSync(join(folder, 'user.ts'), USER)
    const compiler = pathOf('../node_modules/typescript/bin/tsc')
    const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022']
    const libraries = ['--lib', 'es2024,esnext.disposable,dom,dom.iterable', '--types', 'node']
    const check = spawnSync(process.execPath, [compiler, ...strict, ...libraries, 'user.ts'], {
      ...{ cwd: folder, encoding: 'utf8' },
    })
    assert.equal(check.status, 0, check.stdout)
  }))
