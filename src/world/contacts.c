#include "world/world.h"

void mo_world_forget_contacts(mo_world *world, uint32_t slot) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    const mo_contact *contact = &world->contacts[i];
    if (contact->slot_a != slot && contact->slot_b != slot) {
      world->contacts[kept++] = *contact;
    }
  }
  world->contacts_count = kept;
  world->kept.is_valid = false;
}
