import { access } from '../../core/access.mjs'
import { isObject } from '../../core/arguments.mjs'
import { isTypedArray } from '../../core/lists.mjs'
import { Constraint } from '../../objects/constraint.mjs'
import { Shape } from '../../objects/shape.mjs'
import { bodyReference, constraintReference, MARK, TYPED } from '../references.mjs'

/**
 * What may be posted of a read-out.
 * @param {unknown} value
 * @param {(id: number) => number} idThere of a constraint
 * @returns {unknown}
 */
export function refer(value, idThere) {
  if (access.isBody(value)) return bodyReference(value.id)
  if (value instanceof Constraint) return constraintReference(idThere(value.id))
  if (value instanceof Shape) return { [MARK]: 'shape' }
  // A copy: of a view the whole memory would be posted.
  if (isTypedArray(value, TYPED)) return /** @type {Float64Array} */ (value).slice()
  if (Array.isArray(value)) return value.map((one) => refer(one, idThere))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, refer(one, idThere)]))
}
