/// Buoyancy: the weight of the fluid that a body displaces, upwards, at the centroid of what is
/// below the surface (Archimedes). The surface is a plane; waves move it.
#include "dynamics/potential.h"
#include "geometry/submerged.h"

// Adds the submerged part of a shape; the sums are in the world, about the centre of mass.
static void add_shape(const mo_potential_def *def, const mo_potential_body *a,
                      const mo_placed_shape *placed, double *volume, mo_vec3 *moment) {
  mo_pose pose = mo_pose_mul((mo_pose){a->position, a->orientation}, placed->pose);
  mo_vec3 normal = mo_quat_rotate_inverse(pose.orientation, def->surface_normal);
  double offset = def->surface_offset - mo_dot(def->surface_normal, pose.position);
  mo_submerged part = mo_shape_submerged(placed->shape, normal, offset);
  mo_vec3 centroid = mo_add(pose.position, mo_quat_rotate(pose.orientation, part.centroid));
  *volume += part.volume;
  *moment = mo_add_scaled(*moment, part.volume, mo_sub(centroid, a->center_of_mass));
}

static void find_displaced(const mo_potential_def *def, const mo_potential_body *a,
                           const mo_body *body, double *volume, mo_vec3 *moment) {
  *volume = 0.0;
  *moment = mo_v3_zero();
  for (uint32_t i = 0; i < body->shape_count; i++) {
    add_shape(def, a, &body->shapes[i], volume, moment);
  }
}

// F = -density V g at the centroid
static bool buoyancy_wrench(const mo_potential_def *def, const mo_potential_body *a,
                            const mo_potential_body *b, const mo_potential_scene *scene,
                            mo_wrench *on_a, mo_wrench *on_b) {
  (void)b;
  (void)on_b;
  double volume;
  mo_vec3 moment, push = mo_scale(-def->fluid_density, scene->gravity);
  find_displaced(def, a, scene->body, &volume, &moment);
  *on_a = (mo_wrench){mo_scale(volume, push), mo_cross(moment, push)};
  return true;
}

// V = density (g . normal) sum of V (normal . c - offset), whose gradient is the force along the
// normal of the surface. Gravity along a surface that it is not normal to has no potential.
static bool buoyancy_energy(const mo_potential_def *def, const mo_potential_body *a,
                            const mo_potential_body *b, const mo_potential_scene *scene,
                            double *energy) {
  (void)b;
  double volume;
  mo_vec3 moment;
  find_displaced(def, a, scene->body, &volume, &moment);
  double height = mo_dot(def->surface_normal, a->center_of_mass) - def->surface_offset;
  *energy = def->fluid_density * mo_dot(scene->gravity, def->surface_normal) *
            (mo_dot(def->surface_normal, moment) + volume * height);
  return true;
}

const mo_potential_kind mo_potential_buoyancy = {
    .name = "buoyancy", .wrench = buoyancy_wrench, .energy = buoyancy_energy};
