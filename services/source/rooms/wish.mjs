import { RoomRefusal } from './host.mjs'

/**
 * What a client says of the room that it wants, or of itself. Whether there is such a scene, and such a player, the room decides.
 * @typedef {{ scene?: string, mode?: string, options?: object, token?: string, nextEvent?: number }} Wish
 */

/** How deep the options of a scene may be nested. */
const MOST_DEPTH = 16
/** Characters of a name, and of a token. */
const MOST_TEXT = 64
/** Names by which an object that is copied could reach what all objects share. */
const SHARED = ['__proto__', 'constructor', 'prototype']

/** @param {string} message */
const rules = (message) => new RoomRefusal('rules', message)

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param {unknown} value */
const isText = (value) => typeof value === 'string' && value.length <= MOST_TEXT

/** What there may be in a wish: each is right, or refused by a sentence. @type {Record<string, (value: unknown) => RoomRefusal | undefined>} */
const FIELDS = {
  scene: (value) => (isText(value) ? undefined : rules('scene must be the name of a scene')),
  mode: (value) => (isText(value) ? undefined : rules('mode must be the name of a mode')),
  options: (value) => (isObject(value) ? undefined : rules('options must be an object')),
  token: (value) =>
    isText(value)
      ? undefined
      : new RoomRefusal('forged-token', 'no player of this room has this token'),
  nextEvent: (value) =>
    Number.isSafeInteger(value) && Number(value) >= 0
      ? undefined
      : rules('nextEvent must be a whole number, 0 or more'),
}

/**
 * @param {Uint8Array} body as it came over the wire; none is an empty wish
 * @returns {Wish} what is known of it
 * @throws {RoomRefusal}
 */
export function readWish(body) {
  const value = body.length === 0 ? {} : parse(new TextDecoder().decode(body))
  if (!isObject(value)) throw rules('the body must be an object of JSON')
  checkNesting(value)
  const known = Object.keys(FIELDS).filter((name) => Object.hasOwn(value, name))
  for (const name of known) {
    const refusal = FIELDS[name](value[name])
    if (refusal) throw refusal
  }
  return Object.fromEntries(known.map((name) => [name, value[name]]))
}

/** @param {string} text @returns {unknown} */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    throw rules('the body must be an object of JSON')
  }
}

/** Level by level, as a body may be nested deeper than calls can be. @param {object} value @throws {RoomRefusal} */
function checkNesting(value) {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) throw rules(`the body must be nested at most ${MOST_DEPTH} deep`)
    const shared = level.flatMap(Object.keys).find((name) => SHARED.includes(name))
    if (shared) throw rules(`the body must have no key ${shared}`)
    level = level.flatMap(Object.values).filter((inner) => typeof inner === 'object' && inner)
  }
}
