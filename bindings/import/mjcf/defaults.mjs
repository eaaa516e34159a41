// Default classes of MJCF: what an element has of its class, of the classes that one is in, and of the whole model.

import { describe } from '../../core/describe.mjs'
import { refuse } from '../xml/place.mjs'

/** @import { Element } from '../xml/element.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */

/** Attributes by name of the element. @typedef {Map<string, Readonly<Record<string, string>>>} Class */

/** The class of the outermost `<default>`. */
const MAIN = 'main'

export class Defaults {
  /** @type {Map<string, Class>} */
  #classes = new Map([[MAIN, new Map()]])
  #warnings

  /**
   * @param {readonly Element[]} sections the `<default>` sections of the model
   * @param {Warnings} warnings
   * @param {string} where the call
   */
  constructor(sections, warnings, where) {
    this.#warnings = warnings
    for (const section of sections) this.#readSection(section, where)
  }

  /**
   * A section of the model and those in it, outer ones first.
   * @param {Element} root
   * @param {string} where
   */
  #readSection(root, where) {
    /** @type {{ section: Element, name: string, outer: Class }[]} */
    const open = [{ section: root, name: root.attributes.class ?? MAIN, outer: new Map() }]
    for (const { section, name, outer } of open) {
      if (section !== root && this.#classes.has(name)) {
        throw refuse(where, section, `a default class ${describe(name)} is there already`)
      }
      const own = mergeClasses(outer, this.#classes.get(name) ?? new Map())
      for (const child of section.children) {
        if (child.name === 'default') continue
        own.set(child.name, merge(own.get(child.name), child.attributes))
      }
      this.#classes.set(name, own)
      for (const child of section.children) {
        if (child.name !== 'default') continue
        const { class: inner } = child.attributes
        if (inner !== undefined) open.push({ section: child, name: inner, outer: own })
        else this.#warnings.add(child, 'a <default> in another one must have a class: left out')
      }
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
      const message = `there is no default class ${describe(className)}`
      this.#warnings.add(element, message, 'class')
    }
    return { ...element, attributes: merge(found?.get(name), element.attributes) }
  }
}

/**
 * @param {Readonly<Record<string, string>> | undefined} outer
 * @param {Readonly<Record<string, string>>} inner
 * @returns {Readonly<Record<string, string>>} that inherits nothing
 */
const merge = (outer, inner) => Object.assign(Object.create(null), outer, inner)

/**
 * @param {Class} outer
 * @param {Class} inner
 * @returns {Class}
 */
function mergeClasses(outer, inner) {
  const names = new Set([...outer.keys(), ...inner.keys()])
  return new Map([...names].map((name) => [name, merge(outer.get(name), inner.get(name) ?? {})]))
}
