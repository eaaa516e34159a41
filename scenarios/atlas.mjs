/**
 * Atlas v3, the robot of Boston Dynamics, by the numbers of its URDF (`atlas_v3.urdf` of DART, BSD-2-Clause; Debian has it in `dart-doc`): masses,
 * centres, inertias, joint frames, limits, efforts. Its cameras, 0.1 kg each, and its head, which the file does not have, are left out.
 * Shapes are our own, about as large as the meshes. The test of the importer compares these numbers with the file.
 */
import { add, angleOf, cross, dot, rotate, scale, turn } from './vector.mjs'

/** @typedef {import('./scene.mjs').World} World */
/** @typedef {import('./scene.mjs').Body} Body */
/** @typedef {import('./vector.mjs').Vector} Vector */
/** @typedef {import('./vector.mjs').Quaternion} Quaternion */
/** @typedef {import('../bindings/index.mjs').ShapeDefinition} ShapeDefinition */

/**
 * A link and the hinge that it hangs on. Frames as in the file: x is ahead, y left, z up, and all of them look the same way where all angles are 0.
 *
 * @typedef {object} Link
 * @property {string} name
 * @property {string} parent '' of the root
 * @property {string} joint
 * @property {Vector} origin m: of the hinge in the frame of the parent; it is the origin of the link
 * @property {Vector} axis of the hinge
 * @property {[number, number]} limits rad
 * @property {number} effort N m
 * @property {number} mass kg
 * @property {Vector} center m, of mass
 * @property {number[]} inertia kg m², about the centre of mass: xx xy xz yy yz zz
 * @property {ShapeDefinition[]} shapes
 */

/** @type {Vector} */
const X = [1, 0, 0]
/** @type {Vector} */
const Y = [0, 1, 0]
/** @type {Vector} */
const Z = [0, 0, 1]

