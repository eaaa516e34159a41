// What all importers are given.

import { checkNames, readFunction, readObject } from '../core/arguments.mjs'
import { invalid } from '../core/describe.mjs'
import { toQuaternion, toVector } from '../core/vectors.mjs'
import { NO_TURN, unitTurn, ZERO } from './rigid.mjs'

/** @import { BodyDefinition, World } from '../index.mjs' */
/** @import { QuaternionLike, VectorLike } from '../types/index.mjs' */
/** @import { Frame } from './rigid.mjs' */

/**
 * @typedef {object} ImportOptions
 * @property {World} world that gets the bodies
 * @property {import('./meshes.mjs').Loader} [loader] gives what the file names by `uri`: of a mesh
 *   `{ vertices, indices }`, of an included file its text, of a buffer its bytes; null: there is none. Default: nothing is loaded
 * @property {VectorLike} [position] of the file's origin in the world, metres; default `[0, 0, 0]`
 * @property {QuaternionLike} [orientation] of the file's axes in the world; default no turn. A file with z up in a world with y up
 *   wants `[-Math.SQRT1_2, 0, 0, Math.SQRT1_2]`
 * @property {Partial<BodyDefinition>} [body] options of every body, where the file does not say otherwise: `friction`, `filter`,
 *   `solver`
 */

const NAMES = ['world', 'loader', 'position', 'orientation', 'body']

/**
 * @param {unknown} value ImportOptions and more
 * @param {readonly string[]} others names that this importer knows besides
 * @param {string} where
 * @returns {{ world: World, loader: ImportOptions['loader'], base: Frame, body: Partial<BodyDefinition>, own: Record<string, unknown> }}
 */
export function readOptions(value, others, where) {
  const options = readObject(value, `${where}: options`)
  checkNames(options, [...NAMES, ...others], where)
  const { world, loader, position = ZERO, orientation = NO_TURN, body = {}, ...own } = options
  const isWorld = typeof world === 'object' && world !== null && 'createBody' in world
  // A world of moreau/threads is one too, and is another class.
  if (!isWorld) throw invalid(`${where}: world`, 'a World', world)
  return {
    world: /** @type {World} */ (world),
    loader:
      loader === undefined
        ? undefined
        : readFunction(/** @type {any} */ (loader), `${where}: loader`),
    base: {
      position: toVector(position, `${where}: position`),
      orientation: unitTurn(toQuaternion(orientation, `${where}: orientation`)),
    },
    // Read once: getters may say something else the next time.
    body: { ...readObject(body, `${where}: body`) },
    own,
  }
}
