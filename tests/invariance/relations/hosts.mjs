/**
 * Other ways to run a world: one of a batch, and on several threads.
 */
import { WorldBatch } from 'moreau'
import * as threads from 'moreau/threads'
import { idsOf, NUMBERS } from '../scene.mjs'

/** @import { World } from 'moreau' */
/** @import { Relation } from './index.mjs' */
/** @import { Stage } from '../scene.mjs' */

/** Worlds of a batch, of which this one is looked at and the others are pushed. */
const [WORLDS, LOOKED_AT] = [3, 1]
/** N: on a body of the others */
const PUSH = 500
const THREADS = 2

/** @param {World} world @param {readonly string[]} names @returns {Stage} */
function inBatch(world, names) {
  const ids = idsOf(world, names)
  const batch = new WorldBatch(world, {
    count: WORLDS,
    actions: [{ type: 'force', body: ids[0] }],
    observations: ids.flatMap((body) => [
      { type: 'position', body },
      { type: 'orientation', body },
    ]),
  })
  for (let k = 0; k < WORLDS; k++) if (k !== LOOKED_AT) batch.actions[3 * k] = PUSH
  const first = LOOKED_AT * NUMBERS * ids.length
  return {
    step(timeStep) {
      batch.step(timeStep)
      for (const { world: k, message } of batch.failures)
        if (k === LOOKED_AT) throw new Error(message)
    },
    poseOf: (i) => batch.observations.slice(first + NUMBERS * i, first + NUMBERS * (i + 1)),
    free() {
      batch.free()
      world.free()
    },
  }
}

/** @type {Omit<Relation, 'group'>[]} */
export const hosts = [
  {
    name: 'in a batch',
    image: (scene) => (scene.character ? undefined : { scene, stage: inBatch }),
  },
  {
    name: 'on threads',
    prepare: () => threads.init({ threads: THREADS }),
    image: (scene) => ({ scene, make: (file) => threads.World.fromJSON(file) }),
  },
]
