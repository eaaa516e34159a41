/**
 * What the tests of scene files share.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readFileSync } from 'node:fs'

/** @typedef {import('moreau').SceneReading} SceneReading */
/** @typedef {import('moreau').World} World */

const schema = JSON.parse(
  readFileSync(new URL(import.meta.resolve('moreau/scene.schema.json')), 'utf8'),
)

/** Whether a value is a scene by the schema of the package; `isScene.errors` says why not. */
export const isScene = new Ajv2020({ strict: true, strictRequired: false }).compile(schema)

/** @param {World} world what comes out of its file, as a parser gives it */
export const fileOf = (world) => JSON.parse(JSON.stringify(world))

/**
 * What `fromJSON` needs beside a file: its custom constraints and potentials do nothing.
 * @param {any} file
 * @returns {SceneReading}
 */
export function idleFunctions(file) {
  const named = (/** @type {any[]} */ list, /** @type {object} */ functions) =>
    Object.fromEntries(
      list.filter(({ type }) => type === 'custom').map(({ typeName }) => [typeName, functions]),
    )
  return {
    constraints: named(file.constraints, { evaluate: () => {} }),
    potentials: named(file.potentials, { force: () => {} }),
    ...(file.contactFunctions?.includes('contactFilter') ? { contactFilter: () => true } : {}),
    ...(file.contactFunctions?.includes('contactModifier') ? { contactModifier: () => {} } : {}),
  }
}
