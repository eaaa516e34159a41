// Definitions of potentials.

/** @import { ConstraintBody } from './constraint.mjs' */
/** @import { QuaternionLike, VectorLike } from './values.mjs' */

/**
 * A body as the functions of a custom potential see it: in the state that they are asked about, which
 * need not be the one that the world holds. The object and its arrays are used again: copy what you
 * keep.
 * @typedef {ConstraintBody & { mass: number }} PotentialBody
 */

/**
 * Force in N through the centre of mass, or torque in N m about it, world frame: written to `out`,
 * which holds zeros. It must depend on its arguments alone, as integrators ask about states on trial.
 * The world can be read in it, not changed. What it throws becomes the `cause` of the
 * `potential-failed` that `step` throws.
 * @typedef {(body: PotentialBody, time: number, out: Float64Array) => void} PotentialForce
 */

/** @typedef {(body: PotentialBody, time: number) => number} PotentialEnergy J, likewise */

/**
 * What all potentials but springs may have.
 * @typedef {object} PotentialTargets
 * @property {import('../objects/body.mjs').Body | readonly import('../objects/body.mjs').Body[]} [bodies] what it acts
 *   on; default every dynamic body, also those that come later
 * @property {unknown} [userData] anything; kept as it is
 */

/**
 * A part of the world: a body is in it if its centre of mass is. A body that crosses its border gains
 * or loses the energy of the field there at once.
 * @typedef {{ type: 'sphere', center?: VectorLike, radius: number }
 *   | { type: 'box', center?: VectorLike, halfExtents: VectorLike, orientation?: QuaternionLike }} Region
 */

/**
 * What potentials may have that act on each body by itself.
 * @typedef {object} PotentialRegion
 * @property {Region} [region] where it acts, metres, world; default everywhere
 */

/**
 * Uniform gravity on top of the world's: F = m g, V = -m g·r.
 * @typedef {object} GravityMeasures
 * @property {'gravity'} type
 * @property {VectorLike} gravity m/s²
 */

/**
 * Gravity of a fixed point mass: V = -mu m / √(r² + softening²).
 * @typedef {object} PointGravityMeasures
 * @property {'pointGravity'} type
 * @property {number} mu G M of the source, m³/s², 0 or more
 * @property {VectorLike} [center] where it is, metres, world; default the origin
 * @property {number} [softening] metres, 0 or more; default 0
 */

/**
 * What the gradient of such a field adds for a body with an extent: a force and the torque
 * 3 mu/r³ n × I n; V = -mu / (2 r³) (tr I - 3 n·I n). To be used beside `pointGravity`.
 * @typedef {object} TidalMeasures
 * @property {'tidal'} type
 * @property {number} mu G M of the source, m³/s², 0 or more
 * @property {VectorLike} [center] where it is, metres, world; default the origin
 */

/**
 * A magnetic dipole fixed in the body, at its centre of mass: V = -m·B, torque m × B, force ∇(m·B).
 * @typedef {object} MagneticMeasures
 * @property {'magnetic'} type
 * @property {VectorLike} moment of the body, A m², body axes
 * @property {VectorLike} [field] a uniform field, T, world; default none
 * @property {VectorLike} [sourceMoment] a fixed dipole at `center`, A m², world; default none
 * @property {VectorLike} [center] metres, world; default the origin
 */

/**
 * Resistance of a medium: F = -(linear + quadratic |u|) u with the velocity u relative to it, torque
 * -angular ω. It dissipates and has no energy. The force is that of the start of the step, but takes
 * no more of u in a step than all of it, however large the coefficients are.
 * @typedef {object} DragMeasures
 * @property {'drag'} type
 * @property {number} [linear] N s/m, 0 or more; default 0
 * @property {number} [quadratic] N s²/m², 0 or more; default 0
 * @property {number} [angular] N m s, 0 or more; default 0
 * @property {VectorLike} [velocity] of the medium, m/s, world: wind or a current; default 0
 */

