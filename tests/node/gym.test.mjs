/**
 * `moreau/gym`: Gymnasium's vector interface on batches of worlds.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterEach, describe, test } from 'node:test'
import load from '@mujoco/mujoco'
import * as threads from 'moreau/threads'
import { MoreauError } from 'moreau'
import { invertedPendulum } from '../../bindings/gym/environments/inverted-pendulum.mjs'
import { AUTORESET_MODES, Box, environmentIds, makeVec, Random, register } from 'moreau/gym'

/** @import { VectorEnvironment } from 'moreau/gym' */

/** What a test has made. @type {VectorEnvironment[]} */
const opened = []

/** Makes environments for the time of a test. @type {typeof makeVec} */
async function open(id, options) {
  const environments = await makeVec(id, options)
  opened.push(environments)
  return environments
}

afterEach(() => {
  for (const environments of opened.splice(0)) environments.close()
})

/** PCG-XSH-RR 64/32 as its paper has it, with BigInt. @param {bigint} seed @param {number} count */
function pcg(seed, count) {
  const mask = (1n << 64n) - 1n
  let state = 0n
  const advance = () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & mask
  }
  advance()
  state = (state + seed) & mask
  advance()
  return Array.from({ length: count }, () => {
    const old = state
    advance()
    const word = Number((((old >> 18n) ^ old) >> 27n) & 0xffffffffn)
    const turn = Number(old >> 59n)
    return ((word >>> turn) | (word << (-turn & 31))) >>> 0
  })
}

/**
 * Random numbers as actions, and all that came of them.
 * @param {VectorEnvironment} environments
 * @param {number} steps
 * @param {number} [scale] of the actions
 */
function play(environments, steps, scale = 1) {
  const random = new Random(7)
  const size = environments.singleActionSpace.low.length
  const { high } = environments.singleActionSpace
  const rows = [Array.from(environments.reset().observations)]
  for (let step = 0; step < steps; step++) {
    // All environments are told the same.
    const action = Array.from(high, (bound) => scale * random.uniform(-bound, bound))
    const actions = Array.from({ length: environments.numEnvs * size }, (_, i) => action[i % size])
    const result = environments.step(actions)
    const { observations, rewards, terminations, truncations } = result
    rows.push([...observations, ...rewards, ...terminations, ...truncations])
  }
  return rows
}

/** @param {() => unknown} call @param {string} code @param {RegExp} message */
function refuses(call, code, message) {
  assert.throws(call, (/** @type {any} */ error) => {
    assert.ok(error instanceof MoreauError)
    assert.equal(error.code, code)
    assert.match(error.message, message)
    return true
  })
}

