/**
 * Worlds that were elsewhere and are back: steps then have the same bits.
 */
import { World } from 'moreau'
import { RollbackWorld } from 'moreau/rollback'
import { idsOf, poseIn } from '../scene.mjs'

/** @import { Relation } from './index.mjs' */
/** @import { Scene, Stage } from '../scene.mjs' */

/** Steps from one visit of the past, or of another world, to the next, and how far it goes. */
const [EACH, AHEAD] = [7, 3]
/** s: of steps that are taken back */
const TIME_STEP = 1 / 60

/** Characters are in no file, and keep their fall for themselves. @param {(scene: Scene) => any} image @returns {Relation['image']} */
const withoutCharacters = (image) => (scene) => (scene.character ? undefined : image(scene))

/** A world that another takes over from. @param {World} world @param {readonly string[]} names @param {(world: World, step: number) => World} next @returns {Stage} */
function relay(world, names, next) {
  const ids = idsOf(world, names)
  let [current, count] = [world, 0]
  return {
    step(timeStep) {
      const after = next(current, count++)
      if (after !== current) current.free()
      current = after
      current.step(timeStep)
    },
    poseOf: (i) => poseIn(current, ids[i]),
    free: () => current.free(),
  }
}

/** @param {World} world @returns {World} */
function restoredElsewhere(world) {
  const other = new World()
  other.restore(world.snapshot())
  return other
}

/** @param {World} world @param {readonly string[]} names @returns {Stage} */
const inOthers = (world, names) =>
  relay(world, names, (now, step) => (step % EACH === EACH - 1 ? restoredElsewhere(now) : now))

/** A world of the file of the first one. @param {World} world @param {readonly string[]} names @returns {Stage} */
const ofItsFile = (world, names) =>
  relay(world, names, (now, step) =>
    step === 0 ? World.fromJSON(JSON.parse(JSON.stringify(now))) : now,
  )

/** Goes on for some steps and back to what was kept before. @param {World} world @param {readonly string[]} names @returns {Stage} */
function restoring(world, names) {
  return relay(world, names, (now, step) => {
    if (step % EACH !== 0) return now
    const bytes = now.snapshot()
    for (let i = 0; i < AHEAD; i++) now.step(TIME_STEP)
    now.restore(bytes)
    return now
  })
}

/** @param {World} world @param {readonly string[]} names @returns {Stage} */
function rewinding(world, names) {
  const history = world.history({ frames: 2 * AHEAD })
  return relay(world, names, (now, step) => {
    if (step % EACH !== EACH - 1) return now
    for (let i = 0; i < AHEAD; i++) now.step(TIME_STEP)
    history.rewind(AHEAD)
    return now
  })
}

/** @param {World} world @param {readonly string[]} names @returns {Stage} */
function rollingBack(world, names) {
  const game = new RollbackWorld(world, { applyInputs: () => {} })
  return relay(world, names, (now, step) => {
    if (step % EACH !== 0) return now
    game.saveState(step)
    for (let i = 0; i < AHEAD; i++) game.advanceFrame(0)
    game.loadState(step)
    return now
  })
}

/** @param {string} name @param {(world: World, names: readonly string[]) => Stage} stage @returns {Omit<Relation, 'group'>} */
const staged = (name, stage) => ({ name, image: withoutCharacters((scene) => ({ scene, stage })) })

/** @type {Omit<Relation, 'group'>[]} */
export const states = [
  staged('restored in the middle', restoring),
  staged('restored in other worlds', inOthers),
  staged('read from its own file', ofItsFile),
  staged('rewound', rewinding),
  staged('rolled back', rollingBack),
]
