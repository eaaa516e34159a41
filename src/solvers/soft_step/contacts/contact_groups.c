#include "solvers/soft_step/contacts/contact_normals.h"
#include "solvers/soft_step/contacts/contact_surface.h"

/// Contacts are sorted if one in this many lies far behind the contact before it in the groups'
/// order.
#define LEAPS_SHARE 4u
// Places that count as far.
#define LEAP 8u
/// Contacts with slots for 4 points, those whose points all press first, for 2 and for 1.
#define CLASSES 4u
_Static_assert(MO_SUBSTEP_COLOURS <= 32, "colours are bits of a number");

// --- order -----------------------------------------------------------------------------------

/// The order of a colour's contacts: by section, and within it by class. Contacts with most points
/// come first, and those with as many slots share groups. A group takes both ways to solve normals
/// (contact_normals.h) if its lanes differ in whether all points press, so these are not mixed.
typedef struct colour_order {
  const mo_substep_solver *step;
  uint32_t block_count, colour;
  uint32_t count;  ///< of contacts; 0: nothing below is written
  uint32_t *keys;  ///< per contact: section * CLASSES + class
  uint32_t *ends;  ///< per key: its end in `order`
  uint32_t *order; ///< contacts
} colour_order;

static uint32_t block_of(const colour_order *o, uint32_t body) {
  uint32_t block = (body - 1) / MO_BLOCK_BODIES;
  return block < o->block_count ? block : o->block_count - 1;
}

static bool all_press(const mo_substep_contact *contact) {
  bool press = true;
  for (uint32_t k = 0; k < contact->point_count; k++) {
    press = press && contact->points[k].start_impulse > 0.0f;
  }
  return press;
}

static uint32_t class_of(const mo_substep_contact *contact) {
  if (contact->point_count > 2) {
    return all_press(contact) ? 0 : 1;
  }
  return contact->point_count > 1 ? 2 : 3;
}

static uint32_t slots_of(uint32_t class) { return class < 2 ? 4 : class == 2 ? 2 : 1; }

static uint32_t key_of(const colour_order *o, const mo_substep_contact *contact) {
  uint32_t a = o->step->indices[contact->pair.slot_a], b = o->step->indices[contact->pair.slot_b];
  uint32_t block_a = block_of(o, a ? a : b), block_b = block_of(o, b ? b : a);
  bool is_between = block_a != block_b || o->colour + 1 == MO_SUBSTEP_COLOURS;
  return (is_between ? o->block_count : block_a) * CLASSES + class_of(contact);
}

/// Orders the contacts, of which there are some, with a counting sort.
static void order_contacts(colour_order *o) {
  const mo_substep_colour *colour = &o->step->colours[o->colour];
  uint32_t key_count = (o->block_count + 1) * CLASSES, sum = 0;
  for (uint32_t k = 0; k < key_count; k++) {
    o->ends[k] = 0;
  }
  for (uint32_t i = 0; i < o->count; i++) {
    o->keys[i] = key_of(o, &colour->contacts[i]);
    o->ends[o->keys[i]]++;
  }
  for (uint32_t k = 0; k < key_count; k++) {
    uint32_t count = o->ends[k];
    o->ends[k] = sum;
    sum += count;
  }
  for (uint32_t i = 0; i < o->count; i++) {
    o->order[o->ends[o->keys[i]]++] = i;
  }
}

static uint32_t all_contacts(const mo_substep_solver *step) {
  uint32_t count = 0;
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    count += step->colours[c].contacts_count;
  }
  return count;
}

uint32_t mo_contacts_sort(const mo_contact_solve *solve) {
  const uint32_t *order = solve->order;
  uint32_t colours = 0;
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS && solve->block_count > 1; c++) {
    mo_substep_colour *colour = &solve->step->colours[c];
    uint32_t count = colour->contacts_count, leaps = 0;
    for (uint32_t i = 1; i < count; i++) {
      leaps += order[i] - order[i - 1] > LEAP; // backwards it is a large number
    }
    mo_substep_contact *sorted =
        leaps > count / LEAPS_SHARE
            ? MO_ARENA_TAKE_RAW(solve->step->arena, mo_substep_contact, count)
            : NULL;
    for (uint32_t i = 0; sorted && i < count; i++) {
      sorted[i] = colour->contacts[order[i]];
    }
    if (sorted) {
      memcpy(colour->contacts, sorted, count * sizeof *sorted);
      colours |= 1u << c;
    }
    order += count;
  }
  return colours;
}

