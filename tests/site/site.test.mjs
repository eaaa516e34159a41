/**
 * The built site (npm run site) in Chromium, under the path / and without a word on the console.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { filesBelow } from '../../scripts/tools.mjs'
import { openBrowser, SOFTWARE_WEBGL } from '../browser/browser.mjs'

const SITE = new URL('../../build/site/', import.meta.url)
/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** As hosts of static files do: /docs/tour is docs/tour.html. @type {import('node:http').RequestListener} */
async function serve({ url = '/' }, response) {
  const [path] = url.split('?')
  const file = path.endsWith('/') ? `${path}index.html` : extname(path) ? path : `${path}.html`
  try {
    const bytes = await readFile(new URL(`.${file}`, SITE))
    const type = TYPES[extname(file)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type }).end(bytes)
  } catch {
    response.writeHead(404).end()
  }
}

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let opened
before(async () => {
  opened = await openBrowser(serve, SOFTWARE_WEBGL)
})
after(() => opened?.close())

/** @param {string} path */
async function open(path) {
  const page = await opened.browser.newPage({ viewport: { width: 1280, height: 900 } })
  /** @type {string[]} */
  const said = []
  page.on('pageerror', (error) => said.push(error.message))
  page.on('console', (message) => {
    // Chromium's own remark on software drawing.
    if (!/GL Driver Message/.test(message.text())) said.push(message.text())
  })
  await page.goto(`${opened.origin}${path}`)
  return { page, said }
}

/** @param {string} file */
const read = (file) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8')

describe('the site', () => {
  it('says on its front page what README.md says, where tests compare it with the package', async () => {
    const [front, readme] = await Promise.all(['site/index.md', 'README.md'].map(read))
    // Code and what it prints.
    const blocks = [...front.matchAll(/```\w+\n[^`]*```|```js\n[^]*?\n```/g)].map(([all]) => all)
    assert.ok(blocks.length >= 3, `${blocks.length} blocks`)
    for (const block of blocks) assert.ok(readme.includes(block), block)
    const figures = [/\d+ KB gzipped/, /\d+ of \d+ figures/, /all \d+ scenes/]
    for (const figure of figures) {
      const said = figure.exec(front)?.[0]
      assert.ok(said && readme.includes(said), `${said}`)
    }
  })

  it('has a front page whose scene moves and answers the pointer', async () => {
    const { page, said } = await open('/')
    const told = page.locator('.live-heap figcaption')
    const count = async () => Number(/(\d+) bodies/.exec((await told.textContent()) ?? '')?.[1])
    await page.waitForFunction(() => /\d+ bodies/.test(document.body.textContent ?? ''))
    const shown = await count()
    const canvas = page.locator('.live-heap canvas')
    const box = await canvas.boundingBox()
    assert.ok(box && box.y + 0.5 * box.height < 900, 'the scene is on the first screen')
    await canvas.click()
    await canvas.press(' ')
    await page.waitForFunction(
      (bodies) => (document.body.textContent ?? '').includes(`${bodies} bodies`),
      shown + 2,
    )
    assert.deepEqual(said, [])
    await page.close()
  })

  it('leads to guides, finds words in them, and shows the scenes', async () => {
    const { page, said } = await open('/')
    await page.getByRole('link', { name: 'Start in five minutes' }).click()
    await page.waitForURL('**/docs/tour')
    await page.keyboard.press('Control+k')
    await page.locator('#localsearch-input').fill('ragdoll')
    await page.locator('.VPLocalSearchBox .result').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Scenes', exact: true }).first().click()
    await page.waitForURL('**/demo/index.html*')
    await page.locator('#scene-list li').first().waitFor()
    assert.deepEqual(said, [])
    await page.close()
  })

  it('has no link to a place that a page has not', async () => {
    const folder = new URL('docs/', SITE)
    const names = filesBelow('build/site/docs', /\.html$/)
    assert.ok(names.length >= 20, `${names.length} pages`)
    /** @type {Map<string, string>} */
    const pages = new Map()
    for (const name of names) {
      const page = name.replace(/^.*\//, '').replace('.html', '')
      pages.set(page, await readFile(new URL(`${page}.html`, folder), 'utf8'))
    }
    const lost = []
    for (const [page, text] of pages) {
      for (const [, target, id] of text.matchAll(/href="(?:\/docs\/([\w-]+))?#([^"]+)"/g)) {
        const other = pages.get(target ?? page) ?? ''
        const place = decodeURIComponent(id)
        if (!other.includes(`id="${place}"`)) lost.push(`${page}: ${target ?? ''}#${place}`)
      }
    }
    assert.deepEqual(lost, [])
  })
})
