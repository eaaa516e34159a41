/**
 * `moreau/threads`: the same bits as the default entry for any number of threads, and threads that come and go as they should.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import * as single from 'moreau'
import { sceneByName } from 'moreau/scenarios'
import { HANGS_AFTER } from './until.mjs'

/** @typedef {import('moreau').World} World */
/** @typedef {typeof import('moreau/threads')} Threads */

const entry = import.meta.resolve('moreau/threads')
let instances = 0

/**
 * The package as if it were imported for the first time.
 * @returns {Promise<Threads>}
 */
const fresh = () => import(`${entry}?instance=${instances++}`)

const run = promisify(execFile)

/**
 * Runs a module in a process of its own, with the package as `moreau`.
 * @param {string} source
 * @param {string[]} flags of Node
 */
const runAlone = (source, flags = []) =>
  run(
    process.execPath,
    [
      ...flags,
      '--input-type=module',
      '--eval',
      `import * as moreau from ${JSON.stringify(entry)}\n${source}`,
    ],
    { timeout: HANGS_AFTER },
  )

// --- scenes ----------------------------------------------------------------------------------

/** Boxes and balls that fall into a pit and are stirred, and chains beside them. */
function pile(/** @type {World} */ world) {
  world.createBody({
    type: 'static',
    shape: { type: 'box', halfExtents: [20, 1, 20], position: [0, -1, 0] },
  })
  for (const [x, z] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ]) {
    const halfExtents = /** @type {const} */ ([x ? 0.5 : 8, 9, z ? 0.5 : 8])
    world.createBody({
      type: 'static',
      shape: { type: 'box', halfExtents },
      position: [7.5 * x, 9, 7.5 * z],
    })
  }
  world.createBody({
    type: 'kinematic',
    shape: { type: 'box', halfExtents: [2, 0.2, 0.2] },
    position: [0, 0.5, 0],
    angularVelocity: [0, 0.7, 0],
  })
  for (let i = 0; i < 1600; i++) {
    const place = [
      (i % 14) * 0.9 - 5.9,
      1.5 + Math.floor(i / 196),
      (Math.floor(i / 14) % 14) * 0.9 - 5.9,
    ]
    world.createBody({
      shape:
        i % 5 === 0
          ? { type: 'sphere', radius: 0.35 }
          : { type: 'box', halfExtents: [0.3 + (i % 7) * 0.02, 0.3, 0.4] },
      position: place.map((x, axis) => x + Math.sin(i * (axis + 2)) * 0.05),
      restitution: i % 11 === 0 ? 0.5 : 0,
    })
  }
  for (let chain = 0; chain < 80; chain++) {
    let last
    for (let i = 0; i < 6; i++) {
      const body = world.createBody({
        shape: { type: 'box', halfExtents: [0.4, 0.1, 0.1] },
        position: [12.5 + i, 14, chain * 0.3],
      })
      world.createJoint({
        type: i % 2 === 0 ? 'ball' : 'hinge',
        bodyA: last,
        bodyB: body,
        anchor: [12 + i, 14, chain * 0.3],
        ...(i % 2 === 0 ? {} : { axis: [0, 0, 1] }),
      })
      last = body
    }
  }
}

/** @type {Record<string, (world: World) => void>} */
const scenes = { pile, 'pyramid of 210': sceneByName('pyramid-210').setup }

/**
 * @param {{ World: typeof import('moreau').World }} moreau
 * @param {(world: World) => void} setup
 * @param {number} steps
 */
async function hashAfter({ World }, setup, steps) {
  const world = await World.create({ solver: 'soft-step', allowSleep: false })
  setup(world)
  for (let step = 0; step < steps; step++) world.step(1 / 60)
  const hash = world.hash()
  world.free()
  return hash
}

/** All has fallen and been stirred; `npm test -- slow` goes on. */
const STEPS = process.env.MOREAU_SLOW ? 1000 : 300

describe('the bits', () => {
  for (const [name, setup] of Object.entries(scenes)) {
    test(`of a ${name} after ${STEPS} steps are those of the default entry, for 1 to 4 threads`, async () => {
      const expected = await hashAfter(single, setup, STEPS)
      for (const threads of [1, 2, 3, 4]) {
        const moreau = await fresh()
        await moreau.init({ threads })
        assert.equal(await hashAfter(moreau, setup, STEPS), expected, `${threads} threads`)
      }
    })
  }

  test('are the same when helpers come in the middle of it', async () => {
    const moreau = await fresh()
    moreau.initSync({ threads: 3 })
    assert.equal(await hashAfter(moreau, pile, 60), await hashAfter(single, pile, 60))
  })
})

