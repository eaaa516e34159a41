/**
 * Contact problems made of boxes and spheres: the one step that a pile would make next, as matrices. Up is z; seeded, the same on
 * every machine to the bit.
 */
import { Random } from '../scenarios/random.mjs'
import { cross, length, scale, subtract } from '../scenarios/vector.mjs'

/** @typedef {import('../scenarios/vector.mjs').Vector} Vector */
/** @typedef {import('./contact-problem.mjs').GlobalProblem} GlobalProblem */
/** @typedef {import('./dense-matrix.mjs').Triplets} Triplets */

/**
 * @typedef {object} ModelBody
 * @property {number} mass kg
 * @property {number} inertia kg m^2 about every axis
 * @property {Vector} centre m
 * @property {number[]} velocity that it would have without contacts, linear (m/s) and angular (rad/s)
 */

/**
 * @typedef {object} ModelContact
 * @property {number} above index of the body that the normal points to
 * @property {number} below index of the other, -1 for the ground
 * @property {Vector} point m
 * @property {Vector} normal unit
 */

const GRAVITY = 9.81
/** s */
const TIME_STEP = 0.01
/** m, half an edge of every box and the radius of every sphere */
const HALF = 0.5
/** @type {Vector} */
const UP = [0, 0, 1]

/**
 * M v = H r + f, u = H' v of bodies that touch.
 *
 * @param {string} name
 * @param {ModelBody[]} bodies
 * @param {ModelContact[]} contacts
 * @param {number} mu
 * @returns {GlobalProblem}
 */
function problemOf(name, bodies, contacts, mu) {
  const diagonal = bodies.flatMap(({ mass, inertia }) => [
    mass,
    mass,
    mass,
    ...Array(3).fill(inertia),
  ])
  const rows = diagonal.map((_, row) => row)
  return {
    name,
    source: 'bench/problems/generate.mjs',
    contacts: contacts.length,
    form: 'global',
    M: { shape: [rows.length, rows.length], rows, cols: rows, vals: diagonal },
    H: contactDirections(bodies, contacts),
    f: bodies.flatMap(({ velocity }) => velocity).map((speed, row) => diagonal[row] * speed),
    w: Array(3 * contacts.length).fill(0),
    mu: Array(contacts.length).fill(mu),
  }
}

/**
 * H: a column for each direction of each contact, with what a unit of impulse in it does to the bodies.
 *
 * @param {ModelBody[]} bodies
 * @param {ModelContact[]} contacts
 * @returns {Triplets}
 */
function contactDirections(bodies, contacts) {
  /** @type {Triplets} */
  const H = { shape: [6 * bodies.length, 3 * contacts.length], rows: [], cols: [], vals: [] }
  for (const [index, { above, below, point, normal }] of contacts.entries()) {
    for (const [direction, axis] of frame(normal).entries()) {
      for (const [body, sign] of [
        [above, 1],
        [below, -1],
      ]) {
        if (body < 0) continue
        const force = scale(axis, sign)
        const wrench = [...force, ...cross(subtract(point, bodies[body].centre), force)]
        for (const [row, value] of wrench.entries()) {
          if (value === 0) continue
          H.rows.push(6 * body + row)
          H.cols.push(3 * index + direction)
          H.vals.push(value)
        }
      }
    }
  }
  return H
}

/**
 * @param {Vector} normal
 * @returns {[Vector, Vector, Vector]} normal and two tangents
 */
