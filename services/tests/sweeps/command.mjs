/**
 * The command line as a process of its own.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(
  new URL('../../source/command-line/moreau-services.mjs', import.meta.url),
)

/** ms between two looks at what a process did */
const LOOK = 20

/** A command that runs. */
export class Command {
  output = ''
  errors = ''
  #child
  #ended

  /** @param {readonly (string | number)[]} words @param {string} folder where it runs */
  constructor(words, folder) {
    this.#child = spawn(process.execPath, [program, ...words.map(String)], { cwd: folder })
    this.#child.stdout.on('data', (text) => (this.output += text))
    this.#child.stderr.on('data', (text) => (this.errors += text))
    this.#ended = once(this.#child, 'close')
  }

  /** @param {NodeJS.Signals} signal */
  kill = (signal) => this.#child.kill(signal)

  /** @returns {Promise<number | null>} its exit code, once it has ended */
  async end() {
    await this.#ended
    return this.#child.exitCode
  }

  /** @returns {number[]} ids of the processes that it started */
  children = () => childrenOf(Number(this.#child.pid))

  /** The hash of the table that it reported. */
  get hash() {
    const [, hash] = /table ([0-9a-f]{64})/.exec(this.output) ?? []
    if (!hash) throw new Error(`no table in: ${this.output}${this.errors}`)
    return hash
  }
}

/** @param {number} parent @returns {number[]} */
function childrenOf(parent) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number)
}

/** @param {string} id of a process */
function parentOf(id) {
  try {
    // The name before it is in brackets and may have any signs.
    const [, after] = /^.*\) (.*)$/.exec(readFileSync(`/proc/${id}/stat`, 'utf8').trim()) ?? []
    return Number(after?.split(' ')[1])
  } catch {
    return undefined
  }
}

/** @param {number} id of a process */
export function isAlive(id) {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${id}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits until something holds. @param {() => unknown} holds @param {string} what @param {number} [seconds] */
export async function until(holds, what, seconds = 240) {
  const end = performance.now() + 1000 * seconds
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK))
  }
}

/** Runs a command to its end. @param {readonly (string | number)[]} words @param {string} folder */
export function runCommand(words, folder) {
  const options = /** @type {const} */ ({ cwd: folder, encoding: 'utf8' })
  return spawnSync(process.execPath, [program, ...words.map(String)], options)
}
