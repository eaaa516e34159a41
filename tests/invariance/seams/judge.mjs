/**
 * What moves over a floor of parts moves as over one box.
 */
import { World } from 'moreau'
import { Random } from '../../../scenarios/random.mjs'
import { floorOf, wholeFloorOf } from './floors.mjs'
import { MOVERS } from './movers.mjs'

/** @import { Floor } from './floors.mjs' */

/**
 * @typedef {object} Variant
 * @property {number} r m: radius of the mover
 * @property {number} size m: of the tiles
 * @property {number} speed m/s
 * @property {number} [angle] rad: of the way to the rows of tiles
 * @property {number} [mu] friction; what rolls has ROLLING_FRICTION
 * @property {number} [place] m: of the floor, along x and against z
 * @property {number} [gap] m: between tiles
 * @property {number} [uneven] m: between the heights of tiles
 */

/** @typedef {{ floor: string, mover: string, variant: Variant, solver: string }} Run */
/** @typedef {{ run: Run, speed: number, height: number, isBad: boolean }} Result */

const ROLLING_FRICTION = 0.5
const TIME_STEP = 1 / 60
const MOST_STEPS = 240
/** Tiles and radii that a way is long, so that it leads over some seams. */
const [WAY_TILES, WAY_RADII] = [3.2, 2.5]
/** m/s²: what the speeds that bodies of a size get by falling are measured with. */
const GRAVITY = 9.81
/** Of the speed, and of the one of a fall by half of the radius: so much may differ, as the last bits of contacts and of when they begin do. */
const [LEAST_SHARE, LEAST_OF_FALL] = [0.04, 0.015]
/** Of the radius: 4 mm of 0.4 m. Bodies sink by the slop and tip a little where friction stops them. */
const LEAST_HEIGHT = 0.01

/** What the judge always runs. @type {readonly Variant[]} */
export const VARIANTS = Object.freeze([
  { r: 0.4, size: 2.2, speed: 1 },
  { r: 0.4, size: 1.9, speed: 3, angle: 0.33 },
  { r: 0.35, size: 0.9, speed: 4, mu: 0.5 },
  { r: 0.4, size: 3, speed: 12, angle: 0.1 },
  { r: 0.45, size: 11, speed: 30, angle: 0.05 },
  { r: 0.4, size: 1 / 3, speed: 1, angle: 0.6, place: 100 },
  { r: 0.05, size: 0.21, speed: 0.1 },
  { r: 0.4, size: 0.7, speed: 2, angle: 0.785, place: 1000 / 3 },
  { r: 0.3, size: 1.1, speed: 2, angle: 0.2, uneven: 1e-6 },
  { r: 0.3, size: 1, speed: 2, place: 30, uneven: 2e-5 },
  { r: 1, size: 0.27, speed: 1.5, angle: 0.4 },
  { r: 0.4, size: 2.1, speed: 1, angle: 0.1, mu: 0.5, place: 10 },
  { r: 0.4, size: 1.05, speed: 2, angle: 0.3, gap: 1e-5 },
  { r: 0.4, size: 1, speed: 2, angle: 0.3, gap: 1e-3 },
  { r: 0.01, size: 0.06, speed: 0.3, angle: 0.2 },
  { r: 0.02, size: 0.05, speed: 1, mu: 0.5 },
  { r: 10, size: 36, speed: 8, angle: 0.25 },
  { r: 100, size: 330, speed: 30, angle: 0.15 },
  { r: 0.4, size: 1.3, speed: 2.5, angle: 0.25, place: 1e5 },
  { r: 0.5, size: 1.7, speed: 6, mu: 0.5, place: 1e5 },
])

/** Others. @param {number} count @param {number} seed @returns {Variant[]} */
export function randomVariants(count, seed) {
  const random = new Random(seed)
  const between = (/** @type {number} */ a, /** @type {number} */ b) => a * (b / a) ** random.next()
  const pick = (/** @type {number[]} */ list) => list[Math.floor(random.next() * list.length)]
  return Array.from({ length: count }, () => {
    const r = between(0.01, 100)
    return {
      ...{ r, size: r * between(0.6, 8), speed: Math.min(30, between(0.1, 30), 40 * r + 0.2) },
      ...{ angle: 1.4 * random.next(), mu: pick([0, 0, 0.5]) },
      place: pick([0, 0, 10, 100, 1000, 1e5]),
      gap: r * pick([0, 0, 1e-6, 1e-5, 1e-4, 1e-3]),
      uneven: r * pick([0, 0, 1e-7, 1e-6, 1e-5]),
    }
  })
}