describe('threads', () => {
  test('have the names of the default entry', async () => {
    assert.deepEqual(Object.keys(await fresh()).sort(), Object.keys(single).sort())
  })

  test('are as many as asked for, and let the program end', async () => {
    const { stdout } = await runAlone(`
      let count = 0
      process.on('worker', () => count++)
      await moreau.init({ threads: 4 })
      await moreau.init({ threads: 2 })
      for (let i = 0; i < 20; i++) {
        const world = await moreau.World.create()
        world.createBody({ shape: { type: 'sphere', radius: 1 } })
        for (let k = 0; k < 10; k++) world.step(1 / 60)
        world.free()
      }
      await new Promise((resolve) => setTimeout(resolve))
      console.log(count)
    `)
    assert.equal(Number(stdout), 3)
  })

  test('sleep between steps', { skip: !existsSync('/proc/self/task') }, async () => {
    const { stdout } = await runAlone(`
      import { readdirSync, readFileSync } from 'node:fs'
      const tasks = () => readdirSync('/proc/self/task')
      const old = new Set(tasks())
      await moreau.init({ threads: 4 })
      const helpers = tasks().filter((task) => !old.has(task))
      const world = await moreau.World.create({ allowSleep: false })
      for (let i = 0; i < 500; i++) {
        world.createBody({ shape: { type: 'sphere', radius: 0.6 }, position: [i % 20, 0, Math.floor(i / 20)] })
      }
      for (let i = 0; i < 20; i++) world.step(1 / 60)
      // What each had of a core until now, and how often: nothing more, to the nanosecond, for who sleeps.
      const turns = () => helpers.map((task) => readFileSync('/proc/self/task/' + task + '/schedstat', 'utf8'))
      let quiet = 0
      for (let i = 0, last = ''; i < 600 && quiet < 5; i++) {
        const now = turns().join()
        quiet = now === last ? quiet + 1 : 0
        last = now
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      console.log(JSON.stringify({ helpers: helpers.length, quiet }))
    `)
    const { helpers, quiet } = JSON.parse(stdout)
    assert.ok(helpers >= 3, stdout)
    assert.equal(quiet, 5, 'looks in a row at which no helper had done anything')
  })

  test('really take part', { skip: !existsSync('/proc/self/task') }, async () => {
    const { stdout } = await runAlone(`
      import { readdirSync, readFileSync } from 'node:fs'
      const tasks = () => readdirSync('/proc/self/task')
      const old = new Set(tasks())
      await moreau.init({ threads: 3 })
      const helpers = tasks().filter((task) => !old.has(task))
      const world = await moreau.World.create({ allowSleep: false })
      world.createBody({ type: 'static', shape: { type: 'box', halfExtents: [50, 1, 50] }, position: [0, -1, 0] })
      for (let i = 0; i < 4000; i++) {
        world.createBody({ shape: { type: 'sphere', radius: 0.6 }, position: [i % 40 - 20, 0.5, Math.floor(i / 40) % 40 - 20] })
      }
      // Hundredths of a second of user time.
      const ticks = () => helpers.map((task) => Number(readFileSync('/proc/self/task/' + task + '/stat', 'utf8').split(') ')[1].split(' ')[11]))
      const most = () => ticks().sort((a, b) => b - a)
      // A machine with other work may give the helpers no core for a while.
      for (let i = 0; i < 3000 && !(most()[1] >= 5); i++) world.step(1 / 60)
      console.log(JSON.stringify(most()))
    `)
    const [first, second] = JSON.parse(stdout)
    assert.ok(first >= 5 && second >= 5, stdout)
  })

  test('are refused in wrong numbers', async () => {
    const { init, initSync, World } = await fresh()
    for (const threads of [0, -1, 1.5, 65, NaN, '2', null]) {
      const options = /** @type {any} */ ({ threads })
      const error = { code: 'invalid-argument', message: /init(Sync)?: threads must be .* 1 to 64/ }
      await assert.rejects(init(options), error)
      assert.throws(() => initSync(options), error)
    }
    await init({ threads: 1 })
    new World().step(1)
  })

  test('are no option of the default entry', async () => {
    const { init } = await import(`${import.meta.resolve('moreau')}?threads`)
    await assert.rejects(init({ threads: 2 }), { code: 'invalid-argument' })
  })

  test('say what is missing without SharedArrayBuffer, and one does without', async () => {
    const { stdout } = await runAlone(`
      delete globalThis.SharedArrayBuffer
      const errors = []
      await moreau.init({ threads: 2 }).catch((error) => errors.push(error))
      await moreau.World.create().catch((error) => errors.push(error))
      try { moreau.initSync({ threads: 2 }) } catch (error) { errors.push(error) }
      await moreau.init({ threads: 1 })
      new moreau.World().step(1)
      console.log(JSON.stringify(errors.map(({ name, code, message }) => ({ name, code, message }))))
    `)
    const errors = JSON.parse(stdout)
    assert.equal(errors.length, 3)
    for (const { name, code, message } of errors) {
      assert.equal(name, 'MoreauError')
      assert.equal(code, 'threads-unavailable')
      assert.match(message, /SharedArrayBuffer.*Cross-Origin-Opener-Policy.*threads: 1/)
    }
  })

  test('that never start are an error after their time, and one may try again', async () => {
    const { stdout } = await runAlone(`
      const threads = process.getBuiltinModule('worker_threads')
      const { EventEmitter } = process.getBuiltinModule('events')
      threads.Worker = class extends EventEmitter { unref() {} terminate() {} }
      const error = await moreau.init({ threads: 3, timeout: 0.1 }).catch((error) => error)
      const refused = await moreau.init({ threads: 1, timeout: 0 }).catch((error) => error)
      await moreau.init({ threads: 1 })
      new moreau.World().step(1)
      console.log(error.code, error.cause?.message, refused.code)
    `)
    assert.match(stdout, /^threads-unavailable they did not start within 0\.1 s invalid-argument/)
  })

  test('that the host refuses are an error, and one may try again', async () => {
    const { stdout } = await runAlone(
      `
      const error = await moreau.init({ threads: 2 }).catch((error) => error)
      await moreau.init({ threads: 1 })
      new moreau.World().step(1)
      console.log(error.code, error.cause?.code)
    `,
      ['--experimental-permission', '--allow-fs-read=*', '--no-warnings'],
    )
    assert.equal(stdout.trim(), 'threads-unavailable ERR_ACCESS_DENIED')
  })
})

