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
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { SCENE_SCHEMA } from '../bindings/schema/scene/index.mjs'
import { generateBindings } from './generate-bindings.mjs'
import { buildTools, setup } from './setup.mjs'
import {
  Failure,
  filesBelow,
  isMain,
  isStale,
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

/**
 * Builds a CMake preset. Ninja finds out what is out of date.
 * @param {string} preset of CMakePresets.json
 */
export async function buildPreset(preset) {
  await configurePreset(preset)
  await run('cmake', ['--build', '--preset', preset], { quiet: true })
}

/**
 * A wasm module, and its bytes as a JavaScript module for bundles that inline them.
 * @param {typeof MODULES[number]} module
 */
async function buildWasm({ preset, wasm, inlined, imports }) {
  await buildPreset(preset)
  if (!isStale([inlined], [wasm])) return
  const bytes = readFileSync(join(root, wasm))
  const strange = WebAssembly.Module.imports(new WebAssembly.Module(bytes))
    .map(({ module, name }) => `${module}.${name}`)
    .filter((name) => !imports.includes(name))
  if (strange.length > 0) {
    // The loader has nothing else to give: something of the C library slipped in that bindings/abi/wasm_runtime.c should answer.
    throw new Failure(`${wasm} imports ${strange.join(', ')}`)
  }
  mkdirSync(join(root, dirname(inlined)), { recursive: true })
  // The type annotation keeps the text itself out of the .d.ts, where it would be a literal type.
  const source = [
    `/** ${basename(wasm)}. Made by scripts/build.mjs. */`,
    `export default /** @type {string} */ ('${bytes.toString('base64')}')`,
    '',
  ].join('\n')
  // Renamed into place, so that nobody ever reads half of it.
  const partial = join(root, `${inlined}.${process.pid}`)
  writeFileSync(partial, source)
  renameSync(partial, join(root, inlined))
  console.error(`${basename(wasm)}: ${kilobytes(bytes)}`)
}

async function generatePointClouds() {
  if (!existsSync(join(root, CLOUD_GENERATOR))) return
  if (isStale(['scenarios/generated'], [CLOUD_GENERATOR, 'package-lock.json']))
    await runNode(CLOUD_GENERATOR)
}

/** @param {Buffer} bytes */
const kilobytes = (bytes) =>
  `${(bytes.length / 1024).toFixed(0)} KB, ${(gzipSync(bytes, { level: 9 }).length / 1024).toFixed(0)} KB gzipped`

/**
 * An esbuild plugin: a module that is a bundle of its own is imported from there instead of being copied in.
 * @param {Record<string, string>} bundles entry of a bundle, from the root, to the path to import
 * @returns {import('esbuild').Plugin}
 */
const useBundles = (bundles) => ({
  name: 'use-bundles',
  setup({ onResolve }) {
    onResolve({ filter: /\.mjs$/ }, ({ path, resolveDir, kind }) => {
      if (kind === 'entry-point') return
      const target = Object.keys(bundles).find(
        (entry) => join(root, entry) === join(resolveDir, path),
      )
      return target === undefined ? undefined : { path: bundles[target], external: true }
    })
  },
})

/**
 * An esbuild plugin: one module stands in for another.
 * @param {string} original from the root
 * @param {string} replacement from the root
 * @returns {import('esbuild').Plugin}
 */
const substitute = (original, replacement) => ({
  name: 'substitute',
  setup({ onResolve }) {
    onResolve({ filter: /\.mjs$/ }, ({ path, resolveDir }) =>
      join(resolveDir, path) === join(root, original)
        ? { path: join(root, replacement) }
        : undefined,
    )
  },
})

/** An esbuild plugin: the WebAssembly file stays beside the bundle that imports it. @type {import('esbuild').Plugin} */
const wasmBeside = {
  name: 'wasm-beside',
  setup({ onResolve }) {
    onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path, external: true }))
  },
}

/** What a bundle of CommonJS has in the place of `import.meta.url`. */
const CJS_URL = {
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
}

/**
 * @typedef {object} Target
 * @property {string} entry
 * @property {string} outfile
 * @property {import('esbuild').BuildOptions} [options]
 * @property {import('esbuild').Plugin[]} [plugins]
 */

const DEFAULT_WASM = 'bindings/core/default-wasm.mjs'

