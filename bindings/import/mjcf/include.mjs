import { parseXml } from '../xml/element.mjs'

/** @import { Loader } from '../meshes.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */

/** Files within files within files. */
const DEEPEST = 16

/**
 * Puts what `<include file>` names in its place, as the user's loader gives it.
 * @param {Element} element
 * @param {Loader | undefined} loader
 * @param {Warnings} warnings
 * @param {string} where
 * @param {number} [depth]
 * @returns {Promise<Element>}
 */
export async function include(element, loader, warnings, where, depth = 0) {
  /** @type {Element[]} */
  const children = []
  for (const child of element.children) {
    if (child.name === 'include')
      children.push(...(await included(child, loader, warnings, where, depth)))
    else children.push(await include(child, loader, warnings, where, depth))
  }
  return { ...element, children }
}

/**
 * @param {Element} element
 * @param {Loader | undefined} loader
 * @param {Warnings} warnings
 * @param {string} where
 * @param {number} depth
 * @returns {Promise<readonly Element[]>}
 */
async function included(element, loader, warnings, where, depth) {
  const { file = '' } = element.attributes
  const text = loader === undefined || depth >= DEEPEST ? undefined : await loader(file)
  if (typeof text !== 'string') {
    const why = loader === undefined ? 'there is no loader' : 'the loader gave no text'
    warnings.add(element.path, `'${file}' is not included: ${why}`)
    return []
  }
  const root = await include(
    await parseXml(text, `${where}: ${file}`),
    loader,
    warnings,
    where,
    depth + 1,
  )
  return root.children
}
