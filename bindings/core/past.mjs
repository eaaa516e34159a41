import { access } from './access.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { WorldCore } from './world-core.mjs' */

/** What events tell of and is gone: bodies that were destroyed lately, and the shapes that bodies had before. */
export class Past {
  #core

  /**
   * Bodies that were destroyed since the last step, for its events and for those of the next.
   * @type {Map<number, Body>}
   */
  #gone = new Map()

  /**
   * The same between the last step and the one before it.
   * @type {Map<number, Body>}
   */
  #goneBefore = new Map()

  /**
   * The shapes that bodies had in the last step, where they have changed since; and likewise.
   * @type {Map<Body, readonly Shape[]>}
   */
  #oldShapes = new Map()

  /** @type {Map<Body, readonly Shape[]>} */
  #oldShapesBefore = new Map()

  /** @param {WorldCore} core */
  constructor(core) {
    this.#core = core
  }

  /**
   * A body that was destroyed lately.
   * @param {number} id
   * @returns {Body | undefined}
   */
  body(id) {
    const known = this.#gone.get(id) ?? this.#goneBefore.get(id)
    const { lives } = this.#core
    if (known !== undefined || !lives.hasSnapshots) return known
    const last = /** @type {Body | undefined} */ (lives.lastBody(id))
    return last ?? access.makeBody(this.#core, id, [], undefined) // of the world where the snapshot was taken
  }

  /**
   * The shapes to which the indices of an event belong.
   * @param {Body} body
   * @param {boolean} isOver the event is an end, of shapes of the step before
   * @returns {readonly Shape[]}
   */
  shapesOf(body, isOver) {
    return (
      (isOver ? this.#oldShapesBefore.get(body) : undefined) ??
      this.#oldShapes.get(body) ??
      body.shapes
    )
  }

  /** @param {Body} body one that was destroyed */
  keepBody(body) {
    if (this.#core.watches.isWatching) this.#gone.set(body.id, body)
    else this.#forgetListeners(body)
  }

  /**
   * @param {Body} body whose shapes have changed
   * @param {readonly Shape[]} before
   */
  keepShapes(body, before) {
    if (this.#core.watches.isWatching && !this.#oldShapes.has(body)) {
      this.#oldShapes.set(body, before)
    }
  }

  /** A step was made: what went before the one before it has no more events. */
  turnPage() {
    if (this.#goneBefore.size + this.#gone.size > 0) {
      for (const body of this.#goneBefore.values()) this.#forgetListeners(body)
      this.#goneBefore = this.#gone
      this.#gone = new Map()
    }
    if (this.#oldShapesBefore.size + this.#oldShapes.size > 0) {
      this.#oldShapesBefore = this.#oldShapes
      this.#oldShapes = new Map()
    }
  }

  /** @param {Body} body */
  #forgetListeners(body) {
    const { bodyListeners } = this.#core
    bodyListeners.get(body)?.clear(this.#core)
    bodyListeners.delete(body)
  }

  /** The bodies are those of a snapshot. */
  forgetShapes() {
    this.#oldShapes.clear()
    this.#oldShapesBefore.clear()
  }

  /** The world was freed. */
  forgetBodies() {
    this.#gone.clear()
    this.#goneBefore.clear()
  }
}
