/**
 * What a scene has is never more than it was given: energy, momentum and spin. Differences are told as lengths: of energy as the height to which
 * it lifts all that moves, of speeds as the way that they make in the duration of the scene.
 */
import { Random } from '../../../scenarios/random.mjs'
import { add, cross, dot, length, scale, subtract } from '../../../scenarios/vector.mjs'
import { GRAVITY, namesOf, play } from '../scene.mjs'
import { judgedAs } from '../solvers.mjs'

/** @import { Body, World } from 'moreau' */
/** @import { Vector } from '../../../scenarios/vector.mjs' */
/** @import { Verdict } from '../exam.mjs' */
/** @import { Scene } from '../scene.mjs' */
/** @import { Relation } from './index.mjs' */

/** How much of something is too much, and of which body. @typedef {{ body: number, distance: number, allowed: number }} Excess m */

/**
 * The worst of all steps.
 * @param {Scene} scene
 * @param {string} solver
 * @param {(world: World, bodies: Body[]) => Excess[]} measure asked before each step
 * @returns {Verdict}
 */
function budget(scene, solver, measure) {
  const names = namesOf(scene)
  /** @type {Excess[][]} */
  const steps = []
  const beforeStep = (/** @type {World} */ world) => {
    const byName = new Map(world.bodies.map((body) => [body.userData, body]))
    steps.push(
      measure(
        world,
        names.flatMap((name) => byName.get(name) ?? []),
      ),
    )
  }
  play(scene, solver, { beforeStep })
  const all = steps.flatMap((excesses, step) => excesses.map((excess) => ({ step, ...excess })))
  return {
    worst: Math.max(0, ...all.map(({ distance, allowed }) => distance / allowed)),
    compared: steps.length,
    difference: all.find(({ distance, allowed }) => !(distance <= allowed)),
  }
}

/** Remembers what it was given first. @template T @returns {(now: T) => T} */
function first() {
  /** @type {T | undefined} */
  let start
  return (now) => (start ??= now)
}

/** s: of a piece of a step that forces are constant in: soft-step has four. @param {Scene} scene @param {string} solver */
const pieceOf = ({ timeStep }, solver) => (judgedAs(solver) === 'auto' ? timeStep / 4 : timeStep)

// --- energy ---------------------------------------------------------------------------------------

/** m: as in pairs, what surfaces may differ by (soft-step: its linearSlop), which is what a body may be lifted by. @type {Record<string, number>} */
const HEIGHT = { auto: 5e-3, exact: 1e-3, 'block-pgs': 1e-3 }

/** Of the kinetic energy: what a step of soft-step may gain (docs/physics.md), and so a bounce. */
const PART = 1e-3

/** s: what begins a little in the ground is pushed out of it in that time, which lifts it. */
const SETTLED = 0.25

/** Whether nothing does work in it but gravity, the same on all. @param {Scene} scene */
const isLeftAlone = ({ bodies, joints, potentials, character }) =>
  !character &&
  bodies.every(({ type = 'dynamic', gravityScale }) => type === 'dynamic' && !gravityScale) &&
  joints.every((joint) => PASSIVE.includes(joint.type) && !joint.motor && !joint.spring) &&
  potentials.length === 0
const PASSIVE = ['fixed', 'ball', 'hinge', 'slider', 'distance', 'rope', 'universal', 'path']

/**
 * Steps of the symplectic Euler method keep the energy plus half a step times the power of the forces, to first order (docs/physics.md, "Joints add
 * no energy"). @param {World} world @param {Body[]} bodies @param {number} piece s
 */
function keptEnergy(world, bodies, piece) {
  const momentum = bodies.map(({ mass, linearVelocity }) => scale(linearVelocity, mass))
  const power = momentum.reduce((sum, p) => sum + dot(p, GRAVITY), 0)
  return world.energy().total + (piece / 2) * power
}

