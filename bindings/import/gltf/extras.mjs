// What files of ours say besides, in `extras.moreau`.

import { invalid } from '../../core/describe.mjs'
import { AssetReader, hasAsset } from '../../scene/assets.mjs'
import { fromPlain } from '../../scene/values.mjs'
import { pointIn, rotate, turnAfter } from '../rigid.mjs'
import { at } from './bodies.mjs'

/** @import { Joint, JointDefinition, World } from '../../index.mjs' */
/** @import { Quaternion, ShapeDefinition, Vector } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { ImportedScene } from './gltf.mjs' */
/** @import { Gltf } from './types.mjs' */

/** The shapes that `extras` describe, and their data. */
export class ExtraAssets {
  #assets

  /** @param {unknown} table */
  constructor(table) {
    this.#assets = new AssetReader(table, undefined)
  }

  /**
   * @param {Record<string, unknown>} value
   * @param {string} path
   * @returns {ShapeDefinition}
   */
  shapeOf(value, path) {
    const { asset, ...shape } = /** @type {Record<string, any>} */ (fromPlain(value, path))
    const lists = hasAsset(shape.type) ? this.#assets.get(asset, shape.type, path) : {}
    return /** @type {ShapeDefinition} */ ({ ...shape, ...lists })
  }
}

/**
 * @param {Gltf} json
 * @param {World} world
 * @param {boolean} isWanted
 * @param {Warnings} warnings
 */
export function applySettings(json, world, isWanted, warnings) {
  const settings = json.extras?.moreau?.settings
  if (settings === undefined) return
  const path = 'extras/moreau/settings'
  if (!isWanted) {
    warnings.add(path, 'the settings of the world are not taken over without the option settings')
    return
  }
  at(path, () => Object.assign(world, fromPlain(settings, path)))
}

/** Points and directions of the world in a joint, by the body that is the world then. */
const SIDES = /** @type {const} */ (['A', 'B'])

/**
 * @param {Record<string, unknown>[]} list
 * @param {{ world: World, base: Frame, scene: ImportedScene }} into
 */
export function makeExtraJoints(list, { world, base, scene }) {
  /** @type {Joint[]} */
  const made = []
  list.forEach((value, i) => {
    const path = `extras/moreau/joints/${i}`
    const definition = /** @type {Record<string, any>} */ (fromPlain(value, path))
    for (const side of SIDES) {
      if (definition[`joint${side}`] !== undefined) {
        definition[`joint${side}`] = jointOf(definition[`joint${side}`], made, scene, path)
      } else if (definition[`body${side}`] !== null && definition[`body${side}`] !== undefined) {
        definition[`body${side}`] = scene.nodes[definition[`body${side}`]]
      } else placeInWorld(definition, side, base)
    }
    const joint = at(path, () => world.createJoint(/** @type {JointDefinition} */ (definition)))
    made.push(joint)
    scene.joints[`joint${i}`] = joint
  })
}

/**
 * @param {unknown} reference `{ extra }` of this list, or `{ name }` of a node
 * @param {Joint[]} made
 * @param {ImportedScene} scene
 * @param {string} path
 */
function jointOf(reference, made, scene, path) {
  const { extra, name } = /** @type {{ extra?: number, name?: string }} */ (reference)
  const joint = extra === undefined ? scene.joints[name ?? ''] : made[extra]
  if (joint !== undefined) return joint
  throw invalid(path, 'of joints that come before it', reference)
}

/**
 * Brings what a joint has in the world of the file into that of the engine.
 * @param {Record<string, any>} definition
 * @param {'A' | 'B'} side
 * @param {Frame} base
 */
function placeInWorld(definition, side, base) {
  const point = (/** @type {string} */ name) => {
    if (name in definition)
      definition[name] = pointIn(base, /** @type {Vector} */ (definition[name]))
  }
  point(`anchor${side}`)
  const axis = `axis${side}`
  if (axis in definition) definition[axis] = rotate(base.orientation, definition[axis])
  const { reference } = definition
  if (reference === undefined || definition.type === 'gear') return
  const frame = `frame${side}`
  const turned = turnAfter(base.orientation, /** @type {Quaternion} */ (reference[frame]))
  definition.reference = { ...reference, [frame]: turned }
}
