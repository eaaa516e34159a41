/// A spring with a damper along it, between a point of a body and one of another body or the world.
#include "dynamics/potential.h"

typedef struct end {
  mo_vec3 arm;      // from the centre of mass to the point, world
  mo_vec3 point;    // world
  mo_vec3 velocity; // of the point, m/s
} end;

static end end_of(const mo_potential_body *body, mo_vec3 anchor) {
  if (!body) {
    return (end){.point = anchor};
  }
  mo_vec3 point = mo_add(body->position, mo_quat_rotate(body->orientation, anchor));
  mo_vec3 arm = mo_sub(point, body->center_of_mass);
  return (end){.arm = arm,
               .point = point,
               .velocity = mo_add(body->linear_velocity, mo_cross(body->angular_velocity, arm))};
}

// F on B = -(k (l - l0) + c dl/dt) d, d from A's end to B's. Ends that meet are pulled nowhere.
static bool spring_wrench(const mo_potential_def *def, const mo_potential_body *a,
                          const mo_potential_body *b, const mo_potential_scene *scene,
                          mo_wrench *on_a, mo_wrench *on_b) {
  (void)scene;
  end at_a = end_of(a, def->anchor_a), at_b = end_of(b, def->anchor_b);
  mo_vec3 between = mo_sub(at_b.point, at_a.point);
  mo_vec3 direction = mo_normalize(between);
  double rate = mo_dot(direction, mo_sub(at_b.velocity, at_a.velocity));
  double tension = def->stiffness * (mo_length(between) - def->rest_length) + def->damping * rate;
  mo_vec3 force = mo_scale(tension, direction);
  *on_a = (mo_wrench){force, mo_cross(at_a.arm, force)};
  if (on_b) {
    *on_b = (mo_wrench){mo_neg(force), mo_cross(force, at_b.arm)};
  }
  return true;
}

// V = k/2 (l - l0)^2
static bool spring_energy(const mo_potential_def *def, const mo_potential_body *a,
                          const mo_potential_body *b, const mo_potential_scene *scene,
                          double *energy) {
  (void)scene;
  end at_a = end_of(a, def->anchor_a), at_b = end_of(b, def->anchor_b);
  double stretch = mo_distance_between(at_a.point, at_b.point) - def->rest_length;
  *energy = 0.5 * def->stiffness * stretch * stretch;
  return true;
}

const mo_potential_kind mo_potential_spring = {
    .name = "spring", .is_pair = true, .wrench = spring_wrench, .energy = spring_energy};
