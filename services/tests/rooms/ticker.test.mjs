/**
 * The clock of all rooms of a process, by a clock of the test: a room is late by what cheaper ones take, and one call of a dearer one at the most.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ticker } from '../../source/rooms/ticker.mjs'

/** A room that is due each 16 ms, and takes some of them. */
class Room {
  due = 0
  /** ms: the latest that it was called */
  late = 0
  calls = 0

  /** @param {{ time: number }} clock @param {number} cost ms */
  constructor(clock, cost) {
    this.clock = clock
    this.cost = cost
  }

  /** @param {number} time */
  tick(time) {
    this.late = Math.max(this.late, time - this.due)
    this.calls++
    this.clock.time += this.cost
    this.due += 16
  }
}

/** What the ticker does from one pause to the next. @param {Ticker} ticker @param {{ time: number }} clock @param {number} until ms */
function run(ticker, clock, until) {
  while (clock.time < until) {
    const begun = clock.time
    for (const one of ticker.due()) {
      if (ticker.tick(one) > 0.5 || clock.time - begun > 8) break
    }
    if (clock.time === begun) clock.time += 1
  }
}

test('twenty large rooms, four times of what there is time for, keep five small ones from no frame', () => {
  const clock = { time: 0 }
  const ticker = new Ticker(
    () => clock.time,
    () => clock.time,
  )
  const small = Array.from({ length: 5 }, () => new Room(clock, 0.1))
  const large = Array.from({ length: 20 }, () => new Room(clock, 3.2))
  // The large ones come first: nobody knows of their cost until they are called.
  for (const one of [...large, ...small]) ticker.add(one)
  run(ticker, clock, 200)
  for (const one of small) one.late = 0
  run(ticker, clock, 4000)
  for (const { late } of small) assert.ok(late < 16, `${late} ms`)
  for (const { calls } of small) assert.ok(calls > 245, `${calls} frames`)
  // What time is left they share.
  for (const one of [...large, ...small]) ticker.remove(one)
  const calls = large.map((one) => one.calls)
  assert.ok(Math.max(...calls) - Math.min(...calls) <= 2, String(calls))
})

test('a small room that is written down now and then, which takes long, is called before large ones all the same', () => {
  const clock = { time: 0 }
  const ticker = new Ticker(
    () => clock.time,
    () => clock.time,
  )
  const small = new Room(clock, 0.1)
  const large = Array.from({ length: 20 }, () => new Room(clock, 1.3))
  for (const one of [...large, small]) ticker.add(one)
  run(ticker, clock, 500)
  for (let second = 1; second <= 3; second++) {
    small.cost = 12
    ticker.tick(small)
    Object.assign(small, { cost: 0.1, late: 0, calls: 0 })
    run(ticker, clock, clock.time + 500)
    // The long call itself, from one frame to the next, and one of a large room.
    assert.ok(small.late < 16, `${small.late} ms`)
    assert.ok(small.calls > 30, `${small.calls} frames`)
  }
  for (const one of [...large, small]) ticker.remove(one)
})

test('of rooms that cost about the same, the longest overdue is first', () => {
  const clock = { time: 100 }
  const ticker = new Ticker(
    () => clock.time,
    () => clock.time,
  )
  const rooms = [30, 10, 20].map((due, i) => Object.assign(new Room(clock, 0.1 + i / 10), { due }))
  for (const one of rooms) ticker.add(one)
  for (const one of rooms) ticker.tick(one)
  rooms.forEach((one, i) => (one.due = [30, 10, 20][i]))
  const order = ticker.due()
  for (const one of rooms) ticker.remove(one)
  assert.deepEqual(order, [rooms[1], rooms[2], rooms[0]])
})

test('a room whose call throws is told of, and comes again later, not at once', () => {
  const clock = { time: 0 }
  const ticker = new Ticker(() => clock.time)
  const errors = /** @type {unknown[]} */ ([])
  ticker.onError = (error) => errors.push(error)
  const fails = {
    due: 0,
    tick() {
      throw new Error('no frame')
    },
  }
  ticker.add(fails)
  for (const one of ticker.due()) ticker.tick(one)
  const again = ticker.due()
  ticker.remove(fails)
  assert.equal(errors.length, 1)
  assert.ok(fails.due > clock.time)
  assert.deepEqual(again, [])
})
