// Definitions of joints and constraints.

/** @import { RowRole } from './names.mjs' */
/** @import { Quaternion, QuaternionLike, Vector, VectorLike } from './values.mjs' */

/**
 * Limits of an angle in rad, a translation or a distance in metres. One that is left out is infinite.
 * @typedef {readonly [lower: number, upper: number] | { lower?: number, upper?: number }} LimitsLike
 */

/**
 * How errors of a constraint are removed.
 * @typedef {object} ConstraintGains
 * @property {number} [alpha] 1/s², 0 or more; default 10. A row aims at
 *   `J v = -∂C/∂t - alpha C / (beta + alpha dt)`, an implicit spring and damper. Joints and distances
 *   with neither alpha nor beta use the world's `stabilization`
 * @property {number} [beta] 1/s, 0 or more; default 10
 * @property {number} [compliance] γ in 1/kg (1/(kg m²) for angles), 0 or more; default 0: the row gives
 *   way by `γ λ` in m/s, λ being its impulse. With `alpha: k, beta: c` and
 *   `compliance: 1 / (dt (c + k dt))` a row is a spring of k N/m with a damper of c N s/m
 * @property {unknown} [userData]
 */

/**
 * What joints and distances have in common. Where both bodies are at creation, angles and angular
 * errors are 0.
 * @typedef {object} JointPlacement
 * @property {import('../objects/body.mjs').Body | null} [bodyA] null, the default, is the world
 * @property {import('../objects/body.mjs').Body | null} [bodyB] null, the default, is the world; one of both
 *   must be a body
 * @property {VectorLike} [anchor] world, metres: where both bodies are held. `fixed` and `slider` do
 *   without
 * @property {VectorLike} [anchorA] instead of `anchor`: in the frame of body A, or of the world
 * @property {VectorLike} [anchorB] the same for B
 * @property {boolean} [collideConnected] whether both bodies still collide; default false
 * @property {number} [breakForce] N: a joint whose load in a step is more breaks after it, with an
 *   event. Default: none breaks it
 * @property {number} [breakTorque] N m, likewise for the couple about the anchor
 */

/** @typedef {{ lower: number, upper: number }} JointLimits rad or metres; infinite where there is none */

/**
 * A spring and damper, by implicit Euler: stable for every dt, however stiff. The effective mass for
 * hertz and ratios is that of the coordinate when the joint is made, or a mass is set.
 * @typedef {object} SpringGains
 * @property {number} [hertz] frequency: stiffness = mass (2π hertz)²
 * @property {number} [stiffness] instead: N/m, or N m/rad of an angle
 * @property {number} [damping] ratio, 1: critical; default 0
 * @property {number} [dampingCoefficient] instead: N s/m, or N m s/rad
 */

/** @typedef {SpringGains & { rest?: number }} JointSpring `rest` in rad or metres; default: where it is at creation */

/**
 * Brings a coordinate to a speed, or to a position: as its gains say, or without gains in one step, as
 * far as `maxForce` allows, and from further away no faster than it can brake.
 * @typedef {object} MotorTargets
 * @property {number} [targetVelocity] rad/s or m/s, of B relative to A; default 0: a brake. With a
 *   position, the speed at which the target moves
 * @property {number} [targetPosition] rad or metres
 * @property {number} [maxForce] N m or N, 0 or more; default Infinity
 */

/** @typedef {MotorTargets & SpringGains} JointMotor gains are for a position alone */

/**
 * What drives a coordinate.
 * @typedef {object} JointDrive
 * @property {LimitsLike | JointLimits | null} limits
 * @property {JointMotor | null} motor
 * @property {JointSpring | null} spring
 * @property {number} friction N m or N: the most that it resists with
 */

