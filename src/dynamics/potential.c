#include "dynamics/potential.h"

const mo_potential_kind *mo_potential_kind_of(mo_potential_type type) {
  switch (type) {
  case MO_POTENTIAL_GRAVITY:
    return &mo_potential_gravity;
  case MO_POTENTIAL_POINT_GRAVITY:
    return &mo_potential_point_gravity;
  case MO_POTENTIAL_TIDAL:
    return &mo_potential_tidal;
  case MO_POTENTIAL_MAGNETIC:
    return &mo_potential_magnetic;
  case MO_POTENTIAL_DRAG:
    return &mo_potential_drag;
  case MO_POTENTIAL_SPRING:
    return &mo_potential_spring;
  case MO_POTENTIAL_CUSTOM:
    return &mo_potential_custom;
  case MO_POTENTIAL_BUOYANCY:
    return &mo_potential_buoyancy;
  case MO_POTENTIAL_MUTUAL_GRAVITY:
    return &mo_potential_mutual_gravity;
  }
  return NULL;
}

mo_potential_body mo_potential_body_from(mo_body_id id, const mo_mass *mass,
                                         const mo_motion *motion) {
  return (mo_potential_body){.id = id,
                             .mass = mass->mass,
                             .inertia = mass->inertia,
                             .position = motion->position,
                             .orientation = motion->orientation,
                             .center_of_mass = motion->center_of_mass,
                             .linear_velocity = motion->linear_velocity,
                             .angular_velocity = motion->angular_velocity};
}

// --- a user's own ----------------------------------------------------------------------------

static bool custom_wrench(const mo_potential_def *def, const mo_potential_body *a,
                          const mo_potential_body *b, const mo_potential_scene *scene,
                          mo_wrench *on_a, mo_wrench *on_b) {
  (void)b;
  (void)on_b;
  return def->wrench(a, scene->time, on_a, def->user);
}

static bool custom_energy(const mo_potential_def *def, const mo_potential_body *a,
                          const mo_potential_body *b, const mo_potential_scene *scene,
                          double *energy) {
  (void)b;
  return !def->energy || def->energy(a, scene->time, energy, def->user);
}

const mo_potential_kind mo_potential_custom = {
    .name = "custom", .wrench = custom_wrench, .energy = custom_energy};
