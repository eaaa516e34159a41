/** @import { Vector } from '../../types/index.mjs' */
/** @import { Loader, Mesh } from '../meshes.mjs' */
/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Defaults } from './defaults.mjs' */
/** @import { Units } from './frames.mjs' */

/**
 * A mesh of `<asset>`.
 * @typedef {object} MeshAsset
 * @property {string} path
 * @property {string} file
 * @property {Vector} scale
 * @property {Mesh | null} inline vertices in the file itself
 * @property {Promise<Mesh | null>} [loaded]
 */

/**
 * What holds for the whole model.
 * @typedef {object} Context
 * @property {Units} units
 * @property {Defaults} defaults
 * @property {Map<string, MeshAsset>} meshes
 * @property {Loader | undefined} loader
 * @property {Warnings} warnings
 * @property {'auto' | 'true' | 'false'} inertiaFromGeom
 * @property {boolean} autoLimits
 * @property {boolean} hasArmature whether armature is taken over
 * @property {[number, number]} inertiaGroups groups of the geoms whose mass counts
 */

export {}