function frame(normal) {
  const along = cross(normal, Math.abs(normal[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0])
  const tangent = scale(along, 1 / length(along))
  return [normal, tangent, cross(normal, tangent)]
}

/** A body in free fall. Inertia: a cube of edge 1 m. */
const cube = (/** @type {number} */ mass, /** @type {Vector} */ centre) => ({
  mass,
  inertia: mass / 6,
  centre,
  velocity: [0, 0, -GRAVITY * TIME_STEP, 0, 0, 0],
})

/** A body in free fall. Inertia: a ball of diameter 1 m. */
const ball = (/** @type {number} */ mass, /** @type {Vector} */ centre) => ({
  ...cube(mass, centre),
  inertia: 0.1 * mass,
})

/**
 * Corners of a horizontal patch.
 *
 * @param {[number, number]} x m, from and to
 * @param {number} z m
 * @returns {Vector[]}
 */
const corners = ([from, to], z) =>
  [from, to].flatMap((x) => [-HALF, HALF].map((y) => /** @type {Vector} */ ([x, y, z])))

/**
 * A tower of cubes whose top is pushed sideways at 2 cm/s.
 *
 * @param {string} name
 * @param {number[]} masses kg, from the lowest
 * @param {number} [mu]
 * @returns {GlobalProblem}
 */
export function stack(name, masses, mu = 0.5) {
  const bodies = masses.map((mass, level) => cube(mass, [0, 0, level + HALF]))
  bodies[bodies.length - 1].velocity[0] += 0.02
  const contacts = masses.flatMap((_, level) =>
    corners([-HALF, HALF], level).map((point) => {
      return { above: level, below: level - 1, point, normal: UP }
    }),
  )
  return problemOf(name, bodies, contacts, mu)
}

/**
 * How the masses of a pile are distributed.
 *
 * @typedef {object} Masses
 * @property {number} [ratio] largest to smallest, kg; the smallest is 1 kg
 * @property {boolean} [alternating] the largest and the smallest in turn; otherwise random, equally often in each decade
 */

/**
 * @param {Masses} masses
 * @param {Random} random
 * @param {number} index
 * @returns {number} kg
 */
function massOf({ ratio = 1, alternating = false }, random, index) {
  if (ratio === 1) return 1
  if (alternating) return index % 2 ? ratio : 1
  // Powers differ in their last bits from machine to machine; six digits do not.
  return Number((ratio ** random.next()).toPrecision(6))
}

/**
 * A wall of cubes, each on two of the row below, all kicked at random.
 *
 * @param {string} name
 * @param {number} rowCount
 * @param {Masses & { seed: number, mu?: number }} options
 * @returns {GlobalProblem}
 */
export function boxPyramid(name, rowCount, { seed, mu = 0.5, ...masses }) {
  const random = new Random(seed)
  /** @type {ModelBody[]} */
  const bodies = []
  /** @type {ModelContact[]} */
  const contacts = []
  let rowBelow = -1
  for (let row = 0; row < rowCount; row++) {
    const firstOfRow = bodies.length
    for (let place = 0; place < rowCount - row; place++) {
      const x = place + HALF * row
      const above = bodies.length
      bodies.push(cube(massOf(masses, random, row + place), [x, 0, row + HALF]))
      for (const [below, from, to] of supports(row, rowBelow + place)) {
        for (const point of corners([x + from, x + to], row)) {
          contacts.push({ above, below, point, normal: UP })
        }
      }
    }
    rowBelow = firstOfRow
  }
  kick(bodies, random, 0.05)
  return problemOf(name, bodies, contacts, mu)
}

/**
 * What a cube of the wall stands on: body and the patch that they share, m from the cube's middle.
 *
 * @param {number} row
 * @param {number} left body below to the left
 * @returns {[number, number, number][]}
 */
function supports(row, left) {
  if (row === 0) return [[-1, -0.49, 0.49]]
  return [
    [left, -0.49, -0.01],
    [left + 1, 0.01, 0.49],
  ]
}

/**
 * Adds random velocities, distributed nearly normally.
 *
 * @param {ModelBody[]} bodies
 * @param {Random} random
 * @param {number} deviation m/s and rad/s
 */
function kick(bodies, random, deviation) {
  for (const { velocity } of bodies) {
    for (let axis = 0; axis < 6; axis++) velocity[axis] += deviation * nearlyNormal(random)
  }
}

/** Twelve uniform numbers less their mean: deviation 1, and no logarithm whose last bits differ between machines. */
function nearlyNormal(/** @type {Random} */ random) {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += random.next()
  return sum
}

/**
 * Spheres poured into a square box, as close as they get, all kicked at random.
 *
 * @param {string} name
 * @param {number} count
 * @param {Masses & { seed: number, mu?: number }} options
 * @returns {GlobalProblem}
 */
export function sphereHeap(name, count, { seed, mu = 0.5, ...masses }) {
  const random = new Random(seed)
  const width = Math.cbrt(count)
  const centres = pour(random, count, Number(width.toPrecision(6)))
  const bodies = centres.map((centre, index) => ball(massOf(masses, random, index), centre))
  const contacts = heapContacts(centres, Number(width.toPrecision(6)))
  kick(bodies, random, 0.1)
  return problemOf(name, bodies, contacts, mu)
}

/**
 * Random points in a box, pushed out of each other and sinking until they are a heap.
 *
 * @param {Random} random
 * @param {number} count
 * @param {number} width m, of the box
 * @returns {Vector[]}
 */
function pour(random, count, width) {
  const ROUNDS = 300
  const PUSH = 0.3
  const SINK = 0.005
  const next = () => width * random.next()
  /** @type {Vector[]} */
  let centres = Array.from({ length: count }, () => [next(), next(), next()])
  for (let round = 0; round < ROUNDS; round++) {
    centres = centres.map((centre, index) => {
      const moved = [...centre]
      for (const [other, place] of centres.entries()) {
        const away = subtract(centre, place)
        const gap = length(away)
        if (other === index || gap >= 1) continue
        for (let axis = 0; axis < 3; axis++) moved[axis] += (PUSH * (1 - gap) * away[axis]) / gap
      }
      const inside = (/** @type {number} */ x) => Math.min(Math.max(x, HALF), width - HALF)
      return [inside(moved[0]), inside(moved[1]), Math.max(moved[2] - SINK, HALF)]
    })
  }
  return centres
}

/**
 * Contacts of spheres with each other, the ground and the four walls, up to 1 cm apart.
 *
 * @param {Vector[]} centres
 * @param {number} width m, of the box
 * @returns {ModelContact[]}
 */
function heapContacts(centres, width) {
  const REACH = 0.01
  /** @type {[Vector, number][]} normal and offset of ground and walls */
  const planes = [
    [UP, 0],
    [[1, 0, 0], 0],
    [[-1, 0, 0], -width],
    [[0, 1, 0], 0],
    [[0, -1, 0], -width],
  ]
  /** @type {ModelContact[]} */
  const contacts = []
  for (const [above, centre] of centres.entries()) {
    for (const [normal, offset] of planes) {
      const height = normal[0] * centre[0] + normal[1] * centre[1] + normal[2] * centre[2] - offset
      if (height >= HALF + REACH) continue
      contacts.push({ above, below: -1, point: subtract(centre, scale(normal, HALF)), normal })
    }
    for (let below = 0; below < above; below++) {
      const apart = subtract(centre, centres[below])
      const gap = length(apart)
      if (gap >= 2 * HALF + REACH) continue
      const point = subtract(centre, scale(apart, 0.5))
      contacts.push({ above, below, point, normal: scale(apart, 1 / gap) })
    }
  }
  return contacts
}

/**
 * A row of cubes side by side on the ground, the last one pushed against the others at 1 m/s.
 *
 * @param {string} name
 * @param {number[]} masses kg, in the order of the row
 * @param {number} [mu]
 * @returns {GlobalProblem}
 */
export function boxRow(name, masses, mu = 0.5) {
  const bodies = masses.map((mass, place) => cube(mass, [place, 0, HALF]))
  bodies[bodies.length - 1].velocity[0] -= 1
  /** @type {ModelContact[]} */
  const contacts = []
  for (const above of masses.keys()) {
    for (const point of corners([above - HALF, above + HALF], 0)) {
      contacts.push({ above, below: -1, point, normal: UP })
    }
    if (above === 0) continue
    for (const y of [-HALF, HALF]) {
      for (const z of [0, 1]) {
        const point = /** @type {Vector} */ ([above - HALF, y, z])
        contacts.push({ above, below: above - 1, point, normal: [1, 0, 0] })
      }
    }
  }
  return problemOf(name, bodies, contacts, mu)
}

/**
 * A chain of spheres on the ground in a line, touching, the last one rolling into the others at 1 m/s.
 *
 * @param {string} name
 * @param {number[]} masses kg, in the order of the line
 * @param {number} [mu]
 * @returns {GlobalProblem}
 */
export function sphereChain(name, masses, mu = 0.5) {
  const bodies = masses.map((mass, place) => ball(mass, [place, 0, HALF]))
  const { velocity } = bodies[bodies.length - 1]
  velocity[0] -= 1
  velocity[4] -= 1 / HALF
  /** @type {ModelContact[]} */
  const contacts = []
  for (const above of masses.keys()) {
    contacts.push({ above, below: -1, point: [above, 0, 0], normal: UP })
    if (above === 0) continue
    contacts.push({ above, below: above - 1, point: [above - HALF, 0, HALF], normal: [1, 0, 0] })
  }
  return problemOf(name, bodies, contacts, mu)
}
