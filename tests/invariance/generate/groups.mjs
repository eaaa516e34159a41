/**
 * Groups of bodies: alone, on each other, in a heap, in chains, and on what carries them.
 */
import fc from 'fast-check'
import { anyBeginning } from './beginnings.mjs'
import { anyJoint, LINK } from './joints.mjs'
import { anyMachine } from './machines.mjs'
import { anyMover, box, flatMover } from './movers.mjs'
import { between, friction, heading, level, restitution, speed } from './numbers.mjs'

/** @import { Vector } from '../../../scenarios/vector.mjs' */

/** @typedef {{ bodies: any[], joints: any[] }} Group in the frame of the floor, about its origin; joints name bodies, and gears joints, by their places */

/** What few bodies have. */
const rare = fc.record(
  {
    density: between(100, 3000),
    linearDamping: between(0.05, 1),
    angularDamping: between(0.05, 1),
    gravityScale: between(0.5, 1.5),
    bullet: fc.constant(true),
  },
  { requiredKeys: [] },
)
const more = fc.oneof({ arbitrary: fc.constant({}), weight: 3 }, { arbitrary: rare, weight: 1 })

/** @type {fc.Arbitrary<Group>} */
export const alone = fc
  .tuple(anyMover, anyBeginning, friction, restitution, more)
  .map(([what, begin, mu, e, others]) => ({
    bodies: [
      {
        ...{ ...what.has, ...others, friction: mu, restitution: e },
        ...{ position: [0, what.height, 0], orientation: what.lies, ...begin(what) },
      },
    ],
    joints: [],
  }))

/** Bodies on each other, which slide together or not. @type {fc.Arbitrary<Group>} */
const stack = fc
  .tuple(
    fc.array(fc.oneof(box, flatMover), { minLength: 2, maxLength: 4 }),
    ...[friction, fc.oneof(fc.constant(0), between(0.1, 3)), heading],
  )
  .map(([movers, mu, fast, angle]) => {
    let top = 0
    const bodies = movers.map(({ has, height }) => {
      const position = [0, top + height, 0]
      top += 2 * height
      return { ...has, friction: mu, position, linearVelocity: level(fast, angle) }
    })
    return { bodies, joints: [] }
  })

/** What falls on each other. @type {fc.Arbitrary<Group>} */
const heap = fc
  .tuple(fc.array(anyMover, { minLength: 3, maxLength: 6 }), friction, restitution)
  .map(([movers, mu, e]) => ({
    bodies: movers.map(({ has, lies }, i) => ({
      ...{ ...has, friction: mu, restitution: e, orientation: lies },
      position: [0.3 * (i % 2), 1.2 * i + 0.8, 0.2 * (i % 3)],
    })),
    joints: [],
  }))

/** m: how high all shapes stand upright at the most, a capsule of 0.5 m on a radius of 0.5 m, and a little more */
const UPRIGHT_LINK = 1.05

/** What hangs of the world, or is joined on the ground; `height` is that of the first link. */
const chain = fc
  .record({
    links: fc.array(fc.tuple(anyMover, anyJoint), { minLength: 1, maxLength: 4 }),
    hangs: fc.boolean(),
    height: between(UPRIGHT_LINK, 3),
    velocity: fc.tuple(between(-2, 2), between(-1, 1), between(-2, 2)),
  })
  .map(({ links, hangs, height, velocity }) => {
    // What lies on the ground begins where none of it is in the ground.
    const at = (/** @type {number} */ i) =>
      /** @type {Vector} */ ([LINK * i, hangs ? height : UPRIGHT_LINK, 0])
    const bodies = links.map(([what], i) => ({
      ...{ ...what.has, position: at(i), friction: 0.3, linearVelocity: velocity },
    }))
    const joints = links.map(([, joint], i) =>
      joint({ bodyA: i === 0 ? null : i - 1, bodyB: i, from: at(i - 1), to: at(i) }),
    )
    return { bodies, joints: hangs ? joints : joints.slice(1) }
  })

/** m: of a slab that carries */
const [CARRIER, THICK] = [1.2, 0.1]

/** A slab that moves or turns by itself, or whose surface does, and what is on it. @type {fc.Arbitrary<Group>} */
const carried = fc
  .record({
    what: anyMover,
    mu: between(0.1, 1),
    gap: between(0.05, 0.5),
    fast: between(0.1, 1),
    angle: heading,
    spin: between(-1, 1),
    way: fc.constantFrom('moves', 'turns', 'is a belt'),
  })
  .map(({ what, mu, gap, fast, angle, spin, way }) => {
    const slab = {
      ...{ type: 'kinematic', shape: { type: 'box', halfExtents: [CARRIER, THICK, CARRIER] } },
      ...{ position: [0, gap + THICK, 0], friction: mu },
      ...(way === 'moves' ? { linearVelocity: level(fast, angle) } : {}),
      ...(way === 'turns' ? { angularVelocity: [0, spin, 0] } : {}),
      ...(way === 'is a belt' ? { surfaceVelocity: level(fast, angle) } : {}),
    }
    const position = [0.3, gap + 2 * THICK + what.height, 0]
    return {
      bodies: [slab, { ...what.has, position, orientation: what.lies, friction: mu }],
      joints: [],
    }
  })

/** Two that meet. @type {fc.Arbitrary<Group>} */
const crash = fc
  .tuple(anyMover, anyMover, speed, friction, restitution)
  .map(([one, other, fast, mu, e]) => ({
    bodies: [one, other].map(({ has, height, lies }, i) => ({
      ...{ ...has, orientation: lies, friction: mu, restitution: e },
      position: [i === 0 ? -1.2 : 1.2, height, 0.1 * i],
      linearVelocity: [i === 0 ? fast : 0, 0, 0],
    })),
    joints: [],
  }))

export const anyGroup = fc.oneof(
  { arbitrary: alone, weight: 2 },
  ...[stack, crash, heap, chain, chain, anyMachine, carried].map((arbitrary) => ({
    arbitrary,
    weight: 1,
  })),
)
