// Parts of the JSON Schema of a scene: numbers, vectors and how objects are put together.

/** @typedef {Record<string, unknown>} Schema */

/** @type {Schema} */
const NEGATIVE_ZERO = { const: '-0' }

/**
 * Parts that many others have, by name.
 * @type {Record<string, Schema>}
 */
export const DEFINITIONS = {}

/**
 * Gives a part a name, and refers to it.
 * @param {string} name
 * @param {Schema} schema
 * @returns {Schema}
 */
export function define(name, schema) {
  DEFINITIONS[name] = schema
  return { $ref: `#/$defs/${name}` }
}

/** JSON.stringify writes -0 as 0. */
export const number = define('number', { anyOf: [{ type: 'number' }, NEGATIVE_ZERO] })
export const nonNegative = define('nonNegative', {
  anyOf: [{ type: 'number', minimum: 0 }, NEGATIVE_ZERO],
})
/** @type {Schema} */
export const positive = { type: 'number', exclusiveMinimum: 0 }
/** @type {Schema} */
export const fraction = { anyOf: [{ type: 'number', minimum: 0, maximum: 1 }, NEGATIVE_ZERO] }
/** @type {Schema} */
export const flag = { type: 'boolean' }
/** @type {Schema} */
export const text = { type: 'string' }

/**
 * @param {number} least
 * @param {number} most
 * @returns {Schema}
 */
export const whole = (least, most) => ({ type: 'integer', minimum: least, maximum: most })

/**
 * @param {readonly (string | null)[]} words
 * @returns {Schema}
 */
export const oneOf = (words) => ({ enum: words })

/**
 * @param {Schema} items
 * @param {number} [count] exactly
 * @returns {Schema}
 */
export const list = (items, count) => ({
  ...{ type: 'array', items },
  ...(count === undefined ? {} : { minItems: count, maxItems: count }),
})

export const vector = define('vector', list(number, 3))
/** Three numbers, none of them 0 or below. */
export const extents = list(positive, 3)
/** x y z w; it need not be of unit length. */
export const quaternion = define('quaternion', list(number, 4))

/**
 * An object with these members and no others.
 * @param {Readonly<Record<string, Schema>>} properties
 * @param {readonly string[]} [required]
 * @returns {Schema}
 */
export const object = (properties, required = []) => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
})

/**
 * The same schema with a sentence for people.
 * @param {string} description
 * @param {Schema} schema
 * @returns {Schema}
 */
export const told = (description, schema) => ({ description, ...schema })

/**
 * One of several kinds of objects, which `type` tells apart: a validator names the one that is meant.
 * @param {Readonly<Record<string, Schema>>} kinds schemas of objects by their `type`
 * @returns {Schema}
 */
export const byType = (kinds) => ({
  type: 'object',
  required: ['type'],
  properties: { type: { enum: Object.keys(kinds) } },
  allOf: Object.entries(kinds).map(([type, schema]) => ({
    if: { properties: { type: { const: type } }, required: ['type'] },
    then: schema,
  })),
})
