// The records that cross the boundary of the module.
//
// A record goes through the shared block of doubles, field after field in the order given here. A layout
// is a struct that JavaScript reads or writes where it lies in memory. Names are those of the C struct;
// JavaScript has them in camel case.
//
// Kinds of fields: `number`, `uint`, `int`, `flag`, `vec3`, `quat`, `mat3` (by rows), `id`, `size`,
// `pointer` (of C: void *), `indices` (three of them), an enum (enums.mjs), or another record.

/**
 * @typedef {object} RecordSchema
 * @property {string} [c] the struct of include/moreau.h; without, it is of the boundary alone and
 *   defined by what is generated
 * @property {'in' | 'out' | 'both'} way `in`: JavaScript puts it and C reads it; `out`: C writes it
 * @property {readonly ('put' | 'take' | 'write' | 'places')[]} forms what JavaScript has for it. `put`:
 *   a function that puts an object into the block; `take`: one that takes an object from it; `write`:
 *   one that takes it into an object that exists; `places`: where in the block each field begins
 * @property {Readonly<Record<string, string>>} fields
 */

/** A body as callbacks see it: BodyView of JavaScript. */
const BODY_OF_CALLBACK = Object.freeze({
  ...{ position: 'vec3', orientation: 'quat', center_of_mass: 'vec3' },
  ...{ linear_velocity: 'vec3', angular_velocity: 'vec3' },
})

