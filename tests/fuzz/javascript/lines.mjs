/**
 * Lines of JavaScript, at random: the whole surface of the package, with values that are ordinary, extreme or no values at
 * all. Each is an arbitrary of fast-check, so that failures shrink.
 */
import fc from 'fast-check'
import { useBatch } from './batch.mjs'
import { changeJoint, createJoint, end, gains } from './joints.mjs'
import { changeShapes, combine, filter, shape } from './shapes.mjs'
import {
  askHull,
  bounds,
  changePotential,
  driveRagdoll,
  goBack,
  look,
  prelude,
} from './objects.mjs'
import { decide, driveVehicle, explode, listen, place, query, readQuery, walk } from './surface.mjs'
import {
  flag,
  index,
  integrator,
  mixed,
  number,
  object,
  quaternion,
  size,
  sizes,
} from './values.mjs'
import { solver, strange, triple, vector, words } from './values.mjs'

/** @typedef {fc.Arbitrary<string>} Text */

// --- bodies ---------------------------------------------------------------------------------------

const bodyOptions = {
  position: vector,
  orientation: quaternion,
  linearVelocity: vector,
  angularVelocity: vector,
  mass: size,
  inertia: sizes,
  centerOfMass: vector,
  friction: size,
  restitution: mixed(fc.constantFrom('0', '0.5', '1'), number),
  linearDamping: size,
  angularDamping: size,
  gravityScale: number,
  solver,
  filter,
  isEnabled: flag,
  bullet: flag,
  allowSleep: flag,
  sensor: flag,
  frictionCombine: combine,
  restitutionCombine: combine,
  rollingFriction: size,
  spinningFriction: size,
  surfaceVelocity: vector,
  lockTranslation: mixed(fc.constantFrom('[true, false, false]', 'true', 'false'), strange),
  lockRotation: mixed(fc.constantFrom('[true, false, true]', 'true', 'false'), strange),
}
const bodyType = words('dynamic', 'dynamic', 'dynamic', 'static', 'kinematic')
const body = index.map((i) => `body(${i})`)
const createBody = object({ shape, position: vector }, { type: bodyType, ...bodyOptions }).map(
  (definition) => `createBody(${definition})`,
)
const setBody = fc
  .oneof(
    ...Object.entries({ type: bodyType, density: size, ...bodyOptions }).map(([name, value]) =>
      fc.tuple(body, value).map(([one, text]) => `${one}.${name} = ${text}`),
    ),
  )
  .map((text) => text)
const push = fc
  .tuple(body, fc.constantFrom('applyForce', 'applyImpulse'), vector, vector, fc.boolean())
  .map(([one, name, force, point, has]) => `${one}.${name}(${force}${has ? `, ${point}` : ''})`)
const turn = fc
  .tuple(body, fc.constantFrom('applyTorque', 'applyAngularImpulse'), vector)
  .map(([one, name, torque]) => `${one}.${name}(${torque})`)
const askBody = fc
  .tuple(body, fc.constantFrom('sleep', 'wake', 'clearForces', 'contacts', 'wake', 'isAtRest'))
  .map(([one, name]) => `${one}.${name}()`)
/** Points and directions between a body and the world. */
const placeBody = fc
  .tuple(
    body,
    fc.constantFrom('worldPoint', 'localPoint', 'worldVector', 'localVector', 'velocityAtPoint'),
    vector,
    mixed(fc.constantFrom('undefined', '[0, 0, 0]', '{ x: 0, y: 0, z: 0 }'), strange),
  )
  .map(([one, name, point, out]) => `${one}.${name}(${point}, ${out})`)
const readBody = fc
  .tuple(
    body,
    fc.constantFrom('readPosition', 'readInertia', 'readAngularMomentum', 'readEnergy'),
    strange,
  )
  .map(([one, name, out]) => `${one}.${name}(${out})`)

// --- joints, constraints, potentials --------------------------------------------------------------

