import { access } from '../core/access.mjs'
import { putPlacedShape } from '../generated/records.mjs'
import { FULL_FILTER } from './filter.mjs'

/** @import { Engine } from '../core/engine.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */

/**
 * Below 0: that of the body.
 * @param {Engine} module
 * @param {Shape} shape
 * @param {string} where
 */
export function putPlaced(module, shape, where) {
  const definition = access.shapeDefinition(shape)
  const { position, orientation, density, friction, restitution, sensor, filter } = definition
  putPlacedShape(module, {
    shape: access.shapePointer(shape, where),
    pose: { position, orientation },
    density: density ?? -1,
    friction: friction ?? -1,
    restitution: restitution ?? -1,
    frictionCombine: definition.frictionCombine ?? null,
    restitutionCombine: definition.restitutionCombine ?? null,
    sensor,
    hasFilter: filter !== undefined,
    filter: filter ?? FULL_FILTER,
  })
}
