# Toolchain file of the native-arm64 preset: Debian's cross compiler (gcc-aarch64-linux-gnu, libc6-dev-arm64-cross). Programs are linked
# statically, so that qemu-aarch64 (qemu-user) runs them without the libraries of an ARM64 system.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
