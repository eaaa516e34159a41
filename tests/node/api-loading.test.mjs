import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

const entry = import.meta.resolve('moreau')
const wasmUrl = import.meta.resolve('moreau/moreau.wasm')

let instances = 0

/**
 * The package as if it were imported for the first time: it has not loaded its engine.
 * @returns {Promise<typeof import('moreau')>}
 */
const fresh = () => import(`${entry}?instance=${instances++}`)

/** @param {typeof import('moreau')} moreau */
function works({ World }) {
  const world = new World()
  const body = world.createBody({ shape: { type: 'sphere', radius: 1 } })
  world.step(1)
  assert.ok(Math.abs(body.linearVelocity[1] + 9.81) < 1e-12)
  return world.hash()
}

/** Serves the module, and what servers send in its place. */
const server = createServer(async (request, response) => {
  if (request.url === '/moreau.wasm') {
    response.setHeader('content-type', 'application/wasm')
    response.end(await readFile(new URL(wasmUrl)))
  } else if (request.url === '/page') {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>App</title>')
  } else {
    response.statusCode = 404
    response.end('no')
  }
})
let origin = ''

before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  if (typeof address === 'object' && address) origin = `http://127.0.0.1:${address.port}`
})
after(() => server.close())

describe('the entry', () => {
  test('has the documented names and no others', async () => {
    const names = ['Body', 'Bounds', 'CONTACT_EVENT_LAYOUT', 'CONTACT_POINT_LAYOUT']
    names.push(
      'Character',
      'Constraint',
      'ConvexHull',
      'History',
      'Joint',
      'MoreauError',
      'Potential',
    )
    names.push(
      'Ragdoll',
      'SENSOR_EVENT_LAYOUT',
      'SLEEP_EVENT_LAYOUT',
      'Shape',
      'Vehicle',
      'World',
      'WorldBatch',
    )
    names.push('collide', 'createShape', 'distance', 'init', 'initSync')
    names.push('internals') // for moreau/worker alone
    names.push('solveContactProblem')
    assert.deepEqual(Object.keys(await fresh()).sort(), names)
  })

  test('has classes with their own names', async () => {
    const { Body, ConvexHull, MoreauError, Shape, World } = await fresh()
    const names = [Body, ConvexHull, MoreauError, Shape, World].map((type) => type.name)
    assert.deepEqual(names, ['Body', 'ConvexHull', 'MoreauError', 'Shape', 'World'])
  })

  test('imports nothing and does not await', async () => {
    const text = await readFile(new URL(entry), 'utf8')
    assert.doesNotMatch(text, /^\s*import[\s{*]/m)
    assert.doesNotMatch(text, /node:/)
    assert.doesNotMatch(text, /^await /m)
  })

  test('says so when it is used before it is loaded', async () => {
    const { ConvexHull, World, collide, createShape, distance } = await fresh()
    const ball = /** @type {const} */ ({ type: 'sphere', radius: 1 })
    const uses = [
      () => new World(),
      () => createShape(ball),
      () => collide(ball, {}, ball, {}),
      () => distance(ball, {}, ball, {}),
      () => ConvexHull.fromPoints([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
    ]
    for (const use of uses) {
      assert.throws(use, { code: 'not-initialized', message: /await init\(\)/ })
    }
  })

  test('works by require', async () => {
    const moreau = createRequire(import.meta.url)('moreau')
    await moreau.init()
    const other = await fresh()
    await other.init()
    assert.equal(works(moreau), works(other))
  })

  test('is ready in a script of a few lines', () => {
    const script = `import { World } from ${JSON.stringify(entry)}
      const world = await World.create()
      const ball = world.createBody({ shape: { type: 'sphere', radius: 0.5 }, position: [0, 5, 0] })
      world.step(1 / 60)
      console.log(ball.position[1] < 5)`
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script])
    assert.equal(output.toString(), 'true\n')
  })

  test('works in a worker, with a module that was compiled once', async () => {
    const module = await WebAssembly.compile(await readFile(new URL(wasmUrl)))
    const source = `import { parentPort, workerData } from 'node:worker_threads'
      const { init, World } = await import(workerData.entry)
      await init({ wasm: workerData.module })
      const world = new World()
      world.createBody({ shape: { type: 'sphere', radius: 1 } })
      world.step(1)
      parentPort.postMessage(world.hash())`
    const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`)
    const here = await fresh()
    await here.init()
    const hash = works(here)
    for (const workerData of [{ entry }, { entry, module }]) {
      const worker = new Worker(url, { workerData })
      const answer = await new Promise((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', reject)
      })
      assert.equal(answer, hash)
      await worker.terminate()
    }
  })
})

describe('init', () => {
  /** @type {[string, () => unknown][]} */
  const sources = [
    ['nothing', () => undefined],
    ['a file: URL', () => new URL(wasmUrl)],
    ['a file: address', () => wasmUrl],
    ['an address', () => `${origin}/moreau.wasm`],
    ['a URL', () => new URL('/moreau.wasm', origin)],
    ['a Response', () => fetch(`${origin}/moreau.wasm`)],
    ['an awaited Response', async () => fetch(`${origin}/moreau.wasm`)],
    ['a Buffer', () => readFile(new URL(wasmUrl))],
    ['an ArrayBuffer', async () => new Uint8Array(await readFile(new URL(wasmUrl))).buffer],
    ['a Uint8Array', async () => new Uint8Array(await readFile(new URL(wasmUrl)))],
    [
      'a DataView',
      async () => new DataView(new Uint8Array(await readFile(new URL(wasmUrl))).buffer),
    ],
    ['a Module', async () => WebAssembly.compile(await readFile(new URL(wasmUrl)))],
  ]
  for (const [name, make] of sources) {
    test(`takes ${name}`, async () => {
      const moreau = await fresh()
      const wasm = /** @type {any} */ (name === 'a Response' ? make() : await make())
      await moreau.init({ wasm })
      works(moreau)
    })
  }

  test('without options', async () => {
    const moreau = await fresh()
    await moreau.init()
    works(moreau)
  })

  test('calls share one promise and one engine', async () => {
    const { init, World } = await fresh()
    const first = init()
    assert.equal(init(), first)
    await first
    assert.equal(init(), first)
    const world = new World()
    await init({ wasm: `${origin}/missing.wasm` })
    world.step(1)
  })

  test('World.create calls share it too', async () => {
    const { World } = await fresh()
    const [a, b] = await Promise.all([World.create(), World.create()])
    const shape = { type: /** @type {const} */ ('sphere'), radius: 1 }
    a.createBody({ shape })
    b.createBody({ shape })
    assert.equal(a.hash(), b.hash())
  })

  /** @type {[string, () => unknown, string, RegExp][]} */
  const failures = [
    [
      'a page',
      () => `${origin}/page`,
      'wasm-failed',
      /\/page is no WebAssembly module but 33 bytes that begin with 3c 21 64 6f; it looks like a web page/,
    ],
    ['a missing file', () => `${origin}/x.wasm`, 'wasm-failed', /x\.wasm has status 404/],
    ['a page as a Response', () => fetch(`${origin}/page`), 'wasm-failed', /looks like a web page/],
    [
      'a file that is not there',
      () => new URL('nowhere.wasm', wasmUrl),
      'wasm-failed',
      /nowhere\.wasm/,
    ],
    ['a server that is not there', () => 'http://127.0.0.1:1/x.wasm', 'wasm-failed', /init: /],
    [
      'no bytes',
      () => new Uint8Array(0),
      'wasm-failed',
      /init: wasm is no WebAssembly module but 0 bytes/,
    ],
    [
      'broken bytes',
      () => new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 99]),
      'wasm-failed',
      /init: /,
    ],
    [
      'the module of somebody else',
      () => new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]),
      'wasm-failed',
      /not Moreau's/,
    ],
    ['a number', () => 5, 'invalid-argument', /init: wasm must be .*, got 5/],
    ['null', () => null, 'invalid-argument', /got null/],
    ['an object', () => ({}), 'invalid-argument', /got {}/],
  ]
  for (const [name, make, code, message] of failures) {
    test(`refuses ${name}, and can be called again`, async () => {
      const moreau = await fresh()
      const wasm = /** @type {any} */ (make())
      await assert.rejects(moreau.init({ wasm }), { name: 'MoreauError', code, message })
      assert.throws(() => new moreau.World(), { code: 'not-initialized' })
      await moreau.init()
      works(moreau)
    })
  }

  test('refuses unknown options', async () => {
    const { init, initSync } = await fresh()
    const options = /** @type {any} */ ({ wsam: 'x' })
    const error = {
      code: 'invalid-argument',
      message: /unknown option 'wsam'; did you mean 'wasm'/,
    }
    await assert.rejects(init(options), error)
    assert.throws(() => initSync(options), error)
    await assert.rejects(init(/** @type {any} */ ('moreau.wasm')), { code: 'invalid-argument' })
  })
})

describe('initSync', () => {
  test('takes nothing, bytes or a Module', async () => {
    const bytes = await readFile(new URL(wasmUrl))
    for (const wasm of [undefined, bytes, new WebAssembly.Module(bytes)]) {
      const moreau = await fresh()
      moreau.initSync({ wasm })
      moreau.initSync()
      works(moreau)
    }
  })

  test('refuses what it would have to wait for', async () => {
    const { initSync } = await fresh()
    const wasm = /** @type {any} */ (wasmUrl)
    assert.throws(() => initSync({ wasm }), { code: 'invalid-argument', message: /bytes or a Web/ })
    const broken = new Uint8Array([60, 33, 0, 0])
    assert.throws(() => initSync({ wasm: broken }), { code: 'wasm-failed' })
  })

  test('and init get along', async () => {
    const { init, initSync, World } = await fresh()
    const loading = init()
    initSync()
    const world = new World()
    await loading
    world.step(1)
    await init()
    assert.equal(new World().stepCount, 0)
    assert.equal(world.stepCount, 1)
  })
})

test('the package lies where its tests look', () => {
  assert.match(fileURLToPath(entry), /dist[/\\]index\.mjs$/)
})
