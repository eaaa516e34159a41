// Builds what is missing or out of date:
//
//   build/wasm/moreau.wasm      the engine, by CMake and Emscripten (cmake/wasm.cmake)
//   build/wasm-threads/         the engine of moreau/threads
//   bindings/generated/         the same bytes as JavaScript modules, and what is made from bindings/schema
//   scenarios/generated/        point clouds of real geometry, taken from three.js
//   dist/                       the npm package: bundles, wasm, types, licences
//   dist-web/                   the demo page, by Vite
//
//   node scripts/build.mjs [--no-web]

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SCENE_SCHEMA } from '../bindings/schema/scene/index.mjs'
import { readCommandLine } from './command-line.mjs'
import { generateBindings } from './generate-bindings.mjs'
import { writeManifest } from './package/entries.mjs'
import { buildTools, setup } from './setup.mjs'
import {
  Failure,
  isMain,
  isStale,
  kilobytes,
  root,
  run,
  runMain,
  runNode,
  stage,
} from './tools.mjs'

/**
 * The WebAssembly modules: the preset of CMakePresets.json, what comes out, the same bytes as a JavaScript module, and what the module
 * imports (bindings/core/host.mjs, bindings/threads/host.mjs).
 */
const MODULES = [
  {
    preset: 'wasm',
    wasm: 'build/wasm/moreau.wasm',
    inlined: 'bindings/generated/wasm-base64.mjs',
    imports: ['moreau.callback'],
  },
  {
    preset: 'wasm-threads',
    wasm: 'build/wasm-threads/moreau-threads.wasm',
    inlined: 'bindings/generated/wasm-threads-base64.mjs',
    imports: ['moreau.callback', 'env.memory'],
  },
]
/** Made with the first (cmake/wasm.cmake). */
const UNPACKER = {
  wasm: 'build/wasm/unpack.wasm',
  inlined: 'bindings/generated/unpack-base64.mjs',
}
/** What Chromium before 115 compiles at once in a window. */
const MOST_UNPACKER_BYTES = 4096

const CLOUD_GENERATOR = 'scripts/generate-point-clouds.mjs'

/**
 * Configures a CMake preset if that was not done yet.
 * @param {string} preset of CMakePresets.json
 */
export async function configurePreset(preset) {
  const inputs = ['CMakePresets.json', 'cmake/emscripten.cmake']
  // build.ninja is written last: where it is missing an earlier configuration failed.
  if (isStale([`build/${preset}/build.ninja`], inputs)) {
    await run('cmake', ['--preset', preset, '--fresh'], { quiet: true })
  }
}

/** Of the preset `wasm`: the engine whose memory fails when the fuzzer says so. */
export const FAILING_MEMORY = 'moreau_failing'

/**
 * Builds a CMake preset. Ninja finds out what is out of date.
 * @param {string} preset of CMakePresets.json
 * @param {string} [target] default: all that is built by default
 */
export async function buildPreset(preset, target) {
  await configurePreset(preset)
  const words = ['--build', '--preset', preset, ...(target ? ['--target', target] : [])]
  await run('cmake', words, { quiet: true })
}

/**
 * A wasm module, and its bytes as a JavaScript module for bundles that inline them.
 * @param {typeof MODULES[number]} module
 */
async function buildWasm({ preset, wasm, inlined, imports }) {
  await buildPreset(preset)
  if (!isStale([inlined], [wasm, 'scripts/build.mjs'])) return
  const bytes = readFileSync(join(root, wasm))
  const strange = WebAssembly.Module.imports(new WebAssembly.Module(bytes))
    .map(({ module, name }) => `${module}.${name}`)
    .filter((name) => !imports.includes(name))
  if (strange.length > 0) {
    // The loader has nothing else to give: something of the C library slipped in that bindings/abi/wasm_runtime.c should answer.
    throw new Failure(`${wasm} imports ${strange.join(', ')}`)
  }
  // The type annotation keeps the text itself out of the .d.ts, where it would be a literal type.
  const text = (await pack(bytes)).toString('base64')
  writeText(inlined, [
    `/** ${basename(wasm)}, packed, and its size. Made by scripts/build.mjs. */`,
    `export const size = ${bytes.length}`,
    `export const text = /** @type {string} */ ('${text}')`,
  ])
  console.error(`${basename(wasm)}: ${kilobytes(bytes)}`)
}

