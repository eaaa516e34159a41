import { access } from '../core/access.mjs'
import { checkNames, readFunction, readObject } from '../core/arguments.mjs'
import { KIND } from '../core/callbacks.mjs'
import { MoreauError } from '../core/errors.mjs'
import { CONSTRAINT_DEF_NUMBERS, CONSTRAINT_GIVEN_NUMBERS } from '../generated/records.mjs'
import { PLACED_SHAPE_NUMBERS, POTENTIAL_DEF_NUMBERS } from '../generated/records.mjs'
import { AssetReader, bytesOfBase64 } from '../scene/assets.mjs'
import { ShapeReader } from '../scene/read-shapes.mjs'
import { fromPlain } from '../scene/values.mjs'
import { compareStates, describeDifference, readState } from './difference.mjs'
import { badSnapshot, decodeRoster, readFrame } from './frame.mjs'
import { makeConstraintOf, makePotentialOf } from './make.mjs'
import { isBytes } from './snapshot.mjs'

/** @import { Constraint } from '../objects/constraint.mjs' */
/** @import { Potential } from '../objects/potential.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { World } from '../objects/world.mjs' */
/** @import { CustomFunctions } from '../definitions/constraint-definition.mjs' */
/** @import { Replay, ReplayOptions } from '../types/index.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { StateDifference } from './difference.mjs' */
/** @import { Entry } from './journal.mjs' */

const where = 'World.replay'
const NAMES = Object.freeze([
  ...['constraints', 'potentials', 'contactFilter', 'contactModifier', 'beforeStep'],
])

/** Where in the block of a call the handle of functions is. */
const HANDLE = Object.freeze({
  constraint: CONSTRAINT_DEF_NUMBERS + CONSTRAINT_GIVEN_NUMBERS,
  potential: POTENTIAL_DEF_NUMBERS,
})

/** @typedef {{ functions: string[], entries: Entry[], shapes: object[], snapshots: Uint8Array[], assets: Uint8Array }} Tape */

/**
 * @param {unknown} bytes of a recording
 * @param {unknown} options a ReplayOptions
 * @param {() => World} makeWorld
 * @returns {Replay}
 */
export function replayRecording(bytes, options, makeWorld) {
  const replaying = readReplaying(options)
  const tape = readTape(bytes)
  const world = makeWorld()
  try {
    return new Show(tape, replaying, makeWorld).run(world)
  } catch (error) {
    world.free()
    throw error
  }
}

/**
 * @param {unknown} options
 * @returns {ReplayOptions}
 */
function readReplaying(options) {
  const given = readObject(options, `${where}: options`)
  checkNames(given, NAMES, `${where}: options`)
  for (const name of NAMES.slice(2)) {
    if (given[name] !== undefined) {
      readFunction(/** @type {Function} */ (given[name]), `${where}: options.${name}`)
    }
  }
  return /** @type {ReplayOptions} */ (given)
}

/**
 * @param {unknown} value
 * @returns {Tape}
 */
function readTape(value) {
  const path = `${where}: bytes`
  const bytes = isBytes(value) ? value : new Uint8Array(0)
  const { engine, roster, hash } = readFrame('recording', bytes, path)
  const { functions, entries, shapes, assets, lengths } = decodeRoster(roster, hash, path)
  let at = 0
  const parts = lengths.map((/** @type {number} */ length) => {
    at += length
    return engine.subarray(at - length, at)
  })
  const reader = new ShapeReader(new AssetReader(assets, undefined))
  return {
    functions,
    entries,
    shapes: shapes.map((/** @type {string} */ text, /** @type {number} */ i) =>
      reader.read(JSON.parse(text), `shapes[${i}]`),
    ),
    snapshots: parts.slice(0, -1),
    assets: parts[parts.length - 1],
  }
}

/** A difference between what was recorded and what came out. */
class Otherwise extends Error {}

/** Makes the calls of a tape in a world. */
class Player {
  #tape
  #options
  #core
  #find

  /**
   * @param {World} world
   * @param {Tape} tape
   * @param {ReplayOptions} options
   */
  constructor(world, tape, options) {
    this.world = world
    this.#tape = tape
    this.#options = options
    this.#core = access.coreOf(world)
    this.#find = {
      body: (/** @type {number} */ id) => this.#core.find(id) ?? null,
      constraint: (/** @type {number} */ id) => byId(this.#core.constraints.keys(), id),
    }
  }

