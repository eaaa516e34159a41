/**
 * What the package has besides what is written by hand: declarations for TypeScript, and the licence. `npm pack` runs it.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const pathOf = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

rmSync(pathOf('types'), { recursive: true, force: true })
const compiler = pathOf('../node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '--project', pathOf('tsconfig.types.json')], {
  stdio: 'inherit',
})
copyFileSync(pathOf('../LICENSE'), pathOf('LICENSE'))