/**
 * What hinges, sliders and distances may be given.
 * @typedef {object} DriveOptions
 * @property {LimitsLike} [limits] rad (`hinge`, counted over full turns) or metres (`slider`)
 * @property {JointMotor} [motor] what drives the coordinate; default: nothing
 * @property {JointSpring} [spring] what pulls the coordinate to its rest; default: nothing
 * @property {number} [friction] the most that it resists with along its coordinate, N, or N m of a hinge; default 0
 */

/**
 * What a joint keeps of a coordinate from the poses before.
 * @typedef {object} CoordinateReference
 * @property {number} value rad or metres, at the end of the last step: full turns are counted from it
 * @property {number} mass kg or kg m², effective, for springs in hertz
 * @property {number} rest rad or metres: where a spring rests that is given without `rest`
 */

/**
 * What a joint or a distance keeps of the poses at which it was made, so that it can be made again where
 * its bodies are at present. `joint.reference` gives it; its numbers are taken to the bit.
 * @typedef {object} JointReference
 * @property {QuaternionLike} frameA of the joint in the frame of A, or of the world; x is its axis
 * @property {QuaternionLike} frameB the same in B
 * @property {QuaternionLike} [frameC] gear, rack: of the second joint, in its A. Wheel: of the axle,
 *   straight ahead, in A
 * @property {QuaternionLike} [frameD] the same in its B; of the axle, in B
 * @property {number} [length] metres, of a distance without limits and drives
 * @property {number} [sum] gear, rack: what both coordinates with their factors keep to
 * @property {number} [linearMass] kg, effective, of a motor to a pose
 * @property {number} [angularMass] kg m², likewise
 * @property {readonly CoordinateReference[]} [coordinates] one for each
 */

/**
 * What any joint and distance may be given beside the options of its type.
 * @typedef {object} JointRemaking
 * @property {readonly (Partial<JointDrive> & { locked?: boolean })[]} [drives] of all coordinates, in the
 *   order of `coordinates`, instead of the options that are named by type; `locked`: of a `sixDof`, it
 *   stays at 0
 * @property {JointReference} [reference] default: the present poses
 */

/** @typedef {{ type: 'fixed' }} Fixed */

/**
 * Drives B to a pose relative to A, or brakes where it has no target. Without gains it arrives within
 * a step, as far as the limits allow, and from further away is no faster than it can brake.
 * @typedef {object} PoseTargets
 * @property {VectorLike} [targetPosition] metres: of B's anchor from A's, in the frame of A. Without
 *   anchors: of B's origin, in the frame of A
 * @property {QuaternionLike} [targetOrientation] of B in the frame of A
 * @property {number} [maxForce] N, of the length of the force; default Infinity
 * @property {number} [maxTorque] N m, likewise
 */

/** @typedef {PoseTargets & SpringGains} PoseMotor */

/** @typedef {{ type: 'motor' } & PoseMotor} Motor */

/**
 * @typedef {object} BallLimits
 * @property {number} [cone] rad: the largest angle between the axes of A and B
 * @property {LimitsLike} [twist] rad about the axis, after the axes were turned onto each other the
 *   short way
 */

/**
 * @typedef {object} Ball
 * @property {'ball'} type
 * @property {VectorLike} [axis] of the limits: direction in the world, of any length
 * @property {VectorLike} [axisA] instead of `axis`: in the frame of body A, or of the world
 * @property {VectorLike} [axisB] the same for B
 * @property {BallLimits} [limits]
 */

/**
 * B turns about an axis of A (`hinge`), or moves along it without turning (`slider`).
 * @typedef {object} HingeOrSliderAxes
 * @property {'hinge' | 'slider'} type
 * @property {VectorLike} [axis] direction in the world, of any length
 * @property {VectorLike} [axisA] instead of `axis`: in the frame of body A, or of the world
 * @property {VectorLike} [axisB] the same for B
 */

/** @typedef {HingeOrSliderAxes & DriveOptions} HingeOrSlider */

