/**
 * The adapter at work, without the site: a wall of boxes falls apart under a ball, by calls of `moreau-impl.js` alone.
 *
 *     npm install && npm start
 */
import * as moreau from './moreau-impl.js'

const [STATIC, DYNAMIC] = /** @type {const} */ ([0, 1])
const [ROWS, COLUMNS] = [10, 12]
const SECONDS = 4
const HERTZ = 60

await moreau.init()
const state = moreau.createWorld()
let contacts = 0
moreau.onContactAdded(state, () => contacts++)

/** @param {import('./moreau-impl.js').PhysicsShape} shape @param {import('./moreau-impl.js').RigidBodyOptions} options */
const add = (shape, options) =>
  moreau.createRigidBody(state, options, moreau.createShape(state, shape))

add({ type: 0, halfExtents: [50, 0.5, 50] }, { motionType: STATIC, position: [0, -0.5, 0] })
const bricks = Array.from({ length: ROWS * COLUMNS }, (_, i) => {
  const [row, column] = [Math.floor(i / COLUMNS), i % COLUMNS]
  const position = /** @type {[number, number, number]} */ ([column - COLUMNS / 2, row + 0.5, 0])
  return add({ type: 0, halfExtents: [0.49, 0.5, 0.49] }, { motionType: DYNAMIC, position })
})
const ball = add({ type: 1, radius: 1.5 }, { motionType: DYNAMIC, position: [0, 3, 12] })
moreau.setBodyLinearVelocity(state, ball, [0, 4, -30])

const place = /** @type {[number, number, number]} */ ([0, 0, 0])
for (let second = 0; second <= SECONDS; second++) {
  const above = bricks.filter((brick) => {
    moreau.getBodyPosition(place, state, brick)
    return place[1] > 1
  })
  console.log(`after ${second} s: ${above.length} of ${bricks.length} boxes above the lowest row`)
  for (let i = 0; i < HERTZ && second < SECONDS; i++) moreau.stepSimulation(state, 1 / HERTZ)
}
console.log(`${contacts} contacts began`)
moreau.disposeContactListener(state)
moreau.disposeWorld(state)
