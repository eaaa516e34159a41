/**
 * `moreau/rollback`: worlds that go back and are made again by inputs, two players over a bad network, and the SyncTest.
 */
import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { before, describe, test } from 'node:test'
import { init, MoreauError, World } from 'moreau'
import { Divergence, RollbackSession, RollbackWorld, SyncTestSession } from 'moreau/rollback'
import { fillRoom, keysOf, playFrame, randomFrom } from '../../bench/churn.mjs'
import { runSyncTest } from '../../bench/sync-test.mjs'
import { refused } from './support.mjs'

/** @typedef {import('moreau/rollback').InputMessage} InputMessage */

const DT = 1 / 60

before(() => init())

/** @param {number} [count] */
function room(count = 20) {
  const world = new World()
  fillRoom(world, count)
  return world
}

describe('RollbackWorld', () => {
  test('goes back, and the same inputs give the same frames again', () => {
    const game = new RollbackWorld(room(), { applyInputs: playFrame }, 12)
    const checksums = []
    for (let i = 0; i < 30; i++) {
      checksums.push(game.saveState())
      game.advanceFrame(keysOf(i))
    }
    assert.equal(game.frame, 30)
    game.loadState(20)
    for (let i = 20; i < 30; i++) {
      assert.equal(game.frame, i)
      assert.equal(game.checksumOf(i), checksums[i])
      assert.equal(game.saveState(i), checksums[i])
      game.advanceFrame(keysOf(i))
    }
    assert.equal(new Set(checksums).size, checksums.length)
    game.world.free()
  })

  test('other inputs give other frames, and what differs can be asked', () => {
    const game = new RollbackWorld(room(), { applyInputs: playFrame })
    game.saveState()
    assert.deepEqual(game.differencesFrom(0), [])
    const first = game.saveState(0)
    const body = game.world.bodies[9]
    const velocity = body.linearVelocity
    body.linearVelocity = [velocity[0], velocity[1] + 1e-9, velocity[2]]
    const hash = game.checksum()
    assert.notEqual(hash, first)
    assert.deepEqual(game.differencesFrom(0), [
      {
        ...{ kind: 'body', id: body.id, field: 'linearVelocity' },
        ...{ expected: undefined, found: [0, 1e-9, 0] },
      },
    ])
    assert.equal(game.checksum(), hash)
    game.world.free()
  })

  test('keeps as many frames as it was asked for, the newest', () => {
    const game = new RollbackWorld(room(), { applyInputs: playFrame }, 3)
    refused(() => game.loadState(0), 'invalid-argument', /frame 0 is not kept; kept are none/)
    for (let i = 0; i < 5; i++) {
      game.saveState()
      game.advanceFrame(0)
    }
    refused(() => game.loadState(1), 'invalid-argument', /frame 1 is not kept; kept are 2 to 4/)
    assert.deepEqual([game.checksumOf(1), typeof game.checksumOf(2)], [undefined, 'string'])
    game.loadState(2)
    assert.equal(game.frame, 2)
    game.world.free()
  })

  test('uses its buffers again', () => {
    const world = room()
    const buffers = new Set()
    let whole = 0
    /** What a game asks of its world, of which the snapshots are counted. */
    const watched = {
      step: (/** @type {number} */ dt) => world.step(dt),
      hash: () => world.hash(),
      restore: (/** @type {Uint8Array} */ bytes) => world.restore(bytes),
      snapshot(/** @type {import('moreau').Snapshooting} */ options) {
        if (options.out) buffers.add(options.out.buffer)
        else whole++
        return world.snapshot(options)
      },
    }
    const game = new RollbackWorld(
      /** @type {World} */ (/** @type {unknown} */ (watched)),
      {
        applyInputs: (_, keys, frame) => playFrame(world, keys, frame),
      },
      4,
    )
    for (let i = 0; i < 200; i++) {
      game.saveState()
      game.advanceFrame(keysOf(i))
    }
    const [made, grown] = [buffers.size, whole]
    for (let i = 200; i < 400; i++) {
      if (i % 5 === 0) game.loadState(game.frame - 2)
      game.saveState()
      game.advanceFrame(keysOf(game.frame))
    }
    assert.deepEqual([buffers.size, whole], [made, grown])
    assert.ok(made <= 12, `${made} buffers`)
    world.free()
  })

  test('has what the game keeps beside the world go back with it, and count', () => {
    let score = 0
    const userState = {
      save: () => String(score),
      load: (/** @type {string} */ text) => void (score = Number(text)),
    }
    const applyInputs = () => void score++
    const world = new World()
    const game = new RollbackWorld(world, { applyInputs, userState })
    const first = game.saveState()
    game.advanceFrame(0)
    assert.equal(score, 1)
    game.loadState(0)
    assert.equal(score, 0)
    score = 7
    assert.notEqual(game.checksum(), first)
    assert.deepEqual(game.differencesFrom(0), [
      { kind: 'world', id: 0, field: 'userState', expected: '0', found: '7' },
    ])
    world.free()
  })

  test('keeps its frames where the game cannot save', () => {
    let isBroken = false
    const userState = {
      save() {
        if (isBroken) throw new Error('of the game')
        return 'score'
      },
      load() {},
    }
    const game = new RollbackWorld(room(), { applyInputs: playFrame, userState }, 1)
    const first = game.saveState()
    game.advanceFrame(keysOf(0))
    isBroken = true
    assert.throws(() => game.saveState(), /of the game/)
    assert.equal(game.frame, 1)
    game.loadState(0)
    isBroken = false
    assert.equal(game.checksum(), first)
    game.world.free()
  })

  test('is as before a frame in which the game threw', () => {
    const world = room()
    const game = new RollbackWorld(world, {
      applyInputs(one, input) {
        one.bodies[8].applyForce([1, 2, 3])
        if (input === 'bad') throw new RangeError('no such key')
      },
    })
    const hash = game.saveState()
    assert.throws(() => game.advanceFrame('bad'), RangeError)
    assert.deepEqual([game.frame, game.checksum()], [0, hash])
    game.advanceFrame('good')
    assert.equal(game.frame, 1)
    world.free()
  })

  test('with a world of moreau/threads', async () => {
    const threads = await import('moreau/threads')
    await threads.init({ threads: 2 })
    const hashes = [new World(), new threads.World()].map((world) => {
      fillRoom(world, 30)
      const session = new SyncTestSession(world, { applyInputs: playFrame, checkDistance: 2 })
      while (session.frame < 40) session.advanceFrame(keysOf(session.frame))
      world.free()
      return session.checksum
    })
    assert.equal(hashes[0], hashes[1])
  })

  test('refuses what is no world and no option', () => {
    const world = new World()
    const applyInputs = () => {}
    const make = (
      /** @type {any} */ one,
      /** @type {any} */ options,
      /** @type {any} */ count = 3,
    ) => new RollbackWorld(one, options, count)
    refused(() => make({}, { applyInputs }), 'invalid-argument', /world must be a World/)
    refused(() => make(world, {}), 'invalid-argument', /applyInputs must be a function/)
    refused(() => make(world, undefined), 'invalid-argument', /options must be an object/)
    refused(() => make(world, { applyInput: 1 }), 'invalid-argument', /'applyInputs'/)
    refused(() => make(world, { applyInputs, timeStep: 0 }), 'invalid-argument', /timeStep/)
    refused(() => make(world, { applyInputs }, 0), 'invalid-argument', /frames/)
    refused(() => make(world, { applyInputs, userState: {} }), 'invalid-argument', /userState.save/)
    const game = new RollbackWorld(world, { applyInputs })
    refused(() => game.saveState(-1), 'invalid-argument', /frame/)
    refused(() => game.loadState(0.5), 'invalid-argument', /frame/)
    world.free()
  })
})

