import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../../scripts/build.mjs'
import { buildTools, setup } from '../../scripts/setup.mjs'
import { isStale, root, run } from '../../scripts/tools.mjs'
import { printing, moduleText } from './programs.mjs'
import { execute, here, writeFiles } from './tools.mjs'

/**
 * Installs the environments and the package as npm packs it.
 * @returns {Promise<{ expected: string }>} the hash that every environment comes to: that of this Node
 */
export async function prepare() {
  await setup([...buildTools, 'chromium'])
  await build({ web: false })
  if (
    isStale(['environments/node_modules/.package-lock.json'], ['environments/package-lock.json'])
  ) {
    // By the lockfile, as `npm ci`; but that wants the optional packages of all platforms in it, and not every registry
    // has them.
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
    await run('npm', ['install', '--prefix', here, ...options])
  }
  installPackage()
  const folder = join(here, 'build/expected')
  writeFiles(folder, {
    'moreau.mjs': moduleText('inlined'),
    'main.mjs': printing("import { run } from './moreau.mjs'"),
  })
  return { expected: await execute(process.execPath, ['main.mjs'], { cwd: folder }) }
}

function installPackage() {
  const packed = join(here, 'build')
  mkdirSync(packed, { recursive: true })
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', packed]
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
  const installed = join(here, 'node_modules/moreau')
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  const unpack = ['-xf', join(packed, filename), '--strip-components=1', '-C', installed]
  execFileSync('tar', unpack)
}
