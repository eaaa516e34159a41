# How hard the compiler tries in the WebAssembly module, which people download. Included by the top CMakeLists.txt.
#
# -O3 unrolls and vectorises every loop, also those of three turns and those that run once a scene, and doubles the code. So only the files
# whose loops are long and hot keep it. -O2 without the two inlines the vector helpers as -O3 does; -Os does not, and vectors that go
# through memory make most files larger instead of smaller: it is for files of checks and tables. The bits of the results are the
# same at every level (-ffp-contract=off).
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  return()
endif()

set(hot
  src/constraints/joints.c
  src/solvers/bilateral.c
  src/solvers/row_groups.c
  src/solvers/row_system.c
  src/solvers/soft_step/joint_refresh.c
  src/solvers/soft_step/joint_solve.c
  src/solvers/soft_step/contact_prepare.c
  src/solvers/soft_step/contact_solve.c
  src/solvers/linear/block_factor.c
  src/solvers/linear/block_solve.c
  src/solvers/linear/dense_lu.c
  src/solvers/cone/newton_body.c)

set(cold
  src/solvers/cone/arclength.c
  src/solvers/matrix_problem.c
  src/world/diagnostics.c
  src/world/error.c)

foreach(file IN LISTS sources)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
  if(file IN_LIST cold)
    set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS -Os)
  elseif(NOT file IN_LIST hot)
    set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "-O2;-fno-unroll-loops;-fno-vectorize")
  endif()
endforeach()
set_source_files_properties(bindings/exports.c PROPERTIES COMPILE_OPTIONS -Os)