describe('SyncTest', () => {
  for (const solver of /** @type {const} */ (['auto', 'block-pgs'])) {
    const frames = solver === 'auto' ? 700 : 200
    test(`${frames} frames of a churning room, eight of them made again in each: ${solver}`, async () => {
      assert.match(await runSyncTest(frames, { solver }), /^[0-9a-f]{16}$/)
    })
  }

  test('gives the frames that an undisturbed run gives', async () => {
    const world = new World()
    fillRoom(world)
    for (let frame = 0; frame < 60; frame++) {
      playFrame(world, keysOf(frame), frame)
      world.step(DT)
    }
    assert.equal(await runSyncTest(60), world.hash())
    world.free()
  })

  /** @param {(world: World, frame: number, call: number) => void} fault */
  function faulty(fault) {
    const world = room()
    let calls = 0
    const session = new SyncTestSession(world, {
      checkDistance: 4,
      applyInputs(one, input, frame) {
        playFrame(one, input, frame)
        fault(one, frame, calls++)
      },
    })
    return { world, session }
  }

  /** @param {SyncTestSession} session @returns {Divergence} */
  function divergence(session) {
    try {
      while (session.frame < 50) session.advanceFrame(keysOf(session.frame))
    } catch (error) {
      assert.ok(error instanceof Divergence && error instanceof MoreauError, String(error))
      assert.equal(error.code, 'diverged')
      return error
    }
    throw new assert.AssertionError({ message: 'nothing was found' })
  }

  test('names the first frame, the body and the field of what depends on more than it may', () => {
    /** @type {number | undefined} */
    let id
    const { world, session } = faulty((one, frame, call) => {
      if (frame !== 21) return
      const body = one.bodies[one.bodies.length - 1]
      id = body.id
      body.applyForce([1e-9 * call, 0, 0])
    })
    const error = divergence(session)
    assert.equal(error.frame, 22)
    assert.deepEqual([error.differences[0].kind, error.differences[0].id], ['body', id])
    assert.match(error.differences[0].field, /^(linearVelocity|position)/)
    assert.match(error.message, new RegExp(`frame 22: body ${id}: (linearVelocity|position)`))
    world.free()
  })

  test('finds a body that is there the second time only', () => {
    let had = false
    const { world, session } = faulty((one, frame) => {
      if (frame !== 12) return
      if (had) one.createBody({ shape: { type: 'sphere', radius: 0.1 }, position: [0, 20, 0] })
      had = true
    })
    const { frame, differences } = divergence(session)
    assert.equal(frame, 13)
    const [{ kind, field, expected, found }] = differences
    assert.deepEqual([kind, field, expected, found], ['body', 'exists', false, true])
    world.free()
  })

  test('finds what was changed between the frames', () => {
    const world = room()
    const session = new SyncTestSession(world, { applyInputs: playFrame, checkDistance: 3 })
    session.advanceFrame(0)
    const [x, , z] = world.gravity
    world.gravity = [x, -9, z]
    const error = divergence(session)
    assert.match(error.message, /outside of applyInputs.*frame 1: the world: settings.gravity\[1\]/)
    world.free()
  })

  test('finds a difference that cannot be read', () => {
    const world = new World()
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    const ball = world.createBody({ shape: { type: 'sphere', radius: 0.5 }, position: [0, 3, 0] })
    let calls = 0
    const session = new SyncTestSession(world, {
      checkDistance: 1,
      // The place in the list of free ids is state, and nothing shows it.
      applyInputs: () =>
        void (calls++ === 1 && world.createBody({ mass: 1, inertia: [1, 1, 1] }).destroy()),
    })
    const error = divergence(session)
    assert.deepEqual([error.frame, error.differences[0].field], [1, 'hidden'])
    assert.ok(ball.isAlive)
    world.free()
  })
})

