/**
 * The demo page as it is published: every scene steps to the same bits as in Node, is drawn, and the controls do what
 * they say, without a word on the console.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { World } from 'moreau'
import { sceneByName, SceneRun, scenes } from 'moreau/scenarios'
import { drawn, PageFixture, photographPage, photographStage } from './page-fixture.mjs'

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('moreau/scenarios').Scene} Scene */

/** s of each scene that are simulated. */
const SECONDS = 1
/** Scenes in which nothing goes anywhere in their first second. */
const AT_REST = [
  'pyramid-210',
  'stack-of-10',
  'resting-cube',
  'incline-sticks',
  'mass-ratio-1e3',
  'mass-ratio-1e6',
  'mass-ratio-alternating',
  'card-house',
  'masonry-arch',
  'atlas-standing',
]
/** m, or 1 minus the cosine of half a turn: far above what a body at rest settles by. */
const MOVED = 0.02

/** @type {PageFixture} */
let fixture

before(async () => {
  fixture = await PageFixture.start()
})

after(() => fixture?.stop())

/**
 * Runs a function in the page with its testing hook.
 *
 * @template Result, [Argument=undefined]
 * @param {Page} page
 * @param {(demo: any, argument: Argument) => Result} work must stand by itself
 * @param {Argument} [argument]
 * @returns {Promise<Awaited<Result>>}
 */
function withDemo(page, work, argument) {
  const call = `(${work})(window.moreauDemo, ${JSON.stringify(argument)})`
  return /** @type {Promise<any>} */ (page.evaluate(call))
}

/** @param {Page} page */
const stepCount = (page) => withDemo(page, (demo) => demo.world.stepCount)

describe('scenes', () => {
  /** @type {Page} */
  let page

  before(async () => {
    page = await fixture.open()
    // Bodies alone, so that the pictures show whether bodies are drawn
    await page.getByLabel('Contacts').uncheck()
    await page.getByLabel('Forces').uncheck()
  })

  after(() => page && fixture.leave(page))

  test('the page has all of them', async () => {
    assert.deepEqual(
      await withDemo(page, (demo) => demo.scenes),
      scenes.map(({ name }) => name),
    )
  })

  for (const scene of scenes) {
    test(`${scene.name}: same bits as in Node, and in the picture`, async () => {
      const steps = Math.round(SECONDS / scene.timeStep)
      const seen = await withDemo(page, runInPage, { name: scene.name, steps })
      assert.equal(seen.stepCount, steps)
      assert.ok(seen.poses.every(Number.isFinite), 'poses are finite')
      assert.equal(seen.hash, await hashInNode(scene, steps), 'state hash')

      const moved = AT_REST.includes(scene.name) ? seen.moved < MOVED : seen.moved > MOVED
      assert.ok(moved, `the body that moved most moved by ${seen.moved}`)

      const { deviation, colourful } = await photographStage(page, scene.name)
      assert.ok(deviation > 4, `brightness deviates by ${deviation}`)
      assert.ok(colourful > 1e-3, `${100 * colourful} % of the pixels show a body`)
    })
  }

  test('a body that gets another shape is drawn with it', async () => {
    await withDemo(page, (demo) => demo.reset('changing-shapes'))
    const colourfulAfter = async (/** @type {number} */ steps) => {
      await withDemo(page, (demo, count) => demo.step(count), steps)
      return (await photographStage(page, `changing-shapes-${steps}`)).colourful
    }
    const [one, two] = [await colourfulAfter(29), await colourfulAfter(3)]
    assert.ok(
      two > 1.3 * one,
      `${100 * one} % of the pixels show a cube, ${100 * two} % two of them`,
    )
  })

  // Native agrees with Node on these, too: tests/node/determinism.test.mjs.
  for (const [name, solver] of /** @type {const} */ ([
    ['pyramid-210', 'soft-step'],
    ['ragdolls', 'soft-step'],
    ['sleeping-field', 'soft-step'],
    ['tumbling-boxes', 'soft-step'],
    ['tumbling-boxes', 'block-pgs'],
    ['tipping-box', 'block-pgs'],
    ['stack-of-10', 'exact'],
    ['tipping-box', 'exact'],
  ])) {
    test(`${name}: the same bits after 1000 steps of ${solver}`, async () => {
      const scene = sceneByName(name)
      const options = { ...scene.options, solver }
      const own = await fixture.open(`#scene=${name}&solver=${solver}`)
      const seen = await withDemo(own, runInPage, { name, steps: 1000 })
      assert.equal(seen.hash, await hashInNode({ ...scene, options }, 1000), 'state hash')
      await fixture.leave(own)
    })
  }

  test('no scene has complained on the console', () => assert.deepEqual(fixture.complaints, []))
})

