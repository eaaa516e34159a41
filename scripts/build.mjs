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

/**
 * `moreau/import`. It makes no worlds, so of the engine it wants the class of errors alone. The XML parser is a bundle of its own, which
 * browsers do not load: they have a parser.
 */
function importTargets() {
  return /** @type {const} */ (['mjs', 'cjs']).flatMap((ending) => {
    const xml = { 'bindings/import/xml/node.mjs': `./import-xml.${ending}` }
    const errors = { 'bindings/core/errors.mjs': `./index.${ending}` }
    // What import() gives of CommonJS has no names that Node could see in a bundle, require() does.
    const options =
      ending === 'cjs' ? { format: 'cjs', supported: { 'dynamic-import': false } } : {}
    return [
      {
        entry: 'bindings/import/xml/node.mjs',
        outfile: `dist/import-xml.${ending}`,
        options: { ...options, mainFields: ['module', 'main'] },
      },
      {
        entry: 'bindings/import/index.mjs',
        outfile: `dist/import.${ending}`,
        options,
        plugins: [useBundles({ ...xml, ...errors })],
      },
    ]
  })
}

/** `moreau/rollback`. It is given worlds, so of the engine it wants the class of errors alone. */
function rollbackTargets() {
  return /** @type {const} */ (['mjs', 'cjs']).map((ending) => ({
    entry: 'bindings/rollback/index.mjs',
    outfile: `dist/rollback.${ending}`,
    options: ending === 'cjs' ? { format: 'cjs' } : {},
    plugins: [useBundles({ 'bindings/core/errors.mjs': `./index.${ending}` })],
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
  // What it throws is the engine's class too: there is one, or `instanceof` would not hold.
  const besideEngine = (/** @type {string} */ index) =>
    useBundles({ 'bindings/index.mjs': index, 'bindings/core/errors.mjs': index })
  // The user installs them, or does not.
  const peers = { external: ['vhacd-js', 'three'] }
  const threads = substitute('bindings/core/host.mjs', 'bindings/threads/host.mjs')
  const targets = [
    { entry: 'bindings/index.mjs', outfile: 'dist/index.mjs' },
    { entry: 'bindings/index.mjs', outfile: 'dist/index.cjs', options: { format: 'cjs' } },
    { entry: 'bindings/threads/index.mjs', outfile: 'dist/threads.mjs', plugins: [threads] },
    {
      entry: 'bindings/threads/index.mjs',
      outfile: 'dist/threads.cjs',
      options: { format: 'cjs' },
      plugins: [threads],
    },
    {
      entry: 'bindings/decompose/index.mjs',
      outfile: 'dist/decompose.mjs',
      options: peers,
      plugins: [besideEngine('./index.mjs')],
    },
    {
      entry: 'bindings/decompose/index.mjs',
      outfile: 'dist/decompose.cjs',
      options: { ...peers, format: 'cjs' },
      plugins: [besideEngine('./index.cjs')],
    },
    {
      entry: 'bindings/three/index.mjs',
      outfile: 'dist/three.mjs',
      options: peers,
      plugins: [besideEngine('./index.mjs')],
    },
    {
      entry: 'bindings/three/index.mjs',
      outfile: 'dist/three.cjs',
      options: { ...peers, format: 'cjs' },
      plugins: [besideEngine('./index.cjs')],
    },
    ...importTargets(),
    ...rollbackTargets(),
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
      .../** @type {object} */ (options),
      entryPoints: [entry],
      outfile,
      plugins,
    })
    exportOnItsOwnLine(outfile)
    console.error(`${outfile}: ${kilobytes(readFileSync(join(root, outfile)))}`)
  }
  const cli = join(root, 'dist/cli.mjs')
  if (existsSync(cli)) chmodSync(cli, 0o755)
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
