/**
 * Characters of scenes: bodies of none, which a program moves (docs/api.md, Characters).
 */
import { add, scale } from '../../scenarios/vector.mjs'

/** @import { Character, ShapeDefinition, World } from 'moreau' */
/** @import { Vector } from '../../scenarios/vector.mjs' */

/**
 * A character that walks on, and falls where it has no ground.
 * @typedef {object} WalkingCharacter
 * @property {any} shape
 * @property {Vector} position m
 * @property {Vector} velocity m/s, with which it is moved
 * @property {Vector} up unit, against gravity
 * @property {number} gravity m/s²
 * @property {number} pushForce N
 */

/**
 * Makes it, and says how to move it in a step.
 * @param {World} world
 * @param {WalkingCharacter} walking
 * @returns {{ character: Character, move: (timeStep: number) => void }}
 */
export function makeCharacter(world, { shape, position, velocity, up, gravity, pushForce }) {
  const character = world.createCharacter({ shape, position, up, pushForce })
  let fall = 0
  const move = (/** @type {number} */ timeStep) => {
    fall = character.grounded ? 0 : fall + gravity * timeStep
    character.move(scale(add(velocity, scale(up, -fall)), timeStep), timeStep)
  }
  return { character, move }
}