describe('Random', () => {
  test('is PCG-XSH-RR 64/32 to the bit', () => {
    for (const seed of [0, 1, 42, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      const random = new Random(seed)
      const numbers = Array.from({ length: 1000 }, () => random.bits())
      assert.deepEqual(numbers, pcg(BigInt(seed), 1000))
    }
  })

  test('numbers are uniform, nearly normal, or whole and equally likely', () => {
    const random = new Random(3)
    const count = 60_000
    const uniform = Array.from({ length: count }, () => random.uniform(2, 4))
    assert.ok(uniform.every((number) => number >= 2 && number < 4))
    const mean = (/** @type {number[]} */ numbers) => numbers.reduce((a, b) => a + b) / count
    // Six standard errors of what is measured.
    const error = 6 / Math.sqrt(count)
    assert.ok(Math.abs(mean(uniform) - 3) < error)
    const normal = Array.from({ length: count }, () => random.normal())
    assert.ok(Math.abs(mean(normal)) < error)
    assert.ok(Math.abs(mean(normal.map((x) => x * x)) - 1) < 2 * error)
    const faces = new Array(6).fill(0)
    for (let i = 0; i < count; i++) faces[random.integer(6)]++
    assert.ok(faces.every((times) => Math.abs(times - count / 6) < 6 * Math.sqrt(count / 6)))
  })

  test('refuses seeds that are no whole numbers', () => {
    refuses(() => new Random(-1), 'invalid-argument', /seed must be a whole number.*-1/)
    refuses(() => new Random(0.5), 'invalid-argument', /0\.5/)
  })
})

describe('Box', () => {
  test('knows what is in it, and gives samples that are', () => {
    const box = new Box({ size: 2, low: [-1, 0], high: [1, Infinity] }, 3)
    assert.deepEqual(box.shape, [3, 2])
    for (let i = 0; i < 100; i++) assert.ok(box.contains(box.sample()))
    assert.ok(!box.contains([0, 0, 0, 0, 0, -1]))
    assert.ok(!box.contains([0, 0]))
    box.seed(5)
    const first = box.sample()
    box.seed(5)
    assert.deepEqual(box.sample(), first)
    refuses(() => new Box({ size: 1, low: 1, high: 0 }), 'invalid-argument', /low\[0\]/)
  })
})

describe('environments', () => {
  for (const [id, actions, observations] of /** @type {const} */ ([
    ['InvertedPendulum', 1, 4],
    ['Ant', 8, 54],
    ['Pusher', 7, 23],
  ])) {
    test(`${id}: spaces, and the same results for a seed, alone or among others`, async () => {
      const many = await open(id, { numEnvs: 4, seed: 10 })
      assert.deepEqual(many.singleActionSpace.shape, [actions])
      assert.deepEqual(many.observationSpace.shape, [4, observations])
      const rows = play(many, 30, 0.3)
      const again = await open(id, { numEnvs: 4, seed: 10 })
      assert.deepEqual(play(again, 30, 0.3), rows)
      const third = await open(id, { seed: 12 })
      const alone = play(third, 30, 0.3).map((row) => row.slice(0, observations))
      const among = rows.map((row) => row.slice(2 * observations, 3 * observations))
      assert.deepEqual(alone, among)
      assert.notDeepEqual(
        rows[0].slice(0, observations),
        rows[0].slice(observations, observations * 2),
      )
    })
  }

  test('moreau/threads comes to the same bits', async () => {
    const plain = await open('Ant', { numEnvs: 3, seed: 4 })
    const engine = /** @type {any} */ (threads)
    const threaded = await open('Ant', { numEnvs: 3, seed: 4, engine })
    assert.deepEqual(play(threaded, 20), play(plain, 20))
  })

  test('InvertedPendulum moves as MuJoCo has it, the more so the shorter the steps are', async () => {
    const mujoco = /** @type {any} */ (await load())
    mujoco.FS.writeFile('/cart.xml', CART)
    const model = mujoco.MjModel.from_xml_path('/cart.xml')
    /** @param {number} frameSkip steps in the 0.04 s of an action */
    const worstOf = async (frameSkip) => {
      register('Cart', { ...invertedPendulum, frameSkip, timeStep: 0.04 / frameSkip })
      const environments = await open('Cart', { seed: 3 })
      const { observations } = environments.reset()
      const data = new mujoco.MjData(model)
      data.qpos.set(observations.subarray(0, 2))
      data.qvel.set(observations.subarray(2, 4))
      let worst = 0
      for (let step = 0; step < 100; step++) {
        data.ctrl[0] = policy(step, [...data.qpos, ...data.qvel])
        mujoco.mj_step(model, data)
        mujoco.mj_step(model, data)
        const { terminations } = environments.step([policy(step, observations)])
        assert.equal(terminations[0], 0, `step ${step}`)
        const state = [...data.qpos, ...data.qvel]
        worst = Math.max(worst, ...state.map((number, i) => Math.abs(number - observations[i])))
      }
      return worst
    }
    const [usual, half, tenth] = [await worstOf(4), await worstOf(8), await worstOf(40)]
    assert.ok(usual < 2e-3, `${usual}`)
    assert.ok(half < 0.55 * usual, `${half}`)
    assert.ok(tenth < 0.11 * usual, `${tenth}`)
  })

  test('Ant: at rest it stands on its feet, and each number of its reward is what it should be', async () => {
    const ant = await open('Ant', { seed: 2 })
    const { observations } = ant.reset()
    const still = new Float64Array(8)
    for (let step = 0; step < 60; step++) {
      const x = ant.step(still).infos.xPosition[0]
      const { rewards, infos } = ant.step(still)
      const speed = (infos.xPosition[0] - x) / 0.05
      assert.ok(Math.abs(infos.xVelocity[0] - speed) < 1e-12)
      assert.equal(infos.controlCost[0], 0)
      assert.equal(rewards[0], 1 + infos.xVelocity[0] - infos.contactCost[0])
    }
    const contacts = observations.subarray(27)
    assert.ok(observations[0] > 0.2 && observations[0] < 0.6)
    assert.ok(contacts.some((force) => force === 1))
    const { infos } = ant.step(new Float64Array(8).fill(0.5))
    assert.equal(infos.controlCost[0], 0.5 * 8 * 0.25)
  })

  test('Pusher: the hand moves the cylinder by contact, and only by it', async () => {
    const pusher = await open('Pusher', { numEnvs: 32, seed: 5, autoresetMode: 'disabled' })
    const { observations } = pusher.reset()
    const [object, goal] = [17, 20]
    const starts = observations.slice()
    for (let i = 0; i < 32; i++) {
      const row = starts.subarray(23 * i, 23 * i + 23)
      assert.ok(Math.hypot(row[object] - row[goal], row[object + 1] - row[goal + 1]) > 0.17)
    }
    // Down to the table, then around over it: springs with dampers to angles.
    for (let step = 0; step < 100; step++) {
      const targets = [step < 40 ? 0 : 1.4, 1, 0, -1.225, 0, 0, 0]
      const actions = Float64Array.from({ length: 7 * 32 }, (_, i) => {
        const at = 23 * Math.floor(i / 7) + (i % 7)
        return STIFFNESS[i % 7] * (targets[i % 7] - observations[at] - observations[at + 7] / 5)
      })
      pusher.step(actions)
    }
    const moved = Array.from({ length: 32 }, (_, i) => {
      const at = 23 * i + object
      return Math.hypot(observations[at] - starts[at], observations[at + 1] - starts[at + 1])
    })
    assert.ok(
      moved.filter((way) => way > 0.05).length >= 5,
      `${moved.map((way) => way.toFixed(3))}`,
    )
    const idle = await open('Pusher', { numEnvs: 4, seed: 5 })
    const before = idle.reset().observations.slice()
    for (let step = 0; step < 50; step++) idle.step(new Float64Array(28))
    const after = idle.step(new Float64Array(28)).observations
    for (let i = 0; i < 4; i++) {
      const at = 23 * i + object
      for (let k = 0; k < 3; k++) assert.ok(Math.abs(after[at + k] - before[at + k]) < 2e-3)
    }
  })
})

/** N m/rad: with which the joints of an arm are brought to angles */
const STIFFNESS = [20, 20, 1, 10, 1, 1, 1]

/** Keeps the pole up and the cart moving. @param {number} step @param {[number, number, number, number] | Float64Array | number[]} state */
const policy = (step, [x, angle, speed, rate]) =>
  0.8 * (x - 0.2 * Math.sin(step / 10)) + 7.4 * angle + 4 * speed + 3.5 * rate

/** The model of InvertedPendulum-v5, in our words. */
const CART = `<mujoco>
  <option gravity="0 0 -9.81" integrator="RK4" timestep="0.02"/>
  <default><joint damping="1"/><geom contype="0" conaffinity="0" density="1000"/></default>
  <worldbody>
    <body><joint name="slide" type="slide" axis="1 0 0" range="-1 1" limited="true"/>
      <geom type="capsule" fromto="-0.1 0 0 0.1 0 0" size="0.1"/>
      <body><joint type="hinge" axis="0 1 0" range="-90 90" limited="true"/>
        <geom type="capsule" fromto="0 0 0 0.001 0 0.6" size="0.049"/></body></body>
  </worldbody>
  <actuator><motor joint="slide" gear="100"/></actuator>
</mujoco>`

/** An environment that counts: its state is its time, and it ends at a given number of steps. */
const counter = {
  build: (/** @type {typeof import('moreau').World} */ World) => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.createBody({ shape: { type: 'sphere', radius: 0.5 } })
    const place = /** @type {const} */ ({ type: 'position', body })
    return {
      world,
      actions: [{ type: /** @type {const} */ ('force'), body }],
      observations: [{ type: /** @type {const} */ ('time') }, place],
      starts: [place],
    }
  },
  timeStep: 0.5,
  maxEpisodeSteps: 5,
  action: { size: 3, low: -1, high: 1 },
  observation: { size: 4 },
  infos: ['seconds'],
  begin(/** @type {Float64Array} */ start, /** @type {Random} */ random) {
    start[0] = random.uniform()
  },
  judge(/** @type {import('moreau/gym').Transition} */ transition) {
    transition.infos.seconds = transition.state[0]
    transition.reward = transition.seconds
    // The first environment is told to end early.
    transition.isTerminated = transition.action[1] > 2
  },
}

