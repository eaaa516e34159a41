import { access } from '../core/access.mjs'
import { invalid } from '../core/describe.mjs'
import { close, guard } from '../core/guard.mjs'
import { inspectable } from '../core/inspect.mjs'
import { putBodyDefinition, putShapes, readShapeList } from '../definitions/body-definition.mjs'
import { adviseBody, adviseInertia } from './advice.mjs'
import { aliveCore } from './body-motion.mjs'
import { BodyForces } from './body-forces.mjs'
import { contactsOf } from './contacts.mjs'
import { BODY_NAMES, Listeners } from './events.mjs'

/** @import { BodyContact, BodyEvents, BodySummary, ShapeLike } from '../types/index.mjs' */
/** @import { Shape } from './shape.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
import { reading } from '../core/readable.mjs'
/** @import { BodyKept } from '../definitions/body-definition.mjs' */

/**
 * A rigid body. Made by `world.createBody`.
 *
 * Getters give new arrays; each has a `read...(out)` twin that allocates nothing. After `destroy()`,
 * or after the world was freed, everything but `id`, `index`, `world`, `userData`, `shape`, `shapes`
 * and `isAlive` throws `stale-handle`.
 */
export class Body extends BodyForces {
  #shapes

  /**
   * Anything; Moreau does not look at it.
   * @type {unknown}
   */
  userData

  static {
    // By `this`: bundlers rename a class that names itself.
    const Type = this
    access.makeBody = (core, id, shapes, userData) => close(new Type(core, id, shapes, userData))
    access.setShapes = (body, shapes) => {
      body.#shapes = shapes
    }
    access.isBody = (value) => typeof value === 'object' && value !== null && #shapes in value
  }

  /**
   * @private
   * @param {WorldCore} core
   * @param {number} id
   * @param {readonly Shape[]} shapes
   * @param {unknown} userData
   */
  constructor(core, id, shapes, userData) {
    super(core, id)
    this.#shapes = shapes
    this.userData = userData
  }

  /**
   * The first shape, if there is one. If it was made by the way from a definition, it is freed with
   * the last body that uses it.
   * @returns {Shape | undefined}
   */
  get shape() {
    return this.#shapes[0]
  }

  /** @param {ShapeLike | undefined} value not undefined, which is only what a body without shapes answers */
  set shape(value) {
    this.#replace('shape', () => Object.freeze([access.toShape(value, 'shape', 'value')]))
  }

  /**
   * In the order of the definition. To set, all shapes at once. Mass, inertia and centre of mass
   * follow the shapes, but for what was given by the definition or set since; the motion stays. The
   * body wakes, and so does what touches it.
   * @returns {readonly Shape[]}
   */
  get shapes() {
    return this.#shapes
  }

  /** @param {readonly ShapeLike[]} value */
  set shapes(value) {
    this.#replace('shapes', () => readShapeList(value, 'shapes', 'value'))
  }

  /**
   * The same as setting `shapes`.
   * @param {readonly ShapeLike[]} shapes
   */
  setShapes(shapes) {
    this.#replace('setShapes', () => readShapeList(shapes, 'setShapes', 'shapes'))
  }

  /**
   * Adds a shape behind the others, whose contacts go on.
   * @param {ShapeLike} shape
   * @returns {Shape}
   * @throws {MoreauError} as `createBody`; the body is as it was before the call
   */
  addShape(shape) {
    return this.#change('addShape', (core) => {
      const added = access.toShape(shape, 'addShape', 'shape')
      putShapes([added], 'addShape')
      core.check(core.engine.exports.body_add_shape(core.pointer, this.id), 'addShape')
      return { shapes: [...this.#shapes, added], result: added }
    })
  }

