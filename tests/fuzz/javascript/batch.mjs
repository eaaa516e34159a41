/**
 * Lines about batches of worlds that begin as the world of the sequence.
 */
import fc from 'fast-check'
import { flag, index, mixed, number, object, ordinary, strange, words } from './values.mjs'

const body = mixed(
  index.map((i) => `body(${i})`),
  strange,
)
const joint = mixed(
  index.map((i) => `joint(${i})`),
  strange,
)
const coordinate = mixed(fc.constantFrom('0', '0', '1'), strange)
const frame = words('world', 'body')

const places = [
  object({ type: words('position', 'orientation'), body }),
  object({ type: words('linearVelocity', 'angularVelocity'), body }, { frame }),
]
const action = fc.oneof(
  object({ type: words('targetVelocity', 'targetPosition', 'effort'), joint }, { coordinate }),
  object({ type: words('force', 'torque'), body }, { frame }),
  strange,
)
const observation = fc.oneof(
  ...places,
  object({ type: words('coordinate', 'rate'), joint }, { coordinate }),
  object({ type: words('contact', 'centerOfMass', 'contactForce'), body }),
  object({ type: words('contact', 'contactForce'), body, other: body }),
  object({ type: words('time', 'residual') }),
)
const start = fc.oneof(...places, object({ type: words('coordinate', 'rate'), joint }))

/** @param {fc.Arbitrary<string>} one */
const list = (one) =>
  mixed(
    fc.array(one, { maxLength: 2 }).map((entries) => `[${entries.join(', ')}]`),
    strange,
  )
const createBatch = object(
  { count: mixed(fc.constantFrom('1', '2', '3'), strange) },
  { actions: list(action), observations: list(observation), starts: list(start) },
).map((options) => `createBatch(${options})`)
// Its sizes and arrays, of which there is one of each.
const createPlain = fc.constant(
  `createBatch({ count: 2, actions: [{ type: 'force', body: body(0) }], observations: [{ type: 'position', body: body(0) }], starts: [{ type: 'position', body: body(0) }] })`,
)
const mask = mixed(fc.constantFrom('[true, false]', 'undefined', 'new Uint8Array(2)'), strange)

// What fills an array is the array's own affair: numbers only.
const written = fc.oneof(ordinary, fc.constantFrom('NaN', 'Infinity', '1e300', '0', '-0'))

const READ_OUTS = [
  ...['count', 'actionSize', 'observationSize', 'startSize', 'slotCount', 'failures', 'results'],
  ...['actionOffsets', 'observationOffsets', 'startOffsets', 'observations', 'transforms'],
]

/** Makes a batch, or uses the one that was made last. */
export const useBatch = fc.oneof(
  { arbitrary: createBatch, weight: 3 },
  { arbitrary: createPlain, weight: 3 },
  {
    arbitrary: fc
      .tuple(mixed(fc.constantFrom('1 / 60', '0', '0.01'), number), fc.constantFrom('', ', 2'))
      .map(([dt, steps]) => `batch().step(${dt}${steps})`),
    weight: 4,
  },
  { arbitrary: mask.map((text) => `batch().reset(${text})`), weight: 2 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom('actions', 'starts'), written)
      .map(([name, value]) => `batch().${name}.fill(${value})`),
    weight: 3,
  },
  { arbitrary: fc.constantFrom('look(batch())', 'String(batch())'), weight: 4 },
  { arbitrary: fc.constantFrom(...READ_OUTS).map((name) => `batch().${name}`), weight: 4 },
  {
    arbitrary: mixed(fc.constantFrom('0', '1'), strange).map((k) => `batch().hash(${k})`),
    weight: 1,
  },
  {
    arbitrary: mixed(fc.constantFrom('0', '1'), strange).map((k) => `lookAtCopy(${k})`),
    weight: 2,
  },
  {
    arbitrary: flag.map((template) => `new moreau.WorldBatch(${template}, { count: 1 })`),
    weight: 1,
  },
  { arbitrary: fc.constantFrom('batch().free()', 'batch()[Symbol.dispose]?.()'), weight: 1 },
)
