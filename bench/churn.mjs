/**
 * A room that never comes to rest, for rollback: 200 bodies of five shapes, of which the oldest leaves and a new one falls in
 * again and again, with joints between neighbours, a paddle that the player moves, kicks, blasts, and gravity that tilts.
 * What happens in a frame depends on the world, the input and the number of the frame alone.
 */

/** @typedef {import('moreau').World} World */
/** @typedef {import('moreau').Body} Body */

const FIXTURES = 6
const BODIES = 200
const HALF_WIDTH = 6
/** Inputs of the player, as bits. */
export const LEFT = 1
export const RIGHT = 2
export const BLAST = 4
const SIDES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
]
/** Frames between what happens now and then. */
const [NEXT_BODY, NEXT_JOINT, NEXT_TILT, NEXT_KICK] = [4, 6, 240, 10]
/** Joints at most at once. */
const JOINTS = 60

/**
 * Numbers from 0 to 1 that follow from a seed: the top bits of a linear congruential generator (Numerical Recipes).
 * @param {number} seed
 * @returns {() => number}
 */
export function randomFrom(seed) {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) / 2 ** 24
  }
}

/**
 * @param {World} world
 * @param {number} [count] of bodies that come and go
 */
export function fillRoom(world, count = BODIES) {
  const wall = /** @type {const} */ ({ type: 'static', friction: 0.4 })
  world.createBody({ ...wall, shape: { type: 'plane' } })
  for (const [x, z] of SIDES) {
    const halfExtents = /** @type {const} */ ([
      x ? 0.5 : HALF_WIDTH + 1,
      6,
      z ? 0.5 : HALF_WIDTH + 1,
    ])
    const position = [x * (HALF_WIDTH + 0.5), 6, z * (HALF_WIDTH + 0.5)]
    world.createBody({ ...wall, shape: { type: 'box', halfExtents }, position })
  }
  world.createBody({
    type: 'kinematic',
    shape: { type: 'box', halfExtents: [0.3, 0.4, 1.5] },
    position: [0, 0.4, 0],
  })
  const random = randomFrom(1)
  for (let i = 0; i < count; i++) drop(world, random, 0.5 + 0.06 * i)
}

/**
 * @param {World} world
 * @param {() => number} random
 * @param {number} height
 */
function drop(world, random, height) {
  const size = 0.15 + 0.15 * random()
  const shapes = /** @type {const} */ ([
    { type: 'sphere', radius: size },
    { type: 'box', halfExtents: [size, 0.2, 0.25] },
    { type: 'capsule', radius: 0.15, halfHeight: size },
    { type: 'cylinder', radius: 0.2, halfHeight: size },
    { type: 'cone', radius: 0.25, halfHeight: size },
  ])
  const place = () => (2 * random() - 1) * (HALF_WIDTH - 0.5)
  const shape = shapes[Math.floor(random() * shapes.length)]
  world.createBody({ shape, position: [place(), height, place()], restitution: 0.3 * random() })
}

/**
 * What happens in a frame.
 * @param {World} world
 * @param {number} input bits of the player
 * @param {number} frame
 */
export function playFrame(world, input, frame) {
  const random = randomFrom(frame)
  movePaddle(world.bodies[FIXTURES - 1], input)
  if (frame % NEXT_BODY === 0) {
    world.bodies[FIXTURES].destroy()
    drop(world, random, 5 + random())
  }
  if (frame % NEXT_JOINT === 0) join(world, random)
  if (frame % NEXT_TILT === 0) world.gravity = [2 * random() - 1, -9.81, 2 * random() - 1]
  if (frame % NEXT_KICK === 0) {
    pick(world, random).applyForce([200 * (random() - 0.5), 300 * random(), 0])
    pick(world, random).applyAngularImpulse([random(), 0, random()])
  }
  if (input & BLAST) world.explode({ position: [0, 0.3, 0], radius: 1, falloff: 2, impulse: 5 })
}

/** @param {World} world @param {() => number} random */
const pick = ({ bodies }, random) =>
  bodies[FIXTURES + Math.floor(random() * (bodies.length - FIXTURES))]

/** @param {Body} paddle @param {number} input */
function movePaddle(paddle, input) {
  const speed = (input & LEFT ? -2 : 0) + (input & RIGHT ? 2 : 0)
  const [x] = paddle.position
  const isAtWall = Math.abs(x) > HALF_WIDTH - 0.8 && x * speed > 0
  paddle.linearVelocity = [isAtWall ? 0 : speed, 0, 0]
}

/**
 * A joint of one of four kinds between a body and its next one in the list, where they are near; the oldest leaves.
 * @param {World} world
 * @param {() => number} random
 */
function join(world, random) {
  const { bodies, joints } = world
  const at = FIXTURES + Math.floor(random() * (bodies.length - FIXTURES - 1))
  const [bodyA, bodyB] = [bodies[at], bodies[at + 1]]
  if (joints.length >= JOINTS) joints[0].destroy()
  const anchor = bodyA.position
  const kinds = [
    () => world.createJoint({ type: 'ball', bodyA, bodyB, anchor }),
    () => world.createJoint({ type: 'rope', bodyA, bodyB, length: 3 }),
    () => world.createJoint({ type: 'spring', bodyA, bodyB, hertz: 2, damping: 0.2 }),
    () => {
      const motor = { targetVelocity: 4 * random() - 2, maxForce: 2 }
      return world.createJoint({ type: 'hinge', bodyA, anchor, axis: [0, 0, 1], motor })
    },
  ]
  kinds[Math.floor(random() * kinds.length)]()
}

/**
 * A player who holds keys for a while.
 * @param {number} frame
 * @param {number} [player]
 * @returns {number} bits
 */
export function keysOf(frame, player = 0) {
  const random = randomFrom(1000 * (player + 1) + Math.floor(frame / 7))
  const blast = frame % 97 === 13 * (player + 1) ? BLAST : 0
  return (random() < 0.4 ? LEFT : 0) | (random() < 0.4 ? RIGHT : 0) | blast
}
