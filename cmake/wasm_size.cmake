# How hard the compiler tries in the WebAssembly module, which people download. Included by the top CMakeLists.txt.
#
# Chosen by profiles of the scenes of bench/ in all solvers: a file is small where a few per cent of the time of any scene at most are spent
# in it, counted together with the others that are. It gets -Oz, as Qhull does. -O3 unrolls and vectorises every loop, also those of three
# turns, and doubles the code: only the sweeps of soft-step, whose loops are written for four lanes, the factorisations of exact, and, without
# vectors, what makes bytes of records keep it. The rest is at -O2 without these two, and outside the solvers without pairs of doubles as vectors
# (-fno-slp-vectorize): such a load reads what two stores have just written, for which a processor waits. Files that came later were placed
# by the time of whole steps beside the module before, old and new in one process. The bits of the results are the same at every level
# (-ffp-contract=off).
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  return()
endif()

# Every engine with SIMD has these conversions, which need no test for a number that does not fit.
target_compile_options(moreau PRIVATE -mnontrapping-fptoint)

set(hot
  src/solvers/cone/newton_body.c
  src/solvers/soft_step/contacts/contact_prepare.c
  src/solvers/soft_step/contacts/contact_solve.c
  src/solvers/soft_step/joints/joint_frame_solve.c
  src/solvers/soft_step/joints/joint_refresh.c
  src/solvers/soft_step/joints/joint_solve.c)

set(small
  src/batch/batch.c
  src/batch/channel.c
  src/batch/joint_side.c
  src/batch/pressing.c
  src/collision/broad/broad_phase_unbounded.c
  src/collision/broad/pair_set.c
  src/collision/convex/closest_point.c
  src/collision/convex/distance.c
  src/collision/convex/epa.c
  src/collision/convex/many_distance.c
  src/collision/convex/ray_cast.c
  src/collision/convex/time_of_impact.c
  src/collision/convex/triangle_shape.c
  src/collision/narrow/mesh_depth.c
  src/collision/narrow/plane_pairs.c
  src/constraints/arrival.c
  src/constraints/ball.c
  src/constraints/constraint.c
  src/constraints/constraint_class.c
  src/constraints/constraint_rows.c
  src/constraints/contact_loads.c
  src/constraints/custom.c
  src/constraints/distance.c
  src/constraints/drives.c
  src/constraints/effective_mass.c
  src/constraints/fixed.c
  src/constraints/gear.c
  src/constraints/hinge.c
  src/constraints/joint_rotation.c
  src/constraints/motor.c
  src/constraints/path.c
  src/constraints/pose_arrival.c
  src/constraints/rows.c
  src/constraints/six_dof.c
  src/constraints/slider.c
  src/control/carried_ground.c
  src/control/vehicle_check.c
  src/dynamics/integrator_rk4.c
  src/dynamics/potential.c
  src/dynamics/potential_magnetic.c
  src/geometry/bvh.c
  src/geometry/curve.c
  src/geometry/curve_frame.c
  src/geometry/hull.c
  src/geometry/hull_builder.c
  src/geometry/hull_features.c
  src/geometry/hull_input.c
  src/geometry/hull_pool.c
  src/geometry/mass_properties.c
  src/geometry/mesh.c
  src/geometry/mesh_edges.c
  src/geometry/mesh_mass.c
  src/geometry/polygons.c
  src/geometry/qhull_adapter.c
  src/geometry/qhull_user.c
  src/geometry/revolved.c
  src/geometry/rounded_mass.c
  src/geometry/shape.c
  src/geometry/shape_compound.c
  src/geometry/shape_content.c
  src/geometry/shape_extreme.c
  src/geometry/shape_mesh.c
  src/geometry/shape_plane.c
  src/geometry/shape_pool.c
  src/geometry/shape_revolved.c
  src/geometry/shape_rounded.c
  src/geometry/shape_stream.c
  src/math/semidefinite.c
  src/memory/arena.c
  src/memory/array.c
  src/memory/hash_tree.c
  src/memory/radix_sort.c
  src/report/contact_list.c
  src/report/debug_lines.c
  src/report/debug_shapes.c
  src/report/diagnostics.c
  src/report/islands.c
  src/report/line_list.c
  src/report/point_queries.c
  src/report/record_problem.c
  src/solvers/block_pgs/joined_groups.c
  src/solvers/block_pgs/joined_rows.c
  src/solvers/block_pgs/taut_joints.c
  src/solvers/by_island.c
  src/solvers/certificate.c
  src/solvers/cone/arclength.c
  src/solvers/cone/cone_solver.c
  src/solvers/cone/interior_start.c
  src/solvers/cone/newton_dense.c
  src/solvers/cone/proximal.c
  src/solvers/cone/semismooth.c
  src/solvers/cone/smoothed_map.c
  src/solvers/exact/active_set.c
  src/solvers/exact/bilateral.c
  src/solvers/exact/bounded_qp.c
  src/solvers/exact/exact.c
  src/solvers/friction_cone.c
  src/solvers/impact_energy.c
  src/solvers/island_partition.c
  src/solvers/linear/dense_lu.c
  src/solvers/problem/body_space.c
  src/solvers/problem/mass_blocks.c
  src/solvers/problem/matrix_pgs.c
  src/solvers/problem/matrix_problem.c
  src/solvers/row_system_setup.c
  src/solvers/soft_step/contacts/contact_parting.c
  src/solvers/soft_step/contacts/contact_rebound.c
  src/solvers/soft_step/contacts/contact_surface.c
  src/solvers/soft_step/assembly/joint_assembly_drives.c
  src/solvers/soft_step/assembly/joint_assembly_search.c
  src/solvers/soft_step/joint_first_loads.c
  src/solvers/soft_step/joint_groups.c
  src/solvers/soft_step/joint_stiffness.c
  src/solvers/soft_step/substep_joints.c
  src/solvers/soft_step/joints/substep_row_blocks.c
  src/solvers/soft_step/joints/substep_rows.c
  src/solvers/taut_body.c
  src/step/carriers.c
  src/step/certificate.c
  src/step/choose_solvers.c
  src/step/constraint_rows.c
  src/step/contact_function.c
  src/step/soft_step/asked_contacts.c
  src/step/soft_step/soft_problem.c
  src/step/holding_planes.c
  src/step/impact_reflections.c
  src/step/impact_solve.c
  src/step/late_impacts.c
  src/step/overload.c
  src/step/overload_joints.c
  src/step/rows/integrate_poses.c
  src/step/rows/joint_flow.c
  src/step/rows/make_rows.c
  src/step/rows/project_joints.c
  src/step/rows/restore_momentum.c
  src/step/rows/turn_velocities.c
  src/step/sensor_events.c
  src/step/speculation.c
  src/step/surface_sweep.c
  src/world/activity.c
  src/world/bodies.c
  src/world/body_access.c
  src/world/body_measures.c
  src/world/body_shapes.c
  src/world/checks.c
  src/world/constraint_breaks.c
  src/world/constraint_read_outs.c
  src/world/constraint_settings.c
  src/world/constraints.c
  src/world/contact_store.c
  src/world/contacts.c
  src/world/error.c
  src/world/explosions.c
  src/world/ids.c
  src/world/island_sets.c
  src/world/joint_impulses.c
  src/world/potentials.c
  src/world/profile.c
  src/world/restore_constraints.c
  src/world/settings.c
  src/world/sleep.c
  src/world/state_fields.c)

