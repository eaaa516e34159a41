/**
 * A page in Chromium that can import the modules of the repository, and the package by its name.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { chromium } from 'playwright-core'
import { findChromium } from '../../scripts/tools.mjs'

const ROOT = new URL('../../', import.meta.url)
const IMPORTS = { moreau: '/dist/index.mjs', 'moreau/scenarios': '/dist/scenarios.mjs' }
const PAGE = `<!doctype html><title>Modules of the repository</title>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`

/** @returns {Promise<{ page: import('playwright-core').Page, close: () => Promise<void> }>} */
export async function openModulePage() {
  const server = createServer(async ({ url = '/' }, response) => {
    if (url === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    } else if (extname(url) === '.mjs') {
      response.writeHead(200, { 'content-type': 'text/javascript' })
      response.end(await readFile(new URL(`.${url}`, ROOT)))
    } else {
      response.writeHead(404).end()
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox'],
  })
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${port}`)
  const close = async () => {
    await browser.close()
    server.close()
  }
  return { page, close }
}
