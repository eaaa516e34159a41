// The command lines of scripts, benchmarks and test programs. What a program takes is said once, in the comment at its head, which
// `--help` prints. Node's built-ins only: scripts run before anything is installed.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** @import { ParseArgsConfig } from 'node:util' */

/** Lines that begin with `//`, or a block, at the head of a file, after what names its interpreter. */
const HEAD = /^(?:#!.*\n)?(?:\/\*\*\n(?<block>[^]*?)\n \*\/|(?<lines>(?:\/\/.*\n)+))/

/** The code of a process whose command line is wrong, as that of `moreau`. */
const WRONG_USAGE = 2

/**
 * What a program is for and what it takes.
 * @param {string} file
 * @returns {string} the comment at its head
 */
export function usageOf(file) {
  const { block, lines } = HEAD.exec(readFileSync(file, 'utf8'))?.groups ?? {}
  if (block !== undefined) return block.replace(/^ \* ?/gm, '')
  if (lines !== undefined) return lines.replace(/^\/\/ ?/gm, '').trimEnd()
  throw new Error(`${file} has no comment at its head`)
}

/** @param {readonly string[]} words of a command line */
export const asksForHelp = (words) => words.includes('--help') || words.includes('-h')

/**
 * Prints what the program is for and ends the process, if that is asked for.
 * @param {string} url of the program, its `import.meta.url`
 * @param {string} [more] behind that
 */
export function helpIfAsked(url, more = '') {
  if (!asksForHelp(process.argv.slice(2))) return
  console.log(usageOf(fileURLToPath(url)) + more)
  process.exit()
}

/**
 * Reads the command line as `parseArgs` of Node does. `--help` prints what the program is for, and a word that it does not take what is wrong
 * with it; both end the process. To be called before anything is done.
 * @template {ParseArgsConfig} Config
 * @param {string} url of the program, its `import.meta.url`
 * @param {Config} [config] none: it takes nothing
 * @returns {ReturnType<typeof parseArgs<Config>>}
 */
export function readCommandLine(url, config) {
  helpIfAsked(url)
  try {
    return parseArgs(/** @type {Config} */ (config ?? {}))
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    // Behind the first sentence Node explains how to pass a file whose name begins like an option.
    console.error(`${message.split('. ')[0]}; --help says what there is`)
    process.exit(WRONG_USAGE)
  }
}
