// Which geoms collide. In MJCF two do if the contype of either has a bit in the conaffinity of the other; in the engine, if the
// category of each has a bit in the mask of the other. So every pair of both numbers that occurs is a class.

import { classFilters, MOST_CLASSES } from '../filters.mjs'

/** @import { ShapeDefinition } from '../../types/index.mjs' */
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
 * Gives the colliders of a tree their filters.
 * @param {Tree} tree
 * @param {Warnings} warnings
 */
export function setFilters({ links, colliders }, warnings) {
  /** @type {Map<string, Bits>} */
  const classes = new Map([[keyOf(OTHERS), OTHERS]])
  for (const { bits } of colliders) classes.set(keyOf(bits), bits)
  if (classes.size === 1) return
  if (classes.size > MOST_CLASSES) {
    const message = `${classes.size} different pairs of contype and conaffinity, at most ${MOST_CLASSES} can be told apart: all geoms collide`
    warnings.add('mujoco/worldbody', message)
    return
  }
  const [keys, all] = [[...classes.keys()], [...classes.values()]]
  const filters = classFilters(all.length, (a, b) => collide(all[a], all[b]))
  /** @type {Map<ShapeDefinition, ShapeDefinition>} */
  const filtered = new Map(
    colliders.map(({ shape, bits }) => [
      shape,
      { ...shape, filter: filters[keys.indexOf(keyOf(bits))] },
    ]),
  )
  for (const link of links) link.shapes = link.shapes.map((shape) => filtered.get(shape) ?? shape)
}
