# Toolchain file of the wasm preset: the CMake toolchain that belongs to the emcc on PATH, be it of an emsdk or of a distribution.
find_program(EM_CONFIG em-config REQUIRED)
execute_process(
  COMMAND ${EM_CONFIG} EMSCRIPTEN_ROOT
  OUTPUT_VARIABLE EMSCRIPTEN_ROOT_PATH OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
include("${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake")
