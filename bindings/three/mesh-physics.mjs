import { MoreauError } from '../core/errors.mjs'
import { makeBodies, poseOf } from './mesh-bodies.mjs'
import { followBody, syncInstancedMesh } from './objects.mjs'

// Bodies of meshes, by the names of three.js' own `addons/physics`.

/** @import { InstancedMesh, Mesh, Object3D, Vector3 } from 'three' */
/** @import { AdvanceOptions, Body, BodyDefinition, VectorLike, World } from '../index.mjs' */
/** @import { Made, Spelling } from './mesh-bodies.mjs' */

/** Steps and frames of the timer that drives it, Hz. */
const FRAME_RATE = 60
/** Seconds that a frame simulates at the most, as in three.js: after a pause nothing leaps. */
const LONGEST_FRAME = 1 / 30
/** Floats per slot of the poses of a world. */
const STRIDE = 8

/**
 * What belongs to a mesh: one body, or one per instance.
 * @typedef {object} Entry
 * @property {Made[]} made
 * @property {Body[]} bodies
 * @property {Vector3[]} scales of instances
 * @property {boolean} moves
 */

/** A world whose bodies move meshes. Its functions stand without it, so that they can be passed on. */
export class MeshPhysics {
  #world
  #spelling
  /** @type {Map<Object3D, Entry>} */
  #entries = new Map()
  #poses = new Float32Array(0)
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer
  #last = 0
  /** @type {AdvanceOptions} */
  #steps

