/**
 * The demos of tests/browser/react in a headless Chromium: written as those of @react-three/rapier are, with the import alone
 * another one, and bundled with the package as it is built.
 */
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { findChromium } from '../../scripts/tools.mjs'
import { PagePool } from './browser.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const OUTPUT = join(root, 'tests/browser/output')
const VIEWPORT = { width: 640, height: 400 }
/** Milliseconds: many programs may be at work on the machine. */
const LATE = { timeout: 120_000 }

const HTML = `<!doctype html><meta charset="utf-8" /><title>Moreau in React</title>
<style>html, body, #root { margin: 0; height: 100% }</style><div id="root"></div>
<script type="module" src="/app.js"></script>`

/** @param {string} entry from the root @returns {Promise<string>} */
async function bundle(entry) {
  const { outputFiles } = await build({
    ...{ absWorkingDir: root, entryPoints: [entry], bundle: true, write: false },
    ...{ format: 'esm', target: 'es2022', logLevel: 'warning' },
    define: { 'process.env.NODE_ENV': '"development"' },
    alias: { 'moreau/react': './dist/react.mjs' },
  })
  return outputFiles[0].text
}

/** A browser, and the page that shows the demos. */
export class ReactFixture {
  #server
  #browser
  #pages
  #origin

  /**
   * @param {import('node:http').Server} server
   * @param {import('playwright-core').Browser} browser
   */
  constructor(server, browser) {
    this.#server = server
    this.#browser = browser
    this.#pages = new PagePool(browser)
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    this.#origin = `http://127.0.0.1:${port}`
  }

  /** @param {string} entry of the bundle, from the root */
  static async start(entry) {
    mkdirSync(OUTPUT, { recursive: true })
    const code = await bundle(entry)
    const server = createServer(({ url = '/' }, response) => {
      const isCode = url === '/app.js'
      if (url === '/favicon.ico') return void response.writeHead(204).end()
      response.writeHead(200, { 'content-type': isCode ? 'text/javascript' : 'text/html' })
      response.end(isCode ? code : HTML)
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
    const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
    const browser = await chromium.launch({ executablePath: findChromium(), args })
    return new ReactFixture(server, browser)
  }

  async stop() {
    await this.#browser.close()
    this.#server.close()
  }

  /**
   * Opens a demo, and waits until its world has made some steps.
   * @param {string} name
   * @param {{ steps?: number, query?: string }} [options]
   */
  async open(name, { steps = 90, query = '' } = {}) {
    const page = await this.#pages.take(VIEWPORT)
    /** @type {string[]} */
    const complaints = []
    /** @type {string[]} */
    const warnings = []
    page.on('pageerror', (error) => complaints.push(String(error.stack)))
    page.on('console', (message) => {
      const text = message.text()
      if (message.type() === 'error') complaints.push(text)
      if (message.type() === 'warning' && text.includes('moreau')) warnings.push(text)
    })
    await page.goto(`${this.#origin}/?demo=${name}${query}`)
    await this.waitForSteps(page, steps)
    return { page, complaints, warnings }
  }

  /** @param {import('playwright-core').Page} page that is not needed any more */
  leave = (page) => this.#pages.leave(page)

  /**
   * @param {import('playwright-core').Page} page
   * @param {number} steps since the world is there
   */
  async waitForSteps(page, steps) {
    const isThere = `globalThis.seen?.world?.raw?.stepCount >= ${steps}`
    await page.waitForFunction(isThere, undefined, LATE)
  }

  /**
   * @param {import('playwright-core').Page} page
   * @param {string} name of the picture
   */
  async photograph(page, name) {
    await page.screenshot({ path: join(OUTPUT, `react-${name}.png`) })
  }
}
