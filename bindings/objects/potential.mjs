import { access } from '../core/access.mjs'
import { MoreauError } from '../core/errors.mjs'
import { close, guard } from '../core/guard.mjs'
import { inspectable } from '../core/inspect.mjs'
import { WorldCore } from '../core/world-core.mjs'
import { putPotentialChanges } from '../definitions/potential-definition.mjs'
import * as WRENCH from '../generated/places/wrench.mjs'

/** @import { Body } from './body.mjs' */
/** @import { PotentialMaking } from '../definitions/potential-definition.mjs' */
/** @import { PotentialChanges, PotentialSummary, PotentialType, Vector } from '../types/index.mjs' */
/** @import { World } from './world.mjs' */

/** @type {(core: WorldCore, id: number, making: PotentialMaking) => Potential} */
export let makePotential

/**
 * A field or spring that acts on dynamic bodies. Made by `world.createPotential`. After `destroy()` or
 * after the world was freed, everything but `id`, `type`, `typeName`, `world`, `bodies`, `userData` and
 * `isAlive` throws `stale-handle`. Bodies that are destroyed leave it; a spring that lost a body pulls no more.
 */
export class Potential {
  #core
  #id
  #making

  /**
   * Anything; Moreau does not look at it.
   * @type {unknown}
   */
  userData

  static {
    // By `this`: bundlers rename a class that names itself.
    const Type = this
    makePotential = (core, id, making) => close(new Type(core, id, making))
    access.makePotential = makePotential
    access.potentialMaking = (potential) => potential.#making
    access.setMeasures = (potential, measures) => {
      potential.#making = { ...potential.#making, measures }
    }
  }

  /**
   * @private
   * @param {WorldCore} core
   * @param {number} id
   * @param {PotentialMaking} making
   */
  constructor(core, id, making) {
    if (!(core instanceof WorldCore)) {
      throw new MoreauError('invalid-argument', 'potentials are made by world.createPotential')
    }
    this.#core = core
    this.#id = id
    this.#making = making
    this.userData = making.userData
  }

  /**
   * Names it for good: an id never comes back, but by `world.restore`.
   * @returns {number}
   */
  get id() {
    return this.#id
  }

  /** @returns {World} */
  get world() {
    return this.#core.world
  }

  /** @returns {PotentialType} */
  get type() {
    return this.#making.type
  }

  /** @returns {string} the type, or the name that a custom potential was given */
  get typeName() {
    return this.#making.typeName
  }

  /** @returns {readonly Body[] | null} the bodies that it was made for; null: all dynamic ones */
  get bodies() {
    return this.#making.bodies
  }

  /**
   * What it is, for logs: what JSON.stringify and console.log show. `world.toJSON` has all of it.
   * @returns {PotentialSummary}
   */
  toJSON() {
    const { id, type, typeName, isAlive } = this
    const bodies = this.bodies?.map((body) => body.id)
    return {
      ...{ id, type },
      ...(typeName !== type && { typeName }),
      ...(bodies && { bodies }),
      ...(!isAlive && { isAlive }),
    }
  }

  /** @returns {boolean} */
  get isAlive() {
    return this.#core.potentials.has(this)
  }

  /**
   * Its energy at present over all of its bodies; 0 for drag, and for the damping of a spring.
   * @returns {number} J
   * @throws {MoreauError} `potential-failed`
   */
  energy() {
    const core = this.#alive('energy')
    const { exports } = core.engine
    const { pointer } = core
    core.callBack(() => exports.potential_get_energy(pointer, this.#id), 'energy')
    return core.engine.at(0)
  }

  /**
   * Its force on a body at present, through the centre of mass.
   * @param {Body} body
   * @returns {Vector} N, world; zero where it does not act
   * @throws {MoreauError} `potential-failed`
   */
  force(body) {
    return this.#wrench('force', body, WRENCH.force)
  }

  /**
   * Its torque on a body at present, about the centre of mass.
   * @param {Body} body
   * @returns {Vector} N m, world; zero where it does not act
   * @throws {MoreauError} `potential-failed`
   */
  torque(body) {
    return this.#wrench('torque', body, WRENCH.torque)
  }

  /**
   * Changes options of its definition, from the next step on; the others stay. Bodies and functions
   * cannot change. The bodies that it acts on wake. A wave is a surface that moves in every step.
   * @param {PotentialChanges} changes
   * @throws {MoreauError} `invalid-argument`; nothing is changed then
   *
   * @example
   * water.update({ surface: { normal: [0, 1, 0], offset: 0.2 * Math.sin(world.time) } })
   */
  update(changes) {
    const core = this.#alive('update')
    core.begin('update')
    core.callbacks.checkUnlocked('update')
    const measures = putPotentialChanges(core, this.#making, changes)
    core.check(core.engine.exports.potential_set_def(core.pointer, this.#id), 'update')
    this.#making = { ...this.#making, measures }
    core.version++
  }

  /** Removes it from its world. */
  destroy() {
    const core = this.#alive('destroy')
    core.begin('destroy')
    core.check(core.engine.exports.potential_destroy(core.pointer, this.#id), 'destroy')
    core.removePotential(this)
  }

  /**
   * @param {string} where
   * @returns {WorldCore}
   */
  #alive(where) {
    const core = this.#core
    core.alive(where)
    if (core.potentials.has(this)) return core
    const message = `${where}: potential '${this.type}' (id ${this.#id}) was destroyed`
    throw new MoreauError('stale-handle', message)
  }

  /**
   * @param {string} where
   * @param {Body} body
   * @param {number} at
   * @returns {Vector}
   */
  #wrench(where, body, at) {
    const core = this.#alive(where)
    const { id } = core.own(body, `${where}: body`)
    const { engine } = core
    const { pointer } = core
    const call = () => engine.exports.potential_get_wrench(pointer, this.#id, id)
    core.callBack(call, where)
    return [engine.at(at), engine.at(at + 1), engine.at(at + 2)]
  }
}

guard(Potential, 'Potential')
inspectable(Potential, 'Potential', (potential) => potential.toJSON())
