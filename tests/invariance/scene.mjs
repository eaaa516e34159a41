/**
 * Scenes of the exam as plain data, and how they move.
 */
import { World } from 'moreau'
import { add, rotate } from '../../scenarios/vector.mjs'
import { bodiesOfSlabs, WHOLE_KIND } from './surfaces.mjs'

/** @import { Quaternion, Vector } from '../../scenarios/vector.mjs' */
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

/** What all slabs are made of, and numbers that it takes. @typedef {{ kind: string, size: number, seed: number }} Surface */

/**
 * @typedef {object} Scene
 * @property {number} seed of what images choose
 * @property {Record<string, unknown>} settings of the world, without a solver
 * @property {Slab[]} slabs
 * @property {Surface} surface
 * @property {any[]} bodies that move, as a file has them (docs/scene-format.md): each has a name of its own, a position and an orientation
 * @property {any[]} joints of the bodies, by their names
 * @property {any[]} potentials
 * @property {number} timeStep s
 * @property {number} duration s
 */

/** m/s²: of worlds whose settings have no other. @type {Vector} */
export const GRAVITY = [0, -9.81, 0]

/** Per body: position and orientation. */
export const NUMBERS = 7

/**
 * Where the bodies are after each step: NUMBERS of each, in the order of their names.
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
 * @param {Scene} scene
 * @param {string} solver
 * @param {Omit<Image, 'scene' | 'base' | 'back'>} [beside] what else there is
 * @returns {Motion}
 */
export function play(scene, solver, { more = [], setup, beforeStep } = {}) {
  const file = fileOf(scene)
  const world = World.fromJSON({
    ...{ ...file, settings: { ...file.settings, solver } },
    bodies: [...file.bodies, ...more],
  })
  try {
    setup?.(world)
    const byName = new Map(world.bodies.map((body) => [body.userData, body]))
    const bodies = namesOf(scene).map((name) => byName.get(name))
    const steps = Math.round(scene.duration / scene.timeStep)
    return Array.from({ length: steps }, () => {
      beforeStep?.(world)
      world.step(scene.timeStep)
      const state = new Float64Array(NUMBERS * bodies.length)
      bodies.forEach((body, i) => {
        if (!body) throw new Error('a body of the scene is not in its world')
        state.set([...body.position, ...body.orientation], NUMBERS * i)
      })
      return state
    })
  } finally {
    world.free()
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
