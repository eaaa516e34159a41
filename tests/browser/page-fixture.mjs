/**
 * The built page in a headless Chromium, for the tests of this folder.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { preview } from 'vite'
import { findChromium } from '../../scripts/tools.mjs'
import { HANGS_AFTER } from '../node/until.mjs'
import { PagePool } from './browser.mjs'

/** @typedef {import('playwright-core').Page} Page */

/** @param {string} path from the root of the repository */
const fromRoot = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Software rendering, and no word to the outside. */
const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--disable-quic',
  '--no-first-run',
  '--disable-component-update',
  '--disable-sync',
]

/** Where screenshots go; git does not see it. */
const OUTPUT = fromRoot('tests/browser/output')

/** The served page and a browser to see it with. */
export class PageFixture {
  /** What the pages said on their consoles beside plain logs, and errors that nobody caught. @type {string[]} */
  complaints = []
  #server
  #browser
  #pages
  #address

  /**
   * @param {import('vite').PreviewServer} server
   * @param {import('playwright-core').Browser} browser
   */
  constructor(server, browser) {
    this.#server = server
    this.#browser = browser
    this.#pages = new PagePool(browser)
    this.#address = /** @type {string} */ (server.resolvedUrls?.local[0])
  }

  static async start() {
    if (!existsSync(fromRoot('dist-web/index.html'))) {
      throw new Error('dist-web is missing: `npm run build` makes it')
    }
    mkdirSync(OUTPUT, { recursive: true })
    const server = await preview({
      root: fromRoot('web'),
      configFile: false,
      logLevel: 'silent',
      build: { outDir: fromRoot('dist-web') },
      preview: { host: '127.0.0.1', port: 0 },
    })
    try {
      const browser = await chromium.launch({
        executablePath: findChromium(),
        args: CHROMIUM_ARGUMENTS,
      })
      return new PageFixture(server, browser)
    } catch (error) {
      await server.close()
      throw error
    }
  }

  async stop() {
    await this.#browser.close()
    await this.#server.close()
  }

  /**
   * Opens the page, paused, and waits until its scene stands.
   *
   * @param {string} [hash] of the address
   * @param {{ width: number, height: number }} [viewport] pixels
   * @param {{ hasOwnClock?: boolean }} [options] whether the page's clock and frames go on only when the test says so
   * @returns {Promise<Page>}
   */
  async open(hash = '', viewport = { width: 800, height: 600 }, { hasOwnClock = false } = {}) {
    // A clock of its own cannot be taken off a page again.
    const page = await (hasOwnClock
      ? this.#browser.newPage({ viewport })
      : this.#pages.take(viewport))
    page.setDefaultTimeout(HANGS_AFTER)
    if (hasOwnClock) await page.clock.install({ time: 0 })
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text())
    })
    page.on('pageerror', (error) => this.complaints.push(String(error.stack)))
    page.on('requestfailed', (request) => this.complaints.push(`not loaded: ${request.url()}`))
    await page.goto(`${this.#address}?paused${hash}`)
    await page.waitForFunction('window.moreauDemo?.world')
    return page
  }

  /** @param {Page} page that was opened without a clock of its own, and is not needed any more */
  leave = (page) => this.#pages.leave(page)
}

/**
 * Waits until the page has drawn what changed.
 *
 * @param {Page} page
 */
export async function drawn(page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
}

/**
 * Takes a screenshot of the stage and measures its pixels.
 *
 * @param {Page} page
 * @param {string} name of the file
 * @returns {Promise<{ deviation: number, colourful: number, red: number }>} standard deviation of the brightness (0 to
 *   255), and the parts of the pixels that are colourful and that are of the red of a force
 */
export async function photographStage(page, name) {
  await drawn(page)
  const bytes = await page.locator('.stage').screenshot({ path: `${OUTPUT}/${name}.png` })
  return page.evaluate(measurePixels, bytes.toString('base64'))
}

/**
 * Takes a screenshot of the page from top to bottom.
 *
 * @param {Page} page
 * @param {string} name of the file
 */
export async function photographPage(page, name) {
  await drawn(page)
  await page.screenshot({ path: `${OUTPUT}/${name}.png`, fullPage: true })
}

/**
 * Runs in the page, which can decode pictures.
 *
 * @param {string} base64 a PNG
 */
async function measurePixels(base64) {
  const picture = new Image()
  picture.src = `data:image/png;base64,${base64}`
  await picture.decode()
  const canvas = new OffscreenCanvas(picture.width, picture.height)
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'))
  context.drawImage(picture, 0, 0)
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  const count = data.length / 4
  let sum = 0
  let squares = 0
  let colourful = 0
  let red = 0
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b] = data.subarray(i, i + 3)
    const brightness = (r + g + b) / 3
    sum += brightness
    squares += brightness * brightness
    if (Math.max(r, g, b) - Math.min(r, g, b) > 60) colourful += 1
    if (r > 150 && g < 60 && b > 60 && b < 140) red += 1
  }
  const mean = sum / count
  return {
    deviation: Math.sqrt(squares / count - mean * mean),
    colourful: colourful / count,
    red: red / count,
  }
}
