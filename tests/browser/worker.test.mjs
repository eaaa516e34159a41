/**
 * `moreau/worker` in pages with and without the headers that give them shared memory.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { World } from 'moreau'
import { World as NodeWorld } from 'moreau/worker'
import { openModulePage } from './module-server.mjs'

/** @typedef {import('playwright-core').Page} Page */

const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}
const STRICT = {
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'",
}
const STEPS = 60
/** Below `tests`. */
const MODULE = '/node/worker-module.mjs'

/**
 * A pile of boxes: runs here and, as text, in pages.
 * @param {any} world
 * @param {number} steps
 */
async function pile(world, steps) {
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  for (let i = 0; i < 50; i++) {
    world.createBody({
      shape: { type: 'box', halfExtents: [0.5, 0.3, 0.4] },
      position: [(i % 5) * 0.9, 0.5 + Math.floor(i / 5) * 0.7, 0],
    })
  }
  const heard = { contact: 0 }
  world.on('contact', () => heard.contact++)
  for (let step = 0; step < steps; step++) await world.step(1 / 60)
  return { hash: await world.hash(), contacts: heard.contact, top: [...world.bodies[50].position] }
}

/**
 * A car that drives against the wind, somebody who walks beside it, and back in time: here and, as text, in pages.
 * @param {any} world in a worker
 */
async function tour(world) {
  const dt = 1 / 60
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  const chassis = world.createBody({
    shape: { type: 'box', halfExtents: [2, 0.4, 0.9] },
    ...{ mass: 1200, position: [0, 1, 0] },
  })
  const wheels = []
  for (const x of [1.4, -1.4]) for (const z of [-0.8, 0.8]) wheels.push({ position: [x, -0.2, z] })
  const car = world.createVehicle({ chassis, wheels })
  world.createPotential({ type: 'custom', typeName: 'wind', bodies: [chassis] })
  world.contactModifier = 'slippery'
  const shape = { type: 'capsule', radius: 0.3, halfHeight: 0.5 }
  const hero = world.createCharacter({ shape, position: [0, 1, 5], predicate: 'solidOnly' })
  const history = await world.history({ seconds: 5 })
  await world.call('setStrength', 1)
  for (let i = 0; i < 90; i++) {
    for (const wheel of car.wheels) wheel.engineForce = 1000
    car.update(dt)
    hero.move([0.03, -0.02, 0], dt)
    await world.step(dt)
  }
  await history.rewind(10)
  const { stepCount } = world
  await world.step(dt)
  const hash = await world.hash()
  return { hash, stepCount, speed: car.speed, hero: hero.position, energy: world.energy() }
}

/**
 * Evaluates in a page what is given as text, with a world of it.
 * @param {Page} page
 * @param {string} code of an async function of `World`, `pile` and `steps`
 * @returns {Promise<any>}
 */
const runIn = (page, code) =>
  page.evaluate(
    async ({ text, source, steps }) => {
      const name = 'moreau/worker'
      const { World: Type } = await import(name)
      const make = (0, globalThis.eval)(`(async (World, pile, steps) => { ${text} })`)
      return make(Type, (0, globalThis.eval)(`(${source})`), steps)
    },
    { text: code, source: pile.toString(), steps: STEPS },
  )

const RUN = `
  const world = await World.create({ allowSleep: false })
  const result = { ...(await pile(world, steps)), transport: world.transport }
  world.free()
  return result`

for (const { name, headers, transport } of [
  { name: 'a page with the headers', headers: ISOLATED, transport: 'shared' },
  { name: 'a page without them', headers: {}, transport: 'transferred' },
]) {
  describe(name, () => {
    /** @type {Page} */
    let page
    let close = async () => {}
    before(async () => ({ page, close } = await openModulePage(headers)))
    after(() => close())

    test('has a world in a worker, with the bits and events of one here', async () => {
      const local = await World.create({ allowSleep: false })
      assert.deepEqual(await runIn(page, RUN), { ...(await pile(local, STEPS)), transport })
      local.free()
    })

    test('has functions of a module, characters, vehicles and a history, with the bits of Node', async () => {
      const own = await NodeWorld.create({}, { functions: new URL(`..${MODULE}`, import.meta.url) })
      const here = await tour(own)
      own.free()
      const code = `
        const world = await World.create({}, { functions: '/tests${MODULE}' })
        const result = await (${tour.toString()})(world)
        world.free()
        return result`
      assert.deepEqual(await runIn(page, code), here)
      assert.ok(here.speed > 1 && here.hero[0] > 1)
    })

    test('draws by frames of the browser', async () => {
      const { heights, stepCount } = await runIn(
        page,
        `
        const world = await World.create()
        const ball = world.createBody({ shape: { type: 'sphere', radius: 1 } })
        world.start()
        const out = new Float32Array(8)
        const heights = []
        while (heights.length < 40) {
          await new Promise((resolve) => requestAnimationFrame(resolve))
          world.update()
          heights.push(world.interpolate(out)[8 * ball.index + 1])
        }
        const { stepCount } = world
        world.free()
        return { heights, stepCount }`,
      )
      assert.ok(stepCount > 10, `${stepCount} steps`)
      assert.ok(
        heights.every(
          (/** @type {number} */ y, /** @type {number} */ i) => i === 0 || y <= heights[i - 1],
        ),
      )
      assert.ok(heights.at(-1) < -0.1)
    })

    test('learns that the worker has failed, and goes on', async () => {
      const { code, earlier, later } = await runIn(
        page,
        `
        const script = await (await fetch('/dist/worker-script.js')).text()
        const failing = script + '; setTimeout(() => { throw new Error("a fault") }, 500)'
        let first = true
        const worker = () => {
          const blob = new Blob([first ? failing : script], { type: 'text/javascript' })
          first = false
          return new Worker(URL.createObjectURL(blob))
        }
        const world = await World.create({}, { worker, snapshotEvery: 0.1 })
        const ball = world.createBody({ shape: { type: 'sphere', radius: 1 } })
        const crash = new Promise((resolve) => world.on('crash', resolve))
        for (let i = 0; i < 12; i++) await world.step(1 / 60)
        const earlier = ball.position[1]
        const { code } = await crash
        await world.restart()
        for (let i = world.stepCount; i < 12; i++) await world.step(1 / 60)
        const later = ball.position[1]
        world.free()
        return { code, earlier, later }`,
      )
      assert.equal(code, 'worker-failed')
      assert.ok(earlier < 0)
      assert.equal(later, earlier)
    })
  })
}

describe('a page that forbids workers from blobs', () => {
  /** @type {Page} */
  let page
  let close = async () => {}
  before(async () => ({ page, close } = await openModulePage(STRICT)))
  after(() => close())

  test('learns what to do, and does it', async () => {
    const text = await runIn(
      page,
      'return World.create().catch(({ code, message }) => code + message)',
    )
    assert.match(text, /^worker-failed.*worker-src blob:.*worker-script\.js/)
    const own = RUN.replace(
      'allowSleep: false }',
      "$&, { worker: () => new Worker('/dist/worker-script.js') }",
    )
    assert.equal((await runIn(page, own)).transport, 'transferred')
  })
})
