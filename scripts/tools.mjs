// Small helpers of the scripts in this folder. What they say goes to stderr: stdout belongs to the program that is run. Node's built-ins only: they run before anything is installed.

import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { setPriority } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { helpIfAsked } from './command-line.mjs'

/** The repository's root. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Of stages beside which others keep to real time; 0 is that of other programs, 19 the lowest. */
const BACKGROUND = 10

/** A failure that needs no stack trace: what went wrong was printed, or is the message. */
export class Failure extends Error {}

/**
 * Runs a program and shows what it prints.
 * @param {string} command
 * @param {string[]} [args]
 * @param {{ env?: Record<string, string | undefined>, quiet?: boolean, late?: boolean, folder?: string }} [options] `env` is added to the
 *   environment; `quiet` shows the output only if the program fails, `late` once it has ended; `folder` is where it runs, from the root
 * @returns {Promise<void>} rejects with a Failure if the program fails
 */
export function run(command, args = [], { env, quiet = false, late = false, folder = '.' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: join(root, folder),
      env: { ...process.env, ...env },
      stdio: quiet || late ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    })
    /** @type {Buffer[]} */
    const output = []
    child.stdout?.on('data', (chunk) => output.push(chunk))
    child.stderr?.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => reject(new Failure(`${command}: ${error.message}`)))
    child.on('close', (code, signal) => {
      if (late || code !== 0) process.stderr.write(Buffer.concat(output))
      if (code === 0) return resolve()
      const shown = [command, ...args].join(' ')
      reject(
        new Failure(
          `failed (${signal ?? `exit code ${code}`}): ${shown.length > 200 ? `${shown.slice(0, 200)}...` : shown}`,
        ),
      )
    })
  })
}

/**
 * Runs a JavaScript file with this Node.
 * @param {string} file from the root
 * @param {string[]} [args]
 * @param {Parameters<typeof run>[2]} [options]
 */
export const runNode = (file, args = [], options) => run(process.execPath, [file, ...args], options)

/**
 * The path of the first of these programs that PATH has.
 * @param {...string} names
 */
export function onPath(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(folder, name)
      try {
        accessSync(path, constants.X_OK)
        if (statSync(path).isFile()) return path
      } catch {
        // not here
      }
    }
  }
  return undefined
}

/** A Chromium or Chrome for the browser tests; CHROMIUM_PATH names one that is elsewhere. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const applications = [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]
  return (
    onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
    applications.find(existsSync)
  )
}

/**
 * All files below a file or folder, sorted, as paths from the root. Nothing if it does not exist.
 * @param {string} path from the root
 * @param {RegExp} [name] what the file's name must match
 * @param {string} [tree] another root
 * @returns {string[]}
 */
export function filesBelow(path, name = /./, tree = root) {
  const full = join(tree, path)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [path]
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => relative(tree, join(entry.parentPath, entry.name)))
    .sort()
}

/**
 * Whether an output is missing or older than an input, all as paths from the root. A folder stands for the files below it.
 * @param {string[]} outputs
 * @param {string[]} inputs
 */
export function isStale(outputs, inputs) {
  /** @param {string[]} paths */
  const times = (paths) =>
    paths.flatMap((path) => filesBelow(path)).map((path) => statSync(join(root, path)).mtimeMs)
  if (outputs.some((path) => filesBelow(path).length === 0)) return true
  return Math.max(...times(inputs)) > Math.min(...times(outputs))
}

/**
 * Runs one stage of a longer job: prints its name before and its time after.
 * @template T
 * @param {string} title
 * @param {() => Promise<T> | T} work
 * @returns {Promise<T>}
 */
export async function stage(title, work) {
  console.error(`\n== ${title}`)
  const start = performance.now()
  try {
    return await work()
  } finally {
    console.error(`-- ${title}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
}

/**
 * @typedef {object} Stage
 * @property {string} title
 * @property {boolean} [isExtra] whether it runs only by name
 * @property {boolean} [isBeside] whether it waits more than it computes, so that it runs beside the others
 * @property {() => Promise<boolean | void>} [prepare] what cannot run beside others; false: there is nothing to do
 * @property {(isBeside: boolean) => Promise<void>} work whether others run meanwhile
 */

/**
 * Runs stages by their names; a stage that fails keeps no other from running, as a person wants to see all that is broken.
 * @param {Record<string, Stage>} stages
 * @param {string[]} names those to run; none: all but the extra ones
 */
export async function runStages(stages, names) {
  /** @type {Map<string, string>} */
  const failed = new Map()
  /** @param {string} name @param {() => Promise<boolean | void>} [work] */
  const attempt = async (name, work) => {
    try {
      return await work?.()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      console.error(error.message)
      failed.set(name, error.message)
      return false
    }
  }
  const chosen = Object.entries(stages).filter(([name, { isExtra }]) =>
    names.length > 0 ? names.includes(name) : !isExtra,
  )
  const [beside, others] = [true, false].map((is) =>
    chosen.filter(([, { isBeside = false }]) => isBeside === is),
  )
  const isBeside = others.length > 0
  /** @type {Promise<unknown>[]} */
  const underway = []
  for (const [name, { title, prepare, work }] of beside) {
    if ((await attempt(name, prepare)) === false) continue
    underway.push(attempt(name, () => stage(title, () => work(isBeside))))
  }
  // What keeps to real time comes first, where there are not cores for all.
  if (underway.length > 0 && isBeside) setPriority(BACKGROUND)
  for (const [name, { title, work }] of others) {
    await attempt(name, () => stage(title, () => work(underway.length > 0)))
  }
  await Promise.all(underway)
  if (failed.size > 0) {
    // Again, as what came after a stage may be many screens.
    const why = [...failed].map(([name, message]) => `${name}: ${message}`)
    throw new Failure([`FAILED: ${[...failed.keys()].join(', ')}`, ...why].join('\n'))
  }
  console.log('\nAll passed.')
}

/**
 * The names of stages that the command line asks for.
 * @param {string} url of the program
 * @param {Record<string, { title: string }>} stages
 * @returns {string[]} none: all but the extra ones
 */
export function chosenStages(url, stages) {
  const titles = Object.entries(stages).map(
    ([name, { title }]) => `\n  ${name.padEnd(10)} ${title}`,
  )
  helpIfAsked(url, `\n\nStages:${titles.join('')}`)
  const chosen = process.argv.slice(2)
  const unknown = chosen.filter((name) => !(name in stages))
  if (unknown.length === 0) return chosen
  const names = Object.keys(stages).join(', ')
  throw new Failure(`unknown: ${unknown.join(', ')}; stages are ${names}`)
}

/**
 * Runs a script's main function; a Failure ends the process with code 1 and one line.
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof Failure ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}

/**
 * Whether the module with this `import.meta.url` is the script that Node was started with.
 * @param {string} url
 */
export const isMain = (url) => realpathSync(process.argv[1]) === fileURLToPath(url)

/** @param {Buffer} bytes */
export const kilobytes = (bytes) =>
  `${(bytes.length / 1024).toFixed(0)} KB, ${(gzipSync(bytes, { level: 9 }).length / 1024).toFixed(0)} KB gzipped`
