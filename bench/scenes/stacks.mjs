/**
 * Cubes of 1 m that stand on each other from the start: they touch and do not overlap.
 */
import { SceneBuilder } from './description.mjs'

/** From cube to cube of a row, m: neighbours do not touch. */
const SPACING = 1.1
/** From stack to stack, m. */
const STACK_SPACING = 3
const QUALITY_SECONDS = 20

/**
 * A wall in the form of a pyramid, each cube on two of the row below.
 *
 * @param {number} rows
 */
export function pyramid(rows) {
  const count = (rows * (rows + 1)) / 2
  const scene = new SceneBuilder(
    `pyramid-${rows}`,
    `pyramid of ${rows} rows, ${count} boxes`,
    'stands',
    QUALITY_SECONDS,
  )
  scene.floor(2 * rows)
  const cube = scene.shape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < rows - row; column++) {
      scene.body(cube, [(column - (rows - row - 1) / 2) * SPACING, row + 0.5, 0])
    }
  }
  return scene.description
}

/**
 * Free-standing stacks in a square.
 *
 * @param {number} side stacks along each side of the square
 * @param {number} height cubes
 */
export function stacks(side, height) {
  const scene = new SceneBuilder(
    'stacks',
    `${side * side} stacks of ${height} boxes`,
    'stands',
    QUALITY_SECONDS,
  )
  scene.floor(side * STACK_SPACING)
  const cube = scene.shape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] })
  for (let stack = 0; stack < side * side; stack++) {
    const x = ((stack % side) - (side - 1) / 2) * STACK_SPACING
    const z = (Math.floor(stack / side) - (side - 1) / 2) * STACK_SPACING
    for (let level = 0; level < height; level++) scene.body(cube, [x, level + 0.5, z])
  }
  return scene.description
}
