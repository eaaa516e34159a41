/**
 * What soft-step stops in a substep it returns by restitution, and no more: an impact is one in the substep in which it happens, and
 * spins are in the axes of the middle of the step, where the geometry of what rolls is.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import { Random } from '../../scenarios/random.mjs'

before(() => init())

const SUBSTEPS = 4

/** @typedef {import('moreau').ShapeDefinition} Shape */

/** @type {Record<string, Shape>} */
const SHAPES = {
  box: { type: 'box', halfExtents: [0.4, 0.4, 0.4] },
  brick: { type: 'box', halfExtents: [0.5, 0.2, 0.3] },
  plate: { type: 'box', halfExtents: [0.5, 0.05, 0.4] },
  capsule: { type: 'capsule', radius: 0.2, halfHeight: 0.3 },
  cylinder: { type: 'cylinder', radius: 0.3, halfHeight: 0.4 },
  cone: { type: 'cone', radius: 0.3, halfHeight: 0.3 },
  coin: { type: 'cylinder', radius: 0.4, halfHeight: 0.05 },
}

/** @param {Random} random @param {number} size @returns {[number, number, number]} */
const anyVector = (random, size) => {
  const each = () => random.between(-size, size)
  return [each(), each(), each()]
}

/**
 * J: free flight in substeps of h keeps (v + g h / 2)² / 2 - g x.
 * @param {import('moreau').Body[]} bodies @param {number} g @param {number} h
 */
function energyOf(bodies, g, h) {
  let sum = 0
  for (const body of bodies) {
    const height = body.worldCenterOfMass[1] - (body.linearVelocity[1] * h) / 2
    sum += body.kineticEnergy + body.mass * g * height
  }
  return sum
}

/**
 * The most and the last energy of bodies, in parts of that at the start.
 * @param {World} world @param {import('moreau').Body[]} bodies
 * @param {{ g: number, dt: number, seconds: number, substeps?: number }} options
 */
function watch(world, bodies, { g, dt, seconds, substeps = SUBSTEPS }) {
  const start = energyOf(bodies, g, dt / substeps)
  let [most, last] = [1, 1]
  for (let step = 0; step < seconds / dt; step++) {
    world.step(dt)
    last = energyOf(bodies, g, dt / substeps) / start
    most = Math.max(most, last)
  }
  world.free()
  return { most, last }
}

/** @param {number} g m/s² @param {number} [substeps] */
const elasticWorld = (g, substeps = SUBSTEPS) => {
  const options = { gravity: /** @type {[number, number, number]} */ ([0, -g, 0]), substeps }
  const world = new World({ solver: 'soft-step', allowSleep: false, warnings: false, ...options })
  world.createBody({ type: 'static', shape: { type: 'plane' }, friction: 0, restitution: 1 })
  return world
}

/** @param {Shape} shape @param {number} seed @param {{ g: number, dt: number, substeps?: number }} options */
function throwOf(shape, seed, options) {
  const { g, substeps } = options
  const random = new Random(seed)
  const world = elasticWorld(g, substeps)
  const scale = Math.sqrt(g / 9.81)
  const body = world.createBody({
    ...{ shape, friction: 0, restitution: 1, position: [0, 1.5, 0] },
    orientation: random.orientation(),
    linearVelocity: anyVector(random, 2 * scale),
    angularVelocity: anyVector(random, 5 * scale),
  })
  return watch(world, [body], { ...options, seconds: 20 / scale })
}

describe('what bounces without loss keeps its energy', () => {
  for (const [name, shape] of Object.entries(SHAPES))
    for (const options of [
      { g: 9.81, dt: 1 / 60 },
      { g: 98.1, dt: 1 / 240 },
      { g: 9.81, dt: 1 / 120, substeps: 8 },
    ])
      test(`${name}, ${JSON.stringify(options)}`, () => {
        for (let seed = 1; seed <= 10; seed++) {
          const { most, last } = throwOf(shape, seed, options)
          // A coin that rolls on its rim turns by half a radian per step.
          const limit = name === 'coin' ? 0.02 : 0.005
          assert.ok(most < 1 + limit, `seed ${seed}: ${most}`)
          assert.ok(last > 0.97, `seed ${seed}: ${last} is left`)
        }
      })
})