  /**
   * @param {World} world
   * @param {Spelling} spelling
   * @param {boolean} autoStart whether a timer steps it
   * @param {AdvanceOptions} [steps] what else is done in steps
   */
  constructor(world, spelling, autoStart, steps = {}) {
    this.#world = world
    this.#spelling = spelling
    this.#steps = { ...steps, interpolate: true }
    if (!autoStart) return
    this.#last = performance.now()
    this.#timer = setInterval(() => this.#tick(), 1000 / FRAME_RATE)
    // A program in Node ends when it has nothing else to do.
    if (typeof this.#timer === 'object') this.#timer.unref?.()
  }

  /**
   * Adds all meshes below an object that have `userData.physics`: `{ mass, restitution, friction }`. What has no mass
   * does not move.
   * @param {Object3D} scene
   */
  addScene = (scene) => {
    scene.traverse((child) => {
      const { physics } = child.userData
      if (!('isMesh' in child) || !physics) return
      this.#add(/** @type {Mesh} */ (child), physics.mass ?? 0, {
        restitution: physics.restitution ?? 0,
        ...(physics.friction !== undefined && { friction: physics.friction }),
      })
    })
  }

  /**
   * Adds a mesh, or the instances of an InstancedMesh.
   * @param {Mesh} mesh
   * @param {number} [mass] kg, of each instance; 0: it does not move
   * @param {number} [restitution] 0 to 1
   */
  addMesh = (mesh, mass = 0, restitution = 0) => this.#add(mesh, mass, { restitution })

  /**
   * Takes a mesh out of the world. It stays in its scene.
   * @param {Mesh} mesh
   */
  removeMesh = (mesh) => {
    const entry = this.#entries.get(mesh)
    if (entry === undefined) return
    this.#entries.delete(mesh)
    for (const made of entry.made) this.#spelling.remove(made)
    if (mesh.userData.physics) {
      delete mesh.userData.physics.body
      delete mesh.userData.physics.collider
    }
  }

  /**
   * Puts a mesh elsewhere, at rest.
   * @param {Mesh} mesh
   * @param {VectorLike} position metres, world
   * @param {number} [index] of an instance
   */
  setMeshPosition = (mesh, position, index = 0) => {
    const body = this.#bodyOf(mesh, index, 'setMeshPosition')
    body.position = position
    body.linearVelocity = body.angularVelocity = [0, 0, 0]
    this.#settle(body)
  }

  /**
   * @param {Mesh} mesh
   * @param {VectorLike} velocity m/s, world
   * @param {number} [index] of an instance
   */
  setMeshVelocity = (mesh, velocity, index = 0) => {
    this.#bodyOf(mesh, index, 'setMeshVelocity').linearVelocity = velocity
  }

  /**
   * @param {Mesh} mesh
   * @param {VectorLike} impulse N s, world, at the centre of mass
   * @param {number} [index] of an instance
   */
  applyImpulse = (mesh, impulse, index = 0) => {
    this.#bodyOf(mesh, index, 'applyImpulse').applyImpulse(impulse)
  }

  /**
   * Adds a terrain where a mesh is, in the order of `RapierPhysics`: `heights[i + j * (width + 1)]` is sample i of
   * `width + 1` along z and j of `depth + 1` along x.
   * @param {Object3D} mesh
   * @param {number} width cells along z
   * @param {number} depth cells along x
   * @param {ArrayLike<number>} heights
   * @param {{ x: number, y: number, z: number }} scale metres along x and z, of all cells together, and of a height
   * @returns {any} the body, in the spelling of the physics
   */
  addHeightfield = (mesh, width, depth, heights, scale) => {
    const [rows, columns] = [width + 1, depth + 1]
    const byRows = Float64Array.from({ length: rows * columns }, (_, at) => {
      return heights[Math.floor(at / columns) + (at % columns) * rows]
    })
    const cell = /** @type {const} */ ([scale.x / depth, scale.y, scale.z / width])
    const field = /** @type {const} */ ({ type: 'heightfield' })
    const { toShape, make } = this.#spelling
    const shape = toShape({ ...field, heights: byRows, rows, columns, scale: cell })
    const made = make(shape, { type: 'static', ...poseOf(mesh) })
    this.#enter(mesh, { made: [made], bodies: [made.raw], scales: [], moves: false })
    return made.body
  }

  /**
   * Steps the world by the time that went by, and moves the meshes. The timer does it, unless `autoStart` is false.
   * @param {number} [seconds] default 1/60
   */
  step = (seconds = 1 / FRAME_RATE) => {
    this.#world.advance(Math.min(seconds, LONGEST_FRAME), this.#steps)
    const { length } = this.#world.transforms
    if (this.#poses.length < length) this.#poses = new Float32Array(length)
    this.#world.interpolate(this.#poses)
    for (const [mesh, { bodies, scales, moves }] of this.#entries) {
      if (!moves) continue
      if ('isInstancedMesh' in mesh) {
        syncInstancedMesh(/** @type {InstancedMesh} */ (mesh), bodies, this.#poses, scales)
      } else if (bodies[0].isAlive) {
        followBody(mesh, this.#poses, bodies[0])
      }
    }
  }

  /** Ends the timer and frees the world. */
  dispose = () => {
    clearInterval(this.#timer)
    for (const mesh of [...this.#entries.keys()]) this.removeMesh(/** @type {Mesh} */ (mesh))
    this.#spelling.free()
  }

  #tick() {
    const now = performance.now()
    const seconds = (now - this.#last) / 1000
    this.#last = now
    this.step(seconds)
  }

  /**
   * @param {Mesh} mesh
   * @param {number} mass
   * @param {Partial<BodyDefinition>} options
   */
  #add(mesh, mass, options) {
    if (this.#entries.has(mesh)) this.removeMesh(mesh)
    const moves = mass > 0
    /** @type {Entry} */
    const entry = { made: [], bodies: [], scales: [], moves }
    const common = { ...options, ...(moves ? { mass } : { type: /** @type {const} */ ('static') }) }
    try {
      makeBodies(mesh, common, this.#spelling, entry)
    } catch (error) {
      for (const made of entry.made) this.#spelling.remove(made)
      throw error
    }
    entry.bodies = entry.made.map(({ raw }) => raw)
    this.#enter(mesh, entry)
  }

  /**
   * With a mesh there is kept what three.js' own keep.
   * @param {Object3D} mesh
   * @param {Entry} entry
   */
  #enter(mesh, entry) {
    this.#entries.set(mesh, entry)
    const [bodies, colliders] = [
      entry.made.map(({ body }) => body),
      entry.made.map(({ collider }) => collider),
    ]
    const isMany = 'isInstancedMesh' in mesh
    mesh.userData.physics ??= {}
    mesh.userData.physics.body = isMany ? bodies : bodies[0]
    mesh.userData.physics.collider = isMany ? colliders : colliders[0]
  }

  /** A body that was put elsewhere is not drawn on its way there. @param {Body} body */
  #settle({ index }) {
    const { previousTransforms, transforms } = this.#world
    const at = STRIDE * index
    previousTransforms.set(transforms.subarray(at, at + STRIDE), at)
  }

  /**
   * @param {Object3D} mesh
   * @param {number} index
   * @param {string} where
   */
  #bodyOf(mesh, index, where) {
    const body = this.#entries.get(mesh)?.bodies[index]
    if (body !== undefined) return body
    const what = this.#entries.has(mesh) ? `it has no instance ${index}` : 'it was not added'
    const message = `${where}: mesh '${mesh.name}' is not in the physics: ${what}`
    throw new MoreauError('invalid-argument', message)
  }
}
