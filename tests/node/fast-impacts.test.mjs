// What moves or turns far in a step meets what is in its way, where it is, as if steps were short.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, World } from 'moreau'
import { Random } from '../../scenarios/random.mjs'

const dt = 1 / 60
const SOLVERS = /** @type {const} */ (['soft-step', 'block-pgs', 'exact'])

before(() => init())

/** 0.5 by 0.9 m, in the plane y = 0. @type {Record<string, import('moreau').ShapeDefinition>} */
const PLATES = {
  mesh: {
    ...{ type: 'mesh', vertices: [-0.25, 0, -0.45, 0.25, 0, -0.45, 0.25, 0, 0.45, -0.25, 0, 0.45] },
    indices: [0, 2, 1, 0, 3, 2],
  },
  'height field': {
    ...{ type: 'heightfield', heights: new Array(20).fill(0), rows: 4, columns: 5 },
    scale: [0.125, 1, 0.3],
  },
}

describe('a rod of 1.8 m that turns into a thin plate at one of its arms', () => {
  /**
   * Whether all of the arm gets below the plate, while it is over it, and turns on.
   * @param {import('moreau').WorldOptions['solver']} solver
   * @param {import('moreau').ShapeDefinition} plate
   * @param {Random} random
   */
  function passes(solver, plate, random) {
    const world = new World({ solver, gravity: [0, 0, 0] })
    const half = random.between(0.03, 0.06)
    const at = random.between(0.45, 0.85)
    const speed = 10 ** random.between(1, 2)
    world.createBody({ type: 'static', shape: plate, position: [at, -half, 0] })
    const angle = 0.15 + random.between(0, Math.max(0.3, speed * dt))
    const rod = world.createBody({
      shape: { type: 'box', halfExtents: [0.9, half, half] },
      orientation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
      angularVelocity: [0, 0, -speed],
    })
    let isBelow = false
    for (let step = 0; step < 20 && !isBelow; step++) {
      world.step(dt)
      const [, , z, w] = rod.orientation
      const turn = 2 * Math.atan2(z, w)
      const along = (at - rod.position[0]) / Math.cos(turn)
      const height = rod.position[1] + along * Math.sin(turn)
      isBelow =
        along > 0 && along < 0.9 && height < -2 * half && rod.angularVelocity[2] < -speed / 2
    }
    world.free()
    return isBelow
  }

  for (const solver of SOLVERS) {
    for (const [name, plate] of Object.entries(PLATES)) {
      test(`${solver}: does not pass a ${name}`, () => {
        const random = new Random(5)
        for (let phase = 0; phase < 150; phase++) assert.ok(!passes(solver, plate, random))
      })
    }
  }
})

describe('one bullet is enough', () => {
  for (const solver of SOLVERS) {
    for (const which of ['first', 'second']) {
      test(`${solver}: two boxes that fly at each other, the ${which} is one`, () => {
        for (let k = 0; k < 20; k++) {
          const world = new World({ solver, gravity: [0, 0, 0] })
          const shape = /** @type {const} */ ({ type: 'box', halfExtents: [0.04, 0.05, 0.06] })
          const [left, right] = [-1, 1].map((side) =>
            world.createBody({
              ...{
                shape,
                position: [side * (2 + 0.07 * k), 0, 0],
                bullet: side < 0 === (which === 'first'),
              },
              linearVelocity: [-side * (70 + k), 0, 0],
            }),
          )
          for (let step = 0; step < 10; step++) world.step(dt)
          assert.ok(left.position[0] < right.position[0])
          world.free()
        }
      })
    }
  }
})

describe('what is shot obliquely at a block, from beside it', () => {
  /**
   * A shot until it loses speed: how far it is from the wall then, and the normal of its contact.
   * @param {Random} random
   * @param {import('moreau').ShapeDefinition} shape
   */
  function shoot(random, shape) {
    const world = new World({ solver: 'soft-step', gravity: [0, 0, 0], warnings: false })
    world.createBody({
      ...{
        type: 'static',
        shape: { type: 'box', halfExtents: [0.5, 3, 3] },
        position: [0.5, 0, 0],
      },
    })
    const speed = random.between(300, 2500)
    const turn = random.between(0.3, 1.1)
    const to = [Math.cos(turn), -Math.sin(turn), random.between(-0.2, 0.2)]
    const aim = [0, 3 - random.between(0.2, 1), random.between(-2, 2)]
    const back = random.between(2, 50)
    const body = world.createBody({
      ...{ shape, orientation: random.orientation() },
      position: /** @type {[number, number, number]} */ (aim.map((a, i) => a - back * to[i])),
      linearVelocity: /** @type {[number, number, number]} */ (to.map((x) => x * speed)),
    })
    for (let step = 0; step < 30 && body.linearVelocity[0] > 0.99 * speed * to[0]; step++)
      world.step(dt)
    const normal = body.contacts()[0]?.points[0].normal
    const found = { gap: -body.position[0], normal }
    world.free()
    return found
  }

  test('balls keep their way until they touch', () => {
    const random = new Random(8)
    for (let k = 0; k < 60; k++) {
      const { gap } = shoot(random, { type: 'sphere', radius: 0.05 })
      assert.ok(gap > 0 && gap < 0.1, `${gap}`)
    }
  })

  test('boxes meet the side at which they are aimed, not the rim that is nearest before', () => {
    const random = new Random(9)
    for (let k = 0; k < 60; k++) {
      const { normal } = shoot(random, { type: 'box', halfExtents: [0.05, 0.05, 0.05] })
      assert.ok(normal && normal[0] > 0.9999, `${normal}`)
    }
  })
})
