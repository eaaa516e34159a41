/**
 * Lines about hulls, ragdolls, histories and potentials that exist, reads of everything, and what a sequence begins with, so that
 * there is one of each kind for its lines to speak of.
 */
import fc from 'fast-check'
import { points } from './shapes.mjs'
import {
  index,
  mixed,
  number,
  object,
  quaternion,
  size,
  strange,
  vector,
  words,
} from './values.mjs'

/** @typedef {fc.Arbitrary<string>} Text */

// --- hulls ----------------------------------------------------------------------------------------

const hull = index.map((i) => `hull(${i})`)
/** Hulls and questions to them. */
export const askHull = fc.oneof(
  points.map((text) => `createHull(${text})`),
  fc.tuple(hull, vector, size).map(([one, at, reach]) => `${one}.contains(${at}, ${reach})`),
  fc.tuple(hull, vector).map(([one, at]) => `${one}.signedDistance(${at})`),
  fc.tuple(hull, size).map(([one, mass]) => `${one}.inertia(${mass})`),
  hull.map((one) => `look(${one})`),
  hull.map((one) => `${one}.free()`),
)

// --- ragdolls -------------------------------------------------------------------------------------

const boneName = mixed(fc.constantFrom(`'hip'`, `'thigh'`, `'shin'`, `'none'`), strange)
const joint = object(
  { type: words('ball', 'hinge', 'fixed') },
  { axis: vector, cone: size, friction: size, breakForce: size, breakTorque: size },
)
const bone = object(
  { name: boneName },
  {
    ...{ parent: boneName, position: vector, orientation: quaternion, length: size, radius: size },
    joint,
  },
)
const HIP = `{ name: 'hip', shape: { type: 'box', halfExtents: [0.2, 0.1, 0.1] } }`
const THIGH = `{ name: 'thigh', parent: 'hip', length: 0.4, radius: 0.1, joint: { type: 'ball', cone: 1 } }`
const SHIN = `{ name: 'shin', parent: 'thigh', length: 0.4, radius: 0.1, joint: { type: 'hinge', limits: [0, 2] } }`
const bones = fc.oneof(
  fc.constant(`[${HIP}, ${THIGH}, ${SHIN}]`),
  fc.array(bone, { maxLength: 3 }).map((list) => `[${[HIP, ...list].join(', ')}]`),
  strange,
)
const target = fc.oneof(
  quaternion.map((q) => `{ thigh: ${q} }`),
  fc.tuple(quaternion, quaternion).map(([q, p]) => `{ hip: { orientation: ${q} }, shin: ${p} }`),
  strange,
)
const strength = object({}, { hertz: size, damping: size, stiffness: size, maxTorque: size })
const ragdoll = index.map((i) => `ragdoll(${i})`)
/** Ragdolls and how they are driven. */
export const driveRagdoll = fc.oneof(
  object({ bones }, { position: vector, orientation: quaternion }).map(
    (skeleton) => `createRagdoll(${skeleton})`,
  ),
  ragdoll.map((one) => `${one}.drive(${one}.pose())`),
  fc.tuple(ragdoll, target, strength).map(([one, to, how]) => `${one}.drive(${to}, ${how})`),
  fc.tuple(ragdoll, boneName).map(([one, name]) => `${one}.setLimp([${name}])`),
  ragdoll.map((one) => `${one}.setLimp()`),
  ragdoll.map((one) => `look(${one})`),
  ragdoll.map((one) => `${one}.destroy()`),
)

// --- histories ------------------------------------------------------------------------------------

const history = index.map((i) => `history(${i})`)
const limits = object({}, { seconds: size, frames: size, memory: size })
/** Histories, and the ways back. */
export const goBack = fc.oneof(
  fc.constantFrom('createHistory({ frames: 20 })', 'createHistory({ memory: 1e5 })'),
  limits.map((options) => `createHistory(${options})`),
  fc.tuple(history, index).map(([one, steps]) => `${one}.rewind(${steps})`),
  history.map((one) => `${one}.seek(${one}.frames.first)`),
  history.map((one) => `${one}.seek(${one}.frames.last)`),
  fc.tuple(history, size).map(([one, frame]) => `${one}.seek(${frame})`),
  history.map((one) => `look(${one})`),
  history.map((one) => `(String(${one}), ${one}.free())`),
)

// --- potentials and bounds ------------------------------------------------------------------------