describe('verdicts', () => {
  /** Scenes that are played to their end; the clock of the panels is tried with all in simulation.test.mjs. */
  const played = process.env.MOREAU_SLOW
    ? scenes
    : ['bullet-wall', 'domino-row', 'glancing-cubes', 'incline-slides', 'pulley'].map(sceneByName)
  /** ms of a frame. */
  const FRAME = 100
  /** @type {Page} */
  let page

  before(async () => {
    page = await fixture.open('', { width: 400, height: 300 }, { hasOwnClock: true })
    await page.getByRole('slider', { name: 'Speed' }).press('End')
    await page.getByRole('button', { name: 'Play' }).click()
  })

  after(() => page?.close())

  for (const scene of played) {
    test(`${scene.name}: whoever lets it play sees what became of every check`, async () => {
      await withDemo(page, (demo, name) => demo.reset(name), scene.name)
      const most = Math.ceil((1000 * scene.duration) / FRAME) + 10
      for (let i = 0; i < most; i++) {
        await page.clock.fastForward(FRAME)
        if ((await withDemo(page, ({ world }) => world.time)) > scene.duration + 1) break
      }
      assert.equal(await page.locator('#checks-summary').innerText(), 'all pass')
      assert.equal(await page.locator('#checks li').count(), scene.checks.length)
      assert.equal(await page.locator('#checks li.pass').count(), scene.checks.length)
    })
  }
})

