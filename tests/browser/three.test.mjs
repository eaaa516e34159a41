/**
 * The pages of examples/three in a headless Chromium: written as three.js' own examples are, with physics of
 * `moreau/three` in the place of its addons.
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openBrowser, SOFTWARE_WEBGL } from './browser.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const OUTPUT = join(root, 'tests/browser/output')
/** Where the import maps of the pages point. */
const FOLDERS = {
  ...{ three: 'node_modules/three', moreau: 'dist' },
  ...{ worker: 'examples/worker', '': 'examples/three' },
}
const TYPES = { '.html': 'text/html', '.mjs': 'text/javascript', '.js': 'text/javascript' }

/** @type {import('./browser.mjs').RequestListener} */
const answer = async (request, response) => {
  if (request.url === '/favicon.ico') return void response.writeHead(204).end()
  const path = normalize(new URL(request.url ?? '/', 'http://page').pathname)
  const [, first, rest] = /^\/(?:(three|moreau|worker)\/)?(.*)$/.exec(path) ?? []
  const folder = FOLDERS[/** @type {keyof typeof FOLDERS} */ (first ?? '')]
  try {
    const text = await readFile(join(root, folder, rest))
    const type = TYPES[/** @type {keyof typeof TYPES} */ (extname(rest))]
    response.writeHead(200, { 'content-type': type }).end(text)
  } catch {
    response.writeHead(404).end()
  }
}

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let served

before(async () => {
  mkdirSync(OUTPUT, { recursive: true })
  served = await openBrowser(answer, SOFTWARE_WEBGL)
})

after(() => served?.close())

/**
 * Opens a page of the examples and waits until its world has made some steps.
 * @param {string} name
 * @param {number} steps
 */
async function open(name, steps) {
  const page = await served.browser.newPage({ viewport: { width: 640, height: 400 } })
  /** @type {string[]} */
  const complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(`${served.origin}/${name}.html`)
  const late = { timeout: 120_000 }
  await page.waitForFunction(
    (n) => /** @type {any} */ (globalThis).physics?.world.stepCount >= n,
    steps,
    late,
  )
  await page.screenshot({ path: join(OUTPUT, `three-${name.replace('/', '-')}.png`) })
  return { page, complaints }
}

describe('examples of three.js with physics of moreau/three', () => {
  test('instancing: boxes and balls fall on a floor and stay above it', async () => {
    const { page, complaints } = await open('instancing', 120)
    const gaps = await page.evaluate(() => {
      const { boxes, balls } = /** @type {any} */ (globalThis)
      return [boxes, balls].flatMap(({ instanceMatrix: { array }, count }) =>
        Array.from({ length: count }, (_, i) => Array.from(array.slice(16 * i + 12, 16 * i + 15)))
          // What rolled off the floor is another matter.
          .filter(([x, , z]) => Math.max(Math.abs(x), Math.abs(z)) < 4.9)
          .map(([, y]) => y),
      )
    })
    assert.deepEqual(complaints, [])
    assert.ok(gaps.length > 700)
    for (const gap of gaps) assert.ok(gap > 0.03, `one is ${gap} m above the floor`)
    assert.ok(gaps.filter((gap) => gap < 0.5).length > 500, 'they fell')
    await page.close()
  })

  test('terrain: shapes of all kinds come to lie on the ground that is drawn', async () => {
    const { page, complaints } = await open('terrain', 150)
    const gaps = await page.evaluate(() => {
      const { meshes, heightAt } = /** @type {any} */ (globalThis)
      return Array.from(meshes, ({ position: { x, y, z } }) => y - heightAt(x, z))
    })
    assert.deepEqual(complaints, [])
    assert.equal(gaps.length, 36)
    for (const gap of gaps) assert.ok(gap > 0.05, `a mesh is ${gap} m above the ground`)
    assert.ok(gaps.filter((gap) => gap < 1).length > 20, 'most of them lie on it')
    await page.close()
  })

  test("rapier: a car drives through a chain, in Rapier's spelling, with RapierHelper", async () => {
    const { page, complaints } = await open('rapier', 30)
    const reach = await page.evaluate(() => {
      const { car, rods } = /** @type {any} */ (globalThis)
      return { z: car.position.z, height: rods[2].position.y }
    })
    assert.ok(reach.height > 1.3, 'the chain hangs')
    await page.waitForFunction(
      () => {
        const { car, rods } = /** @type {any} */ (globalThis)
        return car.position.z < -7 && Math.abs(rods[2].position.z + 8) > 0.2
      },
      undefined,
      { timeout: 120_000 },
    )
    const height = await page.evaluate(() => /** @type {any} */ (globalThis).car.position.y)
    assert.ok(Math.abs(height - 0.84) < 0.15, `the car is ${height} m high`)
    await page.screenshot({ path: join(OUTPUT, 'three-rapier-later.png') })
    assert.deepEqual(complaints, [])
    await page.close()
  })

  test('worker/boxes: a thousand boxes are stepped in a worker', async () => {
    const { page, complaints } = await open('worker/boxes', 60)
    const start = await page.evaluate(() => {
      const { array } = /** @type {any} */ (globalThis).mesh.instanceMatrix
      return Array.from({ length: 1000 }, (_, i) => Number(array[16 * i + 13]))
    })
    assert.ok(start.every((y) => y > 0.3 && y < 10))
    await page.mouse.click(300, 200)
    await page.waitForFunction((heights) => {
      const { array } = /** @type {any} */ (globalThis).mesh.instanceMatrix
      return heights.filter((y, i) => Math.abs(y - array[16 * i + 13]) > 0.1).length > 300
    }, start)
    assert.deepEqual(complaints, [])
    await page.close()
  })
})