// Functions depend on time and state alone: the same calls give the same answers, whatever was refused between.
const EVALUATIONS = [
  'out[0] = bodyA.position[1] - 1',
  'out[0] = bodyA.position[0]; read()',
  'out[0] = bodyA.position[0] - time',
  'out[0] = bodyA.position[0] ** 2 + bodyA.position[1] ** 2 - 1',
  'if (time > 0.05) throws(); out[0] = bodyA.position[2]',
  'out[0] = time > 0.04 && time < 0.08 ? NaN : bodyA.position[2]',
  'stepBystander(); out[0] = bodyA.position[1]',
  'out[0] = bodyA.position[1]; world.step(1 / 60)',
  'out[0] = bodyA.position[1]; world.constraints.forEach((one) => one.violation())',
  'out[0] = bodyA.linearVelocity[0]',
  'out[0] = 1e300 * bodyA.position[0]',
  'attempt(() => (bodyA.body.position = [0, 0, 0])); out[0] = bodyA.position[2]',
  'attempt(() => bodyA.body.destroy()); out[0] = bodyA.position[0]',
  'attempt(() => world.createBody({ mass: 1 })); out[0] = bodyA.position[1]',
  'attempt(() => world.free()); out[0] = bodyA.position[1]',
  'attempt(() => (world.solver = "exact")); out[0] = bodyA.position[1]',
]
const evaluate = fc
  .constantFrom(...EVALUATIONS)
  .map((text) => `(bodyA, bodyB, time, out) => { ${text} }`)
const ACTIVITIES = [
  'bodyA.position[1] > 0.5',
  'time % 0.02 < 0.01',
  'Math.round(time * 240) % 2 === 0',
  '(read(), time > 0.02)',
  '(time > 0.06 ? throws() : true)',
]
const isActive = fc.constantFrom(...ACTIVITIES).map((text) => `(bodyA, bodyB, time) => ${text}`)
const derivative = fc.constantFrom('out[0] = 0', 'out[0] = NaN', 'out.fill(0.5)', 'throws()')
const createConstraint = fc
  .oneof(
    {
      arbitrary: object(
        {
          type: fc.constant(`'custom'`),
          bodies: fc.oneof(
            body.map((one) => `[${one}]`),
            fc.tuple(body, body).map(([a, b]) => `[${a}, ${b}]`),
          ),
          dimension: mixed(fc.constantFrom('1', '1', '1', '3', '32'), number),
          evaluate,
        },
        {
          isActive,
          bounds,
          timeDerivative: derivative.map((text) => `(bodyA, bodyB, time, out) => { ${text} }`),
          typeName: words('mine', 'a name of more than thirty-one characters, which is cut'),
          ...gains,
        },
      ),
      weight: 6,
    },
    { arbitrary: object({ type: words('unitQuaternion'), bodies: body }, gains), weight: 1 },
    {
      arbitrary: object({ type: words('distance'), bodies: fc.constant('[body(0), body(1)]') }),
      weight: 1,
    },
  )
  .map((definition) => `createConstraint(${definition})`)

const FORCES = [
  'out[0] = -10 * one.worldCenterOfMass[0]',
  'out[1] = 5; read()',
  'if (time > 0.05 && time < 0.1) throws()',
  'out[2] = time > 0.03 && time < 0.06 ? NaN : 1',
  'out[0] = 1e300 * one.position[0]',
  'stepBystander()',
]
const force = fc.constantFrom(...FORCES).map((text) => `(one, time, out) => { ${text} }`)
const ENERGIES = ['0', 'one.worldCenterOfMass[0] ** 2', 'NaN', 'throws()', `'1'`, 'strange(7)']
const energy = fc.constantFrom(...ENERGIES).map((text) => `(one, time) => ${text}`)
const acting = {
  bodies: fc.oneof(
    body,
    fc.tuple(body, body).map(([a, b]) => `[${a}, ${b}]`),
  ),
}
const createPotential = fc
  .oneof(
    object({ type: words('gravity'), gravity: vector }, acting),
    object({ type: words('pointGravity'), mu: size }, { center: vector, softening: size }),
    object({ type: words('tidal'), mu: size }, { center: vector, ...acting }),
    object({ type: words('magnetic'), moment: vector }, { field: vector, sourceMoment: vector }),
    object(
      { type: words('buoyancy'), density: size },
      {
        surface: object({}, { normal: vector, offset: number }),
        region: object({}, { center: vector, radius: size, halfExtents: sizes }),
        ...acting,
      },
    ),
    object({ type: words('mutualGravity') }, { gravitationalConstant: size, softening: size }),
    object({ type: words('drag') }, { linear: size, quadratic: size, angular: size, ...acting }),
    object(
      { type: words('spring'), bodyA: end, stiffness: size },
      { bodyB: end, restLength: size, damping: size, anchorA: vector, anchorB: vector },
    ),
    object({ type: fc.constant(`'custom'`), force }, { energy, torque: force, ...acting }),
  )
  .map((definition) => `createPotential(${definition})`)

