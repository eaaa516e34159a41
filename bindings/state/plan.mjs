import { access } from '../core/access.mjs'
import { KIND } from '../core/callbacks.mjs'
import { MoreauError } from '../core/errors.mjs'
import { AssetReader } from '../scene/assets.mjs'
import { ShapeReader } from '../scene/read-shapes.mjs'
import { fromPlain } from '../scene/values.mjs'
import { badSnapshot } from './frame.mjs'
import { makeConstraintOf, makePotentialOf } from './make.mjs'
import { rostersOf } from './roster.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Character } from '../objects/character.mjs' */
/** @import { Constraint } from '../objects/constraint.mjs' */
/** @import { Potential } from '../objects/potential.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { CustomFunctions } from '../definitions/constraint-definition.mjs' */
/** @import { PotentialMaking } from '../definitions/potential-definition.mjs' */
/** @import { Restoring } from '../types/index.mjs' */
/** @import { Kind } from '../core/lives.mjs' */
/** @import { BodyRow } from './roster.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/** Words of a function of the user for the engine: which kind, slot, handle, which there are. */
export const FUNCTION_WORDS = 4

/**
 * The objects that a world is to have after a snapshot: those of the user's by their ids, others made
 * anew. Making the plan changes nothing of the world but for handles of functions, which `drop` takes
 * back.
 */