/**
 * As zlib unpacks it, and a twentieth smaller than zlib makes it.
 * @param {Uint8Array} bytes
 */
async function pack(bytes) {
  const { deflateAsync } = await import('@gfx/zopfli')
  return Buffer.from(await deflateAsync(bytes, { numiterations: 5 }))
}

/** What unpacks the others, as it is. */
function inlineUnpacker() {
  if (!isStale([UNPACKER.inlined], [UNPACKER.wasm])) return
  const bytes = readFileSync(join(root, UNPACKER.wasm))
  if (bytes.length >= MOST_UNPACKER_BYTES)
    throw new Failure(`${UNPACKER.wasm}: ${kilobytes(bytes)}`)
  writeText(UNPACKER.inlined, [
    `/** ${basename(UNPACKER.wasm)}. Made by scripts/build.mjs. */`,
    `export default /** @type {string} */ ('${bytes.toString('base64')}')`,
  ])
}

/**
 * Writes a file that nobody ever reads half of.
 * @param {string} file from the root
 * @param {string[]} lines
 */
function writeText(file, lines) {
  mkdirSync(join(root, dirname(file)), { recursive: true })
  const partial = join(root, `${file}.${process.pid}`)
  writeFileSync(partial, `${lines.join('\n')}\n`)
  renameSync(partial, join(root, file))
}

async function generatePointClouds() {
  if (!existsSync(join(root, CLOUD_GENERATOR))) return
  if (isStale(['scenarios/generated'], [CLOUD_GENERATOR, 'package-lock.json']))
    await runNode(CLOUD_GENERATOR)
}

/** The npm package. */
async function buildPackage() {
  const sources = [
    'bindings',
    'scenarios',
    'bin',
    'scripts/build.mjs',
    'scripts/package',
    'tsconfig.json',
    'tsconfig.types.json',
    'package-lock.json',
    ...MODULES.map(({ wasm }) => wasm),
  ]
  // Written last, so an interrupted build is not taken for a whole one.
  const last = 'dist/qhull-COPYING.txt'
  if (!isStale([last], sources)) return
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  mkdirSync(join(root, 'dist'))
  // They need npm packages, which setup may have installed since this program began.
  const { writeBundles } = await import('./package/bundles.mjs')
  const { writeDeclarations } = await import('./package/declarations.mjs')
  writeManifest()
  await writeBundles()
  await writeDeclarations()
  for (const { wasm } of MODULES) {
    copyFileSync(join(root, wasm), join(root, 'dist', basename(wasm)))
  }
  writeFileSync(join(root, 'dist/scene.schema.json'), `${JSON.stringify(SCENE_SCHEMA, null, 1)}\n`)
  copyFileSync(join(root, 'build/wasm/qhull-COPYING.txt'), join(root, last))
}

/** The demo page. */
async function buildWeb() {
  if (!existsSync(join(root, 'web/index.html'))) return
  if (!isStale(['dist-web'], ['web', 'bindings', 'scenarios', 'package-lock.json'])) return
  await runNode('node_modules/vite/bin/vite.js', ['build', 'web', '--logLevel', 'warn'])
}

/**
 * Builds what is missing or out of date. Tools and modules must be there (scripts/setup.mjs).
 * @param {{ web?: boolean }} [options] `web: false` leaves out the demo page
 */
export async function build({ web = true } = {}) {
  generateBindings()
  // Side by side, because each is linked and packed by one core.
  await stage('WebAssembly', () => Promise.all(MODULES.map(buildWasm)))
  inlineUnpacker()
  await stage('point clouds', generatePointClouds)
  await stage('npm package', buildPackage)
  if (web) await stage('demo page', buildWeb)
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    const options = /** @type {const} */ ({ 'no-web': { type: 'boolean', default: false } })
    const { values } = readCommandLine(import.meta.url, { options })
    await setup(buildTools)
    await build({ web: !values['no-web'] })
  })
}
