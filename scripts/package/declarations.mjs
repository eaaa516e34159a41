// The declarations of the npm package: one file an entry, made of those that tsc writes of the JSDoc of each module.
//
// They are for any TypeScript from 5.0 on, `lib: es2020`, and no library of a host; what is internal is not in them.

import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { Failure, root, runNode } from '../tools.mjs'
import { DECLARED, SHARED } from './entries.mjs'

/** Where tsc writes them (tsconfig.types.json). */
const EMITTED = 'build/types'
/** What declarations import of each other. */
const OWN_IMPORTS = new RegExp(`'\\./(index|${SHARED.name})\\.js'`, 'g')
/** What entries share has declarations of its own: a class with private members, declared twice, would be two types. */
const SHARED_FOLDER = join(root, EMITTED, dirname(SHARED.source))

/** TypeScript before 5.2, and later ones with an older `lib`, do not know the symbol of `using`. It merges with what they know. */
const DISPOSABLE = `
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol
  }
}
`

/** @type {[pattern: RegExp, replacement: string][]} */
const REWRITES = [
  // TypeScript before 5.7 has no such parameter.
  [/\b(\w+Array)<ArrayBuffer(?:Like)?>/g, '$1'],
  // A second name for a type is the type itself, or editors would show the first as `Vector$1`.
  [
    /^export type (\w+) = import\((['"][^'"]+['"])\)\.\1;$/gm,
    'import type { $1 } from $2;\nexport type { $1 };',
  ],
  // What a world makes takes internals, which nobody else has.
  [
    /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*(?:private constructor\(\)|(?:protected )?constructor\(core: WorldCore[^;]*);/g,
    'protected constructor();',
  ],
  // Editors offer the members of all types that a literal may be, but not of classes with private ones: within `{ type: 'box', }`
  // they would offer all that a Shape has besides what a box has.
  [/(class Shape \{\s*)#private;/, '$1#private;\n    private readonly identity;'],
  // Comments without what the declaration beside them says again.
  [
    /\s*\*?\s*@(?:typedef|property|import|template)\b(?:(?!\*\/|\n\s*\*\s*@(?!typedef|property|template))[\s\S])*/g,
    '',
  ],
  [/\/\*[\s*]*\*\/\n?/g, ''],
]

/** Text of a module's declarations as it is published. @param {string} text */
const published = (text) =>
  REWRITES.reduce((before, [pattern, replacement]) => before.replace(pattern, replacement), text)

/**
 * A Rollup plugin: modules outside of an add-on's own folder are those of what add-ons share, or of the engine, whose declarations stand beside it.
 * @param {string | undefined} folder of the add-on; undefined: the engine itself
 * @returns {import('rollup').Plugin}
 */
const resolving = (folder) => ({
  name: 'declarations',
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith('.')) return null
    const path = resolve(dirname(importer), source.replace(/\.mjs$/, '.d.mts'))
    if (folder === undefined || path.startsWith(`${folder}/`)) return path
    const isShared = path.startsWith(`${SHARED_FOLDER}/`)
    return { id: isShared ? `./${SHARED.name}.js` : './index.js', external: true }
  },
  load: (id) => (id.endsWith('.d.mts') ? published(readFileSync(id, 'utf8')) : null),
})

/**
 * @param {string} name of the files in dist
 * @param {string} source from the root
 */
async function roll(name, source) {
  const input = join(root, EMITTED, source.replace(/\.mjs$/, '.d.mts'))
  const bundle = await rollup({
    input,
    external: /^[^./]/,
    plugins: [resolving(name === 'index' ? undefined : dirname(input)), dts()],
    onwarn: ({ code, message }) => {
      if (code !== 'UNUSED_EXTERNAL_IMPORT') throw new Failure(`${name}.d.ts: ${message}`)
    },
  })
  const { output } = await bundle.generate({ format: 'es' })
  const text = name === 'index' ? output[0].code + DISPOSABLE : output[0].code
  writeTwins(name, text)
}

/**
 * TypeScript wants to know whether declarations describe what is imported or what is required.
 * @param {string} name of the files in dist
 * @param {string} text
 */
function writeTwins(name, text) {
  writeFileSync(join(root, `dist/${name}.d.ts`), text)
  writeFileSync(join(root, `dist/${name}.d.cts`), text.replace(OWN_IMPORTS, "'./$1.cjs'"))
}

/** Writes the declarations of all entries to dist. */
export async function writeDeclarations() {
  await runNode('node_modules/typescript/bin/tsc', ['--project', 'tsconfig.types.json'])
  for (const [name, source] of Object.entries(DECLARED)) await roll(name, source)
  // What the file is depends on the host: an address, bytes or a module; `init` takes them all.
  const wasm = "import type { WasmSource } from './index.js'\ndeclare const wasm: WasmSource\n"
  writeTwins('wasm', `${wasm}export default wasm\n`)
}
