import { access } from '../../core/access.mjs'
import { initSync, MoreauError, World } from '../../index.mjs'
import { Otherwise, Player } from '../../state/player.mjs'
import { readShapes } from '../../state/tape.mjs'
import { failureOf } from '../failures.mjs'
import { restoringBy } from '../functions.mjs'
import { HEAD } from '../motion-frame.mjs'
import { noEvents, Untold } from '../untold.mjs'
import { Clock } from './clock.mjs'
import { HostControls } from './controls.mjs'
import { Joints } from './joints.mjs'
import { Listening } from './listening.mjs'
import { Opened } from './opened.mjs'
import { Publisher } from './publisher.mjs'
import { refer } from './refer.mjs'

/** @import { Entry } from '../../state/journal.mjs' */
/** @import { Tape } from '../../state/tape.mjs' */
/** @import { Functions } from '../functions.mjs' */
/** @import { Batch, Begin, News } from '../protocol.mjs' */

/** @typedef {(news: News | ArrayBuffer, transfer: ArrayBuffer[]) => void} Post a buffer: a frame, and nothing else */

/** What changes nothing, and is done also while the page is not where this world is. */
const ALWAYS = new Set(['ask', 'open', 'of', 'close', 'invoke', 'here', 'clock'])

/** The world in the worker: makes the calls of batches, and posts what came of them. */
export class Host {
  #post
  #world
  #core
  /** @type {Tape} */
  #tape
  #player
  #publisher
  #joints = new Joints()
  #functions
  #controls
  #opened
  /** Whether the world has gone elsewhere and the page does not know yet. */
  #isElsewhere = false
  #clock = new Clock((dt, steps) => this.#tick(dt, steps))
  #listening
  #batch = 0
  #stepsDone = 0
  #snapshotEvery
  #snapshotTime
  /** What is to be posted. @type {News} */
  #news = {}
  /** What happened in steps that no frame shows yet. */
  #untold = new Untold()

  /**
   * @param {Begin} begin
   * @param {Functions} functions of the user
   * @param {Post} post
   */
  constructor(begin, functions, post) {
    const { module, snapshot, timeline, room, snapshotEvery, profile } = begin
    this.#post = post
    this.#functions = functions
    initSync({ wasm: module })
    this.#world = new World({ warnings: false, profile })
    this.#core = access.coreOf(this.#world)
    this.#tape = /** @type {any} */ ({ shapes: [], snapshots: [snapshot], assets: undefined })
    const restoring = restoringBy(functions)
    this.#player = new Player(this.#world, this.#tape, restoring, this.#joints.aliases)
    this.#controls = new HostControls(this.#world, this.#tape.shapes, functions)
    this.#opened = new Opened(this.#world)
    // Before the state: a function that is set wakes what lies still.
    for (const [name, own] of Object.entries(begin.contacts)) {
      if (own !== null) this.#setContactFunction(/** @type {'contactFilter'} */ (name), own)
    }
    this.#player.load(0)
    delete this.#tape.snapshots[0]
    this.#core.lives.join(timeline)
    this.#snapshotEvery = snapshotEvery
    this.#snapshotTime = this.#world.time
    this.#publisher = new Publisher(this.#core, this.#controls)
    this.#publisher.use(room)
    this.#listening = new Listening(this.#world, (event) => this.#refer(event))
    this.#flush()
  }

  /** @param {unknown} value */
  #refer(value) {
    return refer(value, this.#joints.idThere)
  }

  /**
   * @param {Batch | number | ArrayBuffer} message a number: a step of so many seconds, and nothing else; a buffer: a frame
   *   that was read, with such a step in it or without
   */
  take(message) {
    if (typeof message === 'number') this.#takeStep(message)
    else if ('byteLength' in message) {
      const [dt] = new Float64Array(message, 8 * HEAD.order, 1)
      this.#publisher.takeBack([message])
      if (dt > 0) this.#takeStep(dt)
      else this.#flush()
    } else this.#takeBatch(message)
  }