/**
 * The engine in one piece, once for each way in which it has its module: as text, as a file beside it, as what workerd
 * imports, and with threads.
 * @returns {Target[]}
 */
function engineTargets() {
  const entry = 'bindings/index.mjs'
  const cjs = /** @type {const} */ ({ format: 'cjs' })
  const slim = [substitute(DEFAULT_WASM, 'bindings/slim/default-wasm.mjs')]
  const workerd = [substitute(DEFAULT_WASM, 'bindings/workerd/default-wasm.mjs'), wasmBeside]
  const withThreads = {
    entry: 'bindings/threads/index.mjs',
    plugins: [
      substitute('bindings/core/host.mjs', 'bindings/threads/host.mjs'),
      substitute(DEFAULT_WASM, 'bindings/threads/default-wasm.mjs'),
    ],
  }
  return [
    { entry, outfile: 'dist/index.mjs' },
    { entry, outfile: 'dist/index.cjs', options: cjs },
    { entry, outfile: 'dist/slim.mjs', plugins: slim },
    { entry, outfile: 'dist/slim.cjs', plugins: slim, options: { ...cjs, ...CJS_URL } },
    { entry, outfile: 'dist/workerd.mjs', plugins: workerd },
    { ...withThreads, outfile: 'dist/threads.mjs' },
    { ...withThreads, outfile: 'dist/threads.cjs', options: cjs },
  ]
}

/**
 * Entries that stand on the engine. What they throw is its class too: there is one, or `instanceof` would not
 * hold. So there is one of each for `moreau` and one for `moreau/slim`.
 * @returns {Target[]}
 */
function addOnTargets() {
  return ['index', 'slim'].flatMap((engine) =>
    /** @type {const} */ (['mjs', 'cjs']).flatMap((ending) => {
      const prefix = engine === 'slim' ? 'dist/slim-' : 'dist/'
      const beside = `./${engine}.${ending}`
      return ['decompose', 'gym', 'three', 'import', 'rollback'].map((name) => ({
        entry: `bindings/${name}/index.mjs`,
        outfile: `${prefix}${name}.${ending}`,
        // The user installs peers, or does not.
        options: {
          ...(name === 'import' ? importing(ending) : formatOf(ending)),
          external: ['vhacd-js', 'three'],
        },
        plugins: [
          useBundles({
            'bindings/index.mjs': beside,
            'bindings/core/errors.mjs': beside,
            // The XML parser is a bundle of its own, which browsers do not load: they have a parser.
            'bindings/import/xml/node.mjs': `./import-xml.${ending}`,
          }),
        ],
      }))
    }),
  )
}

/** @param {'mjs' | 'cjs'} ending @returns {import('esbuild').BuildOptions} */
const formatOf = (ending) => (ending === 'cjs' ? { format: 'cjs' } : {})

/**
 * What import() gives of CommonJS has no names that Node could see in a bundle, require() does.
 * @param {'mjs' | 'cjs'} ending
 * @returns {import('esbuild').BuildOptions}
 */
const importing = (ending) =>
  ending === 'cjs' ? { ...formatOf(ending), supported: { 'dynamic-import': false } } : {}

/** @returns {Target[]} */
function xmlTargets() {
  return /** @type {const} */ (['mjs', 'cjs']).map((ending) => ({
    entry: 'bindings/import/xml/node.mjs',
    outfile: `dist/import-xml.${ending}`,
    options: { ...importing(ending), mainFields: ['module', 'main'] },
  }))
}

async function bundle() {
  const esbuild = await import('esbuild')
  /** @type {import('esbuild').BuildOptions} */
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    // Names stay readable in a user's stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
  }
  const engine = { 'bindings/index.mjs': './index.mjs' }
  const scenes = { 'scenarios/index.mjs': './scenarios.mjs' }
  /** @type {Target[]} */
  const targets = [
    ...engineTargets(),
    ...addOnTargets(),
    ...xmlTargets(),
    { entry: 'scenarios/index.mjs', outfile: 'dist/scenarios.mjs', plugins: [useBundles(engine)] },
    // The package has no dependencies: what the command line needs of others is bundled in.
    {
      entry: 'bin/moreau.mjs',
      outfile: 'dist/cli.mjs',
      options: {
        platform: 'node',
        // Bundled CommonJS calls require() for Node's own modules, which an ES module does not have.
        banner: {
          js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
        },
      },
      plugins: [useBundles({ ...engine, ...scenes })],
    },
  ]
  for (const { entry, outfile, options, plugins } of targets) {
    await esbuild.build({
      ...common,
      sourcemap: outfile.includes('cli') ? false : 'linked',
      .../** @type {object} */ (options),
      entryPoints: [entry],
      outfile,
      plugins,
    })
    exportOnItsOwnLine(outfile)
    withoutBytes(`${outfile}.map`)
    console.error(`${outfile}: ${kilobytes(readFileSync(join(root, outfile)))}`)
  }
  const cli = join(root, 'dist/cli.mjs')
  if (existsSync(cli)) chmodSync(cli, 0o755)
}

