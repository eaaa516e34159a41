/**
 * Robots and models that Debian has: fetched by apt once into build/, which is no part of the repository.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { onPath, root } from '../../scripts/tools.mjs'

/** Atlas is in the one, the models of MuJoCo in the other. */
const PACKAGES = ['dart-doc', 'libmujoco-samples']
const FOLDER = join(root, 'build/import-samples')
/** ms */
const MOST_TIME = 120_000

/**
 * Fetches the packages where they are not there yet.
 * @returns {string | undefined} why they cannot be had
 */
export function fetchSamples() {
  if (existsSync(FOLDER)) return undefined
  if (!onPath('apt-get') || !onPath('dpkg-deb'))
    return 'no apt-get here: Atlas and MuJoCo samples are packages of Debian'
  const partial = `${FOLDER}.${process.pid}`
  try {
    mkdirSync(partial, { recursive: true })
    const options = /** @type {const} */ ({ cwd: partial, stdio: 'pipe', timeout: MOST_TIME })
    download(options)
    for (const file of readdirSync(partial).filter((name) => name.endsWith('.deb'))) {
      execFileSync('dpkg-deb', ['-x', file, '.'], options)
      rmSync(join(partial, file))
    }
    // Renamed into place, so that half of it is not taken for the whole.
    renameSync(partial, FOLDER)
    return undefined
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    const [line] = String(/** @type {any} */ (error).stderr ?? error)
      .trim()
      .split('\n')
      .slice(-1)
    return `apt could not be reached for ${PACKAGES.join(' and ')}: ${line}`
  }
}

/**
 * A fresh machine has no lists of packages yet.
 * @param {import('node:child_process').ExecFileSyncOptions} options
 */
function download(options) {
  const args = ['download', ...PACKAGES]
  try {
    execFileSync('apt-get', args, options)
  } catch {
    execFileSync('apt-get', ['update'], options)
    execFileSync('apt-get', args, options)
  }
}

/**
 * @param {string} path in the packages
 * @returns {string}
 */
export function sample(path) {
  const whole = join(FOLDER, path)
  if (existsSync(whole)) return readFileSync(whole, 'utf8')
  return gunzipSync(readFileSync(`${whole}.gz`)).toString('utf8')
}

/** @param {string} path below MuJoCo's models */
export const mujocoSample = (path) => sample(join('usr/share/mujoco/model', path))

/** Vertices and triangles of a Wavefront file. @param {string} text */
export function readObj(text) {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  const vertices = lines
    .filter(([word]) => word === 'v')
    .flatMap(([, ...xyz]) => xyz.slice(0, 3).map(Number))
  const indices = lines
    .filter(([word]) => word === 'f')
    .flatMap(([, ...corners]) => {
      const at = corners.map((corner) => Number(corner.split('/')[0]) - 1)
      return at.slice(2).flatMap((last, i) => [at[0], at[i + 1], last])
    })
  return { vertices, indices }
}
