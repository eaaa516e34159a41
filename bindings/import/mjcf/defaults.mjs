// Default classes of MJCF: what an element has of its class, of the classes that one is in, and of the whole model.

/** @import { Element } from '../xml/element.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */

/** Attributes by name of the element. @typedef {Record<string, Record<string, string>>} Class */

/** The class of the outermost `<default>`. */
const MAIN = 'main'

export class Defaults {
  /** @type {Map<string, Class>} */
  #classes = new Map([[MAIN, {}]])
  #warnings

  /**
   * @param {Element[]} sections the `<default>` sections of the model
   * @param {Warnings} warnings
   */
  constructor(sections, warnings) {
    this.#warnings = warnings
    for (const section of sections) this.#read(section, section.attributes.class ?? MAIN, {})
  }

  /**
   * @param {Element} section
   * @param {string} name
   * @param {Class} outer
   */
  #read(section, name, outer) {
    const before = this.#classes.get(name) ?? {}
    const own = mergeClasses(outer, before)
    const isNested = (/** @type {Element} */ child) => child.name === 'default'
    for (const child of section.children.filter((one) => !isNested(one))) {
      own[child.name] = { ...own[child.name], ...child.attributes }
    }
    this.#classes.set(name, own)
    for (const child of section.children.filter(isNested)) {
      this.#read(child, child.attributes.class ?? MAIN, own)
    }
  }

  /**
   * An element with the attributes of its class where it has none of its own.
   * @param {Element} element
   * @param {string | undefined} childClass that of the body that it is in
   * @param {string} [name] under which defaults are for it
   * @returns {Element}
   */
  apply(element, childClass, name = element.name) {
    const className = element.attributes.class ?? childClass ?? MAIN
    const found = this.#classes.get(className)
    if (found === undefined) {
      this.#warnings.add(`${element.path}/@class`, `there is no default class '${className}'`)
    }
    return { ...element, attributes: { ...found?.[name], ...element.attributes } }
  }
}

/**
 * @param {Class} outer
 * @param {Class} inner
 * @returns {Class}
 */
function mergeClasses(outer, inner) {
  const names = new Set([...Object.keys(outer), ...Object.keys(inner)])
  return Object.fromEntries([...names].map((name) => [name, { ...outer[name], ...inner[name] }]))
}
