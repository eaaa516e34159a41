// The words that name one of a few things.

/** @typedef {'dynamic' | 'static' | 'kinematic'} BodyType */

/** @typedef {'sphere' | 'box' | 'capsule' | 'hull' | 'plane'} ShapeType */

/**
 * @typedef {'soft-step' | 'block-pgs' | 'exact' | 'bilateral' | 'active-set' | 'cone'} SolverName
 */

/** @typedef {'coulomb' | 'convex'} FrictionLaw */

/** @typedef {'step' | 'offline'} Effort */

/** @typedef {'split' | 'baumgarte' | 'none'} Stabilization */

/**
 * How the smooth motion is integrated; of order 1, 1, 2, 4, 2. A body that a contact pushes moves with
 * its velocity at the end of the step in each of them.
 * @typedef {'semi-implicit-euler' | 'explicit-euler' | 'velocity-verlet' | 'rk4'
 *   | 'implicit-midpoint'} IntegratorName
 */

/**
 * @typedef {'gravity' | 'pointGravity' | 'tidal' | 'magnetic' | 'drag' | 'spring' | 'custom'
 *   } PotentialType
 */

/** @typedef {'fixed' | 'ball' | 'hinge' | 'slider' | 'distance'} JointType */

/** @typedef {'custom' | 'distance' | 'unitQuaternion'} ConstraintType */

/**
 * What a solve came to. `'converged'`: within the tolerance; `'max-iterations'`: the iterations were
 * used up; `'stalled'`: no method of the solver got further, or sweeps at rest do not. In both cases
 * the best impulses found, by certificate, are used. `'none'`: there was nothing to solve.
 * @typedef {'none' | 'converged' | 'max-iterations' | 'stalled'} SolveStatus
 */

export {}
