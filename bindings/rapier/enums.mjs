// Numbers that Rapier gives names to, as far as props and calls of this entry take them.

export const RigidBodyType = Object.freeze({
  ...{ Dynamic: 0, Fixed: 1, KinematicPositionBased: 2, KinematicVelocityBased: 3 },
})

export const CoefficientCombineRule = Object.freeze({ Average: 0, Min: 1, Multiply: 2, Max: 3 })

export const ActiveEvents = Object.freeze({
  ...{ NONE: 0, COLLISION_EVENTS: 1, CONTACT_FORCE_EVENTS: 2 },
})

export const ActiveHooks = Object.freeze({
  ...{ NONE: 0, FILTER_CONTACT_PAIRS: 1, FILTER_INTERSECTION_PAIRS: 2 },
})

export const SolverFlags = Object.freeze({ EMPTY: 0, COMPUTE_IMPULSE: 1 })

export const ActiveCollisionTypes = Object.freeze({
  ...{ DYNAMIC_DYNAMIC: 1, DYNAMIC_KINEMATIC: 12, DYNAMIC_FIXED: 2, KINEMATIC_KINEMATIC: 52224 },
  ...{ KINEMATIC_FIXED: 8704, FIXED_FIXED: 32, DEFAULT: 15, ALL: 60943 },
})

export const MotorModel = Object.freeze({ AccelerationBased: 0, ForceBased: 1 })

export const JointType = Object.freeze({
  ...{ Revolute: 0, Fixed: 1, Prismatic: 2, Rope: 3, Spring: 4, Spherical: 5, Generic: 6 },
})

/** Of `rigidBody.bodyType()`, by the words of the prop `type`. */
export const TYPE_NUMBERS = Object.freeze({
  ...{ dynamic: RigidBodyType.Dynamic, fixed: RigidBodyType.Fixed },
  kinematicPosition: RigidBodyType.KinematicPositionBased,
  kinematicVelocity: RigidBodyType.KinematicVelocityBased,
})

/** @typedef {keyof typeof TYPE_NUMBERS} RigidBodyTypeString */

/** The words of Moreau, by the numbers of Rapier. */
export const COMBINE_RULES = /** @type {const} */ (['average', 'minimum', 'multiply', 'maximum'])
