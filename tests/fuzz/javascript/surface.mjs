/**
 * Lines about queries, events and functions that decide about contacts, characters, vehicles, explosions and drawings.
 */
import fc from 'fast-check'
import { end } from './joints.mjs'
import { filter, shape } from './shapes.mjs'
import {
  index,
  mixed,
  number,
  object,
  ordinary,
  quaternion,
  size,
  strange,
  vector,
  words,
} from './values.mjs'

const body = index.map((i) => `body(${i})`)
const pose = object({}, { position: vector, orientation: quaternion })

// --- queries --------------------------------------------------------------------------------------

const PREDICATES = [
  '(body, shape) => body.index % 2 === 0',
  '() => (read(), true)',
  '() => throws()',
  '(body) => (attempt(() => body.destroy()), true)',
  '() => (attempt(() => world.step(1 / 60)), true)',
  '() => world.overlap(shape(0), {}).length > 0',
  '() => (stepBystander(), true)',
]
const queryOptions = object(
  {},
  {
    ...{ maxDistance: size, filter, exclude: end },
    predicate: mixed(fc.constantFrom(...PREDICATES), strange),
    stopAtPenetration: fc.constantFrom('true', 'false'),
    includeSensors: mixed(fc.constantFrom('true', 'false'), strange),
  },
)
const outs = object(
  {},
  {
    distances: mixed(fc.constantFrom('new Float64Array(2)', 'new Float32Array(2)'), strange),
    positions: mixed(fc.constantFrom('new Float64Array(6)', 'new Float64Array(5)'), strange),
    bodyIds: mixed(fc.constant('new Float64Array(2)'), strange),
    shapeIndices: mixed(fc.constant('new Uint32Array(2)'), strange),
  },
)
const list = mixed(
  fc
    .tuple(ordinary, ordinary, ordinary)
    .map(([x, y, z]) => `new Float64Array([${x}, ${y}, ${z}, 0, 1, 0])`),
  strange,
)
const rest = fc.oneof(fc.constant('{}'), queryOptions)
const hitOut = fc.oneof(
  fc.constantFrom('{}', '{ position: [], normal: [] }', '[]', '[{}]'),
  strange,
)
/** Questions about where things are, into what is given. */
export const readQuery = fc.oneof(
  fc
    .tuple(fc.constantFrom('readRayCast', 'readRayCastAll'), hitOut, vector, vector, rest)
    .map(([name, out, from, to, options]) => `world.${name}(${out}, ${from}, ${to}, ${options})`),
  fc
    .tuple(fc.constantFrom('readShapeCast', 'readShapeCastAll'), hitOut, shape, pose, vector, rest)
    .map(
      ([name, out, what, at, to, options]) =>
        `world.${name}(${out}, ${what}, ${at}, ${to}, ${options})`,
    ),
  fc
    .tuple(hitOut, shape, pose, rest)
    .map(([out, what, at, options]) => `world.readOverlap(${out}, ${what}, ${at}, ${options})`),
  fc
    .tuple(hitOut, vector, rest)
    .map(([out, point, options]) => `world.readClosestPoint(${out}, ${point}, ${options})`),
)
/** Questions about where things are. */
export const query = fc.oneof(
  fc
    .tuple(fc.constantFrom('rayCast', 'rayCastAll'), vector, vector, rest)
    .map(([name, from, to, options]) => `world.${name}(${from}, ${to}, ${options})`),
  fc
    .tuple(fc.constantFrom('shapeCast', 'shapeCastAll'), shape, pose, vector, rest)
    .map(([name, what, at, to, options]) => `world.${name}(${what}, ${at}, ${to}, ${options})`),
  fc
    .tuple(shape, pose, rest)
    .map(([what, at, options]) => `world.overlap(${what}, ${at}, ${options})`),
  fc
    .tuple(fc.constantFrom('closestPoint', 'contains'), vector, rest)
    .map(([name, point, options]) => `world.${name}(${point}, ${options})`),
  fc
    .tuple(list, list, outs, rest)
    .map(([from, to, out, options]) => `world.rayCastBatch(${from}, ${to}, ${out}, ${options})`),
  fc
    .tuple(shape, list, list, outs, rest)
    .map(
      ([what, from, to, out, options]) =>
        `world.shapeCastBatch(${what}, ${from}, ${to}, ${out}, ${options})`,
    ),
)

// --- events ---------------------------------------------------------------------------------------

// What they do depends on the state alone, and does not throw: the step has happened.
const LISTENERS = [
  '() => read()',
  '(event) => attempt(() => event.bodyA?.destroy())',
  '(event) => attempt(() => event.bodyB?.destroy())',
  '(event) => attempt(() => event.sensor?.destroy())',
  '(event) => attempt(() => event.joint?.destroy())',
  '() => attempt(() => world.bodies.length < 10 && createBody({ shape: shape(0), mass: 1 }))',
  '() => attempt(() => world.step(1 / 60))',
  '() => attempt(() => world.advance(0.1))',
  '() => attempt(() => body(1).addShape(shape(0)))',
  '() => attempt(() => body(1).removeShape(0))',
  '() => attempt(() => (body(2).type = "static"))',
  '() => attempt(() => (world.solver = "block-pgs"))',
  '() => attempt(() => world.explode({ position: [0, 0, 0], radius: 2, impulse: 3 }))',
  '() => stepBystander()',
]
const listener = mixed(fc.constantFrom(...LISTENERS), strange)
const listening = fc.constantFrom('on', 'on', 'on', 'once', 'off')
const eventName = words('contact', 'contact', 'sensor', 'joint', 'sleep', 'solver')
/** Listeners, also such as change the world. */
export const listen = fc.oneof(
  fc
    .tuple(fc.oneof(fc.constant('world'), body), listening, eventName, listener)
    .map(([one, call, name, text]) => `${one}.${call}(${name}, ${text})`),
)

