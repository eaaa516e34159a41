/**
 * Runs a program under the Node of the services: node run.mjs <file> [arguments]
 */
import { spawn } from 'node:child_process'
import { nodeOfServices } from './node.mjs'

const child = spawn(nodeOfServices(), process.argv.slice(2), { stdio: 'inherit' })
// The terminal sends Ctrl-C to both; the child decides what it means.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal ? 1 : 0)
})
