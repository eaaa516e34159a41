// Bundlers for pages, whose output is served as it is.

import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { titleIn, titleOf } from '../lib/page.mjs'
import { moduleText, titling } from '../lib/programs.mjs'
import {
  binary,
  execute,
  here,
  nextPort,
  versionOf,
  withServer,
  writeFiles,
} from '../lib/tools.mjs'

/** @import { Environment } from '../run.mjs' */
/** @import { Kind } from '../lib/programs.mjs' */

/** @type {Kind[]} */
const ALL = ['inlined', 'slim', 'threads']

/** @param {Kind} kind @param {string} script address of the program in the page */
const source = (kind, script) => ({
  'index.html': `<!doctype html><title>waits</title><script type="module" src="${script}"></script>\n`,
  'main.js': `import { run } from './moreau.js'\n${titling}`,
  'moreau.js': moduleText(kind),
  'package.json': '{ "type": "module" }',
})

/** The file beside a bundle whose bundler does not look for it. @param {string} folder */
const copyWasm = (folder) =>
  copyFileSync(join(here, 'node_modules/moreau/dist/moreau.wasm'), join(folder, 'moreau.wasm'))

/**
 * Builds a page by one command.
 * @param {string} program
 * @param {string[]} args
 * @param {object} page
 * @param {string} page.script address of the program in it
 * @param {string} page.served folder where it is then
 * @param {Record<string, string>} [page.files] what the bundler needs besides
 * @param {boolean} [page.needsWasm] whether the bundler does not look for the file of `moreau/slim`
 * @returns {Environment['run']}
 */
function building(program, args, { script, served, files = {}, needsWasm = false }) {
  return async (kind, folder) => {
    writeFiles(folder, { ...source(kind, script), ...files })
    await execute(binary(program), args, { cwd: folder })
    if (needsWasm && kind === 'slim') copyWasm(join(folder, 'dist'))
    return titleIn(join(folder, served))
  }
}

/** @type {Environment} */
const viteBuild = {
  name: 'Vite, build',
  version: versionOf('vite'),
  setUp: 'none',
  kinds: ALL,
  run: building('vite', ['build', '--logLevel', 'warn'], { script: '/main.js', served: 'dist' }),
}

/**
 * With `moreau/slim` Vite may not move the module away from the file beside it. Our node_modules are above the folder of
 * the page, where Vite serves nothing from unless it is told (`fs`).
 */
const VITE_CONFIG = `export default {
  optimizeDeps: { exclude: ['moreau'] },
  server: { fs: { strict: false }, headers: {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  } },
}\n`

/** @type {Environment} */
const viteServe = {
  name: 'Vite, development',
  version: versionOf('vite'),
  setUp: "`moreau/slim`: `optimizeDeps: { exclude: ['moreau'] }`",
  kinds: ALL,
  run(kind, folder) {
    writeFiles(folder, { ...source(kind, '/main.js'), 'vite.config.js': VITE_CONFIG })
    const port = nextPort()
    const address = `http://127.0.0.1:${port}/`
    const args = ['--port', `${port}`, '--strictPort', '--host', '127.0.0.1']
    return withServer(binary('vite'), args, { cwd: folder, address }, () => titleOf(address))
  },
}

/** @type {Environment} */
const webpack = {
  name: 'webpack',
  version: versionOf('webpack'),
  setUp: 'none',
  kinds: ALL,
  run: building(
    'webpack',
    ['--mode', 'production', '--entry', './main.js', '--output-path', 'dist', '--no-stats'],
    { script: 'dist/main.js', served: '.' },
  ),
}

const ROLLUP_CONFIG = `import { nodeResolve } from '@rollup/plugin-node-resolve'
export default {
  input: 'main.js',
  output: { dir: 'dist', format: 'es' },
  plugins: [nodeResolve({ browser: true })],
}\n`

/** @type {Environment} */
const rollup = {
  name: 'Rollup',
  version: versionOf('rollup'),
  setUp: '`@rollup/plugin-node-resolve`; `moreau/slim`: copy `moreau.wasm` beside the bundle',
  kinds: ALL,
  run: building('rollup', ['--config', '--silent'], {
    script: 'dist/main.js',
    served: '.',
    files: { 'rollup.config.js': ROLLUP_CONFIG },
    needsWasm: true,
  }),
}

/** @type {Environment} */
const esbuild = {
  name: 'esbuild',
  version: versionOf('esbuild'),
  setUp: '`moreau/slim`: copy `moreau.wasm` beside the bundle',
  kinds: ALL,
  run: building(
    'esbuild',
    ['main.js', '--bundle', '--minify', '--format=esm', '--outdir=dist', '--log-level=warning'],
    { script: 'dist/main.js', served: '.', needsWasm: true },
  ),
}

/** @type {Environment} */
const parcel = {
  name: 'Parcel',
  version: versionOf('parcel'),
  setUp: '`"@parcel/resolver-default": { "packageExports": true }` in package.json',
  kinds: ALL,
  run: building(
    'parcel',
    ['build', 'index.html', '--no-cache', '--no-source-maps', '--log-level', 'error'],
    {
      script: './main.js',
      served: 'dist',
      files: {
        'package.json': JSON.stringify({
          type: 'module',
          '@parcel/resolver-default': { packageExports: true },
          browserslist: 'chrome 110',
        }),
        // Parcel looks for the root of a project by such files.
        'package-lock.json': '{}',
      },
    },
  ),
}

/** @type {Environment[]} */
export const bundlers = [viteBuild, viteServe, webpack, rollup, esbuild, parcel]