// --- layout ----------------------------------------------------------------------------------

static size_t group_bytes(uint32_t points) {
  return sizeof(mo_contact_group) + points * sizeof(mo_group_point) +
         (points > 1 ? sizeof(mo_normal_block) : 0) + sizeof(mo_group_rebound) +
         points * sizeof(mo_f32x4);
}

/// Groups that are laid out one after the other. Without memory they are only counted.
typedef struct layout {
  mo_contact_group **groups;
  char *memory;
  uint32_t count;
  size_t bytes;
} layout;

static void lay_group(const uint32_t *order, uint32_t lanes, uint32_t colour, uint32_t points,
                      layout *out) {
  if (out->memory) {
    mo_contact_group *group = (mo_contact_group *)(void *)(out->memory + out->bytes);
    out->groups[out->count] = group;
    group->colour = colour;
    group->lanes = (uint16_t)lanes;
    group->point_count = (uint16_t)points;
    for (uint32_t i = 0; i < 4; i++) {
      group->contacts[i] = order[i < lanes ? i : 0];
    }
  }
  out->bytes += group_bytes(points);
  out->count++;
}

static uint32_t slots_at(const colour_order *o, uint32_t place) {
  return slots_of(o->keys[o->order[place]] % CLASSES);
}

// How many contacts from a place on have as many slots: a contact is solved in the same way, and to
// the same bits, whatever else shares its group.
static uint32_t count_alike(const colour_order *o, uint32_t first, uint32_t end) {
  uint32_t next = first + 1;
  while (next < end && slots_at(o, next) == slots_at(o, first)) {
    next++;
  }
  return next - first;
}

static void lay_groups(const mo_contact_solve *solve, const colour_order *orders, layout *out) {
  for (uint32_t section = 0; section <= solve->block_count; section++) {
    solve->colours[section] = 0;
    for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
      const colour_order *o = &orders[c];
      solve->firsts[section * MO_SUBSTEP_COLOURS + c] = out->count;
      if (o->count == 0) {
        continue;
      }
      uint32_t first_key = section * CLASSES, most = c + 1 < MO_SUBSTEP_COLOURS ? 4 : 1;
      uint32_t i = section ? o->ends[first_key - 1] : 0, end = o->ends[first_key + CLASSES - 1];
      solve->colours[section] |= i < end && most > 1 ? 1u << c : 0;
      for (uint32_t lanes; i < end; i += lanes) {
        lanes = count_alike(o, i, end - i < most ? end : i + most);
        lay_group(&o->order[i], lanes, c, slots_at(o, i), out);
      }
    }
  }
  solve->firsts[(size_t)(solve->block_count + 1) * MO_SUBSTEP_COLOURS] = out->count;
}

/// Lays out nothing: one section, whose colours all begin and end at 0.
static bool lay_out_none(mo_contact_solve *solve, const mo_substep_solver *step) {
  solve->block_count = 1;
  solve->firsts = MO_ARENA_TAKE(step->arena, uint32_t, (size_t)2 * MO_SUBSTEP_COLOURS + 1);
  solve->colours = MO_ARENA_TAKE(step->arena, uint32_t, 2);
  return solve->firsts && solve->colours && mo_contact_surfaces_find(solve);
}

