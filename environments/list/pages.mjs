// Pages without a bundler: the files of the package, served as they are.

import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { ISOLATED, titleIn } from '../lib/page.mjs'
import { moduleText, titling } from '../lib/programs.mjs'
import { here, writeFiles } from '../lib/tools.mjs'

/** @import { Environment } from '../run.mjs' */
/** @import { Kind } from '../lib/programs.mjs' */

const DIST = join(here, 'node_modules/moreau/dist')

/** @type {Record<Kind, string>} */
const FILES = { inlined: 'index.mjs', slim: 'slim.mjs', threads: 'threads.mjs' }

/** The program, which imports a file beside it. @param {Kind} kind */
const besideText = (kind) => moduleText(kind).replace(/from '[^']*'/, `from './${FILES[kind]}'`)

/**
 * @param {string} folder
 * @param {Kind} kind
 * @param {Record<string, string>} files
 */
function writePage(folder, kind, files) {
  writeFiles(folder, files)
  for (const name of [FILES[kind], 'moreau.wasm']) {
    copyFileSync(join(DIST, name), join(folder, name))
  }
}

const html = (/** @type {string} */ body) => `<!doctype html><title>waits</title>\n${body}\n`
const SCRIPT = '<script type="module" src="main.mjs"></script>'
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:"

/** @type {Environment} */
const importMap = {
  name: 'page with an import map',
  setUp: 'an `importmap` that leads `moreau` to `dist/index.mjs`',
  kinds: ['inlined', 'slim', 'threads'],
  run: (kind, folder) => {
    const imports = { [kind === 'inlined' ? 'moreau' : `moreau/${kind}`]: `./${FILES[kind]}` }
    const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
    writePage(folder, kind, {
      'index.html': html(`${map}\n<script type="module">\n${moduleText(kind)}${titling}</script>`),
    })
    return titleIn(folder)
  },
}

/** @type {Environment} */
const moduleWorker = {
  name: 'module worker',
  setUp: "`new Worker(url, { type: 'module' })`",
  kinds: ['inlined', 'slim', 'threads'],
  run: (kind, folder) => {
    writePage(folder, kind, {
      'index.html': html(SCRIPT),
      'main.mjs': `const worker = new Worker('worker.mjs', { type: 'module' })
worker.onmessage = ({ data }) => { document.title = data }\n`,
      'worker.mjs': `import { run } from './moreau.mjs'
run().then(postMessage, (error) => postMessage('failed: ' + error))\n`,
      'moreau.mjs': besideText(kind),
    })
    return titleIn(folder)
  },
}

/** @type {Environment} */
const serviceWorker = {
  name: 'service worker',
  setUp: "`register(url, { type: 'module' })`",
  kinds: ['inlined', 'slim'],
  run: (kind, folder) => {
    writePage(folder, kind, {
      'index.html': html(SCRIPT),
      'main.mjs': `navigator.serviceWorker.onmessage = ({ data }) => { document.title = data }
const { installing, active } = await navigator.serviceWorker.register('worker.mjs', { type: 'module' })
;(installing ?? active).postMessage('run')\n`,
      'worker.mjs': `import { run } from './moreau.mjs'
onmessage = (event) => event.waitUntil(
  run().catch((error) => 'failed: ' + error).then((text) => event.source.postMessage(text)),
)\n`,
      'moreau.mjs': besideText(kind),
    })
    return titleIn(folder)
  },
}

/** @type {Environment} */
const policy = {
  name: 'page with a Content-Security-Policy',
  setUp: "`script-src 'wasm-unsafe-eval'`; `moreau/threads`: `worker-src blob:`",
  kinds: ['inlined', 'slim', 'threads'],
  run: (kind, folder) => {
    writePage(folder, kind, {
      'index.html': html(SCRIPT),
      'main.mjs': `import { run } from './moreau.mjs'\n${titling}`,
      'moreau.mjs': besideText(kind),
    })
    return titleIn(folder, { ...ISOLATED, 'content-security-policy': POLICY })
  },
}

/** @type {Environment[]} */
export const pages = [importMap, moduleWorker, serviceWorker, policy]
