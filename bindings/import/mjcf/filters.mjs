// Which geoms collide. In MJCF two do if the contype of either has a bit in the conaffinity of the other; in the engine, if the
// category of each has a bit in the mask of the other. So every pair of both numbers that occurs is a class.

import { isObject } from '../../core/arguments.mjs'
import { classFilters, MOST_CLASSES } from '../filters.mjs'

/** @import { Filter, ShapeDefinition } from '../../types/index.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Tree } from './bodies.mjs' */

/** @typedef {{ contype: number, conaffinity: number }} Bits */

/** What bodies beside the file have. @type {Bits} */
const OTHERS = { contype: 1, conaffinity: 1 }

/**
 * @param {Bits} a
 * @param {Bits} b
 */
const collide = (a, b) => ((a.contype & b.conaffinity) | (b.contype & a.conaffinity)) !== 0

const keyOf = (/** @type {Bits} */ { contype, conaffinity }) => `${contype} ${conaffinity}`

/**
 * Gives the colliders of a tree the filters that the file means. A category or mask of the user's stands for them: both have words
 * for the same thing. A group of the user's goes beside them.
 * @param {Tree} tree
 * @param {unknown} wanted the user's filter
 * @param {Warnings} warnings
 */
export function setFilters({ links, colliders }, wanted, warnings) {
  /** @type {Map<string, Bits>} */
  const classes = new Map([[keyOf(OTHERS), OTHERS]])
  for (const { bits } of colliders) classes.set(keyOf(bits), bits)
  if (classes.size === 1) return
  const place = 'mujoco/worldbody'
  const own = isObject(wanted) ? /** @type {Filter} */ (wanted) : {}
  if (own.category !== undefined || own.mask !== undefined) {
    const message =
      'the option body.filter says what collides: contype and conaffinity that are not 1 say so only where both are 0'
    warnings.add(place, message)
    return
  }
  if (classes.size > MOST_CLASSES) {
    const message = `${classes.size} different pairs of contype and conaffinity, at most ${MOST_CLASSES} can be told apart: all geoms collide`
    warnings.add(place, message)
    return
  }
  const all = [...classes.values()]
  const filters = classFilters(all.length, (a, b) => collide(all[a], all[b]))
  const filterOf = new Map([...classes.keys()].map((key, i) => [key, filters[i]]))
  const bitsOf = new Map(colliders.map(({ shape, bits }) => [shape, bits]))
  for (const link of links) {
    const beside = link.isScenery === true || own.group === undefined ? {} : { group: own.group }
    link.shapes = link.shapes.map((shape) => {
      const bits = bitsOf.get(shape)
      return bits === undefined ? shape : filtered(shape, filterOf.get(keyOf(bits)), beside)
    })
  }
}

/**
 * @param {ShapeDefinition} shape
 * @param {Filter | undefined} filter
 * @param {Partial<Filter>} beside
 * @returns {ShapeDefinition}
 */
const filtered = (shape, filter, beside) => ({ ...shape, filter: { ...filter, ...beside } })
