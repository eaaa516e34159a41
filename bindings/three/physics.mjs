import { Matrix4, Quaternion, Vector3 } from 'three'
import { MoreauError } from '../core/errors.mjs'
import { World } from '../index.mjs'
import * as moreau from '../index.mjs'
import { shapeFromGeometry } from './geometry.mjs'
import { followBody, syncInstancedMesh } from './objects.mjs'

// Physics for three.js scenes, by the names of three.js' own `addons/physics`.

/** @import { InstancedMesh, Mesh, Object3D } from 'three' */
/** @import { Body, BodyDefinition, Shape, VectorLike, WorldOptions } from '../index.mjs' */

/** Steps and frames of the timer that drives it, Hz. */
const FRAME_RATE = 60
/** Seconds that a frame simulates at the most, as in three.js: after a pause nothing leaps. */
const LONGEST_FRAME = 1 / 30

/**
 * @typedef {object} PhysicsOptions
 * @property {boolean} [autoStart] default true: whether a timer steps the world 60 times a second, as in three.js;
 *   with false call `step()` in each frame
 * @property {WorldOptions} [world]
 */

/**
 * What belongs to a mesh: one body, or one per instance.
 * @typedef {object} Entry
 * @property {Body[]} bodies
 * @property {Shape[]} shapes
 * @property {Vector3[]} scales of instances
 * @property {boolean} moves
 */

/**
 * A world whose bodies move meshes, with the interface of `RapierPhysics` and `JoltPhysics` of three.js.
 *
 * @param {PhysicsOptions} [options]
 * @returns {Promise<MoreauPhysicsObject>}
 *
 * @example
 * import { MoreauPhysics } from 'moreau/three'
 * const physics = await MoreauPhysics()
 * box.userData.physics = { mass: 1 }
 * physics.addScene(scene)
 */
export async function MoreauPhysics(options = {}) {
  const world = await World.create(options.world)
  return new MoreauPhysicsObject(world, options.autoStart ?? true)
}

/** What `MoreauPhysics` gives. Its functions stand without it, so that they can be passed on. */
export class MoreauPhysicsObject {
  /** The package, as the others give theirs. */
  moreau = moreau

  #world
  /** @type {Map<Object3D, Entry>} */
  #entries = new Map()
  #poses = new Float32Array(0)
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer
  #last = 0

  /**
   * @param {World} world
   * @param {boolean} autoStart
   */
  constructor(world, autoStart) {
    this.#world = world
    if (!autoStart) return
    this.#last = performance.now()
    this.#timer = setInterval(() => this.#tick(), 1000 / FRAME_RATE)
    // A program in Node ends when it has nothing else to do.
    if (typeof this.#timer === 'object') this.#timer.unref?.()
  }

  get world() {
    return this.#world
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
    for (const body of entry.bodies) if (body.isAlive) body.destroy()
    for (const shape of entry.shapes) shape.free()
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
   * @returns {Body}
   */
  addHeightfield = (mesh, width, depth, heights, scale) => {
    const [rows, columns] = [width + 1, depth + 1]
    const byRows = Float64Array.from({ length: rows * columns }, (_, at) => {
      return heights[Math.floor(at / columns) + (at % columns) * rows]
    })
    const cell = /** @type {const} */ ([scale.x / depth, scale.y, scale.z / width])
    const shape = /** @type {const} */ ({ type: 'heightfield' })
    const field = moreau.createShape({ ...shape, heights: byRows, rows, columns, scale: cell })
    const entry = this.#enter(mesh, { bodies: [], shapes: [field], scales: [], moves: false })
    entry.bodies.push(this.#world.createBody({ type: 'static', shape: field, ...poseOf(mesh) }))
    this.#tell(mesh, entry)
    return entry.bodies[0]
  }

  /**
   * Steps the world by the time that went by, and moves the meshes. The timer does it, unless `autoStart` is false.
   * @param {number} [seconds] default 1/60
   */
  step = (seconds = 1 / FRAME_RATE) => {
    this.#world.advance(Math.min(seconds, LONGEST_FRAME), { interpolate: true })
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
    this.#world.free()
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
    const entry = this.#enter(mesh, { bodies: [], shapes: [], scales: [], moves })
    const common = { ...options, ...(moves ? { mass } : { type: /** @type {const} */ ('static') }) }
    try {
      for (const { scale, ...pose } of placesOf(mesh)) {
        const shape = shapeOf(entry, mesh, scale, moves)
        entry.bodies.push(this.#world.createBody({ ...common, ...pose, shape }))
        entry.scales.push(scale)
      }
    } catch (error) {
      this.removeMesh(mesh)
      throw error
    }
    this.#tell(mesh, entry)
  }

  /**
   * @param {Object3D} mesh
   * @param {Entry} entry
   */
  #enter(mesh, entry) {
    this.#entries.set(mesh, entry)
    return entry
  }

  /**
   * What three.js' own keep with a mesh.
   * @param {Object3D} mesh
   * @param {Entry} entry
   */
  #tell(mesh, { bodies, shapes }) {
    const isMany = 'isInstancedMesh' in mesh
    mesh.userData.physics ??= {}
    mesh.userData.physics.body = isMany ? bodies : bodies[0]
    mesh.userData.physics.collider = isMany ? shapes : shapes[0]
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

/**
 * The shape of a mesh at a scale: instances of one scale share one.
 * @param {Entry} entry
 * @param {Mesh} mesh
 * @param {Vector3} scale
 * @param {boolean} dynamic
 */
function shapeOf({ shapes, scales }, mesh, scale, dynamic) {
  const same = scales.findIndex((one) => one.equals(scale))
  if (same >= 0 && shapes[same] !== undefined) {
    shapes.push(shapes[same])
    return shapes[same]
  }
  const shape = moreau.createShape(shapeFromGeometry(mesh.geometry, { scale, dynamic }))
  shapes.push(shape)
  return shape
}

/** @typedef {{ position: [number, number, number], orientation: [number, number, number, number], scale: Vector3 }} Place */

/**
 * Where a mesh is in the world, or where its instances are.
 * @param {Mesh} mesh
 * @returns {Place[]}
 */
function placesOf(mesh) {
  mesh.updateWorldMatrix(true, false)
  if (!('isInstancedMesh' in mesh)) return [placeOf(mesh.matrixWorld)]
  const instanced = /** @type {InstancedMesh} */ (mesh)
  const matrix = new Matrix4()
  return Array.from({ length: instanced.count }, (_, i) => {
    instanced.getMatrixAt(i, matrix)
    return placeOf(matrix)
  })
}

/** @param {Object3D} object */
function poseOf(object) {
  object.updateWorldMatrix(true, false)
  const { position, orientation } = placeOf(object.matrixWorld)
  return { position, orientation }
}

/**
 * @param {Matrix4} matrix
 * @returns {Place}
 */
function placeOf(matrix) {
  const position = new Vector3()
  const orientation = new Quaternion()
  const scale = new Vector3()
  matrix.decompose(position, orientation, scale)
  return { position: position.toArray(), orientation: orientation.toArray(), scale }
}
