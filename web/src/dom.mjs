/**
 * The few things that the panels need of the document.
 */

/**
 * An element that index.html is known to have.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new Error(`index.html has no ${type.name} #${id}`)
  return element
}

/**
 * A new element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{ className?: string, text?: string, style?: string }} [options]
 * @param {...Node} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, { className, text, style } = {}, ...children) {
  const element = document.createElement(tag)
  if (className) element.className = className
  if (style) element.style.cssText = style
  if (text !== undefined) element.textContent = text
  element.append(...children)
  return element
}

/**
 * Sets an element's text only if it differs: most read-outs stay the same from frame to frame.
 *
 * @param {HTMLElement} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

/** A list of names and values (a `dl`), each value updated in place. */
export class Facts {
  /** @type {Map<string, HTMLElement>} */
  #values = new Map()
  #list

  /** @param {HTMLElement} list a `dl` */
  constructor(list) {
    this.#list = list
  }

  /**
   * @param {string} name
   * @param {string} value
   * @param {string} [className] of the value
   */
  set(name, value, className) {
    let element = this.#values.get(name)
    if (!element) {
      element = make('dd', { className })
      this.#values.set(name, element)
      this.#list.append(make('dt', { text: name }), element)
    }
    setText(element, value)
  }
}
