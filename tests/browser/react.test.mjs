/**
 * Demos of @react-three/rapier with physics of `moreau/react`, in a headless Chromium and in StrictMode.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ReactFixture } from './react-fixture.mjs'

/** @typedef {import('playwright-core').Page} Page */

/** Metres: where the floor of the page is. */
const FLOOR = -12.55

/** @type {ReactFixture} */
let fixture
before(async () => {
  fixture = await ReactFixture.start('tests/browser/react/app.mjs')
})
after(() => fixture?.stop())

/**
 * What the page has to say.
 * @template T
 * @param {Page} page
 * @param {(seen: any, argument: any) => T} question runs in the page
 * @param {unknown} [argument]
 * @returns {Promise<T>}
 */
function ask(page, question, argument) {
  return page.evaluate(
    ([text, value]) => {
      const asked = /** @type {any} */ (globalThis).eval(`(${text})`)
      return asked(/** @type {any} */ (globalThis).seen, value)
    },
    /** @type {const} */ ([String(question), argument]),
  )
}

/** Heights of all dynamic bodies. @param {any} seen */
const heights = ({ world }) => {
  /** @type {number[]} */
  const all = []
  world.forEachRigidBody((/** @type {any} */ body) => {
    if (body.isDynamic() && body.raw.type === 'dynamic') all.push(body.translation().y)
  })
  return all
}

/**
 * How far the objects of a paused world are from their bodies, metres: the worst.
 * @param {any} seen
 */
const drawnError = ({ world, scene }) => {
  let worst = 0
  scene.updateMatrixWorld(true)
  world.forEachRigidBody((/** @type {any} */ body) => {
    const { elements } = body.object.matrixWorld
    const { x, y, z } = body.translation()
    worst = Math.max(worst, Math.hypot(elements[12] - x, elements[13] - y, elements[14] - z))
  })
  return worst
}

/** Has the last step drawn as it is, and not what is between steps. @param {Page} page */
async function freeze(page) {
  await ask(page, ({ setPhysics }) => setPhysics({ paused: true }))
  await page.waitForTimeout(500)
}

/**
 * Runs a demo, and judges what is there then.
 * @param {string} title
 * @param {string} name
 * @param {(page: Page, warnings: string[]) => Promise<void>} judge
 * @param {{ steps?: number, query?: string, warnings?: RegExp }} [options] `warnings`: what may be said
 */
function demo(title, name, judge, { warnings: allowed = /^$/, ...options } = {}) {
  test(`${name}: ${title}`, async () => {
    const { page, complaints, warnings } = await fixture.open(name, options)
    try {
      await judge(page, warnings)
      await fixture.photograph(page, name)
      assert.deepEqual(complaints, [])
      assert.deepEqual(
        warnings.filter((text) => !allowed.test(text)),
        [],
      )
    } finally {
      await fixture.leave(page)
    }
  })
}

/** @param {Page} page @param {number} least */
async function allStandOnTheFloor(page, least) {
  const all = await ask(page, heights)
  assert.ok(all.length >= least, `${all.length} bodies`)
  for (const y of all) assert.ok(y > FLOOR, `one is at ${y}`)
}

