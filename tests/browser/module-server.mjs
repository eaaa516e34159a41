/**
 * A page in Chromium that can import the modules of the repository, and the package by its name.
 */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { openBrowser } from './browser.mjs'

const ROOT = new URL('../../', import.meta.url)
const IMPORTS = {
  moreau: '/dist/index.mjs',
  'moreau/scenarios': '/dist/scenarios.mjs',
  'moreau/worker': '/dist/worker.mjs',
}
const PAGE = `<!doctype html><title>Modules of the repository</title>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`

/**
 * @param {Record<string, string>} [headers] of everything that is served
 * @returns {Promise<{ page: import('playwright-core').Page, close: () => Promise<void> }>}
 */
export async function openModulePage(headers = {}) {
  const { browser, origin, close } = await openBrowser(async ({ url = '/' }, response) => {
    if (url === '/') {
      response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end(PAGE)
    } else if (['.mjs', '.js'].includes(extname(url))) {
      response.writeHead(200, { ...headers, 'content-type': 'text/javascript' })
      response.end(await readFile(new URL(`.${url}`, ROOT)))
    } else {
      response.writeHead(404).end()
    }
  })
  const page = await browser.newPage()
  await page.goto(origin)
  return { page, close }
}
