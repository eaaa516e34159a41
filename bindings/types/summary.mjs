// What objects tell of themselves in logs.

/** @import { BodyType, ConstraintType, JointType, PotentialType, ShapeType } from './names.mjs' */
/** @import { Quaternion, Vector } from './values.mjs' */

/**
 * @typedef {object} GoneSummary of what was destroyed
 * @property {number} id
 * @property {boolean} isAlive false
 */

/**
 * @typedef {object} LivingBodySummary
 * @property {number} id
 * @property {BodyType} type
 * @property {Readonly<Vector>} position metres
 * @property {Readonly<Quaternion>} orientation
 * @property {Readonly<Vector>} linearVelocity m/s
 * @property {Readonly<Vector>} angularVelocity rad/s
 * @property {number} mass kg
 * @property {boolean} isAwake
 * @property {ShapeType[]} shapes
 * @property {unknown} [userData] if there is some
 */

/** @typedef {LivingBodySummary | GoneSummary} BodySummary */

/**
 * @typedef {object} ConstraintSummary
 * @property {number} id
 * @property {ConstraintType | JointType} type
 * @property {string} [typeName] of a custom one that has a name
 * @property {number[]} bodies their ids
 * @property {boolean} [isAlive] false, of what was destroyed
 */

/**
 * @typedef {object} PotentialSummary
 * @property {number} id
 * @property {PotentialType} type
 * @property {string} [typeName] of a custom one that has a name
 * @property {number[]} [bodies] ids of those that it was made for; all, if there is no list
 * @property {boolean} [isAlive] false, of what was destroyed
 */

export {}