/** @param {Scene} scene @param {string} solver @returns {Verdict} */
function judgeEnergy(scene, solver) {
  let [start, kinetic] = [-Infinity, 0]
  return budget(scene, solver, (world, bodies) => {
    const kept = keptEnergy(world, bodies, pieceOf(scene, solver))
    kinetic = Math.max(kinetic, world.energy().kinetic)
    const weight = bodies.reduce((sum, { mass }) => sum + mass, 0) * length(GRAVITY)
    if (world.time < SETTLED) start = Math.max(start, kept)
    const distance = Math.max(0, kept - start) / weight
    return [{ body: 0, distance, allowed: HEIGHT[judgedAs(solver)] + (PART * kinetic) / weight }]
  })
}

// --- momentum -------------------------------------------------------------------------------------

/** m: above all that is in the scene */
const HIGH = 100

/** Those that nothing brakes. @param {Scene} scene @returns {any[]} */
const fallingOf = ({ bodies }) =>
  bodies.filter(
    ({ type = 'dynamic', linearDamping, angularDamping, gravityScale }) =>
      type === 'dynamic' && !linearDamping && !angularDamping && !gravityScale,
  )

/** What falls of a scene in the air, and nothing else. @param {Scene} scene @param {(i: number) => any} place @returns {Scene} */
const inTheAir = (scene, place) => ({
  ...{ ...scene, slabs: [], joints: [], potentials: [], character: undefined },
  bodies: fallingOf(scene).map((body, i) => ({ ...body, ...place(i) })),
})

/** m: further apart than bodies come in a scene */
const APART = 50

/** @param {Scene} scene @returns {Scene} */
const apart = (scene) => inTheAir(scene, (i) => ({ position: [APART * i, HIGH, 0] }))

/**
 * m: the way that rounding makes. Of a number type half of the last digit, of 60 m/s and of what else is as large, in each substep to the same side,
 * for velocity, spin, orientation, and the moments of inertia in the axes of the world.
 * @param {Scene} scene @param {string} solver
 */
function rounding(scene, solver) {
  const digit = judgedAs(solver) === 'auto' ? 2 ** -24 : 2 ** -53
  const substeps = scene.duration / pieceOf(scene, solver)
  return ROUNDINGS * FASTEST * digit * substeps * scene.duration
}
const ROUNDINGS = 4
/** m/s: of a fall of 2.5 s, and of points of what spins at 8 rad/s beside that */
const FASTEST = 60

/** What gravity has left of a body's momentum at its start, as a speed. @param {Body} body @param {number} time s */
const startSpeed = ({ linearVelocity }, time) => subtract(linearVelocity, scale(GRAVITY, time))

/** Per body, how far its velocity and its angular momentum are from where they were. @param {Scene} scene @param {string} solver @returns {Verdict} */
function judgeFlight(scene, solver) {
  const start = first()
  const allowed = rounding(scene, solver)
  return budget(scene, solver, (world, bodies) => {
    const now = bodies.map((body) => [startSpeed(body, world.time), body.angularMomentum])
    const begun = start(now)
    return bodies.map(({ inertia }, body) => {
      const [speed, spin] = now[body].map((v, k) => length(subtract(v, begun[body][k])))
      const least = Math.min(inertia[0], inertia[4], inertia[8])
      return { body, distance: (speed + (SIZE * spin) / least) * scene.duration, allowed }
    })
  })
}
/** m: about the size of all bodies */
const SIZE = 0.3

/** @param {Body[]} bodies */
function centreOf(bodies) {
  const mass = bodies.reduce((sum, body) => sum + body.mass, 0)
  const moment = bodies.map((body) => scale(body.worldCenterOfMass, body.mass)).reduce(add)
  return { mass, centre: scale(moment, 1 / mass) }
}

/** m: between the middles of bodies that fly at each other; m/s */
const [NEAR, MEETING] = [2, 3]