const askConstraint = fc
  .tuple(
    fc.constantFrom('joint', 'constraint'),
    index,
    fc.constantFrom(
      ...['violation()', 'velocityViolation()', 'impulse()', 'force()', 'coordinate', 'rows()'],
    ),
  )
  .map(([kind, i, call]) => `${kind}(${i}).${call}`)
const askPotential = fc
  .tuple(index, body)
  .map(([i, one]) => `[potential(${i}).energy(), potential(${i}).force(${one})]`)
const destroy = fc
  .tuple(fc.constantFrom('body', 'body', 'joint', 'constraint', 'potential'), index)
  .map(([kind, i]) => `${kind}(${i}).destroy()`)
const makeShape = shape.map((definition) => `createShape(${definition})`)
const freeShape = index.map((i) => `shape(${i}).free()`)

// --- the world ------------------------------------------------------------------------------------

const SETTINGS = {
  lengthUnit: mixed(fc.constantFrom('1', '0.01', '2'), number),
  gravity: vector,
  solver,
  integrator,
  stabilization: words('split', 'baumgarte', 'none'),
  iterations: mixed(fc.constantFrom('1', '10', '50'), number),
  tolerance: mixed(fc.constantFrom('1e-8', '1e-6', '0'), number),
  restitutionThreshold: mixed(fc.constantFrom(`'auto'`, '0', '1'), number),
  linearSlop: mixed(fc.constantFrom(`'auto'`, '0', '0.01'), number),
  errorReduction: mixed(fc.constantFrom('0.2', '1'), number),
  maxCorrectionSpeed: size,
  substeps: mixed(fc.constantFrom('1', '4', '64'), number),
  frictionLaw: words('coulomb', 'convex'),
  impactLaw: words('newton', 'generalized-reflections'),
  contactHertz: size,
  contactDamping: size,
  jointHertz: size,
  jointDamping: size,
  allowSleep: flag,
  sleepThreshold: mixed(fc.constantFrom(`'auto'`, '0', '1'), number),
  timeToSleep: mixed(fc.constantFrom('0', '0.05'), number),
  certify: flag,
  profiling: flag,
  effort: words('frame', 'step', 'offline'),
  maxIterations: mixed(fc.constantFrom('1', '40', '400'), number),
  workBudget: mixed(fc.constantFrom(`'auto'`, '0', '1e6'), number),
  exactMemoryLimit: mixed(fc.constantFrom('0', '1e6', '1e8'), number),
  hitThreshold: size,
  contactForceThreshold: size,
}
const setWorld = fc.oneof(
  ...Object.entries(SETTINGS).map(([name, value]) =>
    value.map((text) => `world.${name} = ${text}`),
  ),
)
const dt = fc.oneof(
  { arbitrary: fc.constantFrom('1 / 60', '1 / 60', '1 / 120', '1 / 30'), weight: 20 },
  { arbitrary: fc.constantFrom('0', '1e-9', '0.5', '2'), weight: 2 },
  { arbitrary: number, weight: 1 },
)
const step = dt.map((text) => `world.step(${text})`)
const READ_OUTS = [
  'read()',
  'world.energy()',
  'world.bodies.map((body) => body.energy())',
  'world.residual()',
  'world.islands()',
  'world.solverEvents',
  'world.recordProblem()',
  'world.contactPoints()',
  'world.readContactPoints(new Float64Array(26))',
  'world.profile()',
  // A step that is refused leaves its time for the next call, so each begins anew.
  '(world.resetInterpolation(), world.advance(0.0005))',
  '(world.resetInterpolation(), world.advance(0.02, { interpolate: true }))',
  'world.readContactEvents(new Float64Array(17))',
  'world.readSensorEvents(new Float64Array(10))',
  'world.readSleepEvents(new Float64Array(3))',
  'world.toJSON()',
  'moreau.World.fromJSON(JSON.parse(JSON.stringify(world))).free()',
  'world.bodyById(world.bodyIds[0])',
  'world.interpolate(new Float32Array(world.transforms.length))',
  'world.interpolate(new Float32Array(3))',
  `world.on('sleep', () => read())`,
  `world.on('solver', () => read())`,
]
const snapshotOptions = object({}, { assets: flag })
const snapshot = fc.oneof(
  { arbitrary: fc.constantFrom('keep()', 'restore()', 'restore()'), weight: 5 },
  { arbitrary: fc.constant('rollback()'), weight: 2 },
  {
    arbitrary: object({}, { every: size, keyframes: size }).map(
      (options) => `attempt(() => world.record(${options}))`,
    ),
    weight: 1,
  },
  { arbitrary: strange.map((bytes) => `attempt(() => moreau.World.replay(${bytes}))`), weight: 1 },
  { arbitrary: fc.constantFrom('world.assets()', 'world.restore(world.snapshot())'), weight: 2 },
  { arbitrary: snapshotOptions.map((options) => `world.snapshot(${options})`), weight: 1 },
  {
    arbitrary: snapshotOptions.map((options) => `world.restore(world.assets(), ${options})`),
    weight: 1,
  },
  { arbitrary: strange.map((bytes) => `world.restore(${bytes})`), weight: 1 },
)
const readWorld = fc.constantFrom(...READ_OUTS)
const readInto = fc
  .tuple(fc.constantFrom('readStats', 'readEnergy', 'readResidual', 'readProfile'), strange)
  .map(([name, out]) => `world.${name}(${out})`)