/**
 * The text of the module's bytes is as long as they are, and no help in a map.
 * @param {string} map of a bundle
 */
function withoutBytes(map) {
  const path = join(root, map)
  if (!existsSync(path)) return
  const { sources, sourcesContent, ...rest } = JSON.parse(readFileSync(path, 'utf8'))
  const texts = sources.map((/** @type {string} */ source, /** @type {number} */ i) =>
    source.endsWith('-base64.mjs') ? null : sourcesContent[i],
  )
  writeFileSync(path, JSON.stringify({ ...rest, sources, sourcesContent: texts }))
}

/**
 * Tools that tell an ES module by its text look for `export` at the start of a line.
 * @param {string} outfile a bundle
 */
function exportOnItsOwnLine(outfile) {
  const path = join(root, outfile)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/export\{(?=[^}]*\};?\s*$)/, '\nexport {'))
}

/** Types from the JSDoc, once for `import` and once for `require`: TypeScript wants to know which of the two it describes. */
async function emitTypes() {
  await runNode('node_modules/typescript/bin/tsc', ['--project', 'tsconfig.types.json'])
  for (const file of filesBelow('dist/types', /\.d\.mts$/)) {
    const text = readFileSync(join(root, file), 'utf8')
    writeFileSync(
      join(root, file.replace(/\.d\.mts$/, '.d.cts')),
      text.replace(/(\.\.?\/[^'"]*)\.mjs(['"])/g, '$1.cjs$2'),
    )
  }
  for (const [name, entry] of [
    ['index.d.ts', 'types/bindings/index.mjs'],
    ['index.d.cts', 'types/bindings/index.cjs'],
    ['threads.d.ts', 'types/bindings/threads/index.mjs'],
    ['threads.d.cts', 'types/bindings/threads/index.cjs'],
    ['decompose.d.ts', 'types/bindings/decompose/index.mjs'],
    ['decompose.d.cts', 'types/bindings/decompose/index.cjs'],
    ['gym.d.ts', 'types/bindings/gym/index.mjs'],
    ['gym.d.cts', 'types/bindings/gym/index.cjs'],
    ['three.d.ts', 'types/bindings/three/index.mjs'],
    ['three.d.cts', 'types/bindings/three/index.cjs'],
    ['import.d.ts', 'types/bindings/import/index.mjs'],
    ['import.d.cts', 'types/bindings/import/index.cjs'],
    ['rollback.d.ts', 'types/bindings/rollback/index.mjs'],
    ['rollback.d.cts', 'types/bindings/rollback/index.cjs'],
    ['scenarios.d.ts', 'types/scenarios/index.mjs'],
  ]) {
    writeFileSync(join(root, 'dist', name), `export * from './${entry}'\n`)
  }
  // What the file is depends on the host: an address, bytes or a module; `init` takes them all.
  const wasm = "import type { WasmSource } from './index.js'\ndeclare const wasm: WasmSource\n"
  writeFileSync(join(root, 'dist/wasm.d.ts'), `${wasm}export default wasm\n`)
}

/** The npm package. */
async function buildPackage() {
  const sources = [
    'bindings',
    'scenarios',
    'bin',
    'scripts/build.mjs',
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
  await Promise.all([bundle(), emitTypes()])
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
  for (const module of MODULES) {
    await stage(basename(module.wasm), () => buildWasm(module))
  }
  await stage('point clouds', generatePointClouds)
  await stage('npm package', buildPackage)
  if (web) await stage('demo page', buildWeb)
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    await setup(buildTools)
    await build({ web: !process.argv.includes('--no-web') })
  })
}