/** Bodies on a line that fly at its middle, none of them past another. @param {Scene} scene @returns {Scene} */
function meeting(scene) {
  const random = new Random(scene.seed)
  const middle = (fallingOf(scene).length - 1) / 2
  return inTheAir(scene, (i) => ({
    position: [NEAR * i, HIGH + random.between(-0.1, 0.1), random.between(-0.1, 0.1)],
    linearVelocity: [MEETING * Math.sign(middle - i), 0, 0],
  }))
}

/** @param {Scene} scene @param {string} solver @returns {Verdict} */
function judgeMeeting(scene, solver) {
  const start = first()
  const allowed = rounding(scene, solver)
  return budget(scene, solver, (world, bodies) => {
    const { mass } = centreOf(bodies)
    const now = subtract(scale(world.momentum().linear, 1 / mass), scale(GRAVITY, world.time))
    const distance = length(subtract(now, start(now))) * scene.duration
    return [{ body: 0, distance, allowed }]
  })
}

/**
 * Angular momentum about the common centre, per mass. Contacts have the arms of the start of a step, which are off by the way of one:
 * at twice the speed, of two bodies.
 * @param {Scene} scene @param {string} solver @returns {Verdict}
 */
function judgeTurning(scene, solver) {
  const start = first()
  const allowed = 2 * MEETING * scene.timeStep
  return budget(scene, solver, (world, bodies) => {
    const { linear, angular } = world.momentum()
    const { mass, centre } = centreOf(bodies)
    const now = scale(subtract(angular, cross(centre, linear)), 1 / mass)
    // As an arm at the speed of meeting.
    const distance = length(subtract(now, start(now))) / MEETING
    return [{ body: 0, distance, allowed }]
  })
}

// --- spin -----------------------------------------------------------------------------------------

/** @param {Scene} scene @returns {(body: any) => boolean} whether it is a ball that no joint holds */
const isFreeBall =
  ({ joints }) =>
  ({ name, shape, angularDamping }) =>
    shape?.type === 'sphere' &&
    !angularDamping &&
    joints.every(({ bodyA, bodyB }) => bodyA !== name && bodyB !== name)

/** @param {Scene} scene @returns {ReturnType<Relation['image']>} */
function withSmoothBalls(scene) {
  const isBall = isFreeBall(scene)
  if (scene.potentials.length > 0 || !scene.bodies.some(isBall)) return undefined
  const bodies = scene.bodies.map((body) => (isBall(body) ? { ...body, friction: 0 } : body))
  return { scene: { ...scene, bodies } }
}

/** @param {Scene} scene @param {string} solver @returns {Verdict} */
function judgeSpin(scene, solver) {
  const start = first()
  const isBall = isFreeBall(scene)
  const balls = new Set(scene.bodies.filter(isBall).map(({ name }) => name))
  const allowed = rounding(scene, solver)
  return budget(scene, solver, (_, bodies) => {
    const now = bodies.map(({ angularVelocity }) => angularVelocity)
    const begun = start(now)
    return bodies.flatMap(({ userData }, body) => {
      const spin = length(subtract(now[body], begun[body]))
      return balls.has(userData) ? [{ body, distance: SIZE * spin * scene.duration, allowed }] : []
    })
  })
}

/** @param {string} name @param {Relation['image']} image @param {Relation['judge']} judge @returns {Relation} */
const kept = (name, image, judge) => ({ group: 'budget', name, image, judge })

/** Of so many falling bodies and more, their image. @param {number} least @param {(scene: Scene) => Scene} make @returns {Relation['image']} */
const ofSome = (least, make) => (scene) =>
  fallingOf(scene).length >= least ? { scene: make(scene) } : undefined

/** @type {Relation[]} */
export const budgets = [
  kept('energy', (scene) => (isLeftAlone(scene) ? { scene } : undefined), judgeEnergy),
  kept('momentum in flight', ofSome(1, apart), judgeFlight),
  kept('momentum of bodies that meet', ofSome(2, meeting), judgeMeeting),
  kept('angular momentum of bodies that meet', ofSome(2, meeting), judgeTurning),
  kept('spin of smooth balls', withSmoothBalls, judgeSpin),
]
