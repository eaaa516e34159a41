/**
 * Smaller steps lead to one motion, and as fast as the integrator promises.
 */
import { Random } from '../../../scenarios/random.mjs'
import { rotate } from '../../../scenarios/vector.mjs'
import { differences } from '../compare.mjs'
import { pointIn, play, WHOLE } from '../scene.mjs'
import { judgedAs } from '../solvers.mjs'

/** @import { Vector } from '../../../scenarios/vector.mjs' */
/** @import { Verdict } from '../exam.mjs' */
/** @import { Motion, Scene } from '../scene.mjs' */
/** @import { Relation } from './index.mjs' */

/** How often a step is halved, and how often for the motion that the others are compared with. */
const [HALVINGS, FINEST] = [3, 4]

/** s: what moves for longer leaves the floor */
const DURATION = 1

/**
 * m: errors below are not those of the step. Soft-step keeps velocities as floats: of 4 to 8 m/s half of the last digit is 2.4e-7 m/s. Where each of
 * the 3840 substeps of the finest motion and of the 1920 before it rounds to the same side, as under a constant force, these make 1.4e-3 m/s in a
 * second, and 7e-4 m of way. Its contacts give way by 1e-4 m under a weight. The others solve to 1e-8 m/s, and leave contacts open by 1e-8 m.
 * @type {Record<string, number>}
 */
const FLOOR = { auto: 8e-4, exact: 1e-6, 'block-pgs': 1e-6 }

/** An error may be so many times what its order says: by terms of the next order, of which the first step has about a tenth. */
const SLACK = 1.5

/** Where a scene is after each of its own steps, in steps that were halved so often. @param {Scene} scene @param {string} solver @param {number} halvings @returns {Motion} */
function refined(scene, solver, halvings) {
  const parts = 2 ** halvings
  const motion = play({ ...scene, timeStep: scene.timeStep / parts }, solver)
  return motion.filter((_, step) => (step + 1) % parts === 0)
}

/** What is left of an error of an order after so many halvings, against the finest motion. @param {number} order @param {number} halvings */
const rest = (order, halvings) => 2 ** (-order * halvings) - 2 ** (-order * FINEST)

/** @param {Motion} motion @param {Motion} finest */
const errorOf = (motion, finest) =>
  differences(motion, finest)
    .map((difference, step) => ({ ...difference, step }))
    .reduce((worst, difference) => (difference.most <= worst.most ? worst : difference))

/** @param {Scene} scene @param {string} solver @param {number} order @returns {Verdict} */
function judgeOrder(scene, solver, order) {
  const finest = refined(scene, solver, FINEST)
  const errors = Array.from({ length: HALVINGS + 1 }, (_, halvings) =>
    errorOf(refined(scene, solver, halvings), finest),
  )
  const verdicts = errors.slice(1).map(({ most, body, step }, i) => {
    const falls = rest(order, i + 1) / rest(order, i)
    const allowed = SLACK * falls * errors[i].most + FLOOR[judgedAs(solver)]
    return { step, body, distance: most, allowed }
  })
  const compared = finest.length
  const worst = Math.max(...verdicts.map(({ distance, allowed }) => distance / allowed))
  const difference = verdicts.find(({ distance, allowed }) => !(distance <= allowed))
  return { worst, compared, difference }
}

/** A scene on the floor of another, without its walls. @param {Scene} scene @param {number} friction @param {any} body in the frame of the floor @returns {Scene} */
function onFloor({ slabs: [slab], seed }, friction, { position, ...body }) {
  const floor = { ...slab, friction, restitution: 0 }
  const [linearVelocity, angularVelocity] = [body.linearVelocity, body.angularVelocity].map((v) =>
    rotate(floor.orientation, v),
  )
  const moving = {
    ...{ name: 'body', ...body, friction, linearVelocity, angularVelocity },
    ...{ position: pointIn(floor, position), orientation: floor.orientation },
  }
  return { ...emptyScene(seed), slabs: [floor], bodies: [moving] }
}

