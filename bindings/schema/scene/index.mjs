// The JSON Schema (draft 2020-12) of a scene: what World.fromJSON reads. The build writes it to
// dist/scene.schema.json. Members that toJSON writes are described here once; the readers are those of
// createBody and the others, and a test compares the two.

import { WORLD_OPTIONS } from '../world-options.mjs'
import { body, wordsOf } from './bodies.mjs'
import { constraints, joints } from './joints.mjs'
import { potentials } from './potentials.mjs'
import { assets } from './shapes.mjs'
import {
  DEFINITIONS,
  flag,
  fraction,
  list,
  nonNegative,
  number,
  object,
  positive,
  text,
  told,
  vector,
  whole,
} from './values.mjs'

/** @typedef {import('./values.mjs').Schema} Schema */
/** @typedef {import('../world-options.mjs').OptionSchema} OptionSchema */

/** @param {OptionSchema} option @returns {Schema} */
function valueOf({ kind, enum: name, least = 1, most = 2 ** 31 - 1 }) {
  if (kind === 'word') return wordsOf(/** @type {string} */ (name))
  if (kind === 'count' || kind === 'bytes') return whole(least, most)
  const automatic = { anyOf: [{ const: 'auto' }, nonNegative] }
  // A teller is a function, which no scene holds.
  return { vector, number: nonNegative, fraction, positive, automatic, flag, teller: {} }[kind]
}

const settings = told(
  'The options of World.create. What is left out has its default.',
  object(
    Object.fromEntries(
      WORLD_OPTIONS.filter(({ member }) => member !== false).map((option) => [
        option.name,
        told([option.unit, option.doc].filter(Boolean).join(': '), valueOf(option)),
      ]),
    ),
  ),
)

export const SCENE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A scene of Moreau',
  description:
    'A world of rigid bodies, as world.toJSON() writes and World.fromJSON() reads it. SI units, radians. A negative zero is the string "-0", since JSON.stringify writes it as 0.',
  ...object(
    {
      $schema: text,
      version: told('of the format', { const: 1 }),
      generator: told('the program that wrote it', text),
      settings,
      time: told('s; default 0', number),
      stepCount: told('default 0', whole(0, Number.MAX_SAFE_INTEGER)),
      bodies: list(body),
      joints: told('in the order of their creation', list(joints)),
      constraints: told('what is no joint', list(constraints)),
      potentials: list(potentials),
      contactFunctions: told(
        'the functions that the world has, which the reader must be given',
        list({ enum: ['contactFilter', 'contactModifier'] }),
      ),
      assets,
    },
    ['version'],
  ),
  $defs: DEFINITIONS,
}
