// The services (services/): sets up what they need, then runs one of their scripts under a Node that is new enough for them.
//
//   npm run services              starts Redis in a temporary folder, runs the demo and reports
//   npm run test:services         tests them against a real Redis
//   node scripts/services.mjs <script of services/scripts> [arguments]

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.mjs'
import { asksForHelp, helpIfAsked, usageOf } from './command-line.mjs'
import { buildTools, setup } from './setup.mjs'
import { Failure, isMain, isStale, root, run, runMain, runNode } from './tools.mjs'

/** What the services need besides the package. */
const serviceTools = [...buildTools, 'redis', 'chromium']

/** Installs the packages of services/package-lock.json. */
async function installServiceModules() {
  const lock = 'services/package-lock.json'
  if (!isStale(['services/node_modules/.package-lock.json'], [lock])) return
  console.error(`Installing the dependencies of ${lock}: npm ci`)
  // The package that carries Node 22 is of Linux on x64; elsewhere npm is told to take it along unused.
  const hasOwnNode = process.platform === 'linux' && process.arch === 'x64'
  const options = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    ...(hasOwnNode ? [] : ['--force']),
  ]
  // npm reads services/.npmrc only where it runs there.
  await run('npm', ['ci', ...options], { folder: 'services', quiet: true })
}

/**
 * Puts the package where the services find it, as `npm pack` makes it. The lockfile cannot name it: it would have to change with every build.
 */
async function installPackedMoreau() {
  const installed = 'services/node_modules/moreau'
  if (!isStale([`${installed}/package.json`], ['dist', 'package.json'])) return
  const folder = mkdtempSync(join(tmpdir(), 'moreau-pack-'))
  try {
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { quiet: true })
    rmSync(join(root, installed), { recursive: true, force: true })
    mkdirSync(join(root, installed))
    const [archive] = readdirSync(folder)
    // -m: files are as old as their unpacking, so that a newer build is seen.
    const options = ['-xzmf', join(folder, archive), '--strip-components=1', '-C', installed]
    await run('tar', options)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Everything that the services' scripts need: tools, the built package, and packages of their own. */
export async function setupServices() {
  await setup(serviceTools)
  await build({ web: false })
  await installServiceModules()
  await installPackedMoreau()
}

/**
 * Runs a script of services/scripts.
 * @param {string} name without .mjs
 * @param {string[]} [args]
 * @param {Parameters<typeof runNode>[2]} [options]
 */
export const runServiceScript = (name, args = [], options = {}) =>
  runNode('services/scripts/run.mjs', [`services/scripts/${name}.mjs`, ...args], options)

if (isMain(import.meta.url)) {
  await runMain(async () => {
    const [name = '', ...args] = process.argv.slice(2)
    if (asksForHelp([name])) helpIfAsked(import.meta.url)
    const script = join(root, `services/scripts/${name}.mjs`)
    if (!name || !existsSync(script)) {
      throw new Failure(`usage: node scripts/services.mjs <script of services/scripts> [arguments]`)
    }
    if (asksForHelp(args)) return console.log(usageOf(script))
    await setupServices()
    await runServiceScript(name, args)
  })
}
