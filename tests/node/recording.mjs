/**
 * Records what a scene puts into a world, and writes it down for tests/native/replay.c.
 */
import { readDrives, SPRING_NAMES } from '../../bindings/definitions/joint-drives.mjs'
import { POSE_MOTOR_NAMES, readPoseMotor } from '../../bindings/definitions/pose-motor.mjs'
import { CONSTRAINTS, POTENTIALS } from '../golden/functions.mjs'
import { INTEGRATORS } from '../integrators.mjs'

/** @typedef {import('moreau').World} World */
/** @typedef {import('moreau').WorldOptions} WorldOptions */

const BODY_TYPES = ['static', 'kinematic', 'dynamic']
const SHAPE_TYPES = [
  ...['sphere', 'box', 'hull', 'plane', 'capsule', 'cylinder', 'cone', 'mesh', 'heightfield'],
  'compound',
]
/** In the order of mo_solver. */
const SOLVERS = ['block-pgs', 'exact', 'bilateral', 'active-set', 'cone', 'soft-step', 'auto']
const IMPACT_LAWS = ['newton', 'generalized-reflections']
const STABILIZATIONS = ['split', 'baumgarte', 'none']
/** In the order of mo_constraint_type. */
const JOINTS = [
  ...['custom', 'unitQuaternion', 'distance', 'ball', 'fixed', 'hinge', 'slider', 'motor'],
  ...['rope', 'universal', 'gear', 'rackAndPinion', 'pulley', 'spring', 'sixDof', 'wheel', 'path'],
]
/** Joints that have anchors and axes of the joints that they couple. */
const COUPLINGS = ['gear', 'rackAndPinion']
const FRICTION_LAWS = ['coulomb', 'convex']
/** In the order of mo_potential_type. */
const POTENTIAL_TYPES = [
  ...['gravity', 'pointGravity', 'tidal', 'magnetic', 'drag', 'spring', 'custom', 'buoyancy'],
]
/** What replay.c can read. A scene that uses more is an error here and not a difference there. */
const BODY_FIELDS = [
  'type',
  'shape',
  'shapes',
  'position',
  'orientation',
  'linearVelocity',
  'angularVelocity',
  'density',
  'mass',
  'inertia',
  'centerOfMass',
  'friction',
  'restitution',
  'linearDamping',
  'angularDamping',
  'gravityScale',
  'filter',
  'bullet',
  'allowSleep',
  'userData',
  ...['frictionCombine', 'restitutionCombine', 'rollingFriction', 'spinningFriction'],
  ...['surfaceVelocity', 'lockTranslation', 'lockRotation'],
]
const JOINT_FIELDS = [
  ...['type', 'bodyA', 'bodyB', 'anchorA', 'anchorB', 'axisA', 'axisB'],
  ...['limits', 'motor', 'spring', 'friction', 'length', 'linear', 'angular'],
  ...['jointA', 'jointB', 'ratio', 'groundAnchorA', 'groundAnchorB', 'steering'],
  ...['points', 'closed', 'align'],
  ...['collideConnected', 'breakForce', 'breakTorque', ...SPRING_NAMES, ...POSE_MOTOR_NAMES],
]
/** In the order of mo_motor_mode. */
const MOTORS = ['none', 'velocity', 'position']
/** In the order of mo_combine, whose 0 is the default. */
const COMBINE_RULES = [...[undefined, 'average', 'minimum', 'maximum', 'multiply', 'geometricMean']]
/** The options of fields that replay.c can read, with what they are by default. */
const FIELDS = {
  drag: { linear: 0, quadratic: 0, angular: 0, velocity: [0, 0, 0] },
  buoyancy: { density: 0, surface: { normal: [0, 1, 0], offset: 0 } },
}
const CUSTOM_FIELDS = ['type', 'bodies', 'dimension', 'bounds', 'evaluate', 'jacobian']
const SPRING_FIELDS = [
  ...['type', 'bodyA', 'bodyB', 'anchorA', 'anchorB', 'stiffness', 'restLength', 'damping'],
]
const WORLD_FIELDS = /** @type {const} */ ([
  ...['gravity', 'solver', 'stabilization', 'iterations', 'tolerance', 'restitutionThreshold'],
  ...['linearSlop', 'errorReduction', 'maxCorrectionSpeed', 'substeps', 'contactHertz'],
  ...[
    'contactDamping',
    'jointHertz',
    'jointDamping',
    'allowSleep',
    'sleepThreshold',
    'timeToSleep',
    'integrator',
    'frictionLaw',
    'impactLaw',
  ],
])

/**
 * What was put into a world, in order.
 *
 * @typedef {object} Recording
 * @property {Record<string, any>} settings of the world, all of them
 * @property {any[]} definitions of bodies
 * @property {import('moreau').Body[]} bodies
 * @property {any[]} joints definitions
 * @property {import('moreau').Joint[]} madeJoints
 * @property {any[]} constraints definitions of custom ones
 * @property {any[]} potentials definitions
 */

