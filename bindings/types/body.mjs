// Definitions of bodies.

/** @import { BodyType, CombineRule, SolverName } from './names.mjs' */
/** @import { ShapeLike } from './shape.mjs' */
/** @import { InertiaLike, QuaternionLike, VectorLike } from './values.mjs' */

/**
 * Which bodies collide with which. Two of the same group other than 0 always do if it is above 0, and
 * never if it is below. All others do if each one's category has a bit in the other's mask.
 * @typedef {object} Filter
 * @property {number} [category] 32 bits: what the body is; default 1
 * @property {number} [mask] 32 bits: what it collides with; default all, 0xffffffff
 * @property {number} [group] a signed 32-bit number; default 0: none
 */

/**
 * How a body begins. `mass` or `density` may be given, `shape` or `shapes`.
 *
 * @typedef {object} BodyDefinition
 * @property {BodyType} [type] default `'dynamic'`
 * @property {VectorLike} [position] of the body's origin, metres; default `[0, 0, 0]`
 * @property {QuaternionLike} [orientation] world from body; default `[0, 0, 0, 1]`
 * @property {VectorLike} [linearVelocity] of the centre of mass, m/s, world; default 0
 * @property {VectorLike} [angularVelocity] rad/s, world; default 0
 * @property {ShapeLike} [shape]
 * @property {readonly ShapeLike[]} [shapes] each placed by its own `position` and `orientation`
 * @property {number} [mass] kg, above 0, spread over the shapes by their volume and density
 * @property {number} [density] kg/m³, above 0; default 1000 where no mass is given
 * @property {InertiaLike} [inertia] kg m² about the centre of mass in body axes, `[Ixx, Iyy, Izz]` or
 *   9 numbers by rows, symmetric and positive definite; default: that of the shapes
 * @property {VectorLike} [centerOfMass] body frame, metres; default: where the shapes put it
 * @property {number} [friction] Coulomb coefficient, 0 or more; default 0.5
 * @property {number} [restitution] 0 to 1; default 0
 * @property {number} [linearDamping] 1/s, 0 or more; default 0
 * @property {number} [angularDamping] 1/s, 0 or more; default 0
 * @property {number} [gravityScale] factor on the world's gravity; default 1
 * @property {SolverName} [solver] that the body asks for; default: the world's. The most exact one
 *   that a body of an island asks for solves the island
 * @property {Filter} [filter] what its shapes collide with; default: all
 * @property {boolean} [isEnabled] false: it takes part in nothing, until it is enabled; default true
 * @property {boolean} [bullet] whether the body and moving ones do not pass through each other in a step,
 *   however fast they are, as bodies and static ones do not; default false
 * @property {boolean} [allowSleep] whether it may fall asleep; default true
 * @property {boolean} [sensor] whether all of its shapes are sensors: they touch nothing, and report
 *   what they overlap (`world.sensorEvents`); default false
 * @property {boolean | readonly [boolean, boolean, boolean]} [lockTranslation] axes of the world along
 *   which the centre of mass of a dynamic body cannot move, all or each; default false. `soft-step`
 *   leaves such a body, and what touches it, to `block-pgs`
 * @property {boolean | readonly [boolean, boolean, boolean]} [lockRotation] axes of the world about which
 *   a dynamic body cannot turn; default false
 * @property {CombineRule} [frictionCombine] how friction, rolling and spinning friction are combined with
 *   those of another body; default `'geometricMean'`
 * @property {CombineRule} [restitutionCombine] the same for restitution; default `'geometricMean'`
 * @property {number} [rollingFriction] metres, 0 or more: under the normal force N, the torque against
 *   rolling is at most this times N; default 0. Both bodies of a contact need some, unless a rule says
 *   otherwise
 * @property {number} [spinningFriction] metres, 0 or more: the same against spinning about the normal;
 *   default 0
 * @property {VectorLike} [surfaceVelocity] m/s, body frame: of the surface against the body, as that of a
 *   conveyor; its part along the plane of a contact counts; default 0
 * @property {unknown} [userData] anything; kept as it is
 */

export {}
