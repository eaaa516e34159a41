// The functions of the WebAssembly module, as JavaScript sees them.

/**
 * What bindings/abi exports. Pointers are unsigned 32-bit, ids doubles (bindings/abi/ids.h); `io` in a
 * remark: also reads or writes the shared block.
 * @typedef {object} EngineExports
 * @property {WebAssembly.Memory} [memory]
 * @property {() => void} [_initialize]
 * @property {(doubles: number) => number} io_reserve
 * @property {(bytes: number) => number} allocate
 * @property {(block: number) => void} release
 * @property {(frames: number, never: number) => number} stack_need of the host's stack
 * @property {() => number} stack_save
 * @property {(position: number) => void} stack_restore
 * @property {() => number} last_result
 * @property {(result: number) => number} result_name
 * @property {() => number} allocated_bytes
 * @property {() => number} allocation_count
 * @property {(points: number, count: number) => number} hull_create
 * @property {(hull: number) => void} hull_release
 * @property {() => number} hull_last_qhull_error
 * @property {(hull: number) => number} hull_vertex_count
 * @property {(hull: number) => number} hull_vertices
 * @property {(hull: number) => number} hull_facet_count
 * @property {(hull: number) => number} hull_face_count
 * @property {(hull: number) => number} hull_face_loops
 * @property {(hull: number, index: number) => void} hull_facet io
 * @property {(hull: number, index: number) => void} hull_face io
 * @property {(hull: number) => void} hull_measures io
 * @property {(hull: number, mass: number) => void} hull_inertia io
 * @property {(hull: number, x: number, y: number, z: number) => number} hull_signed_distance
 * @property {(hull: number, x: number, y: number, z: number, tolerance: number) => number
 *   } hull_contains
 * @property {(radius: number) => number} shape_create_sphere
 * @property {(radius: number, halfHeight: number) => number} shape_create_capsule
 * @property {(radiusTop: number, radiusBottom: number, halfHeight: number) => number
 *   } shape_create_tapered_capsule
 * @property {(radiusTop: number, radiusBottom: number, halfHeight: number, rounding: number) => number
 *   } shape_create_cylinder
 * @property {(radius: number, halfHeight: number, rounding: number) => number} shape_create_cone
 * @property {(x: number, y: number, z: number, radius: number) => number} shape_create_box
 * @property {(hull: number, radius: number) => number} shape_create_hull
 * @property {(x: number, y: number, z: number, offset: number) => number} shape_create_plane
 * @property {(...numbers: number[]) => number} shape_create_mesh vertices, vertexCount, indices,
 *   indexCount, oneSided
 * @property {(...numbers: number[]) => number} shape_create_heightfield heights, rows, columns,
 *   scale, oneSided
 * @property {(count: number) => number} shape_create_compound io
 * @property {(shape: number) => number} shape_check_solid io
 * @property {(shape: number) => number} shape_part_count
 * @property {(shape: number) => void} shape_measures io
 * @property {(shape: number, mass: number) => void} shape_inertia io
 * @property {(shape: number, x: number, y: number, z: number) => number} shape_support io
 * @property {(shape: number) => void} shape_release
 * @property {(shapeA: number, shapeB: number) => number} collide io
 * @property {(shapeA: number, shapeB: number) => void} distance io
 * @property {(lengthUnit: number) => void} world_default_settings io
 * @property {() => number} world_create io
 * @property {(world: number) => void} world_destroy
 * @property {(world: number) => void} world_get_settings io
 * @property {(world: number) => number} world_set_settings io
 * @property {(world: number, withAssets: number) => number} world_snapshot io
 * @property {(world: number) => number} world_assets io
 * @property {(...numbers: number[]) => number} world_restore io; world, bytes, count, assets,
 *   assetCount, functions, functionCount
 * @property {() => number} delta_coder_create
 * @property {(coder: number) => void} delta_coder_destroy
 * @property {(coder: number, world: number, isKey: number) => number} delta_coder_write io
 * @property {(coder: number, bytes: number, count: number) => number} delta_coder_read
 * @property {(...numbers: number[]) => number} delta_coder_restore io; coder, world, functions,
 *   functionCount
 * @property {(world: number) => number} world_last_error
 * @property {(world: number, dt: number) => number} world_step
 * @property {(world: number) => void} world_abandon_call
 * @property {(world: number) => number} world_time
 * @property {(world: number) => number} world_metre
 * @property {(world: number) => number} world_step_count
 * @property {(world: number, time: number, steps: number) => number} world_set_time
 * @property {(world: number) => number} world_slot_count
 * @property {(world: number) => number} world_transforms
 * @property {(world: number) => number} world_transforms64
 * @property {(world: number) => number} world_velocities
 * @property {(world: number, out: number) => void} world_get_motions
 * @property {(world: number, records: number, count: number) => number} world_set_motions
 * @property {(world: number) => number} world_awake_count
 * @property {(world: number) => number} world_moved
 * @property {(world: number) => number} world_moved_count
 * @property {(world: number) => void} world_energy io
 * @property {(world: number) => void} world_momentum io
 * @property {(world: number) => number} world_explode io
 * @property {(world: number) => void} world_residual io
 * @property {(world: number) => number} world_last_result of the last refused call
 * @property {(world: number) => void} world_stats io
 * @property {(world: number) => void} world_event_counts io
 * @property {(world: number) => void} world_hash io
 * @property {(world: number) => number} world_sleep_events
 * @property {(world: number) => number} world_sleep_event_count
 * @property {(world: number) => number} world_cast_ray io
 * @property {(world: number) => number} world_cast_ray_all io
 * @property {(world: number) => number} world_cast_shape io
 * @property {(world: number) => number} world_cast_shape_all io
 * @property {(world: number, count: number) => number} world_cast_batch io
 * @property {(world: number) => number} world_overlap io
 * @property {(world: number) => number} world_closest_point io
 * @property {(world: number) => number} world_contains io
 * @property {(world: number) => number} character_move io
 * @property {(world: number, shape: number) => number} character_change_shape io
 * @property {(world: number, what: number) => number} world_watch
 * @property {(world: number, handle: number, isOn: number) => number} world_set_contact_function
 * @property {(world: number) => number} world_contact_events
 * @property {(world: number) => number} world_contact_event_count
 * @property {(world: number) => number} world_contact_event_points
 * @property {(world: number) => number} world_sensor_events
 * @property {(world: number) => number} world_sensor_event_count
 * @property {(world: number, isOn: number) => void} world_set_profiling
 * @property {(world: number) => void} world_profile io
 * @property {(world: number) => number} world_warnings io
 * @property {(world: number) => number} world_island_count
 * @property {(world: number, count: number) => number} world_islands io
 * @property {(world: number) => number} world_missed_islands
 * @property {(world: number) => number} world_refused_pairs
 * @property {(world: number) => number} world_record_problem io
 * @property {(world: number) => void} world_release_record
 * @property {(world: number) => number} batch_create io
 * @property {(batch: number) => void} batch_destroy
 * @property {(batch: number, list: number) => number} batch_array
 * @property {(batch: number, list: number) => number} batch_row_size
 * @property {(batch: number, dt: number, steps: number) => number} batch_step
 * @property {(batch: number, mask: number) => number} batch_reset
 * @property {(batch: number) => number} batch_results
 * @property {(batch: number, index: number) => number} batch_world
 * @property {(batch: number) => number} batch_transforms
 * @property {() => number} problem_solve io
 * @property {(world: number) => number} world_contact_points
 * @property {() => number} contact_points_address
 * @property {(world: number, parts: number) => number} world_debug_lines
 * @property {() => number} debug_vertices_address
 * @property {() => number} debug_colors_address
 * @property {(world: number) => number} vehicle_update io
 * @property {() => void} body_default io
 * @property {(world: number) => number} body_create io
 * @property {(world: number, body: number) => number} body_get_definition io
 * @property {(world: number, body: number, count: number) => number} body_get_shapes io
 * @property {(world: number, body: number) => number} body_destroy
 * @property {(world: number, body: number, count: number) => number} body_set_shapes io
 * @property {(world: number, body: number) => number} body_add_shape io
 * @property {(world: number, body: number, sensor: number) => number} body_set_sensor
 * @property {(world: number, body: number, index: number) => number} body_remove_shape
 * @property {(world: number, body: number, index: number) => number} body_change_shape io
 * @property {(world: number, body: number) => number} body_get_state io
 * @property {(world: number, body: number) => number} body_get_energy io
 * @property {(world: number, body: number) => number} body_get_inverse_mass io
 * @property {(world: number, body: number, x: number, y: number, z: number) => number} body_support io
 * @property {(world: number, body: number, x: number, y: number, z: number) => number
 *   } body_set_position
 * @property {(world: number, body: number, x: number, y: number, z: number, w: number) => number
 *   } body_set_orientation
 * @property {(world: number, body: number, x: number, y: number, z: number) => number
 *   } body_set_linear_velocity
 * @property {(world: number, body: number, x: number, y: number, z: number) => number
 *   } body_set_angular_velocity
 * @property {(world: number, body: number, type: number) => number} body_set_type
 * @property {(world: number, body: number, mass: number) => number} body_set_mass
 * @property {(world: number, body: number, density: number) => number} body_set_density
 * @property {(world: number, body: number) => number} body_set_inertia io
 * @property {(world: number, body: number, x: number, y: number, z: number) => number
 *   } body_set_center_of_mass
 * @property {(world: number, body: number, friction: number) => number} body_set_friction
 * @property {(world: number, body: number, restitution: number) => number} body_set_restitution
 * @property {(world: number, body: number, rule: number) => number} body_set_friction_combine
 * @property {(world: number, body: number, rule: number) => number} body_set_restitution_combine
 * @property {(world: number, body: number, length: number) => number} body_set_rolling_friction
 * @property {(world: number, body: number, length: number) => number} body_set_spinning_friction
 * @property {(world: number, body: number, x: number, y: number, z: number) => number
 *   } body_set_surface_velocity
 * @property {(world: number, body: number, translation: number, rotation: number) => number
 *   } body_set_locks
 * @property {(world: number, body: number) => number} body_set_pose io
 * @property {(world: number, body: number, time: number) => number} body_move_to io
 * @property {(world: number, body: number, damping: number) => number} body_set_linear_damping
 * @property {(world: number, body: number, damping: number) => number} body_set_angular_damping
 * @property {(world: number, body: number, scale: number) => number} body_set_gravity_scale
 * @property {(world: number, body: number, solver: number) => number} body_set_solver
 * @property {(world: number, body: number, category: number, mask: number, group: number) => number
 *   } body_set_filter
 * @property {(world: number, body: number) => number} body_get_bounds io
 * @property {(world: number, body: number, isEnabled: number) => number} body_set_enabled
 * @property {(world: number, body: number, isBullet: number) => number} body_set_bullet
 * @property {(world: number, body: number, allowSleep: number) => number} body_set_allow_sleep
 * @property {(world: number, body: number) => number} body_sleep
 * @property {(world: number, body: number) => number} body_wake
 * @property {(world: number, body: number, hasPoint: number) => number} body_apply_force io
 * @property {(world: number, body: number, hasPoint: number) => number} body_apply_impulse io
 * @property {(world: number, body: number, x: number, y: number, z: number) => number
 *   } body_apply_torque
 * @property {(world: number, body: number, x: number, y: number, z: number) => number
 *   } body_apply_angular_impulse
 * @property {(world: number, body: number) => number} body_clear_forces
 * @property {(world: number) => number} constraint_create io
 * @property {(world: number, constraint: number) => number} constraint_get_definition io
 * @property {(world: number, constraint: number) => number} constraint_destroy
 * @property {(world: number, constraint: number) => number} constraint_get_state io
 * @property {(world: number, constraint: number, coordinate: number) => number
 *   } constraint_set_drive io
 * @property {(world: number, constraint: number, coordinate: number) => number
 *   } constraint_get_drive io
 * @property {(world: number, constraint: number, ratio: number) => number} constraint_set_ratio
 * @property {(world: number, constraint: number, angle: number) => number} constraint_set_steering
 * @property {(world: number, constraint: number) => number} constraint_set_pose_motor io
 * @property {(world: number, constraint: number) => number} constraint_get_pose_motor io
 * @property {(world: number, constraint: number, force: number, torque: number) => number
 *   } constraint_set_break
 * @property {(world: number, constraint: number, collide: number) => number
 *   } constraint_set_collide_connected
 * @property {(world: number, constraint: number, coordinate: number) => number
 *   } constraint_get_coordinate io
 * @property {(world: number, constraint: number, coordinate: number) => number
 *   } constraint_get_drive_impulses io
 * @property {(world: number, constraint: number) => number} constraint_get_path io
 * @property {(world: number, constraint: number, length: number) => number} constraint_path_point io
 * @property {(world: number, constraint: number) => number} constraint_get_energy io
 * @property {(world: number, constraint: number) => number} constraint_get_reaction io
 * @property {(world: number) => number} world_broken_constraints
 * @property {(world: number) => number} world_broken_constraint_count
 * @property {(world: number, constraint: number) => number} constraint_impulses
 * @property {(world: number, constraint: number, x: number, y: number, z: number, w: number) => number
 *   } constraint_angle_at io
 * @property {(world: number, constraint: number, isRate: number) => number
 *   } constraint_violation io
 * @property {(world: number, constraint: number, dimension: number) => number
 *   } constraint_get_rows io
 * @property {(world: number) => number} potential_create io
 * @property {(world: number, potential: number) => number} potential_set_def io
 * @property {(world: number, potential: number) => number} potential_destroy
 * @property {(world: number, potential: number) => number} potential_get_energy io
 * @property {(world: number, potential: number, body: number) => number} potential_get_wrench io
 */

/**
 * What bindings/abi/exports_threads.c adds for the thread that steps.
 * @typedef {object} ThreadExports
 * @property {(helpers: number, mayWait: number) => void} threads_expect
 */

export {}
