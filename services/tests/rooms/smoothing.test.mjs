/**
 * What is drawn while the simulation is corrected: no body goes further from one picture to the next than it moves and a correction may add.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { init } from 'moreau'
import { LockstepSession, PredictedSession, Smoothing } from '../../source/client/index.mjs'
import { Offset } from '../../source/client/offset.mjs'
import { FRAME_TIME } from '../../source/netcode/events.mjs'
import { Eyes, FRAME_OF_MOTION } from '../../scripts/rooms/eyes.mjs'
import { play, run, Table } from './table.mjs'

before(() => init())

const WAY = { delay: 50, jitter: 20, loss: 0, repeat: 0 }

/** A player of a table who draws. @param {Table<any>} table @param {number} player */
function watch(table, player) {
  const session = table.sessions[player]
  const smoothing = new Smoothing()
  let correction = 0
  smoothing.onCorrection = (all) => (correction = Math.max(correction, ...all.values()))
  session.onRollback = (/** @type {boolean} */ isBefore) =>
    smoothing.onRollback(session.simulation, isBefore)
  const eyes = new Eyes(/** @type {any} */ ({ smoothing, world: session.simulation.world }))
  let frame = session.frame
  const draw = () => {
    smoothing.advance(FRAME_TIME)
    eyes.look(FRAME_TIME, session.frame - frame)
    frame = session.frame
  }
  return { draw, eyes, smoothing, session, corrections: () => correction }
}

/** @param {Table<any>} table @param {ReturnType<typeof watch>} viewer @param {number} frames */
function look(table, viewer, frames) {
  for (let i = 0; i < frames; i++) {
    play(table)
    table.frame()
    viewer.draw()
  }
}

for (const Session of [LockstepSession, PredictedSession]) {
  test(`${Session.name}: nothing came for a second and a half while others played: corrected by metres, drawn without a jump`, () => {
    const table = new Table(/** @type {any} */ (Session), WAY, 4)
    for (let player = 0; player < 3; player++) table.join(player)
    run(table, 120)
    const viewer = watch(table, 0)
    look(table, viewer, 60)
    table.network = { ...WAY, loss: 1 }
    look(table, viewer, 90)
    table.network = WAY
    look(table, viewer, 240)
    assert.ok(viewer.corrections() > 1, `corrected by ${viewer.corrections()} m`)
    assert.ok(viewer.eyes.jump <= FRAME_OF_MOTION, `a jump of ${viewer.eyes.jump} m`)
    table.free()
  })
}

test('corrections are over in the end: what is drawn is what is simulated', () => {
  const table = new Table(LockstepSession, WAY, 4)
  for (let player = 0; player < 2; player++) table.join(player)
  const viewer = watch(table, 0)
  look(table, viewer, 300)
  assert.ok(viewer.corrections() > 0.01)
  for (let i = 0; i < 300; i++) {
    table.frame()
    viewer.draw()
  }
  for (const body of viewer.session.simulation.world.bodies) {
    assert.deepEqual(viewer.smoothing.pose(body), [...body.position, ...body.orientation])
  }
  table.free()
})

test('others of an authoritative room are shown without a jump after a pause', () => {
  const table = new Table(PredictedSession, WAY, 8)
  for (let player = 0; player < 2; player++) table.join(player)
  run(table, 120)
  const [viewer] = table.sessions
  let [last, longest, way] = [/** @type {number[] | undefined} */ (undefined), 0, 0]
  const show = (/** @type {number} */ frames) => {
    for (let i = 0; i < frames; i++) {
      play(table)
      table.frame()
      const pose = viewer.interpolation.pose(1, viewer.roomFrame(table.time))
      const step =
        pose && last ? Math.hypot(...[0, 1, 2].map((axis) => pose[axis] - Number(last?.[axis]))) : 0
      longest = Math.max(longest, step)
      way += step
      last = pose
    }
  }
  show(60)
  table.network = { ...WAY, loss: 1 }
  show(90)
  table.network = WAY
  show(180)
  assert.ok(way > 5, `${way} m`)
  // Its own motion, and as much again of the correction.
  assert.ok(longest <= 2 * FRAME_OF_MOTION, `a step of ${longest} m`)
  table.free()
})

test('an offset takes up a jump whole, turns on the shorter way, and is worked off', () => {
  const [before_, now] = [
    [1, 2, 3, 0, 0, 0, 1],
    [4, 2, -1, 0, Math.SQRT1_2, 0, -Math.SQRT1_2],
  ]
  const offset = new Offset()
  offset.absorb(before_, now)
  assert.ok(Math.abs(offset.distance - 5) < 1e-12)
  assert.ok(Math.abs(offset.angle - Math.PI / 2) < 1e-12)
  const drawn = offset.apply(now)
  drawn.forEach((x, i) =>
    assert.ok(Math.abs(Math.abs(x) - Math.abs(before_[i])) < 1e-12, `${drawn}`),
  )
  let [distance, angle] = [offset.distance, offset.angle]
  for (let frame = 0; frame < 300; frame++) {
    offset.advance(FRAME_TIME)
    assert.ok(distance - offset.distance <= 6 / 60 + 1e-12)
    assert.ok(angle - offset.angle <= 12 / 60 + 1e-9)
    ;[distance, angle] = [offset.distance, offset.angle]
  }
  assert.ok(offset.isNothing)
})

for (const [metres, speed] of [
  [0.5, 6],
  [3, 6],
  [6, 6],
  [12, 12],
  [20, 20],
]) {
  test(`${metres} m are worked off by ${speed} m/s at the most, and over in a second and a half`, () => {
    const offset = new Offset()
    const at = (/** @type {number} */ x) => [x, 0, 0, 0, 0, 0, 1]
    offset.absorb(at(metres), at(0))
    assert.equal(offset.speed, speed)
    let drawn = metres
    for (let frame = 0; frame < 90; frame++) {
      offset.advance(FRAME_TIME)
      const [x] = offset.apply(at(0))
      assert.ok(drawn - x <= speed / 60 + 1e-12 && x <= drawn, `${drawn - x} m in frame ${frame}`)
      drawn = x
    }
    assert.ok(drawn < 0.01, `${drawn} m after 1.5 s`)
    for (let frame = 0; frame < 60; frame++) offset.advance(FRAME_TIME)
    assert.equal(offset.speed, 6, 'the next correction is one of its own')
  })
}

test('corrections that follow one another arrive together, a second and a half after the last', () => {
  const offset = new Offset()
  const at = (/** @type {number} */ x) => [x, 0, 0, 0, 0, 0, 1]
  for (let i = 0; i < 10; i++) {
    offset.absorb(at(2), at(0))
    offset.advance(FRAME_TIME)
  }
  assert.ok(offset.distance > 17)
  for (let frame = 0; frame < 90; frame++) offset.advance(FRAME_TIME)
  assert.ok(offset.distance < 0.01, `${offset.distance} m`)
})
