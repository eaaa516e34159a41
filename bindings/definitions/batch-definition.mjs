import { access } from '../core/access.mjs'
import { checkNames, readInteger, readObject, readWord } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { isList, readItems } from '../core/lists.mjs'
import {
  BATCH_CHANNEL_NUMBERS,
  BATCH_NUMBERS,
  putBatch,
  putBatchChannel,
} from '../generated/records.mjs'

/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { BatchChannel } from '../generated/records.mjs' */

/** @typedef {BatchChannel['quantity']} BatchQuantity */

const where = 'WorldBatch'
const NAMES = ['count', 'actions', 'observations', 'starts']
/** MO_BATCH_WORLDS */
const MOST_WORLDS = 1048576
const FRAMES = ['world', 'body']
/** MO_CONSTRAINT_COORDINATES */
const MOST_COORDINATES = 6

/**
 * What an entry has besides its type, and how many numbers it takes in a row.
 * @typedef {{ names: readonly string[], size: number }} Quantity
 */

const OF_BODY = Object.freeze(['body'])
const IN_FRAME = Object.freeze(['body', 'frame'])
const OF_COORDINATE = Object.freeze(['joint', 'coordinate'])

/** @type {Readonly<Record<string, Quantity>>} */
const PLACES = {
  position: { names: OF_BODY, size: 3 },
  orientation: { names: OF_BODY, size: 4 },
  linearVelocity: { names: IN_FRAME, size: 3 },
  angularVelocity: { names: IN_FRAME, size: 3 },
}

/** @type {Readonly<Record<'actions' | 'observations' | 'starts', Readonly<Record<string, Quantity>>>>} */
const LISTS = {
  actions: {
    targetVelocity: { names: OF_COORDINATE, size: 1 },
    targetPosition: { names: OF_COORDINATE, size: 1 },
    effort: { names: OF_COORDINATE, size: 1 },
    force: { names: IN_FRAME, size: 3 },
    torque: { names: IN_FRAME, size: 3 },
  },
  observations: {
    ...PLACES,
    coordinate: { names: OF_COORDINATE, size: 1 },
    rate: { names: OF_COORDINATE, size: 1 },
    centerOfMass: { names: OF_BODY, size: 3 },
    contact: { names: Object.freeze(['body', 'other']), size: 1 },
    contactForce: { names: Object.freeze(['body', 'other', 'frame']), size: 3 },
    time: { names: Object.freeze([]), size: 1 },
    residual: { names: Object.freeze([]), size: 1 },
  },
  starts: {
    ...PLACES,
    coordinate: { names: Object.freeze(['joint']), size: 1 },
    rate: { names: Object.freeze(['joint']), size: 1 },
  },
}

/**
 * The entries of a list as the engine takes them, and where each begins in a row.
 * @typedef {{ channels: BatchChannel[], offsets: readonly number[] }} Channels
 */

/** @typedef {{ count: number, actions: Channels, observations: Channels, starts: Channels }} ReadBatch */

/**
 * Checks the options of a batch.
 * @param {WorldCore} core of the template
 * @param {unknown} value a BatchOptions
 * @returns {ReadBatch}
 */
export function readBatch(core, value) {
  const options = readObject(value, `${where}: options`)
  checkNames(options, NAMES, where)
  return {
    count: readInteger(options.count, `${where}: count`, 1, MOST_WORLDS),
    actions: readChannels(core, options.actions, 'actions'),
    observations: readChannels(core, options.observations, 'observations'),
    starts: readChannels(core, options.starts, 'starts'),
  }
}

/**
 * Puts a batch into the shared block.
 * @param {WorldCore} core
 * @param {ReadBatch} batch
 */
export function putBatchDefinition(core, { count, actions, observations, starts }) {
  const lists = [actions.channels, observations.channels, starts.channels]
  const channels = lists.flat()
  core.engine.begin(BATCH_NUMBERS + channels.length * BATCH_CHANNEL_NUMBERS)
  const [first, second, third] = lists.map((list) => list.length)
  putBatch(core.engine, { count, actions: first, observations: second, starts: third })
  for (const channel of channels) putBatchChannel(core.engine, channel)
}

/**
 * @param {WorldCore} core
 * @param {unknown} value
 * @param {keyof typeof LISTS} list
 * @returns {Channels}
 */
function readChannels(core, value, list) {
  if (value === undefined) return { channels: [], offsets: Object.freeze([]) }
  const path = `${where}: ${list}`
  if (!isList(value)) throw invalid(path, 'an array', value)
  let size = 0
  /** @type {number[]} */
  const offsets = []
  const channels = readItems(value, (entry, index) => {
    const read = readChannel(core, entry, LISTS[list], `${path}[${index}]`)
    offsets.push(size)
    size += read.size
    return read.channel
  })
  return { channels, offsets: Object.freeze(offsets) }
}

/**
 * @param {WorldCore} core
 * @param {unknown} value
 * @param {Readonly<Record<string, Quantity>>} quantities that the list may have
 * @param {string} path
 * @returns {{ channel: BatchChannel, size: number }}
 */
function readChannel(core, value, quantities, path) {
  const entry = readObject(value, path)
  const words = /** @type {BatchQuantity[]} */ (Object.keys(quantities))
  const type = readWord(entry.type, `${path}.type`, words)
  const { names, size } = quantities[type]
  checkNames(entry, ['type', ...names], path)
  const has = (/** @type {string} */ name) => names.includes(name)
  const frame = entry.frame ?? 'world'
  const channel = {
    quantity: type,
    body: has('body') ? bodyId(core, entry.body, `${path}.body`) : 0,
    other: entry.other === undefined ? 0 : bodyId(core, entry.other, `${path}.other`),
    joint: has('joint') ? jointId(core, entry.joint, `${path}.joint`) : 0,
    coordinate: readInteger(entry.coordinate ?? 0, `${path}.coordinate`, 0, MOST_COORDINATES - 1),
    isLocal: readWord(frame, `${path}.frame`, FRAMES) === 'body',
  }
  return { channel, size }
}

/**
 * @param {WorldCore} core
 * @param {unknown} value a Body of the template, or the id of one
 * @param {string} path
 * @returns {number}
 */
function bodyId(core, value, path) {
  const expected = 'a body of the template or its id'
  const body = typeof value === 'number' ? core.find(value) : value
  if (!access.isBody(body)) throw invalid(path, expected, value)
  return core.own(body, path, expected).id
}

/**
 * @param {WorldCore} core
 * @param {unknown} value a Joint of the template, or the id of one
 * @param {string} path
 * @returns {number}
 */
function jointId(core, value, path) {
  for (const constraint of core.constraints.keys()) {
    const is = typeof value === 'number' ? constraint.id === value : constraint === value
    if (is) return constraint.id
  }
  throw invalid(path, 'a joint of the template or its id', value)
}
