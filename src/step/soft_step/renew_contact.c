/// Replaces the manifold of a contact, and keeps what the solver knows of its points.
#include "math/simd.h"
#include "step/soft_step/soft_contacts.h"

static float to_single(double x) {
  return (float)mo_clamp(x, -MO_LARGEST_SINGLE, MO_LARGEST_SINGLE);
}

static void set_arm(mo_vec3 point, mo_vec3 center_of_mass, float *arm) {
  mo_vec3 from = mo_sub(point, center_of_mass);
  if (mo_length_squared(from) < MO_LARGEST_SINGLE * MO_LARGEST_SINGLE) {
    mo_v3_to_floats(from, arm);
    return;
  }
  arm[0] = to_single(from.x);
  arm[1] = to_single(from.y);
  arm[2] = to_single(from.z);
}

// Replaces the manifold of a contact. Points whose features are the same keep their impulses.
static void set_manifold(const mo_manifold *manifold, mo_vec3 center_a, mo_vec3 center_b,
                         mo_substep_contact *contact) {
  // Of the old points; copied one by one, which is quicker than calls that copy so few bytes.
  uint32_t features[MO_MANIFOLD_POINTS], old_count = contact->point_count;
  float starts[MO_MANIFOLD_POINTS], impulses[MO_MANIFOLD_POINTS];
  mo_f32x4_store(impulses, mo_f32x4_load(contact->normal_impulses));
  for (uint32_t k = 0; k < old_count; k++) {
    features[k] = contact->points[k].feature_id;
    starts[k] = contact->points[k].start_impulse;
  }
  mo_v3_to_floats(manifold->normal, contact->normal);
  contact->point_count = (uint32_t)manifold->point_count;
  for (int k = 0; k < manifold->point_count; k++) {
    mo_substep_point *point = &contact->points[k];
    *point = (mo_substep_point){.feature_id = manifold->points[k].feature_id};
    set_arm(manifold->points[k].point_a, center_a, point->arm_a);
    set_arm(manifold->points[k].point_b, center_b, point->arm_b);
    contact->separations[k] = to_single(manifold->points[k].separation);
    contact->normal_impulses[k] = 0.0f;
    for (uint32_t i = 0; i < old_count; i++) {
      if (features[i] == point->feature_id) {
        point->start_impulse = starts[i];
        contact->normal_impulses[k] = impulses[i];
        break;
      }
    }
  }
  // Points that a contact does not have are zero, but for one that begins.
  uint32_t end = old_count > 0 ? old_count : MO_MANIFOLD_POINTS;
  for (uint32_t k = contact->point_count; k < end; k++) {
    contact->points[k] = (mo_substep_point){0};
    contact->separations[k] = 0.0f;
    contact->normal_impulses[k] = 0.0f;
  }
}

static void set_materials(const mo_world *world, mo_substep_contact *contact) {
  const mo_contact_record *record = mo_pair_record(&world->pairs, &contact->pair);
  contact->friction = to_single(record->friction);
  contact->restitution = (float)record->restitution;
  contact->pair.has_new_materials = false;
}

void mo_soft_contact_renew(const mo_world *world, const mo_manifold *manifold, mo_vec3 center_a,
                           mo_vec3 center_b, mo_substep_contact *contact) {
  if (contact->point_count == 0 || contact->pair.has_new_materials) {
    set_materials(world, contact);
  }
  if (contact->point_count == 0) { // the contact begins
    contact->twist_impulse = contact->start_twist = 0.0f;
    mo_v3_to_floats(mo_v3_zero(), contact->tangent_impulse);
    mo_v3_to_floats(mo_v3_zero(), contact->start_tangent);
  }
  set_manifold(manifold, center_a, center_b, contact);
}

mo_place_arms mo_place_arms_of(const mo_substep_contact *contact) {
  mo_place_arms sum = {mo_v3_zero(), mo_v3_zero()};
  for (uint32_t i = 0; i < contact->point_count; i++) {
    sum.a = mo_add(sum.a, mo_v3_from_floats(contact->points[i].arm_a));
    sum.b = mo_add(sum.b, mo_v3_from_floats(contact->points[i].arm_b));
  }
  double part = contact->point_count > 0 ? 1.0 / contact->point_count : 0.0;
  return (mo_place_arms){mo_scale(part, sum.a), mo_scale(part, sum.b)};
}
