# Native programs: helpers of the Node tests, examples, C unit tests. Included by the top CMakeLists.txt.

# Adds the program `name` made of one C file.
function(add_program name file)
  add_executable(${name} ${file})
  target_link_libraries(${name} PRIVATE moreau moreau_options)
endfunction()

# Helpers that the Node tests start, for example the one that prints state hashes. They may look at private headers.
file(GLOB helpers CONFIGURE_DEPENDS tests/native/*.c)
foreach(file IN LISTS helpers)
  cmake_path(GET file STEM name)
  add_program(${name} ${file})
  target_include_directories(${name} PRIVATE src)
endforeach()

# Examples see the public header only, as a user's program does.
file(GLOB examples CONFIGURE_DEPENDS examples/c-*/main.c)
foreach(file IN LISTS examples)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET folder FILENAME name)
  add_program(example-${name} ${file})
endforeach()

if(NOT MOREAU_TESTS)
  return()
endif()
enable_testing()

find_path(CMOCKA_INCLUDE_DIR cmocka.h REQUIRED)
find_library(CMOCKA_LIBRARY cmocka REQUIRED)

# Labels are `fast` and `slow`: more than three seconds under sanitizers. The slow ones start first, so that no core ends with one of them
# while the other is idle.
function(label_test name label)
  # Against what hangs: the longest takes 20 s, and many times that where others use the cores too.
  set_tests_properties(${name} PROPERTIES TIMEOUT 1200 LABELS ${label})
  if(label STREQUAL "slow")
    set_tests_properties(${name} PROPERTIES COST 10)
  endif()
endfunction()

set(slow_groups base/parallel geometry/hull report/read_outs step/exact_joints step/joint_integrators step/transactions world/ids)
foreach(group IN LISTS slow_groups)
  if(NOT EXISTS "${PROJECT_SOURCE_DIR}/tests/unit/${group}.c")
    message(FATAL_ERROR "cmake/native.cmake calls ${group} slow, but there is no tests/unit/${group}.c")
  endif()
endforeach()

# The tests of a layer are one program, made of the files of its folder. Each file is a group of tests and an entry of ctest, so that one
# that crashes takes no other with it.
function(add_layer_tests layer)
  set(program test-${layer})
  set(generated "${PROJECT_BINARY_DIR}/tests/${layer}")
  file(GLOB files CONFIGURE_DEPENDS tests/unit/${layer}/*.c)
  set(lines "")
  foreach(file IN LISTS files)
    cmake_path(GET file STEM group)
    string(APPEND lines "GROUP(${group})\n")
    set(name ${layer}/${group})
    add_test(NAME ${name} COMMAND ${program} --group ${group})
    if(name IN_LIST slow_groups)
      label_test(${name} slow)
    else()
      label_test(${name} fast)
    endif()
  endforeach()
  file(CONFIGURE OUTPUT "${generated}/groups.h" CONTENT "${lines}")
  add_program(${program} tests/unit/test_main.c)
  target_sources(${program} PRIVATE ${files})
  target_include_directories(${program} PRIVATE src tests/unit "${generated}")
  target_include_directories(${program} SYSTEM PRIVATE "${CMOCKA_INCLUDE_DIR}")
  target_link_libraries(${program} PRIVATE "${CMOCKA_LIBRARY}")
endfunction()

file(GLOB strays CONFIGURE_DEPENDS tests/unit/*.c)
exclude_files(strays "/test_main\\.c$")
if(strays)
  message(FATAL_ERROR "${strays}: tests belong in tests/unit/<layer>/")
endif()
file(GLOB layers RELATIVE "${PROJECT_SOURCE_DIR}/tests/unit" CONFIGURE_DEPENDS tests/unit/*/*.c)
list(TRANSFORM layers REPLACE "/.*" "")
list(REMOVE_DUPLICATES layers)
foreach(layer IN LISTS layers)
  add_layer_tests(${layer})
endforeach()

foreach(file IN LISTS examples)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET folder FILENAME name)
  add_test(NAME example-${name} COMMAND example-${name})
  label_test(example-${name} fast)
endforeach()

include(cmake/compile_tests.cmake)

# Five minutes of simulated time of what scripts/soak.mjs runs for hours.
add_test(NAME churn COMMAND churn 1 20000 30 0)
label_test(churn fast)

# The fuzzer of the C interface, and a short run of it. MAP_ANONYMOUS is older than its standard.
file(GLOB fuzzer CONFIGURE_DEPENDS tests/fuzz/native/*.c)
exclude_files(fuzzer "/fuzz_worlds\\.c$")
add_library(fuzzer OBJECT ${fuzzer})
target_include_directories(fuzzer PUBLIC tests/fuzz/native PRIVATE src)
target_link_libraries(fuzzer PUBLIC moreau moreau_options)
add_program(fuzz-worlds tests/fuzz/native/fuzz_worlds.c)
target_compile_definitions(fuzz-worlds PRIVATE _DEFAULT_SOURCE)
target_link_libraries(fuzz-worlds PRIVATE fuzzer)
add_test(NAME fuzz-worlds COMMAND fuzz-worlds --sequences 300 --seed 1)
label_test(fuzz-worlds slow)

# Programs of libFuzzer, which comes with clang, and the same without it, with changed inputs for every compiler: bytes at most and how many.
set(inputs_of_hulls 1200 5000)
set(inputs_of_meshes 800 2000)
set(inputs_of_snapshots 20000 20000)
set(inputs_of_worlds 1024 300)
add_program(snapshot-seeds tests/fuzz/libfuzzer/snapshot_seeds.c)
set(snapshots "${PROJECT_BINARY_DIR}/seeds-snapshots")
file(MAKE_DIRECTORY "${snapshots}")
add_test(NAME snapshot-seeds COMMAND snapshot-seeds "${snapshots}")
label_test(snapshot-seeds fast)
set_tests_properties(snapshot-seeds PROPERTIES FIXTURES_SETUP snapshots)

function(add_fuzz_target program name main)
  add_program(${program} tests/fuzz/libfuzzer/${name}.c)
  target_sources(${program} PRIVATE ${main})
  target_include_directories(${program} PRIVATE src)
  target_link_libraries(${program} PRIVATE fuzzer)
endfunction()

foreach(name IN ITEMS hulls meshes snapshots worlds)
  add_fuzz_target(inputs-${name} ${name} tests/fuzz/libfuzzer/changed_inputs.c)
  # DIR, MAP_ANONYMOUS and strdup are older than C17.
  target_compile_definitions(inputs-${name} PRIVATE _DEFAULT_SOURCE)
  set(corpus "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}")
  if(name STREQUAL "snapshots")
    set(corpus "${snapshots}")
  endif()
  add_test(NAME inputs-${name} COMMAND inputs-${name} "${corpus}" ${inputs_of_${name}})
  label_test(inputs-${name} slow)
  if(name STREQUAL "snapshots")
    set_tests_properties(inputs-snapshots PROPERTIES FIXTURES_REQUIRED snapshots)
  endif()
  if(MOREAU_FUZZ)
    add_fuzz_target(libfuzzer-${name} ${name} "")
    target_link_options(libfuzzer-${name} PRIVATE -fsanitize=fuzzer)
  endif()
endforeach()
