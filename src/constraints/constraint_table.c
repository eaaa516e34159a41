// This file contains nothing else, so that a program that links the library can replace it by a
// table with one more class.
#include "constraints/constraint_table.h"

static const mo_constraint_class *const classes[] = {
    MO_FOR_EACH_CONSTRAINT_CLASS(MO_CONSTRAINT_CLASS_ENTRY)};

const mo_constraint_class *mo_constraint_class_of(mo_constraint_type type) {
  uint32_t index = (uint32_t)type;
  return index < sizeof classes / sizeof classes[0] ? classes[index] : NULL;
}