bool mo_contacts_lay_out(mo_contact_solve *solve, const mo_substep_solver *step) {
  uint32_t contact_count = all_contacts(step);
  if (contact_count == 0) {
    return lay_out_none(solve, step);
  }
  uint32_t blocks = step->body_count / MO_BLOCK_BODIES;
  blocks = solve->block_count = blocks < MO_LEAST_BLOCKS ? 1 : blocks;
  uint32_t key_count = (blocks + 1) * CLASSES, begin = 0;
  uint32_t *keys = MO_ARENA_TAKE_RAW(step->arena, uint32_t, contact_count);
  uint32_t *ends = MO_ARENA_TAKE_RAW(step->arena, uint32_t, (size_t)key_count * MO_SUBSTEP_COLOURS);
  solve->order = MO_ARENA_TAKE_RAW(step->arena, uint32_t, contact_count);
  solve->firsts =
      MO_ARENA_TAKE_RAW(step->arena, uint32_t, (size_t)(blocks + 1) * MO_SUBSTEP_COLOURS + 1);
  solve->colours = MO_ARENA_TAKE_RAW(step->arena, uint32_t, (size_t)blocks + 1);
  solve->carry = MO_ARENA_TAKE(step->arena, mo_substep_carry, step->body_count);
  if (!keys || !ends || !solve->order || !solve->firsts || !solve->colours || !solve->carry) {
    return false;
  }
  colour_order orders[MO_SUBSTEP_COLOURS];
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    uint32_t count = step->colours[c].contacts_count;
    orders[c] = (colour_order){
        step, blocks, c, count, &keys[begin], &ends[(size_t)c * key_count], &solve->order[begin]};
    if (count > 0) {
      order_contacts(&orders[c]);
    }
    begin += count;
  }
  layout all = {0};
  lay_groups(solve, orders, &all);
  solve->groups = MO_ARENA_TAKE_RAW(step->arena, mo_contact_group *, all.count);
  all = (layout){solve->groups, mo_arena_take_raw(step->arena, all.bytes, 1), 0, 0};
  if (!all.groups || !all.memory) {
    return false;
  }
  lay_groups(solve, orders, &all);
  return mo_contact_surfaces_find(solve);
}

// --- results ---------------------------------------------------------------------------------

// N s, N m s. Larger impulses are near the end of single precision, and no step could start from
// them.
static mo_f32x4 bounded(mo_f32x4 impulse) {
  mo_f32x4 most = mo_f32x4_splat(MO_LARGEST_IMPULSE);
  return mo_f32x4_clamp(impulse, -most, most);
}

/// Writes a tangential impulse and the twist after it, for each lane.
static void store_friction(const mo_contact_group *group, mo_vec3x4 impulse, float *const out[4]) {
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  mo_vec3x4 tangent = mo_vec3x4_add_scaled(mo_vec3x4_scale(impulse.x, f.t1), impulse.y, f.t2);
  mo_f32x4 rows[4] = {tangent.x, tangent.y, tangent.z, impulse.z};
  mo_f32x4_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
  for (uint32_t i = 0; i < group->lanes; i++) {
    mo_f32x4_store(out[i], rows[i]);
  }
}

// --- storage -----------------------------------------------------------------------------------

static void store(mo_contact_group *group, mo_substep_contact *contacts) {
  for (uint32_t k = 0; k < group->point_count; k++) {
    group->points[k].impulse = bounded(group->points[k].impulse);
  }
  float *starts[4] = {0}, *totals[4] = {0};
  for (uint32_t i = 0; i < group->lanes; i++) {
    mo_substep_contact *contact = &contacts[group->contacts[i]];
    starts[i] = contact->start_tangent;
    totals[i] = contact->tangent_impulse;
    for (uint32_t k = 0; k < contact->point_count; k++) {
      contact->points[k].start_impulse = group->points[k].impulse[i];
      contact->normal_impulses[k] = group->points[k].total[i];
      contact->separations[k] = group->points[k].separation[i];
    }
  }
  mo_vec3x4 start = group->patch.impulse;
  start = (mo_vec3x4){bounded(start.x), bounded(start.y), bounded(start.z)};
  store_friction(group, start, starts);
  store_friction(group, group->patch.total, totals);
}

/// Reads the contacts of MO_GROUPS_AT_ONCE before it writes any, so that a processor waits for all
/// of them at once: those of a large world are in no cache.
static void store_some(mo_contact_solve *solve, mo_contact_group **groups, uint32_t count) {
  mo_f32x4 before[MO_GROUPS_AT_ONCE];
  for (uint32_t i = 0; i < count; i++) {
    before[i] = mo_group_load_before(solve, groups[i]);
  }
  for (uint32_t i = 0; i < count; i++) {
    mo_group_forget_impacts(solve, groups[i], before[i]);
    store(groups[i], solve->step->colours[groups[i]->colour].contacts);
  }
}

void mo_contacts_store(mo_contact_solve *solve, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i < last; i += MO_GROUPS_AT_ONCE) {
    store_some(solve, &solve->groups[i],
               last - i < MO_GROUPS_AT_ONCE ? last - i : MO_GROUPS_AT_ONCE);
  }
}