/**
 * Keeps the distance of two anchors, which default to the centres of mass: a rod, or with limits
 * something that gives way within them (a rope has only an upper one).
 * @typedef {object} DistanceMeasures
 * @property {'distance'} type
 * @property {number} [length] metres, 0 or more; default: the distance at creation
 * @property {LimitsLike} [limits] metres, instead of `length`
 * @property {JointMotor} [motor] likewise, and so are spring and friction
 * @property {JointSpring} [spring]
 * @property {number} [friction] the most that it resists with along its coordinate, N, or N m of a hinge; default 0
 */

/**
 * A rope: the distance of both anchors, which default to the centres of mass, is at most `length`.
 * It pulls and never pushes.
 * @typedef {object} RopeJoint
 * @property {'rope'} type
 * @property {number} [length] metres, above 0; default: the distance at creation
 */

/**
 * A spring and damper between both anchors, which default to the centres of mass. Its gains are given
 * here, or as `spring`.
 * @typedef {object} SpringJointMeasures
 * @property {'spring'} type
 * @property {JointSpring} [spring]
 * @property {number} [length] metres, at rest; default: the distance at creation
 * @property {LimitsLike} [limits] metres
 * @property {number} [friction] N
 */

/**
 * A universal joint (Cardan's): both bodies are held at the anchor, and the two arms of the cross stay
 * perpendicular.
 * @typedef {object} UniversalJoint
 * @property {'universal'} type
 * @property {VectorLike} axisA the arm that turns with A: in its frame, or that of the world
 * @property {VectorLike} axisB the same for B
 */

/**
 * What an axis of a `sixDof` may do: nothing, anything, what is within limits (rad or metres), or what
 * drives allow.
 * @typedef {'locked' | 'free' | readonly [lower: number, upper: number]
 *   | ({ lower?: number, upper?: number } & DriveOptions)} SixDofAxis
 */

/**
 * What the axes of a `sixDof` may do, as it is read: for x, y and z.
 * @typedef {readonly [SixDofRange, SixDofRange, SixDofRange]} SixDofRanges
 */

/** @typedef {'locked' | 'free' | Readonly<JointLimits>} SixDofRange */

/**
 * For x, y and z; those that are left out are locked.
 * @typedef {readonly [SixDofAxis, SixDofAxis, SixDofAxis]
 *   | { x?: SixDofAxis, y?: SixDofAxis, z?: SixDofAxis }} SixDofAxes
 */

/**
 * Translations of B's anchor along the axes of A's frame, and turns about them. Where one axis alone
 * may turn it is a hinge's; else turns are the twist about the only locked axis, or x, and the swing
 * about the others, up to π.
 * @typedef {object} SixDofJoint
 * @property {'sixDof'} type
 * @property {SixDofAxes} [linear] default: locked
 * @property {SixDofAxes} [angular] default: locked
 */

/**
 * Couples two joints: coordinate of A + ratio · coordinate of B stays what it is. Their coordinates are
 * the angle of a hinge, the translation of a slider. The gear goes with either joint. Or two bodies that turn
 * about an axis of the world.
 * @typedef {object} GearJoint
 * @property {'gear'} type
 * @property {import('../objects/joint.mjs').Joint} [jointA] a hinge or a slider
 * @property {import('../objects/joint.mjs').Joint} [jointB] the same
 * @property {import('../objects/body.mjs').Body} [bodyA] instead of the joints
 * @property {import('../objects/body.mjs').Body} [bodyB]
 * @property {VectorLike} [axis] of both bodies: direction in the world, of any length
 * @property {number} [ratio] not 0; default 1
 */

/**
 * Couples a pinion on a hinge and a rack on a slider: translation - ratio · angle stays what it is.
 * Impulse and force are on the rack.
 * @typedef {object} RackAndPinionJoint
 * @property {'rackAndPinion'} type
 * @property {import('../objects/joint.mjs').Joint} jointA the pinion's hinge
 * @property {import('../objects/joint.mjs').Joint} jointB the rack's slider
 * @property {number} [ratio] m/rad, not 0; default 1
 */