// --- two players ----------------------------------------------------------------------------------

/** A network that delays by 2 to 7 ticks, loses every sixth packet, repeats some and brings them in another order. */
class BadNetwork {
  #random = randomFrom(42)
  /** @type {{ at: number, to: number, messages: readonly InputMessage[] }[]} */
  #packets = []
  lost = 0
  late = 0

  /** @param {number} tick @param {number} to @param {readonly InputMessage[]} messages */
  send(tick, to, messages) {
    if (this.#random() < 1 / 6) {
      this.lost++
      return
    }
    const copies = this.#random() < 0.1 ? 2 : 1
    for (let i = 0; i < copies; i++) {
      this.#packets.push({ at: tick + 2 + Math.floor(6 * this.#random()), to, messages })
    }
  }

  /** @param {number} tick @param {number} to */
  receive(tick, to) {
    const due = this.#packets.filter((packet) => packet.to === to && packet.at <= tick)
    this.#packets = this.#packets.filter((packet) => !due.includes(packet))
    // The other way round: the newest first.
    return due.reverse().flatMap(({ messages }) => [...messages].reverse())
  }
}

/** Inputs that go out again and again, as nobody says what has come. */
const REPEATED = 40

/** @param {World} world @param {number[]} inputs @param {number} frame */
function playBoth(world, [first, second], frame) {
  playFrame(world, first, frame)
  const { bodies } = world
  if (second) bodies[bodies.length - 1 - (frame % 7)].applyForce([3 * second, 20, 0])
}

