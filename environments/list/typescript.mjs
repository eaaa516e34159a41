// The declarations, without skipLibCheck, in every TypeScript, with each library of a host and each resolution.

import { join } from 'node:path'
import { execute, here, versionOf, writeFiles } from '../lib/tools.mjs'

/** @import { Environment } from '../run.mjs' */

const VERSIONS = ['5.0', '5.1', '5.2', '5.3', '5.4', '5.5', '5.6', '5.7', '5.8', '5.9', '6', '7']

/**
 * Each resolution with another library of a host.
 * @type {{ lib: string[], module: string, moduleResolution: string, until?: number }[]}
 */
const SETTINGS = [
  { lib: ['es2020'], module: 'node16', moduleResolution: 'node16' },
  { lib: ['es2020', 'dom'], module: 'esnext', moduleResolution: 'bundler' },
  { lib: ['es2020', 'webworker'], module: 'esnext', moduleResolution: 'bundler' },
  // What TypeScript 6 calls out of date.
  { lib: ['es2020', 'dom'], module: 'commonjs', moduleResolution: 'node10', until: 6 },
]

/** Every entry but that for three.js, whose own declarations need newer libraries. */
const USE = `import { World, Body, MoreauError, init, initSync, createShape } from 'moreau'
import { World as SlimWorld } from 'moreau/slim'
import * as slimGym from 'moreau/slim/gym'
import { init as initThreads } from 'moreau/threads'
import * as decompose from 'moreau/decompose'
import * as gym from 'moreau/gym'
import { importURDF } from 'moreau/import'
import * as rollback from 'moreau/rollback'
import * as scenarios from 'moreau/scenarios'
import wasm from 'moreau/wasm'

export { slimGym, decompose, gym, rollback, scenarios }

export async function use(): Promise<readonly number[]> {
  await init({ wasm })
  initSync({ wasm: new Uint8Array(3) })
  await initThreads({ threads: 2 })
  const world: World = await SlimWorld.create({ gravity: [0, -9.81, 0] })
  const body: Body = world.createBody({ shape: { type: 'box', halfExtents: [1, 1, 1] } })
  // @ts-expect-error a misspelt name
  body.postion
  // @ts-expect-error a value of the wrong kind
  world.step('often')
  try {
    world.step(1 / 60)
  } catch (error) {
    if (error instanceof MoreauError) error.code.toUpperCase()
  }
  await importURDF('<robot/>', { world })
  createShape({ type: 'sphere', radius: 1 })[Symbol.dispose]()
  return body.position
}

// @ts-expect-error not for users
new Body()
`

/** @param {string} version @returns {Environment} */
const typescript = (version) => ({
  name: `TypeScript ${version}`,
  version: versionOf(`typescript-${version}`),
  setUp: 'none; `moreau/three` needs `lib: dom`',
  kinds: ['inlined'],
  async run(_, folder, expected) {
    const compiler = join(here, 'node_modules', `typescript-${version}`, 'bin/tsc')
    for (const { until = Infinity, ...settings } of SETTINGS) {
      if (Number(version) >= until) continue
      const strict = { noEmit: true, strict: true, target: 'es2020', types: [] }
      const file = settings.module === 'commonjs' ? 'use.ts' : 'use.mts'
      const config = { compilerOptions: { ...strict, ...settings }, files: [file] }
      writeFiles(folder, { [file]: USE, 'tsconfig.json': JSON.stringify(config) })
      await execute(process.execPath, [compiler, '-p', folder])
    }
    return expected
  },
})

/** @type {Environment[]} */
export const typescripts = VERSIONS.map(typescript)