describe('shapes and colliders', () => {
  demo(
    'colliders of all kinds for one model fall and lie',
    'AllShapes',
    (page) => allStandOnTheFloor(page, 12),
    { warnings: /convex hull/ },
  )

  demo(
    'each geometry has its collider',
    'AllColliders',
    async (page) => {
      await allStandOnTheFloor(page, 12)
      const kinds = await ask(page, ({ world }) =>
        world.colliders.getAll().map((/** @type {any} */ one) => one.raw.type),
      )
      const known = ['box', 'sphere', 'capsule', 'cylinder', 'cone', 'hull', 'heightfield']
      assert.deepEqual([...new Set(kinds)].sort(), known.sort())
      await freeze(page)
      const error = await ask(page, drawnError)
      assert.ok(error < 1e-4, `${error}`)
    },
    { warnings: /convex hull/, query: '&debug' },
  )

  demo('colliders without a body hold up balls', 'Colliders', async (page) => {
    const all = await ask(page, heights)
    assert.equal(all.length, 5)
    const counts = await ask(page, ({ world }) => [world.bodies.len(), world.raw.bodies.length])
    assert.deepEqual(counts, [6, 8])
  })

  demo(
    'meshes of a body have the colliders that they are wrapped in',
    'MeshColliders',
    async (page) => {
      const kinds = await ask(page, ({ world }) =>
        world.bodies
          .getAll()
          .map((/** @type {any} */ { colliders }) =>
            colliders.map((/** @type {any} */ one) => one.kind).join(),
          ),
      )
      // What is invisible has none.
      const wanted = ['convexHull,cuboid', 'ball,cuboid', 'cuboid,cuboid', 'cuboid']
      assert.deepEqual(kinds, wanted)
      await allStandOnTheFloor(page, 2)
    },
  )

  demo(
    'bodies in groups that are turned and scaled are drawn where they are',
    'Transforms',
    async (page) => {
      await freeze(page)
      const error = await ask(page, drawnError)
      assert.ok(error < 1e-4, `${error}`)
    },
  )

  demo('what touches and what sleeps has another colour', 'Components', async (page) => {
    await page.waitForFunction(() => {
      const { scene } = /** @type {any} */ (globalThis).seen
      const colors = /** @type {string[]} */ ([])
      scene.traverse((/** @type {any} */ { material }) => {
        if (material?.color) colors.push(material.color.getHexString())
      })
      return colors.includes('0000ff') || colors.includes('ff0000')
    })
  })

  demo(
    'things of all kinds fall through the pegs',
    'Plinko',
    async (page) => {
      const all = await ask(page, heights)
      assert.ok(all.length > 8 && Math.min(...all) < 0, `${all}`)
    },
    { steps: 150 },
  )

  demo('a skin keeps its distance', 'ContactSkin', async (page) => {
    const y = await ask(page, ({ ball }) => ball.current.translation().y)
    // Radius 1 and skin 0.5 above -1.5.
    assert.ok(Math.abs(y) < 0.01, `${y}`)
  })
})