/** @param {number} seed @returns {Scene} */
const emptyScene = (seed) => ({
  ...{ seed, settings: {}, slabs: [], surface: WHOLE, bodies: [], joints: [], potentials: [] },
  ...{ timeStep: 1 / 60, duration: DURATION },
})

/** A ball that rolls without slip: friction 1 holds it on all slopes of the exam. @param {Scene} scene */
function rolling(scene) {
  const random = new Random(scene.seed)
  const radius = random.between(0.15, 0.5)
  const [x, z] = [random.between(-3, 3), random.between(-3, 3)]
  return onFloor(scene, 1, {
    ...{ shape: { type: 'sphere', radius }, position: [0, radius, 0] },
    ...{ linearVelocity: [x, 0, z], angularVelocity: [z / radius, 0, -x / radius] },
  })
}

/** A box that slides, too fast to stop: friction of 0.1 takes 1 m/s from it in a second, and a slope of 0.35 rad 3.4 m/s. @param {Scene} scene */
function sliding(scene) {
  const random = new Random(scene.seed)
  const halfExtents = [0, 1, 2].map(() => random.between(0.15, 0.5))
  return onFloor(scene, 0.1, {
    ...{ shape: { type: 'box', halfExtents }, position: [0, halfExtents[1], 0] },
    ...{ linearVelocity: [random.between(5, 6), 0, 0], angularVelocity: [0, 0, 0] },
  })
}

/** The first body of a scene, which turns as it falls. @param {Scene} scene @returns {Scene} */
function flying(scene) {
  const random = new Random(scene.seed)
  const { name, shape, shapes, orientation } = scene.bodies[0]
  const any = () => /** @type {Vector} */ ([0, 1, 2].map(() => random.between(-3, 3)))
  const body = {
    ...{ name, orientation, position: [0, 0, 0], ...(shapes ? { shapes } : { shape }) },
    ...{ linearVelocity: any(), angularVelocity: any() },
  }
  return { ...emptyScene(scene.seed), bodies: [body] }
}

/** m: from what a body hangs on to its origin */
const LONG = 1.2

/** The first body of a scene as a pendulum. @param {Scene} scene @returns {Scene} */
function hanging(scene) {
  const { bodies, ...falling } = flying(scene)
  const still = { linearVelocity: [1, 0, 1], angularVelocity: [1 / LONG, 0, -1 / LONG] }
  return {
    ...falling,
    bodies: bodies.map((body) => ({ ...body, ...still })),
    joints: [{ type: 'ball', bodyA: null, bodyB: bodies[0].name, anchor: [0, LONG, 0] }],
  }
}

/** @param {string} name @param {(scene: Scene) => Scene} make @returns {Relation} */
const smooth = (name, make) => ({
  ...{ group: 'refinement', name },
  image: (scene) => ({ scene: make(scene) }),
  judge: (scene, solver) => judgeOrder(scene, solver, 1),
})

/**
 * Integrators beside the default, with their orders for what hangs on a joint and for what tumbles in the air (docs/physics.md).
 * @type {[integrator: string, hanging: number, flying: number][]}
 */
const INTEGRATORS = [
  ['explicit-euler', 1, 1],
  ['velocity-verlet', 2, 2],
  ['rk4', 1, 2],
  ['implicit-midpoint', 2, 2],
]

/** Soft-step, which 'auto' is here, has no other integrators. @param {string} name @param {string} integrator @param {(scene: Scene) => Scene} make @param {number} order @returns {Relation} */
const integrated = (name, integrator, make, order) => ({
  ...{ group: 'refinement', name: `${name} by ${integrator}` },
  image: (scene) => ({ scene: { ...make(scene), settings: { integrator } } }),
  judge: (scene, solver) =>
    judgedAs(solver) === 'auto' ? undefined : judgeOrder(scene, solver, order),
})

/** @type {Relation[]} */
export const refinement = [
  smooth('what hangs', hanging),
  smooth('what rolls', rolling),
  smooth('what slides', sliding),
  smooth('what flies', flying),
  ...INTEGRATORS.flatMap(([integrator, hung, flown]) => [
    integrated('what hangs', integrator, hanging, hung),
    integrated('what flies', integrator, flying, flown),
  ]),
]
