import { access } from '../core/access.mjs'
import { encode } from '../scene/assets.mjs'
import { toPlain } from '../scene/values.mjs'
import { encodeRoster, frameLength, NO_CONTROLS, writeFrame } from './frame.mjs'
import { forget, watch } from './noting.mjs'
import { rostersOf, writeConstraint, writePotential } from './roster.mjs'
import { takeAssets, takeSnapshot } from './snapshot.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Constraint } from '../objects/constraint.mjs' */
/** @import { Potential } from '../objects/potential.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { Call, CallKind } from './noting.mjs' */

/** @typedef {'contactFilter' | 'contactModifier'} ContactFunctionName */
/** @typedef {string | Float64Array} Encoded numbers: base64 of little-endian doubles, or a list of them */

/**
 * What happened, in order; arguments and numbers are base64 of doubles.
 *
 * - `['call', name, arguments, numbers of the block]`
 * - `['step', dt, hash]`, without hash where it was not asked for
 * - `['body', numbers, id, shapes]`: one was made, with its shapes by their places in the table
 * - `['shapes', name, arguments, numbers, shapes]`: its first argument has these shapes now
 * - `['constraint', numbers, row]`, `['potential', numbers, row]`: with rows of a roster
 * - `['measures', id, numbers, measures]` of a potential
 * - `['destroy', kind, id]`
 * - `['function', name, whether]`: `contactFilter` or `contactModifier` was set, to a function or to null
 * - `['state', place]`: the world was restored; `['key', place]`: it had this state. Places of snapshots
 * - `['lost', why]`: it was restored, and there was no snapshot to be had
 *
 * @typedef {any[]} Entry
 */

/**
 * @typedef {object} JournalOptions
 * @property {number} every after how many steps there is a hash
 * @property {number} keyframes after how many steps the state is kept
 * @property {boolean} [isLive] entries are taken as they come (`take`), for a world elsewhere: with lists of numbers in
 *   place of their base64
 */

/**
 * What was noted since the last time, with the shapes, their assets and the snapshots that it is the first to name.
 * @typedef {object} Changes
 * @property {Entry[]} entries
 * @property {string[]} shapes
 * @property {Record<string, unknown> | undefined} assets
 * @property {Uint8Array[]} snapshots
 */

/** In the place of a snapshot that was taken, as places count on. */
const TAKEN = new Uint8Array(0)
/** @type {Changes} */
const NONE = Object.freeze({ entries: [], shapes: [], assets: undefined, snapshots: [] })

const NAMES = /** @type {const} */ (['contactFilter', 'contactModifier'])

/** Notes what happens to a world. */
export class Journal {
  #core
  #options
  #pointer
  /** @type {Entry[]} */
  #entries = []
  /** @type {Uint8Array[]} */
  #snapshots = []
  /** By their texts. @type {Map<string, number>} */
  #shapes = new Map()
  /** The call that makes or changes an object, until JavaScript has it. @type {{ name: string, args: number[], numbers: Encoded | undefined } | undefined} */
  #pending
  /** Whether the world is where no call has brought it. */
  #isJumping = false
  /** What was set last. @type {Record<ContactFunctionName, unknown>} */
  #functions = { contactFilter: null, contactModifier: null }
  #startsWith
  #encode
  /** How many of the shapes and snapshots were taken. */
  #taken = { shapes: 0, snapshots: 0 }
  /** Whether calls are to be made without a note. */
  #isDeaf = false
  #stepsSinceKey = 0
  /** How many steps it has. */
  steps = 0
  isOver = false

