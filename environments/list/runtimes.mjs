// Programs without a page: Node, Bun, Deno, workerd.

import { join } from 'node:path'
import { commonText, moduleText, printing } from '../lib/programs.mjs'
import {
  binary,
  execute,
  here,
  nextPort,
  versionOf,
  withServer,
  writeFiles,
} from '../lib/tools.mjs'

/** @import { Kind } from '../lib/programs.mjs' */
/** @import { Environment } from '../run.mjs' */

const IMPORTED = printing("import { run } from './moreau.mjs'")
const REQUIRED = printing("const { run } = require('./moreau.cjs')")

/** What Node 21 has not, which nobody maintains any more: `process.getBuiltinModule`. */
const ONLY_INLINED = 'out of its time; of the entries only `moreau`'

/** @param {string} version of Node @returns {Environment[]} */
const nodes = (version) => {
  const isWhole = version !== '21'
  const kinds = /** @type {Kind[]} */ (isWhole ? ['inlined', 'slim', 'threads'] : ['inlined'])
  const setUp = isWhole ? 'none' : ONLY_INLINED
  const name = `node${version}`
  const program = join(here, 'node_modules', name, 'bin/node')
  return [
    {
      name: `Node ${version}, import`,
      version: versionOf(name),
      setUp,
      kinds,
      run: (kind, folder) => {
        writeFiles(folder, { 'moreau.mjs': moduleText(kind), 'main.mjs': IMPORTED })
        return execute(program, ['main.mjs'], { cwd: folder })
      },
    },
    {
      name: `Node ${version}, require`,
      version: versionOf(name),
      setUp,
      kinds,
      run: (kind, folder) => {
        writeFiles(folder, { 'moreau.cjs': commonText(kind), 'main.cjs': REQUIRED })
        return execute(program, ['main.cjs'], { cwd: folder })
      },
    },
  ]
}

/** @type {Environment} */
const bun = {
  name: 'Bun',
  version: versionOf('bun'),
  setUp: 'none',
  kinds: ['inlined', 'slim', 'threads'],
  run: (kind, folder) => {
    writeFiles(folder, { 'moreau.mjs': moduleText(kind), 'main.mjs': IMPORTED })
    const program = join(here, 'node_modules/@oven', `bun-${process.platform}-${process.arch}`)
    return execute(join(program, 'bin/bun'), ['main.mjs'], { cwd: folder })
  },
}

/** @type {Environment} */
const deno = {
  name: 'Deno',
  version: versionOf('deno'),
  setUp: '`moreau/slim`: `--allow-read`',
  kinds: ['inlined', 'slim', 'threads'],
  run: (kind, folder) => {
    writeFiles(folder, {
      'moreau.mjs': moduleText(kind),
      'main.mjs': IMPORTED,
      'package.json': '{ "dependencies": { "moreau": "*" } }',
    })
    const rights = kind === 'slim' ? ['--allow-read'] : []
    const args = ['run', '--no-prompt', '--node-modules-dir=manual', ...rights, 'main.mjs']
    return execute(process.execPath, [join(here, 'node_modules/deno/bin.cjs'), ...args], {
      cwd: folder,
    })
  },
}

/** @type {Environment} */
const workerd = {
  name: 'workerd (Cloudflare Workers, by wrangler)',
  version: versionOf('wrangler'),
  setUp: "`moreau/slim`: `import wasm from 'moreau/moreau.wasm'`, `init({ wasm })`",
  kinds: ['inlined', 'slim'],
  run: (kind, folder) => {
    const isSlim = kind === 'slim'
    writeFiles(folder, {
      'moreau.mjs': moduleText(
        kind,
        isSlim ? 'wasm' : '',
        isSlim ? "import wasm from 'moreau/moreau.wasm'" : '',
      ),
      'main.mjs': `import { run } from './moreau.mjs'
export default { fetch: async () => new Response(await run()) }\n`,
      'wrangler.json': JSON.stringify({
        name: `moreau-${kind}`,
        main: 'main.mjs',
        compatibility_date: '2026-01-01',
      }),
    })
    const port = nextPort()
    const address = `http://127.0.0.1:${port}/`
    const args = [
      'dev',
      '--port',
      `${port}`,
      '--inspector-port',
      `${nextPort()}`,
      '--ip',
      '127.0.0.1',
    ]
    const ask = async () => (await fetch(address)).text()
    return withServer(binary('wrangler'), args, { cwd: folder, address }, ask)
  },
}

/** @type {Environment[]} */
export const runtimes = [
  ...[20, 21, 22, 23, 24].flatMap((version) => nodes(`${version}`)),
  bun,
  deno,
  workerd,
]