describe('episodes', () => {
  register('Counter', counter)
  const none = new Float64Array(6)
  /** Ends the first of two. */
  const end = Float64Array.of(0, 3, 0, 0, 0, 0)
  const make = (/** @type {import('moreau/gym').AutoresetMode} */ autoresetMode) =>
    open('Counter', { numEnvs: 2, seed: 1, autoresetMode })

  test('next-step: the step after the end begins anew, with reward 0', async () => {
    const environments = await make('next-step')
    const first = environments.reset().observations.slice()
    environments.step(none)
    const ended = environments.step(end)
    assert.deepEqual([...ended.terminations], [1, 0])
    assert.deepEqual([...ended.rewards], [0.5, 0.5])
    assert.deepEqual([ended.observations[0], ended.observations[4]], [1, 1])
    const begun = environments.step(none)
    assert.deepEqual([...begun.terminations, ...begun.truncations], [0, 0, 0, 0])
    assert.deepEqual([...begun.rewards], [0, 0.5])
    assert.deepEqual([begun.observations[0], begun.observations[4]], [0, 1.5])
    assert.deepEqual([...begun.infos.episodeSteps], [0, 3])
    assert.notEqual(begun.observations[1], first[1], 'random numbers go on')
    environments.step(none)
    const truncated = environments.step(none)
    assert.deepEqual([...truncated.truncations], [0, 1])
    assert.deepEqual([...truncated.infos.seconds], [1, 2.5])
    assert.deepEqual([...environments.step(none).observations.subarray(4, 5)], [0])
  })

  test('same-step: the step that ends an episode gives its last observation and the first of the next one', async () => {
    const environments = await make('same-step')
    environments.reset()
    environments.step(none)
    const { observations, terminations, rewards, infos } = environments.step(end)
    assert.deepEqual([...terminations, ...rewards], [1, 0, 0.5, 0.5])
    assert.deepEqual([observations[0], observations[4]], [0, 1])
    assert.deepEqual([...(infos.isFinal ?? [])], [1, 0])
    assert.equal(infos.finalObservations?.[0], 1)
    assert.deepEqual([...infos.episodeSteps], [2, 2])
    const next = environments.step(none)
    assert.deepEqual([...next.infos.episodeSteps, ...(next.infos.isFinal ?? [])], [1, 3, 0, 0])
    assert.deepEqual([next.observations[0], next.observations[4]], [0.5, 1.5])
  })

  test('disabled: nothing begins anew but by reset, which takes a mask', async () => {
    const environments = await make('disabled')
    environments.reset()
    for (let i = 0; i < 7; i++) environments.step(none)
    const { observations, truncations, infos } = environments.step(none)
    assert.deepEqual([...truncations, ...infos.episodeSteps], [1, 1, 8, 8])
    environments.reset({ mask: [false, true] })
    assert.deepEqual([observations[0], observations[4]], [4, 0])
    assert.deepEqual([...truncations, ...infos.episodeSteps], [1, 0, 8, 0])
    environments.reset({ mask: [0, 0] })
    assert.deepEqual([observations[0], observations[4]], [4, 0])
  })

  test('seeds: a number, one for each, or the random numbers go on', async () => {
    const environments = await make('disabled')
    const begin = (/** @type {import('moreau/gym').ResetOptions} */ options) => {
      const { observations } = environments.reset(options)
      return [observations[1], observations[5]]
    }
    const [one, two] = begin({})
    assert.equal(one, new Random(1).uniform())
    assert.equal(two, new Random(2).uniform())
    assert.notDeepEqual(begin({}), [one, two])
    assert.deepEqual(begin({ seed: 1 }), [one, two])
    assert.deepEqual(begin({ seed: [2, 1] }), [two, one])
    assert.deepEqual(begin({ seed: 1, mask: [false, true] }), [two, two])
  })

  test('actions beyond their bounds act as the bounds do, and are judged as they are', async () => {
    const environments = await make('disabled')
    environments.reset()
    const { observations } = environments.step([1, 0, 0, 50, 0, 0])
    assert.equal(
      observations[1] - new Random(1).uniform(),
      observations[5] - new Random(2).uniform(),
    )
  })

  test('what is refused changes nothing', async () => {
    const environments = await make('next-step')
    refuses(() => environments.step(none), 'not-initialized', /reset\(\) has to come first/)
    environments.reset()
    refuses(() => environments.step([1]), 'invalid-argument', /actions must be 6 numbers/)
    const broken = [0, 0, 0, 0, NaN, 0]
    refuses(() => environments.step(broken), 'invalid-argument', /actions\[4\].*NaN/)
    refuses(() => environments.reset({ mask: [1] }), 'invalid-argument', /mask must be.*2 entries/)
    refuses(() => environments.reset({ seed: -3 }), 'invalid-argument', /seed.*-3/)
    refuses(() => environments.reset({ seed: [1] }), 'invalid-argument', /seed/)
    refuses(() => environments.reset(/** @type {any} */ ({ sed: 1 })), 'invalid-argument', /sed/)
    assert.deepEqual([...environments.step(none).infos.episodeSteps], [1, 1])
    environments.close()
    environments.close()
    refuses(() => environments.step(none), 'stale-handle', /closed/)
  })

  test('a step that the engine refuses ends the episode of that environment alone', async () => {
    register('Fragile', {
      ...counter,
      action: { size: 3 },
      act: (/** @type {Float64Array} */ action, /** @type {Float64Array} */ row) => {
        row[0] = action[0] > 0 ? 1e308 * 10 : 0
      },
    })
    const environments = await open('Fragile', { numEnvs: 2, seed: 1 })
    environments.reset()
    const { terminations, infos, observations } = environments.step([1, 0, 0, 0, 0, 0])
    assert.deepEqual([...terminations, ...infos.failed], [1, 0, 1, 0])
    const next = environments.step(none)
    assert.deepEqual([...next.terminations, ...next.infos.failed], [0, 0, 0, 0])
    assert.deepEqual([observations[0], observations[4]], [0, 1])
  })
})

