/**
 * Scenes of the exam as plain data, and how they move.
 */
import { World } from 'moreau'
import { add, rotate } from '../../scenarios/vector.mjs'
import { makeCharacter } from './character.mjs'
import { bodiesOfSlabs, WHOLE_KIND } from './surfaces.mjs'

/** @import { Quaternion, Vector } from '../../scenarios/vector.mjs' */
/** @import { WalkingCharacter } from './character.mjs' */
/** @import { Image } from './relations/index.mjs' */

/**
 * A piece of the ground: a rectangle about `origin`, out of which y of `orientation` points, and the ground below it.
 * @typedef {object} Slab
 * @property {Vector} origin m
 * @property {Quaternion} orientation
 * @property {[x: number, z: number]} half m
 * @property {number} depth m: of the ground below
 * @property {number} friction
 * @property {number} restitution
 * @property {Vector} [linearVelocity] m/s; without it the ground is static
 */

/** What all slabs are made of, and numbers that it takes; `gap` in metres is between tiles. @typedef {{ kind: string, size: number, seed: number, gap?: number }} Surface */

/**
 * @typedef {object} Scene
 * @property {number} seed of what images choose
 * @property {Record<string, unknown>} settings of the world, without a solver
 * @property {Slab[]} slabs
 * @property {Surface} surface
 * @property {any[]} bodies that move, as a file has them (docs/scene-format.md): each has a name of its own, a position and an orientation
 * @property {any[]} joints of the bodies, by their names; a gear has its joints by their places
 * @property {any[]} potentials
 * @property {WalkingCharacter | undefined} [character] which no file has
 * @property {number} timeStep s
 * @property {number} duration s
 */

/** m/s²: of worlds whose settings have no other. @type {Vector} */
export const GRAVITY = [0, -9.81, 0]

/** The name of what no body is. */
export const CHARACTER = 'character'

/** Of a pose: position and orientation. */
export const NUMBERS = 7

/**
 * Where the bodies are after each step: NUMBERS of each, in the order of their names, and then of the character.
 * @typedef {Float64Array[]} Motion
 */

/** What a slab is made of where nothing else is asked for. */
export const WHOLE = Object.freeze({ kind: WHOLE_KIND, size: 1, seed: 1 })

/** @param {Scene} scene @returns {any} a file of the scene, as World.fromJSON takes it */
export const fileOf = ({ settings, slabs, surface, bodies, joints, potentials }) => ({
  version: 1,
  settings: { allowSleep: false, warnings: false, ...settings },
  bodies: [...bodiesOfSlabs(slabs, surface), ...bodies],
  joints,
  potentials,
})

/** @param {Scene} scene @returns {string[]} names of the bodies that are compared */
export const namesOf = ({ bodies }) => bodies.map(({ name }) => name).sort()

/**
 * What steps a world and reads its bodies.
 * @typedef {object} Stage
 * @property {(timeStep: number) => void} step
 * @property {(i: number) => ArrayLike<number>} poseOf the i-th of the names: NUMBERS
 * @property {() => void} free
 */

/** @param {World} world @param {readonly string[]} names @returns {number[]} ids, which stay where objects do not */
export function idsOf(world, names) {
  const byName = new Map(world.bodies.map((body) => [body.userData, body.id]))
  return names.map((name) => {
    const id = byName.get(name)
    if (id === undefined) throw new Error(`the body '${name}' of the scene is not in its world`)
    return id
  })
}

/** @param {World} world @param {number} id @returns {number[]} */
export function poseIn(world, id) {
  const body = world.bodyById(id)
  if (!body) throw new Error('a body of the scene has left its world')
  return [...body.position, ...body.orientation]
}

/** A world by itself. @param {World} world @param {readonly string[]} names @returns {Stage} */
function stageOf(world, names) {
  const ids = idsOf(world, names)
  return {
    step: (timeStep) => world.step(timeStep),
    poseOf: (i) => poseIn(world, ids[i]),
    free: () => world.free(),
  }
}

/** @param {Scene} scene @param {string} solver @param {Image['make']} make @param {Partial<Image>} more @returns {World} */
function worldOf(scene, solver, make = World.fromJSON, { more = [], moreJoints = [] } = {}) {
  const file = fileOf(scene)
  return make({
    ...{ ...file, settings: { ...file.settings, solver } },
    ...{ bodies: [...file.bodies, ...more], joints: [...file.joints, ...moreJoints] },
  })
}

/**
 * @param {Scene} scene
 * @param {string} solver
 * @param {Omit<Image, 'scene' | 'of' | 'back'>} [beside] what else there is
 * @returns {Motion}
 */
export function play(scene, solver, { make, setup, beforeStep, stage = stageOf, ...more } = {}) {
  const world = worldOf(scene, solver, make, more)
  setup?.(world)
  const names = namesOf(scene)
  const walking = scene.character && makeCharacter(world, scene.character)
  const on = stage(world, names)
  const read = () => {
    const poses = names.map((_, i) => on.poseOf(i))
    if (walking) poses.push([...walking.character.position, ...walking.character.orientation])
    return Float64Array.from(poses.flatMap((pose) => Array.from(pose)))
  }
  try {
    return Array.from({ length: Math.round(scene.duration / scene.timeStep) }, (_, step) => {
      beforeStep?.(world, step)
      walking?.move(scene.timeStep)
      on.step(scene.timeStep)
      return read()
    })
  } finally {
    on.free()
  }
}

/** @typedef {{ position: Vector, orientation: Quaternion }} Pose */

/**
 * @param {(pose: Pose, step: number) => Pose} change
 * @returns {(motion: Motion) => Motion} with the pose of each body after each step changed
 */
export const eachBody = (change) => (motion) =>
  motion.map((state, step) => {
    const changed = new Float64Array(state.length)
    for (let at = 0; at < state.length; at += NUMBERS) {
      const [x, y, z, ...orientation] = state.subarray(at, at + NUMBERS)
      const pose = change(
        { position: [x, y, z], orientation: /** @type {Quaternion} */ (orientation) },
        step,
      )
      changed.set([...pose.position, ...pose.orientation], at)
    }
    return changed
  })

/** A pose in the frame of another. @param {{ origin: Vector, orientation: Quaternion }} frame @param {Vector} position @returns {Vector} */
export const pointIn = ({ origin, orientation }, position) =>
  add(origin, rotate(orientation, position))

/** @param {Quaternion} a @param {Quaternion} b @returns {Quaternion} first b, then a */
export const multiply = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
  aw * bw - ax * bx - ay * by - az * bz,
]
