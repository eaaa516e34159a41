/**
 * What the comparison wants of an engine, and what its adapters share. There is one adapter file per engine in this folder. An
 * adapter uses its engine as its users would, with default settings, and reads poses in the quickest way that the engine offers.
 */
import { readFileSync } from 'node:fs'
import { cross, dot, length, scale, subtract } from '../../scenarios/vector.mjs'

/** @typedef {import('../scenes/description.mjs').Description} Description */
/** @typedef {import('../scenes/description.mjs').BodyDescription} BodyDescription */
/** @typedef {import('../scenes/description.mjs').JointDescription} JointDescription */
/** @typedef {import('../scenes/description.mjs').ShapeDescription} ShapeDescription */
/** @typedef {import('../scenes/description.mjs').BasicShape} BasicShape */
/** @typedef {import('../scenes/description.mjs').Vector} Vector */
/** @typedef {import('../scenes/description.mjs').Quaternion} Quaternion */

/**
 * A scene that runs in an engine. Bodies have slots: those of the description in their order, then those that come later.
 *
 * @typedef {object} Simulation
 * @property {(dt?: number) => void} step by TIME_STEP, or by `dt` where an engine has `Controls`
 * @property {(out: Float32Array) => void} readPoses position and quaternion of the body in each slot, seven numbers each; free
 *   slots are left as they are
 * @property {(slot: number, body: BodyDescription) => void} add creates a body
 * @property {(slot: number) => void} remove destroys it
 * @property {(rays: Float64Array, distances: Float32Array) => void} [castRays] how far each ray gets: to its closest hit, or
 *   Infinity. Left out by engines that have no ray casts
 * @property {(shape: number, rays: Float64Array, distances: Float32Array) => void} [castShapes] the same of a shape, which does
 *   not turn
 * @property {number} [eventCount] contacts that began or ended since the start, in a scene that listens
 * @property {(out: Float32Array) => void} [readCharacters] their positions, three numbers each
 */

/**
 * What the measurements of physics ask for besides (bench/physics).
 *
 * @typedef {object} Controls
 * @property {(slot: number, out: Float64Array) => void} readState position, quaternion, velocity of the centre and angular
 *   velocity of a body, thirteen numbers in the frame of the world
 * @property {(slot: number, force: Vector) => void} applyForce through the centre of mass, for the next step
 * @property {(slot: number, torque: Vector) => void} applyTorque for the next step
 * @property {(slot: number, position: Vector, orientation: Quaternion, dt: number) => void} moveTo where a kinematic body
 *   is to be after the next step of `dt`
 * @property {(slot: number) => boolean} isAsleep
 * @property {() => void} free gives back what the scene holds
 */

/**
 * @typedef {object} SimulationOptions
 * @property {boolean} sleep whether bodies may fall asleep
 * @property {Record<string, unknown>} world of Moreau: options on top of the defaults
 */

/**
 * @typedef {object} Engine
 * @property {string} version
 * @property {boolean} [hasPotentials] whether a description may have them
 * @property {(description: Description, options: SimulationOptions) => Promise<Simulation>} create
 */

/** @typedef {{ load: () => Promise<Engine> }} Adapter */

/** The engines in the order of the tables. */
export const engineNames = [
  'moreau',
  'rapier-simd',
  'rapier',
  'jolt-simd',
  'jolt',
  'havok',
  'physx',
  'cannon',
  'mujoco',
]

/** What an engine cannot do, as opposed to what went wrong. */
export class Unsupported extends Error {}

/** How many numbers of a pose: position, quaternion. */
export const POSE = 7
/** How many numbers of a state: a pose and both velocities. */
export const STATE = 13

/**
 * @param {string} name
 * @returns {Promise<Adapter>}
 */
export async function loadAdapter(name) {
  if (engineNames.includes(name)) return import(`./${name}.mjs`)
  throw new RangeError(`no engine '${name}'; there are ${engineNames.join(', ')}`)
}

/**
 * What an adapter has beside bodies, joints and these shapes: box, sphere, capsule, hull.
 *
 * @typedef {object} Has
 * @property {ShapeDescription['type'][]} [shapes]
 * @property {boolean} [potentials] forces of their own but gravity
 * @property {boolean} [listens]
 * @property {boolean} [cars]
 * @property {boolean} [characters]
 * @property {boolean} [motors] that turn a hinge at a speed, and how strong they are
 */

/**
 * Refuses a scene for which an engine, or its adapter, lacks something.
 *
 * @param {Description} description
 * @param {Has} [has]
 */
