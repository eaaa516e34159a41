// Which geoms collide. In MJCF two do if the contype of either has a bit in the conaffinity of the other; in the engine, if the
// category of each has a bit in the mask of the other. So every pair of both numbers that occurs gets a category of its own.

/** @import { ShapeDefinition } from '../../types/index.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Tree } from './bodies.mjs' */

/** Bits of a category. */
const MOST_CLASSES = 32
/** What bodies beside the file have. */
const OTHERS = { contype: 1, conaffinity: 1 }

/** @typedef {{ contype: number, conaffinity: number }} Bits */

/**
 * @param {Bits} a
 * @param {Bits} b
 */
const collide = (a, b) => ((a.contype & b.conaffinity) | (b.contype & a.conaffinity)) !== 0

/**
 * Gives the colliders of a tree their filters.
 * @param {Tree} tree
 * @param {Warnings} warnings
 */
export function setFilters({ links, colliders }, warnings) {
  const keyOf = (/** @type {Bits} */ { contype, conaffinity }) => `${contype} ${conaffinity}`
  /** @type {Map<string, Bits>} */
  const classes = new Map([[keyOf(OTHERS), OTHERS]])
  for (const { bits } of colliders) classes.set(keyOf(bits), bits)
  if (classes.size === 1) return
  if (classes.size > MOST_CLASSES) {
    const message = `${classes.size} different pairs of contype and conaffinity, at most ${MOST_CLASSES} can be told apart: all geoms collide`
    warnings.add('mujoco/worldbody', message)
    return
  }
  const all = [...classes.values()]
  const filterOf = (/** @type {Bits} */ bits) => ({
    category: (1 << [...classes.keys()].indexOf(keyOf(bits))) >>> 0,
    mask: all.reduce(
      (mask, other, i) => (collide(bits, other) ? (mask | (1 << i)) >>> 0 : mask),
      0,
    ),
  })
  /** @type {Map<ShapeDefinition, ShapeDefinition>} */
  const filtered = new Map(
    colliders.map(({ shape, bits }) => [shape, { ...shape, filter: filterOf(bits) }]),
  )
  for (const link of links) link.shapes = link.shapes.map((shape) => filtered.get(shape) ?? shape)
}
