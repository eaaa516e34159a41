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
    core.lives.hasSnapshots = true
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
      bodies: writeBodies(core, numberOf),
      constraints: [...core.constraints.keys()].map((one) => writeConstraint(core, one)),
      potentials: [...core.potentials.keys()].map((one) => writePotential(core, one)),
      characters: [...core.controls.characters].map(([id, one]) => [id, numberOf(one.shape)]),
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

/**
 * Bodies of one timeline whose ids follow each other: the first id, the timeline, and of each the
 * number of its shape, or of its shapes.
 * @typedef {[id: number, timeline: number, shapes: (number | number[])[]]} BodyRow
 */

/**
 * @param {WorldCore} core
 * @param {(shape: Shape) => number} numberOf
 */
function writeBodies(core, numberOf) {
  /** @type {BodyRow[]} */
  const rows = []
  for (const body of core.living) {
    const [timeline, numbers] = [core.lives.timelineOf(body), body.shapes.map(numberOf)]
    const shapes = numbers.length === 1 ? numbers[0] : numbers
    const [id, before, list] = rows.at(-1) ?? [0, 0, []]
    if (body.id === id + list.length && timeline === before) list.push(shapes)
    else rows.push([body.id, timeline, [shapes]])
  }
  return rows
}

/** @param {{ id: number } | null} one */
const idOf = (one) => one?.id ?? 0

/** @param {WorldCore} core @param {Constraint} constraint @returns {Record<string, unknown>} */
export function writeConstraint(core, constraint) {
  const { id, making } = access.constraintMaking(constraint)
  const { type, isJoint, typeName, bodyA, bodyB, bodies, joints = [] } = making
  return {
    ...{ id, timeline: core.lives.timelineOf(constraint), type, isJoint, typeName },
    custom: type === 'custom' ? toPlain(customPart(making)) : undefined,
    ...{ bodyA: idOf(bodyA), bodyB: idOf(bodyB), bodies: bodies.map(idOf) },
    joints: joints.map(idOf),
  }
}

/** @param {WorldCore} core @param {Potential} potential @returns {Record<string, unknown>} */
export function writePotential(core, potential) {
  const { type, typeName, bodies, measures } = access.potentialMaking(potential)
  const acting = bodies && bodies.map(idOf)
  const timeline = core.lives.timelineOf(potential)
  return { id: potential.id, timeline, type, typeName, bodies: acting, measures: toPlain(measures) }
}
