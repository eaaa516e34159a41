# What must not compile: one test of ctest per mistake, which runs the compiler on tests/compile/ids.c, and one for the
# file without a mistake. Included by native.cmake.

set(syntax_check "${CMAKE_C_COMPILER}" -std=c17 -fsyntax-only -I "${PROJECT_SOURCE_DIR}/include")
add_test(NAME ids-compile COMMAND ${syntax_check} -Wall -Wextra -Werror "${PROJECT_SOURCE_DIR}/tests/compile/ids.c")
label_test(ids-compile fast)

# In the words of gcc and of clang. What is refused is the type, and not a misspelt name.
foreach(mistake IN ITEMS DESTROY_BODY_BY_JOINT DESTROY_BODY_BY_POTENTIAL DESTROY_BODY_BY_NUMBER
                         DESTROY_CONSTRAINT_BY_BODY DESTROY_POTENTIAL_BY_BODY JOIN_A_JOINT)
  string(TOLOWER ${mistake} name)
  string(REPLACE _ - name ${name})
  add_test(NAME ids-do-not-${name} COMMAND ${syntax_check} -D${mistake} "${PROJECT_SOURCE_DIR}/tests/compile/ids.c")
  set_tests_properties(ids-do-not-${name} PROPERTIES PASS_REGULAR_EXPRESSION "error: .*incompatible type")
  label_test(ids-do-not-${name} fast)
endforeach()
