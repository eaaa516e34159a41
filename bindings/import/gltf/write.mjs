// A world as glTF 2.0 with KHR_implicit_shapes and KHR_physics_rigid_bodies.

import { checkNames, readFunction, readObject } from '../../core/arguments.mjs'
import { invalid } from '../../core/describe.mjs'
import { rotate, turnBack } from '../rigid.mjs'
import { Warnings } from '../xml/reader.mjs'
import { BufferWriter } from './buffer.mjs'
import { principalAxes } from './principal.mjs'
import { JointWriter } from './write-joints.mjs'
import { ShapeWriter } from './write-shapes.mjs'

/** @import { Body, World } from '../../index.mjs' */
/** @import { ImportWarning } from '../xml/reader.mjs' */
/** @import { Gltf, GltfMotion, GltfNode } from './types.mjs' */

/**
 * @typedef {object} GltfWriting
 * @property {(body: Body) => string | undefined} [name] of the node of a body; default: its `userData` where that is a string
 */

/**
 * @typedef {object} ExportedScene
 * @property {Gltf} gltf the JSON of a file that stands by itself: `JSON.stringify` it
 * @property {readonly ImportWarning[]} warnings what the file does not have
 */

/** Options of a body that its node has words for, or that are no part of a scene. */
const SAID = new Set([
  ...['type', 'position', 'orientation', 'linearVelocity', 'angularVelocity', 'mass', 'inertia'],
  ...['centerOfMass', 'gravityScale', 'shapes', 'density', 'name', 'userData'],
])
/** Options that last for a step or until a time. */
const PASSING = ['force', 'torque', 'target']

/**
 * Writes the bodies and joints of a world. `importGLTF` makes the same world of it again, in an empty one. What the extensions have no
 * words for is in `extras.moreau`, where other programs do not see it, and the other way round: what they change in the rest counts,
 * but for shapes and joints that are in `extras`.
 *
 * @param {World} world
 * @param {GltfWriting} [options]
 * @returns {ExportedScene} with warnings of what it cannot hold: custom constraints, potentials, forces of the next step
 * @throws {MoreauError} `invalid-argument`
 *
 * @example
 * const { gltf } = exportGLTF(world)
 * await writeFile('world.gltf', JSON.stringify(gltf))
 */
export function exportGLTF(world, options = {}) {
  const where = 'exportGLTF'
  const isWorld = typeof world === 'object' && world !== null && 'toJSON' in world
  if (!isWorld) throw invalid(`${where}: world`, 'a World', world)
  checkNames(readObject(options, `${where}: options`), ['name'], where)
  const name = options.name === undefined ? nameOf : readFunction(options.name, `${where}: name`)
  return new WorldWriter(world, name).write()
}

/** @param {Body} body */
const nameOf = ({ userData }) => (typeof userData === 'string' ? userData : undefined)

class WorldWriter {
  #world
  #name
  #warnings = new Warnings()
  #scene
  /** @type {GltfNode[]} */
  #nodes = []
  /** Numbers of nodes. @type {number[]} */
  #roots = []
  #buffer = new BufferWriter()

  /**
   * @param {World} world
   * @param {(body: Body) => string | undefined} name
   */
  constructor(world, name) {
    this.#world = world
    this.#name = name
    this.#scene = world.toJSON()
  }