describe('controls', () => {
  /** @type {Page} */
  let page

  before(async () => {
    page = await fixture.open('#scene=resting-cube')
  })

  after(() => page && fixture.leave(page))

  test('step takes one step, reset none', async () => {
    await page.getByRole('button', { name: 'One step' }).click()
    assert.equal(await stepCount(page), 1)
    await page.keyboard.press('s')
    assert.equal(await stepCount(page), 2)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.waitForFunction('window.moreauDemo.world.stepCount === 0')
    await page.keyboard.press('s')
    await page.keyboard.press('r')
    await page.waitForFunction('window.moreauDemo.world.stepCount === 0')
  })

  test('a file that is dropped runs; one with a mistake is told of', async () => {
    const drop = (/** @type {string} */ name, /** @type {string} */ text) =>
      page.evaluate(
        ([fileName, content]) => {
          const data = new DataTransfer()
          data.items.add(new File([content], fileName, { type: 'application/json' }))
          dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }))
        },
        [name, text],
      )
    const shape = { type: 'sphere', radius: 0.5 }
    const file = { version: 1, bodies: [{ shape }, { shape, position: [2, 0, 0] }] }
    await drop('two-balls.json', JSON.stringify(file))
    await page.waitForFunction(`window.moreauDemo.scene.name === 'two-balls.json'`)
    assert.equal(await page.locator('#scene-title').textContent(), 'two-balls.json')
    assert.equal(await withDemo(page, ({ world }) => world.bodies.length), 2)
    await drawn(page)
    assert.equal(await page.locator('#checks-summary').innerText(), 'none')
    assert.match(await page.locator('#checks-note').innerText(), /^This file has no checks/)
    await page.keyboard.press('s')
    assert.equal(await stepCount(page), 1)
    await page.keyboard.press('r')
    await page.waitForFunction('window.moreauDemo.world.stepCount === 0')

    const message = page.locator('#message')
    await drop('bad.json', JSON.stringify({ version: 1, bodies: [{ shape: { type: 'ball' } }] }))
    await message.waitFor({ state: 'visible' })
    assert.match(await message.innerText(), /^bad\.json: bodies\[0\]\.shape\.type must be one of/)
    await drop('torn.json', '{ "version":')
    await page.waitForFunction(
      `document.querySelector('#message-text').textContent.startsWith('torn.json: ')`,
    )
    await page.getByRole('button', { name: 'Close the message' }).click()
    assert.equal(await message.isVisible(), false)
    await withDemo(page, (demo) => demo.reset('resting-cube'))
  })

  test('play runs until pause', async () => {
    await page.getByRole('button', { name: 'Play' }).click()
    await page.waitForFunction('window.moreauDemo.world.stepCount > 3')
    await page.getByRole('button', { name: 'Pause' }).click()
    const count = await stepCount(page)
    await page.waitForTimeout(100)
    assert.equal(await stepCount(page), count)
    await page.locator('body').press(' ')
    await page.waitForFunction(`window.moreauDemo.world.stepCount > ${count}`)
    await page.locator('body').press(' ')
    assert.equal(await withDemo(page, (demo) => demo.isPlaying), false)
  })

  test('the time line goes back and forth, and time goes on from there', async () => {
    await withDemo(page, (demo) => demo.reset('domino-row'))
    const hash = () => withDemo(page, (demo) => demo.world.hash())
    const slider = page.getByRole('slider', { name: 'Time line' })
    const press = async (/** @type {string} */ key, count = 1) => {
      for (let i = 0; i < count; i++) await slider.press(key)
      await drawn(page)
      return stepCount(page)
    }
    await withDemo(page, (demo) => demo.step(120))
    await drawn(page)
    const end = await hash()
    assert.equal(await press('ArrowLeft', 3), 117)
    assert.equal(await press('b', 2), 115)
    assert.equal(await press('Home'), 0)
    const summary = await page.locator('#checks-summary').innerText()
    assert.equal(await press('End'), 120, 'what was not simulated yet cannot be sought')
    assert.equal(await hash(), end)
    assert.equal(await slider.getAttribute('aria-valuetext'), '1.00 s of 2.4 s')

    await press('Home')
    await press(' ')
    await page.waitForFunction('window.moreauDemo.world.stepCount > 3')
    await slider.press(' ')
    const count = await stepCount(page)
    assert.ok(count < 120, `${count} steps`)
    assert.equal(await withDemo(page, (demo) => demo.isPlaying), false)
    assert.equal(await press('End'), count, 'another future has begun')
    await withDemo(page, (demo) => demo.step(120 - demo.world.stepCount))
    assert.equal(await hash(), end)
    assert.equal(await page.locator('#checks-summary').innerText(), summary)
    await withDemo(page, (demo) => demo.step(288 - 120))
    await drawn(page)
    assert.match(await page.locator('#checks-summary').innerText(), /all pass/)
    await withDemo(page, (demo) => demo.reset('resting-cube'))
    await withDemo(page, (demo) => demo.step(10))
  })

  test('a paused page asks for no frames', async () => {
    await drawn(page)
    const frames = await page.evaluate(async () => {
      const ask = window.requestAnimationFrame
      let count = 0
      window.requestAnimationFrame = (callback) => {
        count += 1
        return ask(callback)
      }
      await new Promise((done) => setTimeout(done, 200))
      window.requestAnimationFrame = ask
      return count
    })
    assert.equal(frames, 0)
  })

  test('forces are drawn where asked for', async () => {
    await page.getByLabel('Forces').uncheck()
    const without = await photographStage(page, 'forces-off')
    await page.getByLabel('Forces').check()
    const withForces = await photographStage(page, 'forces-on')
    assert.ok(withForces.red > without.red + 2e-4, `${withForces.red} against ${without.red}`)
  })

  test('a click shows a body, a drag pulls it', async () => {
    await withDemo(page, (demo) => demo.reset())
    await drawn(page)
    const stage = await page.locator('#canvas').boundingBox()
    assert.ok(stage)
    const [x, y] = [stage.x + stage.width / 2, stage.y + stage.height / 2]
    await page.mouse.click(x, y)
    const inspector = page.getByRole('region', { name: 'Selected body' })
    await inspector.waitFor()
    assert.match(await inspector.innerText(), /mass/)

    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y - 0.3 * stage.height, { steps: 3 })
    const height = await withDemo(page, (demo) => {
      demo.step(40)
      return Math.max(
        ...Array.from(demo.world.bodies, (/** @type {any} */ body) => body.position[1]),
      )
    })
    await page.mouse.up()
    await drawn(page)
    assert.ok(height > 0.6, `the cube was lifted to ${height} m`)
    assert.match(await page.locator('#checks-summary').innerText(), /disturbed/)
  })

  test('settings start the scene anew and stand in the address', async () => {
    await page.getByText('Settings').click()
    await page.getByLabel('Iterations').fill('50')
    await page.getByLabel('Iterations').press('Enter')
    await page.waitForFunction('window.moreauDemo.world.iterations === 50')
    assert.match(page.url(), /scene=resting-cube&iterations=50/)
    await page.getByText("Back to the scene's own").click()
    await page.waitForFunction('window.moreauDemo.world.iterations === 20')
  })

  test('no control has complained on the console', () => assert.deepEqual(fixture.complaints, []))
})