/** @typedef {Pick<JointPlacement, 'collideConnected' | 'breakForce' | 'breakTorque'>} CouplingOptions */

/**
 * A rope over two points of the world: length on A's side + ratio · length on B's side is at most
 * `length`. It pulls and never pushes, B `ratio` times as hard as A. Anchors default to the centres of mass.
 * @typedef {object} PulleyJoint
 * @property {'pulley'} type
 * @property {VectorLike} groundAnchorA world, metres
 * @property {VectorLike} groundAnchorB world, metres
 * @property {number} [ratio] above 0; default 1
 * @property {number} [length] metres; default: what it is at creation
 */

/**
 * B is a wheel of the chassis A: its anchor, by default its centre, moves along the axis of the
 * suspension, and it turns about its axle.
 * @typedef {object} WheelJoint
 * @property {'wheel'} type
 * @property {VectorLike} [axis] of the suspension, which is fixed in A: direction in the world
 * @property {VectorLike} [axle] of the spin: direction in the world
 * @property {VectorLike} [axisA] instead of `axis`: in the frame of A
 * @property {VectorLike} [axisB] instead of `axle`: in the frame of B
 * @property {JointSpring} [spring] of the suspension
 * @property {LimitsLike} [limits] of the suspension, metres
 * @property {JointMotor} [motor] of the spin; a brake has `targetVelocity` 0
 * @property {number} [friction] of the spin, N m
 * @property {number} [steering] rad: turns the axle about the axis of the suspension; default 0
 */

/**
 * B's anchor, by default its centre of mass, moves along a curve that is fixed in A: a cubic spline
 * through points with two continuous derivatives. The length along it, m from the first point, is what
 * limits, motor and the others are of. An open path ends at its ends; around a closed one lengths go on.
 * @typedef {object} PathMeasures
 * @property {'path'} type
 * @property {import('./shape.mjs').PointsLike} points in the frame of A, or of the world, metres; neighbours must differ
 * @property {boolean} [closed] whether it goes on from the last point to the first one; default false
 * @property {import('../generated/types.mjs').PathAlignment} [align] default `'none'`
 */

/** @typedef {PathMeasures & DriveOptions} PathJoint */

/**
 * What a joint of type `'path'` runs along.
 * @typedef {object} JointPath
 * @property {readonly Readonly<Vector>[]} points in the frame of A, or of the world, metres
 * @property {boolean} closed
 * @property {import('../generated/types.mjs').PathAlignment} align
 * @property {number} length metres, from the first point to the last, or around
 */

/** @typedef {SpringJointMeasures & SpringGains} SpringJoint */

/**
 * @typedef {ConstraintGains & JointRemaking & ((JointPlacement & (Fixed | Ball | HingeOrSlider | DistanceMeasures
 *   | Motor | RopeJoint | SpringJoint | UniversalJoint | SixDofJoint | PulleyJoint | WheelJoint | PathJoint))
 *   | (CouplingOptions & (GearJoint | RackAndPinionJoint)))} JointDefinition
 */

/**
 * A body as the functions of a custom constraint see it: at the pose that they are asked about, which
 * need not be the one that the world holds. The object and its arrays are used again: copy what you
 * keep.
 * @typedef {object} ConstraintBody
 * @property {import('../objects/body.mjs').Body} body
 * @property {Vector} position of the body's origin, world, metres
 * @property {Quaternion} orientation world from body, unit
 * @property {Vector} worldCenterOfMass metres
 * @property {Vector} linearVelocity of the centre of mass, m/s, world
 * @property {Vector} angularVelocity rad/s, world
 */

/**
 * A function of a custom constraint. It writes to `out`, which holds zeros, and must depend on its
 * arguments alone: it is called at trial poses and times too. The world can be read in it, not
 * changed. What it throws becomes the `cause` of the `constraint-failed` that `step` throws.
 * @typedef {(bodyA: ConstraintBody, bodyB: ConstraintBody | null, time: number, out: Float64Array)
 *   => void} ConstraintFunction
 */

