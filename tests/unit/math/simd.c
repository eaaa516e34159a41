/// math/simd.h with the intrinsics of the processor.
#include "simd_forms.h"

TEST_GROUP(simd) { return run_simd_tests(); }
