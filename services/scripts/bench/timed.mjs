import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @param {string} path from the folder of the package */
export const pathOf = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
export const program = pathOf('source/command-line/moreau-services.mjs')

/** ms between two looks at how much memory a program has had */
const LOOK = 500

/**
 * Runs a program and what it starts.
 *
 * @param {string[]} words
 * @param {string} folder
 * @param {{ isShown?: boolean }} [options] `isShown`: what it tells on the way is shown
 * @returns {Promise<{ output: string, wall: number, processor: number, memory: number }>} s; `processor` of all that it started; `memory`: MB that
 *   the program itself had at most
 */
export async function timed(words, folder, { isShown = false } = {}) {
  // Only a shell tells what processes took that somebody else has waited for.
  const script = 'TIMEFORMAT="processor %U %S"; time "$@"'
  const began = performance.now()
  const child = spawn('bash', ['-c', script, 'bash', ...words], { cwd: folder })
  let [output, errors, memory] = ['', '', 0]
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => {
    errors += text
    if (isShown) process.stderr.write(text)
  })
  const timer = setInterval(() => (memory = memoryBelow(Number(child.pid)) ?? memory), LOOK)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  if (code !== 0) throw new Error(`${words.join(' ')}: ${errors}`)
  const [, user, system] = /processor ([\d.]+) ([\d.]+)/.exec(errors) ?? []
  const wall = (performance.now() - began) / 1000
  return { output, wall, processor: Number(user) + Number(system), memory }
}

/** @param {number} shell @returns {number | undefined} MB that the program of a shell had at most, as long as it runs */
function memoryBelow(shell) {
  try {
    const [id] = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').split(' ')
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1000
  } catch {
    return undefined
  }
}
