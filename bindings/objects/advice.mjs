import { adviseJointed } from './advice-joints.mjs'

// What a world looks at to advise: see types/advice.mjs.

/** @import { Body } from './body.mjs' */
/** @import { Joint } from './joint.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/** Seconds: no program steps by more on purpose, and one in milliseconds always does. */
const LONG_STEP = 0.25
/** rad: more than a turn is rare, and a few degrees are more. */
const FULL_TURN = 2 * Math.PI
/** Metres: sizes that a scene in metres hardly has, and one in millimetres or kilometres does. */
const SMALL = 1e-3
const LARGE = 1e3
/** Metres: dynamic bodies that a scene in metres hardly has under a gravity as on earth, and one in centimetres does. */
const HUGE = 30
/** And under one of STRONG. */
const BIG = 10
/** m/s²: what is near the gravity of the earth, and what is 100 times that in centimetres. */
const EARTHLY = Object.freeze([5, 20])
const STRONG = 300
/** Metres from the origin: 1e-9 m are the last digit there. */
const AWAY = 1e7
/** Seconds: a frame that long in milliseconds is one of 240 Hz. A page that loads is slow, but rarely as slow. */
const MILLISECONDS = 4
/** Part of a moment of inertia by which it may be too large: people write three digits. */
const DIGITS = 0.01
/** m/s: three times the speed of sound, which a scene in metres hardly has. */
const FAST = 1e3
/** Metres below the origin, along gravity: 45 s of fall. */
const DEEP = 1e4
/** Forces and impulses of a world that are looked at: to ask for a type costs as much as to push. */
const LOOKED_PUSHES = 256
/** Steps between two looks at all bodies, whose cost is nothing then: a power of 2. */
const LOOK_EVERY = 128

/**
 * Before a step.
 * @param {WorldCore} core
 * @param {number} dt
 */
export function adviseStep({ warner }, dt) {
  if (dt <= LONG_STEP || !warner.wants('long-step')) return
  const text = `step: dt is ${dt} s. It is in seconds: 1 / 60, for instance, and not 16.7`
  warner.tell('long-step', text)
}

/**
 * After a step.
 * @param {WorldCore} core
 * @param {number} stepCount
 */
export function adviseScene(core, stepCount) {
  if ((stepCount & (LOOK_EVERY - 1)) !== 0) return
  adviseViews(core)
  if (core.warner.wants('fell-out')) adviseFallen(core)
  if (core.warner.wants('far-place')) adviseAway(core)
  if (core.jointsApart.size > 0) adviseJointed(core)
}

/**
 * Tells at the second look, since the memory may have moved in the very step before the first one.
 * @param {WorldCore} core
 */
function adviseViews(core) {
  const { warner, viewedBuffer, staleBuffer, engine } = core
  core.staleBuffer = viewedBuffer === engine.buffer ? undefined : viewedBuffer
  if (core.staleBuffer === undefined || core.staleBuffer !== staleBuffer) return
  const text =
    'world.transforms or another bulk array was read before the memory moved, and not since. One that was kept is empty: read the property in each frame'
  warner.tell('stale-view', text)
}

/** @param {WorldCore} core */
function adviseFallen(core) {
  const [x, y, z] = core.world.gravity
  const length = Math.sqrt(x * x + y * y + z * z)
  if (length === 0) return
  const { f64 } = core.engine
  const deep = DEEP * core.metre
  for (const body of core.living) {
    const at = core.transforms64 + 8 * body.index
    const depth = (x * f64[at] + y * f64[at + 1] + z * f64[at + 2]) / length
    if (depth > deep && body.type === 'dynamic') {
      const text = `body ${body.id} fell ${Math.round(depth / core.metre)} m below the origin: destroy what left the scene`
      return core.warner.tell('fell-out', text)
    }
  }
}

/** @param {WorldCore} core */
function adviseAway(core) {
  const away = AWAY * core.metre
  for (const body of core.living) {
    if (distanceOf(core, body) > away) return tellAway(core, body)
  }
}

/** @param {WorldCore} core @param {Body} body @returns {number} metres from the origin */
function distanceOf({ engine, transforms64 }, { index }) {
  const at = transforms64 + 8 * index
  return Math.hypot(engine.f64[at], engine.f64[at + 1], engine.f64[at + 2])
}

/** @param {WorldCore} core @param {Body} body */
function tellAway(core, body) {
  const distance = Number((distanceOf(core, body) / core.metre).toPrecision(3))
  const text = `body ${body.id} is ${distance} m from the origin, where positions have few digits left: put the origin where the scene is, and destroy what left it`
  core.warner.tell('far-place', text)
}

/**
 * After a body was made.
 * @param {WorldCore} core
 * @param {Body} body
 */
export function adviseBody(core, body) {
  const { warner, metre } = core
  if (warner.wants('far-place') && distanceOf(core, body) > AWAY * metre) tellAway(core, body)
  if (body.type !== 'dynamic') return
  if (warner.wants('centimetres')) adviseUnits(core, body)
  const speed = body.speed / metre
  if (speed > FAST && speed < Infinity && warner.wants('far-speed')) {
    const text = `createBody: a speed of ${speed} m/s; speeds are in metres a second`
    warner.tell('far-speed', text)
  }
  if (!warner.wants('far-size')) return
  for (const { volume } of body.shapes) {
    const size = Math.cbrt(volume) / metre
    if (volume > 0 && (size < SMALL || size > LARGE)) {
      const factor =
        size < SMALL
          ? 'times 1000 if they are in kilometres'
          : 'times 0.001 if they are in millimetres'
      const text = `createBody: a shape of about ${size} m; sizes are in metres: take them ${factor}`
      warner.tell('far-size', text)
    }
  }
}