test('a chosen solver follows into scenes that are made for it, and waits where one is not', async () => {
  const page = await fixture.open('#scene=batch-of-dice')
  const note = page.locator('#checks-note')
  const choose = async (/** @type {string} */ name) => {
    await withDemo(page, (demo, to) => demo.reset(to), name)
    return withDemo(page, ({ world }) => world.solver)
  }
  await page.getByText('Settings').click()
  await page.getByLabel('Solver').selectOption('exact')
  await page.waitForFunction(`window.moreauDemo.world.solver === 'exact'`)
  assert.equal(await note.isVisible(), false)

  assert.equal(await choose('stack-of-10'), 'soft-step')
  const why =
    'The checks of this scene are made for soft-step and block-pgs. You chose exact elsewhere; here soft-step runs instead.'
  assert.equal(await note.innerText(), why)
  assert.match(page.url(), /#scene=stack-of-10$/)
  await page.keyboard.press('r')
  assert.equal(await choose('stack-of-10'), 'soft-step', 'a reset changes nothing')
  assert.equal(await note.innerText(), why)
  assert.equal(await choose('mass-ratio-1e3'), 'exact')
  assert.equal(await note.isVisible(), false)
  assert.equal(await choose('truck'), 'exact')
  assert.match(page.url(), /#scene=truck&solver=exact$/)

  // Whoever chooses it for a scene has it, and is told.
  assert.equal(await choose('stack-of-10'), 'soft-step')
  await page.getByLabel('Solver').selectOption('exact')
  await page.waitForFunction(`window.moreauDemo.world.solver === 'exact'`)
  assert.match(await note.innerText(), /They may fail with exact, which you chose\.$/)
  assert.equal(await choose('stack-of-10'), 'exact')
  await page.getByText("Back to the scene's own").click()
  await page.waitForFunction(`window.moreauDemo.world.solver === 'soft-step'`)
  assert.equal(await note.isVisible(), false)
  await fixture.leave(page)
  assert.deepEqual(fixture.complaints, [])
})

test('substeps have no tolerance to miss and no limit to run into', async () => {
  const page = await fixture.open('#scene=stack-of-10')
  const residual = page.locator('#residual-plot')
  await withDemo(page, (demo) => demo.step(20))
  await drawn(page)
  assert.match(await residual.innerText(), /tolerance\s*–/)
  assert.doesNotMatch(await page.locator('#state').innerText(), /the limit/)
  await page.getByText('Settings').click()
  await page.getByLabel('Solver').selectOption('block-pgs')
  await page.waitForFunction(`window.moreauDemo.world.solver === 'block-pgs'`)
  await withDemo(page, (demo) => demo.step(20))
  await drawn(page)
  assert.match(await residual.innerText(), /tolerance\s*1\.0e-8/)
  await fixture.leave(page)
})

test('an address leads to its scene with its settings', async () => {
  const page = await fixture.open('#scene=stack-of-10&iterations=33&stabilization=none')
  const found = await withDemo(page, ({ scene, world }) => [
    scene.name,
    world.iterations,
    world.stabilization,
  ])
  assert.deepEqual(found, ['stack-of-10', 33, 'none'])
  await fixture.leave(page)
})

test('an address with a scene that does not exist says so, with the nearest one', async () => {
  const page = await fixture.open('#scene=pyramid-21')
  const message = page.getByRole('alert')
  assert.match(
    await message.innerText(),
    /^There is no scene 'pyramid-21'; did you mean Pyramid of 210\? This is Pour\./,
  )
  await message.getByRole('link', { name: 'Pyramid of 210' }).click()
  await page.waitForFunction(`window.moreauDemo.scene.name === 'pyramid-210'`)
  assert.equal(await message.isVisible(), false)
  await fixture.leave(page)
  for (const hash of ['#poor', '#zzz', '#50%']) {
    const other = await fixture.open(hash)
    const text = await other.getByRole('alert').innerText()
    assert.ok(text.startsWith(`There is no scene '${hash.slice(1)}'; this is Pour.`), text)
    await fixture.leave(other)
  }
  assert.deepEqual(fixture.complaints, [])
})

test('the camera goes along with a car', async () => {
  const page = await fixture.open('#scene=car')
  await withDemo(page, (demo) => demo.step(8 / demo.scene.timeStep))
  const end = await photographStage(page, 'car-end')
  assert.ok(end.colourful > 1e-3, `${100 * end.colourful} % of the pixels show it`)
  await fixture.leave(page)
})

test('a phone shows the page without scrolling sideways', async () => {
  const page = await fixture.open('#scene=stack-of-10', { width: 390, height: 844 })
  await withDemo(page, (demo) => demo.step(10))
  await photographPage(page, 'phone')
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(width <= 390, `${width} pixels wide`)
  const stage = await photographStage(page, 'phone-stage')
  assert.ok(stage.colourful > 1e-3)
  await fixture.leave(page)
  assert.deepEqual(fixture.complaints, [])
})

for (const [width, height] of [
  [844, 390],
  [740, 360],
  [667, 375],
]) {
  test(`a phone of ${width} x ${height} on its side shows the scene, all controls, and says beneath what it is`, async () => {
    const page = await fixture.open('#scene=stack-of-10', { width, height })
    await withDemo(page, (demo) => demo.step(10))
    await photographPage(page, `phone-landscape-${width}`)
    const [canvas, caption] = await page.evaluate(() =>
      ['#canvas', '.caption'].map(
        (name) =>
          /** @type {Element} */ (document.querySelector(name)).getBoundingClientRect().height,
      ),
    )
    assert.ok(canvas > 240, `the picture is ${canvas} pixels high`)
    assert.ok(caption < canvas / 4, `its caption ${caption}`)
    assert.ok(await page.locator('#scene-about').isVisible())
    const size = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement
      return [scrollWidth, scrollHeight]
    })
    assert.deepEqual(size, [width, height])
    await apart(page, ['#reset', '#back', '#play', '#step', '#timeline', '.speed', '.toggles'])
    const line = await page.locator('#timeline').boundingBox()
    assert.ok(line !== null && line.width >= 80, `its time line ${line?.width}`)
    const speed = page.getByRole('slider', { name: 'Speed' })
    await speed.press('Home')
    assert.equal(await page.locator('#speed-value').innerText(), '0.10×')
    assert.ok((await photographStage(page, 'phone-landscape-stage')).colourful > 1e-3)
    await fixture.leave(page)
    assert.deepEqual(fixture.complaints, [])
  })
}

