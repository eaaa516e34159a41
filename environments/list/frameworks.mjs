// Next.js: in a route on the server, on the edge, and in the browser.

import { titleOf } from '../lib/page.mjs'
import { moduleText, titling } from '../lib/programs.mjs'
import {
  binary,
  execute,
  here,
  nextPort,
  versionOf,
  withServer,
  writeFiles,
} from '../lib/tools.mjs'

/** @import { Environment } from '../run.mjs' */
/** @import { Kind } from '../lib/programs.mjs' */

const HEADERS = `[
  { key: 'cross-origin-opener-policy', value: 'same-origin' },
  { key: 'cross-origin-embedder-policy', value: 'require-corp' },
]`

/** @param {Kind} kind @param {string} settings more of them */
const application = (kind, settings) => ({
  'package.json': '{ "type": "module" }',
  'next.config.mjs': `export default {
  turbopack: { root: ${JSON.stringify(here)} },
  headers: async () => [{ source: '/:path*', headers: ${HEADERS} }],
  ${settings}
}\n`,
  'app/layout.js': `export default function Layout({ children }) {
  return <html><body>{children}</body></html>
}\n`,
  'moreau.js': moduleText(kind),
})

const route = (/** @type {string} */ runtime) => `import { run } from '../moreau.js'
export const runtime = '${runtime}'
export const dynamic = 'force-dynamic'
export const GET = async () => new Response(await run())\n`

const CLIENT = `'use client'
import { useEffect } from 'react'
export default function Page() {
  useEffect(() => {
    import('../moreau.js').then(({ run }) => ${titling.trim().replace('run()', 'run()')})
  }, [])
  return <p>waits</p>
}\n`

/**
 * @param {string} folder
 * @param {Record<string, string>} files
 * @param {(address: string) => Promise<string>} ask
 */
async function buildAndStart(folder, files, ask) {
  writeFiles(folder, files)
  await execute(binary('next'), ['build'], { cwd: folder })
  const port = nextPort()
  const address = `http://127.0.0.1:${port}/`
  const args = ['start', '--port', `${port}`, '--hostname', '127.0.0.1']
  return withServer(binary('next'), args, { cwd: folder, address }, () => ask(address))
}

const textOf = async (/** @type {string} */ address) => (await fetch(address)).text()

/** What Next.js must not bundle, since it loads a file beside itself or starts threads. */
const EXTERNAL = "serverExternalPackages: ['moreau'],"

/** @type {Environment} */
const server = {
  name: 'Next.js, server',
  version: versionOf('next'),
  setUp: "`moreau/slim`, `moreau/threads`: `serverExternalPackages: ['moreau']`",
  kinds: ['inlined', 'slim', 'threads'],
  run(kind, folder) {
    const files = application(kind, kind === 'inlined' ? '' : EXTERNAL)
    return buildAndStart(folder, { ...files, 'app/route.js': route('nodejs') }, textOf)
  },
}

/** @type {Environment} */
const edge = {
  name: 'Next.js, edge',
  version: versionOf('next'),
  setUp: 'none',
  kinds: ['inlined'],
  run: (kind, folder) =>
    buildAndStart(folder, { ...application(kind, ''), 'app/route.js': route('edge') }, textOf),
}

/** @type {Environment} */
const client = {
  name: 'Next.js, client',
  version: versionOf('next'),
  setUp: 'import it in an effect',
  kinds: ['inlined', 'slim', 'threads'],
  run: (kind, folder) =>
    buildAndStart(folder, { ...application(kind, ''), 'app/page.js': CLIENT }, titleOf),
}

/** @type {Environment[]} */
export const frameworks = [server, edge, client]
