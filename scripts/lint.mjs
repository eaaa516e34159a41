// Style and static checks of all languages, side by side: ESLint, Prettier, tsc over the JSDoc types, clang-format, clang-tidy, and
// that the layers of src/ know only what is below them (include-graph.mjs).
//
//   npm run lint              `-- --deep`: clang's analyzer goes three times as far
//   npm run format            rewrites what can be rewritten

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { build, configurePreset } from './build.mjs'
import { clangTidy } from './clang-tidy.mjs'
import { readCommandLine } from './command-line.mjs'
import { setup, testTools } from './setup.mjs'
import { Failure, filesBelow, isMain, onPath, root, run, runMain, runNode } from './tools.mjs'

/** Each version of clang's tools has its own taste. This is the one of Debian 12. */
const CLANG_VERSION = 14

/**
 * The path of clang-format or clang-tidy in our version.
 * @param {string} name
 */
function clangTool(name) {
  const path = onPath(`${name}-${CLANG_VERSION}`, name)
  const found =
    path && /version (\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1]
  if (Number(found) === CLANG_VERSION) return path
  console.log(`${name} skipped: version ${CLANG_VERSION} wanted, ${found ?? 'none'} found`)
  return undefined
}

/** @param {boolean} fix */
async function clangFormat(fix) {
  const tool = clangTool('clang-format')
  if (!tool) return
  const folders = ['include', 'src', 'bindings', 'cmake', 'tests', 'examples']
  const files = folders.flatMap((folder) => filesBelow(folder, /\.[ch]$/))
  await run(tool, [...(fix ? ['-i'] : ['--dry-run', '--Werror']), ...files])
}

/**
 * States of a function that clang's analyzer looks at until it stops: of the blocks of code that it reaches with 75,000 it reaches all but one in
 * 160 with these (its checker debug.Stats), in six tenths of the time. `npm run lint -- --deep` has its own number, 225,000.
 */
const QUICK_NODES = 20000

/** Over the engine's own sources. @param {boolean} isDeep the analyzer goes as far as it would by itself */
async function tidy(isDeep) {
  const tool = clangTool('clang-tidy')
  if (!tool) return
  await configurePreset('native-debug')
  const words = ['-analyzer-config', `max-nodes=${QUICK_NODES}`]
  const args = isDeep ? [] : words.flatMap((word) => ['--extra-arg=-Xclang', `--extra-arg=${word}`])
  await clangTidy({ tree: root, build: join(root, 'build/native-debug'), tool, args })
}

/** @type {Record<string, (isDeep: boolean) => Promise<void>>} */
const checks = {
  eslint: () => runNode('node_modules/eslint/bin/eslint.js', ['.', '--max-warnings=0']),
  prettier: () =>
    runNode('node_modules/prettier/bin/prettier.cjs', ['.', '--log-level=warn', '--check']),
  tsc: () => runNode('node_modules/typescript/bin/tsc', ['--project', 'tsconfig.json']),
  'clang-format': () => clangFormat(false),
  'clang-tidy': tidy,
  'include-graph': () => runNode('scripts/include-graph.mjs', [], { quiet: true }),
}

/**
 * Runs all checks and tells which ones failed. The package must be built: its generated modules are part of the types.
 * @param {boolean} [isDeep]
 */
export async function lint(isDeep = false) {
  const names = Object.keys(checks)
  const results = await Promise.allSettled(names.map((name) => checks[name](isDeep)))
  const failed = results.flatMap((result, index) => {
    if (result.status === 'fulfilled') return []
    if (!(result.reason instanceof Failure)) throw result.reason
    return [names[index]]
  })
  if (failed.length > 0) throw new Failure(`not clean: ${failed.join(', ')}`)
}

/** Rewrites what the tools can put right by themselves. */
async function format() {
  await runNode('node_modules/eslint/bin/eslint.js', ['.', '--fix'])
  await runNode('node_modules/prettier/bin/prettier.cjs', ['.', '--log-level=warn', '--write'])
  await clangFormat(true)
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    const { fix: isFixing = false, deep: isDeep = false } = readCommandLine(import.meta.url, {
      options: { fix: { type: 'boolean' }, deep: { type: 'boolean' } },
    }).values
    await setup(testTools)
    if (isFixing) return format()
    await build({ web: false })
    await lint(isDeep)
  })
}
