// npm run site: builds the site (site/) to static files in build/site and serves them.
//
//   npm run site                       builds and serves until interrupted
//   npm run site -- --no-serve         ends after the build, which fails where a link leads nowhere
//   SITE_BASE=/moreau/ npm run site    for a host that has the site under that path

import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { helpIfAsked } from './command-line.mjs'
import { buildTools, setup } from './setup.mjs'
import { isMain, isStale, root, run, runMain, runNode, stage } from './tools.mjs'

const VITEPRESS = 'site/node_modules/vitepress/bin/vitepress.js'

/** Installs the packages of site/package-lock.json. */
async function installSiteModules() {
  const lock = 'site/package-lock.json'
  if (!isStale(['site/node_modules/.package-lock.json'], [lock])) return
  console.error(`Installing the dependencies of ${lock}: npm ci`)
  const options = ['--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['ci', ...options], { folder: 'site', quiet: true })
}

/** Puts the page with the scenes beside the pages of the site, where links to `demo/` find it. */
function placeDemo() {
  const folder = join(root, 'build/site-public')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'dist-web'), join(folder, 'demo'), { recursive: true })
}

/** Everything of the site, in build/site. */
export async function buildSite() {
  await setup(buildTools)
  await build({ web: true })
  await installSiteModules()
  placeDemo()
  await stage('site', () => runNode(VITEPRESS, ['build', 'site'], { quiet: true }))
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    helpIfAsked(import.meta.url)
    const options = process.argv.slice(2)
    await buildSite()
    if (options.includes('--no-serve')) return
    console.log('\n== site (Ctrl+C ends)')
    await runNode(VITEPRESS, ['preview', 'site', ...options])
  })
}
