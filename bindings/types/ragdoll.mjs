// Skeletons and the poses of ragdolls.

/** @import { BodyDefinition } from './body.mjs' */
/** @import { LimitsLike, SpringGains } from './constraint.mjs' */
/** @import { Quaternion, QuaternionLike, Vector, VectorLike } from './values.mjs' */

/**
 * How a bone hangs on its parent. The pose of the definition is that of no angle.
 * @typedef {object} BoneJoint
 * @property {'ball' | 'hinge' | 'fixed'} type
 * @property {VectorLike} [axis] in the bone's frame: of the cone and the twist, or what a hinge turns
 *   about; default `[0, 1, 0]`, along the bone, of a hinge `[1, 0, 0]`
 * @property {VectorLike} [parentAxis] of a ball: the middle of the cone, in the frame of the parent;
 *   default: where `axis` is in the pose of the definition
 * @property {number} [cone] of a ball, rad: the largest angle between both axes; default: any
 * @property {LimitsLike} [twist] of a ball, rad about the axis; default: none
 * @property {LimitsLike} [limits] of a hinge, rad; default: none
 * @property {number} [friction] of a hinge, N m; default 0
 * @property {number} [breakForce] N; default: none breaks it
 * @property {number} [breakTorque] N m; default: none breaks it
 */

/**
 * @typedef {object} BonePlacement
 * @property {string} name of its own in the skeleton
 * @property {string} [parent] name of a bone before it in the list; a bone without one is a root
 * @property {VectorLike} [position] metres: of the bone's origin, about which it turns, in the frame of
 *   the parent, of a root in that of the skeleton. Default: the tip of a parent with a `length`, else
 *   its origin
 * @property {QuaternionLike} [orientation] parent from bone; default none
 * @property {number} [length] metres: a capsule along the bone's +y, from its origin to its tip,
 *   instead of `shape` or `shapes`, which are in the bone's frame
 * @property {number} [radius] metres, of that capsule: below half of its length
 * @property {BoneJoint} [joint] with the parent; default a ball without limits
 */

/** @typedef {BonePlacement & Omit<BodyDefinition, 'position' | 'orientation'>} BoneDefinition */

/**
 * Bodies joined as the bones of a skeleton are. A bone and its parent do not collide.
 * @typedef {object} Skeleton
 * @property {readonly BoneDefinition[]} bones parents before their children
 * @property {VectorLike} [position] of the skeleton's frame, world, metres; default `[0, 0, 0]`
 * @property {QuaternionLike} [orientation] world from skeleton; default none
 * @property {Omit<BodyDefinition, 'position' | 'orientation' | 'shape' | 'shapes' | 'mass'>} [defaults]
 *   what bones have that do not say otherwise: density, friction, damping, filter and so on
 */

/** @typedef {{ position: Vector, orientation: Quaternion }} BonePose in the frame of its parent, of a root in the world */

/**
 * Orientations by the names of bones, in the frames of their parents.
 * @typedef {Readonly<Record<string, QuaternionLike | { readonly orientation: QuaternionLike }>>} RagdollTarget
 */

/**
 * How strongly the joints turn to a target: as springs, which lag behind what moves, the less the stiffer
 * they are. Without hertz and stiffness they have 20 Hz, with the mean of the moments of inertia of the two
 * bones alone: a limb with more of them on it is slower. Without a damping theirs is critical.
 * @typedef {SpringGains & { maxTorque?: number }} RagdollDrive `maxTorque`: N m, of each joint;
 *   default Infinity
 */

export {}
