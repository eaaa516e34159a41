import { access } from '../core/access.mjs'
import { AssetWriter } from '../scene/assets.mjs'
import { toPlain } from '../scene/values.mjs'
import { customPart } from '../scene/write-constraints.mjs'
import { writeDefinition } from '../scene/write-shapes.mjs'
import { encodeRoster } from './frame.mjs'

/** @import { Constraint } from '../objects/constraint.mjs' */
/** @import { Potential } from '../objects/potential.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */
/** @import { Roster } from './frame.mjs' */

// Who lives in a world, as JavaScript knows it: the engine has their state. Objects of the user's are
// found again by their ids, and what is not known here is made from the roster.

/** @type {WeakMap<WorldCore, RosterWriter>} */
const writers = new WeakMap()

/**
 * What writes the rosters of a world. From the first one on the world keeps what is gone.
 * @param {WorldCore} core
 * @returns {RosterWriter}
 */
export function rostersOf(core) {
  let writer = writers.get(core)
  if (writer === undefined) {
    writer = new RosterWriter(core)
    writers.set(core, writer)
    core.hasSnapshots = true
  }
  return writer
}

/** Writes the roster of a world. */
class RosterWriter {
  #core
  /** By shape: they never change. @type {WeakMap<Shape, string>} */
  #texts = new WeakMap()
  #assets = new AssetWriter()
  /** With assets and without, and of which `core.version`. @type {{ version: number, whole: Roster, bare: Roster } | undefined} */
  #encoded

  /** @param {WorldCore} core */
  constructor(core) {
    this.#core = core
  }

  /** The rosters of now. */
  encoded() {
    const { version } = this.#core
    if (this.#encoded?.version !== version) {
      const roster = this.#roster()
      const assets = this.#assets.table()
      this.#encoded = {
        version,
        whole: encodeRoster(JSON.stringify({ ...roster, assets })),
        bare: encodeRoster(JSON.stringify(roster)),
      }
    }
    return this.#encoded
  }

  /** @returns {Record<string, unknown>} the assets of all shapes that a roster had so far */
  assets() {
    this.#roster()
    return this.#assets.table()
  }

  #roster() {
    /** @type {Map<string, number>} */
    const shapes = new Map()
    const numberOf = (/** @type {Shape} */ shape) => {
      const text = this.textOf(shape)
      const number = shapes.get(text) ?? shapes.size
      shapes.set(text, number)
      return number
    }
    const core = this.#core
    return {
      bodies: [...core.living].map((body) => [body.id, body.shapes.map(numberOf)]),
      constraints: [...core.constraints.keys()].map(writeConstraint),
      potentials: [...core.potentials.keys()].map(writePotential),
      shapes: [...shapes.keys()],
    }
  }

  /**
   * A shape as it was made, with the names of its assets.
   * @param {Shape} shape
   * @returns {string}
   */
  textOf(shape) {
    let text = this.#texts.get(shape)
    if (text === undefined) {
      text = JSON.stringify(toPlain(writeDefinition(shape, this.#assets)))
      this.#texts.set(shape, text)
    }
    return text
  }
}

/** @param {{ id: number } | null} one */
const idOf = (one) => one?.id ?? 0

/** @param {Constraint} constraint @returns {Record<string, unknown>} */
export function writeConstraint(constraint) {
  const { id, making } = access.constraintMaking(constraint)
  const { type, isJoint, typeName, bodyA, bodyB, bodies, joints = [] } = making
  return {
    ...{ id, type, isJoint, typeName },
    custom: type === 'custom' ? toPlain(customPart(making)) : undefined,
    ...{ bodyA: idOf(bodyA), bodyB: idOf(bodyB), bodies: bodies.map(idOf) },
    joints: joints.map(idOf),
  }
}

/** @param {Potential} potential @returns {Record<string, unknown>} */
export function writePotential(potential) {
  const { type, typeName, bodies, measures } = access.potentialMaking(potential)
  const acting = bodies && bodies.map(idOf)
  return { id: potential.id, type, typeName, bodies: acting, measures: toPlain(measures) }
}
