# Toolchain file of the wasm preset: the CMake toolchain that belongs to the emcc on PATH, be it of an emsdk or of a distribution.
find_program(EM_CONFIG em-config REQUIRED)
execute_process(
  COMMAND ${EM_CONFIG} EMSCRIPTEN_ROOT
  OUTPUT_VARIABLE EMSCRIPTEN_ROOT_PATH OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
include("${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake")

# Files are compiled by Emscripten's clang itself, with the flags that emcc would give it. emcc is a Python program: starting it for each of
# 700 files took more time than the compiler. It still links.
execute_process(COMMAND ${EM_CONFIG} LLVM_ROOT OUTPUT_VARIABLE llvm_root OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
# Debian's Emscripten uses one of several clangs, whose version is part of its name.
execute_process(COMMAND ${EM_CONFIG} LLVM_ADD_VERSION OUTPUT_VARIABLE llvm_version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
find_program(MOREAU_WASM_CLANG NAMES clang-${llvm_version} clang PATHS ${llvm_root} NO_DEFAULT_PATH REQUIRED)
# SUPPORT_LONGJMP=wasm because Qhull reports its errors by longjmp, and the other way to have it goes through JavaScript.
set(MOREAU_EMCC_SETTINGS -sSUPPORT_LONGJMP=wasm)
find_program(MOREAU_EMCC emcc REQUIRED)
execute_process(
  COMMAND ${MOREAU_EMCC} ${MOREAU_EMCC_SETTINGS} --cflags
  OUTPUT_VARIABLE emcc_flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(CMAKE_C_COMPILE_OBJECT "${MOREAU_WASM_CLANG} ${emcc_flags} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
