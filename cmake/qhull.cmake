# Qhull 2020.2, the reentrant library, compiled with its unused options left out (qhull_trim.cmake). Defines the object library qhull_r and the variable QHULL_SOURCE_DIR.
#
# The archive is pinned by its SHA-256, so it does not matter where it comes from: upstream first, then the same bytes from the
# Debian pool of the mirror that apt of this machine is set to. It is fetched once for all build directories.
# Without a network: -DQHULL_SOURCE_DIR=<an unpacked qhull-2020.2>.

set(QHULL_SHA256 b5c2d7eb833278881b952c8a52d20179eab87766b00b865000469a45c1838b7e)
set(QHULL_SOURCE_DIR "" CACHE PATH "An unpacked qhull-2020.2 to use instead of a download")

# Sets `out` to the URLs that are worth trying, best first.
function(qhull_urls out)
  set(urls "http://www.qhull.org/download/qhull-2020-src-8.0.2.tgz")
  find_program(APT_GET apt-get)
  mark_as_advanced(APT_GET)
  if(APT_GET)
    execute_process(
      COMMAND ${APT_GET} indextargets --format $(SITE)
      OUTPUT_VARIABLE sites ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REPLACE "\n" ";" sites "${sites}")
    list(REMOVE_DUPLICATES sites)
    foreach(site IN LISTS sites)
      string(REGEX REPLACE "/+$" "" site "${site}")
      list(APPEND urls "${site}/pool/main/q/qhull/qhull_2020.2.orig.tar.gz")
    endforeach()
  endif()
  set(${out} "${urls}" PARENT_SCOPE)
endfunction()

# Downloads `archive` unless it is there already with the right hash.
function(qhull_download archive)
  if(EXISTS "${archive}")
    file(SHA256 "${archive}" hash)
    if(hash STREQUAL QHULL_SHA256)
      return()
    endif()
  endif()
  qhull_urls(urls)
  # Each process downloads to a name of its own: two presets may be configured at the same time.
  string(RANDOM LENGTH 8 suffix)
  set(partial "${archive}.${suffix}")
  set(log "")
  foreach(url IN LISTS urls)
    # INACTIVITY_TIMEOUT cuts a stalled connection, TIMEOUT a host that never answers.
    file(DOWNLOAD "${url}" "${partial}" STATUS status INACTIVITY_TIMEOUT 10 TIMEOUT 60)
    list(GET status 0 code)
    list(GET status 1 text)
    set(hash "")
    if(code EQUAL 0)
      file(SHA256 "${partial}" hash)
      set(text "other contents than expected, SHA-256 ${hash}")
    endif()
    if(hash STREQUAL QHULL_SHA256)
      file(RENAME "${partial}" "${archive}")
      message(STATUS "Qhull 2020.2 downloaded, SHA-256 verified")
      return()
    endif()
    string(APPEND log "\n  ${url}: ${text}")
  endforeach()
  file(REMOVE "${partial}")
  message(FATAL_ERROR "Qhull 2020.2 could not be downloaded:${log}\nUnpack it yourself and give -DQHULL_SOURCE_DIR=<folder>.")
endfunction()

if(NOT QHULL_SOURCE_DIR)
  set(downloads "${PROJECT_SOURCE_DIR}/build/_downloads")
  file(MAKE_DIRECTORY "${downloads}")
  qhull_download("${downloads}/qhull-2020.2.tgz")
  # Unpacked in each build directory, so that no build depends on the order of the others.
  if(NOT EXISTS "${PROJECT_BINARY_DIR}/qhull-2020.2/COPYING.txt")
    file(ARCHIVE_EXTRACT INPUT "${downloads}/qhull-2020.2.tgz" DESTINATION "${PROJECT_BINARY_DIR}")
  endif()
  set(QHULL_SOURCE_DIR "${PROJECT_BINARY_DIR}/qhull-2020.2")
endif()

# Its licence ships with the package.
configure_file("${QHULL_SOURCE_DIR}/COPYING.txt" "${PROJECT_BINARY_DIR}/qhull-COPYING.txt" COPYONLY)

include("${CMAKE_CURRENT_LIST_DIR}/qhull_trim.cmake")
set(qhull_trimmed "${PROJECT_BINARY_DIR}/qhull-trimmed")
qhull_trim("${QHULL_SOURCE_DIR}/src/libqhull_r" "${qhull_trimmed}/libqhull_r")

# Only the algorithm. Qhull lets its user replace user_r.c, usermem_r.c and userprintf_r.c, and does not need io_r.c (input and output) to
# build a hull: src/geometry/qhull_user.c has what the algorithm still calls of these, so that nothing prints and nothing exits.
set(qhull_sources
    geom_r.c geom2_r.c global_r.c libqhull_r.c mem_r.c merge_r.c poly_r.c poly2_r.c qset_r.c random_r.c)
list(TRANSFORM qhull_sources PREPEND "${qhull_trimmed}/libqhull_r/")

# Objects and not an archive: they call qhull_user.c and the engine calls them, one library holds both.
add_library(qhull_r OBJECT ${qhull_sources})
target_include_directories(qhull_r SYSTEM PUBLIC "${qhull_trimmed}")
target_compile_definitions(qhull_r PUBLIC qh_NOtrace)
target_compile_options(qhull_r PRIVATE
  # Not ours to mend.
  -w
  -ffp-contract=off
  "SHELL:-include '${PROJECT_SOURCE_DIR}/cmake/qhull_quiet.h'")
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  # Hulls are built when a scene is loaded, so small is worth more than fast. The last -O on the command line counts.
  if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    target_compile_options(qhull_r PRIVATE -Oz -finline-functions)
  else()
    target_compile_options(qhull_r PRIVATE -Os)
  endif()
endif()