describe('the module', () => {
  test('of another entry is refused', async () => {
    const { init } = await fresh()
    const wasm = new URL(import.meta.resolve('moreau/moreau.wasm'))
    await assert.rejects(init({ wasm, threads: 1 }), { code: 'wasm-failed', message: /entry/ })
    await init({ wasm: new URL(import.meta.resolve('moreau/moreau-threads.wasm')), threads: 2 })
  })

  test('grows its memory under all threads', async () => {
    const moreau = await fresh()
    await moreau.init({ threads: 3 })
    const world = await moreau.World.create({ solver: 'soft-step' })
    const before = world.memory().wasmBytes
    for (let i = 0; i < 6000; i++) {
      world.createBody({
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
        position: [(i % 20) * 0.99, Math.floor(i / 400) * 0.99, (Math.floor(i / 20) % 20) * 0.99],
      })
    }
    for (let step = 0; step < 3; step++) world.step(1 / 60)
    assert.ok(world.memory().wasmBytes > before)
    assert.equal(world.transforms.length, 6000 * 8)
    assert.ok(world.transforms.every(Number.isFinite))
    assert.throws(() => world.step(-1), { name: 'MoreauError', message: /dt/ })
    world.free()
  })
})

describe('the package', () => {
  test('has an entry that imports nothing and does not await', async () => {
    const text = await readFile(new URL(entry), 'utf8')
    assert.doesNotMatch(text, /^\s*import[\s{*]/m)
    assert.doesNotMatch(text, /node:/)
    assert.doesNotMatch(text, /^await /m)
  })

  test('as npm packs it can be imported and required, with types', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'moreau-'))
    try {
      const root = fileURLToPath(new URL('../../', import.meta.url))
      const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
      await run(npm, ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root })
      const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
      assert.ok(archive)
      const installed = join(folder, 'node_modules/moreau')
      await mkdir(installed, { recursive: true })
      await run('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', installed])
      const use = 'await init({ threads: 2 }); new World().step(1); console.log("stepped")'
      await writeFile(join(folder, 'a.mjs'), `import { init, World } from 'moreau/threads'\n${use}`)
      await writeFile(
        join(folder, 'b.cjs'),
        `const { init, World } = require('moreau/threads')\n;(async () => { ${use} })()`,
      )
      for (const file of ['a.mjs', 'b.cjs']) {
        const { stdout } = await run(process.execPath, [join(folder, file)], {
          timeout: HANGS_AFTER,
        })
        assert.equal(stdout.trim(), 'stepped', file)
      }
      const { exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
      for (const types of [exports['./threads'].types, exports['./threads'].require.types]) {
        assert.match(await readFile(join(installed, types), 'utf8'), /threads\?: number/)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