  /** @param {number} place of a snapshot */
  load(place) {
    const { constraints, potentials } = this.#options
    const { snapshots, assets } = this.#tape
    if (!(place in snapshots)) throw badSnapshot(`${where}: bytes: they have no snapshot ${place}`)
    this.world.restore(snapshots[place], { assets, constraints, potentials })
  }

  /** @param {Entry} entry anything but a step */
  apply([kind, ...values]) {
    const [first, second, third, fourth] = values
    if (kind === 'call')
      this.#call(
        first,
        numbersOf(second),
        third === undefined || third === null ? undefined : numbersOf(third),
      )
    else if (kind === 'body') this.#makeBody(first, second, third)
    else if (kind === 'shapes') this.#changeShapes(first, numbersOf(second), third, fourth)
    else if (kind === 'constraint') this.#makeConstraint(first, second)
    else if (kind === 'potential') this.#makePotential(first, second)
    else if (kind === 'measures') this.#changeMeasures(first, second, third)
    else if (kind === 'destroy') this.#destroy(first, second)
    else if (kind === 'function') this.setFunction(first, second)
    else if (kind === 'state') this.load(first)
    else if (kind !== 'key') throw badSnapshot(`${where}: bytes: they have an entry '${kind}'`)
  }

  /**
   * @param {string} name
   * @param {readonly number[]} args
   * @param {readonly number[]} [numbers] of the block
   */
  #call(name, args, numbers) {
    if (numbers !== undefined) this.#put(numbers)
    const call = /** @type {any} */ (this.#core.engine.exports)[name]
    this.#core.check(call(this.#core.pointer, ...args), name)
  }

  /** @param {readonly number[]} numbers */
  #put(numbers) {
    this.#core.engine.begin(numbers.length)
    this.#core.engine.putAll(numbers)
  }

  /**
   * @param {unknown} plain
   * @param {number} id
   * @param {readonly number[]} places
   */
  #makeBody(plain, id, places) {
    const core = this.#core
    const shapes = Object.freeze(places.map((place) => this.#shape(place)))
    this.#put(withShapes(numbersOf(plain), shapes))
    this.#expect('createBody', core.engine.exports.body_create(core.pointer), id)
    core.locate()
    core.add(access.makeBody(core, id, shapes, undefined))
  }

  /**
   * @param {string} name
   * @param {number[]} args
   * @param {unknown} plain
   * @param {readonly number[]} places
   */
  #changeShapes(name, args, plain, places) {
    const body = this.#core.find(args[0])
    if (body === undefined) throw new Otherwise(`body ${args[0]} is not there`)
    const before = body.shapes
    const shapes = Object.freeze(places.map((place) => this.#shape(place)))
    const put = { body_set_shapes: shapes, body_add_shape: shapes.slice(-1) }
    const given = /** @type {Record<string, readonly Shape[]>} */ (put)[name] ?? [shapes[args[1]]]
    const numbers = name === 'body_remove_shape' ? undefined : withShapes(numbersOf(plain), given)
    this.#call(name, args, numbers)
    access.setShapes(body, shapes)
    this.#core.changeShapes(body, before)
  }

  /** @param {number} place @returns {Shape} */
  #shape(place) {
    return access.toShape(this.#tape.shapes[place], where, `shapes[${place}]`)
  }

  /** @param {unknown} plain @param {any} row */
  #makeConstraint(plain, row) {
    const core = this.#core
    const constraint = makeConstraintOf(core, row, this.#find, this.#options, where)
    const { functions } = access.constraintMaking(constraint).making
    const handle = this.#putFunctions('constraint', numbersOf(plain), functions)
    this.#expect('constraint', core.engine.exports.constraint_create(core.pointer), row.id)
    core.addConstraint(constraint, handle)
  }

  /** @param {unknown} plain @param {any} row */
  #makePotential(plain, row) {
    const core = this.#core
    const potential = makePotentialOf(core, row, this.#find, this.#options, where)
    const { functions } = access.potentialMaking(potential)
    const handle = this.#putFunctions('potential', numbersOf(plain), functions)
    this.#expect('potential', core.engine.exports.potential_create(core.pointer), row.id)
    core.addPotential(potential, handle)
  }

  /**
   * Puts the numbers of a definition, with the handle that its functions have here.
   * @param {keyof typeof HANDLE} kind
   * @param {number[]} numbers
   * @param {CustomFunctions | undefined} functions
   * @returns {number | undefined} the handle
   */
  #putFunctions(kind, numbers, functions) {
    const handle = functions && this.#core.callbacks.add(KIND[kind], functions.make)
    if (handle !== undefined) numbers[HANDLE[kind]] = handle
    this.#put(numbers)
    return handle
  }

  /**
   * @param {number} id
   * @param {unknown} plain
   * @param {unknown} measures
   */
  #changeMeasures(id, plain, measures) {
    const potential = byId(this.#core.potentials.keys(), id)
    this.#call('potential_set_def', [id], numbersOf(plain))
    const read = /** @type {any} */ (fromPlain(measures, 'measures'))
    if (potential) access.setMeasures(potential, read)
    this.#core.version++
  }

  /** @param {string} kind @param {number} id */
  #destroy(kind, id) {
    const core = this.#core
    const lists = { body: core.living, constraint: core.constraints.keys() }
    const list =
      /** @type {Record<string, Iterable<any>>} */ (lists)[kind] ?? core.potentials.keys()
    const object = byId(list, id)
    if (object === undefined) throw new Otherwise(`${kind} ${id} is not there`)
    object.destroy()
  }

  /**
   * @param {string} name
   * @param {boolean} has
   */
  setFunction(name, has) {
    if (name !== 'contactFilter' && name !== 'contactModifier') {
      throw badSnapshot(`${where}: bytes: they name a function '${name}'`)
    }
    const given = this.#options[name]
    if (has && given === undefined) {
      throw badSnapshot(`${where}: bytes: the recording needs options.${name}, a function`)
    }
    this.world[name] = /** @type {any} */ (has ? given : null)
  }

  /**
   * @param {string} what
   * @param {number} id that was given; 0: it was refused
   * @param {number} recordedId
   */
  #expect(what, id, recordedId) {
    const core = this.#core
    if (id === 0) core.check(core.engine.exports.last_result(), what)
    if (id !== recordedId) throw new Otherwise(`${what} ${recordedId} has the id ${id}`)
  }
}