# Unrolled for constant sizes. With vectors by -fslp-vectorize clang 14 makes wrong code of the first for WebAssembly.
set(unrolled
  src/solvers/linear/block_factor.c
  src/solvers/linear/block_solve.c)

# Unrolled, but without vectors, for the reason above.
set(bytewise
  src/memory/byte_stream.c
  src/memory/record.c
  src/memory/word_hash.c)

foreach(file IN LISTS hot unrolled small bytewise)
  if(NOT EXISTS "${PROJECT_SOURCE_DIR}/${file}")
    message(FATAL_ERROR "cmake/wasm_size.cmake lists ${file}, which does not exist")
  endif()
endforeach()

# emcc means by -Oz that nothing is inlined, and vectors that go through memory make files larger. A call to copy memory is one instruction.
set(small_options -Oz -finline-functions -mbulk-memory)

foreach(file IN LISTS sources)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set(options -O2 -fno-unroll-loops -fno-vectorize)
  if(NOT file MATCHES "^src/solvers/")
    list(APPEND options -fno-slp-vectorize)
  endif()
  if(file IN_LIST small)
    set(options ${small_options})
  endif()
  if(file IN_LIST unrolled)
    set(options -O3 -fno-slp-vectorize)
  endif()
  if(file IN_LIST bytewise)
    set(options -O3 -fno-vectorize -fno-slp-vectorize)
  endif()
  if(NOT file IN_LIST hot)
    set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "${options}")
  endif()
endforeach()
file(GLOB abi_sources CONFIGURE_DEPENDS bindings/abi/*.c)
set_source_files_properties(${abi_sources} PROPERTIES COMPILE_OPTIONS "${small_options}")