export function refuseWhatIsMissing(description, has = {}) {
  const known = ['box', 'sphere', 'capsule', 'hull', ...(has.shapes ?? [])]
  const strange = description.shapes.find(({ type }) => !known.includes(type))
  if (strange) throw new Unsupported(`no ${strange.type}`)
  const { potentials = [], listens = false, cars = [], characters = [] } = description
  if (potentials.length > 0 && !has.potentials) throw new Unsupported('no potentials')
  if (listens && !has.listens) throw new Unsupported('no contact events')
  if (cars.length > 0 && !has.cars) throw new Unsupported('no cars')
  if (characters.length > 0 && !has.characters) throw new Unsupported('no characters')
  const motors = description.joints.flatMap(({ motor }) => motor ?? [])
  if (motors.length > 0 && !has.motors) throw new Unsupported('its adapter has no motors')
  if (motors.some((motor) => 'targetPosition' in motor))
    throw new Unsupported('no motors to an angle without gains')
}

const PEERS = new URL('../peers/node_modules/', import.meta.url)

/**
 * A file of a peer's package. The peers are installed apart from the project (bench/peers).
 *
 * @param {string} path package and path
 */
export const peerFile = (path) => new URL(path, PEERS)

/**
 * @param {string} name of a peer's package
 * @returns {string}
 */
export const peerVersion = (name) =>
  JSON.parse(readFileSync(peerFile(`${name}/package.json`), 'utf8')).version

/**
 * How many slots a scene needs.
 *
 * @param {Description} description
 */
export function slotCount({ bodies, churn }) {
  return bodies.length + (churn ? Math.ceil((churn.perSecond * (churn.life + 1)) / 60) : 0)
}

/**
 * @param {Quaternion} quaternion unit
 * @param {ArrayLike<number>} vector
 * @returns {Vector} turned by the quaternion
 */
export function rotate([x, y, z, w], vector) {
  const twice = scale(cross([x, y, z], vector), 2)
  const turn = cross([x, y, z], twice)
  return [0, 1, 2].reduce((out, i) => {
    out[i] = vector[i] + w * twice[i] + turn[i]
    return out
  }, /** @type {Vector} */ ([0, 0, 0]))
}

/**
 * @param {BodyDescription} body
 * @param {Vector} direction world
 * @returns {Vector} in the frame of the body
 */
export function localDirection({ orientation }, direction) {
  return rotate(conjugate(orientation), direction)
}

/**
 * @param {BodyDescription} body
 * @param {Vector} point world
 * @returns {Vector} in the frame of the body
 */
export const localPoint = (body, point) => localDirection(body, subtract(point, body.position))

/**
 * @param {Vector} axis
 * @returns {Vector} a unit vector across it
 */
export function across(axis) {
  const other = Math.abs(axis[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]
  const vector = cross(axis, other)
  return scale(vector, 1 / length(vector))
}

/**
 * The unit quaternion that turns the x axis to a direction.
 *
 * @param {Vector} direction unit
 * @returns {Quaternion}
 */
export function turnOfX(direction) {
  const axis = cross([1, 0, 0], direction)
  const w = 1 + dot([1, 0, 0], direction)
  if (w < 1e-9) return [0, 1, 0, 0]
  const size = Math.sqrt(dot(axis, axis) + w * w)
  return [axis[0] / size, axis[1] / size, axis[2] / size, w / size]
}

/** @type {(quaternion: Quaternion) => Quaternion} */
export const conjugate = ([x, y, z, w]) => [-x, -y, -z, w]

/**
 * @param {Quaternion} a
 * @param {Quaternion} b
 * @returns {Quaternion} how b is turned, seen from a
 */
export const relativeTurn = (a, b) => multiply(conjugate(a), b)

/**
 * @param {Quaternion} a
 * @param {Quaternion} b
 * @returns {Quaternion}
 */
export const multiply = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
  aw * bw - ax * bx - ay * by - az * bz,
]

/**
 * @param {Quaternion} quaternion unit
 * @returns {Vector} the axis of its turn times the angle, the shorter way round, rad
 */
export function rotationVector([x, y, z, w]) {
  const [sine, cosine] = [length([x, y, z]), Math.abs(w)]
  // For small angles the half angle and its sine are the same.
  const factor = sine > 1e-9 ? (2 * Math.atan2(sine, cosine)) / sine : 2
  return scale([x, y, z], w < 0 ? -factor : factor)
}
