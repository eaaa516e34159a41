// Makes the pictures of README and docs/pictures from the built page, in a headless Chromium: `npm run build` comes first.
//
//   node scripts/pictures.mjs [picture ...]
//
// A picture is `moving` or the name of a still (STILLS below); without one, all are made. Scenes take so many steps, whatever
// the clock says, so that the same page gives the same pictures.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawn, PageFixture } from '../tests/browser/page-fixture.mjs'
import { readCommandLine } from './command-line.mjs'
import { Failure, root, runMain } from './tools.mjs'
import { animatedWebP } from './webp.mjs'

const FOLDER = 'docs/pictures'

/**
 * A look at a scene.
 *
 * @typedef {object} View
 * @property {string} scene
 * @property {number} at s, of the first frame
 * @property {boolean} [forces] whether contacts and forces are drawn
 * @property {[x: number, y: number, size: number]} [part] of the canvas: its left upper corner and its width and height, of 1
 */

/** What becomes of each still: a file of its name. @type {Record<string, View>} */
const STILLS = {
  hills: { scene: 'terrain', at: 2 },
  concave: { scene: 'concave', at: 1, part: [0.23, 0.12, 0.56] },
  ragdolls: { scene: 'ragdolls', at: 1.1, part: [0.26, 0.3, 0.5] },
  car: { scene: 'car', at: 0.8 },
  character: { scene: 'character', at: 1.2, part: [0.2, 0.2, 0.6] },
  robot: { scene: 'robot-arm', at: 8, part: [0.2, 0.2, 0.75] },
  cards: { scene: 'card-house', at: 0.5, forces: true, part: [0.1, 0.1, 0.84] },
  arch: { scene: 'masonry-arch', at: 0.5, forces: true, part: [0.21, 0.18, 0.62] },
  tower: { scene: 'rewind', at: 1.5, part: [0.36, 0.24, 0.6] },
}

/** What the moving picture shows, one after the other. @type {(View & { seconds: number })[]} */
const CLIPS = [
  { scene: 'pour', at: 0.3, seconds: 3 },
  { scene: 'domino-row', at: 0.3, seconds: 1.9, part: [0.19, 0.2, 0.57] },
  { scene: 'ragdolls', at: 0.2, seconds: 1.9, part: [0.2, 0.15, 0.62] },
]

/** Pixels, and the quality of WebP from 0 to 1. */
const STILL = { width: 400, height: 225, quality: 0.75 }
const MOVING = { width: 480, height: 270, quality: 0.5 }
const FRAMES_PER_SECOND = 15
/** Of the page; its canvas is then twice as wide and high as the moving picture. */
const VIEWPORT = { width: 1512, height: 637 }
/** Bytes that README may load for it. */
const MOST_BYTES = 700e3

/** @typedef {import('playwright-core').Page} Page */

/**
 * Runs in the page: makes the steps of the frames of a view, and encodes what changed from frame to frame.
 *
 * @param {{ scene: string, at: number, frames: number, rate: number, size: typeof STILL, part: [x: number, y: number, size: number] }} film
 */
