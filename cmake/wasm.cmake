# The WebAssembly module. Included by the top CMakeLists.txt.
#
# A bare module and no Emscripten JavaScript: that is what breaks in bundlers and in old or new Node versions; the loader in bindings/ is ours.
# The flags below exist in the Emscripten of Debian 12 (3.1.6) and in a current emsdk, which calls TOTAL_STACK by its newer name STACK_SIZE too.
file(GLOB abi_sources CONFIGURE_DEPENDS bindings/abi/*.c)
list(FILTER abi_sources EXCLUDE REGEX "/exports_threads\\.c$")
add_executable(moreau_wasm ${abi_sources})

# Readers and writers of what crosses the boundary are made from a description of it. Emscripten brings Node.
find_program(MOREAU_NODE NAMES node nodejs REQUIRED)
file(GLOB schema_sources CONFIGURE_DEPENDS bindings/schema/*.mjs scripts/generate/*.mjs)
add_custom_command(
  OUTPUT "${PROJECT_BINARY_DIR}/bindings.stamp"
  BYPRODUCTS "${PROJECT_SOURCE_DIR}/bindings/generated/abi.h"
  COMMAND "${MOREAU_NODE}" scripts/generate-bindings.mjs
  COMMAND "${CMAKE_COMMAND}" -E touch "${PROJECT_BINARY_DIR}/bindings.stamp"
  DEPENDS ${schema_sources} scripts/generate-bindings.mjs
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
  VERBATIM)
add_custom_target(bindings_generated DEPENDS "${PROJECT_BINARY_DIR}/bindings.stamp")
add_dependencies(moreau_wasm bindings_generated)
set_target_properties(moreau_wasm PROPERTIES OUTPUT_NAME moreau SUFFIX .wasm)
target_link_libraries(moreau_wasm PRIVATE moreau moreau_options)
# What every module of the engine is linked with.
set(module_link_options
  --no-entry
  -sSTANDALONE_WASM
  -sALLOW_MEMORY_GROWTH
  -sINITIAL_MEMORY=2MB
  -sTOTAL_STACK=256KB
  # Below the data: running out of stack traps instead of overwriting them.
  -Wl,--stack-first
  -sMALLOC=emmalloc
  # By how much memory grows (bindings/abi/wasm_runtime.c).
  -Wl,--wrap=emscripten_resize_heap
  # The callback import is undefined to Emscripten, which would provide imports by JavaScript of its own. scripts/build.mjs
  # sees to it that nothing else is.
  -sERROR_ON_UNDEFINED_SYMBOLS=0
  -sWARN_ON_UNDEFINED_SYMBOLS=0)
target_link_options(moreau_wasm PRIVATE
  ${module_link_options}
  # Without a bound wasm-opt puts every function that is called once into its caller, and the step becomes one function of tens of
  # kilobytes, for which engines find no good registers: bounds of 1, 30 and 300 are alike, 1 to 5 % faster, for 0.2 % of the size.
  -sBINARYEN_EXTRA_PASSES=one-caller-inline-max-function-size=300)

# The same engine with memory that fails when the fuzzer says so (tests/fuzz/javascript/failing-memory.mjs). Not optimised as a whole: nobody
# waits for it.
add_executable(moreau_failing EXCLUDE_FROM_ALL ${abi_sources} tests/fuzz/wasm/failing_memory.c)
add_dependencies(moreau_failing bindings_generated)
set_target_properties(moreau_failing PROPERTIES OUTPUT_NAME moreau-failing SUFFIX .wasm)
target_link_libraries(moreau_failing PRIVATE moreau moreau_options)
target_link_options(moreau_failing PRIVATE ${module_link_options} -O1 -Wl,--wrap=malloc)

# What unpacks the module in the package. Below 4 KB, which is the most that some browsers compile at once in a window.
add_executable(moreau_unpack bindings/unpack/unpack.c)
set_target_properties(moreau_unpack PROPERTIES OUTPUT_NAME unpack SUFFIX .wasm)
target_link_libraries(moreau_unpack PRIVATE moreau_options)
target_compile_options(moreau_unpack PRIVATE -O2 -fno-unroll-loops -fno-vectorize -mnontrapping-fptoint)
target_link_options(moreau_unpack PRIVATE
  --no-entry
  -O2
  -sSTANDALONE_WASM
  -sALLOW_MEMORY_GROWTH
  -sINITIAL_MEMORY=256KB
  -sTOTAL_STACK=8KB
  -Wl,--stack-first)

if(MOREAU_THREADS)
  target_sources(moreau_wasm PRIVATE bindings/abi/exports_threads.c)
  target_include_directories(moreau_wasm PRIVATE src)
  set_target_properties(moreau_wasm PROPERTIES OUTPUT_NAME moreau-threads)
  # Not -pthread, which is a runtime by JavaScript: helpers run code of ours that calls nothing of the C library but
  # copies, and its heap under a lock of ours (src/memory/lock.h), and has a stack that the loader gives it. So the C library may be the one for a single thread
  # (--no-check-features), and the data is initialised by the first instance alone, as wasm-ld sees to.
  target_link_options(moreau_wasm PRIVATE
    -sIMPORTED_MEMORY
    # The most that a loader may ask for (bindings/threads/).
    -sMAXIMUM_MEMORY=2GB
    -Wl,--shared-memory,--no-check-features)
endif()
