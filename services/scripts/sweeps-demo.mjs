/**
 * The demo of the sweeps: dominoes at 16 distances, by two processes over Redis.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const pathOf = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** @param {string} redis URL */
export async function runSweepsDemo(redis) {
  const folder = await mkdtemp(join(tmpdir(), 'moreau-demo-'))
  const words = [
    ...['sweep', pathOf('scenes/domino.mjs'), '--grid', 'gap=0.02:0.2:16'],
    ...['--random', 'friction=0.1:0.9', '--runs', '320', '--workers', '2', '--redis', redis],
    ...['--csv', 'rows.csv', '--plot', 'plot.svg'],
  ]
  console.log(`moreau-services ${words.join(' ')}`)
  const program = pathOf('source/command-line/moreau-services.mjs')
  try {
    const child = spawn(process.execPath, [program, ...words], { cwd: folder, stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`the demo's sweep ended with code ${code}`)
  } finally {
    await rm(folder, { recursive: true })
  }
}