/** Plays a tape and compares. */
class Show {
  #tape
  #options
  #makeWorld
  #step = 0

  /**
   * @param {Tape} tape
   * @param {ReplayOptions} options
   * @param {() => World} makeWorld
   */
  constructor(tape, options, makeWorld) {
    this.#tape = tape
    this.#options = options
    this.#makeWorld = makeWorld
  }

  /**
   * @param {World} world
   * @returns {Replay}
   */
  run(world) {
    const player = new Player(world, this.#tape, this.#options)
    this.#begin(player, 0, 0)
    for (const [i, entry] of this.#tape.entries.entries()) {
      const divergence = this.#play(player, entry, i)
      if (divergence) return { world, steps: this.#step, divergence }
    }
    return { world, steps: this.#step, divergence: undefined }
  }

  /**
   * @param {Player} player
   * @param {Entry} entry
   * @param {number} i its place
   */
  #play(player, entry, i) {
    const { world } = player
    const [kind, dt, hash] = entry
    const step = this.#step + 1
    try {
      if (kind !== 'step') {
        player.apply(entry)
        return undefined
      }
      const { beforeStep } = this.#options
      beforeStep?.(world, step)
      const start = beforeStep && world.snapshot({ assets: false })
      world.step(dt)
      this.#step = step
      if (typeof hash !== 'string' || world.hash() === hash) return undefined
      return this.#explain(player, i, start)
    } catch (error) {
      if (isOfRecording(error)) throw error
      return diverged(step, [], error instanceof Error ? error.message : String(error))
    }
  }

  /**
   * What is different after a step, or was before it already by what `beforeStep` did.
   * @param {Player} found
   * @param {number} i the place of the step
   * @param {Uint8Array | undefined} start the state before it
   */
  #explain(found, i, start) {
    const other = this.#makeWorld()
    try {
      const expected = this.#wind(other, i)
      if (start !== undefined) {
        const before = { hash: other.hash(), state: readState(other) }
        const after = found.world.snapshot({ assets: false })
        found.world.restore(start)
        const isOther = found.world.hash() !== before.hash
        const state = readState(found.world)
        found.world.restore(after)
        if (isOther) return diverged(this.#step, compareStates(before.state, state))
      }
      const [, dt, hash] = this.#tape.entries[i]
      other.step(dt)
      if (other.hash() === hash) {
        return diverged(this.#step, compareStates(readState(other), readState(found.world)))
      }
      return this.#compareLater(expected, found, i)
    } finally {
      other.free()
    }
  }

  /**
   * Has a new world be what it was at a snapshot. Its functions for contacts come first: setting them changes which
   * contacts there are.
   * @param {Player} player
   * @param {number} place of the snapshot
   * @param {number} count entries before it
   */
  #begin(player, place, count) {
    const { functions, entries } = this.#tape
    for (const name of functions) player.setFunction(name, true)
    for (const entry of entries.slice(0, Math.max(0, count))) {
      if (entry[0] === 'function') player.apply(entry)
    }
    player.load(place)
  }

  /**
   * Brings a world to just before a step, as it was recorded.
   * @param {World} world
   * @param {number} i the place of the step
   */
  #wind(world, i) {
    const { entries } = this.#tape
    const player = new Player(world, this.#tape, this.#options)
    const isState = (/** @type {Entry} */ [kind]) => kind === 'key' || kind === 'state'
    const from = entries.slice(0, i).findLastIndex(isState)
    this.#begin(player, from < 0 ? 0 : entries[from][1], from)
    for (const entry of entries.slice(from + 1, i)) {
      if (entry[0] === 'step') world.step(entry[1])
      else player.apply(entry)
    }
    return player
  }

  /**
   * Here steps have other bits than where the recording was made: what differs is seen at the next state that it has.
   * @param {Player} expected
   * @param {Player} found
   * @param {number} i the place of the first step that differs
   */
  #compareLater(expected, found, i) {
    const { entries } = this.#tape
    const first = this.#step
    const next = entries.findIndex(([kind], k) => k > i && kind === 'key')
    if (next < 0) return diverged(first, [], 'steps have other bits here')
    for (const entry of entries.slice(i + 1, next)) {
      if (entry[0] !== 'step') found.apply(entry)
      else found.world.step(entry[1])
    }
    expected.load(entries[next][1])
    const differences = compareStates(readState(expected.world), readState(found.world))
    return diverged(first, differences, 'steps have other bits here')
  }
}

/**
 * @param {number} step
 * @param {StateDifference[]} differences
 * @param {string} [reason]
 */
function diverged(step, differences, reason) {
  const [first] = differences
  const parts = [`step ${step}`, reason, first && describeDifference(first)]
  return { step, differences, message: parts.filter((part) => part !== undefined).join(': ') }
}

/**
 * Whether an error says that the recording cannot be played, not that it came out differently.
 * @param {unknown} error
 */
function isOfRecording(error) {
  const isOurs = error instanceof MoreauError || error instanceof Otherwise
  return !isOurs || ['bad-snapshot', 'out-of-memory'].includes(/** @type {any} */ (error).code)
}

/**
 * @param {unknown} text base64 of doubles; undefined: none
 * @returns {number[]}
 */
function numbersOf(text) {
  const bytes = bytesOfBase64(String(text ?? ''))
  if (bytes === undefined || bytes.length % 8 !== 0) {
    throw badSnapshot(`${where}: bytes: they have numbers that are none`)
  }
  return Array.from(new Float64Array(bytes.buffer))
}

/**
 * The numbers of a call with the addresses of shapes as they are here: their records are the last of it.
 * @param {number[]} numbers
 * @param {readonly Shape[]} shapes
 */
function withShapes(numbers, shapes) {
  const start = numbers.length - shapes.length * PLACED_SHAPE_NUMBERS
  shapes.forEach((shape, i) => {
    numbers[start + i * PLACED_SHAPE_NUMBERS] = access.shapePointer(shape, where)
  })
  return numbers
}

/**
 * @template {{ id: number }} One
 * @param {Iterable<One>} objects
 * @param {number} id
 * @returns {One | undefined}
 */
function byId(objects, id) {
  for (const object of objects) if (object.id === id) return object
  return undefined
}
