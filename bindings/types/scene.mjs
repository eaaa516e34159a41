// Worlds as JSON: docs/scene-format.md says what the members mean, moreau/scene.schema.json what they may be.

/** @import { ConstraintFunction, CustomMeasures } from './constraint.mjs' */
/** @import { PotentialEnergy, PotentialForce } from './potential.mjs' */

/**
 * A world as `toJSON` gives it. Numbers that JSON does not have are the strings `'-0'`, `'Infinity'` and
 * `'-Infinity'`.
 * @typedef {object} SceneJson
 * @property {1} version of the format
 * @property {string} [generator] the program that wrote it
 * @property {Record<string, unknown>} [settings] as in `WorldOptions`
 * @property {number | '-0'} [time] seconds
 * @property {number} [stepCount]
 * @property {Record<string, unknown>[]} [bodies] in the order of their creation
 * @property {Record<string, unknown>[]} [joints] likewise
 * @property {Record<string, unknown>[]} [constraints] likewise; what is no joint
 * @property {Record<string, unknown>[]} [potentials] likewise
 * @property {('contactFilter' | 'contactModifier')[]} [contactFunctions] that the world had
 * @property {Record<string, SceneAsset>} [assets] by names that are made of their content
 */

/**
 * The data of hulls, meshes or height fields: base64 of little-endian numbers, or typed arrays where a
 * resolver gives them.
 * @typedef {object} SceneAsset
 * @property {'hull' | 'mesh' | 'heightfield'} type
 * @property {string | Float64Array} [points] of a hull: x y z x y z ...
 * @property {string | Float64Array} [vertices] of a mesh, likewise
 * @property {string | Uint32Array} [indices] of a mesh, three per triangle
 * @property {string | Float64Array} [heights] of a height field, row by row
 */

/**
 * @typedef {object} SceneWriting
 * @property {boolean} [assets] whether the file has the table of assets; default true. Without it, shapes
 *   name assets that the reader's resolver gives
 * @property {(value: any, owner: import('../objects/body.mjs').Body
 *   | import('../objects/constraint.mjs').Constraint | import('../objects/potential.mjs').Potential)
 *   => unknown} [userData] what the file has for the `userData` of a body, joint, constraint or
 *   potential, as JSON can hold it; undefined: nothing. Default: strings, numbers and booleans as they are
 */

/**
 * @typedef {object} SceneReading
 * @property {(id: string) => SceneAsset | undefined} [assets] gives what the table of the file does not have
 * @property {Record<string, CustomConstraintFunctions>} [constraints] the functions of custom
 *   constraints by their `typeName`
 * @property {Record<string, CustomPotentialFunctions>} [potentials] the same of custom potentials
 * @property {import('./report.mjs').ContactFilter} [contactFilter]
 * @property {import('./report.mjs').ContactModifier} [contactModifier]
 */

/**
 * @typedef {Pick<CustomMeasures, 'evaluate' | 'jacobian' | 'timeDerivative' | 'isActive'>
 *   } CustomConstraintFunctions
 */

/**
 * @typedef {object} CustomPotentialFunctions
 * @property {PotentialForce} force
 * @property {PotentialForce} [torque]
 * @property {PotentialEnergy} [energy]
 */

export {}