  /**
   * @param {WorldCore} core
   * @param {JournalOptions} options
   */
  constructor(core, options) {
    this.#core = core
    this.#options = options
    this.#encode = options.isLive ? listOfNumbers : encodeNumbers
    this.#pointer = core.pointer
    const { contactFilter, contactModifier } = core.world
    this.#functions = { contactFilter, contactModifier }
    this.#startsWith = NAMES.filter((name) => core.world[name] !== null)
    this.#snapshots.push(takeSnapshot(core, undefined))
    core.journal = this
    watch(core.engine, this.#pointer, this)
  }

  /** Ends it, as the world was freed or nobody wants more. */
  end() {
    this.isOver = true
    this.#core.journal = undefined
    forget(this.#core.engine, this.#pointer)
  }

  /** @returns {Uint8Array} all of it; the world must live */
  bytes() {
    this.#settle()
    const core = this.#core
    const snapshots = [...this.#snapshots, takeAssets(core)]
    const text = JSON.stringify({
      functions: this.#startsWith,
      entries: this.#entries,
      shapes: [...this.#shapes.keys()],
      assets: rostersOf(core).assets(),
      lengths: snapshots.map(({ length }) => length),
    })
    const parts = /** @type {const} */ ([encodeRoster(text), NO_CONTROLS])
    const joined = join(snapshots)
    const out = new Uint8Array(frameLength(joined.length, parts))
    writeFrame('recording', joined, parts, out)
    return out
  }

  /** @returns {Changes} what was noted since the last call */
  take() {
    this.#settle()
    if (this.#entries.length === 0 && this.#taken.snapshots === this.#snapshots.length) return NONE
    const entries = this.#entries
    const { shapes, snapshots } = this.#takeNew()
    this.#entries = []
    const assets = shapes.length > 0 ? rostersOf(this.#core).assets() : undefined
    return { entries, shapes, assets, snapshots }
  }

  /** Shapes and snapshots since the last time: mostly there are none, and nothing is made. */
  #takeNew() {
    const taken = this.#taken
    const hasShapes = this.#shapes.size > taken.shapes
    const hasSnapshots = this.#snapshots.length > taken.snapshots
    const shapes = hasShapes ? [...this.#shapes.keys()].slice(taken.shapes) : NONE.shapes
    const snapshots = hasSnapshots ? this.#snapshots.slice(taken.snapshots) : NONE.snapshots
    if (hasSnapshots) this.#snapshots.fill(TAKEN)
    taken.shapes += shapes.length
    taken.snapshots += snapshots.length
    return { shapes, snapshots }
  }

  /**
   * Notes something between the calls that is none.
   * @param {Entry} entry
   */
  mark(...entry) {
    this.#settle()
    this.#note(...entry)
  }

  /**
   * Makes calls that are not noted.
   * @template Result
   * @param {() => Result} action
   * @returns {Result}
   */
  unnoted(action) {
    const before = this.#isDeaf
    this.#isDeaf = true
    try {
      return action()
    } finally {
      this.#isDeaf = before
    }
  }

  // --- calls --------------------------------------------------------------------------------------

  /**
   * @param {CallKind} kind
   * @param {string} name
   * @param {number[]} args without the world
   * @param {Call} original
   * @returns {number}
   */
  call(kind, name, args, original) {
    const { engine, callbacks } = this.#core
    // What a function of the user tries within a call is refused.
    if (callbacks.isActive || this.#isDeaf) return original(this.#pointer, ...args)
    engine.aside(() => this.#settle(kind === 'step'))
    if (kind === 'opaque') return this.#callOpaque(args, original)
    const hasBlock = kind === 'withBlock' || kind === 'ofObjects'
    const numbers = hasBlock ? this.#encode(engine.written) : undefined
    const result = original(this.#pointer, ...args)
    const isMaking = name.endsWith('_create')
    if (isMaking ? result === 0 : result !== 0) return result
    if (kind === 'step') this.#noteStep(args[0])
    else if (kind === 'ofObjects' || kind === 'ends' || kind === 'functions')
      this.#noteObject({ name, args, numbers })
    else this.#note('call', name, this.#encode(args), numbers)
    return result
  }

  /**
   * What changes the world is kept as the state that it leads to.
   * @param {number[]} args
   * @param {Call} original
   */
  #callOpaque(args, original) {
    const { engine, world } = this.#core
    const before = engine.aside(() => world.hash())
    const result = original(this.#pointer, ...args)
    if (engine.aside(() => world.hash()) !== before) this.jump()
    return result
  }

  /** @param {number} dt */
  #noteStep(dt) {
    this.steps++
    this.#stepsSinceKey++
    const isHashed = this.steps % this.#options.every === 0
    const hash = isHashed ? this.#core.engine.aside(() => this.#core.world.hash()) : undefined
    this.#note('step', dt, hash)
  }

  /** @param {{ name: string, args: number[], numbers: Encoded | undefined }} call */
  #noteObject(call) {
    const { name, args } = call
    if (name.endsWith('_destroy')) this.#note('destroy', name.split('_')[0], args[0])
    else this.#pending = call
  }

  // --- what WorldCore tells -------------------------------------------------------------------------

  /** @param {Body} body */
  addedBody(body) {
    this.#note('body', this.#takePending()?.numbers, body.id, this.placesOf(body.shapes))
  }

  /** @param {Body} body */
  changedShapes(body) {
    const { name, args, numbers } = this.#takePending() ?? {}
    this.#note('shapes', name, args && this.#encode(args), numbers, this.placesOf(body.shapes))
  }

  /** @param {Constraint} constraint */
  addedConstraint(constraint) {
    this.#note('constraint', this.#takePending()?.numbers, writeConstraint(this.#core, constraint))
  }

  /** @param {Potential} potential */
  addedPotential(potential) {
    this.#note('potential', this.#takePending()?.numbers, writePotential(this.#core, potential))
  }

  /** The world is elsewhere, by a snapshot. */
  jump() {
    this.#isJumping = true
  }

  /** Whether nothing was noted that was not taken. */
  get isEmpty() {
    return this.#entries.length === 0 && this.#pending === undefined && !this.#isJumping
  }

  /** What was noted and not taken did not happen. */
  drop() {
    this.#entries = []
    this.#pending = undefined
    this.#isJumping = false
  }

  // --- parts --------------------------------------------------------------------------------------

  /**
   * Notes what could not be noted within the last call.
   * @param {boolean} [isStep] whether a step comes next
   */
  #settle(isStep = false) {
    const pending = this.#takePending()
    if (pending?.name === 'potential_set_def') this.#noteMeasures(pending.args[0], pending.numbers)
    if (pending?.name === 'world_set_contact_function') this.#noteFunction()
    const isKey = isStep && this.#stepsSinceKey >= this.#options.keyframes
    if (this.#isJumping || isKey) this.#keep(this.#isJumping ? 'state' : 'key')
  }

  /**
   * Keeps the state of now. Where it cannot be kept, the world goes on: a key frame is left out, and where the world was
   * brought elsewhere the recording says that it has lost it.
   * @param {'state' | 'key'} kind
   */
  #keep(kind) {
    this.#isJumping = false
    this.#stepsSinceKey = 0
    try {
      const snapshot = takeSnapshot(this.#core, { assets: this.#options.isLive === true })
      this.#note(kind, this.#snapshots.length)
      this.#snapshots.push(snapshot)
    } catch (error) {
      if (kind === 'state') this.#note('lost', String(error))
    }
  }

  /** @param {number} id @param {Encoded | undefined} numbers */
  #noteMeasures(id, numbers) {
    for (const potential of this.#core.potentials.keys()) {
      if (potential.id !== id) continue
      this.#note('measures', id, numbers, toPlain(access.potentialMaking(potential).measures))
    }
  }

  /** Notes which of the functions for contacts the last call has set. */
  #noteFunction() {
    const { world } = this.#core
    const name = NAMES.find((one) => world[one] !== this.#functions[one]) ?? NAMES[0]
    this.#functions[name] = world[name]
    this.#note('function', name, world[name] !== null)
  }

  #takePending() {
    const pending = this.#pending
    this.#pending = undefined
    return pending
  }

  /** @param {readonly Shape[]} shapes @returns {number[]} their places in the table */
  placesOf(shapes) {
    const rosters = rostersOf(this.#core)
    return shapes.map((shape) => {
      const text = rosters.textOf(shape)
      const place = this.#shapes.get(text) ?? this.#shapes.size
      this.#shapes.set(text, place)
      return place
    })
  }

  /** @param {Entry} entry */
  #note(...entry) {
    this.#entries.push(entry)
  }
}

/** @param {readonly number[] | Float64Array} numbers @returns {Encoded} */
const listOfNumbers = (numbers) => Float64Array.from(numbers)

/**
 * Numbers with all their bits, also of NaN: base64 of little-endian doubles.
 * @param {readonly number[] | Float64Array} numbers
 * @returns {Encoded}
 */
function encodeNumbers(numbers) {
  return encode(new Uint8Array(Float64Array.from(numbers).buffer))
}

/** @param {readonly Uint8Array[]} lists */
function join(lists) {
  const out = new Uint8Array(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    out.set(list, at)
    at += list.length
  }
  return out
}
