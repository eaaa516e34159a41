/**
 * The package as npm packs it, once for all test files, and examples installed from it in a folder that no repository is around.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesBelow, root } from '../../scripts/tools.mjs'

/** Where tarballs are kept, each in a folder of its own. */
const KEPT = join(root, 'build/packed')
const NAME = 'moreau.tgz'

/** The tarball of the files of now. Whoever asks first packs it, the others of the same run find it. @returns {string} path */
export function tarball() {
  const folder = join(KEPT, keyOfNow())
  if (!existsSync(join(folder, NAME))) pack(folder)
  return join(folder, NAME)
}

/** Names what would be packed, by times and sizes. */
function keyOfNow() {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const named = files.filter((/** @type {string} */ name) => !name.startsWith('!'))
  const paths = ['package.json', 'README.md', ...named].flatMap((path) => filesBelow(path))
  const hash = createHash('sha256')
  for (const path of paths) {
    const { mtimeMs, size } = statSync(join(root, path))
    hash.update(`${path} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** @param {string} folder that is to have it: it is there with its tarball or not at all */
function pack(folder) {
  mkdirSync(KEPT, { recursive: true })
  const old = readdirSync(KEPT).filter((name) => !name.startsWith('new-'))
  const made = mkdtempSync(join(KEPT, 'new-'))
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', made]
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
  renameSync(join(made, filename), join(made, NAME))
  try {
    renameSync(made, folder)
  } catch (error) {
    // Another file of tests was faster.
    rmSync(made, { recursive: true })
    if (!existsSync(join(folder, NAME))) throw error
  }
  for (const name of old) rmSync(join(KEPT, name), { recursive: true, force: true })
}

/** @returns {string} a fresh folder with the unpacked tarball in `package`; the caller removes it */
export function unpack() {
  const folder = mkdtempSync(join(tmpdir(), 'moreau-package-'))
  execFileSync('tar', ['-xf', tarball(), '-C', folder])
  return folder
}

/**
 * Does what `npm install` does in a folder, without a network: a link to each package of the repository's own, and `moreau` as
 * package.json names it, a link too.
 * @param {string} folder
 */
export function install(folder) {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules, { recursive: true })
  const ours = join(root, 'node_modules')
  for (const name of readdirSync(ours)) {
    if (name !== '.package-lock.json') symlinkSync(join(ours, name), join(modules, name))
  }
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const [, path] = /^file:(.*)$/.exec(dependencies.moreau) ?? []
  if (path !== undefined) symlinkSync(join(folder, path), join(modules, 'moreau'), 'junction')
}
