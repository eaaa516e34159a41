# The WebAssembly module. Included by the top CMakeLists.txt.
#
# A bare module and no Emscripten JavaScript: that is what breaks in bundlers and in old or new Node versions; the loader in bindings/ is ours.
# The flags below mean the same to the Emscripten of Debian 12 (3.1.6) and to a current emsdk.
add_executable(moreau_wasm bindings/exports.c bindings/wasm_runtime.c)
set_target_properties(moreau_wasm PROPERTIES OUTPUT_NAME moreau SUFFIX .wasm)
target_link_libraries(moreau_wasm PRIVATE moreau moreau_options)
target_link_options(moreau_wasm PRIVATE
  --no-entry
  -sSTANDALONE_WASM
  -sALLOW_MEMORY_GROWTH
  -sINITIAL_MEMORY=2MB
  -sTOTAL_STACK=256KB
  -sMALLOC=emmalloc)
