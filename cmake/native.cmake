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

foreach(file IN LISTS examples)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET folder FILENAME name)
  add_test(NAME example-${name} COMMAND example-${name})
  set_tests_properties(example-${name} PROPERTIES TIMEOUT 60)
endforeach()

find_path(CMOCKA_INCLUDE_DIR cmocka.h REQUIRED)
find_library(CMOCKA_LIBRARY cmocka REQUIRED)
file(GLOB tests CONFIGURE_DEPENDS tests/unit/test_*.c)
foreach(file IN LISTS tests)
  cmake_path(GET file STEM name)
  add_program(${name} ${file})
  target_include_directories(${name} PRIVATE src tests/unit)
  target_include_directories(${name} SYSTEM PRIVATE "${CMOCKA_INCLUDE_DIR}")
  target_link_libraries(${name} PRIVATE "${CMOCKA_LIBRARY}")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endforeach()

include(cmake/compile_tests.cmake)

# Five minutes of simulated time of what scripts/soak.mjs runs for hours.
add_test(NAME churn COMMAND churn 1 20000 30 0)
set_tests_properties(churn PROPERTIES TIMEOUT 300)

# The fuzzer of the C interface, and a short run of it. MAP_ANONYMOUS is older than its standard.
file(GLOB fuzzer CONFIGURE_DEPENDS tests/fuzz/native/*.c)
list(FILTER fuzzer EXCLUDE REGEX "/fuzz_worlds.c$")
add_library(fuzzer OBJECT ${fuzzer})
target_include_directories(fuzzer PUBLIC tests/fuzz/native)
target_link_libraries(fuzzer PUBLIC moreau moreau_options)
add_program(fuzz-worlds tests/fuzz/native/fuzz_worlds.c)
target_compile_definitions(fuzz-worlds PRIVATE _DEFAULT_SOURCE)
target_link_libraries(fuzz-worlds PRIVATE fuzzer)
add_test(NAME fuzz-worlds COMMAND fuzz-worlds --sequences 300 --seed 1)
set_tests_properties(fuzz-worlds PROPERTIES TIMEOUT 300)

# Programs of libFuzzer, which comes with clang.
if(MOREAU_FUZZ)
  foreach(name IN ITEMS hulls worlds)
    add_program(libfuzzer-${name} tests/fuzz/libfuzzer/${name}.c)
    target_link_options(libfuzzer-${name} PRIVATE -fsanitize=fuzzer)
  endforeach()
  target_link_libraries(libfuzzer-worlds PRIVATE fuzzer)
endif()