  /**
   * Removes a shape; those behind it move up. Its contacts end in the next step, those of the others go
   * on. The last shape of a dynamic body whose mass was not given stays.
   * @param {Shape | number} shape one of `shapes`, or its index there
   */
  removeShape(shape) {
    this.#change('removeShape', (core) => {
      const index = this.#indexOf(shape, 'removeShape: shape')
      const { exports } = core.engine
      core.check(exports.body_remove_shape(core.pointer, this.id, index), 'removeShape')
      return { shapes: this.#shapes.filter((_, i) => i !== index), result: undefined }
    })
  }

  /**
   * Puts another shape in the place of one. For events it is the same shape: contacts that go on
   * neither end nor begin.
   * @param {Shape | number} shape one of `shapes`, or its index there
   * @param {ShapeLike} by
   * @returns {Shape}
   */
  replaceShape(shape, by) {
    return this.#change('replaceShape', (core) => {
      const added = access.toShape(by, 'replaceShape', 'by')
      const index = this.#indexOf(shape, 'replaceShape: shape')
      putShapes([added], 'replaceShape')
      const { exports } = core.engine
      core.check(exports.body_change_shape(core.pointer, this.id, index), 'replaceShape')
      return { shapes: this.#shapes.map((old, i) => (i === index ? added : old)), result: added }
    })
  }

  /**
   * @param {unknown} shape
   * @param {string} path
   */
  #indexOf(shape, path) {
    const index =
      typeof shape === 'number' ? shape : this.#shapes.indexOf(/** @type {Shape} */ (shape))
    if (Number.isInteger(index) && index >= 0 && index < this.#shapes.length) return index
    throw invalid(path, 'a shape of this body or its index', shape)
  }

  /**
   * @param {string} where
   * @param {() => readonly Shape[]} read
   */
  #replace(where, read) {
    this.#change(where, (core) => {
      const shapes = read()
      putShapes(shapes, where)
      const { exports } = core.engine
      core.check(exports.body_set_shapes(core.pointer, this.id, shapes.length), where)
      return { shapes, result: undefined }
    })
  }

  /**
   * Has the engine change the shapes, and takes them over if it does.
   * @template Result
   * @param {string} where
   * @param {(core: WorldCore) => { shapes: readonly Shape[], result: Result }} change
   * @returns {Result}
   */
  #change(where, change) {
    const core = aliveCore(this, where)
    core.begin(where)
    core.callbacks.checkUnlocked(where)
    const before = this.#shapes
    try {
      const { shapes, result } = change(core)
      this.#shapes = Object.freeze([...shapes])
      core.changeShapes(this, before)
      return result
    } catch (error) {
      access.freeIdleShapes()
      throw error
    }
  }

  /**
   * What it is and how it moves, for logs: what JSON.stringify and console.log show. `world.toJSON` has
   * all of it.
   * @returns {BodySummary}
   */
  toJSON() {
    const { id, isAlive } = this
    if (!isAlive) return { id, isAlive }
    const { type, position, orientation, linearVelocity, angularVelocity, mass, isAwake } = this
    const shapes = this.#shapes.map((shape) => shape.type)
    const { userData } = this
    return {
      ...{
        id,
        type,
        position,
        orientation,
        linearVelocity,
        angularVelocity,
        mass,
        isAwake,
        shapes,
      },
      ...(userData !== undefined && { userData }),
    }
  }

  // --- events -----------------------------------------------------------------------------------

  /**
   * Has a function called after each step, once per event of this body: contacts, sensors (its own,
   * and those that it visits), falling asleep and waking. The last events are those of its end.
   * @template {keyof BodyEvents} Name
   * @param {Name} name
   * @param {(event: BodyEvents[Name]) => void} listener
   * @returns {() => void} ends it
   */
  on(name, listener) {
    const core = aliveCore(this, 'on')
    return listenersOf(core, this).add(core, name, listener, BODY_NAMES)
  }

  /**
   * As `on`, for the next event alone.
   * @template {keyof BodyEvents} Name
   * @param {Name} name
   * @param {(event: BodyEvents[Name]) => void} listener
   * @returns {() => void} ends it
   */
  once(name, listener) {
    const core = aliveCore(this, 'once')
    const listeners = listenersOf(core, this)
    return listeners.addOnce(core, name, listener, BODY_NAMES)
  }

  /**
   * Ends what `on` or `once` began with this listener.
   * @template {keyof BodyEvents} Name
   * @param {Name} name
   * @param {(event: BodyEvents[Name]) => void} listener
   * @returns {boolean} whether it listened
   */
  off(name, listener) {
    const core = aliveCore(this, 'off')
    const listeners = listenersOf(core, this)
    return listeners.remove(core, name, listener, BODY_NAMES)
  }

  // --- contacts, sleep and life ------------------------------------------------------------------------

  /**
   * What the body touches, as the last step left it.
   * @returns {BodyContact[]} one per other body, in a fixed order
   */
  contacts() {
    return contactsOf(aliveCore(this, 'contacts'), this.id)
  }

  /**
   * Puts the body and all that it touches or is joined to asleep, with velocities 0. Anything that
   * touches or changes one of them wakes them. Does nothing to static bodies.
   */
  sleep() {
    const core = aliveCore(this, 'sleep')
    core.check(core.engine.exports.body_sleep(core.pointer, this.id), 'sleep')
  }

  /** Wakes the body and all that fell asleep with it. */
  wake() {
    const core = aliveCore(this, 'wake')
    core.check(core.engine.exports.body_wake(core.pointer, this.id), 'wake')
  }
  /** Takes the body out of its world. Its id never names another body; its slot may be used again. */
  destroy() {
    const core = aliveCore(this, 'destroy')
    core.begin('destroy')
    core.check(core.engine.exports.body_destroy(core.pointer, this.id), 'destroy')
    core.remove(this)
  }
}

/**
 * Adds a body to a world.
 * @param {WorldCore} core
 * @param {unknown} definition a BodyDefinition
 * @param {BodyKept} [kept] of a body that was one before
 * @returns {Body}
 */
export function createBody(core, definition, kept) {
  core.begin('createBody')
  try {
    const { shapes, userData, hasInertia } = reading(definition, 'createBody: definition', () =>
      putBodyDefinition(definition, core.metre, kept),
    )
    const { exports } = core.engine
    const id = exports.body_create(core.pointer)
    const result = exports.last_result()
    // One that was refused for want of memory may have moved the bulk arrays, too.
    core.locate()
    if (id === 0) core.check(result, 'createBody')
    const body = access.makeBody(core, id, shapes, userData)
    core.add(body)
    try {
      adviseBody(core, body)
      if (hasInertia) adviseInertia(core, body, 'createBody')
    } catch {
      // The body is there, though the host's stack is at its end or the user's function threw.
    }
    return body
  } catch (error) {
    access.freeIdleShapes()
    throw error
  }
}

access.createBody = createBody
guard(Body, 'Body')
inspectable(Body, 'Body', (body) => body.toJSON())

/**
 * @param {WorldCore} core
 * @param {Body} body
 * @returns {Listeners<BodyEvents>}
 */
function listenersOf(core, body) {
  const listeners = core.bodyListeners.get(body) ?? new Listeners()
  core.bodyListeners.set(body, listeners)
  return listeners
}