/** @typedef {import('../definitions/bounds.mjs').Bounds | 'bilateral' | 'unilateral'} BoundsLike */

/**
 * @typedef {object} CustomMeasures
 * @property {'custom'} type
 * @property {import('../objects/body.mjs').Body | readonly import('../objects/body.mjs').Body[]} bodies one or two
 * @property {number} dimension rows, 1 to 32
 * @property {ConstraintFunction} evaluate writes C: `dimension` numbers. Bilateral rows hold where
 *   C = 0, unilateral ones where C ≥ 0
 * @property {ConstraintFunction} [jacobian] writes dC/dt by velocities: `dimension` times 6 numbers
 *   per body by rows, v of the centre of mass and ω of A, then of B, world frame. Default: central
 *   differences of `evaluate`
 * @property {ConstraintFunction} [timeDerivative] writes ∂C/∂t at fixed poses. Default: central
 *   differences of `evaluate`
 * @property {BoundsLike | readonly BoundsLike[]} [bounds] for all rows, or a list with one entry per
 *   row, of which a cone stands for three; default `'bilateral'`
 * @property {(bodyA: ConstraintBody, bodyB: ConstraintBody | null, time: number) => boolean
 *   } [isActive] whether it has rows in this step; default: always
 * @property {string} [typeName] for `world.toJSON`, and for messages; default `'custom'`
 */

/**
 * |Q|² - 1 = 0 of a body's orientation. The engine keeps it by normalisation, below 1e-15, so it makes
 * no rows; `violation()` and `velocityViolation()` answer.
 * @typedef {object} UnitQuaternionMeasures
 * @property {'unitQuaternion'} type
 * @property {import('../objects/body.mjs').Body | readonly import('../objects/body.mjs').Body[]} bodies one
 */

/**
 * The joint of the same name by `bodies`: one (to a point in the world) or two. They still collide,
 * unless `collideConnected` is false.
 * @typedef {object} DistanceBodies
 * @property {import('../objects/body.mjs').Body | readonly (import('../objects/body.mjs').Body | null)[]} bodies
 * @property {VectorLike} [anchorA] in the frame of the first body; default its centre of mass
 * @property {VectorLike} [anchorB] in the frame of the second one, or of the world
 * @property {boolean} [collideConnected] default true
 */

/**
 * A row of a constraint: one equation or inequality of it, at the present poses.
 * @typedef {object} ConstraintRow
 * @property {RowRole} role what it is there for
 * @property {number | null} coordinate of a limit or a drive: its index; null for others
 * @property {'bilateral' | 'unilateral' | 'box' | 'cone'} kind
 * @property {number} lower of the force, N or N m, of a custom constraint of the impulse, N s, as it
 *   was given. Those of a motor to a pose bound the length of its force and of its torque; those of a
 *   cone its first row
 * @property {number} upper
 * @property {number} friction of a cone; else 0
 * @property {(import('../objects/body.mjs').Body | null)[]} bodies that it is of: A and B; of a gear or
 *   a rack those of both joints. `null` is the world, or no body
 * @property {Float64Array} jacobian six numbers for each of `bodies` in world axes: for the velocity of its
 *   centre of mass, and for its angular velocity. What `null` has moves nothing
 * @property {number} effectiveMass 1 / (J M⁻¹ Jᵀ), kg, or kg m² of an angle; infinite where the row can
 *   move nothing
 * @property {number} force of the last step, N, or N m of an angle: that of `force()`. Each body gets
 *   its part of `jacobian` times this: force, and torque about its centre of mass. So it is + on B and
 *   - on A for joints
 */

/**
 * @typedef {ConstraintGains & (CustomMeasures | UnitQuaternionMeasures
 *   | (DistanceMeasures & DistanceBodies & JointRemaking))} ConstraintDefinition
 */

export {}
