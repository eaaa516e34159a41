// What the importers of robots read a file into: links in a tree, each on one or more joints of its own, as they are where all
// joints are at 0. build.mjs makes bodies of it.

/** @import { BodyDefinition, DriveOptions, ShapeDefinition, Vector } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Inertial } from '../inertia.mjs' */
/** @import { Place } from '../xml/place.mjs' */

/**
 * A joint between a link and what is before it: its parent, or the link's joint before this one.
 * @typedef {object} LinkJoint
 * @property {string} name
 * @property {Place} place
 * @property {'hinge' | 'slider' | 'ball' | 'fixed'} type
 * @property {Vector} anchor in the link's frame
 * @property {Vector} axis in the link's frame
 * @property {DriveOptions} drives of a hinge or a slider; positions are from 0
 * @property {number | null} cone largest angle of a ball, rad
 * @property {number} reference what the file calls the coordinate where the engine calls it 0
 * @property {JointData} data
 * @property {number} [armature] kg m² or kg: inertia of its own
 */

/**
 * What a file says of a joint that a controller has to know.
 * @typedef {object} JointData
 * @property {number} [maxForce] N or N m: the most that its motor has
 * @property {number} [maxSpeed] m/s or rad/s; the engine does not hold to it
 * @property {{ softLower: number, softUpper: number, kPosition: number, kVelocity: number }} [safety] URDF's
 *   `<safety_controller>`, which the engine does not enforce
 */

/**
 * A link. One without joints is a part of its parent; one without parent is a root.
 * @typedef {object} Link
 * @property {string} name
 * @property {Place} place
 * @property {number} parent place in the list, which is before this one; -1: the world
 * @property {Frame} frame in that of the parent
 * @property {'static' | 'free' | 'jointed'} hold a root that stays or floats, or a link that its joints hold
 * @property {LinkJoint[]} joints from the parent on
 * @property {Inertial | null} inertial as written, in the link's frame; null: it has no mass
 * @property {ShapeDefinition[]} shapes in the link's frame
 * @property {Partial<BodyDefinition>} options
 * @property {boolean} [isScenery] whether it is no part of what moves, but where that is: options of the user do not filter it
 * @property {boolean} [collidesWithWorld] whether it collides with the static root where it is jointed to that
 */

/**
 * A named frame on a link.
 * @typedef {{ name: string, place: Place, link: number, frame: Frame }} LinkFrame
 */

/**
 * What closes a loop, or keeps two bodies from touching: a joint besides the tree.
 * @typedef {object} Loop
 * @property {string} name
 * @property {Place} place
 * @property {'ball' | 'fixed' | 'apart'} type
 * @property {number} linkA
 * @property {number} linkB
 * @property {Vector} anchor in the frame of A
 */

/**
 * The coordinate of a joint that follows another one: follower = offset + ratio · leader. Where there is no leader it stays at the
 * offset.
 * @typedef {object} Coupling
 * @property {string} name
 * @property {Place} place
 * @property {string} follower
 * @property {string | null} leader
 * @property {number} ratio
 * @property {number} offset
 */

/**
 * @typedef {object} Mechanism
 * @property {string} name
 * @property {Link[]} links parents first
 * @property {LinkFrame[]} frames
 * @property {Loop[]} loops
 * @property {Coupling[]} couplings
 */

export {}