describe('bodies', () => {
  demo('a ref takes impulses and places', 'ApiUsage', async (page) => {
    const spin = await ask(page, ({ world }) => world.bodies.getAll()[0].angvel().y)
    assert.ok(spin > 0.01, `${spin}`)
  })

  demo('kinematic bodies carry and push', 'Kinematics', async (page) => {
    const all = await ask(page, heights)
    assert.equal(all.length, 5)
    for (const y of all) assert.ok(y > -8, `one is at ${y}`)
  })

  demo('locks hold', 'LockedTransforms', async (page) => {
    const [a, b, c, d] = await ask(page, ({ locked }) =>
      locked.map((/** @type {any} */ { current }) => ({
        ...{ position: Object.values(current.translation()), rotation: current.rotation() },
      })),
    )
    assert.ok(Math.hypot(a.rotation.x, a.rotation.y, a.rotation.z) < 1e-6, 'does not turn')
    const stays = Math.hypot(b.position[0], b.position[1] - 5, b.position[2])
    assert.ok(stays < 1e-9, 'does not move')
    assert.ok(Math.hypot(c.rotation.y, c.rotation.z) < 1e-3, 'turns about x')
    assert.ok(Math.hypot(d.position[1] - 15, d.position[2]) < 1e-9, 'moves along x')
  })

  demo(
    'the more damping the slower they roll',
    'Damping',
    async (page) => {
      const z = await ask(page, ({ balls }) =>
        balls.map((/** @type {any} */ b) => b.current.translation().z),
      )
      for (let i = 1; i < z.length; i++) assert.ok(z[i] < z[i - 1], `${z}`)
    },
    { steps: 150, query: '&camera=18,25,-40' },
  )

  demo('a body becomes kinematic and back', 'DynamicTypeChange', async (page) => {
    await ask(page, ({ hold }) => hold(true))
    const read = (/** @type {any} */ { held: { current } }) => ({
      ...{ ...current.translation(), kind: current.raw.type },
    })
    await page.waitForFunction(() => {
      const { current } = /** @type {any} */ (globalThis).seen.held
      // Let go in the step that lifted it, it would fly on.
      return current.translation().y === 2 && current.linvel().y === 0
    })
    assert.equal((await ask(page, read)).kind, 'kinematic')
    await ask(page, ({ hold }) => hold(false))
    await page.waitForFunction(() => {
      const { held } = /** @type {any} */ (globalThis).seen
      return held.current.translation().y < 1.9 // it falls; how it lies depends on when it was let go
    })
    assert.equal((await ask(page, read)).kind, 'dynamic')
  })

  demo('its ref stays the same when canSleep changes', 'ImmutableProps', async (page) => {
    await ask(page, (seen) => {
      seen.old = seen.turning.current
      seen.setCanSleep(false)
    })
    await page.waitForFunction(
      () => !(/** @type {any} */ (globalThis).seen.turning.current.raw.allowSleep),
    )
    assert.ok(await ask(page, ({ old, turning }) => old === turning.current && old.isValid()))
  })

  demo(
    'steps by hand, with hooks before and after',
    'ManualStep',
    async (page) => {
      const result = await ask(page, ({ step, world, steps }) => {
        for (let i = 0; i < 5; i++) step(1 / 60)
        return { ...steps, count: world.raw.stepCount, x: world.bodies.getAll()[0].translation().x }
      })
      assert.deepEqual([result.before, result.after, result.count], [5, 5, 5])
      assert.ok(Math.abs(result.x - 10 * (5 / 60)) < 0.01)
    },
    { steps: 0, query: '&paused' },
  )

  demo('is drawn where it was put in the frame', 'Stuttering', async (page) => {
    // In StrictMode the first frames may be of bodies that are mounted again.
    await ask(page, (seen) => (seen.error = 0))
    await fixture.waitForSteps(page, 200)
    const error = await ask(page, (seen) => seen.error)
    assert.ok(error < 1e-4, `${error}`)
  })

  demo(
    'a kinematic body is told that it is in a wall',
    'ActiveCollisions',
    async (page) => {
      await ask(page, (seen) => (seen.entered = seen.left = 0))
      await fixture.waitForSteps(page, 400)
      const [entered, left] = await ask(page, (seen) => [seen.entered, seen.left])
      assert.ok(entered > 0 && Math.abs(entered - left) <= 1, `${entered} entered, ${left} left`)
    },
    { query: '&camera=0,3,12&no-floor' },
  )

  demo(
    'the world goes back to a snapshot',
    'Snapshot',
    async (page) => {
      const before_ = await ask(page, (seen) => {
        seen.take()
        return seen.balls.map((/** @type {any} */ ball) => ball.current.translation().z)
      })
      await page.waitForFunction(
        (z) => /** @type {any} */ (globalThis).seen.balls[0].current.translation().z > z + 1,
        before_[0],
      )
      const after_ = await ask(page, (seen) => {
        seen.restore()
        return seen.balls.map((/** @type {any} */ ball) => ball.current.translation().z)
      })
      assert.deepEqual(after_, before_)
    },
    { query: '&camera=18,25,-40' },
  )
})

describe('events', () => {
  demo(
    'what collides is told where and with what',
    'CollisionEvents',
    async (page) => {
      const { enters, exits, capsuleMet } = await ask(page, (seen) => ({
        ...seen,
        world: 0,
        scene: 0,
      }))
      const names = new Set(enters.map((/** @type {any} */ [target]) => target))
      assert.ok(
        ['Box 1', 'Model', 'Floor', 'Capsule 1'].every((name) => names.has(name)),
        `${[...names]}`,
      )
      assert.ok(exits > 0)
      assert.notEqual(capsuleMet, undefined)
      const onFloor = enters.filter((/** @type {any} */ [, other]) => other === 'Floor')
      for (const [, , y] of onFloor) assert.ok(y > -8.2 && y < -6.8, `on the floor at ${y}`)
    },
    { steps: 150 },
  )

  demo(
    'forces of contacts are those of the impact',
    'ContactForceEvents',
    async (page) => {
      const forces = await ask(page, (seen) => seen.forces)
      const [strongest, y] = forces.reduce((/** @type {any} */ a, /** @type {any} */ b) =>
        b[0] > a[0] ? b : a,
      )
      // A ball of 4.19 kg falls 6.5 m, and leaves with 3/4 of its speed: in one step of 1/60 s.
      const speed = Math.sqrt(2 * 9.81 * 6.5)
      const expected = 60 * 4.19 * speed * 1.75
      assert.ok(Math.abs(strongest / expected - 1) < 0.1, `${strongest} N, expected ${expected}`)
      assert.ok(Math.abs(Math.abs(y) / strongest - 1) < 1e-6)
    },
    { steps: 120 },
  )

  demo(
    'a ball in a goal is told to the sensor',
    'Sensors',
    async (page) => {
      const [goals, outs] = await ask(page, (seen) => [seen.goals, seen.outs])
      assert.ok(goals >= 1 && outs >= goals - 1, `${goals}, ${outs}`)
    },
    { steps: 150 },
  )

  demo('a platform is solid from above alone', 'OneWayPlatform', async (page) => {
    await ask(page, ({ jump }) => jump())
    await fixture.waitForSteps(page, 400)
    const y = await ask(page, ({ ball }) => ball.current.translation().y)
    assert.ok(Math.abs(y - 1.1) < 0.02, `${y}`)
  })
})