/**
 * Says that controls are within the window and do not cover each other.
 *
 * @param {Page} page
 * @param {string[]} selectors
 */
async function apart(page, selectors) {
  const { width, height } = /** @type {{ width: number, height: number }} */ (page.viewportSize())
  const boxes = await Promise.all(
    selectors.map(async (name) => ({ name, ...(await page.locator(name).boundingBox()) })),
  )
  for (const [i, { name, ...box }] of boxes.entries()) {
    const [x = NaN, y = NaN, w = NaN, h = NaN] = [box.x, box.y, box.width, box.height]
    assert.ok(x >= 0 && y >= 0 && x + w <= width && y + h <= height && w > 0, `${name} is outside`)
    for (const { name: other, ...its } of boxes.slice(i + 1)) {
      const [u = NaN, v = NaN, p = NaN, q = NaN] = [its.x, its.y, its.width, its.height]
      const meet = x < u + p && u < x + w && y < v + q && v < y + h
      assert.ok(!meet, `${name} covers ${other}`)
    }
  }
}

test('limits without a unit are written without one', async () => {
  const page = await fixture.open('#scene=roller-coaster')
  const text = (await page.locator('#checks').textContent()) ?? ''
  assert.match(text, /limit 0\.002 m, rad/)
  assert.match(text, /limit 0\.02(?! 1)/)
  await fixture.leave(page)
})

test('the keyboard gets past the list of scenes in one step', async () => {
  const page = await fixture.open('#scene=stack-of-10')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'canvas')
  assert.match(page.url(), /scene=stack-of-10/)
  await fixture.leave(page)
})

/**
 * Runs in the page: starts a scene, takes steps, and looks at its state.
 *
 * @param {any} demo
 * @param {{ name: string, steps: number }} argument
 */
async function runInPage(demo, { name, steps }) {
  await demo.reset(name)
  const start = Array.from(demo.world.transforms64)
  demo.step(steps)
  const { world } = demo
  const poses = Array.from(world.transforms64)
  let moved = 0
  for (let at = 0; at < poses.length; at += 8) {
    const way = [0, 1, 2].map((axis) => poses[at + axis] - start[at + axis])
    const turn = [4, 5, 6, 7].reduce((sum, axis) => sum + poses[at + axis] * start[at + axis], 0)
    const isFree = [4, 5, 6, 7].every((axis) => poses[at + axis] === 0)
    moved = Math.max(moved, Math.hypot(...way), isFree ? 0 : 1 - Math.abs(turn))
  }
  return { stepCount: world.stepCount, hash: world.hash(), poses, moved }
}

/**
 * @param {Scene} scene
 * @param {number} steps
 */
async function hashInNode(scene, steps) {
  const world = await World.create(scene.options)
  try {
    const run = new SceneRun(world, scene)
    while (run.stepIndex < steps) run.step()
    return world.hash()
  } finally {
    world.free()
  }
}