/** How far a way leads, m, in how many steps. @param {Variant} variant */
function wayOf({ r, size, speed }) {
  const wanted = Math.max(WAY_TILES * size, WAY_RADII * r)
  const steps = Math.min(MOST_STEPS, Math.ceil(wanted / speed / TIME_STEP))
  return { steps, length: speed * steps * TIME_STEP }
}

/** @param {Variant} variant @param {number} friction @returns {Floor} */
function around(variant, friction) {
  const { r, size, angle = 0, place = 0, gap = 0, uneven = 0 } = variant
  const { length } = wayOf(variant)
  const half = [Math.cos(angle), Math.sin(angle)].map(
    (share) => (Math.ceil((0.5 * length * share + 2.5 * r) / size) + 1.5) * size,
  )
  return { half: [half[0], half[1]], place, friction, size, gap, uneven }
}

/** @param {Variant} variant @param {string} name @param {number} friction @returns {any} */
function moverOf(variant, name, friction) {
  const { r, size, speed, angle = 0, place = 0 } = variant
  const { body, height, rolling } = MOVERS[name](r)
  const { length } = wayOf(variant)
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  return {
    ...body,
    ...{ type: 'dynamic', friction, userData: name },
    position: [place - 0.5 * length * c, height, -place - 0.5 * length * s + 0.13 * size],
    linearVelocity: [speed * c, 0, speed * s],
    // What rolls along z's normal turns about z; the rest of its way it slides.
    ...(rolling ? { angularVelocity: [0, 0, (-speed * c) / rolling] } : {}),
  }
}

/** Height and velocity after each step. @param {any[]} floor @param {any} mover @param {string} solver @param {number} steps */
function play(floor, mover, solver, steps) {
  const world = new World({
    solver: /** @type {any} */ (solver),
    allowSleep: false,
    warnings: false,
  })
  for (const definition of floor) world.createBody(definition)
  const body = world.createBody(mover)
  const path = Array.from({ length: steps }, () => {
    world.step(TIME_STEP)
    return { height: body.position[1], velocity: [...body.linearVelocity] }
  })
  world.free()
  return path
}

export class Judge {
  /** Ways over one box. @type {Map<string, ReturnType<typeof play>>} */
  #whole = new Map()

  /** @param {Run} run @param {any} mover @param {number} friction */
  #wholeOf({ mover: name, variant, solver }, mover, friction) {
    const key = JSON.stringify([name, variant, solver])
    const { steps } = wayOf(variant)
    const path =
      this.#whole.get(key) ?? play(wholeFloorOf(around(variant, friction)), mover, solver, steps)
    this.#whole.set(key, path)
    return path
  }

  /** @param {Run} run @returns {Result} */
  judge(run) {
    const { floor, variant, solver } = run
    const friction = MOVERS[run.mover](1).rolling ? ROLLING_FRICTION : (variant.mu ?? 0)
    const mover = moverOf(variant, run.mover, friction)
    const right = this.#wholeOf(run, mover, friction)
    const path = play(floorOf(floor, around(variant, friction)), mover, solver, right.length)
    const most = (/** @type {(i: number) => number} */ of) => Math.max(...path.map((_, i) => of(i)))
    const height = most((i) => Math.abs(path[i].height - right[i].height))
    const speed = most((i) =>
      Math.hypot(...path[i].velocity.map((v, k) => v - right[i].velocity[k])),
    )
    const { r, uneven = 0 } = variant
    const isGood =
      speed <= LEAST_SHARE * variant.speed + LEAST_OF_FALL * Math.sqrt(GRAVITY * r) &&
      height <= LEAST_HEIGHT * r + 2 * uneven
    return { run, speed, height, isBad: !isGood }
  }
}
