import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/tools.mjs'
import { here } from './tools.mjs'

/** @import { Kind } from './programs.mjs' */
/** @import { Environment, Outcome } from '../run.mjs' */

/** What came of each environment by its name, in the last run that it was part of. */
const MEMORY = join(here, 'build/outcomes.json')

/** @type {Kind[]} */
const KINDS = ['inlined', 'slim', 'threads']

const FILE = join(root, 'docs/environments.md')
const BEGIN = '<!-- written by npm run test:environments -- --write -->'
const END = '<!-- end -->'

/** @returns {Record<string, Outcome['results']>} */
const remembered = () => (existsSync(MEMORY) ? JSON.parse(readFileSync(MEMORY, 'utf8')) : {})

/** Keeps what came of an environment for the table. @param {Outcome} outcome */
export function remember({ environment, results }) {
  const all = { ...remembered(), [environment.name]: results }
  writeFileSync(MEMORY, `${JSON.stringify(all, null, 2)}\n`)
}

/**
 * @param {Environment} environment
 * @param {Outcome['results']} [results] none: it was never run
 */
function row({ name, version = '', setUp, kinds }, results) {
  const cells = KINDS.map((kind) => {
    if (!kinds.includes(kind)) return ''
    const result = results?.[kind]
    return result === undefined ? 'not tried' : result === 'works' ? 'yes' : '**no**'
  })
  return `| ${[name, version, ...cells, setUp].join(' | ')} |`
}

/** Writes the table of docs/environments.md. @param {Environment[]} environments */
export function writeTable(environments) {
  const results = remembered()
  const table = [
    '| in | version | `moreau` | `moreau/slim` | `moreau/threads` | set-up |',
    '| --- | --- | --- | --- | --- | --- |',
    ...environments.map((environment) => row(environment, results[environment.name])),
  ].join('\n')
  const text = readFileSync(FILE, 'utf8')
  const [before, rest] = text.split(BEGIN)
  const after = rest.split(END)[1]
  writeFileSync(FILE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`)
}
