import { DENSITY, FRICTION, GRAVITY, TIME_STEP } from '../scenes/description.mjs'
import {
  localDirection,
  localPoint,
  peerFile,
  peerVersion,
  POSE,
  refuseWhatIsMissing,
  relativeTurn,
  slotCount,
  Unsupported,
} from './engine.mjs'

/** @typedef {import('./engine.mjs').Description} Description */
/** @typedef {import('./engine.mjs').BodyDescription} BodyDescription */
/** @typedef {import('./engine.mjs').JointDescription} JointDescription */
/** @typedef {import('./engine.mjs').BasicShape} ShapeDescription */
/** @typedef {import('./engine.mjs').SimulationOptions} SimulationOptions */
/** @typedef {import('./engine.mjs').Quaternion} Quaternion */

const PACKAGE = '@mujoco/mujoco'

/** @returns {Promise<import('./engine.mjs').Engine>} */
export async function load() {
  const { default: start } = await import(peerFile(`${PACKAGE}/mujoco.js`).href)
  const MJ = await start()
  return {
    version: peerVersion(PACKAGE),
    create: async (description, options) => new Simulation(MJ, description, options),
  }
}

class Simulation {
  #MJ
  #model
  #data
  /** The engine's body in each slot: the order of its tree is not ours. */
  #places

  /**
   * @param {any} MJ
   * @param {Description} description
   * @param {SimulationOptions} options
   */
  constructor(MJ, description, { sleep }) {
    refuseWhatIsMissing(description)
    if (description.churn) throw new Unsupported('a model has its bodies from the start')
    this.#MJ = MJ
    const tree = new Tree(description)
    this.#model = MJ.MjModel.from_xml_string(modelText(description, tree, sleep))
    this.#data = new MJ.MjData(this.#model)
    this.#places = new Int32Array(slotCount(description))
    // Ids go from parent to child, in the order of the text; 0 is the world.
    for (const [index, slot] of tree.order.entries()) this.#places[slot] = index + 1
    this.#setVelocities(description)
    MJ.mj_forward(this.#model, this.#data)
  }

  step() {
    this.#MJ.mj_step(this.#model, this.#data)
  }

  /** @param {Float32Array} out */
  readPoses(out) {
    const { xpos, xquat } = this.#data
    const places = this.#places
    for (let slot = 0, to = 0; slot < places.length; slot++, to += POSE) {
      const p = 3 * places[slot]
      const q = 4 * places[slot]
      out[to] = xpos[p]
      out[to + 1] = xpos[p + 1]
      out[to + 2] = xpos[p + 2]
      // Its quaternions begin with w.
      out[to + 3] = xquat[q + 1]
      out[to + 4] = xquat[q + 2]
      out[to + 5] = xquat[q + 3]
      out[to + 6] = xquat[q]
    }
  }

  add() {
    throw new Unsupported('a model has its bodies from the start')
  }

  remove() {
    this.add()
  }

  /**
   * Initial velocities, of free bodies.
   *
   * @param {Description} description
   */
  #setVelocities({ bodies }) {
    const { body_dofadr: addresses } = this.#model
    for (const [slot, { fixed, linearVelocity }] of bodies.entries()) {
      if (!fixed && linearVelocity.some((each) => each !== 0)) {
        this.#data.qvel.set(linearVelocity, addresses[this.#places[slot]])
      }
    }
  }

  /**
   * @param {Float64Array} rays
   * @param {Float32Array} distances
   */
  castRays(rays, distances) {
    const [origin, direction] = [
      [0, 0, 0],
      [0, 0, 0],
    ]
    const [geometry, normal] = [new Int32Array(1), new Float64Array(3)]
    for (let ray = 0, from = 0; ray < distances.length; ray++, from += 7) {
      for (let i = 0; i < 3; i++) {
        origin[i] = rays[from + i]
        direction[i] = rays[from + 3 + i]
      }
      const hit = this.#MJ.mj_ray(
        this.#model,
        this.#data,
        origin,
        direction,
        null,
        true,
        -1,
        geometry,
        normal,
      )
      distances[ray] = hit >= 0 && hit <= rays[from + 6] ? hit : Infinity
    }
  }
}

/**
 * MuJoCo joins the bodies of a tree by coordinates; what closes a loop is an equality. This is the tree that the joints span.
 */
class Tree {
  /** The joint that holds a body to its parent, by slot. @type {Map<number, JointDescription>} */
  parents = new Map()
  /** @type {Map<number, number[]>} */
  children = new Map()
  /** @type {JointDescription[]} */
  loops = []
  /** Slots from the roots on, each before its children. @type {number[]} */
  order = []

