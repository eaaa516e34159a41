/**
 * Switches each mechanism of soft-step off in turn, in a copy of the tree, and names the tests that notice. Fails where none does.
 *
 *   node tests/mutants/run.mjs [--only name]
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from '../../scripts/command-line.mjs'
import { Failure, root, run, runMain } from '../../scripts/tools.mjs'
import { MUTANTS } from './mutants.mjs'

/** Where mutants are built: a copy of what a build reads. */
const COPY = join(root, 'build', 'mutants')
/** Folders and files of the copy. */
const COPIED = [
  ...['bin', 'bindings', 'bench', 'cmake', 'examples', 'include', 'scenarios', 'scripts', 'src'],
  ...['tests', 'web', 'environments', 'docs', 'CMakeLists.txt', 'CMakePresets.json', 'LICENSE'],
  ...['README.md', 'THIRD_PARTY_NOTICES.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'package.json'],
  ...['package-lock.json', 'tsconfig.json', 'tsconfig.types.json'],
]

function makeCopy() {
  rmSync(join(COPY, 'tests'), { recursive: true, force: true })
  mkdirSync(COPY, { recursive: true })
  for (const name of COPIED) {
    cpSync(join(root, name), join(COPY, name), {
      recursive: true,
      preserveTimestamps: true,
    })
  }
  rmSync(join(COPY, 'node_modules'), { force: true })
  symlinkSync(join(root, 'node_modules'), join(COPY, 'node_modules'))
}

/** @param {string[]} args of node @returns {Promise<boolean>} whether it ended well */
async function runsWell(args) {
  try {
    await run(process.execPath, args, { folder: 'build/mutants', quiet: true })
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** @param {import('./mutants.mjs').Mutant} mutant @param {boolean} isOff */
function write(mutant, isOff) {
  const text = readFileSync(join(root, mutant.file), 'utf8')
  if (text.split(mutant.code).length !== 2) {
    throw new Failure(`${mutant.name}: '${mutant.code}' does not occur once in ${mutant.file}`)
  }
  const changed = text.replace(mutant.code, () => mutant.without)
  writeFileSync(join(COPY, mutant.file), isOff ? changed : text)
}

/** @param {import('./mutants.mjs').Mutant} mutant @returns {Promise<string[]>} the tests that fail */
async function noticedBy(mutant) {
  write(mutant, true)
  const isBuilt = await runsWell(['scripts/build.mjs', '--no-web'])
  const failing = []
  for (const test of isBuilt ? mutant.tests : []) {
    if (!(await runsWell(['--test', test]))) failing.push(test)
  }
  write(mutant, false)
  if (!isBuilt) console.log(`${mutant.name}: the code does not compile without it`)
  return failing
}

await runMain(async () => {
  const { only } = readCommandLine(import.meta.url, {
    options: { only: { type: 'string' } },
  }).values
  makeCopy()
  const missed = []
  for (const mutant of MUTANTS.filter(({ name }) => !only || name === only)) {
    const failing = await noticedBy(mutant)
    console.log(`${mutant.name}: ${failing.join(', ') || 'nothing notices'}`)
    if (failing.length === 0) missed.push(mutant.name)
  }
  if (missed.length > 0) throw new Failure(`no test notices that these are off: ${missed}`)
})
