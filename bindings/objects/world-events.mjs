import { access } from '../core/access.mjs'
import { ContactFunctions } from './contact-function.mjs'
import { Listeners, WORLD_NAMES } from './events.mjs'
import { coreOf } from './settings-owner.mjs'
import { WorldContents } from './world-contents.mjs'

/** @import { ContactFilter, ContactModifier, WorldEvents } from '../types/index.mjs' */

/** @type {(world: WorldListening) => Listeners<WorldEvents>} who listens to a world */
export let listenersOf

/** Functions of the user that a step calls. A part of `World`, and nothing by itself. */
export class WorldListening extends WorldContents {
  #contactFunctions = new ContactFunctions(coreOf(this))
  /** @type {Listeners<WorldEvents>} */
  #listeners = new Listeners()

  static {
    listenersOf = (world) => world.#listeners
    access.listenersOf = listenersOf
  }

  /**
   * Has a function called after each step: `'contact'`, `'sensor'` and `'solver'` once per event of
   * the step, `'sleep'` once if a body fell asleep or woke. Listeners may change the world, but not
   * step it. All are called; what the first of them throws comes out of `step`, which has happened.
   * @template {keyof WorldEvents} Name
   * @param {Name} name
   * @param {(event: WorldEvents[Name]) => void} listener
   * @returns {() => void} ends it
   */
  on(name, listener) {
    coreOf(this).alive('on')
    return this.#listeners.add(coreOf(this), name, listener, WORLD_NAMES)
  }

  /**
   * As `on`, for the next event alone.
   * @template {keyof WorldEvents} Name
   * @param {Name} name
   * @param {(event: WorldEvents[Name]) => void} listener
   * @returns {() => void} ends it
   */
  once(name, listener) {
    const core = coreOf(this)
    core.alive('once')
    return this.#listeners.addOnce(core, name, listener, WORLD_NAMES)
  }

  /**
   * Ends what `on` or `once` began with this listener.
   * @template {keyof WorldEvents} Name
   * @param {Name} name
   * @param {(event: WorldEvents[Name]) => void} listener
   * @returns {boolean} whether it listened
   */
  off(name, listener) {
    const core = coreOf(this)
    core.alive('off')
    return this.#listeners.remove(core, name, listener, WORLD_NAMES)
  }

  /**
   * Decides which shapes may touch in a step: called once in it for each two that are near enough to
   * meet, in the order of the bodies (those of the row solvers first, then those of `'soft-step'`). With
   * false they pass through each other in this step. The world can be read in it, as it was before the
   * step, and not changed; what it throws comes out of `step`, with the world as it was. Its answer may
   * depend on the state of the world alone, if steps are to be repeatable. null, the default: none.
   * @returns {ContactFilter | null}
   */
  get contactFilter() {
    coreOf(this).alive('contactFilter')
    return this.#contactFunctions.filter
  }

  /** @param {ContactFilter | null} value */
  set contactFilter(value) {
    this.#contactFunctions.set('filter', value, 'contactFilter')
  }

  /**
   * Changes contacts that the filter lets pass, for one step: friction, restitution, and points that
   * are not to push. Called as the filter is.
   * @returns {ContactModifier | null}
   */
  get contactModifier() {
    coreOf(this).alive('contactModifier')
    return this.#contactFunctions.modifier
  }

  /** @param {ContactModifier | null} value */
  set contactModifier(value) {
    this.#contactFunctions.set('modifier', value, 'contactModifier')
  }
}
