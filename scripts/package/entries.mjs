// The entries of the npm package, and what package.json says of them.
//
// A new entry is one line of ADD_ONS: its bundles, types, `exports`, types for old resolution and tests follow.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../tools.mjs'

/**
 * An entry that stands on the engine: `moreau/NAME`, and `moreau/slim/NAME` beside `moreau/slim`.
 * @typedef {object} AddOn
 * @property {string} name
 * @property {string} source from the root
 * @property {boolean} [keepsImport] it imports modules of the user by their addresses
 * @property {boolean} [slim] false: there is none beside `moreau/slim`
 */

/** @type {AddOn[]} */
export const ADD_ONS = [
  { name: 'decompose', source: 'bindings/decompose/index.mjs' },
  { name: 'gym', source: 'bindings/gym/index.mjs' },
  { name: 'import', source: 'bindings/import/index.mjs' },
  { name: 'rapier', source: 'bindings/rapier-entry/index.mjs' },
  { name: 'react', source: 'bindings/react/index.mjs' },
  { name: 'rollback', source: 'bindings/rollback/index.mjs' },
  { name: 'three', source: 'bindings/three/index.mjs' },
  { name: 'worker', source: 'bindings/worker/index.mjs', keepsImport: true },
  { name: 'scenarios', source: 'scenarios/index.mjs', slim: false },
]

/** What entries stand on that is none itself: a bundle that they share. @type {AddOn} */
export const SHARED = { name: 'rapier-parts', source: 'bindings/rapier/index.mjs' }

/** What has declarations of its own: the name of its files in dist, and its source. @type {Record<string, string>} */
export const DECLARED = {
  index: 'bindings/index.mjs',
  threads: 'bindings/threads/index.mjs',
  ...Object.fromEntries([...ADD_ONS, SHARED].map(({ name, source }) => [name, source])),
}

/**
 * @param {string} file of the bundles, in dist, without its ending
 * @param {string} types of the declarations, likewise
 */
const both = (file, types = file) => ({
  require: { types: `./dist/${types}.d.cts`, default: `./dist/${file}.cjs` },
  types: `./dist/${types}.d.ts`,
  default: `./dist/${file}.mjs`,
})

/** The field `exports` of package.json. */
export function exportsField() {
  const index = './dist/index.d.ts'
  const wasm = './dist/moreau.wasm'
  return {
    '.': { workerd: { types: index, default: './dist/workerd.mjs' }, ...both('index') },
    './slim': both('slim', 'index'),
    './threads': both('threads'),
    ...Object.fromEntries(ADD_ONS.map(({ name }) => [`./${name}`, both(name)])),
    ...Object.fromEntries(
      slimAddOns().map((name) => [`./slim/${name}`, both(`slim-${name}`, name)]),
    ),
    './wasm': {
      require: { types: './dist/wasm.d.cts', default: wasm },
      types: './dist/wasm.d.ts',
      default: wasm,
    },
    './worker-script.js': './dist/worker-script.js',
    './moreau.wasm': wasm,
    './moreau-threads.wasm': './dist/moreau-threads.wasm',
    './scene.schema.json': './dist/scene.schema.json',
    './package.json': './package.json',
  }
}

/** @returns {string[]} names of the add-ons that are beside `moreau/slim` too */
export const slimAddOns = () => ADD_ONS.filter(({ slim }) => slim !== false).map(({ name }) => name)

/** The field `typesVersions`: where TypeScript's `moduleResolution: node10`, which knows no `exports`, finds declarations. */
export function typesVersionsField() {
  const files = Object.entries(exportsField()).flatMap(([path, target]) =>
    path !== '.' && typeof target === 'object' && 'types' in target
      ? [[path.slice(2), [target.types]]]
      : [],
  )
  return { '*': Object.fromEntries(files) }
}

/** Writes both fields where they are out of date. */
export function writeManifest() {
  const path = join(root, 'package.json')
  const text = readFileSync(path, 'utf8')
  const fields = { exports: exportsField(), typesVersions: typesVersionsField() }
  const written = `${JSON.stringify({ ...JSON.parse(text), ...fields }, null, 2)}\n`
  if (written !== text) writeFileSync(path, written)
}
