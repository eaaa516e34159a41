import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { chromium } from 'playwright-core'
import { findChromium } from '../../scripts/tools.mjs'

/** @type {Record<string, string>} */
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

/** With these a page has shared memory. */
export const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

/** How long a page may take, ms. */
const PATIENCE = 60_000

/**
 * What the page at an address says in its title.
 * @param {string} address
 * @returns {Promise<string>}
 */
export async function titleOf(address) {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage()
    /** @type {string[]} */
    const said = []
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(String(error)))
    await page.goto(address)
    const isDone = () => /^[0-9a-f]{16}$|^failed/.test(document.title)
    await page.waitForFunction(isDone, undefined, { timeout: PATIENCE }).catch((error) => {
      throw new Error(`${error.message}\n${said.join('\n')}`)
    })
    return await page.title()
  } finally {
    await browser.close()
  }
}

/**
 * Serves a folder while an action runs.
 * @param {string} folder
 * @param {Record<string, string>} headers
 * @param {(address: string) => Promise<string>} action
 */
export async function serving(folder, headers, action) {
  const server = createServer(async ({ url = '/' }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname))
    const file = path.endsWith('/') ? `${path}index.html` : path
    try {
      const bytes = await readFile(join(folder, file))
      const type = TYPES[extname(file)] ?? 'application/octet-stream'
      response.writeHead(200, { 'content-type': type, ...headers }).end(bytes)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  try {
    return await action(`http://127.0.0.1:${port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/**
 * What the page of a folder says in its title.
 * @param {string} folder
 * @param {Record<string, string>} [headers]
 */
export const titleIn = (folder, headers = ISOLATED) => serving(folder, headers, titleOf)
