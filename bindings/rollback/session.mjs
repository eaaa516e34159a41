import { checkNames, readFunction, readInteger, readObject } from '../core/arguments.mjs'
import { isArray } from '../core/lists.mjs'
import { invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { keepInput, PlayerInputs } from './inputs.mjs'
import { MOST_FRAMES, OPTION_NAMES, RollbackWorld } from './rollback-world.mjs'

/** @import { World } from '../index.mjs' */
/** @import { Input, Predict } from './inputs.mjs' */
/** @import { RollbackOptions } from './rollback-world.mjs' */

/**
 * @typedef {object} SessionOptions
 * @property {number} players how many there are, numbered from 0
 * @property {readonly number[]} localPlayers those whose inputs are made here; the others' come by `addRemoteInput`
 * @property {number} [inputDelay] frames by which local inputs count later, default 2: what arrives within that time costs
 *   nothing
 * @property {number} [maxRollback] frames that may be simulated with inputs that are not there yet, default 8. Beyond them
 *   the session waits: `canAdvance` is false and `advanceFrame` gives false
 * @property {Input} [initialInput] of every player before the first one, default 0
 * @property {Predict} [predict] an input that is not there yet; default: the last one again
 */

/**
 * The input of a player for a frame, as the others have to get it, by whatever network, in any order, any number of times.
 * @typedef {object} InputMessage
 * @property {number} player
 * @property {number} frame
 * @property {Input} input
 */

const NAMES = /** @type {const} */ ([
  ...['players', 'localPlayers', 'inputDelay', 'maxRollback', 'initialInput', 'predict'],
])
const MOST_PLAYERS = 256
/** Inputs this many frames ahead are refused: nobody can be that far, and they would take memory. */
const MOST_AHEAD = 4 * MOST_FRAMES
/** For so many confirmed frames checksums are kept: ten seconds at 60 Hz. */
const CHECKSUMS = 600

/**
 * A game of several players over a network, by rollback (GGPO): every frame is simulated at once, with predicted inputs for
 * those that are not there yet; when these come and are others, the world goes back and makes the frames again. It knows no
 * network: what it gives has to be sent to the others, and what they send has to be given to it.
 */
export class RollbackSession {
  #game
  #inputs
  #local
  #delay
  #maxRollback
  /** Of frames that are final. @type {Map<number, string>} */
  #checksums = new Map()
  #nextChecksum = 0
  #isResimulating = false
  #resimulated = 0

  /**
   * @param {World} world as all players have it at frame 0, to the bit: made alike, or restored from one snapshot
   * @param {RollbackOptions<Input[]> & SessionOptions} options
   */
  constructor(world, options) {
    const where = 'RollbackSession'
    checkNames(readObject(options, `${where}: options`), [...OPTION_NAMES, ...NAMES], where)
    const { applyInputs, timeStep, userState, ...given } = options
    const session = readOptions(given, where)
    this.#delay = session.inputDelay
    this.#maxRollback = session.maxRollback
    this.#local = session.localPlayers
    // The frames to which the world may have to go back, and the present one.
    const frames = session.maxRollback + 2
    this.#game = new RollbackWorld(
      world,
      withoutMissing({ applyInputs, timeStep, userState }),
      frames,
    )
    this.#inputs = Array.from(
      { length: session.players },
      (_, player) => new PlayerInputs(player, session.initialInput, session.predict),
    )
    for (const player of this.#local) this.#giveInitial(player, session.initialInput)
  }

  /** The frame that `advanceFrame` makes next. */
  get frame() {
    return this.#game.frame
  }

  /** The last frame for which the inputs of all players are there; -1 before the first. */
  get confirmedFrame() {
    return Math.min(...this.#inputs.map(({ confirmed }) => confirmed))
  }

  /** Whether `advanceFrame` may go on: no more than `maxRollback` frames wait for inputs. */
  get canAdvance() {
    return this.frame - this.#confirmedByOthers() <= this.#maxRollback
  }

  /**
   * Whether a frame is being made again: sounds and the like were there the first time. For listeners and `applyInputs`.
   */
  get isResimulating() {
    return this.#isResimulating
  }

  /** How many frames the last `advanceFrame` made again. */
  get resimulatedFrames() {
    return this.#resimulated
  }

  /**
   * Gives the input of a local player, once before each `advanceFrame`. It counts `inputDelay` frames later.
   * @param {number} player
   * @param {Input} input
   * @returns {InputMessage[]} what to send to the others: one message, at the first call also those of the frames before
   * @throws {MoreauError} `invalid-argument`
   */
  addLocalInput(player, input) {
    const where = 'addLocalInput'
    if (!this.#local.includes(readInteger(player, `${where}: player`, 0, MOST_PLAYERS))) {
      throw invalid(`${where}: player`, `a local one: ${this.#local.join(', ')}`, player)
    }
    const frame = this.frame + this.#delay
    const kept = keepInput(input, `${where}: input`)
    if (this.#inputs[player].has(frame)) {
      const message = `${where}: player ${player} has an input for frame ${frame}: call advanceFrame first`
      throw new MoreauError('invalid-argument', message)
    }
    this.#inputs[player].give(frame, kept, where)
    const first = this.frame === 0 ? 0 : frame
    return Array.from({ length: frame - first + 1 }, (_, i) => ({
      ...{ player, frame: first + i },
      input: this.#inputs[player].at(first + i),
    }))
  }

  /**
   * Takes what the `addLocalInput` of another player gave. What is there already is passed over.
   * @param {InputMessage} message
   * @returns {boolean} whether it was new
   * @throws {MoreauError} `invalid-argument`, also for another input than the one that is there
   */
  addRemoteInput(message) {
    const where = 'addRemoteInput'
    const given = readObject(message, `${where}: message`)
    checkNames(given, ['player', 'frame', 'input'], where)
    const player = readInteger(given.player, `${where}: player`, 0, this.#inputs.length - 1)
    if (this.#local.includes(player)) {
      throw invalid(`${where}: player`, 'one that is not local', player)
    }
    const frame = readInteger(given.frame, `${where}: frame`, 0, this.frame + MOST_AHEAD)
    return this.#inputs[player].give(frame, keepInput(given.input, `${where}: input`), where)
  }

  /**
   * Makes frames again whose inputs were others than predicted, then the next frame.
   * @returns {boolean} false: the next frame was not made, because too many wait for inputs
   * @throws {MoreauError} `invalid-argument` where a local input is missing; as `world.step`, and what `applyInputs`
   *   throws
   */
  advanceFrame() {
    this.#checkLocal()
    this.#correct()
    this.#noteChecksums()
    if (!this.canAdvance) return false
    this.#simulate()
    const oldest = Math.min(this.confirmedFrame, this.frame) - this.#maxRollback
    for (const inputs of this.#inputs) inputs.forget(oldest)
    return true
  }

  /**
   * The checksum of the state at the beginning of a frame, to compare with that of the other players: of frames up to the
   * one after `confirmedFrame`, for which all inputs are there.
   * @param {number} frame
   * @returns {string | undefined} undefined where it is not there yet, or no more
   */
  checksum(frame) {
    return this.#checksums.get(frame)
  }

  #checkLocal() {
    if (!this.canAdvance) return
    const frame = this.frame + this.#delay
    for (const player of this.#local) {
      if (this.#inputs[player].has(frame)) continue
      const message = `advanceFrame: player ${player} has no input for frame ${frame}: call addLocalInput first`
      throw new MoreauError('invalid-argument', message)
    }
  }

  /** Goes back to the first frame that had a wrong input, and makes all from there on again. */
  #correct() {
    const end = this.frame
    this.#resimulated = 0
    const start = this.#firstWrong(end)
    if (start === end) return
    this.#game.loadState(start)
    this.#isResimulating = true
    try {
      while (this.frame < end) this.#simulate()
    } finally {
      this.#isResimulating = false
    }
    this.#resimulated = end - start
  }

  /** @param {number} end */
  #firstWrong(end) {
    const oldest = Math.max(0, end - this.#maxRollback - 1)
    for (let frame = oldest; frame < end; frame++) {
      if (this.#inputs.some((inputs) => inputs.isWrong(frame))) return frame
    }
    return end
  }

  #simulate() {
    const { frame } = this
    this.#game.saveState(frame)
    this.#game.advanceFrame(this.#inputs.map((inputs) => inputs.use(frame)))
  }

  /** Notes the checksums of states that no input changes any more. */
  #noteChecksums() {
    const last = Math.min(this.confirmedFrame + 1, this.frame - 1)
    for (; this.#nextChecksum <= last; this.#nextChecksum++) {
      const checksum = this.#game.checksumOf(this.#nextChecksum)
      if (checksum !== undefined) this.#checksums.set(this.#nextChecksum, checksum)
      this.#checksums.delete(this.#nextChecksum - CHECKSUMS)
    }
  }

  /** The last frame for which those of the inputs are there that come from elsewhere. */
  #confirmedByOthers() {
    const others = this.#inputs.filter((_, player) => !this.#local.includes(player))
    return Math.min(this.frame, ...others.map(({ confirmed }) => confirmed))
  }

  /**
   * Before the delay is over nobody has done anything.
   * @param {number} player
   * @param {Input} initial
   */
  #giveInitial(player, initial) {
    for (let frame = 0; frame < this.#delay; frame++) {
      this.#inputs[player].give(frame, initial, 'RollbackSession')
    }
  }
}