/** @type {Readonly<Record<string, RecordSchema>>} */
export const RECORDS = {
  // --- parts of others ----------------------------------------------------------------------------
  pose: {
    ...{ c: 'mo_pose', way: 'both', forms: ['put'] },
    fields: { position: 'vec3', orientation: 'quat' },
  },
  filter: {
    ...{ c: 'mo_filter', way: 'both', forms: ['put', 'take'] },
    fields: { category: 'uint', mask: 'uint', group: 'int' },
  },

  // --- hulls and pairs of shapes ------------------------------------------------------------------
  hull_facet: {
    ...{ c: 'mo_facet', way: 'out', forms: ['take'] },
    fields: { vertices: 'indices', normal: 'vec3', offset: 'number' },
  },
  hull_face: {
    ...{ c: 'mo_face', way: 'out', forms: ['take'] },
    fields: { first_vertex: 'uint', vertex_count: 'uint', normal: 'vec3', offset: 'number' },
  },
  hull_measures: {
    ...{ way: 'out', forms: ['take'] },
    fields: {
      ...{ volume: 'number', surface_area: 'number' },
      ...{ centroid: 'vec3', lower: 'vec3', upper: 'vec3' },
    },
  },
  shape_measures: {
    ...{ way: 'out', forms: ['take'] },
    fields: { volume: 'number', surface_area: 'number', centroid: 'vec3' },
  },
  pose_pair: {
    ...{ way: 'in', forms: ['put'] },
    fields: { a: 'pose', b: 'pose' },
  },
  collision: {
    ...{ c: 'mo_collision', way: 'out', forms: ['take'] },
    fields: {
      ...{ normal: 'vec3', penetration_depth: 'number' },
      ...{ point_a: 'vec3', point_b: 'vec3', point_count: 'int' },
    },
  },
  collision_point: {
    ...{ way: 'out', forms: ['take'] },
    fields: { position: 'vec3', penetration_depth: 'number' },
  },
  distance: {
    ...{ c: 'mo_distance_result', way: 'out', forms: ['take'] },
    fields: { distance: 'number', point_a: 'vec3', point_b: 'vec3', normal: 'vec3' },
  },

  // --- bodies -------------------------------------------------------------------------------------
  body_defaults: {
    ...{ c: 'mo_body_def', way: 'out', forms: ['take'] },
    fields: {
      ...{ density: 'number', friction: 'number', restitution: 'number' },
      ...{ linear_damping: 'number', angular_damping: 'number', gravity_scale: 'number' },
      ...{ filter: 'filter', is_enabled: 'flag', allow_sleep: 'flag' },
    },
  },
  target: {
    ...{ c: 'mo_target', way: 'both', forms: [] },
    fields: { state: 'targetState', pose: 'pose', time: 'number' },
  },
  body_def: {
    ...{ c: 'mo_body_def', way: 'both', forms: ['places'] },
    fields: {
      ...{ type: 'bodyType', position: 'vec3', orientation: 'quat' },
      ...{ linear_velocity: 'vec3', angular_velocity: 'vec3' },
      ...{ density: 'number', has_mass: 'flag', mass: 'number' },
      ...{ has_inertia: 'flag', inertia: 'mat3' },
      ...{ has_center_of_mass: 'flag', center_of_mass: 'vec3' },
      ...{ friction: 'number', restitution: 'number' },
      ...{ linear_damping: 'number', angular_damping: 'number', gravity_scale: 'number' },
      ...{ has_solver: 'flag', solver: 'solver', filter: 'filter' },
      ...{ is_enabled: 'flag', bullet: 'flag', allow_sleep: 'flag', sensor: 'flag' },
      ...{ shape_count: 'uint' },
      ...{ friction_combine: 'combine', restitution_combine: 'combine' },
      ...{ rolling_friction: 'number', spinning_friction: 'number', surface_velocity: 'vec3' },
      ...{ lock_translation: 'uint', lock_rotation: 'uint' },
      ...{ force: 'vec3', torque: 'vec3', target: 'target', is_exact: 'flag' },
    },
  },
  // How a shape of a body is now, where that may differ from its definition.
  shape_state: {
    ...{ way: 'out', forms: ['take'] },
    fields: { density: 'number', sensor: 'flag' },
  },
  placed_shape: {
    ...{ c: 'mo_placed_shape', way: 'in', forms: ['put'] },
    fields: {
      ...{ shape: 'pointer', pose: 'pose' },
      ...{ density: 'number', friction: 'number', restitution: 'number' },
      ...{ friction_combine: 'combine', restitution_combine: 'combine' },
      ...{ sensor: 'flag', has_filter: 'flag', filter: 'filter' },
    },
  },
  body_state: {
    ...{ c: 'mo_body_state', way: 'out', forms: ['places'] },
    fields: {
      ...{ type: 'bodyType', position: 'vec3', orientation: 'quat' },
      ...{ linear_velocity: 'vec3', angular_velocity: 'vec3', world_center_of_mass: 'vec3' },
      ...{ linear_acceleration: 'vec3', angular_acceleration: 'vec3', center_of_mass: 'vec3' },
      ...{ mass: 'number', density: 'number', inertia: 'mat3' },
      ...{ friction: 'number', restitution: 'number' },
      ...{ linear_damping: 'number', angular_damping: 'number', gravity_scale: 'number' },
      ...{ has_solver: 'flag', solver: 'solver' },
      ...{ kinetic_energy: 'number', angular_momentum: 'vec3' },
      ...{ filter: 'filter', bullet: 'flag', allow_sleep: 'flag', sensor: 'flag' },
      ...{ is_enabled: 'flag', is_awake: 'flag' },
      ...{ friction_combine: 'combine', restitution_combine: 'combine' },
      ...{ rolling_friction: 'number', spinning_friction: 'number', surface_velocity: 'vec3' },
      ...{ lock_translation: 'uint', lock_rotation: 'uint', has_target: 'flag' },
    },
  },
  body_bounds: {
    ...{ way: 'out', forms: ['take'] },
    fields: { lower: 'vec3', upper: 'vec3' },
  },
  push: {
    ...{ way: 'in', forms: ['places'] },
    fields: { push: 'vec3', point: 'vec3' },
  },

  // --- constraints --------------------------------------------------------------------------------
  constraint_def: {
    ...{ c: 'mo_constraint_def', way: 'both', forms: ['put', 'take'] },
    fields: {
      ...{ type: 'constraintType', body_a: 'id', body_b: 'id', collide_connected: 'flag' },
      ...{ body_c: 'id', body_d: 'id', ratio: 'number', steering: 'number' },
      ...{ ground_anchor_a: 'vec3', ground_anchor_b: 'vec3' },
      ...{ anchor_a: 'vec3', anchor_b: 'vec3', axis_a: 'vec3', axis_b: 'vec3' },
      ...{ has_length: 'flag', length: 'number' },
      ...{ break_force: 'number', break_torque: 'number' },
      ...{ has_stabilization: 'flag', alpha: 'number', beta: 'number', compliance: 'number' },
    },
  },
  spring: {
    ...{ c: 'mo_spring', way: 'both', forms: ['put', 'take'] },
    fields: {
      ...{ hertz: 'number', damping: 'number' },
      ...{ stiffness: 'number', damping_coefficient: 'number' },
    },
  },
  coordinate_drive: {
    ...{ c: 'mo_coordinate_drive', way: 'both', forms: ['put', 'take'] },
    fields: {
      ...{ lower: 'number', upper: 'number', spring: 'spring', spring_rest: 'number' },
      ...{ motor: 'motorMode', target_velocity: 'number', target_position: 'number' },
      ...{ max_force: 'number', gains: 'spring', friction: 'number', locked: 'flag' },
    },
  },
  pose_motor: {
    ...{ c: 'mo_pose_motor', way: 'both', forms: ['put', 'take'] },
    fields: {
      ...{ has_position: 'flag', has_orientation: 'flag' },
      ...{ target_position: 'vec3', target_orientation: 'quat' },
      ...{ max_force: 'number', max_torque: 'number', gains: 'spring' },
    },
  },
  coordinate_reference: {
    ...{ c: 'mo_coordinate_reference', way: 'both', forms: ['put', 'take'] },
    fields: { value: 'number', mass: 'number' },
  },
  // Behind it: a coordinate_reference for each of the most coordinates of a joint.
  constraint_reference: {
    ...{ c: 'mo_constraint_reference', way: 'both', forms: ['put', 'take'] },
    fields: {
      ...{ frame_a: 'quat', frame_b: 'quat', frame_c: 'quat', frame_d: 'quat' },
      ...{ length: 'number', sum: 'number', linear_mass: 'number', angular_mass: 'number' },
    },
  },
  constraint_reaction: {
    ...{ c: 'mo_constraint_reaction', way: 'out', forms: ['take'] },
    fields: { linear: 'vec3', angular: 'vec3' },
  },
  drive_impulses: {
    ...{ c: 'mo_drive_impulses', way: 'out', forms: ['places'] },
    fields: { limits: 'number', spring: 'number', motor: 'number', friction: 'number' },
  },
  // Whether anchors and axes are given in the frame of the world; how many of coordinate_drive
  // follow; and whether a pose_motor, a constraint_reference, a path_given and a custom_constraint do.
  constraint_given: {
    ...{ way: 'in', forms: ['put', 'places'] },
    fields: {
      ...{ has_world_anchor: 'flag', has_world_axis: 'flag' },
      ...{ drive_count: 'uint', has_pose_motor: 'flag', has_reference: 'flag' },
      ...{ has_path: 'flag', has_functions: 'flag' },
      ...{ joint_a: 'number', joint_b: 'number' }, // ids of constraints
    },
  },
  // Behind it: its points, three numbers each.
  path_given: {
    ...{ way: 'in', forms: ['put'] },
    fields: { point_count: 'uint', is_closed: 'flag', alignment: 'pathAlignment' },
  },
  path_state: {
    ...{ way: 'out', forms: ['take'] },
    fields: {
      ...{ points: 'pointer', point_count: 'uint' },
      ...{ is_closed: 'flag', alignment: 'pathAlignment', length: 'number' },
    },
  },
  path_point: {
    ...{ c: 'mo_path_point', way: 'out', forms: ['take'] },
    fields: { position: 'vec3', tangent: 'vec3' },
  },
  // Behind it: the bounds of each row, and the name.
  custom_constraint: {
    ...{ way: 'in', forms: ['put'] },
    fields: {
      ...{ handle: 'uint', has_jacobian: 'flag', has_time_derivative: 'flag' },
      ...{ has_is_active: 'flag', dimension: 'uint', name_length: 'uint' },
    },
  },
  row_bounds: {
    ...{ c: 'mo_row_bounds', way: 'both', forms: ['put', 'take'] },
    fields: { kind: 'bound', lower: 'number', upper: 'number', friction: 'number' },
  },
  // Behind it: the numbers of its Jacobian, of as many bodies as a constraint may have.
  constraint_row: {
    ...{ c: 'mo_constraint_row', way: 'out', forms: ['take'] },
    fields: {
      ...{ role: 'rowRole', coordinate: 'uint', bounds: 'row_bounds' },
      ...{ effective_mass: 'number', impulse: 'number' },
    },
  },
  constraint_state: {
    ...{ c: 'mo_constraint_state', way: 'out', forms: ['places'] },
    fields: {
      ...{ dimension: 'uint', is_active: 'flag', coordinate: 'number' },
      ...{ coordinate_count: 'uint', collide_connected: 'flag' },
      ...{ break_force: 'number', break_torque: 'number' },
      ...{ ratio: 'number', steering: 'number' },
    },
  },
  coordinate_state: {
    ...{ c: 'mo_coordinate_state', way: 'out', forms: ['places'] },
    fields: { is_angle: 'flag', value: 'number', rate: 'number' },
  },
  callback_body: {
    ...{ c: 'mo_constraint_body', way: 'out', forms: ['places'] },
    fields: BODY_OF_CALLBACK,
  },
  // What the functions of a custom constraint are asked about: of one body, B is A again.
  constraint_question: {
    ...{ way: 'out', forms: ['places'] },
    fields: { time: 'number', answer: 'pointer', a: 'callback_body', b: 'callback_body' },
  },

  // --- potentials ---------------------------------------------------------------------------------
  region: {
    ...{ c: 'mo_region', way: 'in', forms: ['put'] },
    fields: {
      ...{ type: 'regionType', center: 'vec3', radius: 'number' },
      ...{ half_extents: 'vec3', orientation: 'quat' },
    },
  },
  potential_def: {
    ...{ c: 'mo_potential_def', way: 'in', forms: ['put'] },
    fields: {
      ...{ type: 'potentialType', gravity: 'vec3', center: 'vec3' },
      ...{ mu: 'number', softening: 'number' },
      ...{ moment: 'vec3', field: 'vec3', source_moment: 'vec3' },
      ...{ linear_drag: 'number', quadratic_drag: 'number', angular_drag: 'number' },
      ...{ anchor_a: 'vec3', anchor_b: 'vec3' },
      ...{ stiffness: 'number', rest_length: 'number', damping: 'number' },
      ...{ velocity: 'vec3', fluid_density: 'number' },
      ...{ surface_normal: 'vec3', surface_offset: 'number' },
      ...{ gravitational_constant: 'number', region: 'region' },
    },
  },
  // Behind it: the ids of the bodies.
  potential_targets: {
    ...{ way: 'in', forms: ['put'] },
    fields: { handle: 'uint', has_energy: 'flag', body_count: 'uint' },
  },
  wrench: {
    ...{ c: 'mo_wrench', way: 'both', forms: ['places'] },
    fields: { force: 'vec3', torque: 'vec3' },
  },
  // What the functions of a custom potential are asked about. The answer is a wrench or an energy.
  potential_body: {
    ...{ c: 'mo_potential_body', way: 'out', forms: ['places'] },
    fields: { id: 'id', mass: 'number', ...BODY_OF_CALLBACK },
  },
  // Behind it is room for the answer.
  potential_question: {
    ...{ way: 'out', forms: ['places'] },
    fields: { time: 'number', body: 'potential_body' },
  },

  // --- batches of worlds --------------------------------------------------------------------------
  // Behind it: the channels of actions, observations and starts.
  batch: {
    ...{ way: 'in', forms: ['put'] },
    fields: { count: 'uint', actions: 'uint', observations: 'uint', starts: 'uint' },
  },
  batch_channel: {
    ...{ way: 'in', forms: ['put'] },
    fields: {
      ...{ quantity: 'batchQuantity', body: 'id', other: 'id' },
      ...{ joint: 'number', coordinate: 'uint', is_local: 'flag' }, // joint: an id of constraints
    },
  },

  // --- explosions ---------------------------------------------------------------------------------
  // Behind it: its targets.
  explosion: {
    ...{ c: 'mo_explosion', way: 'in', forms: ['put'] },
    fields: { position: 'vec3', radius: 'number', falloff: 'number', impulse: 'number' },
  },
  explosion_targets: {
    ...{ way: 'in', forms: ['put'] },
    fields: { category: 'uint', mask: 'uint', exclude: 'id' },
  },

  // --- contacts -----------------------------------------------------------------------------------
  // What the functions for contacts are asked about. Behind it: position and separation of as many
  // points as there is room for; then whether the pair is refused, and the bits of removed points.
  contact_pair: {
    ...{ c: 'mo_contact_pair', way: 'out', forms: ['places'] },
    fields: {
      ...{ body_a: 'id', body_b: 'id', shape_a: 'uint', shape_b: 'uint', normal: 'vec3' },
      ...{ friction: 'number', restitution: 'number', surface_velocity: 'vec3' },
      ...{ point_count: 'uint' },
    },
  },

  // --- vehicles -----------------------------------------------------------------------------------
  // Behind it: its wheels, and then of each wheel a wheel_motion: what its update goes on from. Answered by the states of the wheels.
  vehicle: {
    ...{ way: 'in', forms: ['places'] },
    fields: { chassis: 'id', dt: 'number', category: 'uint', mask: 'uint', wheel_count: 'uint' },
  },
  wheel: {
    ...{ c: 'mo_wheel', way: 'in', forms: ['places'] },
    fields: {
      ...{ position: 'vec3', direction: 'vec3', axle: 'vec3' },
      ...{ radius: 'number', rest_length: 'number', travel: 'number', stiffness: 'number' },
      ...{ compression: 'number', relaxation: 'number', max_force: 'number' },
      ...{ anti_roll: 'number', anti_roll_wheel: 'uint' },
      ...{ friction: 'number', side_friction: 'number' },
      ...{ engine_force: 'number', brake: 'number', steering: 'number' },
    },
  },
  wheel_motion: {
    ...{ way: 'in', forms: ['places'] },
    fields: {
      ...{ rotation: 'number', spin: 'number' },
      ...{ ground: 'id', forecast_linear: 'vec3', forecast_angular: 'vec3' },
    },
  },
  wheel_state: {
    ...{ c: 'mo_wheel_state', way: 'out', forms: ['places'] },
    fields: {
      ...{ is_in_contact: 'flag', is_sliding: 'flag', ground: 'id' },
      ...{ contact_point: 'vec3', contact_normal: 'vec3' },
      ...{ suspension_length: 'number', suspension_force: 'number' },
      ...{ forward_impulse: 'number', side_impulse: 'number' },
      ...{ rotation: 'number', spin: 'number' },
      ...{ forecast_linear: 'vec3', forecast_angular: 'vec3' },
    },
  },

  // --- read-outs of a world -----------------------------------------------------------------------
  energy: {
    ...{ c: 'mo_energy', way: 'out', forms: ['write', 'places'] },
    fields: { kinetic: 'number', potential: 'number', total: 'number' },
  },
  body_energy: {
    ...{ c: 'mo_body_energy', way: 'out', forms: ['write'] },
    fields: {
      ...{ translational: 'number', rotational: 'number', kinetic: 'number' },
      ...{ potential: 'number', total: 'number' },
    },
  },
  momentum: {
    ...{ c: 'mo_momentum', way: 'out', forms: ['take'] },
    fields: { linear: 'vec3', angular: 'vec3' },
  },
  residual: {
    ...{ c: 'mo_residual', way: 'out', forms: ['write', 'take', 'places'] },
    fields: {
      ...{ worst: 'number', rms: 'number', cone: 'number', dual: 'number' },
      ...{ complementarity: 'number', bilateral: 'number', contacts: 'uint' },
    },
  },
  stats: {
    ...{ c: 'mo_stats', way: 'out', forms: ['write'] },
    fields: {
      ...{ bodies: 'uint', awake: 'uint', contacts: 'uint', contact_points: 'uint' },
      ...{ pairs: 'uint', refused_pairs: 'uint', status: 'solveStatus' },
      ...{ converged_islands: 'uint', budget_islands: 'uint', stalled_islands: 'uint' },
      ...{ iterations: 'uint', factorisations: 'uint' },
      ...{ work: 'number', islands: 'uint', missed_islands: 'uint', residual: 'number' },
      ...{ cured_energy_gain: 'number', max_penetration: 'number', step_bytes: 'size' },
    },
  },
  event_counts: {
    ...{ c: 'mo_event_counts', way: 'out', forms: ['write'] },
    fields: {
      ...{ contact_begin: 'uint', contact_end: 'uint', contact_hit: 'uint' },
      ...{ contact_force: 'uint', sensor_enter: 'uint', sensor_exit: 'uint' },
      ...{ joint_break: 'uint', asleep: 'uint', awake: 'uint' },
    },
  },
  island: {
    ...{ c: 'mo_island', way: 'out', forms: ['take'] },
    fields: {
      ...{ solver: 'solver', status: 'solveStatus', event: 'islandEvent' },
      ...{ iterations: 'uint', factorisations: 'uint', bodies: 'uint', rows: 'uint' },
      ...{ first_body: 'id', residual: 'number', condition: 'number' },
    },
  },
  warning: {
    ...{ c: 'mo_warning', way: 'out', forms: ['take'] },
    fields: { code: 'warningCode', value: 'number', bound: 'number' },
  },
  // The hash as two halves: a 64-bit result would be a BigInt in JavaScript.
  hash: {
    ...{ way: 'out', forms: ['take'] },
    fields: { high: 'uint', low: 'uint' },
  },

  // --- queries ------------------------------------------------------------------------------------
  // What a query looks for; each kind of query reads its part. `predicate`: 1 + the handle of the
  // user's function, 0: none.
  query: {
    ...{ way: 'in', forms: ['places'] },
    fields: {
      ...{ origin: 'vec3', orientation: 'quat', direction: 'vec3', max_distance: 'number' },
      ...{ category: 'uint', mask: 'uint', exclude: 'id', predicate: 'uint' },
      ...{ shape: 'pointer', stop_at_penetration: 'flag', include_sensors: 'flag' },
    },
  },
  // Where the hits are: structs with the layout query_hit.
  query_hits: {
    ...{ way: 'out', forms: ['places'] },
    fields: { count: 'uint', address: 'pointer' },
  },
  // One of many casts; behind all of them is room for as many hits.
  batch_cast: {
    ...{ way: 'in', forms: ['places'] },
    fields: { origin: 'vec3', orientation: 'quat', direction: 'vec3' },
  },
  batch_hit: {
    ...{ way: 'out', forms: ['places'] },
    fields: {
      ...{ body: 'id', shape: 'uint', position: 'vec3', normal: 'vec3' },
      ...{ distance: 'number', penetration_depth: 'number' },
    },
  },
  // The shape that a predicate is asked about, and room for its answer.
  query_question: {
    ...{ way: 'both', forms: ['places'] },
    fields: { body: 'id', shape: 'uint', is_taken: 'flag' },
  },

  // --- characters ---------------------------------------------------------------------------------
  character_def: {
    ...{ c: 'mo_character_def', way: 'in', forms: ['places'] },
    fields: {
      ...{ up: 'vec3', offset: 'number', step_height: 'number', step_down: 'number' },
      ...{ slope_limit: 'number', slide_angle: 'number', push_force: 'number' },
      push_mass: 'number',
    },
  },
  character: {
    ...{ c: 'mo_character', way: 'both', forms: ['places'] },
    fields: {
      ...{ position: 'vec3', orientation: 'quat', velocity: 'vec3', ground_velocity: 'vec3' },
      ...{ ground_normal: 'vec3', ground: 'id', ground_position: 'vec3' },
      ...{ ground_orientation: 'quat', grounded: 'flag' },
    },
  },
  // Behind a query, whose shape and filter count.
  character_move: {
    ...{ way: 'in', forms: ['places'] },
    fields: {
      ...{ def: 'character_def', character: 'character' },
      ...{ displacement: 'vec3', dt: 'number' },
    },
  },

  // --- contact problems ---------------------------------------------------------------------------
  problem_record: {
    ...{ c: 'mo_problem_record', way: 'out', forms: ['take'] },
    fields: {
      ...{ contact_count: 'uint', delassus: 'pointer' },
      ...{ free_velocity: 'pointer', friction: 'pointer' },
    },
  },
  // Without W, behind the answer: M and H.
  problem_def: {
    ...{ c: 'mo_problem_def', way: 'in', forms: ['put'] },
    fields: {
      ...{ contact_count: 'uint', delassus: 'pointer', free_velocity: 'pointer' },
      ...{ force: 'pointer', friction: 'pointer', warm_start: 'pointer' },
    },
  },
  problem_settings: {
    ...{ c: 'mo_problem_settings', way: 'in', forms: ['put'] },
    fields: {
      ...{ solver: 'solver', tolerance: 'number', max_iterations: 'uint' },
      ...{ friction_law: 'frictionLaw', effort: 'effort' },
    },
  },
  problem_answer: {
    ...{ way: 'in', forms: ['put'] },
    fields: { impulses: 'pointer', velocities: 'pointer' },
  },
  problem_result: {
    ...{ c: 'mo_problem_result', way: 'out', forms: ['take'] },
    fields: {
      ...{ solver: 'solver', status: 'solveStatus', iterations: 'uint' },
      ...{ factorisations: 'uint', refused: 'pointer', refused_at: 'uint' },
      ...{ refused_value: 'number', residual: 'residual' },
    },
  },
  triplets: {
    ...{ c: 'mo_triplets', way: 'in', forms: ['put'] },
    fields: {
      ...{ rows: 'uint', columns: 'uint', count: 'uint' },
      ...{ row: 'pointer', column: 'pointer', value: 'pointer' },
    },
  },
}