/**
 * A world that remembers the definitions of what it is given.
 *
 * @param {World} world
 * @returns {{ world: World, recording: Recording }}
 */
export function recordBodies(world) {
  /** @type {Recording} */
  const recording = {
    ...{ settings: {}, definitions: [], bodies: [] },
    ...{ joints: [], madeJoints: [], constraints: [], potentials: [] },
  }
  for (const name of WORLD_FIELDS) recording.settings[name] = world[name]
  const { definitions, bodies, joints, madeJoints, constraints, potentials } = recording
  /** Where the arguments and the results of a call go. @type {Record<PropertyKey, { given: any[], made?: any[] }>} */
  const kept = {
    createBody: { given: definitions, made: bodies },
    createJoint: { given: joints, made: madeJoints },
    createConstraint: { given: constraints },
    createPotential: { given: potentials },
  }
  const recorder = new Proxy(world, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (/** @type {any[]} */ ...given) => {
        const made = value.apply(target, given)
        kept[name]?.given.push(given[0])
        kept[name]?.made?.push(made)
        return made
      }
    },
  })
  return { world: recorder, recording }
}

/**
 * The text that replay.c reads.
 *
 * @param {WorldOptions} options
 * @param {Recording} recording
 * @param {number} timeStep s
 * @param {number} steps
 * @returns {string}
 */
export function replayText(options, recording, timeStep, steps) {
  const { settings, definitions, bodies, joints, madeJoints, constraints, potentials } = recording
  const shapes = [...new Set(definitions.flatMap(shapesOf))]
  checkFields(options, WORLD_FIELDS)
  const world = WORLD_FIELDS.flatMap((name) => settingNumbers(name, settings[name]))
  return [
    world,
    [shapes.length],
    ...shapes.map(shapeNumbers),
    [definitions.length],
    ...definitions.map((definition) => bodyNumbers(definition, shapes)),
    [joints.length],
    ...joints.map((joint) => jointNumbers(joint, bodies, madeJoints)),
    [constraints.length],
    ...constraints.map((constraint) => customNumbers(constraint, bodies)),
    [potentials.length],
    ...potentials.map((potential) => potentialNumbers(potential, bodies)),
    [timeStep, steps],
  ]
    .map((numbers) => numbers.map(hexFloat).join(' '))
    .join('\n')
}

/**
 * @param {string} name
 * @param {any} value
 * @returns {number[]}
 */
function settingNumbers(name, value) {
  if (name === 'solver') return [SOLVERS.indexOf(value)]
  if (name === 'stabilization') return [STABILIZATIONS.indexOf(value)]
  if (name === 'integrator') return [INTEGRATORS.indexOf(value)]
  if (name === 'impactLaw') return [IMPACT_LAWS.indexOf(value)]
  if (name === 'frictionLaw') return [FRICTION_LAWS.indexOf(value)]
  return [value].flat().map((number) => (number === 'auto' ? -1 : Number(number)))
}

/**
 * @param {object} definition
 * @param {readonly string[]} fields
 */
function checkFields(definition, fields) {
  const unknown = Object.keys(definition).filter((name) => !fields.includes(name))
  if (unknown.length) throw new Error(`replay.c knows no ${unknown}`)
}

/**
 * @param {any} joint with anchors and axes in the frames of its bodies, or with the joints that it couples
 * @param {import('moreau').Body[]} bodies
 * @param {import('moreau').Joint[]} joints
 */
function jointNumbers(joint, bodies, joints) {
  checkFields(joint, JOINT_FIELDS)
  return [
    JOINTS.indexOf(joint.type),
    // 0 is the world, and where there is no such body or joint.
    ...[bodies.indexOf(joint.bodyA) + 1, bodies.indexOf(joint.bodyB) + 1],
    ...[joints.indexOf(joint.jointA) + 1, joints.indexOf(joint.jointB) + 1],
    ...anchorNumbers(joint),
    ...(joint.axisA ?? [1, 0, 0]),
    ...(joint.axisB ?? [1, 0, 0]),
    ...(joint.type === 'distance' && joint.length !== undefined ? [1, joint.length] : [0]),
    ...[joint.ratio ?? 1, joint.steering ?? 0],
    ...(joint.groundAnchorA ?? [0, 0, 0]),
    ...(joint.groundAnchorB ?? [0, 0, 0]),
    Number(joint.collideConnected ?? false),
    ...[joint.breakForce ?? Infinity, joint.breakTorque ?? Infinity],
    ...(joint.type === 'motor' ? poseMotorNumbers(readPoseMotor(joint, 'recording: ')) : []),
    ...(joint.type === 'path' ? pathNumbers(joint) : []),
    ...driveNumbers(readDrives(joint, joint.type, 'recording')),
  ]
}

