/**
 * Chromium comes to the golden hashes, too.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'
import { findChromium } from '../../scripts/tools.mjs'
import { differences, readGolden } from '../golden/golden.mjs'

const ROOT = new URL('../../', import.meta.url)
const IMPORTS = { moreau: '/dist/index.mjs', 'moreau/scenarios': '/dist/scenarios.mjs' }
const PAGE = `<!doctype html><title>Golden hashes</title>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`

/** The page, and modules of the repository. */
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

/** @type {import('playwright-core').Browser} */
let browser
let origin = ''

before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  origin = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
})

after(async () => {
  await browser?.close()
  server.close()
})

test('golden hashes of wasm in Chromium', async () => {
  const page = await browser.newPage()
  await page.goto(origin)
  const found = await page.evaluate(async () => {
    const [engine, cases] = ['moreau', '/tests/golden/cases.mjs']
    const { World } = await import(engine)
    const { goldenCases, runCase } = await import(cases)
    /** @type {Record<string, Record<string, string>>} */
    const all = {}
    for (const golden of goldenCases()) all[golden.name] = await runCase(World, golden)
    return all
  })
  assert.deepEqual(differences(readGolden(), found), [])
})
