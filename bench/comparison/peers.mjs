/**
 * The peers are a package of their own (bench/peers), which only this comparison needs.
 */
import { existsSync } from 'node:fs'
import { Failure, run, isStale } from '../../scripts/tools.mjs'

const FOLDER = 'bench/peers'
/** Offline, npm's own patience takes more than a minute. */
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retry-mintimeout=1000']

/**
 * Installs the peers that bench/peers/package-lock.json names, if that was not done yet.
 *
 * @param {string[]} engines those that are to be measured
 */
export async function installPeers(engines) {
  if (engines.every((name) => name === 'moreau')) return
  const installed = `${FOLDER}/node_modules/.package-lock.json`
  if (!isStale([installed], [`${FOLDER}/package-lock.json`])) return
  process.stderr.write(`Installing the engines of ${FOLDER}/package-lock.json: npm ci\n`)
  try {
    await run('npm', ['ci', '--prefix', FOLDER, ...OPTIONS])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const kept = existsSync(new URL('../peers/node_modules', import.meta.url))
    throw new Failure(
      `The other engines could not be installed${kept ? ' anew' : ''}; that needs the network once. ` +
        `Offline, measure Moreau alone: npm run bench -- --engine moreau`,
    )
  }
}
