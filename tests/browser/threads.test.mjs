/**
 * `moreau/threads` in pages with and without the headers that give them shared memory.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { World } from 'moreau'
import { openBrowser } from './browser.mjs'

/** @typedef {import('playwright-core').Page} Page */

const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

/** What a page is served with, by its path. @type {Record<string, Record<string, string>>} */
const PAGES = {
  '/isolated': ISOLATED,
  '/plain': {},
  '/strict': {
    ...ISOLATED,
    'content-security-policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
  },
}

const module = await readFile(new URL(import.meta.resolve('moreau/threads')))
/** @type {import('./browser.mjs').RequestListener} */
const answer = (request, response) => {
  const path = request.url ?? ''
  if (path === '/threads.mjs') {
    response.writeHead(200, { 'content-type': 'text/javascript', ...ISOLATED }).end(module)
  } else if (path in PAGES) {
    response.writeHead(200, { 'content-type': 'text/html', ...PAGES[path] })
    response.end('<!doctype html><title>Threads</title>')
  } else {
    response.writeHead(404).end()
  }
}

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let served

before(async () => {
  served = await openBrowser(answer)
})

after(() => served?.close())

/**
 * A pile of boxes: runs here and, as text, in pages.
 * @param {typeof import('moreau').World} Type
 * @param {number} steps
 */
async function hashOfPile(Type, steps) {
  const world = await Type.create({ solver: 'soft-step', allowSleep: false })
  const floor = /** @type {const} */ ([40, 1, 40])
  world.createBody({
    type: 'static',
    shape: { type: 'box', halfExtents: floor },
    position: [0, -1, 0],
  })
  for (let i = 0; i < 1000; i++) {
    world.createBody({
      shape: { type: 'box', halfExtents: [0.5, 0.3, 0.4] },
      position: [(i % 10) * 0.9, 0.5 + Math.floor(i / 100) * 0.7, (Math.floor(i / 10) % 10) * 0.9],
    })
  }
  for (let step = 0; step < steps; step++) world.step(1 / 60)
  const hash = world.hash()
  world.free()
  return hash
}

/**
 * Opens a page and runs the pile in it.
 * @param {string} path
 * @param {import('moreau/threads').ThreadOptions} options of init
 * @returns {Promise<{ isIsolated: boolean, hash?: string, name?: string, code?: string, message?: string }>}
 */
async function runIn(path, options) {
  const page = await served.browser.newPage()
  try {
    await page.goto(served.origin + path)
    return await page.evaluate(
      async ({ given, source, steps }) => {
        const isIsolated = globalThis.crossOriginIsolated
        const address = '/threads.mjs'
        const { init, World: Type } = await import(address)
        try {
          await init(given)
        } catch (error) {
          const { name, code, message } = /** @type {any} */ (error)
          return { isIsolated, name, code, message }
        }
        const run = (0, globalThis.eval)(`(${source})`)
        return { isIsolated, hash: await run(Type, steps) }
      },
      { given: options, source: hashOfPile.toString(), steps: STEPS },
    )
  } finally {
    await page.close()
  }
}

const STEPS = 120

describe('a page with the headers', () => {
  for (const threads of [1, 2, 3]) {
    test(`comes to the bits of the default entry on ${threads} threads`, async () => {
      const { isIsolated, hash } = await runIn('/isolated', { threads })
      assert.equal(isIsolated, true)
      assert.equal(hash, await hashOfPile(World, STEPS))
    })
  }

  test('that forbids workers from blobs learns what it has to allow', async () => {
    const { name, code, message } = await runIn('/strict', { threads: 2 })
    assert.equal(name, 'MoreauError')
    assert.equal(code, 'threads-unavailable')
    assert.match(message ?? '', /worker-src blob:/)
  })
})

describe('a page without the headers', () => {
  test('learns what is missing', async () => {
    const { isIsolated, name, code, message } = await runIn('/plain', {})
    assert.equal(isIsolated, false)
    assert.equal(name, 'MoreauError')
    assert.equal(code, 'threads-unavailable')
    assert.match(message ?? '', /SharedArrayBuffer.*Cross-Origin-Embedder-Policy/)
  })

  test('can do without threads', async () => {
    const { hash } = await runIn('/plain', { threads: 1 })
    assert.equal(hash, await hashOfPile(World, STEPS))
  })
})
