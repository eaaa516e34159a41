/**
 * What takes no part changes nothing: not a bit.
 */

/** @import { Vector } from '../../../scenarios/vector.mjs' */
/** @import { Relation } from './index.mjs' */

/** m: where nothing of a scene comes to */
const AWAY = 400

/** @param {string} name @param {Omit<Relation, 'group' | 'name' | 'isExact'>} rest @returns {Relation} */
const bystander = (name, rest) => ({ group: 'bystanders', name, isExact: true, ...rest })

const ball = { type: 'sphere', radius: 0.3 }

/** Others, whose names no body of the scene has. @param {any[]} others @returns {Relation['image']} */
const beside = (others) => (scene) => ({
  scene,
  more: others.map((body, i) => ({ name: `other ${i}`, ...body })),
})

/** @type {Relation[]} */
export const bystanders = [
  bystander('bodies far away', {
    image: beside(
      [0, 1, 2].map((i) => ({
        shape: ball,
        position: [AWAY + i, 3, 0],
        linearVelocity: [i, 0, 0],
      })),
    ),
  }),
  bystander('a stack far away', {
    image: beside([
      {
        type: 'static',
        shape: { type: 'box', halfExtents: [2, 0.5, 2] },
        position: [AWAY, -0.5, 0],
      },
      ...[0, 1, 2].map((i) => ({
        shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
        position: [AWAY, 0.3 + 0.6 * i, 0],
      })),
    ]),
  }),
  bystander('a sensor around all', {
    image: beside([
      {
        ...{ type: 'static', position: [0, 0, 0] },
        shape: { type: 'box', halfExtents: [30, 30, 30], sensor: true },
      },
    ]),
  }),
  bystander('listeners', {
    image: (scene) => ({
      scene,
      setup(world) {
        for (const name of /** @type {const} */ (['contact', 'sensor', 'sleep']))
          world.on(name, () => {})
      },
    }),
  }),
  bystander('queries and certificates', {
    image: (scene) => ({
      scene,
      beforeStep(world) {
        world.rayCast([0, 5, 0], [0.1, -1, 0.05])
        world.residual()
        world.energy()
        world.islands()
        world.snapshot()
      },
    }),
  }),
]
