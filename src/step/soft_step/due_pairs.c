/// Which pairs need a look by the narrow phase.
#include "step/soft_step/due_pairs.h"

#include "world/pair_order.h"

// --- pairs with fast bodies -------------------------------------------------------------------

static bool is_pair_fast(const mo_world *world, const mo_contact_reach *reach,
                         const mo_pair *pair) {
  uint32_t a = pair->slot_a, b = pair->slot_b;
  return reach->moved &&
         reach->moved[a] + reach->moved[b] != world->displacements[a] + world->displacements[b];
}

static mo_vec3 relative_velocity(const mo_world *world, const mo_pair *pair) {
  return mo_sub(world->motions[pair->slot_a].linear_velocity,
                world->motions[pair->slot_b].linear_velocity);
}

// How far the shapes of a pair may come nearer in the step, if a body is soft, m.
double mo_soft_contacts_ahead(const mo_world *world, const mo_contact_reach *reach,
                              const mo_pair *pair) {
  return is_pair_fast(world, reach, pair)
             ? reach->dt * mo_length(relative_velocity(world, pair)) + reach->turns[pair->slot_a] +
                   reach->turns[pair->slot_b]
             : 0.0;
}

// Whether that is more than `gap`, m.
static bool is_ahead_over(const mo_world *world, const mo_contact_reach *reach, const mo_pair *pair,
                          double gap) {
  double rest = gap - (reach->turns[pair->slot_a] + reach->turns[pair->slot_b]);
  double square = mo_square(reach->dt) * mo_length_squared(relative_velocity(world, pair));
  return !(rest >= 0.0 && square <= mo_square(rest));
}

// Whether the balls around two bodies come nearer in the step than the near reach takes in. Bodies
// that do not move are large, or planes, of which a ball takes in nothing.
static bool balls_meet(const mo_world *world, const mo_contact_reach *reach, const mo_pair *pair) {
  if (!mo_world_is_dynamic(world, pair->slot_a) || !mo_world_is_dynamic(world, pair->slot_b)) {
    return true;
  }
  const mo_motion *a = &world->motions[pair->slot_a], *b = &world->motions[pair->slot_b];
  mo_vec3 apart = mo_sub(b->center_of_mass, a->center_of_mass);
  mo_vec3 path = mo_scale(reach->dt, mo_sub(b->linear_velocity, a->linear_velocity));
  double square = mo_length_squared(path), along = -mo_dot(apart, path);
  double nearest = square > 0.0 ? mo_clamp(along / square, 0.0, 1.0) : 0.0;
  double radii = world->bodies[pair->slot_a].bounding_radius +
                 world->bodies[pair->slot_b].bounding_radius + 2.0 * reach->near;
  return !(mo_length_squared(mo_add_scaled(apart, nearest, path)) > radii * radii);
}

// --- all -------------------------------------------------------------------------------------

static bool is_due(const mo_world *world, const mo_pair *pair) {
  return !(world->displacements[pair->slot_a] + world->displacements[pair->slot_b] <=
           pair->allowance);
}

// Whether the shapes of a near pair with a fast body may meet in the step.
MO_APART bool may_meet(const mo_world *world, const mo_contact_reach *reach, const mo_pair *pair) {
  double moved = world->displacements[pair->slot_a] + world->displacements[pair->slot_b];
  return !(moved <= pair->allowance) ||
         (is_ahead_over(world, reach, pair, pair->allowance - moved) &&
          balls_meet(world, reach, pair));
}

static bool is_near_due(const mo_world *world, const mo_contact_reach *reach, const mo_pair *pair) {
  if (!reach->moved) {
    return is_due(world, pair);
  }
  return !(reach->moved[pair->slot_a] + reach->moved[pair->slot_b] <= pair->allowance) &&
         may_meet(world, reach, pair);
}

// Whether a pair belongs to the row solvers, which took its contact from the colours.
static bool is_in_rows(const uint8_t *in_rows, const mo_pair *pair) {
  return in_rows && (in_rows[pair->slot_a] || in_rows[pair->slot_b]);
}

// Lists those in colours.
static uint32_t find_due_contacts(const mo_world *world, mo_pair_position *out) {
  uint32_t count = 0;
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    const mo_substep_colour *colour = &world->pairs.colours[c];
    for (uint32_t i = 0; i < colour->contacts_count; i++) {
      out[count] = (mo_pair_position){c, i};
      count += is_due(world, &colour->contacts[i].pair);
    }
  }
  return count;
}

// Adds those in `near` to the lists.
static uint32_t find_due_near(const mo_world *world, const uint8_t *in_rows,
                              const mo_contact_reach *reach, mo_pair_position *out,
                              mo_ordered_pair *surfaces, uint32_t *surface_count) {
  const mo_pair_store *pairs = &world->pairs;
  uint32_t count = 0;
  for (uint32_t i = 0; i < pairs->near_count; i++) {
    const mo_pair *pair = &pairs->near[i];
    if (!is_near_due(world, reach, pair) || is_in_rows(in_rows, pair)) {
      continue;
    }
    if (pair->has_parts) {
      surfaces[(*surface_count)++] = mo_ordered_pair_of(world, pair, pair->contact);
    } else {
      out[count++] = (mo_pair_position){MO_IN_NEAR, i};
    }
  }
  return count;
}

bool mo_find_due_pairs(mo_world *world, const uint8_t *in_rows, const mo_contact_reach *reach,
                       mo_pair_position *out, uint32_t *count, mo_surface_list *surfaces) {
  size_t most = (size_t)world->pairs.near_count + 1;
  mo_ordered_pair *items = MO_ARENA_TAKE_RAW(&world->step_arena, mo_ordered_pair, 2 * most);
  if (!items) {
    return false;
  }
  *count = find_due_contacts(world, out);
  *count += find_due_near(world, in_rows, reach, &out[*count], items, &surfaces->count);
  const mo_ordered_pair *sorted = mo_pair_order_sort(items, &items[most], surfaces->count);
  for (uint32_t i = 0; i < surfaces->count; i++) {
    surfaces->contacts[i] = sorted[i].value;
  }
  return true;
}