/**
 * @param {WorldCore} core
 * @param {Body} body a dynamic one
 */
function adviseUnits({ world, warner, metre }, body) {
  const size = Math.cbrt(Math.max(0, ...body.shapes.map(({ volume }) => volume))) / metre
  if (!(size >= BIG && size <= LARGE)) return
  const strength = Math.hypot(...world.gravity) / metre
  const isEarthly = strength >= EARTHLY[0] && strength <= EARTHLY[1]
  if (!(size >= HUGE && isEarthly) && strength < STRONG) return
  const metres = Number(size.toPrecision(2))
  const text =
    `createBody: a body of about ${metres} m under a gravity of ${Number(strength.toPrecision(3))} m/s². Sizes are in metres: ` +
    `if they are in centimetres, take sizes and positions times 0.01 and a gravity of 9.81, or give the world lengthUnit: 0.01, or things fall in slow motion and thresholds are far too small`
  warner.tell('centimetres', text)
}

/**
 * After a moment of inertia was given. Bodies may have any that is positive definite: rotors of gears are in some, and infinite ones.
 * @param {WorldCore} core
 * @param {Body} body
 * @param {string} where
 */
export function adviseInertia({ warner }, body, where) {
  if (!warner.wants('inertia') || body.type !== 'dynamic') return
  const [a, b, c, , d, e, , , f] = body.inertia
  // No principal moment is above a bound where the bound's multiple of the identity, less the tensor, is positive definite.
  const bound = ((a + d + f) * (1 + DIGITS)) / (2 + DIGITS)
  const [x, y, z] = [bound - a, bound - d, bound - f]
  const plane = x * y - b * b
  if (x > 0 && plane > 0 && plane * z - x * e * e - y * c * c - 2 * b * c * e > 0) return
  const text = `${where}: no rigid body has inertia [${body.inertia}]: a principal moment is above the sum of the others`
  warner.tell('inertia', text)
}

/**
 * After a joint was made. One between kinematic bodies may be for later, when they are let go.
 * @param {WorldCore} core
 * @param {Joint} joint
 */
export function adviseHeld({ warner }, joint) {
  if (!warner.wants('no-effect') || joint.bodies.some(({ type }) => type !== 'static')) return
  const text = `createJoint: a joint of type '${joint.type}' holds nothing: both of its bodies are static, or the world`
  warner.tell('no-effect', text)
}

/**
 * After a joint was made, or its limits were set.
 * @param {WorldCore} core
 * @param {Joint} joint
 */
export function adviseJoint({ warner }, joint) {
  if (!warner.wants('degrees')) return
  const most = largestAngle(joint)
  if (most <= FULL_TURN || most === Infinity) return
  const text = `a joint of type '${joint.type}' has a limit of ${most} rad; limits are in radians, not in degrees`
  warner.tell('degrees', text)
}

/**
 * @param {Joint} joint
 * @returns {number} the largest size of a finite limit of an angle, rad
 */
function largestAngle(joint) {
  if (joint.type !== 'hinge' && joint.type !== 'ball') return 0
  const { limits } = joint
  if (limits === null) return 0
  const { lower = 0, upper = 0, cone = 0, twist } = /** @type {Record<string, any>} */ (limits)
  const sizes = [lower, upper, cone, twist?.lower ?? 0, twist?.upper ?? 0].map(Math.abs)
  return Math.max(...sizes.filter((size) => size < Infinity))
}

/**
 * @param {WorldCore} core
 * @param {number} seconds that `advance` was given
 * @param {boolean} isInSeconds whether a call before was of a frame as they are in seconds
 */
export function adviseLate({ warner }, seconds, isInSeconds) {
  if (!warner.wants('late')) return
  const isOdd = seconds >= MILLISECONDS && !isInSeconds
  const unit = isOdd ? '. Are they milliseconds? It takes seconds' : ''
  const text = `advance(${seconds}) dropped time: more steps were due than maxSteps or timeBudget allows${unit}`
  warner.tell('late', text)
}

/**
 * At a force or an impulse.
 * @param {WorldCore} core
 * @param {Body} body
 * @param {string} where
 */
export function advisePush(core, body, where) {
  if (core.pushes >= LOOKED_PUSHES || !core.warner.wants('no-effect')) return
  core.pushes++
  if (body.type === 'dynamic') return
  const how =
    body.type === 'static'
      ? 'a static body never moves'
      : 'a kinematic body moves by its velocities and by moveTo'
  core.warner.tell('no-effect', `${where}: body ${body.id} does not feel it: ${how}`)
}

/**
 * At the update of a vehicle.
 * @param {WorldCore} core
 * @param {readonly { steering: number }[]} wheels
 */
export function adviseSteering({ warner }, wheels) {
  for (let i = 0; i < wheels.length; i++) {
    const { steering } = wheels[i]
    if (Math.abs(steering) > FULL_TURN && warner.wants('degrees')) {
      const text = `update: wheels[${i}].steering is ${steering} rad; it is in radians, not in degrees`
      warner.tell('degrees', text)
    }
  }
}