/** @param {Vector} halfExtents @param {Vector} position @returns {ShapeDefinition} */
const box = (halfExtents, position) => ({ type: 'box', halfExtents, position })
/** A capsule along y of a link. @param {number} radius @param {number} from @param {number} to @param {number} [z] @returns {ShapeDefinition} */
const alongY = (radius, from, to, z = 0) => ({
  ...{ type: 'capsule', radius, halfHeight: (to - from) / 2 - radius },
  position: [0, (from + to) / 2, z],
})
/** A capsule along z of a link. @param {number} radius @param {number} from @param {number} to @param {number} [x] @returns {ShapeDefinition} */
const alongZ = (radius, from, to, x = 0) => ({
  ...{ type: 'capsule', radius, halfHeight: (to - from) / 2 - radius },
  ...{ position: [x, 0, (from + to) / 2], orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
})

/** @type {Link[]} */
const TRUNK = [
  {
    ...{ name: 'pelvis', parent: '', joint: '', origin: [0, 0, 0], axis: Z },
    ...{ limits: [0, 0], effort: 0, mass: 17.882, center: [0.0111, 0, 0.0271] },
    inertia: [0.1244, 0.0008, -0.0007, 0.0958, -0.0005, 0.1167],
    shapes: [box([0.1, 0.14, 0.07], [0, 0, 0.04])],
  },
  {
    ...{ name: 'ltorso', parent: 'pelvis', joint: 'back_bkz', origin: [-0.0125, 0, 0], axis: Z },
    ...{ limits: [-0.663225, 0.663225], effort: 124.016, mass: 2.409 },
    center: [-0.0112984, -3.15366e-6, 0.0746835],
    inertia: [0.0039092, -5.04491e-8, -0.000342157, 0.00341694, 4.87119e-7, 0.00174492],
    shapes: [alongZ(0.06, 0.05, 0.2)],
  },
  {
    ...{ name: 'mtorso', parent: 'ltorso', joint: 'back_bky', origin: [0, 0, 0.16197], axis: Y },
    ...{ limits: [-0.610691, 0.438427], effort: 206.843, mass: 0.69 },
    center: [-0.00816266, -0.0131245, 0.0305974],
    inertia: [0.000454181, -6.10764e-5, 3.94009e-5, 0.000483282, 5.27463e-5, 0.000444215],
    shapes: [{ type: 'sphere', radius: 0.06 }],
  },
  {
    ...{ name: 'utorso', parent: 'mtorso', joint: 'back_bkx', origin: [0, 0, 0.05], axis: X },
    ...{ limits: [-0.698132, 0.698132], effort: 200, mass: 52.007, center: [-0.0923, 0, 0.3] },
    inertia: [1.466, 0.00362, 0.336, 1.51, 0.001, 1.3],
    shapes: [
      box([0.13, 0.17, 0.2], [0.01, 0, 0.28]),
      box([0.09, 0.2, 0.25], [-0.2, 0, 0.32]),
      { type: 'sphere', radius: 0.11, position: [0.12, 0, 0.62] },
    ],
  },
]

/** The left arm and leg; the right ones are their mirror images. @type {Link[]} */
const LEFT = [
  {
    ...{ name: 'clav', parent: 'utorso', joint: 'arm_shy', origin: [0.06441, 0.13866, 0.10718] },
    ...{ axis: [0, 0.5, 0.866025], limits: [-1.5708, 0.785398], effort: 212, mass: 3.45 },
    ...{ center: [0, 0.048, 0.084], inertia: [0.011, 0, 0, 0.009, -0.004, 0.004] },
    shapes: [{ type: 'sphere', radius: 0.085, position: [0, 0.1, 0.15] }],
  },
  {
    ...{ name: 'scap', parent: 'clav', joint: 'arm_shx', origin: [0, 0.14035, 0.19609], axis: X },
    ...{ limits: [-1.5708, 1.5708], effort: 170, mass: 3.012, center: [0, 0, 0] },
    ...{ inertia: [0.00319, 0, 0, 0.00583, 0, 0.00583], shapes: [alongY(0.06, -0.03, 0.16)] },
  },
  {
    ...{ name: 'uarm', parent: 'scap', joint: 'arm_ely', origin: [0, 0.187, 0.016], axis: Y },
    ...{ limits: [0, 3.14159], effort: 114, mass: 3.388, center: [0, -0.065, 0] },
    ...{ inertia: [0.00656, 0, 0, 0.00358, 0, 0.00656], shapes: [alongY(0.05, -0.01, 0.15)] },
  },
  {
    ...{ name: 'larm', parent: 'uarm', joint: 'arm_elx', origin: [0, 0.119, 0.00921], axis: X },
    ...{ limits: [0, 2.35619], effort: 114, mass: 2.509, center: [0, 0, 0] },
    ...{ inertia: [0.00265, 0, 0, 0.00446, 0, 0.00446], shapes: [alongY(0.05, -0.03, 0.18)] },
  },
  {
    ...{ name: 'farm', parent: 'larm', joint: 'arm_wry', origin: [0, 0.187, -0.00921], axis: Y },
    ...{ limits: [0, 3.14159], effort: 114, mass: 3.388, center: [0, -0.065, 0] },
    ...{ inertia: [0.00656, 0, 0, 0.00358, 0, 0.00656], shapes: [alongY(0.045, 0, 0.16)] },
  },
  {
    ...{ name: 'hand', parent: 'farm', joint: 'arm_wrx', origin: [0, 0.119, 0.00921], axis: X },
    ...{ limits: [-1.1781, 1.1781], effort: 60, mass: 2.509, center: [0, 0, 0] },
    ...{ inertia: [0.00265, 0, 0, 0.00446, 0, 0.00446] },
    shapes: [box([0.05, 0.06, 0.03], [0, 0.05, 0])],
  },
  {
    ...{ name: 'uglut', parent: 'pelvis', joint: 'leg_hpz', origin: [0, 0.089, 0], axis: Z },
    ...{ limits: [-0.174533, 1.22173], effort: 110, mass: 0.648 },
    center: [0.00529262, -0.00344732, 0.00313046],
    inertia: [0.00074276, -3.79607e-8, -2.79549e-5, 0.000688179, -3.2735e-8, 0.00041242],
    shapes: [{ type: 'sphere', radius: 0.06 }],
  },
  {
    ...{ name: 'lglut', parent: 'uglut', joint: 'leg_hpx', origin: [0, 0, 0], axis: X },
    ...{ limits: [-0.523599, 0.523599], effort: 180, mass: 0.866 },
    center: [0.0133341, 0.0170484, -0.0312052],
    inertia: [0.000691326, -2.24344e-5, 2.50508e-6, 0.00126856, 0.000137862, 0.00106487],
    shapes: [{ type: 'sphere', radius: 0.065, position: [0.02, 0, -0.03] }],
  },
  {
    ...{ name: 'uleg', parent: 'lglut', joint: 'leg_hpy', origin: [0.05, 0, -0.05], axis: Y },
    ...{ limits: [-1.72072, 0.524821], effort: 260, mass: 9.209, center: [0, 0, -0.21] },
    ...{ inertia: [0.09, 0, 0, 0.09, 0, 0.02], shapes: [alongZ(0.075, -0.38, 0.02, -0.02)] },
  },
  {
    ...{ name: 'lleg', parent: 'uleg', joint: 'leg_kny', origin: [-0.05, 0, -0.374], axis: Y },
    ...{ limits: [0, 2.38569], effort: 220, mass: 5.479, center: [0.001, 0, -0.187] },
    ...{ inertia: [0.077, 0, -0.003, 0.076, 0, 0.01], shapes: [alongZ(0.06, -0.41, 0.04, 0.01)] },
  },
  {
    ...{ name: 'talus', parent: 'lleg', joint: 'leg_aky', origin: [0, 0, -0.422], axis: Y },
    ...{ limits: [-1, 0.7], effort: 700, mass: 0.125, center: [0, 0, 0] },
    inertia: [1.01674e-5, 0, 0, 8.42775e-6, 0, 1.30101e-5],
    shapes: [{ type: 'sphere', radius: 0.03 }],
  },
  {
    ...{ name: 'foot', parent: 'talus', joint: 'leg_akx', origin: [0, 0, 0], axis: X },
    ...{ limits: [-0.8, 0.8], effort: 90, mass: 2.05, center: [0.027, 0, -0.067] },
    ...{ inertia: [0.002, 0, 0, 0.007, 0, 0.008] },
    shapes: [box([0.1315, 0.065, 0.027], [0.0475, 0, -0.054])],
  },
]

/** m: of the sole below the origin of a foot */
export const SOLE = 0.081

/** @param {ArrayLike<number>} v @returns {Vector} */
const mirrored = (v) => [v[0], -v[1], v[2]]

/** A link of the left side, there or on the other one. @param {Link} link @param {'l' | 'r'} side @returns {Link} */
function onSide(link, side) {
  const { name, parent, joint, origin, axis, center, inertia, shapes } = link
  const names = {
    ...{ name: `${side}_${name}`, joint: `${side}_${joint}` },
    parent: LEFT.some((other) => other.name === parent) ? `${side}_${parent}` : parent,
  }
  if (side === 'l') return { ...link, ...names }
  const [xx, xy, xz, yy, yz, zz] = inertia
  return {
    ...{ ...link, ...names, origin: mirrored(origin), center: mirrored(center) },
    // An axis is that of a turn, which a mirror turns the other way: coordinates and limits stay.
    axis: scale(mirrored(axis), -1),
    inertia: [xx, -xy, xz, yy, -yz, zz],
    shapes: shapes.map((shape) => ({
      ...shape,
      position: mirrored(/** @type {Vector} */ (shape.position ?? [0, 0, 0])),
    })),
  }
}

/** All links, each after its parent. @type {readonly Link[]} */
export const LINKS = [
  ...TRUNK,
  ...LEFT.map((link) => onSide(link, 'l')),
  ...LEFT.map((link) => onSide(link, 'r')),
]

/** One turn after another, b first. @param {Quaternion} a @param {Quaternion} b @returns {Quaternion} */
function product(a, b) {
  const [u, v] = /** @type {Vector[]} */ ([
    [a[0], a[1], a[2]],
    [b[0], b[1], b[2]],
  ])
  const vector = add(add(scale(u, b[3]), scale(v, a[3])), cross(u, v))
  return [...vector, a[3] * b[3] - dot(u, v)]
}

/** @typedef {{ position: Vector, orientation: Quaternion }} Frame */

/**
 * Where the links are: forward kinematics.
 *
 * @param {Record<string, number>} angles rad, by the names of joints without their side; 0 where one is missing
 * @returns {Record<string, Frame>} by the names of links, with the pelvis at the origin
 */
export function framesAt(angles) {
  /** @type {Record<string, Frame>} */
  const frames = { pelvis: { position: [0, 0, 0], orientation: [0, 0, 0, 1] } }
  for (const { name, parent, joint, origin, axis } of LINKS.slice(1)) {
    const { position, orientation } = frames[parent]
    frames[name] = {
      position: add(position, rotate(orientation, origin)),
      orientation: product(orientation, turn(axis, angleOf(angleAt(angles, joint)))),
    }
  }
  return frames
}

/** Both sides do the same. @param {Record<string, number>} angles @param {string} joint */
export const angleAt = (angles, joint) => angles[joint.replace(/^[lr]_/, '')] ?? 0

/** @param {number[]} inertia xx xy xz yy yz zz @returns {number[]} by rows */
export const rowsOf = ([xx, xy, xz, yy, yz, zz]) => [xx, xy, xz, xy, yy, yz, xz, yz, zz]

/**
 * Adds the robot in a posture, with its soles on z = 0. Its hinges count from the posture.
 *
 * @param {World} world
 * @param {Record<string, number>} angles as of `framesAt`
 */
export function addAtlas(world, angles) {
  const frames = framesAt(angles)
  const height = SOLE - frames.l_foot.position[2]
  /** @type {Record<string, Body>} */
  const bodies = {}
  for (const { name, mass, center, inertia, shapes } of LINKS) {
    const { position, orientation } = frames[name]
    bodies[name] = world.createBody({
      ...{ shapes, position: add(position, [0, 0, height]), orientation },
      ...{ mass, centerOfMass: center, inertia: rowsOf(inertia), friction: 0.7 },
      // It does not touch itself.
      filter: { group: -1 },
    })
  }
  const joints = LINKS.slice(1).map(({ name, parent, joint, origin, axis, limits, effort }) => {
    const angle = angleAt(angles, joint)
    const [bodyA, bodyB] = [bodies[parent], bodies[name]]
    const hinge = world.createJoint({
      ...{ type: 'hinge', bodyA, bodyB, anchorA: origin, anchorB: [0, 0, 0] },
      ...{ axisA: axis, axisB: axis, limits: [limits[0] - angle, limits[1] - angle] },
      motor: { targetPosition: 0, maxForce: effort },
    })
    return { name: joint, hinge, effort }
  })
  return { bodies, joints }
}
