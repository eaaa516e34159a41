/**
 * A headless Chromium with pages of the demo, for tests.
 */
import { chromium } from 'playwright-core'
import { findChromium } from '../../../scripts/tools.mjs'

/** Software rendering, and no word to the outside. Pages in the background go on as those in front. */
const ARGUMENTS = [
  ...['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  ...['--disable-background-timer-throttling', '--disable-renderer-backgrounding'],
  '--disable-backgrounding-occluded-windows',
]

/** ms that a page may take for anything, on a machine with much else to do */
const PATIENCE = 240_000

/** @returns {Promise<import('playwright-core').Browser>} */
export async function startBrowser() {
  return chromium.launch({ executablePath: findChromium(), args: ARGUMENTS, handleSIGTERM: false })
}

/**
 * Opens a page of the demo, and waits until it plays.
 * @param {import('playwright-core').Browser} browser
 * @param {string} address
 * @param {string[]} complaints gets what the page says on its console beside plain logs
 */
export async function openRoom(browser, address, complaints) {
  const page = await browser.newPage({ viewport: { width: 960, height: 600 } })
  page.setDefaultTimeout(PATIENCE)
  page.on('console', (line) => {
    if (['error', 'warning'].includes(line.type())) complaints.push(line.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(address)
  await page.waitForFunction(() => Object(globalThis).client?.session.frame > 0)
  return page
}

/** @param {import('playwright-core').Page} page */
export const lookAt = (page) =>
  page.evaluate(() => {
    const { client } = Object(globalThis)
    const { connection, session } = client
    return {
      ...{
        roomId: client.roomId,
        player: session.player,
        frame: session.frame,
        final: session.final,
      },
      ...{ members: session.simulation.members.size, states: client.states, ...session.statistics },
      ...{ received: connection.received, sent: connection.sent, roundTrip: session.roundTrip },
    }
  })