/**
 * @param {Partial<SessionOptions>} options
 * @param {string} where
 */
function readOptions(options, where) {
  const { inputDelay = 2, maxRollback = 8, initialInput = 0, predict } = options
  const players = readInteger(options.players, `${where}: players`, 1, MOST_PLAYERS)
  if (predict !== undefined) readFunction(predict, `${where}: predict`)
  return {
    players,
    localPlayers: readLocal(options.localPlayers, players, `${where}: localPlayers`),
    inputDelay: readInteger(inputDelay, `${where}: inputDelay`, 0, MOST_FRAMES),
    maxRollback: readInteger(maxRollback, `${where}: maxRollback`, 0, MOST_FRAMES - 2),
    initialInput: keepInput(initialInput, `${where}: initialInput`),
    predict,
  }
}

/**
 * @param {unknown} value
 * @param {number} players
 * @param {string} path
 * @returns {readonly number[]}
 */
function readLocal(value, players, path) {
  if (!isArray(value)) throw invalid(path, 'a list of players', value)
  const list = [.../** @type {unknown[]} */ (value)]
  const local = list.map((one, i) => readInteger(one, `${path}[${i}]`, 0, players - 1))
  if (new Set(local).size < local.length) throw invalid(path, 'players, each of them once', value)
  return local
}

/**
 * An option that is not given stays away, so that it has its default.
 * @template {object} T
 * @param {T} options
 * @returns {T}
 */
function withoutMissing(options) {
  const present = Object.entries(options).filter(([, value]) => value !== undefined)
  return /** @type {T} */ (Object.fromEntries(present))
}