describe('the registry', () => {
  test('names, modes and options that are not known are refused by name', async () => {
    assert.ok(['InvertedPendulum', 'Ant', 'Pusher'].every((id) => environmentIds().includes(id)))
    assert.deepEqual(AUTORESET_MODES, ['next-step', 'same-step', 'disabled'])
    await assert.rejects(makeVec('Pushr'), /no environment 'Pushr'; did you mean 'Pusher'\?/)
    await assert.rejects(makeVec('Ant', { numEnvs: 0 }), /numEnvs.*0/)
    const strange = /** @type {any} */ ({ autoresetMode: 'never' })
    await assert.rejects(makeVec('Ant', strange), /autoresetMode.*'never'/)
    const unknown = /** @type {any} */ ({ envs: 1 })
    await assert.rejects(makeVec('Ant', unknown), /unknown option 'envs'/)
  })

  test('specifications are checked when they are registered', () => {
    const without = /** @type {any} */ ({ ...counter, judge: undefined })
    refuses(() => register('Bad', without), 'invalid-argument', /Bad\.judge must be a function/)
    const misspelt = /** @type {any} */ ({ ...counter, timestep: 1 })
    refuses(() => register('Bad', misspelt), 'invalid-argument', /'timestep'.*'timeStep'/)
    const still = { ...counter, timeStep: 0 }
    refuses(() => register('Bad', still), 'invalid-argument', /timeStep/)
  })

  test('the example of docs/gym.md', async () => {
    const page = readFileSync(new URL('../../docs/gym.md', import.meta.url), 'utf8')
    const blocks = Array.from(page.matchAll(/```js\n([^]*?)```/g), ([, code]) => code)
    assert.ok(blocks.length >= 2)
    const entry = new URL('../../dist/gym.mjs', import.meta.url).href
    for (const code of blocks) {
      const source = `${code.replaceAll("'moreau/gym'", `'${entry}'`)}\nexport const ran = true`
      const { ran } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
      assert.ok(ran)
    }
    assert.ok(environmentIds().includes('Hopscotch'))
  })
})
