/// math/simd.h without intrinsics, as on processors that it does not know. That both groups agree
/// with plain C shows that they give the same bits.
#ifndef MO_SCALAR
#define MO_SCALAR
#endif
#include "simd_forms.h"

TEST_GROUP(simd_scalar) { return run_simd_tests(); }
