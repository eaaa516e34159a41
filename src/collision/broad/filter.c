#include "collision/broad/filter.h"

mo_filter mo_filter_default(void) {
  return (mo_filter){.category = 1, .mask = 0xFFFFFFFFu, .group = 0};
}