  /** @returns {ExportedScene} */
  write() {
    const shapes = new ShapeWriter(this.#buffer, this.#scene.assets ?? {}, this.#warnings)
    const bodies = this.#world.bodies.map((body, i) => this.#writeBody(body, i, shapes))
    const joints = new JointWriter(this.#nodes, this.#roots, bodies, this.#warnings)
    const written = this.#scene.joints ?? []
    this.#world.joints.forEach((joint, i) => joints.write(joint, written[i]))
    this.#warnOfOthers()
    const { physicsMaterials, collisionFilters } = shapes
    const physics = { physicsMaterials, collisionFilters, physicsJoints: joints.physicsJoints }
    const moreau = {
      settings: this.#scene.settings,
      ...(joints.extras.length > 0 && { joints: joints.extras }),
      ...(shapes.usesAssets && { assets: this.#scene.assets }),
    }
    const gltf = {
      asset: { version: '2.0', generator: this.#scene.generator ?? 'moreau' },
      extensionsUsed: ['KHR_implicit_shapes', 'KHR_physics_rigid_bodies'],
      scene: 0,
      scenes: [{ nodes: this.#roots }],
      nodes: this.#nodes,
      ...this.#buffer.parts(shapes.meshes),
      extensions: {
        ...(shapes.shapes.length > 0 && { KHR_implicit_shapes: { shapes: shapes.shapes } }),
        KHR_physics_rigid_bodies: withoutEmpty(physics),
      },
      extras: { moreau },
    }
    if (shapes.shapes.length === 0) gltf.extensionsUsed.shift()
    return { gltf: withoutEmpty(gltf), warnings: this.#warnings.list }
  }

  /**
   * @param {Body} body
   * @param {number} index
   * @param {ShapeWriter} shapes
   * @returns {number} of its node
   */
  #writeBody(body, index, shapes) {
    const written = /** @type {Record<string, any>} */ (this.#scene.bodies?.[index])
    const { position, orientation } = body
    const name = this.#name(body)
    /** @type {GltfNode} */
    const node = {
      ...(name !== undefined && { name }),
      translation: position,
      rotation: orientation,
    }
    const number = this.#nodes.push(node) - 1
    this.#roots.push(number)
    const children = shapes.write(body, written.shapes ?? [], node)
    if (children.length > 0) node.children = children.map((child) => this.#nodes.push(child) - 1)
    if (body.type !== 'static') {
      const physics = { ...node.extensions?.KHR_physics_rigid_bodies, motion: motionOf(body) }
      node.extensions = { KHR_physics_rigid_bodies: physics }
    }
    const path = `world.bodies[${index}]`
    for (const passing of PASSING.filter((option) => option in written)) {
      this.#warnings.add(`${path}.${passing}`, 'it lasts for a step: the file does not have it')
    }
    const others = Object.entries(written).filter(
      ([option]) => !SAID.has(option) && !PASSING.includes(option),
    )
    const own = Object.fromEntries(others)
    // A static body without it would fall apart into its colliders.
    if (others.length > 0 || body.type === 'static') {
      node.extras = { ...node.extras, moreau: { ...node.extras?.moreau, body: own } }
    }
    return number
  }

  #warnOfOthers() {
    for (const [list, what] of /** @type {const} */ ([
      ['constraints', 'a constraint that is no joint'],
      ['potentials', 'a potential'],
    ])) {
      const { length } = this.#world[list]
      for (let i = 0; i < length; i++) {
        this.#warnings.add(`world.${list}[${i}]`, `${what} is not in the file`)
      }
    }
  }
}

/**
 * @param {Body} body
 * @returns {GltfMotion}
 */
function motionOf(body) {
  const back = turnBack(body.orientation)
  const { linearVelocity, angularVelocity, gravityScale, mass } = body
  const isKinematic = body.type === 'kinematic'
  const velocities = {
    linearVelocity: rotate(back, linearVelocity),
    angularVelocity: rotate(back, angularVelocity),
  }
  const moves = Object.entries(velocities).filter(([, v]) => v.some((x) => x !== 0))
  return {
    ...(isKinematic ? { isKinematic } : massOf(body, mass)),
    ...Object.fromEntries(moves),
    ...(gravityScale !== 1 && { gravityFactor: gravityScale }),
  }
}

/**
 * @param {Body} body
 * @param {number} mass
 * @returns {GltfMotion}
 */
function massOf({ centerOfMass, inertia }, mass) {
  const { moments, turn } = principalAxes(inertia)
  return { mass, centerOfMass, inertiaDiagonal: moments, inertiaOrientation: turn }
}

/**
 * @template {object} Value
 * @param {Value} value
 * @returns {Value} without lists that are empty, which glTF does not allow
 */
function withoutEmpty(value) {
  const entries = Object.entries(value).filter(([, one]) => !Array.isArray(one) || one.length > 0)
  return /** @type {Value} */ (Object.fromEntries(entries))
}
