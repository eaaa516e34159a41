import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of all this. */
export const here = dirname(dirname(fileURLToPath(import.meta.url)))

/** A program that a package brings. @param {string} name */
export const binary = (name) => join(here, 'node_modules/.bin', name)

/** @param {string} name of an installed package @returns {string} */
export const versionOf = (name) =>
  JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8')).version

/** How long one environment may take, ms. */
const PATIENCE = 240_000

/**
 * Runs a program to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<string>} what it printed on stdout; rejects with all that it printed
 */
export function execute(command, args, { cwd = here, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = start(command, args, { cwd, env })
    let out = ''
    let all = ''
    child.stdout.on('data', (text) => (out += text))
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (all += text))
    const timer = setTimeout(() => stop(child), PATIENCE)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(out.trim())
      else reject(new Error(`${signal ?? `exit code ${code}`}: ${all.trim()}`))
    })
  })
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} options
 */
const start = (command, args, { cwd = here, env = {} }) =>
  spawn(command, args, {
    cwd,
    env: {
      ...process.env,
      NO_COLOR: '1',
      NEXT_TELEMETRY_DISABLED: '1',
      WRANGLER_SEND_METRICS: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that its helpers end with it.
    detached: true,
  })

/** @param {import('node:child_process').ChildProcess} child ends it and its helpers */
function stop({ pid }) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}

/**
 * Starts a server, and ends it after the action.
 * @template T
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, address: string, env?: Record<string, string> }} options `address` answers once it is there
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function withServer(command, args, { cwd, address, env }, action) {
  const child = start(command, args, { cwd, env })
  let all = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (all += text))
  try {
    await answered(
      address,
      () => child.exitCode !== null,
      () => all,
    )
    return await action()
  } catch (error) {
    throw new Error(`${error}\n${all.slice(-3000)}`, { cause: error })
  } finally {
    stop(child)
  }
}

/**
 * @param {string} address
 * @param {() => boolean} hasEnded
 * @param {() => string} printed
 */
async function answered(address, hasEnded, printed) {
  for (const end = performance.now() + PATIENCE; performance.now() < end;) {
    if (hasEnded()) throw new Error(`the server ended: ${printed()}`)
    const is = await fetch(address).then(
      () => true,
      () => false,
    )
    if (is) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the server does not answer')
}

/**
 * An empty folder with these files.
 * @param {string} folder
 * @param {Record<string, string>} files
 */
export function writeFiles(folder, files) {
  rmSync(folder, { recursive: true, force: true })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

let port = 41000

/** A port of this machine that no other environment of this run has. */
export const nextPort = () => port++