async function filmInPage({ scene, at, frames, rate, size, part: [left, top, share] }) {
  const demo = /** @type {any} */ (window).moreauDemo
  const { width, height, quality } = size
  const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('#canvas'))
  const options = { alpha: false, willReadFrequently: true }
  const paper = new OffscreenCanvas(width, height)
  const brush = /** @type {OffscreenCanvasRenderingContext2D} */ (paper.getContext('2d', options))
  brush.imageSmoothingQuality = 'high'
  await demo.reset(scene)

  /** @type {Uint8ClampedArray | null} */
  let before = null
  const pictures = []
  for (let frame = 0; frame < frames; frame++) {
    const wanted = Math.round((at + frame / rate) / demo.scene.timeStep)
    demo.step(wanted - demo.world.stepCount)
    // The page draws first, as it asked first; later the canvas has lost its picture.
    await new Promise((done) =>
      requestAnimationFrame(() => {
        const [w, h] = [canvas.width, canvas.height]
        brush.drawImage(canvas, left * w, top * h, share * w, share * h, 0, 0, width, height)
        done(undefined)
      }),
    )
    const { data } = brush.getImageData(0, 0, width, height)
    const box = changed(before, data)
    before = data
    const part = new OffscreenCanvas(box.width, box.height)
    const partBrush = /** @type {OffscreenCanvasRenderingContext2D} */ (
      part.getContext('2d', options)
    )
    partBrush.drawImage(paper, -box.x, -box.y)
    const blob = await part.convertToBlob({ type: 'image/webp', quality })
    const bytes = new Uint8Array(await blob.arrayBuffer())
    pictures.push({
      ...box,
      base64: btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')),
    })
  }
  return pictures

  /**
   * The smallest rectangle with all that is new, from even coordinates on, as WebP wants it.
   *
   * @param {Uint8ClampedArray | null} old
   * @param {Uint8ClampedArray} data
   */
  function changed(old, data) {
    if (old === null) return { x: 0, y: 0, width, height }
    let [x0, y0, x1, y1] = [width, height, 0, 0]
    for (let i = 0; i < data.length; i += 4) {
      if (data[i] === old[i] && data[i + 1] === old[i + 1] && data[i + 2] === old[i + 2]) continue
      const [x, y] = [(i / 4) % width, Math.floor(i / 4 / width)]
      x0 = Math.min(x0, x)
      x1 = Math.max(x1, x)
      y0 = Math.min(y0, y)
      y1 = Math.max(y1, y)
    }
    if (x1 < x0) [x0, y0, x1, y1] = [0, 0, 1, 1]
    const [x, y] = [x0 & ~1, y0 & ~1]
    return { x, y, width: x1 - x + 1, height: y1 - y + 1 }
  }
}

/**
 * @param {Page} page
 * @param {View} view
 * @param {{ frames?: number, size: typeof STILL }} options
 */
async function film(page, { scene, at, forces = false, part = [0, 0, 1] }, { frames = 1, size }) {
  for (const label of ['Contacts', 'Forces']) {
    // Twice, so that it is chosen by hand: otherwise the page shows forces where bodies are few.
    await page.getByLabel(label).setChecked(!forces)
    await page.getByLabel(label).setChecked(forces)
  }
  await drawn(page)
  const shot = { scene, at, frames, rate: FRAMES_PER_SECOND, size, part }
  const pictures = await page.evaluate(filmInPage, shot)
  return pictures.map(({ base64, ...box }) => ({ ...box, bytes: Buffer.from(base64, 'base64') }))
}

/** @param {Page} page */
async function moving(page) {
  const frames = []
  for (const { seconds, ...view } of CLIPS) {
    const count = Math.round(seconds * FRAMES_PER_SECOND)
    frames.push(...(await film(page, view, { frames: count, size: MOVING })))
  }
  const bytes = animatedWebP(frames, { ...MOVING, duration: 1000 / FRAMES_PER_SECOND })
  if (bytes.length > MOST_BYTES) throw new Failure(`the moving picture has ${bytes.length} bytes`)
  return bytes
}

/**
 * @param {string} name
 * @param {Uint8Array} bytes
 */
function save(name, bytes) {
  const path = `${FOLDER}/${name}.webp`
  writeFileSync(join(root, path), bytes)
  console.log(`${path}: ${(bytes.length / 1024).toFixed(0)} KB`)
}

await runMain(async () => {
  const names = ['moving', ...Object.keys(STILLS)]
  const { positionals: words } = readCommandLine(import.meta.url, { allowPositionals: true })
  const unknown = words.find((word) => !names.includes(word))
  if (unknown !== undefined)
    throw new Failure(`there is no picture '${unknown}'; there are ${names.join(', ')}`)
  const chosen = words.length > 0 ? words : names

  mkdirSync(join(root, FOLDER), { recursive: true })
  const fixture = await PageFixture.start()
  try {
    const page = await fixture.open('', VIEWPORT)
    for (const name of chosen) {
      if (name === 'moving') save(name, await moving(page))
      else save(name, (await film(page, STILLS[name], { size: STILL }))[0].bytes)
    }
  } finally {
    await fixture.stop()
  }
})