const potential = index.map((i) => `potential(${i})`)
const changes = object(
  {},
  {
    ...{ gravity: vector, mu: size, center: vector, softening: size, moment: vector },
    ...{ stiffness: size, damping: size, restLength: size, density: size, linear: size },
    surface: object({}, { normal: vector, offset: number }),
  },
)
const oneChange = fc
  .oneof(
    vector.map((text) => `gravity: ${text}`),
    vector.map((text) => `center: ${text}`),
    size.map((text) => `stiffness: ${text}`),
    number.map((text) => `surface: { offset: ${text} }`),
  )
  .map((text) => `{ ${text} }`)
/** Changes of potentials that exist, and what they do. */
export const changePotential = fc.oneof(
  fc.tuple(potential, changes).map(([one, text]) => `${one}.update(${text})`),
  fc.tuple(potential, oneChange).map(([one, text]) => `${one}.update(${text})`),
  fc.tuple(potential, index).map(([one, i]) => `${one}.torque(body(${i}))`),
)

const BOUNDS = fc.oneof(
  fc.constantFrom('bilateral', 'unilateral').map((name) => `moreau.Bounds.${name}()`),
  fc.tuple(number, number).map(([from, to]) => `moreau.Bounds.box(${from}, ${to})`),
  size.map((friction) => `moreau.Bounds.cone(${friction})`),
)
/** Bounds of constraints, also as objects. */
export const bounds = fc.oneof(
  { arbitrary: words('bilateral', 'unilateral'), weight: 2 },
  { arbitrary: BOUNDS, weight: 1 },
)

// --- reads ----------------------------------------------------------------------------------------

/** Reads of all that an object has. */
export const look = fc.oneof(
  fc.constant('look(world)'),
  fc
    .tuple(
      fc.constantFrom(
        ...['body', 'body', 'joint', 'joint', 'constraint', 'potential', 'shape', 'character'],
        'vehicle',
      ),
      index,
    )
    .map(([kind, i]) => `look(${kind}(${i}))`),
  index.map((i) => `look(vehicle(${i}).wheels[0])`),
  index.map((i) => `look(body(${i}).shapes[0])`),
  fc.tuple(index, size).map(([i, mass]) => `shape(${i}).inertia(${mass})`),
  fc
    .tuple(fc.constantFrom('body', 'shape'), index, vector)
    .map(([kind, i, direction]) => `${kind}(${i}).support(${direction})`),
  BOUNDS.map((one) => `look(${one})`),
  fc
    .tuple(
      fc.constantFrom('body', 'joint', 'constraint', 'potential', 'shape', 'vehicle', 'ragdoll'),
      index,
    )
    .map(([kind, i]) => `[JSON.stringify(${kind}(${i})), String(${kind}(${i}))]`),
  fc.constant('String(world)'),
)

// --- what a sequence begins with ------------------------------------------------------------------

const SPHERE = `{ type: 'sphere', radius: 0.3 }`
const PRELUDES = [
  [`createCharacter({ shape: ${SPHERE}, position: [2, 0.4, 0], up: [0, 1, 0] })`],
  [
    `createBody({ shape: ${SPHERE}, position: [4, 0.6, 0], mass: 5 })`,
    `createVehicle({ chassis: body(3), wheels: [{ position: [0, 0, 0.3] }, { position: [0, 0, -0.3] }] })`,
  ],
  [`createRagdoll({ bones: [${HIP}, ${THIGH}, ${SHIN}], position: [0, 3, 2] })`],
  [`createHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])`],
  [`createPotential({ type: 'gravity', gravity: [0, -1, 0] })`],
  [
    `createJoint({ type: 'hinge', bodyA: body(1), bodyB: body(2), axis: [0, 0, 1], anchor: [0, 1, 0] })`,
  ],
  [`createJoint({ type: 'slider', bodyA: null, bodyB: body(2), axis: [0, 1, 0] })`],
  // Before what a template may not have.
  [
    `createBatch({ count: 2, actions: [{ type: 'force', body: body(1) }], observations: [{ type: 'position', body: body(1) }], starts: [{ type: 'position', body: body(1) }] })`,
  ],
  [
    `createConstraint({ type: 'custom', bodies: [body(2)], dimension: 1, evaluate: (bodyA, bodyB, time, out) => { out[0] = bodyA.position[0] } })`,
  ],
]
/** Lines that make some of them. */
export const prelude = fc.subarray(PRELUDES).map((chosen) => chosen.flat())
