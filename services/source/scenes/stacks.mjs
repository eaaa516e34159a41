/**
 * The scene of the demo, the tests and the measurements: stacks of boxes in a yard with walls, and a ball for each player.
 */

/** @typedef {import('moreau').World} World */

/** m: half the edge of a box, and the radius of a ball */
const HALF = 0.25
const RADIUS = 0.35
/** m: from one stack to the next */
const SPACING = 1.5
/** m: from the outer stacks to the walls, where the players start */
const MARGIN = 4
/** N: what an input of 127 pushes with; a ball of 90 kg is at its top speed in half a second */
const PUSH = 1200
/** m/s: faster balls are not pushed on */
const TOP_SPEED = 6
/** N s: of a jump, 4 m/s */
const JUMP = 360
/** m: centre of a ball above the ground up to which it can jump */
const JUMP_HEIGHT = RADIUS + 0.05
const FULL = 127
/** Boxes that are built before anybody counts bodies. */
const MOST_BOXES = 4000

/** Bits of the third byte of an input. */
export const BUTTON = Object.freeze({ jump: 1 })

/**
 * What a player holds: direction -1 to 1 along x and z, and buttons.
 * @param {number} x @param {number} z @param {number} [buttons] bits of `BUTTON`
 * @returns {Uint8Array}
 */
export function inputOf(x, z, buttons = 0) {
  return Uint8Array.of(Math.round(FULL * x) & 255, Math.round(FULL * z) & 255, buttons)
}

/** @param {number} byte @returns {number} -1 to 1 */
const direction = (byte) => Math.max(-FULL, (byte << 24) >> 24) / FULL

/** @typedef {{ stacks: number, height: number }} StacksOptions */

/** @param {number} stacks @returns {number} m: half the edge of the yard */
const halfYard = (stacks) => (Math.ceil(Math.sqrt(stacks)) * SPACING) / 2 + MARGIN

/** @param {World} world @param {number} half */
function buildYard(world, half) {
  world.createBody({ type: 'static', shape: { type: 'plane' } })
  for (const [x, z] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ]) {
    world.createBody({
      type: 'static',
      shape: { type: 'box', halfExtents: [x ? 0.5 : half + 1, 2, z ? 0.5 : half + 1] },
      position: [x * (half + 0.5), 2, z * (half + 0.5)],
    })
  }
}

/** @param {unknown} value @param {string} name @param {number} most @returns {number} */
function readCount(value, name, most) {
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most) return Number(value)
  throw new RangeError(
    `scene stacks: ${name} must be a whole number from 1 to ${most} and is ${JSON.stringify(value)}`,
  )
}

/** @type {import('../netcode/simulation.mjs').Scene} */
export const stacks = {
  name: 'stacks',
  module: import.meta.url,
  inputBytes: 3,

  /** @param {Partial<StacksOptions>} options @returns {StacksOptions} */
  readOptions(options) {
    const { stacks: count = 10, height = 5 } = options
    const read = {
      stacks: readCount(count, 'stacks', 1000),
      height: readCount(height, 'height', 50),
    }
    readCount(read.stacks * read.height, 'stacks * height', MOST_BOXES)
    return read
  },

  /** @param {World} world @param {StacksOptions} options */
  build(world, { stacks: count, height }) {
    buildYard(world, halfYard(count))
    const perRow = Math.ceil(Math.sqrt(count))
    // One definition is built once.
    const shape = { type: /** @type {const} */ ('box'), halfExtents: [HALF, HALF, HALF] }
    for (let i = 0; i < count * height; i++) {
      const stack = Math.floor(i / height)
      const [row, column] = [Math.floor(stack / perRow), stack % perRow]
      world.createBody({
        shape,
        position: [
          (column - (perRow - 1) / 2) * SPACING,
          HALF + 2 * HALF * (i % height),
          (row - (perRow - 1) / 2) * SPACING,
        ],
        density: 200,
      })
    }
  },

  join(world, player) {
    // The wall at negative x is the second body of the yard's walls.
    const half = -Number(world.bodies[2].position[0]) - 0.5
    const side = player % 2 === 0 ? -1 : 1
    const along = (Math.floor(player / 2) % 8) - 3.5
    const body = world.createBody({
      shape: { type: 'sphere', radius: RADIUS },
      position: [side * (half - 1.5), RADIUS, along],
      density: 500,
      angularDamping: 1,
    })
    return body.id
  },

  leave(world, body) {
    world.bodyById(body)?.destroy()
  },

  drive(world, id, input) {
    const [x, z] = [direction(input[0]), direction(input[1])]
    const isJumping = (input[2] & BUTTON.jump) !== 0
    if (x === 0 && z === 0 && !isJumping) return
    const body = world.bodyById(id)
    if (!body) return
    const [vx, , vz] = body.linearVelocity
    if (vx * x + vz * z < TOP_SPEED) body.applyForce([PUSH * x, 0, PUSH * z])
    if (isJumping && body.position[1] < JUMP_HEIGHT) body.applyImpulse([0, JUMP, 0])
  },
}
