// Which functions of the module change a world. A journal notes the calls of these; whoever adds one to the module adds
// it to one of both lists (tests/node/record-replay.test.mjs).

/** Of these the arguments are all: they read nothing of the shared block. */
const PLAIN = /** @type {const} */ ([
  ...['body_set_sensor', 'body_set_position', 'body_set_orientation', 'body_set_linear_velocity'],
  ...['body_set_angular_velocity', 'body_set_type', 'body_set_mass', 'body_set_density'],
  ...['body_set_center_of_mass', 'body_set_friction', 'body_set_restitution', 'body_set_locks'],
  ...['body_set_friction_combine', 'body_set_restitution_combine', 'body_set_rolling_friction'],
  ...['body_set_spinning_friction', 'body_set_surface_velocity', 'body_set_linear_damping'],
  ...['body_set_angular_damping', 'body_set_gravity_scale', 'body_set_solver', 'body_set_filter'],
  ...['body_set_enabled', 'body_set_bullet', 'body_set_allow_sleep', 'body_sleep', 'body_wake'],
  ...[
    'body_apply_torque',
    'body_apply_angular_impulse',
    'body_clear_forces',
    'constraint_set_ratio',
  ],
  ...['constraint_set_steering', 'constraint_set_break', 'constraint_set_collide_connected'],
  ...['world_set_time'],
])

/** These read numbers of the shared block, which name nothing but bodies and joints. */
const WITH_BLOCK = /** @type {const} */ ([
  ...['world_set_settings', 'world_explode', 'vehicle_update', 'body_set_inertia', 'body_set_pose'],
  ...['body_move_to', 'body_apply_force', 'body_apply_impulse', 'constraint_set_drive'],
  ...['constraint_set_pose_motor'],
])

/** These make, change or destroy what JavaScript has an object of. */
const OF_OBJECTS = /** @type {const} */ ([
  ...['body_create', 'body_set_shapes', 'body_add_shape', 'body_change_shape'],
  ...['constraint_create', 'potential_create', 'potential_set_def'],
])

/** So do these, and they read nothing of the shared block. */
const ENDS = /** @type {const} */ ([
  ...['body_remove_shape', 'body_destroy', 'constraint_destroy', 'potential_destroy'],
])

/** What cannot be made again by its numbers alone: functions may run in it, and it may push bodies. */
const OPAQUE = /** @type {const} */ (['character_move', 'character_change_shape'])

/** How calls are noted that change a world, by the name of the export. */
export const CHANGES = Object.freeze({
  plain: PLAIN,
  withBlock: WITH_BLOCK,
  ofObjects: OF_OBJECTS,
  ends: ENDS,
  opaque: OPAQUE,
  functions: /** @type {const} */ (['world_set_contact_function']),
  step: /** @type {const} */ (['world_step']),
})

/**
 * What changes no bit of a step: it reads, or it is about read-outs, events and memory. A world that is
 * restored says so itself (WorldCore.comeBack). `world_set_motions` is of worlds that only show what another one does
 * (worker/follower.mjs). Nothing but a test reads this list, and so bundles do without.
 */
export const READS = /* @__PURE__ */ Object.freeze([
  ...['world_get_motions', 'world_set_motions'],
  ...['world_default_settings', 'world_create', 'world_destroy', 'world_get_settings'],
  ...['world_snapshot', 'world_assets', 'world_restore', 'world_last_error', 'world_abandon_call'],
  ...[
    'world_metre',
    'world_time',
    'world_step_count',
    'world_slot_count',
    'world_transforms',
    'world_velocities',
  ],
  ...['world_transforms64', 'world_awake_count', 'world_moved', 'world_moved_count'],
  ...['world_energy', 'world_momentum', 'world_residual', 'world_last_result', 'world_stats'],
  ...['world_event_counts', 'world_hash', 'world_sleep_events', 'world_sleep_event_count'],
  ...['world_cast_ray', 'world_cast_ray_all', 'world_cast_shape', 'world_cast_shape_all'],
  ...['world_cast_batch', 'world_overlap', 'world_closest_point', 'world_contains', 'world_watch'],
  ...['world_contact_events', 'world_contact_event_count'],
  ...['world_contact_event_points', 'world_sensor_events', 'world_sensor_event_count'],
  ...['world_set_profiling', 'world_profile', 'world_warnings', 'world_island_count'],
  ...['world_islands', 'world_missed_islands', 'world_refused_pairs', 'world_record_problem'],
  ...['world_release_record'],
  ...['world_contact_points', 'world_debug_lines', 'world_broken_constraints'],
  ...['world_broken_constraint_count', 'body_default', 'body_get_definition', 'body_get_shapes'],
  ...['body_get_state', 'body_get_energy', 'body_get_bounds', 'constraint_get_definition'],
  ...['body_get_inverse_mass', 'body_support'],
  ...['constraint_get_state'],
  ...['constraint_get_drive', 'constraint_get_pose_motor', 'constraint_get_coordinate'],
  ...['constraint_get_drive_impulses', 'constraint_get_energy', 'constraint_get_reaction'],
  ...['constraint_impulses', 'constraint_angle_at', 'constraint_violation'],
  ...['constraint_get_rows'],
  ...['constraint_get_path', 'constraint_path_point'],
  ...['potential_get_energy', 'potential_get_wrench'],
])