/** @param {any} joint */
function pathNumbers({ points, closed = false, align = 'none' }) {
  const alignments = ['none', 'tangent', 'frame'] // in the order of mo_path_alignment
  return [points.length, ...points.flat(), Number(closed), alignments.indexOf(align)]
}

/** @param {any} joint */
function anchorNumbers({ type, anchorA, anchorB }) {
  if (type === 'path' && anchorB) return [0, 0, 0, ...anchorB]
  if (COUPLINGS.includes(type)) return [0, 0, 0, 0, 0, 0]
  if (anchorA && anchorB) return [...anchorA, ...anchorB]
  throw new Error(`a ${type} joint of a recording needs anchorA and anchorB`)
}

/** @param {any} spring */
const springNumbers = (spring) => [
  ...[spring.hertz, spring.damping, spring.stiffness, spring.dampingCoefficient],
]

/** @param {import('../../bindings/definitions/pose-motor.mjs').EnginePoseMotor} motor */
function poseMotorNumbers(motor) {
  return [
    ...[Number(motor.hasPosition), Number(motor.hasOrientation)],
    ...[...motor.targetPosition, ...motor.targetOrientation],
    ...[motor.maxForce, motor.maxTorque, ...springNumbers(motor.gains)],
  ]
}

/** @param {import('../../bindings/definitions/joint-drives.mjs').Drive[]} drives */
function driveNumbers(drives) {
  return [
    drives.length,
    ...drives.flatMap((drive) => [
      ...[drive.lower, drive.upper, ...springNumbers(drive.spring)],
      ...(Number.isNaN(drive.springRest) ? [0] : [1, drive.springRest]),
      ...[MOTORS.indexOf(drive.motor), drive.targetVelocity, drive.targetPosition],
      ...[drive.maxForce, ...springNumbers(drive.gains), drive.friction, Number(drive.locked)],
    ]),
  ]
}

/**
 * @param {any} constraint with functions that replay.c has
 * @param {import('moreau').Body[]} bodies
 */
function customNumbers(constraint, bodies) {
  checkFields(constraint, CUSTOM_FIELDS)
  const number = CONSTRAINTS.findIndex(({ evaluate }) => evaluate === constraint.evaluate)
  if (number < 0) throw new Error('replay.c has no such custom constraint')
  const [a, b] = [constraint.bodies].flat()
  return [number, bodies.indexOf(a) + 1, bodies.indexOf(b) + 1]
}

/**
 * @param {any} potential a spring, or a custom one of all bodies with functions that replay.c has
 * @param {import('moreau').Body[]} bodies
 */
function potentialNumbers(potential, bodies) {
  const type = POTENTIAL_TYPES.indexOf(potential.type)
  if (potential.type === 'spring') {
    checkFields(potential, SPRING_FIELDS)
    const { bodyA, bodyB, anchorA, anchorB, stiffness, restLength = 0, damping = 0 } = potential
    const ends = [bodies.indexOf(bodyA) + 1, bodies.indexOf(bodyB) + 1]
    return [type, ...ends, ...anchorA, ...anchorB, stiffness, restLength, damping]
  }
  if (potential.type in FIELDS) return [type, ...fieldNumbers(potential)]
  checkFields(potential, ['type', 'force', 'torque'])
  const number = POTENTIALS.findIndex(({ force }) => force === potential.force)
  if (number < 0) throw new Error('replay.c has no such potential')
  return [type, number]
}

/** @param {any} potential a field of all bodies */
function fieldNumbers({ type, ...options }) {
  const preset = FIELDS[/** @type {keyof typeof FIELDS} */ (type)]
  checkFields(options, Object.keys(preset))
  const all = /** @type {any} */ ({ ...preset, ...options })
  return type === 'drag'
    ? [all.linear, all.quadratic, all.angular, ...all.velocity]
    : [all.density, ...all.surface.normal, all.surface.offset]
}

/** Bits of locked axes. @param {boolean | boolean[]} [lock] */
const lockBits = (lock = false) =>
  [lock, lock, lock].reduce(
    (bits, all, i) => bits + Number(Array.isArray(all) ? all[i] : all) * 2 ** i,
    0,
  )

/** @param {any} definition of a body @returns {any[]} */
const shapesOf = ({ shape, shapes = [shape] }) => shapes