  /** @param {Description} description */
  constructor({ bodies, joints }) {
    // Joints are listed from where a mechanism hangs on; A is held already.
    for (const joint of joints) {
      if (this.parents.has(joint.bodyB) || bodies[joint.bodyB].fixed) this.loops.push(joint)
      else {
        this.parents.set(joint.bodyB, joint)
        this.children.set(joint.bodyA, [...(this.children.get(joint.bodyA) ?? []), joint.bodyB])
      }
    }
    for (const slot of bodies.keys()) if (!this.parents.has(slot)) this.#visit(slot)
  }

  /** @param {number} slot */
  #visit(slot) {
    this.order.push(slot)
    for (const child of this.children.get(slot) ?? []) this.#visit(child)
  }
}

/**
 * Room for the contacts and matrices of a step: what the engine sets aside by itself is too little for a pile.
 *
 * @param {number} bodies
 * @returns {number} MiB
 */
const memoryFor = (bodies) => Math.min(1024, 64 + Math.ceil(0.25 * bodies))

/**
 * The model as MJCF.
 *
 * @param {Description} description
 * @param {Tree} tree
 * @param {boolean} sleep
 */
function modelText(description, tree, sleep) {
  const { bodies, joints, shapes } = description
  const meshes = shapes.flatMap((shape, index) =>
    shape.type === 'hull'
      ? [`<mesh name="s${index}" vertex="${shape.points.flat().join(' ')}"/>`]
      : [],
  )
  const roots = [...bodies.keys()].filter((slot) => !tree.parents.has(slot))
  const loops = tree.loops.map(({ type, bodyA, bodyB, anchor }) => {
    if (type !== 'ball') throw new Unsupported('a hinge that closes a loop')
    const point = localPoint(bodies[bodyA], anchor).join(' ')
    return `<connect body1="b${bodyA}" body2="b${bodyB}" anchor="${point}"/>`
  })
  // Parent and child do not collide as it is; the others are told here, and so are fixed parents, which do.
  const excluded = joints.map(
    ({ bodyA, bodyB }) => `<exclude body1="b${bodyA}" body2="b${bodyB}"/>`,
  )
  return `<mujoco>
<compiler angle="radian"/>
<option timestep="${TIME_STEP}" gravity="0 ${-GRAVITY} 0"><flag sleep="${sleep ? 'enable' : 'disable'}"/></option>
<size memory="${memoryFor(bodies.length)}M"/>
<default><geom friction="${FRICTION} 0.005 0.0001" density="${DENSITY}"/></default>
<asset>${meshes.join('')}</asset>
<worldbody>${roots.map((slot) => bodyText(slot, description, tree)).join('\n')}</worldbody>
<equality>${loops.join('')}</equality>
<contact>${excluded.join('')}</contact>
</mujoco>`
}

/**
 * @param {number} slot
 * @param {Description} description
 * @param {Tree} tree
 * @returns {string}
 */
function bodyText(slot, description, tree) {
  const { bodies, shapes } = description
  const body = bodies[slot]
  const joint = tree.parents.get(slot)
  const parent = joint && bodies[joint.bodyA]
  const position = parent ? localPoint(parent, body.position) : body.position
  const turn = parent ? relativeTurn(parent.orientation, body.orientation) : body.orientation
  const children = tree.children.get(slot) ?? []
  return [
    `<body name="b${slot}" pos="${position.join(' ')}" quat="${wFirst(turn)}">`,
    body.fixed ? '' : joint ? jointText(joint, body) : '<freejoint/>',
    geometryText(/** @type {ShapeDescription} */ (shapes[body.shape]), body.shape),
    ...children.map((child) => bodyText(child, description, tree)),
    '</body>',
  ].join('')
}

/**
 * @param {JointDescription} joint
 * @param {BodyDescription} body
 */
function jointText({ type, anchor, axis, limits }, body) {
  const place = `pos="${localPoint(body, anchor).join(' ')}"`
  if (type === 'ball') return `<joint type="ball" ${place}/>`
  const range = limits ? ` limited="true" range="${limits.join(' ')}"` : ''
  return `<joint type="hinge" ${place} axis="${localDirection(body, axis).join(' ')}"${range}/>`
}

/**
 * @param {ShapeDescription} shape
 * @param {number} index
 */
function geometryText(shape, index) {
  if (shape.type === 'box') return `<geom type="box" size="${shape.halfExtents.join(' ')}"/>`
  if (shape.type === 'sphere') return `<geom type="sphere" size="${shape.radius}"/>`
  return `<geom type="mesh" mesh="s${index}"/>`
}

/** @type {(quaternion: Quaternion) => string} */
const wFirst = ([x, y, z, w]) => [w, x, y, z].join(' ')