export class Plan {
  #core
  #options
  /** Handles that the plan made. @type {[kind: number, handle: number][]} */
  #handles = []
  /** Those that live now, by id. @type {Map<number, Constraint>} */
  #livingConstraints
  /** @type {Map<number, Potential>} */
  #livingPotentials
  /** What potentials are to have. @type {[Potential, PotentialMaking['measures']][]} */
  #measures = []
  /** For the engine. @type {number[]} */
  functions = []
  /** @type {Map<number, { body: Body, shapes: readonly Shape[] }>} */
  bodies = new Map()
  #find = {
    body: (/** @type {number} */ id) => this.#body(id),
    constraint: (/** @type {number} */ id) => this.constraints.get(id)?.[0],
  }
  /** With the handles of their functions. @type {Map<number, [Constraint, number | undefined]>} */
  constraints = new Map()
  /** Likewise. @type {Map<number, [Potential, number | undefined]>} */
  potentials = new Map()
  /** Of those that this world has. @type {Map<Character, Shape>} */
  characters = new Map()
  /** The timelines of bodies, constraints and potentials. @type {{ kind: Kind, object: { id: number }, timeline: number }[]} */
  lives = []

  /**
   * @param {WorldCore} core
   * @param {any} roster
   * @param {Record<string, unknown>} assets of shapes that are not known here
   * @param {Restoring} options
   */
  constructor(core, roster, assets, options) {
    this.#core = core
    this.#options = options
    this.#livingConstraints = byId(core.constraints.keys())
    this.#livingPotentials = byId(core.potentials.keys())
    try {
      const shapes = planShapes(core, roster.shapes, assets)
      for (const row of roster.bodies) this.#addBodies(row, shapes)
      for (const row of roster.constraints) this.#addConstraint(row)
      for (const row of roster.potentials) this.#addPotential(row)
      for (const [id, number] of roster.characters) this.#addCharacter(id, shapes[number])
    } catch (cause) {
      this.drop()
      if (cause instanceof MoreauError && ['out-of-memory', 'bad-snapshot'].includes(cause.code)) {
        throw cause
      }
      const why = cause instanceof Error ? cause.message : String(cause)
      throw badSnapshot(`restore: bytes: their roster cannot be used: ${why}`, { cause })
    }
  }

  /** Gives back what the plan took: it is not carried out. */
  drop() {
    for (const [kind, handle] of this.#handles) this.#core.callbacks.remove(kind, handle)
    this.#handles = []
    access.freeIdleShapes()
  }

  /** The engine has made what was planned: its potentials have these measures. */
  finish() {
    for (const [potential, measures] of this.#measures) access.setMeasures(potential, measures)
  }

  /**
   * Whether the object with the name of a row is what the row describes: another world has given the
   * same names to others.
   * @param {Constraint | Potential | undefined} known
   * @param {any} row
   */
  #isThat(known, row) {
    if (known === undefined || known.id !== row.id) return false
    const { type, typeName, bodies } = known
    const wanted = row.bodies?.map((/** @type {number} */ id) => this.#body(id))
    return (
      type === row.type &&
      typeName === row.typeName &&
      bodies?.length === wanted?.length &&
      (bodies ?? []).every((body, i) => body === wanted[i])
    )
  }

  /**
   * @param {BodyRow} row
   * @param {readonly Shape[]} shapes
   */
  #addBodies([first, timeline, numbers], shapes) {
    const core = this.#core
    for (const [i, list] of numbers.entries()) {
      const id = first + i
      const own = Object.freeze([list].flat().map((number) => shapes[number]))
      const known = /** @type {Body | undefined} */ (
        core.lives.find('body', id, timeline, core.find(id))
      )
      const body = known ?? access.makeBody(core, id, own, undefined)
      this.bodies.set(id, { body, shapes: own })
      this.lives.push({ kind: 'body', object: body, timeline })
    }
  }

  /** @param {number} id @returns {Body | null} */
  #body(id) {
    return this.bodies.get(id)?.body ?? null
  }

  /** @param {any} row */
  #addConstraint(row) {
    const core = this.#core
    const { id, timeline } = row
    const living = this.#livingConstraints.get(id)
    const known = /** @type {Constraint} */ (core.lives.find('constraint', id, timeline, living))
    const constraint = this.#isThat(known, row)
      ? known
      : makeConstraintOf(core, row, this.#find, this.#options, 'restore')
    this.lives.push({ kind: 'constraint', object: constraint, timeline })
    const { functions } = access.constraintMaking(constraint).making
    this.constraints.set(row.id, [
      constraint,
      functions && this.#give(KIND.constraint, row.id, functions, core.constraints.get(constraint)),
    ])
  }

  /** @param {any} row */
  #addPotential(row) {
    const core = this.#core
    const { id, timeline } = row
    const living = this.#livingPotentials.get(id)
    const known = /** @type {Potential} */ (core.lives.find('potential', id, timeline, living))
    const potential = this.#isThat(known, row)
      ? known
      : makePotentialOf(core, row, this.#find, this.#options, 'restore')
    this.lives.push({ kind: 'potential', object: potential, timeline })
    this.#measures.push([potential, /** @type {any} */ (fromPlain(row.measures, 'potentials'))])
    const { functions } = access.potentialMaking(potential)
    this.potentials.set(row.id, [
      potential,
      functions && this.#give(KIND.potential, row.id, functions, core.potentials.get(potential)),
    ])
  }

  /** @param {number} id @param {Shape} shape */
  #addCharacter(id, shape) {
    const character = this.#core.controls.characters.get(id)
    if (character) this.characters.set(character, shape)
  }

  /**
   * Notes functions for the engine.
   * @param {number} kind
   * @param {number} id
   * @param {CustomFunctions} custom
   * @param {number | undefined} present the handle that they have now
   * @returns {number} their handle
   */
  #give(kind, id, custom, present) {
    const handle = present ?? this.#core.callbacks.add(kind, custom.make)
    if (present === undefined) this.#handles.push([kind, handle])
    const isPotential = kind === KIND.potential ? 1 : 0
    this.functions.push(isPotential, (id % 2 ** 32) - 1, handle, custom.has)
    return handle
  }
}

/**
 * Shapes by their texts: those that bodies have, and others made anew.
 * @param {WorldCore} core
 * @param {string[]} texts
 * @param {Record<string, unknown>} assets
 * @returns {Shape[]}
 */
function planShapes(core, texts, assets) {
  /** @type {Map<string, Shape>} */
  const known = new Map()
  const rosters = rostersOf(core)
  for (const shape of core.heldShapes.values()) known.set(rosters.textOf(shape), shape)
  for (const body of core.living) {
    for (const shape of body.shapes) known.set(rosters.textOf(shape), shape)
  }
  const reader = new ShapeReader(new AssetReader({ ...rosters.assets(), ...assets }, undefined))
  return texts.map((text, i) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const definition = reader.read(JSON.parse(text), `shapes[${i}]`)
    return access.toShape(definition, 'restore', `shapes[${i}]`)
  })
}

/**
 * @template {{ id: number }} Kept
 * @param {Iterable<Kept>} objects
 * @returns {Map<number, Kept>}
 */
function byId(objects) {
  return new Map(Array.from(objects, (object) => [object.id, object]))
}
