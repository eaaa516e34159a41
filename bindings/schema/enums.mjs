// The enums that cross the boundary of the module. Their order is their numbers.
//
// `c` is the enum of include/moreau.h, `prefix` that of its constants, which are the words in upper case
// with underscores; a word `{ word, constant }` says its constant itself. `list` is the JavaScript list,
// `type` the public type of a word, `doc` what that says. `last` is a constant that only counts. An enum
// without `c` is of the boundary alone: it is defined by what is generated.

/** @typedef {string | { word: string | null, constant: string }} EnumWord */

/**
 * @typedef {object} EnumSchema
 * @property {string} [c]
 * @property {string} prefix
 * @property {string} list
 * @property {string} [type]
 * @property {string} [doc]
 * @property {string} [last]
 * @property {readonly EnumWord[]} words
 */

/** @type {Readonly<Record<string, EnumSchema>>} */
export const ENUMS = {
  bodyType: {
    ...{ c: 'mo_body_type', prefix: 'MO_BODY_', list: 'BODY_TYPES', type: 'BodyType' },
    words: ['static', 'kinematic', 'dynamic'],
  },
  targetState: {
    ...{ c: 'mo_target_state', prefix: 'MO_TARGET_', list: 'TARGET_STATES' },
    words: ['none', 'ahead', 'reached'],
  },
  motorMode: {
    ...{ c: 'mo_motor_mode', prefix: 'MO_MOTOR_', list: 'MOTOR_MODES' },
    words: ['none', 'velocity', 'position'],
  },
  solver: {
    ...{ c: 'mo_solver', prefix: 'MO_SOLVER_', list: 'SOLVERS', type: 'SolverName' },
    words: ['block-pgs', 'exact', 'bilateral', 'active-set', 'cone', 'soft-step', 'auto'],
  },
  frictionLaw: {
    ...{ c: 'mo_friction_law', prefix: 'MO_FRICTION_', list: 'FRICTION_LAWS', type: 'FrictionLaw' },
    words: ['coulomb', 'convex'],
  },
  impactLaw: {
    ...{ c: 'mo_impact_law', prefix: 'MO_IMPACT_', list: 'IMPACT_LAWS', type: 'ImpactLaw' },
    doc: 'How fast bodies part after impacts that happen at once.',
    words: ['newton', 'generalized-reflections'],
  },
  effort: {
    ...{ c: 'mo_effort', prefix: 'MO_EFFORT_', list: 'EFFORTS', type: 'Effort' },
    doc: "What the exact solvers may spend in a step, in counted work. `'frame'`: about 12 ms of one core of a server in WebAssembly, beside which a step has what everything else in it costs; `'step'`: five times as much; `'offline'`: no bound.",
    words: ['frame', 'step', 'offline'],
  },
  stabilization: {
    ...{ c: 'mo_stabilization', prefix: 'MO_STABILIZATION_', list: 'STABILIZATIONS' },
    type: 'Stabilization',
    words: ['split', 'baumgarte', 'none'],
  },
  integrator: {
    ...{
      c: 'mo_integrator',
      prefix: 'MO_INTEGRATOR_',
      list: 'INTEGRATORS',
      type: 'IntegratorName',
    },
    doc: 'How the smooth motion is integrated; of order 1, 1, 2, 4, 2. In impacts, and with the Euler methods, a body that a contact pushes moves with its velocity at the end of the step; in sliding and rolling the others move it with the mean of those at its start and end.',
    words: ['semi-implicit-euler', 'explicit-euler', 'velocity-verlet', 'rk4', 'implicit-midpoint'],
  },
  solveStatus: {
    ...{ c: 'mo_solve_status', prefix: 'MO_SOLVE_', list: 'STATUSES', type: 'SolveStatus' },
    doc: "What a solve came to. `'converged'`: the certificate is within the tolerance; `'budget'`: it is not, because the work, the sweeps or the substeps were used up, and more of them may help; `'stalled'`: it is not, and no method got further with what was left. In both cases the best impulses found, by certificate, are used. `'none'`: there was nothing to solve.",
    words: ['none', 'converged', 'budget', 'stalled'],
  },
  islandEvent: {
    ...{ c: 'mo_island_event', prefix: 'MO_ISLAND_', list: 'ISLAND_EVENTS', type: 'IslandEvent' },
    doc: "What became of an island that was not as asked for; null: nothing. `'budget'`, `'stalled'`: as its status; `'too-big'`: the island needs more than `exactMemoryLimit` and was solved by `'block-pgs'`; `'open-joints'`: with `stabilization: 'split'`, a joint is left open by more than 1e-6 m or rad, and with `'block-pgs'` by more than `linearSlop` (m or rad) and that.",
    words: [
      ...[{ word: null, constant: 'AS_ASKED' }, 'stalled', 'too-big', 'open-joints'],
      'budget',
    ],
  },
  warningCode: {
    ...{ c: 'mo_warning_code', prefix: 'MO_WARNING_', list: 'WARNING_OPTIONS' },
    last: 'COUNT',
    words: [
      { word: 'contactHertz', constant: 'CONTACT_HERTZ' },
      { word: 'jointHertz', constant: 'JOINT_HERTZ' },
    ],
  },
  bound: {
    ...{ c: 'mo_bound', prefix: 'MO_BOUND_', list: 'BOUNDS' },
    words: ['bilateral', 'unilateral', 'box', 'cone'],
  },
  rowRole: {
    ...{ c: 'mo_row_role', prefix: 'MO_ROW_', list: 'ROW_ROLES', type: 'RowRole' },
    doc: 'What a row of a constraint is there for: what its type holds, a limit of a coordinate, or a drive of it.',
    words: ['hold', 'lower', 'upper', 'spring', 'motor', 'friction'],
  },
  batchQuantity: {
    ...{ c: 'mo_batch_quantity', prefix: 'MO_BATCH_', list: 'BATCH_QUANTITIES' },
    words: [
      ...['position', 'orientation', 'linearVelocity', 'angularVelocity', 'coordinate', 'rate'],
      ...['centerOfMass', 'contact', 'contactForce', 'time', 'residual'],
      ...['targetVelocity', 'targetPosition', 'effort', 'force', 'torque'],
    ],
  },
  constraintType: {
    ...{ c: 'mo_constraint_type', prefix: 'MO_CONSTRAINT_', list: 'CONSTRAINT_TYPES' },
    words: [
      ...['custom', 'unitQuaternion', 'distance', 'ball', 'fixed', 'hinge', 'slider'],
      'motor',
      ...['rope', 'universal', 'gear', 'rackAndPinion', 'pulley', 'spring', 'sixDof', 'wheel'],
      'path',
    ],
  },
  pathAlignment: {
    ...{ c: 'mo_path_alignment', prefix: 'MO_PATH_ALIGN_', list: 'PATH_ALIGNMENTS' },
    type: 'PathAlignment',
    doc: "What of B follows a path: `'none'`: its anchor alone; `'tangent'`: and the axis of it that is along the path at creation; `'frame'`: and all of its orientation, which turns about the path no more than it must.",
    words: ['none', 'tangent', 'frame'],
  },
  potentialType: {
    ...{ c: 'mo_potential_type', prefix: 'MO_POTENTIAL_', list: 'POTENTIAL_TYPES' },
    type: 'PotentialType',
    words: [
      ...['gravity', 'pointGravity', 'tidal', 'magnetic', 'drag', 'spring', 'custom'],
      ...['buoyancy', 'mutualGravity'],
    ],
  },
  regionType: {
    ...{ c: 'mo_region_type', prefix: 'MO_REGION_', list: 'REGION_TYPES' },
    words: ['everywhere', 'sphere', 'box'],
  },
  combine: {
    ...{ c: 'mo_combine', prefix: 'MO_COMBINE_', list: 'COMBINE_RULES' },
    words: [
      ...[{ word: null, constant: 'DEFAULT' }, 'average', 'minimum', 'maximum', 'multiply'],
      'geometricMean',
    ],
  },
  profileStage: {
    ...{ c: 'mo_profile_stage', prefix: 'MO_PROFILE_', list: 'PROFILE_STAGES' },
    last: 'STAGE_COUNT',
    words: [
      ...['step', 'forces', 'broadPhase', 'narrowPhase', 'islands', 'prepare', 'solve'],
      ...['integrate', 'continuous', 'sleep', 'commit', 'certificate'],
    ],
  },
  // What a callback belongs to, and what is asked of a constraint and of a potential.
  callback: {
    ...{ prefix: 'CALLBACK_', list: 'CALLBACKS' },
    words: ['constraint', 'potential', 'clock', 'query', 'contact'],
  },
  constraintPhase: {
    ...{ prefix: 'PHASE_', list: 'CONSTRAINT_PHASES' },
    words: ['evaluate', 'jacobian', 'timeDerivative', 'isActive'],
  },
  potentialPhase: {
    ...{ prefix: 'PHASE_', list: 'POTENTIAL_PHASES' },
    words: ['wrench', 'energy'],
  },
}
