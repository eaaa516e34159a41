/// Operations on what a world watches, and who decides about its contacts.
#include "fuzz_world.h"

static outcome watch(fuzz_world *f, choices *c) {
  uint32_t what = choose_if(c, 192) ? MO_WATCH_CONTACTS | MO_WATCH_SENSORS : choose_below(c, 4);
  what |= choose_if(c, 64) ? MO_WATCH_AT_ONCE : 0u;
  fuzz_say(f, " %u", what);
  return outcome_of(mo_world_watch(f->world, what));
}

static outcome set_contact_function(fuzz_world *f, choices *c) {
  if (choose_if(c, 64)) {
    return outcome_of(mo_world_set_contact_function(f->world, NULL, NULL));
  }
  return outcome_of(fuzz_choose_contact_function(f, c));
}

const operation fuzz_event_operations[] = {
    {"watch", 3, watch}, {"set_contact_function", 2, set_contact_function}, {0}};
