// npm run test:environments: the package as npm packs it, in what people use it in.
//
//   npm run test:environments                      all of them
//   npm run test:environments -- Bun 'Node 22'     those whose names begin like this
//   npm run test:environments -- --write           all, and the table of docs/environments.md, of the last run of each

import { join } from 'node:path'
import { readCommandLine } from '../scripts/command-line.mjs'
import { Failure, isMain, runMain, stage } from '../scripts/tools.mjs'
import { prepare } from './lib/prepare.mjs'
import { ENTRY } from './lib/programs.mjs'
import { remember, writeTable } from './lib/table.mjs'
import { here } from './lib/tools.mjs'

/** @import { Kind } from './lib/programs.mjs' */

/**
 * Something that the package is used in.
 * @typedef {object} Environment
 * @property {string} name
 * @property {string} [version] of what it is, if it has one
 * @property {string} setUp the line that a user needs, in Markdown
 * @property {Kind[]} kinds of the package that there are for it
 * @property {(kind: Kind, folder: string, expected: string) => Promise<string>} run gives the hash; the folder is its own
 */

/**
 * What came of an environment.
 * @typedef {object} Outcome
 * @property {Environment} environment
 * @property {Partial<Record<Kind, string>>} results `works`, or what went wrong
 */

/** @returns {Promise<Environment[]>} */
async function environments() {
  const lists = await Promise.all([
    import('./list/runtimes.mjs').then(({ runtimes }) => runtimes),
    import('./list/typescript.mjs').then(({ typescripts }) => typescripts),
    import('./list/bundlers.mjs').then(({ bundlers }) => bundlers),
    import('./list/frameworks.mjs').then(({ frameworks }) => frameworks),
    import('./list/testers.mjs').then(({ testers }) => testers),
    import('./list/pages.mjs').then(({ pages }) => pages),
  ])
  return lists.flat()
}

/**
 * @param {Environment} environment
 * @param {string} expected
 * @returns {Promise<Outcome>}
 */
async function tryOut(environment, expected) {
  /** @type {Outcome['results']} */
  const results = {}
  for (const kind of environment.kinds) {
    const folder = join(here, 'build', folderName(`${environment.name} ${kind}`))
    const result = await environment.run(kind, folder, expected).then(
      (hash) => (hash === expected ? 'works' : `gives ${hash}, not ${expected}`),
      (error) => String(error instanceof Error ? error.message : error),
    )
    console.error(`${result === 'works' ? 'ok' : 'NOT OK'} ${environment.name}: ${ENTRY[kind]}`)
    if (result !== 'works') console.error(result.slice(-4000))
    results[kind] = result
  }
  return { environment, results }
}

/** @param {string} name */
const folderName = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** One after the other: each keeps several cores busy. @param {string[]} names how they begin; none: all */
async function tryAll(names) {
  const { expected } = await stage('package and environments', prepare)
  const all = await environments()
  const unknown = names.filter((start) => !all.some(({ name }) => name.startsWith(start)))
  if (unknown.length > 0) {
    const known = all.map(({ name }) => name).join('; ')
    throw new Failure(`unknown: ${unknown.join(', ')}; environments are ${known}`)
  }
  const chosen = all.filter(
    ({ name }) => names.length === 0 || names.some((start) => name.startsWith(start)),
  )
  const outcomes = []
  for (const environment of chosen) {
    const outcome = await tryOut(environment, expected)
    remember(outcome)
    outcomes.push(outcome)
  }
  return outcomes
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    const { values, positionals } = readCommandLine(import.meta.url, {
      allowPositionals: true,
      options: { write: { type: 'boolean' } },
    })
    const outcomes = await tryAll(positionals)
    if (values.write) writeTable(await environments())
    const results = outcomes.flatMap(({ results: of }) => Object.values(of))
    const failed = results.filter((result) => result !== 'works').length
    console.log(`${results.length - failed} passed, ${failed} failed`)
    if (failed > 0 || results.length === 0) throw new Failure('environments: FAILED')
  })
}