/**
 * @typedef {object} LayoutSchema
 * @property {string} c
 * @property {Readonly<Record<string, string>>} fields all of them, in their order
 */

/** @type {Readonly<Record<string, LayoutSchema>>} */
export const LAYOUTS = {
  broken_constraint: {
    c: 'mo_broken_constraint',
    fields: {
      ...{ constraint: 'id', force: 'number', torque: 'number' },
      ...{ body_a: 'id', body_b: 'id', body_c: 'id', body_d: 'id' },
    },
  },
  sleep_event: {
    c: 'mo_sleep_event',
    fields: { body: 'id', is_awake: 'flag' },
  },
  contact_point: {
    c: 'mo_contact_point',
    fields: {
      ...{ body_a: 'id', body_b: 'id', position: 'vec3', normal: 'vec3' },
      ...{ separation: 'number', normal_impulse: 'number', tangent_impulse: 'vec3' },
    },
  },
  contact_event: {
    c: 'mo_contact_event',
    fields: {
      ...{ types: 'uint', shape_a: 'uint', shape_b: 'uint', first_point: 'uint' },
      ...{ point_count: 'uint', body_a: 'id', body_b: 'id', position: 'vec3', normal: 'vec3' },
      ...{ approach_speed: 'number', impulse: 'number', force: 'number', tangent_impulse: 'vec3' },
    },
  },
  sensor_event: {
    c: 'mo_sensor_event',
    fields: {
      ...{ is_inside: 'flag', sensor_body: 'id', body: 'id', sensor_shape: 'uint', shape: 'uint' },
    },
  },
  query_hit: {
    c: 'mo_query_hit',
    fields: {
      ...{ body: 'id', shape: 'uint', triangle: 'uint', position: 'vec3', normal: 'vec3' },
      ...{ distance: 'number', penetration_depth: 'number' },
    },
  },
}