const pose = object({}, { position: vector, orientation: quaternion })
const collide = fc
  .tuple(fc.constantFrom('collide', 'distance'), shape, pose, shape, pose)
  .map(([name, a, at, b, bt]) => `moreau.${name}(${a}, ${at}, ${b}, ${bt})`)
const identity = '[[1, 0, 0], [0, 1, 0], [0, 0, 1]]'
const problem = fc
  .tuple(triple(number), size, solver, fc.boolean(), size)
  .map(([q, mu, name, hasMasses, mass]) => {
    const M = `[[${mass}, 0.1, 0], [0.1, 1, 0], [0, 0, 2]]`
    const matrices = hasMasses
      ? `M: ${M}, H: ${identity}, f: ${q}, w: [0, 0, 0]`
      : `W: ${identity}, q: ${q}`
    return `moreau.solveContactProblem({ ${matrices}, mu: [${mu}] }, { solver: ${name} })`
  })

/** @type {readonly [number, Text][]} */
const LINES = [
  [9, createBody],
  [10, setBody],
  [3, push],
  [2, turn],
  [4, askBody],
  [1, placeBody],
  [1, readBody],
  [6, createJoint],
  [5, createConstraint],
  [5, createPotential],
  [2, askConstraint],
  [1, askPotential],
  [4, destroy],
  [1, makeShape],
  [1, freeShape],
  [5, setWorld],
  [26, step],
  [4, readWorld],
  [5, snapshot],
  [4, goBack],
  [4, useBatch],
  [1, readInto],
  [3, query],
  [2, readQuery],
  [4, changeShapes],
  [6, changeJoint],
  [3, listen],
  [3, decide],
  [6, walk],
  [3, driveVehicle],
  [2, explode],
  [3, place],
  [2, askHull],
  [3, driveRagdoll],
  [2, changePotential],
  [6, look],
  [1, collide],
  [1, problem],
]

const line = fc.oneof(...LINES.map(([weight, arbitrary]) => ({ weight, arbitrary })))

const START = [
  `createBody({ type: 'static', shape: { type: 'plane' } })`,
  `createBody({ shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, position: [0, 0.5, 0] })`,
  `createBody({ shape: { type: 'sphere', radius: 0.4 }, position: [0.1, 1.4, 0], mass: 2 })`,
  `createShape({ type: 'capsule', radius: 0.2, halfHeight: 0.3 })`,
]

/** A watch from the beginning, which no line of a sequence begins then. */
const WATCH = 'void [world.contactEvents, world.sensorEvents]'
/** Who listens hears of what happened since somebody watched: of ends too, if that was before. */
const HEARS_OF_PAIRS = /\bon\('(contact|sensor)'/

/**
 * A sequence of lines.
 * @param {number} most
 */
export const sequence = (most) =>
  fc
    .tuple(fc.boolean(), prelude, fc.array(line, { minLength: 1, maxLength: most, size: 'max' }))
    .map(([isWatched, first, lines]) =>
      isWatched
        ? [WATCH, ...START, ...first, ...lines]
        : [...START, ...first, ...lines.filter((text) => !HEARS_OF_PAIRS.test(text))],
    )

/** Options that a world is created with. */
export const worldOptions = fc.record(
  {
    solver: fc.constantFrom('soft-step', 'soft-step', 'block-pgs', 'exact', 'cone', 'bilateral'),
    allowSleep: fc.boolean(),
    certify: fc.boolean(),
    maxIterations: fc.constantFrom(40, 400),
    timeToSleep: fc.constantFrom(0.05, 0.5),
  },
  { requiredKeys: ['solver'] },
)
