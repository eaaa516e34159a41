/**
 * The demo in two tabs of a headless Chromium: both are in one room, with the hashes of the room's process, and see each other roll.
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort, startRedis } from '../../scripts/redis-server.mjs'
import { startRoomsDemo } from '../../scripts/rooms/demo.mjs'
import { makeLog } from '../../source/operations/index.mjs'
import { lookAt, openRoom, startBrowser } from '../../scripts/rooms/browser.mjs'
import { PATIENT_LIMITS, until } from '../../scripts/rooms/processes.mjs'

/** m/s: slower than anybody sees */
const STILL = 0.02
/** Where screenshots go; git does not see it. */
const OUTPUT = fileURLToPath(new URL('../output/', import.meta.url))

/** Where all bodies are, to the centimetre, and how fast the fastest is. @param {import('playwright-core').Page} page */
const placesIn = (page) =>
  page.evaluate(() => {
    const bodies = /** @type {import('moreau').Body[]} */ (Object(globalThis).client.world.bodies)
    const places = bodies.map(({ position }) => [...position].map((x) => x.toFixed(2)).join(' '))
    return { places: places.join('\n'), fastest: Math.max(...bodies.map(({ speed }) => speed)) }
  })

test('two tabs in one room', async () => {
  const redis = await startRedis()
  const log = makeLog('rooms', { level: 'fatal' })
  const demo = await startRoomsDemo(redis.url, await freePort(), {
    log,
    limits: PATIENT_LIMITS,
  })
  const browser = await startBrowser()
  try {
    const complaints = /** @type {string[]} */ ([])
    const first = await openRoom(browser, demo.address, complaints)
    const { roomId } = await lookAt(first)
    const second = await openRoom(browser, `${demo.address}?room=${roomId}`, complaints)
    await first.keyboard.down('KeyD')
    await second.keyboard.down('KeyA')
    await until(async () => (await lookAt(first)).members === 2)
    const play = async (/** @type {number} */ least) => {
      const look = () => Promise.all([first, second].map(lookAt))
      await until(async () => (await look()).every(({ matches }) => matches >= least))
      return look()
    }
    // A page that waits for its first state for long asks for it again.
    const before = await play(2)
    const after = await play(5)
    for (const [i, { mismatches, states }] of after.entries())
      assert.deepEqual([mismatches, states], [0, before[i].states])
    await first.keyboard.up('KeyD')
    await second.keyboard.up('KeyA')
    // Once nothing moves, both show the same, however long a page takes to draw it.
    await until(async () => {
      const [one, other] = await Promise.all([first, second].map(placesIn))
      return one.fastest < STILL && other.fastest < STILL && one.places === other.places
    })
    mkdirSync(OUTPUT, { recursive: true })
    await first.screenshot({ path: `${OUTPUT}rooms-first.png` })
    await second.screenshot({ path: `${OUTPUT}rooms-second.png` })
    assert.deepEqual(complaints, [])
    await second.close()
    await until(async () => (await lookAt(first)).matches >= 7)
  } finally {
    await browser.close()
    await demo.drain()
    await redis.stop()
  }
})