/**
 * Buoyancy: F = -density V g at the centroid of the part, of volume V, of the body's shapes that is
 * below the surface of the fluid; g is the gravity of the world. Exact for spheres, boxes and hulls, to
 * 1e-9 of the volume for capsules, cylinders and cones, and to 1 % of it for rounded boxes and hulls. Its
 * energy counts only motion along the normal of the surface.
 * @typedef {object} BuoyancyMeasures
 * @property {'buoyancy'} type
 * @property {number} density of the fluid, kg/m³, 0 or more
 * @property {{ normal?: VectorLike, offset?: number }} [surface] the fluid is where normal . x is
 *   below offset (metres along the normal, which is made a unit vector); default `[0, 1, 0]` and 0
 */

/**
 * Gravity of bodies on each other: V = -G m_a m_b / √(r² + softening²), summed over all pairs, which
 * suits up to some hundreds of bodies. Without `bodies` all dynamic ones; a body of the list that is
 * not dynamic pulls with the mass that it was given.
 * @typedef {object} MutualGravityMeasures
 * @property {'mutualGravity'} type
 * @property {number} [gravitationalConstant] G, m³/(kg s²), 0 or more; default 6.6743e-11
 * @property {number} [softening] metres, 0 or more; default 0
 */

/**
 * A spring between two points with a damper along it: V = stiffness/2 (l - restLength)². Explicit:
 * keep dt well below √(m / stiffness), except with `'implicit-midpoint'`.
 * @typedef {object} SpringMeasures
 * @property {'spring'} type
 * @property {import('../objects/body.mjs').Body} bodyA
 * @property {import('../objects/body.mjs').Body | null} [bodyB] default null, the world
 * @property {VectorLike} [anchorA] in the frame of A; default its centre of mass
 * @property {VectorLike} [anchorB] in the frame of B, or of the world; default B's centre of mass
 * @property {number} stiffness N/m, 0 or more
 * @property {number} [restLength] metres, 0 or more; default 0
 * @property {number} [damping] N s/m along the spring, 0 or more; default 0
 * @property {unknown} [userData] anything; kept as it is
 */

/**
 * @typedef {object} CustomPotentialMeasures
 * @property {'custom'} type
 * @property {PotentialForce} force
 * @property {PotentialForce} [torque] default none
 * @property {PotentialEnergy} [energy] for `energy()`; default 0. Force and torque should be minus
 *   its gradient
 * @property {string} [typeName] for `world.toJSON`, and for messages; default `'custom'`
 */

/**
 * @typedef {SpringMeasures | (PotentialTargets & MutualGravityMeasures)
 *   | (PotentialTargets & PotentialRegion & (GravityMeasures | PointGravityMeasures | TidalMeasures
 *   | MagneticMeasures | DragMeasures | BuoyancyMeasures | CustomPotentialMeasures))
 *   } PotentialDefinition
 */

/**
 * What `potential.update` takes: options of the definition of its type but bodies and functions.
 * `region: null` is everywhere.
 * @typedef {object} PotentialChanges
 * @property {VectorLike} [gravity] m/s²
 * @property {VectorLike} [center] metres, world
 * @property {number} [mu] m³/s²
 * @property {number} [softening] metres
 * @property {VectorLike} [moment] A m², body axes
 * @property {VectorLike} [field] T, world
 * @property {VectorLike} [sourceMoment] A m², world
 * @property {number} [linear] N s/m
 * @property {number} [quadratic] N s²/m²
 * @property {number} [angular] N m s
 * @property {VectorLike} [velocity] m/s, world: of the medium
 * @property {number} [density] kg/m³
 * @property {{ normal?: VectorLike, offset?: number }} [surface]
 * @property {number} [gravitationalConstant] m³/(kg s²)
 * @property {VectorLike} [anchorA] metres, in the frame of A
 * @property {VectorLike} [anchorB] metres, in the frame of B
 * @property {number} [stiffness] N/m
 * @property {number} [restLength] metres
 * @property {number} [damping] N s/m
 * @property {Region | null} [region]
 */

export {}
