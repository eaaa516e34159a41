import { World } from 'moreau'
import { RollbackWorld } from 'moreau/rollback'
import { fromHex, toHex } from './bytes.mjs'
import { EVENT, FRAME_RATE } from './events.mjs'

/** @import { RoomEvent } from './events.mjs' */

/**
 * The game of a room: the same on the room's side and on that of its clients. What its functions do may depend on their arguments alone.
 * @typedef {object} Scene
 * @property {string} name
 * @property {number} inputBytes of the input of a player in a frame
 * @property {(options: any) => any} readOptions what a client asks for: gives good options or throws
 * @property {(world: World, options: any) => void} build fills a new world
 * @property {(world: World, player: number) => number} join makes the body of a player, and gives its id; the player is the lowest number that is free, and may be one of more than the room takes while others leave
 * @property {(world: World, body: number) => void} leave takes it away
 * @property {(world: World, body: number, input: Uint8Array, frame: number) => void} drive carries out what a player holds in a frame
 * @property {string} [module] `import.meta.url` of the module that exports it: then rooms' worlds are built in a thread of their own, and rooms that
 *   run keep their frames however large a new one is
 */

/**
 * The state of a room at the beginning of a frame.
 * @typedef {{ frame: number, user: string, world: Uint8Array }} RoomState
 */

/** Nothing here keeps a bulk array from one frame to the next, of which worlds warn where their memory moves. */
const WORLD = Object.freeze({ warnings: false })

/** A player: the id of the body, and what the player holds. @typedef {{ body: number, input: Uint8Array }} Member */

/**
 * The simulation of a room without any network: events in, frames out. Room and clients run the same, and get the same bits.
 */
export class RoomSimulation {
  #scene
  /** @type {RollbackWorld<readonly RoomEvent[]>} */
  #game
  /** In the order of their joining. @type {Map<number, Member>} */
  #members = new Map()

  /**
   * @param {World} world
   * @param {Scene} scene
   * @param {number} [frames] that can be kept at once
   */
  constructor(world, scene, frames = 1) {
    this.#scene = scene
    this.#game = new RollbackWorld(
      world,
      {
        applyInputs: (_, events, frame) => this.#apply(events, frame),
        timeStep: 1 / FRAME_RATE,
        userState: { save: () => this.#saveMembers(), load: (text) => this.#loadMembers(text) },
      },
      frames,
    )
  }

  /** @param {Scene} scene @param {any} options of the scene, as it has read them */
  static begin(scene, options) {
    const world = new World(WORLD)
    scene.build(world, options)
    return new RoomSimulation(world, scene)
  }

  /** @param {Scene} scene @param {RoomState} state @param {number} [frames] */
  static restore(scene, state, frames) {
    const simulation = new RoomSimulation(new World(WORLD), scene, frames)
    simulation.restore(state)
    return simulation
  }

  get world() {
    return this.#game.world
  }

  /** The frame that is made next. */
  get frame() {
    return this.#game.frame
  }

  /** @returns {ReadonlyMap<number, Readonly<Member>>} by player */
  get members() {
    return this.#members
  }

  /** Makes the next frame. @param {readonly RoomEvent[]} events of this frame, in the order of their numbers */
  advance(events) {
    this.#game.advanceFrame(events)
  }

  /** Carries out an event at once. @param {RoomEvent} event */
  change(event) {
    this.#carryOut(event)
  }

  /** Keeps the present state, in place of the oldest. */
  keep() {
    this.#game.saveState()
  }

  /** @param {number} frame that is kept */
  goBack(frame) {
    this.#game.loadState(frame)
  }

  /** @param {number} frame @returns {string | undefined} of a kept frame, else undefined */
  hashOf(frame) {
    return this.#game.checksumOf(frame)
  }

  /** @returns {string} 16 hexadecimal digits over all on which the next frames depend */
  hash() {
    return this.#game.checksum()
  }

  /** @param {import('./scratch.mjs').Scratch} [scratch] for who needs the state for a moment only @returns {RoomState} */
  state(scratch) {
    const world = scratch ? scratch.take(this.world) : this.world.snapshot()
    return { frame: this.frame, user: this.#saveMembers(), world }
  }

  /** @param {RoomState} state */
  restore({ frame, user, world }) {
    this.world.restore(world)
    this.#loadMembers(user)
    this.#game.saveState(frame)
  }

  free() {
    this.world.free()
  }

  /** @param {readonly RoomEvent[]} events @param {number} frame */
  #apply(events, frame) {
    for (const event of events) this.#carryOut(event)
    for (const { body, input } of this.#members.values()) {
      this.#scene.drive(this.world, body, input, frame)
    }
  }

  /** @param {RoomEvent} event */
  #carryOut({ kind, player, input }) {
    const member = this.#members.get(player)
    if (kind === EVENT.join && !member) {
      const body = this.#scene.join(this.world, player)
      this.#members.set(player, { body, input: new Uint8Array(this.#scene.inputBytes) })
    } else if (kind === EVENT.input && member) {
      member.input = input
    } else if (kind === EVENT.leave && member) {
      this.#scene.leave(this.world, member.body)
      this.#members.delete(player)
    }
  }

  #saveMembers() {
    return JSON.stringify(
      [...this.#members].map(([player, { body, input }]) => [player, body, toHex(input)]),
    )
  }

  /** @param {string} text */
  #loadMembers(text) {
    const list = /** @type {[number, number, string][]} */ (JSON.parse(text))
    this.#members = new Map(
      list.map(([player, body, input]) => [player, { body, input: fromHex(input) }]),
    )
  }
}
