// How objects show themselves: `console.log(body)` in Node, and as text everywhere.

/** What Node asks an object for when it prints it; other hosts have no such thing. */
const NODE_INSPECT = Symbol.for('nodejs.util.inspect.custom')

/** @typedef {(value: unknown, options: object) => string} Inspect */

/** Under which classes of every copy of the module have their names. */
const NAME = Symbol.for('moreau.class')

/** The prototypes of classes of this copy. @type {WeakSet<object>} */
const prototypes = new WeakSet()

/**
 * An object of Moreau, in one line. A program that has the module twice, by `import` and by `require` for
 * instance, is told so: objects of one are nothing to the other.
 * @param {object} value
 * @returns {string | undefined} undefined if it is of no class of Moreau
 */
export function summaryOf(value) {
  if (prototypes.has(Object.getPrototypeOf(value))) return String(value)
  const name = /** @type {Record<symbol, unknown>} */ (value)[NAME]
  return typeof name === 'string' ? `a ${name} of another copy of the module` : undefined
}

/**
 * Has objects of a class print what they are, in place of what they are made of.
 * @template {object} T
 * @param {{ prototype: T }} type a class
 * @param {string} name of the class, since bundlers rename classes
 * @param {(object: T) => Readonly<Record<string, unknown>>} summarize what is worth to be seen; must not throw
 */
export function inspectable(type, name, summarize) {
  prototypes.add(type.prototype)
  /**
   * @this {T}
   * @param {number} depth
   * @param {object} options
   * @param {Inspect} inspect
   */
  function nodeInspect(depth, options, inspect) {
    if (depth < 0) return `[${name}]`
    return `${name} ${inspect({ ...summarize(this) }, options)}`
  }
  /** @this {T} */
  function toString() {
    return `${name} ${JSON.stringify(summarize(this))}`
  }
  for (const [key, value] of /** @type {const} */ ([
    [NODE_INSPECT, nodeInspect],
    ['toString', toString],
    [NAME, name],
  ])) {
    Object.defineProperty(type.prototype, key, { value, writable: true, configurable: true })
  }
}
