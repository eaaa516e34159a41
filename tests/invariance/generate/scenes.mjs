/**
 * Random scenes: what slides, rolls, spins, rests, bounces and hangs, alone and together.
 */
import fc from 'fast-check'
import { length } from '../../../scenarios/vector.mjs'
import { multiply, pointIn, WHOLE } from '../scene.mjs'
import { someCharacter } from './characters.mjs'
import { alone, anyGroup } from './groups.mjs'
import { between, friction, restitution, turned } from './numbers.mjs'
import { about, placedBody, placedJoint, placedPotential, placedCharacter } from './placing.mjs'
import { somePotentials } from './potentials.mjs'

/** @import { Vector } from '../../../scenarios/vector.mjs' */
/** @import { Scene, Slab } from '../scene.mjs' */
/** @import { Group } from './groups.mjs' */

/** m: half of the floor's sides, the ground below it, and what bodies keep from its rim; s: of a scene */
const [HALF, DEPTH, RIM, SHORTEST, LONGEST] = [14, 2, 1.5, 0.3, 2.5]
const TIME_STEP = 1 / 60
/** m: from one group of bodies to the next */
const APART = 3
const MOST_BODIES = 12
/** m/s²: along a slope is this times its sine, and fields add less than the second */
const [GRAVITY, FIELDS] = [9.81, 3]
/** m/s: what motors and springs give to a body that begins at rest */
const DRIVEN = 5

/** Where groups lie on the floor. @param {number} i @param {number} count @returns {Vector} */
const placeOf = (i, count) => [APART * (i - (count - 1) / 2), 0, 0.37 * APART * (i % 2)]

/** @param {number} slope rad @param {number} turnedBy rad @param {number} mu @param {number} e @returns {Slab} */
const floorOf = (slope, turnedBy, mu, e) => ({
  ...{ origin: [0, 0, 0], half: [HALF, HALF], depth: DEPTH, friction: mu, restitution: e },
  orientation: multiply(turned([0, 1, 0], turnedBy), turned([0, 0, 1], slope)),
})

/** A wall that stands on the floor, looks back along its x, and begins a little below. @param {Slab} floor @param {number} at m @returns {Slab} */
const wallOf = (floor, at) => ({
  ...floor,
  half: [3, HALF],
  origin: pointIn(floor, [at, 2.5, 0]),
  orientation: multiply(floor.orientation, turned([0, 0, 1], Math.PI / 2)),
})

/** As many of the first groups as have no more bodies than a scene may. @param {Group[]} groups @returns {Group[]} */
function fewOf(groups) {
  let count = 0
  return groups.filter((group, i) => {
    count += group.bodies.length
    return i === 0 || count <= MOST_BODIES
  })
}

/** @param {number} i */
const nameOf = (i) => `body ${i}`

/** A joint of a group in the whole, in which others come first. @param {any} joint @param {number} bodies @param {number} joints */
function numbered({ bodyA, bodyB, jointA, jointB, ...rest }, bodies, joints) {
  if (bodyB === undefined) return { ...rest, jointA: joints + jointA, jointB: joints + jointB }
  const nameOfA = bodyA === null ? null : nameOf(bodies + bodyA)
  return { ...rest, bodyA: nameOfA, bodyB: nameOf(bodies + bodyB) }
}

/** Bodies and joints of all groups in the world. @param {Slab} floor @param {Group[]} groups */
function placedGroups(floor, groups) {
  const bodies = /** @type {any[]} */ ([])
  const joints = /** @type {any[]} */ ([])
  groups.forEach((group, g) => {
    const frame = about(floor, placeOf(g, groups.length))
    const [before, joinedBefore] = [bodies.length, joints.length]
    for (const joint of group.joints)
      joints.push(numbered(placedJoint(frame, joint), before, joinedBefore))
    for (const body of group.bodies)
      bodies.push({ name: nameOf(bodies.length), ...placedBody(frame, body) })
  })
  return { bodies, joints }
}

/** Potentials of the bodies that feel them. @param {Slab} floor @param {any[]} potentials @param {any[]} bodies */
function placedPotentials(floor, potentials, bodies) {
  const names = bodies.filter(({ type }) => type !== 'kinematic').map(({ name }) => name)
  return potentials.map((potential) => ({
    ...placedPotential(floor, potential),
    ...(potential.type === 'spring' ? { bodyA: names[0], bodyB: null } : { bodies: names }),
  }))
}

/**
 * s, within which no body leaves the floor: it goes as far as v t + a t² / 2.
 * @param {{ slope: number, bodies: any[], joints: any[], potentials: any[] }} scene
 */
function stay({ slope, bodies, joints, potentials }) {
  const fields = potentials.length > 0 ? FIELDS : 0
  const a = GRAVITY * Math.abs(Math.sin(slope)) + fields
  return Math.min(
    ...bodies.map(({ position, linearVelocity }) => {
      const v = length(linearVelocity) + (joints.length > 0 ? DRIVEN : 0)
      const way = HALF - RIM - length(position)
      return (2 * way) / (v + Math.sqrt(v * v + 2 * a * way))
    }),
  )
}

const settings = {
  seed: fc.nat({ max: 2 ** 20 }),
  slope: fc.oneof(
    { arbitrary: fc.constant(0), weight: 3 },
    { arbitrary: between(-0.35, 0.35), weight: 1 },
  ),
  turnedBy: fc.oneof(fc.constant(0), between(-0.78, 0.78)),
  wall: fc.oneof({ arbitrary: fc.constant(0), weight: 4 }, { arbitrary: between(2, 4), weight: 1 }),
  friction,
  restitution,
  duration: between(1, LONGEST),
}

/** A mover on the ground and nothing else in half of all scenes: what the ground is made of is seen best by it. */
const someGroups = fc.oneof(
  fc.tuple(alone),
  fc.array(anyGroup, { minLength: 1, maxLength: 4 }).map(fewOf),
)

/** @type {fc.Arbitrary<Scene>} */
export const anyScene = fc
  .record({ ...settings, groups: someGroups, fields: somePotentials, character: someCharacter })
  .map(({ seed, groups, slope, turnedBy, wall, duration, fields, character, ...material }) => {
    const floor = floorOf(slope, turnedBy, material.friction, material.restitution)
    // Behind the last of the groups, which reaches as far as to the next.
    const end = (APART * (groups.length + 1)) / 2
    const slabs = wall > 0 ? [floor, wallOf(floor, wall + end)] : [floor]
    const { bodies, joints } = placedGroups(floor, groups)
    const potentials = placedPotentials(floor, fields, bodies)
    const longest = stay({ slope, bodies, joints, potentials })
    return {
      ...{ seed, settings: {}, slabs, surface: WHOLE, bodies, joints, potentials },
      ...(character ? { character: placedCharacter(floor, character) } : {}),
      ...{ timeStep: TIME_STEP, duration: Math.max(SHORTEST, Math.min(duration, longest)) },
    }
  })