describe('joints', () => {
  demo(
    'a rope hangs, a slider has its limits, a shelf its angle',
    'Joints',
    async (page) => {
      const { gaps, slider, shelf } = await ask(page, (seen) => ({
        gaps: seen.rope.slice(1).map((/** @type {any} */ { current }, /** @type {number} */ i) => {
          const [a, b] = [current.translation(), seen.rope[i].current.translation()]
          return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
        }),
        slider: seen.slider.current.raw.translation,
        shelf: seen.shelf.current.rotation(),
      }))
      for (const gap of gaps) assert.ok(gap < 1.03, `a link is ${gap} m long`)
      assert.ok(slider > -2.1 && slider < 2.1, `${slider}`)
      // Its frame is turned by a quarter about z, and turned back.
      assert.ok(Math.abs(Math.abs(shelf.z) - Math.SQRT1_2) < 0.02, `${JSON.stringify(shelf)}`)
    },
    { steps: 150 },
  )

  demo(
    'its motors drive the car',
    'Car',
    async (page) => {
      const x = await ask(page, ({ car }) => car.current.translation().x)
      assert.ok(Math.abs(x) > 3, `${x}`)
    },
    { steps: 120 },
  )

  demo(
    'rods hang on anchors without colliders, which stay',
    'Cradle',
    async (page) => {
      const errors = await ask(page, ({ rods }) =>
        rods.map((/** @type {any} */ [{ current: a }, { current: b }]) => {
          if (!a?.isValid() || !b?.isValid()) return 0
          const [p, q] = [a.translation(), b.translation()]
          return Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z)
        }),
      )
      for (const error of errors) assert.ok(error < 0.02, `${error}`)
    },
    { query: '&camera=4,0,16' },
  )

  demo(
    'a rope is no longer than it is',
    'RopeJointDemo',
    async (page) => {
      await fixture.waitForSteps(page, 260)
      const { length, hit } = await ask(page, ({ ball, anchor, world }) => {
        const [p, q] = [ball.current.translation(), anchor.current.translation()]
        const isFast = (/** @type {any} */ body) => body !== ball.current && body.raw.speed > 1
        const all = world.bodies.getAll()
        return {
          length: Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z),
          hit: all.filter(isFast).length,
        }
      })
      assert.ok(length < 35.1, `${length}`)
      assert.ok(hit > 5, `${hit} bricks fly`)
    },
    { query: '&camera=0,30,110' },
  )

  demo('springs carry boxes that fall on them', 'Spring', async (page) => {
    const y = await ask(page, ({ springs }) =>
      springs.map((/** @type {any} */ s) => s.current.translation().y),
    )
    assert.equal(y.length, 12)
    // 100 kg fall 2.5 m onto 1000 N/m: undamped by 3.4 m, and further with their speed of before.
    for (const height of y) assert.ok(height > -5 && height < 3, `${y}`)
  })
})