test('a heap of balls keeps 99 % of its energy for a minute', () => {
  const random = new Random(3)
  const world = elasticWorld(9.81)
  const elastic = { friction: 0, restitution: 1 }
  for (const side of [-1, 1])
    for (const axis of [0, 2]) {
      const position = [0, 5, 0]
      position[axis] = 3 * side
      const halfExtents = axis === 0 ? [1, 10, 4] : [4, 10, 1]
      const shape = { type: 'box', halfExtents }
      world.createBody(/** @type {any} */ ({ type: 'static', shape, position, ...elastic }))
    }
  const balls = Array.from({ length: 30 }, (_, i) =>
    world.createBody({
      shape: { type: 'sphere', radius: random.between(0.2, 0.4) },
      position: [(i % 3) - 1, 0.6 + Math.floor(i / 9), (Math.floor(i / 3) % 3) - 1],
      ...{ linearVelocity: anyVector(random, 2), ...elastic },
    }),
  )
  const { most, last } = watch(world, balls, { g: 9.81, dt: 1 / 60, seconds: 60 })
  assert.ok(most < 1.001, `${most}`)
  assert.ok(last > 0.99, `${last}`)
})

describe('what falls flat comes back to e² of its height', () => {
  for (const e of [0.2, 0.5, 0.8, 0.95, 1])
    for (const name of ['ball', 'box'])
      for (const dt of [1 / 30, 1 / 60, 1 / 240])
        test(`${name}, e ${e}, steps of 1/${Math.round(1 / dt)} s`, () => {
          const world = new World({ solver: 'soft-step', allowSleep: false, warnings: false })
          const material = { friction: 0, restitution: e }
          world.createBody({ type: 'static', shape: { type: 'plane' }, ...material })
          /** @type {Shape} */
          const ball = { type: 'sphere', radius: 0.4 }
          const shape = name === 'ball' ? ball : SHAPES.box
          const body = world.createBody({ shape, position: [0, 2.4, 0], ...material })
          let apex = 0
          for (let step = 0; step < 3 / dt && apex === 0; step++) {
            const rising = body.linearVelocity[1]
            world.step(dt)
            // Both ends of the step in which it turns are on the way that substeps give.
            if (rising > 0 && body.linearVelocity[1] <= 0)
              apex = energyOf([body], 9.81, dt / world.substeps) / (body.mass * 9.81) - 0.4
          }
          assert.ok(Math.abs(apex / (2 * e * e) - 1) < 0.02, `${apex} m of ${2 * e * e}`)
          world.free()
        })
})

// The contact of what is small and fast was taken at the start of the step, along a tangent of its path: 1.088.
test('a small ball that circles in a bowl of triangles gains nothing', () => {
  const [radius, sides, ball] = [2, 160, 0.05]
  /** @type {number[]} */
  const vertices = []
  /** @type {number[]} */
  const indices = []
  for (let ring = 0; ring <= sides / 4; ring++)
    for (let k = 0; k < sides; k++) {
      const [down, round] = [(2 * Math.PI * ring) / sides, (2 * Math.PI * k) / sides]
      const away = radius * Math.sin(down)
      vertices.push(away * Math.cos(round), radius * (1 - Math.cos(down)), away * Math.sin(round))
      if (ring === sides / 4) continue
      const [a, b] = [ring * sides + k, ring * sides + ((k + 1) % sides)]
      indices.push(a, b, a + sides, b, b + sides, a + sides)
    }
  const world = new World({ solver: 'soft-step', allowSleep: false, warnings: false })
  world.createBody({ type: 'static', shape: { type: 'mesh', vertices, indices }, friction: 0 })
  const away = radius * Math.cos(Math.PI / sides) - ball
  const [sine, cosine] = [Math.sin(Math.PI / 6), Math.cos(Math.PI / 6)]
  const body = world.createBody({
    ...{ shape: { type: 'sphere', radius: ball }, friction: 0, linearVelocity: [0, 0, 1] },
    position: [away * sine, radius - away * cosine, 0],
  })
  body.position = [away * sine, radius - away * cosine, 0]
  const lowest = body.mass * 9.81 * (radius - away)
  const start = energyOf([body], 9.81, 0) - lowest
  let most = 0
  for (let step = 0; step < 1200; step++) {
    world.step(1 / 60)
    most = Math.max(most, (energyOf([body], 9.81, 0) - lowest) / start)
  }
  assert.ok(most < 1.001, `${most}`)
  world.free()
})