  /** @param {number} dt seconds of a step that nobody waits for */
  #takeStep(dt) {
    this.#batch++
    this.#make(['step', dt])
    this.#publisher.isDue = true
    this.#flush()
  }

  /** @param {Batch} batch */
  #takeBatch({ batch, changes, listens, room, spare }) {
    this.#batch = batch ?? this.#batch
    if (room) this.#publisher.use(room)
    if (spare) this.#publisher.takeBack(spare)
    if (listens) this.#listening.to(listens)
    if (changes) {
      this.#tape.shapes.push(...readShapes(changes.shapes, changes.assets))
      this.#tape.snapshots.push(...changes.snapshots)
      for (const entry of changes.entries) this.#make(entry)
      if (changes.entries.length > 0) this.#publisher.isDue = true
    }
    this.#flush()
  }

  // --- calls ----------------------------------------------------------------------------------------

  /** @param {Entry} entry */
  #make(entry) {
    const [kind, first] = entry
    if (kind === 'here') this.#isElsewhere = false
    else if (this.#isElsewhere && !ALWAYS.has(kind)) this.#leaveOut(entry)
    else this.#makeOne(entry)
    if (kind === 'step') this.#stepsDone++
    if (kind === 'state') delete this.#tape.snapshots[first]
  }

  /** @param {Entry} entry */
  #makeOne(entry) {
    const [kind, first, second, third, fourth] = entry
    if (kind === 'state') this.#joints.reset()
    if (this.#joints.isOfBroken(entry)) this.#skip(entry)
    else if (kind === 'step') this.#answer(second, () => this.#step(first))
    else if (kind === 'ask') this.#answer(first, () => this.#ask(second, third))
    else if (kind === 'clock') this.#clock.set(first, second)
    else if (kind === 'control') this.#control(entry)
    else if (kind === 'invoke') this.#answer(first, () => this.#invoke(second, third))
    else if (kind === 'contacts')
      this.#answer(undefined, () => this.#setContactFunction(first, second))
    else if (kind === 'open') this.#answer(first, () => this.#opened.open(second, third, fourth))
    else if (kind === 'of') this.#answer(first, () => this.#opened.ask(second, third, fourth))
    else if (kind === 'jump') this.#answer(first, () => this.#jump(second, third, fourth))
    else if (kind === 'close') this.#opened.close(first)
    else this.#answer(undefined, () => this.#player.apply(entry))
  }

  /** @param {Entry} entry of a future that is not there any more */
  #leaveOut([kind, first, second, , fourth]) {
    const tickets = { step: second, jump: first, control: first === 'reshape' ? fourth : undefined }
    const ticket = tickets[/** @type {keyof typeof tickets} */ (kind)]
    if (ticket === undefined) return
    this.#answer(ticket, () => {
      const message = `${kind}: it was called before the promise of a history's seek or rewind had settled`
      throw new MoreauError('world-locked', message)
    })
  }

  /** @param {'contactFilter' | 'contactModifier'} name @param {string | null} own name of a function of the module */
  #setContactFunction(name, own) {
    this.#world[name] = own === null ? null : this.#functions[own]
  }

  /** @param {string} name of a function of the module @param {unknown[]} args */
  #invoke(name, args) {
    const value = this.#functions[name](...args)
    // What cannot be posted is refused here, where somebody waits for it.
    return structuredClone(value)
  }

  /**
   * @param {number} number of a history
   * @param {string} name
   * @param {unknown[]} args
   * @returns {Uint8Array} what the world is now
   */
  #jump(number, name, args) {
    this.#opened.ask(number, name, args)
    this.#isElsewhere = true
    this.#joints.reset()
    this.#publisher.isDue = true
    return this.#world.snapshot()
  }

  /** @param {Entry} entry about a character or vehicle */
  #control([, name, number, first, second]) {
    const ticket = name === 'reshape' ? second : undefined
    const isClocked = this.#clock.rate > 0
    this.#answer(ticket, () => {
      return this.#controls.apply(name, number, first, second, isClocked)
    })
  }

  /** @param {Entry} entry about a joint that has broken */
  #skip([kind, , row]) {
    if (kind !== 'constraint') return
    const joint = [this.#joints.breakAtOnce(row)]
    this.#untold.add([{ ...noEvents(), joint }])
  }

  /**
   * Does something, and notes its answer for who waits for it. What nobody waits for is told where it fails.
   * @param {number | undefined} ticket
   * @param {() => unknown} action
   */
  #answer(ticket, action) {
    try {
      const value = action()
      if (ticket === undefined) return
      ;(this.#news.answers ??= []).push({ ticket, value: this.#refer(value) })
    } catch (error) {
      // The worlds are not the same any more: the worker ends.
      if (error instanceof Otherwise) throw error
      const failure = failureOf(error)
      if (ticket === undefined) (this.#news.failures ??= []).push(failure)
      else (this.#news.answers ??= []).push({ ticket, failure })
    }
  }

  /** @param {string} name @param {unknown[]} args */
  #ask(name, args) {
    const world = /** @type {Record<string, any>} */ (/** @type {unknown} */ (this.#world))
    return typeof world[name] === 'function' ? world[name](...args) : world[name]
  }

  // --- steps ----------------------------------------------------------------------------------------

  /** @param {number} dt */
  #step(dt) {
    this.#listening.begin()
    this.#world.step(dt)
    for (const { joint } of this.#core.jointEvents) this.#joints.hasBroken(joint.id)
    this.#untold.add(this.#listening.end())
    this.#publisher.isDue = true
  }

  /**
   * @param {number} dt
   * @param {number} steps
   */
  #tick(dt, steps) {
    for (let i = 0; i < steps && !this.#news.failures; i++) {
      this.#answer(undefined, () => {
        this.#controls.driveAll(dt)
        this.#step(dt)
      })
    }
    if (this.#news.failures) this.#clock.set(0, 1) // it would fail again
    this.#flush()
  }

  // --- news -----------------------------------------------------------------------------------------

  #flush() {
    const news = this.#news
    this.#news = {}
    this.#takeSnapshot(news)
    const { rate, moment } = this.#clock
    const head = { batch: this.#batch, stepsDone: this.#stepsDone, rate, moment }
    // The page could not tell whose motions they are.
    if (!this.#isElsewhere) news.frame = this.#publisher.publish(head, news.answers !== undefined)
    // Of what happened the page is told when it can see it.
    const isSeen = this.#isElsewhere || !this.#publisher.isDue
    if (isSeen && !this.#untold.isEmpty) news.steps = this.#untold.take()
    this.#postNews(news)
  }

  /** @param {News} news */
  #postNews({ frame, ...others }) {
    const { snapshot } = others
    const transfer = snapshot ? [snapshot.buffer] : []
    const hasOthers = Object.keys(others).length > 0
    if (frame && !hasOthers) this.#post(frame, [frame])
    else if (frame) this.#post({ frame, ...others }, [frame, ...transfer])
    else if (hasOthers) this.#post(others, transfer)
  }

  /** @param {News} news */
  #takeSnapshot(news) {
    const { time } = this.#world
    const since = Math.abs(time - this.#snapshotTime)
    if (this.#snapshotEvery === 0 || since < this.#snapshotEvery) return
    this.#snapshotTime = time
    news.snapshot = /** @type {Uint8Array<ArrayBuffer>} */ (this.#world.snapshot())
    news.snapshotBatch = this.#batch
  }
}