class Player {
  stalls = 0
  resimulated = 0
  /** @type {string[]} */
  checksums = []
  /** @type {InputMessage[]} */
  #sent = []

  /** @param {number} number @param {BadNetwork} network @param {object} options */
  constructor(number, network, options) {
    this.number = number
    this.network = network
    this.world = room(40)
    this.session = new RollbackSession(this.world, {
      ...{ players: 2, localPlayers: [number], applyInputs: playBoth },
      ...options,
    })
  }

  /** @param {number} now */
  tick(now) {
    const { session, number, network } = this
    for (const message of network.receive(now, number)) session.addRemoteInput(message)
    if (session.canAdvance) {
      this.#sent.push(...session.addLocalInput(number, keysOf(session.frame, number)))
    }
    network.send(now, 1 - number, this.#sent.slice(-REPEATED))
    if (!session.advanceFrame()) this.stalls++
    this.resimulated += session.resimulatedFrames
    for (;;) {
      const checksum = session.checksum(this.checksums.length)
      if (checksum === undefined) return
      this.checksums.push(checksum)
    }
  }
}

/** What one run gives in which all inputs are there. @param {number} frames @param {number} inputDelay */
function undisturbed(frames, inputDelay) {
  const world = room(40)
  const checksums = []
  for (let frame = 0; frame < frames; frame++) {
    checksums.push(world.hash())
    const made = frame - inputDelay
    const inputs = [0, 1].map((player) => (made < 0 ? 0 : keysOf(made, player)))
    playBoth(world, inputs, frame)
    world.step(DT)
  }
  world.free()
  return checksums
}

/** @param {object} options @param {number} ticks */
function play(options, ticks) {
  const network = new BadNetwork()
  const players = [new Player(0, network, options), new Player(1, network, options)]
  const random = randomFrom(7)
  let pause = 0
  for (let tick = 0; tick < ticks; tick++) {
    players[0].tick(tick)
    // The second one hangs now and then.
    if (random() < 0.01) pause = 25
    if (pause-- <= 0) players[1].tick(tick)
  }
  for (const { world } of players) world.free()
  return { players, network }
}

describe('two players over a network with latency, jitter, loss and packets out of order', () => {
  for (const [name, options] of /** @type {const} */ ([
    ['the last input again, a delay of 2', {}],
    ['a function that predicts, no delay', { inputDelay: 0, predict: () => 1 }],
    ['12 frames of rollback, a delay of 3', { inputDelay: 3, maxRollback: 12 }],
  ])) {
    test(`have the same frames as a run without a network: ${name}`, () => {
      const { players, network } = play(options, 500)
      const { inputDelay = 2, maxRollback = 8 } = /** @type {any} */ (options)
      assert.ok(network.lost > 50, `${network.lost} packets were lost`)
      for (const { number, resimulated, checksums, stalls } of players) {
        assert.ok(resimulated > 20, `player ${number}: ${resimulated} frames were made again`)
        assert.ok(checksums.length > 300, `player ${number}: ${checksums.length} frames`)
        assert.ok(stalls < 200, `player ${number} had to wait ${stalls} times`)
      }
      assert.ok(players[0].stalls > 0, 'the first one waits for the other, who hangs')
      const [one, two] = players.map(({ checksums }) => checksums)
      assert.ok(Math.abs(one.length - two.length) <= maxRollback + inputDelay + 25)
      const alone = undisturbed(Math.max(one.length, two.length), inputDelay)
      assert.deepEqual(one, alone.slice(0, one.length))
      assert.deepEqual(two, alone.slice(0, two.length))
    })
  }
})

describe('RollbackSession', () => {
  /** @param {object} [options] */
  function session(options) {
    const world = room(3)
    const one = new RollbackSession(world, {
      ...{ players: 2, localPlayers: [0], applyInputs: playBoth, inputDelay: 1, maxRollback: 3 },
      ...options,
    })
    return { world, one }
  }

  test('waits where too many frames have no inputs, and goes on when these come', () => {
    const { world, one } = session()
    for (let frame = 0; frame < 3; frame++) {
      assert.ok(one.canAdvance)
      one.addLocalInput(0, 1)
      assert.ok(one.advanceFrame())
    }
    assert.deepEqual([one.frame, one.canAdvance, one.confirmedFrame], [3, false, -1])
    const hash = world.hash()
    assert.equal(one.advanceFrame(), false)
    assert.deepEqual([one.frame, world.hash()], [3, hash])
    assert.ok(one.addRemoteInput({ player: 1, frame: 0, input: 0 }))
    assert.ok(one.canAdvance)
    one.addLocalInput(0, 1)
    assert.ok(one.advanceFrame())
    assert.deepEqual([one.frame, one.confirmedFrame, one.resimulatedFrames], [4, 0, 0])
    world.free()
  })

  test('gives messages for each frame once, those of the delay with the first', () => {
    const { world, one } = session({ inputDelay: 2, initialInput: 'none', applyInputs() {} })
    assert.deepEqual(one.addLocalInput(0, 'jump'), [
      { player: 0, frame: 0, input: 'none' },
      { player: 0, frame: 1, input: 'none' },
      { player: 0, frame: 2, input: 'jump' },
    ])
    one.advanceFrame()
    assert.deepEqual(one.addLocalInput(0, 'run'), [{ player: 0, frame: 3, input: 'run' }])
    world.free()
  })

  test('keeps what inputs were when they were given, and compares them by their values', () => {
    /** @type {unknown[]} */
    const seen = []
    const { world, one } = session({
      inputDelay: 0,
      applyInputs: (/** @type {World} */ _, /** @type {unknown[]} */ inputs) =>
        seen.push(inputs[0]),
    })
    const keys = { left: true, axes: [0.5, -0] }
    one.addLocalInput(0, keys)
    keys.left = false
    one.advanceFrame()
    assert.deepEqual(seen, [{ left: true, axes: [0.5, -0] }])
    const message = { player: 1, frame: 5, input: { keys: Uint8Array.of(1, 2) } }
    assert.equal(one.addRemoteInput(message), true)
    assert.equal(one.addRemoteInput({ ...message, input: { keys: Uint8Array.of(1, 2) } }), false)
    const other = { ...message, input: { keys: Uint8Array.of(1, 3) } }
    refused(() => one.addRemoteInput(other), 'invalid-argument', /player 1 gave for frame 5 before/)
    world.free()
  })

  test('says while a frame is made again', () => {
    /** @type {[number, boolean][]} */
    const seen = []
    const { world, one } = session({
      applyInputs: (
        /** @type {World} */ _w,
        /** @type {number[]} */ _i,
        /** @type {number} */ frame,
      ) => seen.push([frame, one.isResimulating]),
    })
    for (let i = 0; i < 2; i++) {
      one.addLocalInput(0, 0)
      one.advanceFrame()
    }
    one.addRemoteInput({ player: 1, frame: 0, input: 4 })
    one.addLocalInput(0, 0)
    one.advanceFrame()
    const [first, again] = [
      [0, 1, 2],
      [0, 1],
    ].map((list, k) => list.map((i) => [i, k === 1]))
    assert.deepEqual(seen, [...first.slice(0, 2), ...again, first[2]])
    assert.equal(one.resimulatedFrames, 2)
    world.free()
  })

  test('is a game of local players where there are no others', () => {
    const { world, one } = session({ localPlayers: [1, 0], inputDelay: 0 })
    for (let frame = 0; frame < 30; frame++) {
      for (const player of [0, 1]) one.addLocalInput(player, keysOf(frame, player))
      assert.ok(one.advanceFrame())
    }
    assert.deepEqual([one.frame, one.confirmedFrame], [30, 29])
    world.free()
  })

  test('refuses what it cannot use, and plays on', () => {
    const { world, one } = session()
    const bad = (/** @type {() => unknown} */ call, /** @type {RegExp} */ message) =>
      refused(call, 'invalid-argument', message)
    bad(() => one.advanceFrame(), /player 0 has no input for frame/)
    one.addLocalInput(0, 1)
    bad(() => one.addLocalInput(0, 1), /player 0 has an input for frame 1: call advanceFrame first/)
    bad(() => one.addLocalInput(1, 1), /player must be a local one: 0/)
    bad(() => one.addLocalInput(0, () => {}), /input must be a value that can be copied/)
    const any = /** @type {any} */ (one)
    bad(() => any.addRemoteInput(3), /message must be an object/)
    bad(() => any.addRemoteInput({ player: 0, frame: 3, input: 1 }), /one that is not local/)
    bad(() => any.addRemoteInput({ player: 2, frame: 3, input: 1 }), /player/)
    bad(() => any.addRemoteInput({ player: 1, frame: 1e6, input: 1 }), /frame/)
    bad(() => any.addRemoteInput({ player: 1, frame: 1, inputs: 1 }), /'input'/)
    for (const [options, message] of /** @type {[object, RegExp][]} */ ([
      [{ players: 0 }, /players/],
      [{ localPlayers: [2] }, /localPlayers\[0\]/],
      [{ localPlayers: [0, 0] }, /each of them once/],
      [{ localPlayers: 0 }, /a list of players/],
      [{ inputDelay: -1 }, /inputDelay/],
      [{ maxRollback: 1e9 }, /maxRollback/],
      [{ predict: 3 }, /predict/],
      [{ initialInput: Symbol('none') }, /initialInput/],
      [{ rollback: 3 }, /unknown option/],
    ])) {
      bad(() => session(options), message)
    }
    assert.ok(one.advanceFrame())
    world.free()
  })
})

describe('docs/rollback.md', () => {
  test('has an example that runs', async () => {
    const page = await readFile(new URL('../../docs/rollback.md', import.meta.url), 'utf8')
    const [, example] = /```js\n(.*?)```/s.exec(page) ?? []
    // Within the package, whose entries it imports by their names.
    const file = new URL(`../../build/rollback-example-${process.pid}.mjs`, import.meta.url)
    const probe = '\nexport default { frame, mine, own: players[0].session.frame }\n'
    await writeFile(file, example + probe)
    try {
      const { frame, mine, own } = (await import(file.href)).default
      assert.ok(frame > 250 && own > 250, `${frame} frames`)
      assert.match(mine, /^[0-9a-f]{16}$/)
    } finally {
      await rm(file)
    }
  })
})

describe('the entry', () => {
  test('can be required, and throws the errors of `moreau`', () => {
    const require = createRequire(import.meta.url)
    const { RollbackWorld: Required } = require('moreau/rollback')
    assert.throws(
      () => Reflect.construct(Required, [3]),
      (error) => error instanceof require('moreau').MoreauError,
    )
  })

  test('has types, and its bundle has no engine in it', async () => {
    const dist = new URL('../../dist/', import.meta.url)
    for (const types of ['rollback.d.ts', 'rollback.d.cts']) {
      assert.match(await readFile(new URL(types, dist), 'utf8'), /maxRollback\?: number/)
    }
    const text = await readFile(new URL('rollback.mjs', dist), 'utf8')
    assert.ok(text.length < 40_000, `${text.length} bytes`)
    assert.match(text, /from"\.\/index\.mjs"/)
  })
})