describe('many', () => {
  demo('instances are drawn to the middle', 'Cluster', async (page) => {
    const inwards = await ask(page, ({ instances }) =>
      instances.current.filter((/** @type {any} */ body) => {
        const [p, v] = [body.translation(), body.linvel()]
        return p.x * v.x + p.y * v.y + p.z * v.z < 0
      }),
    )
    assert.ok(inwards.length > 250, `${inwards.length} of 300 move inwards`)
  })

  demo('instances come and go', 'InstancedMeshes', async (page) => {
    const count = (/** @type {any} */ { instances, world }) => [
      instances.current.length,
      world.bodies.len(),
    ]
    assert.deepEqual(await ask(page, count), [60, 61])
    await ask(page, ({ add }) => [add(), add()])
    await page.waitForFunction(
      () => /** @type {any} */ (globalThis).seen.instances.current.length === 62,
    )
    assert.deepEqual(await ask(page, count), [62, 63])
    await ask(page, ({ remove }) => [remove(), remove(), remove()])
    await page.waitForFunction(
      () => /** @type {any} */ (globalThis).seen.instances.current.length === 59,
    )
    assert.deepEqual(await ask(page, count), [59, 60])
    await allStandOnTheFloor(page, 59)
  })

  demo('instances have several colliders', 'InstancedMeshesCompound', async (page) => {
    const colliders = await ask(page, ({ instances }) =>
      instances.current.map((/** @type {any} */ b) => b.numColliders()),
    )
    assert.deepEqual([...new Set(colliders)], [3])
    await allStandOnTheFloor(page, 100)
  })

  demo(
    'what fell far is unmounted, and leaves nothing behind',
    'Performance',
    async (page) => {
      const { made, bodies, raw } = await ask(page, ({ made: m, world }) => ({
        ...{ made: m, bodies: world.bodies.len(), raw: world.raw.bodies.length },
      }))
      assert.ok(made > bodies, `${made} made, ${bodies} there`)
      assert.equal(raw, bodies)
    },
    { steps: 240 },
  )

  demo('attractors draw by forces before each step', 'Attractors', async (page) => {
    const x = await ask(page, ({ world }) =>
      world.bodies.getAll().map((/** @type {any} */ b) => b.translation().x),
    )
    assert.ok(x.filter((/** @type {number} */ one) => one < 0).length > 30)
  })
})

describe('Physics in a page', () => {
  test('is paused, goes on, shows lines, begins again by its key, and frees its world', async () => {
    const { page, complaints } = await fixture.open('ApiUsage', { steps: 20 })
    await ask(page, ({ setPhysics }) => setPhysics({ paused: true }))
    const count = (/** @type {any} */ { world }) => world.raw.stepCount
    await page.waitForTimeout(200)
    const paused = await ask(page, count)
    await page.waitForTimeout(200)
    assert.equal(await ask(page, count), paused)
    await ask(page, ({ setPhysics }) => setPhysics({ debug: true }))
    await fixture.waitForSteps(page, paused + 10)
    await page.waitForFunction(() => {
      const lines = /** @type {any} */ (globalThis).seen.scene.getObjectByName('MoreauHelper')
      return lines?.geometry.drawRange.count > 100
    })
    await ask(page, (seen) => {
      seen.old = seen.world.raw
      seen.setPhysics({ key: 2 })
    })
    await page.waitForFunction(() => {
      const { world, old } = /** @type {any} */ (globalThis).seen
      return world.raw !== old && world.raw.stepCount > 3
    })
    const codeOf = (/** @type {any} */ { old }) => {
      try {
        return `${old.bodies.length} bodies`
      } catch (error) {
        return /** @type {any} */ (error).code
      }
    }
    assert.equal(await ask(page, codeOf), 'stale-handle')
    await ask(page, (seen) => {
      seen.old = seen.world.raw
      seen.setPhysics({ isGone: true })
    })
    await page.waitForTimeout(300)
    assert.equal(await ask(page, codeOf), 'stale-handle')
    assert.deepEqual(complaints, [])
    await fixture.leave(page)
  })

  test('steps with the frames of the browser where updateLoop is independent', async () => {
    const { page, complaints } = await fixture.open('ApiUsage', { steps: 10 })
    await ask(page, ({ setPhysics }) => setPhysics({ updateLoop: 'independent' }))
    const count = await ask(page, ({ world }) => world.raw.stepCount)
    await fixture.waitForSteps(page, count + 30)
    assert.deepEqual(complaints, [])
    await fixture.leave(page)
  })
})
