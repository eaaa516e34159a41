/**
 * The examples of the tarball that are pages, in a headless Chromium: unpacked where no repository is around, installed, and
 * started as their READMEs say.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { chromium } from 'playwright-core'
import { findChromium, root } from '../../scripts/tools.mjs'
import { install, unpack } from '../package/packed.mjs'
import { SOFTWARE_WEBGL } from './browser.mjs'

const OUTPUT = join(root, 'tests/browser/output')
/** Milliseconds: many programs may be at work on the machine. */
const LATE = { timeout: 120_000 }

/** @type {string} */
let unpacked
/** @type {import('playwright-core').Browser} */
let browser
/** What was started, by the example. @type {Map<string, { address: Promise<string>, stop: () => void }>} */
const started = new Map()

before(async () => {
  mkdirSync(OUTPUT, { recursive: true })
  unpacked = unpack()
  const args = ['--no-sandbox', ...SOFTWARE_WEBGL]
  browser = await chromium.launch({ executablePath: findChromium(), args })
})

after(async () => {
  for (const { stop } of started.values()) stop()
  await browser?.close()
  if (unpacked) rmSync(unpacked, { recursive: true, force: true, maxRetries: 5 })
})

/** `npm install && npm start`. @param {string} example @returns {Promise<string>} the address that it prints */
function addressOf(example) {
  const running = started.get(example) ?? run(example)
  started.set(example, running)
  return running.address
}

/** @param {string} example */
function run(example) {
  const folder = join(unpacked, 'package/examples', example)
  install(folder)
  const child = spawn('npm', ['start', '--', '--host', '127.0.0.1'], {
    ...{ cwd: folder, env: { ...process.env, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] },
    // A group of its own, so that its helpers end with it.
    detached: true,
  })
  let said = ''
  /** @type {Promise<string>} */
  const address = new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
        said += text
        const [found] = /http:\/\/127\.0\.0\.1:\d+\//.exec(said) ?? []
        if (found) resolve(found)
      })
    }
    child.on('error', reject)
    child.on('close', () => reject(new Error(`npm start ended:\n${said}`)))
  })
  const stop = () => {
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGKILL')
  }
  return { address, stop }
}

/**
 * Opens a page of an example and waits until its world has made some steps.
 * @param {string} example
 * @param {number} steps
 * @param {{ path?: string, world?: string }} [options] `world`: where the page has its World
 */
async function open(example, steps, { path = '', world = 'globalThis.physics?.world' } = {}) {
  const address = await addressOf(example)
  const page = await browser.newPage({ viewport: { width: 640, height: 400 } })
  /** @type {string[]} */
  const complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    const isOurs = message.type() === 'warning' && message.text().includes('moreau')
    if (message.type() === 'error' || isOurs) complaints.push(message.text())
  })
  await page.goto(`${address}${path}`)
  await page.waitForFunction(`${world}?.stepCount >= ${steps}`, undefined, LATE).catch((error) => {
    throw new Error([error, ...complaints].join('\n'))
  })
  const name = `${example}${path && '-'}${path.replace('.html', '')}`
  const picture = await page.screenshot({ path: join(OUTPUT, `example-${name}.png`) })
  assert.ok((await colorsOf(page, picture)) > 50, 'something is drawn')
  return { page, complaints }
}

/**
 * How many colours a picture has: an empty canvas has one, and letters on it some.
 * @param {import('playwright-core').Page} page
 * @param {Buffer} picture
 * @returns {Promise<number>}
 */
const colorsOf = (page, picture) =>
  page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context?.drawImage(image, 0, 0)
    const data = context?.getImageData(0, 0, image.width, image.height).data.buffer
    return new Set(new Uint32Array(data ?? new ArrayBuffer(0))).size
  }, picture.toString('base64'))

describe('examples/three, and examples/worker', () => {
  test('instancing: boxes and balls fall on a floor and stay above it', async () => {
    const { page, complaints } = await open('three', 120)
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
    const { page, complaints } = await open('three', 150, { path: 'terrain.html' })
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
    const { page, complaints } = await open('three', 30, { path: 'rapier.html' })
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
      LATE,
    )
    const height = await page.evaluate(() => /** @type {any} */ (globalThis).car.position.y)
    assert.ok(Math.abs(height - 0.84) < 0.15, `the car is ${height} m high`)
    await page.screenshot({ path: join(OUTPUT, 'example-three-rapier-later.png') })
    assert.deepEqual(complaints, [])
    await page.close()
  })

  test('worker: a thousand boxes are stepped in a worker', async () => {
    const { page, complaints } = await open('worker', 60)
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

describe('examples/react', () => {
  test('bricks stand, balls rain on them and come and go', async () => {
    const { page, complaints } = await open('react', 240, { world: 'globalThis.moreau' })
    const bodies = await page.evaluate(() => {
      const { bodies: all } = /** @type {any} */ (globalThis).moreau
      return all.map((/** @type {any} */ body) => [body.shape.type, body.position[1]])
    })
    const count = (/** @type {string} */ wanted) =>
      bodies.filter((/** @type {any} */ [type, y]) => type === wanted && y > 0).length
    assert.ok(count('sphere') > 5)
    assert.equal(count('box'), 33)
    assert.deepEqual(complaints, [])
    await page.close()
  })
})
