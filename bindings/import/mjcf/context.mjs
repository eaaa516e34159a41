/** @import { Vector } from '../../types/index.mjs' */
/** @import { Loader, Mesh } from '../meshes.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Inertial } from '../inertia.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Defaults } from './defaults.mjs' */
/** @import { Units } from './frames.mjs' */

/**
 * A mesh of `<asset>`.
 * @typedef {object} MeshAsset
 * @property {Element} element
 * @property {string} file
 * @property {Vector} scale
 * @property {Mesh | null} inline vertices in the file itself
 * @property {Promise<Mesh | null>} [loaded]
 * @property {Promise<Inertial | null>} [hull] volume of its hull
 */

/**
 * What holds for the whole model.
 * @typedef {object} Context
 * @property {Units} units
 * @property {Defaults} defaults
 * @property {Map<string, MeshAsset>} meshes
 * @property {Loader | undefined} loader
 * @property {Warnings} warnings
 * @property {string} where the call
 * @property {'auto' | 'true' | 'false'} inertiaFromGeom
 * @property {boolean} autoLimits
 * @property {boolean} hasArmature whether armature is taken over
 * @property {[number, number]} inertiaGroups groups of the geoms whose mass counts
 */

export {}
