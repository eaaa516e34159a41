/**
 * The relations of the exam: each gives an image of a scene that must move as the scene does.
 */
import { bystanders } from './bystanders.mjs'
import { frame } from './frame.mjs'
import { ground } from './ground.mjs'
import { order } from './order.mjs'
import { units } from './units.mjs'

/** @import { World } from 'moreau' */
/** @import { Motion, Scene, Stage } from '../scene.mjs' */

/**
 * @typedef {object} Image
 * @property {Scene} scene
 * @property {Scene} [base] what the image moves as, where that is not the scene itself: it has options that the image changes
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
 * @property {() => Promise<void>} [prepare] before the first image
 * @property {(scene: Scene) => Image | undefined} image undefined: there is none of this scene
 */

/** @type {readonly Relation[]} */
export const RELATIONS = [...ground, ...bystanders, ...frame, ...units, ...order]
