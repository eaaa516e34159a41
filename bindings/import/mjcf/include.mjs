import { describe } from '../../core/describe.mjs'
import { load } from '../meshes.mjs'
import { parseXml } from '../xml/element.mjs'
import { refuse } from '../xml/place.mjs'
import { warnOfOthers } from '../xml/reader.mjs'

/** @import { Loading } from '../meshes.mjs' */
/** @import { Element } from '../xml/element.mjs' */

/** Files within files within files. */
const DEEPEST = 16
/** Files in all: with two in each, sixteen deep, there would be 65,536. */
const MOST_FILES = 1000

/** An element whose children are put together. @typedef {Element & { children: Element[] }} Open */
/** Children that are still to be looked at, in how many files, and where they go. @typedef {{ list: readonly Element[], at: number, depth: number, into: Open }} Task */

/**
 * Puts what `<include file>` names in its place, as the user's loader gives it.
 * @param {Element} root
 * @param {Loading} loading
 * @returns {Promise<Element>}
 */
export async function include(root, loading) {
  /** @type {Open} */
  const whole = { ...root, children: [] }
  /** @type {Task[]} */
  const tasks = [{ list: root.children, at: 0, depth: 0, into: whole }]
  let files = 0
  for (let task = tasks.at(-1); task !== undefined; task = tasks.at(-1)) {
    const { list, at, depth, into } = task
    if (at === list.length) {
      tasks.pop()
      continue
    }
    task.at++
    const child = list[at]
    if (child.name === 'include') {
      if (++files > MOST_FILES) {
        throw refuse(loading.where, child, `more than ${MOST_FILES} files are included`)
      }
      const inner = await included(child, depth, loading)
      tasks.push({ list: inner, at: 0, depth: depth + 1, into })
      continue
    }
    /** @type {Open} */
    const copy = { ...child, children: [] }
    into.children.push(copy)
    tasks.push({ list: child.children, at: 0, depth, into: copy })
  }
  return whole
}

/**
 * @param {Element} element
 * @param {number} depth
 * @param {Loading} loading
 * @returns {Promise<readonly Element[]>}
 */
async function included(element, depth, loading) {
  const { where, loader, warnings } = loading
  warnOfOthers(element, { attributes: ['file'] }, warnings)
  const { file = '' } = element.attributes
  if (depth >= DEEPEST) {
    throw refuse(where, element, `files are included more than ${DEEPEST} deep`)
  }
  const text = await load(file, element, loading)
  if (typeof text !== 'string') {
    const why = loader === undefined ? 'there is no loader' : 'the loader gave no text'
    warnings.add(element, `${describe(file)} is not included: ${why}`)
    return []
  }
  return parseXml(text, where, { file, path: element.path }).children
}
