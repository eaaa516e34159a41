// The bundles of the npm package, by esbuild, and made smaller by Oxc.

import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as esbuild from 'esbuild'
import { Failure, kilobytes, root } from '../tools.mjs'
import { ADD_ONS, SHARED } from './entries.mjs'
import { breakLines } from './lines.mjs'
import { minified } from './minify.mjs'

/**
 * @typedef {object} Target
 * @property {string} entry
 * @property {string} outfile
 * @property {import('esbuild').BuildOptions} [options]
 * @property {import('esbuild').Plugin[]} [plugins]
 * @property {boolean} [map] false: has no source map
 */

/** The minifier makes templates of long texts; engines read each twice, cooked and raw, which takes a millisecond of half a megabyte. */
const BASE64_TEMPLATE = /`([A-Za-z0-9+/=]{1000,})`/g

/** Both kinds of modules. @type {readonly ('mjs' | 'cjs')[]} */
const ENDINGS = ['mjs', 'cjs']

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

const WORKER_SCRIPT = 'dist/worker-script.js'
const INLINED_SCRIPT = 'bindings/generated/worker-script.mjs'
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
  return [...ADD_ONS, SHARED].flatMap((addOn) =>
    ENDINGS.flatMap((ending) => {
      const ofIndex = addOnTarget(addOn, 'index', ending)
      return addOn.slim === false ? [ofIndex] : [ofIndex, addOnTarget(addOn, 'slim', ending)]
    }),
  )
}

/**
 * @param {import('./entries.mjs').AddOn} addOn
 * @param {'index' | 'slim'} engine
 * @param {'mjs' | 'cjs'} ending
 * @returns {Target}
 */
function addOnTarget({ name, source, keepsImport }, engine, ending) {
  const beside = `./${engine}.${ending}`
  const prefix = engine === 'slim' ? 'slim-' : ''
  return {
    entry: source,
    outfile: `dist/${prefix}${name}.${ending}`,
    // The user installs peers, or does not.
    options: { ...formatOf(ending, keepsImport), external: peers() },
    plugins: [
      useBundles({
        'bindings/index.mjs': beside,
        'bindings/core/errors.mjs': beside,
        'bindings/three/index.mjs': `./${prefix}three.${ending}`,
        [SHARED.source]: `./${prefix}${SHARED.name}.${ending}`,
      }),
    ],
  }
}

/** @returns {string[]} */
const peers = () =>
  Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).peerDependencies)

/**
 * What import() gives of CommonJS has no names that Node could see in a bundle, require() does.
 * @param {'mjs' | 'cjs'} ending
 * @param {boolean} [keepsImport] what it imports is the user's
 * @returns {import('esbuild').BuildOptions}
 */
const formatOf = (ending, keepsImport = false) =>
  ending === 'cjs' ? { format: 'cjs', supported: { 'dynamic-import': keepsImport } } : {}

/** The package has no dependencies: what the command line needs of others is bundled in. @type {Target} */
const COMMAND_LINE = {
  entry: 'bin/moreau.mjs',
  outfile: 'dist/cli.mjs',
  map: false,
  options: {
    platform: 'node',
    // Bundled CommonJS calls require() for Node's own modules, which an ES module does not have.
    banner: {
      js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
    },
  },
  plugins: [
    useBundles({ 'bindings/index.mjs': './index.mjs', 'scenarios/index.mjs': './scenarios.mjs' }),
  ],
}

/** @type {import('esbuild').BuildOptions} */
const COMMON = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  sourcemap: 'external',
  write: false,
}

/**
 * The script of the workers of `moreau/worker`: a file, and its text as a module, which the bundles of `moreau/worker` have
 * in them.
 */
async function writeWorkerScript() {
  const { outputFiles = [] } = await esbuild.build({
    ...COMMON,
    format: 'iife',
    sourcemap: false,
    entryPoints: ['bindings/worker/host/main.mjs'],
    outfile: WORKER_SCRIPT,
    plugins: [substitute(DEFAULT_WASM, 'bindings/worker/host/default-wasm.mjs')],
  })
  const { code } = await minified(basename(WORKER_SCRIPT), outputFiles[0].text, {
    compress: { target: 'es2022' },
  })
  writeFileSync(join(root, WORKER_SCRIPT), code)
  // The type annotation keeps the text itself out of the .d.ts, where it would be a literal type.
  const lines = [
    '/** The script of workers. Made by scripts/package/bundles.mjs. */',
    `export default /** @type {string} */ (${JSON.stringify(code)})`,
  ]
  writeFileSync(join(root, INLINED_SCRIPT), `${lines.join('\n')}\n`)
  console.error(`${WORKER_SCRIPT}: ${kilobytes(Buffer.from(code))}`)
}

/** Writes all bundles to dist. */
export async function writeBundles() {
  await writeWorkerScript()
  const targets = [...engineTargets(), ...addOnTargets(), COMMAND_LINE]
  for (const target of targets) await writeBundle(target)
  chmodSync(join(root, COMMAND_LINE.outfile), 0o755)
}

/** @param {Target} target */
async function writeBundle({ entry, outfile, options, plugins, map: hasMap = true }) {
  const { outputFiles = [] } = await esbuild.build({
    ...COMMON,
    ...options,
    entryPoints: [entry],
    outfile,
    plugins,
  })
  const [map, code] = [/\.map$/, /js$/].map(
    (name) => outputFiles.find(({ path }) => name.test(path))?.text ?? '',
  )
  const small = await smaller(outfile, code, map)
  // No line names the map: the tarball is without maps, which would be two thirds of it, and tools warn of a map that is not there.
  writeFileSync(join(root, outfile), `${exportOnItsOwnLine(small.code)}\n`)
  if (hasMap) writeFileSync(join(root, `${outfile}.map`), withoutBytes(small.map))
  console.error(`${outfile}: ${kilobytes(readFileSync(join(root, outfile)))}`)
}

/**
 * Shorter names of variables, of functions and of private members. Classes and properties keep theirs, so that what a user
 * called has its name in stack traces and profiles; the names of functions within, 3.4 KB gzipped, are in the source maps.
 * @param {string} outfile
 * @param {string} code
 * @param {string} map
 */
async function smaller(outfile, code, map) {
  const keepNames = { function: false, class: true }
  const { code: short, map: mangled } = await minified(basename(outfile), code, {
    module: outfile.endsWith('.mjs'),
    compress: { target: 'es2022', keepNames },
    mangle: { toplevel: true, keepNames },
    sourcemap: true,
    inputMap: JSON.parse(map),
  })
  if (!mangled) throw new Failure(`${outfile} has no source map`)
  const lines = breakLines(basename(outfile), short, mangled)
  return { code: lines.code.replaceAll(BASE64_TEMPLATE, "'$1'"), map: JSON.stringify(lines.map) }
}

/**
 * The text of the module's bytes is as long as they are, and no help in a map.
 * @param {string} map of a bundle
 * @returns {string}
 */
function withoutBytes(map) {
  const { sources, sourcesContent, ...rest } = JSON.parse(map)
  const texts = sources.map((/** @type {string} */ source, /** @type {number} */ i) =>
    /-(base64|script)\.mjs$/.test(source) ? null : sourcesContent[i],
  )
  return JSON.stringify({ ...rest, sources, sourcesContent: texts })
}

/**
 * Tools that tell an ES module by its text look for `export` at the start of a line.
 * @param {string} code of a bundle
 */
const exportOnItsOwnLine = (code) => code.replace(/export\{(?=[^}]*\};?\s*$)/, '\nexport {')
