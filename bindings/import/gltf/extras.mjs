// What files of ours say besides, in `extras.moreau`.

import { checkNames, readObject } from '../../core/arguments.mjs'
import { invalid } from '../../core/describe.mjs'
import { toQuaternion, toVector } from '../../core/vectors.mjs'
import { READERS } from '../../generated/world-options.mjs'
import { AssetReader, hasAsset } from '../../scene/assets.mjs'
import { fromPlain } from '../../scene/values.mjs'
import { getOwn, setOwn, unusedName } from '../names.mjs'
import { pointIn, rotate, turnAfter } from '../rigid.mjs'
import { at } from '../xml/place.mjs'

/** @import { Joint, JointDefinition, World } from '../../index.mjs' */
/** @import { ShapeDefinition } from '../../types/index.mjs' */
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
    const plain = readObject(fromPlain(value, path), path)
    const { asset, ...shape } = /** @type {Record<string, any>} */ (plain)
    const lists = hasAsset(shape.type) ? this.#assets.get(asset, shape.type, path) : {}
    return /** @type {ShapeDefinition} */ ({ ...shape, ...lists })
  }
}

/**
 * @param {Gltf} json
 * @param {World} world
 * @param {boolean} isWanted
 * @param {Warnings} warnings
 * @param {string} where
 */
export function applySettings(json, world, isWanted, warnings, where) {
  const settings = json.extras?.moreau?.settings
  if (settings === undefined) return
  const path = 'extras/moreau/settings'
  if (!isWanted) {
    warnings.add(path, 'the settings of the world are not taken over without the option settings')
    return
  }
  at(where, { path }, () => {
    const read = readObject(fromPlain(settings, path), 'settings')
    checkNames(read, Object.keys(READERS), 'settings')
    Object.assign(world, read)
  })
}

/** Points and directions of the world in a joint, by the body that is the world then. */
const SIDES = /** @type {const} */ (['A', 'B'])

/**
 * @param {Record<string, unknown>[]} list
 * @param {{ world: World, base: Frame, scene: ImportedScene, where: string }} into
 */
export function makeExtraJoints(list, { world, base, scene, where }) {
  /** @type {Joint[]} */
  const made = []
  list.forEach((value, i) => {
    const path = `extras/moreau/joints/${i}`
    const joint = at(where, { path }, () => {
      const definition = /** @type {Record<string, any>} */ (
        readObject(fromPlain(value, path), path)
      )
      for (const side of SIDES) readSide(definition, side, made, scene, base)
      return world.createJoint(/** @type {JointDefinition} */ (definition))
    })
    made.push(joint)
    const taken = { has: (/** @type {string} */ name) => Object.hasOwn(scene.joints, name) }
    setOwn(scene.joints, unusedName(`joint${i}`, taken), joint)
  })
}

/**
 * @param {Record<string, any>} definition
 * @param {'A' | 'B'} side
 * @param {Joint[]} made
 * @param {ImportedScene} scene
 * @param {Frame} base
 */
function readSide(definition, side, made, scene, base) {
  const [joint, body] = [definition[`joint${side}`], definition[`body${side}`]]
  if (joint !== undefined) definition[`joint${side}`] = jointOf(joint, made, scene, `joint${side}`)
  else if (body === null || body === undefined) placeInWorld(definition, side, base)
  else {
    const found = typeof body === 'number' ? scene.nodes[body] : undefined
    if (!found) throw invalid(`body${side}`, 'the number of a node with a body', body)
    definition[`body${side}`] = found
  }
}

/**
 * @param {unknown} reference `{ extra }` of this list, or `{ name }` of a node
 * @param {Joint[]} made
 * @param {ImportedScene} scene
 * @param {string} path
 */
function jointOf(reference, made, scene, path) {
  const { extra, name } = readObject(reference, path)
  const joint =
    typeof extra === 'number'
      ? made[extra]
      : typeof name === 'string'
        ? getOwn(scene.joints, name)
        : undefined
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
  const [anchor, axis, frame] = [`anchor${side}`, `axis${side}`, `frame${side}`]
  if (definition[anchor] !== undefined) {
    definition[anchor] = pointIn(base, toVector(definition[anchor], anchor))
  }
  if (definition[axis] !== undefined) {
    definition[axis] = rotate(base.orientation, toVector(definition[axis], axis))
  }
  if (definition.reference === undefined || definition.type === 'gear') return
  const reference = readObject(definition.reference, 'reference')
  if (reference[frame] === undefined) return
  const own = toQuaternion(/** @type {any} */ (reference[frame]), `reference.${frame}`)
  definition.reference = { ...reference, [frame]: turnAfter(base.orientation, own) }
}