const DECISIONS = [
  '(pair) => world.time % 0.1 < 0.05',
  '(pair) => pair.bodyA.position[1] < 0.4',
  '() => (read(), true)',
  '() => (world.time > 0.1 && world.time < 0.15 ? throws() : true)',
  '(pair) => (attempt(() => pair.bodyA.destroy()), true)',
  '() => (attempt(() => world.step(1 / 60)), true)',
  '() => (attempt(() => world.free()), true)',
  '() => (stepBystander(), true)',
  '(pair) => { pair.friction = 0 }',
  '(pair) => { pair.restitution = world.time > 0.1 ? NaN : 0.5 }',
  '(pair) => { pair.removePoint(0) }',
  '(pair) => { pair.surfaceVelocity = [0.5, 0, world.time > 0.1 ? NaN : 0] }',
  '(pair) => { look(pair) }',
  '(pair) => { String(pair) }',
  '(pair) => { pair.readNormal([0, 0, 0]); pair.readSurfaceVelocity({}) }',
  '(pair) => { for (let i = 0; i < 3; i++) pair.readPosition(i, [0, 0, pair.separation(i)]) }',
]
/** Functions that decide about contacts. */
export const decide = fc
  .tuple(
    fc.constantFrom('contactFilter', 'contactModifier'),
    fc.oneof(
      { arbitrary: fc.constantFrom(...DECISIONS), weight: 6 },
      { arbitrary: fc.constant('null'), weight: 2 },
      { arbitrary: strange, weight: 1 },
    ),
  )
  .map(([name, text]) => `world.${name} = ${text}`)

// --- characters, vehicles and the rest ------------------------------------------------------------

const characterOptions = {
  ...{ up: vector, offset: size, stepHeight: size, stepDown: size, slopeLimit: size },
  ...{ slideAngle: size, pushForce: size, pushMass: size },
}
const character = index.map((i) => `character(${i})`)
/** Characters and what they do. */
export const walk = fc.oneof(
  character.map((one) => `look(${one})`),
  object({ shape, position: vector }, { ...characterOptions, filter, exclude: end }).map(
    (definition) => `createCharacter(${definition})`,
  ),
  fc.tuple(character, vector).map(([one, way]) => `${one}.move(${way}, 1 / 60)`),
  fc.tuple(character, vector, size).map(([one, way, dt]) => `${one}.move(${way}, ${dt})`),
  fc.tuple(character, shape).map(([one, text]) => `${one}.setShape(${text})`),
  fc
    .tuple(character, fc.constantFrom('contacts()', 'state', 'ground', 'velocity'))
    .map(([one, name]) => `${one}.${name}`),
  character.map((one) => `${one}.destroy()`),
  fc.tuple(character, character).map(([one, other]) => `${one}.state = ${other}.state`),
  fc.tuple(character, strange).map(([one, state]) => `${one}.state = ${state}`),
  ...Object.entries({ ...characterOptions, position: vector, orientation: quaternion }).map(
    ([name, value]) => fc.tuple(character, value).map(([one, text]) => `${one}.${name} = ${text}`),
  ),
)

const wheelOptions = {
  ...{ radius: size, restLength: size, travel: size, stiffness: size, compression: size },
  ...{ maxForce: size, antiRoll: size, antiRollWheel: index.map(String), friction: size },
  ...{ engineForce: number, brake: size, steering: number },
}
const wheel = object({ position: vector }, wheelOptions)
const vehicle = index.map((i) => `vehicle(${i})`)
/** Vehicles and how they are driven. */
export const driveVehicle = fc.oneof(
  object(
    { chassis: end, wheels: fc.array(wheel, { maxLength: 4 }).map((all) => `[${all.join(', ')}]`) },
    { up: vector, forward: vector, filter },
  ).map((definition) => `createVehicle(${definition})`),
  vehicle.map((one) => `${one}.update(1 / 60)`),
  vehicle.map((one) => `look(${one})`),
  fc.tuple(vehicle, size).map(([one, dt]) => `${one}.update(${dt})`),
  ...Object.entries(wheelOptions).map(([name, value]) =>
    fc.tuple(vehicle, value).map(([one, text]) => `${one}.wheels[0].${name} = ${text}`),
  ),
)

/** Explosions and drawings. */
export const explode = fc.oneof(
  object(
    { position: vector, radius: size, impulse: number },
    { falloff: size, filter, exclude: end },
  ).map((definition) => `world.explode(${definition})`),
  fc.constantFrom('world.debugRender()', 'world.debugRender({ bounds: true, islands: true })'),
)
/** Where bodies are put. */
export const place = fc.oneof(
  fc.tuple(body, pose).map(([one, at]) => `${one}.teleport(${at})`),
  fc.tuple(body, pose, size).map(([one, at, dt]) => `${one}.moveTo(${at}, ${dt})`),
  fc.tuple(body, pose).map(([one, at]) => `${one}.moveTo(${at})`),
)
