// Test runners, which have module systems and globals of their own.

import { commonText, moduleText } from '../lib/programs.mjs'
import { binary, execute, versionOf, writeFiles } from '../lib/tools.mjs'

/** @import { Environment } from '../run.mjs' */
/** @import { Kind } from '../lib/programs.mjs' */

/** @type {Kind[]} */
const ALL = ['inlined', 'slim', 'threads']

/** @param {string} expected */
const testText = (expected) =>
  `test('moreau', async () => { expect(await run()).toBe('${expected}') })\n`

/** @type {Environment} */
const vitest = {
  name: 'Vitest',
  version: versionOf('vitest'),
  setUp: 'none',
  kinds: ALL,
  async run(kind, folder, expected) {
    writeFiles(folder, {
      'moreau.js': moduleText(kind),
      'a.test.js': `import { expect, test } from 'vitest'
import { run } from './moreau.js'\n${testText(expected)}`,
      'package.json': '{ "type": "module" }',
    })
    await execute(binary('vitest'), ['run', '--root', folder], { cwd: folder })
    return expected
  },
}

/**
 * @param {string} name
 * @param {boolean} isModule
 * @param {string} host
 * @param {string} setUp
 * @param {Kind[]} kinds
 * @returns {Environment}
 */
const jest = (name, isModule, host, setUp, kinds) => ({
  name: `Jest, ${name}`,
  version: versionOf('jest'),
  setUp,
  kinds,
  async run(kind, folder, expected) {
    const head = isModule
      ? "import { run } from './moreau.js'\n"
      : "const { run } = require('./moreau.js')\n"
    writeFiles(folder, {
      'moreau.js': isModule ? moduleText(kind) : commonText(kind),
      'a.test.js': head + testText(expected),
      'package.json': JSON.stringify({
        type: isModule ? 'module' : 'commonjs',
        jest: { testEnvironment: host, transform: {}, rootDir: '.' },
      }),
    })
    const env = { NODE_OPTIONS: isModule ? '--experimental-vm-modules' : '' }
    await execute(binary('jest'), ['--rootDir', folder, '--watchman=false'], { cwd: folder, env })
    return expected
  },
})

/** @type {Environment[]} */
export const testers = [
  vitest,
  jest('CommonJS', false, 'node', 'none', ALL),
  jest(
    'ES modules',
    true,
    'node',
    '`NODE_OPTIONS=--experimental-vm-modules`, `transform: {}`',
    ALL,
  ),
  jest('jsdom', false, 'jsdom', '`testEnvironment: jsdom`', ['inlined']),
]
