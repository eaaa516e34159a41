import { MoreauError } from './errors.mjs'
import { insteadOfMethod, isOtherName, ownName } from './other-names.mjs'
import { misspelt, similar } from './spelling.mjs'

// Misspelt properties. JavaScript makes a property of whatever is assigned to, so that
// `body.postion = [0, 1, 0]` would move nothing and say nothing. Objects of guarded classes refuse it.
// They refuse what other engines call their properties, too, with what it is called here. Of what is read they refuse
// that and words that are a letter or two away from a property; other names are undefined, as everywhere: libraries ask
// any object for `then`, `toJSON` or `nodeType`.

/** @type {WeakMap<Function, string>} */
const guarded = new WeakMap()

/** Of each class, which names were read that it has not, and whether they are mistakes. @type {WeakMap<Function, Map<string, boolean>>} */
const readNames = new WeakMap()
/** More names than that are not mistyped but looked up. */
const MOST_NAMES = 1000

/**
 * What stands above all guarded classes. A property that exists is found before it, so that it costs
 * what it did.
 */
const GUARD = new Proxy(Object.create(Object.prototype), {
  get(target, key, receiver) {
    if (typeof key === 'string' && isMistake(receiver, key)) throw unknown(receiver, key)
    return Reflect.get(target, key, receiver)
  },
  set(target, key, value, receiver) {
    // A class that the user derived has properties of its own, which its constructor makes.
    if (!Object.isExtensible(receiver)) throw unknown(receiver, String(key))
    return Reflect.set(target, key, value, receiver)
  },
})

/**
 * Guards a class and those that it extends. Who makes its objects has to `close` them.
 * @param {Function & { prototype: object }} type a class
 * @param {string} name of the class, since bundlers rename classes
 */
export function guard(type, name) {
  guarded.set(type, name)
  let root = type.prototype
  while (![Object.prototype, GUARD].includes(Object.getPrototypeOf(root))) {
    root = Object.getPrototypeOf(root)
  }
  Object.setPrototypeOf(root, GUARD)
}

/**
 * Has an object refuse new properties from now on, unless it is of a class that the user derived.
 *
 * All that it is lies in private fields, which comparisons by content (`assert.deepEqual`, `toEqual`) do not see: they
 * would take any two for equal. So each object has a value that no other one has.
 * @template {object} T
 * @param {T} object
 * @returns {T} `object`
 */
export function close(object) {
  Object.defineProperty(object, 'identity', {
    ...{ value: Symbol('identity'), enumerable: true, configurable: true },
  })
  return guarded.has(object.constructor) ? Object.preventExtensions(object) : object
}

/**
 * Whether a name that is read is a mistake. What it costs to find out is paid once for each name.
 * @param {object} object
 * @param {string} key that it has not
 * @returns {boolean}
 */
function isMistake(object, key) {
  // Classes of the user, and prototypes, may get properties yet.
  if (Object.isExtensible(object)) return isKnownMistake(object, key)
  const names = readNames.get(object.constructor) ?? new Map()
  if (names.size === 0) readNames.set(object.constructor, names)
  const known = names.get(key)
  if (known !== undefined) return known
  const is = isKnownMistake(object, key) || misspelt(key, propertiesOf(object)) !== undefined
  if (names.size < MOST_NAMES) names.set(key, is)
  return is
}

/**
 * @param {object} object
 * @param {string} key that it has not
 */
const isKnownMistake = (object, key) =>
  insteadOfMethod(key) !== undefined ||
  (isOtherName(key) && ownName(key, propertiesOf(object)) !== undefined)

/**
 * @param {object} object
 * @param {string} key
 */
function unknown(object, key) {
  const known = propertiesOf(object)
  const near = ownName(key, known) ?? similar(key, known)[0]
  const other = near === undefined ? 'data of your own goes to userData' : `did you mean '${near}'?`
  const advice = insteadOfMethod(key) ?? other
  const message = `${nameOf(object)} has no property '${key}'; ${advice}`
  return new MoreauError('invalid-argument', message)
}

/** @param {object} object */
function nameOf(object) {
  let type = object.constructor
  while (typeof type === 'function' && !guarded.has(type)) type = Object.getPrototypeOf(type)
  return guarded.get(type) ?? 'the object'
}

/** @param {object} object */
function propertiesOf(object) {
  const names = new Set(Object.keys(object))
  for (let at = Object.getPrototypeOf(object); at !== GUARD; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name)
  }
  names.delete('constructor')
  names.delete('identity')
  return [...names]
}
