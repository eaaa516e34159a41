// clang-tidy over C files, side by side, and only over those that are not known to be clean: of each clean file a key is kept, made of all
// that the outcome depends on. A file that failed has no key, so it is looked at again.

import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readIncludes } from './include-graph.mjs'
import { Failure, filesBelow, run } from './tools.mjs'

/**
 * @typedef {object} Options
 * @property {string} tree the folder with src/, include/ and .clang-tidy
 * @property {string} build the folder of CMake with the compile commands; the keys are kept there
 * @property {string} tool the path of clang-tidy
 * @property {string[]} args more arguments
 */

/**
 * The headers of the tree that each file includes itself.
 * @param {string} tree
 */
function includesOf(tree) {
  const files = ['src', 'include'].flatMap((folder) => filesBelow(folder, /\.[ch]$/, tree))
  /** @type {Map<string, string[]>} */
  const includes = new Map(files.map((file) => [file, []]))
  for (const { file, owner } of readIncludes(tree, files)) includes.get(file)?.push(owner)
  return includes
}

/**
 * A file and all that it includes, directly or not.
 * @param {string} file
 * @param {Map<string, string[]>} includes
 */
function withHeaders(file, includes) {
  const found = new Set([file])
  // A set that grows while one walks it is walked to its end.
  for (const path of found) for (const header of includes.get(path) ?? []) found.add(header)
  return [...found].sort()
}

/**
 * The command that compiles each file, by its full path.
 * @param {string} build
 * @returns {Map<string, string>}
 */
function compileCommands(build) {
  /** @type {{ directory: string, file: string, command: string }[]} */
  const entries = JSON.parse(readFileSync(join(build, 'compile_commands.json'), 'utf8'))
  return new Map(entries.map(({ directory, file, command }) => [resolve(directory, file), command]))
}

/**
 * Makes keys of files: hashes of the texts of the file and of the tree's headers in it, how it is compiled, the checks, the tool and its
 * arguments. Headers of the system are taken to change with the tool.
 * @param {Options} options
 * @returns {(file: string) => string}
 */
function keyMaker({ tree, build, tool, args }) {
  const includes = includesOf(tree)
  const commands = compileCommands(build)
  const read = (/** @type {string} */ path) => readFileSync(join(tree, path), 'utf8')
  const version = execFileSync(tool, ['--version'], { encoding: 'utf8' })
  return (file) => {
    const texts = withHeaders(file, includes).flatMap((path) => [path, read(path)])
    const command = commands.get(resolve(tree, file)) ?? ''
    const parts = [version, ...args, read('.clang-tidy'), command, ...texts]
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  }
}

/**
 * Runs clang-tidy over the .c files of a tree's src/. Its headers are seen through them.
 * @param {Options} options
 */
export async function clangTidy(options) {
  const { tree, build, tool, args } = options
  const makeKey = keyMaker(options)
  const recordOf = (/** @type {string} */ file) => join(build, 'clang-tidy', file)
  const queue = filesBelow('src', /\.c$/, tree)
    .map((file) => ({ file, key: makeKey(file), record: recordOf(file) }))
    .filter(({ key, record }) => !existsSync(record) || readFileSync(record, 'utf8') !== key)
  let failures = 0
  const worker = async () => {
    for (let item = queue.shift(); item; item = queue.shift()) {
      try {
        await run(tool, ['--quiet', '-p', build, ...args, join(tree, item.file)], { quiet: true })
        mkdirSync(dirname(item.record), { recursive: true })
        writeFileSync(item.record, item.key)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        failures++
      }
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  if (failures > 0) throw new Failure(`clang-tidy: ${failures} files`)
}
