/**
 * Records what a scene puts into a world, and writes it down for tests/native/replay.c.
 */

/** @typedef {import('moreau').World} World */
/** @typedef {import('moreau').WorldOptions} WorldOptions */

const BODY_TYPES = ['static', 'kinematic', 'dynamic']
const SHAPE_TYPES = ['sphere', 'box', 'hull', 'plane']
/** In the order of mo_solver. */
const SOLVERS = ['block-pgs', 'exact', 'bilateral', 'active-set', 'cone']
const STABILIZATIONS = ['split', 'baumgarte', 'none']
/** What replay.c can read. A scene that uses more is an error here and not a difference there. */
const BODY_FIELDS = [
  'type',
  'shape',
  'position',
  'orientation',
  'linearVelocity',
  'angularVelocity',
  'density',
  'mass',
  'inertia',
  'friction',
  'restitution',
  'linearDamping',
  'angularDamping',
  'gravityScale',
  'userData',
]

/**
 * A world that remembers the definitions of its bodies.
 *
 * @param {World} world
 * @returns {{ world: World, definitions: any[] }}
 */
export function recordBodies(world) {
  /** @type {any[]} */
  const definitions = []
  const recorder = new Proxy(world, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name === 'createBody') {
        return (/** @type {any} */ definition) => {
          definitions.push(definition)
          return target.createBody(definition)
        }
      }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { world: recorder, definitions }
}

/**
 * The text that replay.c reads.
 *
 * @param {WorldOptions} options
 * @param {any[]} definitions of bodies
 * @param {number} timeStep s
 * @param {number} steps
 * @returns {string}
 */
export function replayText(options, definitions, timeStep, steps) {
  const shapes = [...new Set(definitions.map(({ shape }) => shape))]
  const threshold = options.restitutionThreshold ?? 'auto'
  const world = [
    .../** @type {number[]} */ (options.gravity ?? [0, -9.81, 0]),
    SOLVERS.indexOf(options.solver ?? 'block-pgs'),
    STABILIZATIONS.indexOf(options.stabilization ?? 'split'),
    options.iterations ?? 20,
    options.tolerance ?? 1e-8,
    threshold === 'auto' ? -1 : threshold,
    options.linearSlop ?? 0.001,
    options.errorReduction ?? 0.2,
    options.maxCorrectionSpeed ?? 3,
  ]
  return [
    world,
    [shapes.length],
    ...shapes.map(shapeNumbers),
    [definitions.length],
    ...definitions.map((definition) => bodyNumbers(definition, shapes)),
    [timeStep, steps],
  ]
    .map((numbers) => numbers.map(hexFloat).join(' '))
    .join('\n')
}

/** @param {any} shape */
function shapeNumbers(shape) {
  const type = SHAPE_TYPES.indexOf(shape.type)
  if (shape.type === 'sphere') return [type, shape.radius]
  if (shape.type === 'box') return [type, ...shape.halfExtents]
  if (shape.type === 'plane') return [type, ...shape.normal, shape.offset]
  if (shape.type === 'hull') return [type, shape.points.length, ...shape.points.flat()]
  throw new Error(`replay.c knows no shape '${shape.type}'`)
}

/**
 * @param {any} definition
 * @param {any[]} shapes
 */
function bodyNumbers(definition, shapes) {
  const unknown = Object.keys(definition).filter((name) => !BODY_FIELDS.includes(name))
  if (unknown.length) throw new Error(`replay.c knows no ${unknown}`)
  const optional = (/** @type {any} */ value) => (value === undefined ? [0] : [1, value].flat())
  return [
    BODY_TYPES.indexOf(definition.type ?? 'dynamic'),
    shapes.indexOf(definition.shape),
    ...(definition.position ?? [0, 0, 0]),
    ...(definition.orientation ?? [0, 0, 0, 1]),
    ...(definition.linearVelocity ?? [0, 0, 0]),
    ...(definition.angularVelocity ?? [0, 0, 0]),
    definition.density ?? 1000,
    ...optional(definition.mass),
    ...optional(definition.inertia),
    definition.friction ?? 0.5,
    definition.restitution ?? 0,
    definition.linearDamping ?? 0,
    definition.angularDamping ?? 0,
    definition.gravityScale ?? 1,
  ]
}

/**
 * A number as C's printf("%a") writes it: exact.
 *
 * @param {number} number finite
 * @returns {string}
 */
export function hexFloat(number) {
  if (!Number.isFinite(number)) throw new RangeError(`${number} is not finite`)
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, number)
  const bits = view.getBigUint64(0)
  const sign = bits >> 63n ? '-' : ''
  const exponent = Number((bits >> 52n) & 0x7ffn)
  const fraction = (bits & 0xfffffffffffffn).toString(16).padStart(13, '0')
  if (exponent === 0) return `${sign}0x0.${fraction}p-1022`
  return `${sign}0x1.${fraction}p${exponent - 1023}`
}