/** @param {any} shape */
function shapeNumbers(shape) {
  const type = SHAPE_TYPES.indexOf(shape.type)
  const { radius = 0, halfHeight, rounding = 0 } = shape
  const { radiusTop = radius, radiusBottom = radius } = shape
  if (shape.type === 'sphere') return [type, radius]
  if (shape.type === 'capsule') return [type, radiusTop, radiusBottom, halfHeight]
  if (shape.type === 'cylinder') return [type, radiusTop, radiusBottom, halfHeight, rounding]
  if (shape.type === 'cone') return [type, radius, halfHeight, rounding]
  if (shape.type === 'box') return [type, ...shape.halfExtents, radius]
  if (shape.type === 'plane') return [type, ...shape.normal, shape.offset]
  if (shape.type === 'hull') return [type, shape.points.length, ...shape.points.flat(), radius]
  if (shape.type === 'mesh') return [type, ...counted(shape.vertices), ...counted(shape.indices)]
  if (shape.type === 'heightfield') {
    const { heights, rows, columns, scale = [1, 1, 1] } = shape
    return [type, rows, columns, ...scale, ...heights]
  }
  if (shape.type === 'compound')
    return [type, shape.shapes.length, ...shape.shapes.flatMap(partNumbers)]
  throw new Error(`replay.c knows no shape '${shape.type}'`)
}

/**
 * A part of a compound: the shape, and where it is.
 *
 * @param {any} part
 * @returns {number[]}
 */
const partNumbers = (part) => [...shapeNumbers(part), ...placementNumbers(part)]

/**
 * Below zero stands for what the body has.
 *
 * @param {any} shape
 * @returns {number[]}
 */
function placementNumbers({ position = [0, 0, 0], orientation = [0, 0, 0, 1], ...materials }) {
  const { density = -1, friction = -1, restitution = -1 } = materials
  return [...position, ...orientation, density, friction, restitution]
}

/** @param {ArrayLike<number>} numbers */
const counted = (numbers) => [numbers.length, ...Array.from(numbers)]

/**
 * A shape of a body. Below zero stands for the body's own.
 *
 * @param {any} shape
 * @param {any[]} shapes
 */
function placedShapeNumbers(shape, shapes) {
  return [shapes.indexOf(shape), ...placementNumbers(shape)]
}

/**
 * @param {number[]} inertia of the diagonal, or all by rows
 * @returns {number[]} 9 by rows
 */
function rowsOf(inertia) {
  const [xx, yy, zz] = inertia
  return inertia.length === 3 ? [xx, 0, 0, 0, yy, 0, 0, 0, zz] : inertia
}

/**
 * @param {any} definition
 * @param {any[]} shapes
 */
function bodyNumbers(definition, shapes) {
  checkFields(definition, BODY_FIELDS)
  const { category = 1, mask = 0xffffffff, group = 0 } = definition.filter ?? {}
  const optional = (/** @type {any} */ value) => (value === undefined ? [0] : [1, value].flat())
  return [
    BODY_TYPES.indexOf(definition.type ?? 'dynamic'),
    shapesOf(definition).length,
    ...shapesOf(definition).flatMap((shape) => placedShapeNumbers(shape, shapes)),
    ...(definition.position ?? [0, 0, 0]),
    ...(definition.orientation ?? [0, 0, 0, 1]),
    ...(definition.linearVelocity ?? [0, 0, 0]),
    ...(definition.angularVelocity ?? [0, 0, 0]),
    definition.density ?? 1000,
    ...optional(definition.mass),
    ...optional(definition.inertia && rowsOf(definition.inertia)),
    ...optional(definition.centerOfMass),
    definition.friction ?? 0.5,
    definition.restitution ?? 0,
    definition.linearDamping ?? 0,
    definition.angularDamping ?? 0,
    definition.gravityScale ?? 1,
    ...[category, mask, group],
    Number(definition.bullet ?? false),
    Number(definition.allowSleep ?? true),
    COMBINE_RULES.indexOf(definition.frictionCombine),
    COMBINE_RULES.indexOf(definition.restitutionCombine),
    definition.rollingFriction ?? 0,
    definition.spinningFriction ?? 0,
    ...(definition.surfaceVelocity ?? [0, 0, 0]),
    lockBits(definition.lockTranslation),
    lockBits(definition.lockRotation),
  ]
}

/**
 * A number as C's printf("%a") writes it: exact.
 *
 * @param {number} number not NaN
 * @returns {string}
 */
export function hexFloat(number) {
  if (Number.isNaN(number)) throw new RangeError(`${number} is no number`)
  if (Math.abs(number) === Infinity) return number > 0 ? 'inf' : '-inf'
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, number)
  const bits = view.getBigUint64(0)
  const sign = bits >> 63n ? '-' : ''
  const exponent = Number((bits >> 52n) & 0x7ffn)
  const fraction = (bits & 0xfffffffffffffn).toString(16).padStart(13, '0')
  if (exponent === 0) return `${sign}0x0.${fraction}p-1022`
  return `${sign}0x1.${fraction}p${exponent - 1023}`
}
