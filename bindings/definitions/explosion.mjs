import { checkNames, readNonNegative, readNumber, readObject } from '../core/arguments.mjs'
import { toVector } from '../core/vectors.mjs'
import {
  EXPLOSION_NUMBERS,
  EXPLOSION_TARGETS_NUMBERS,
  putExplosion as putBlast,
  putExplosionTargets,
} from '../generated/records.mjs'
import { readBits } from './filter.mjs'

/** @import { WorldCore } from '../core/world-core.mjs' */

const NAMES = ['position', 'radius', 'falloff', 'impulse', 'filter', 'exclude']
const where = 'explode'
const ALL_BITS = 0xffffffff

/**
 * Checks an explosion and puts it into the shared block.
 * @param {WorldCore} core
 * @param {unknown} value an Explosion
 */
export function putExplosion(core, value) {
  const definition = readObject(value, `${where}: explosion`)
  checkNames(definition, NAMES, where)
  const { falloff = 0, exclude } = definition
  const blast = {
    position: toVector(definition.position, `${where}: position`),
    radius: readNonNegative(definition.radius, `${where}: radius`),
    falloff: readNonNegative(falloff, `${where}: falloff`),
    impulse: readNumber(definition.impulse, `${where}: impulse`),
  }
  const targets = {
    ...readFilter(definition.filter),
    exclude: exclude === undefined ? 0 : core.own(exclude, `${where}: exclude`).id,
  }
  core.engine.begin(EXPLOSION_NUMBERS + EXPLOSION_TARGETS_NUMBERS)
  putBlast(core.engine, blast)
  putExplosionTargets(core.engine, targets)
}

/** @param {unknown} value a QueryFilter */
function readFilter(value) {
  if (value === undefined) return { category: ALL_BITS, mask: ALL_BITS }
  const path = `${where}: filter`
  const filter = readObject(value, path)
  checkNames(filter, ['category', 'mask'], path)
  const { category = ALL_BITS, mask = ALL_BITS } = filter
  return {
    category: readBits(category, `${path}.category`),
    mask: readBits(mask, `${path}.mask`),
  }
}
