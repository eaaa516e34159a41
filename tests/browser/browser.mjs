/**
 * Chromium, and a server of this machine that gives it pages.
 */
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
import { findChromium } from '../../scripts/tools.mjs'

/** @typedef {import('node:http').RequestListener} RequestListener */

/** Draws without a graphics card. */
export const SOFTWARE_WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']

/**
 * @param {RequestListener} answer
 * @param {string[]} [switches] of Chromium
 * @returns {Promise<{ browser: import('playwright-core').Browser, origin: string, close: () => Promise<void> }>}
 */
export async function openBrowser(answer, switches = []) {
  const server = createServer(answer)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const args = ['--no-sandbox', ...switches]
  const browser = await chromium.launch({ executablePath: findChromium(), args })
  const close = async () => {
    await browser.close()
    server.close()
  }
  return { browser, origin: `http://127.0.0.1:${port}`, close }
}

/**
 * Pages of a browser that are used again: a new one takes two seconds more until it draws, as it has a process of its own. Each begins empty, since
 * it comes from another address.
 */
export class PagePool {
  #browser
  /** @type {import('playwright-core').Page[]} */
  #left = []

  /** @param {import('playwright-core').Browser} browser */
  constructor(browser) {
    this.#browser = browser
  }

  /** @param {{ width: number, height: number }} viewport pixels */
  async take(viewport) {
    const page = this.#left.pop() ?? (await this.#browser.newPage({ viewport }))
    await page.setViewportSize(viewport)
    return page
  }

  /** @param {import('playwright-core').Page} page which nobody uses any more */
  async leave(page) {
    page.removeAllListeners()
    await page.goto('about:blank')
    this.#left.push(page)
  }
}
