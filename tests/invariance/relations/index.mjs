/**
 * The relations of the exam: each gives an image of a scene that must move as the scene does.
 */
import { budgets } from './budget.mjs'
import { bystanders } from './bystanders.mjs'
import { frame } from './frame.mjs'
import { ground } from './ground.mjs'
import { order } from './order.mjs'
import { parameters } from './parameters.mjs'
import { parts } from './parts.mjs'
import { refinement } from './refinement.mjs'
import { units } from './units.mjs'

/** @import { World } from 'moreau' */
/** @import { Verdict } from '../exam.mjs' */
/** @import { Motion, Scene, Stage } from '../scene.mjs' */

/**
 * @typedef {object} Image
 * @property {Scene} scene
 * @property {Scene} [of] what it is the image of, where that is a scene made of the given one
 * @property {any[]} [more] bodies that are not compared
 * @property {any[]} [moreJoints] behind those of the scene
 * @property {(file: any) => World} [make] the world of a file
 * @property {(world: World) => void} [setup] what no file has
 * @property {(world: World, step: number) => void} [beforeStep]
 * @property {(world: World, names: readonly string[]) => Stage} [stage] what steps the world and reads its bodies, by default the world alone
 * @property {(motion: Motion) => Motion} [back] where the bodies of the scene are by the motion of the image
 */

/**
 * @typedef {object} Relation
 * @property {string} group
 * @property {string} name
 * @property {boolean} [isExact] whether all bits are the same
 * @property {Readonly<Record<string, number>>} [tolerance] m, per solver, where it is not that of the exam
 * @property {() => Promise<void>} [prepare] before the first image
 * @property {(scene: Scene) => Image | undefined} image undefined: there is none of this scene
 * @property {(scene: Scene, solver: string) => Verdict | undefined} [judge] what is asked of the scene of the image alone, in place of a comparison;
 *   undefined: it does not hold for this solver
 */

/** @type {readonly Relation[]} */
export const RELATIONS = [
  ...[ground, bystanders, frame, units, order],
  ...[parts, parameters, refinement, budgets],
].flat()
