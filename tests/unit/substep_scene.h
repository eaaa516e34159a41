/// A scene for soft-step without a world: bodies, contacts made by hand, and a loop that moves the
/// poses. For tests and measurements.
#pragma once

#include "math/quat.h"
#include "solvers/soft_step/substep_solver.h"

#include <stdlib.h>
#include <string.h>

/// Where a contact is fixed to its bodies.
typedef struct substep_scene_place {
  mo_vec3 normal, face_point;         // of A's face, from A's centre in A's axes
  mo_vec3 points[MO_MANIFOLD_POINTS]; // of B, from B's centre in B's axes
} substep_scene_place;

typedef struct substep_scene {
  mo_substep_solver step;
  mo_arena arena;
  mo_vec3 gravity;
  uint32_t body_count, body_capacity; // slots; index = slot + 1 where it moves
  mo_motion *motions;
  uint32_t *indices;
  mo_solver_body *bodies;
  mo_solver_mass *masses;
  mo_vec3 *inverse_inertia; // body axes, principal
  mo_substep_colour colours[MO_SUBSTEP_COLOURS];
  substep_scene_place *places[MO_SUBSTEP_COLOURS]; // per contact
} substep_scene;

static inline substep_scene *substep_scene_create(uint32_t capacity) {
  substep_scene *s = calloc(1, sizeof *s);
  s->body_capacity = capacity;
  s->gravity = mo_v3(0.0, -10.0, 0.0);
  s->motions = calloc(capacity, sizeof *s->motions);
  s->indices = calloc(capacity, sizeof *s->indices);
  s->bodies = calloc(capacity + 1, sizeof *s->bodies);
  s->masses = calloc(capacity + 1, sizeof *s->masses);
  s->inverse_inertia = calloc(capacity, sizeof *s->inverse_inertia);
  s->step = (mo_substep_solver){.settings = {.dt = 1.0 / 60.0,
                                             .metre = 1.0,
                                             .substeps = 4,
                                             .contact_hertz = 30.0,
                                             .contact_damping = 10.0,
                                             .max_correction_speed = 3.0,
                                             .restitution_threshold = 1.0,
                                             .impulse_scale = 1.0},
                                .motions = s->motions,
                                .indices = s->indices,
                                .bodies = s->bodies,
                                .masses = s->masses,
                                .colours = s->colours,
                                .arena = &s->arena};
  return s;
}

static inline void substep_scene_free(substep_scene *s) {
  for (int c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    free(s->colours[c].contacts);
    free(s->places[c]);
  }
  mo_arena_free(&s->arena);
  free(s->motions);
  free(s->indices);
  free(s->bodies);
  free(s->masses);
  free(s->inverse_inertia);
  free(s);
}

/// A body of `mass` kg, 0 for one that forces do not move; inertia in kg m^2 about its axes.
static inline uint32_t substep_scene_add(substep_scene *s, double mass, mo_vec3 inertia,
                                         mo_vec3 position) {
  uint32_t slot = s->body_count++;
  s->motions[slot] = (mo_motion){
      .position = position, .center_of_mass = position, .orientation = mo_quat_identity()};
  if (mass > 0.0) {
    s->indices[slot] = slot + 1;
    s->masses[slot + 1].inverse_mass = (float)(1.0 / mass);
    s->inverse_inertia[slot] = mo_v3(1.0 / inertia.x, 1.0 / inertia.y, 1.0 / inertia.z);
  }
  return slot;
}

static inline uint32_t substep_scene_add_box(substep_scene *s, double mass, mo_vec3 half,
                                             mo_vec3 position) {
  double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
  return substep_scene_add(s, mass, mo_scale(mass / 3.0, mo_v3(y + z, x + z, x + y)), position);
}

/// It moves with the velocities it is given.
static inline void substep_scene_make_kinematic(substep_scene *s, uint32_t slot) {
  s->indices[slot] = slot + 1;
}

/// The first colour where neither body is, of those before `limit`; the last one if there is none.
static inline uint32_t substep_scene_colour(const substep_scene *s, uint32_t a, uint32_t b,
                                            uint32_t limit) {
  for (uint32_t c = 0; c < limit; c++) {
    const mo_substep_colour *colour = &s->colours[c];
    bool is_free = true;
    for (uint32_t i = 0; i < colour->contacts_count && is_free; i++) {
      uint32_t held[2] = {colour->contacts[i].pair.slot_a, colour->contacts[i].pair.slot_b};
      for (int k = 0; k < 2; k++) {
        bool moves = s->masses[s->indices[held[k]]].inverse_mass > 0.0f;
        is_free = is_free && !(moves && (held[k] == a || held[k] == b));
      }
    }
    if (is_free) {
      return c;
    }
  }
  return MO_SUBSTEP_COLOURS - 1;
}

/// A contact of a face of A with points of B, given from B's centre in B's axes; the face by a unit
/// normal and one of its points, from A's centre in A's axes.
static inline mo_substep_contact *substep_scene_touch(substep_scene *s, uint32_t colour, uint32_t a,
                                                      uint32_t b, mo_vec3 normal,
                                                      mo_vec3 face_point, const mo_vec3 *points,
                                                      uint32_t count, double friction) {
  mo_substep_colour *list = &s->colours[colour];
  uint32_t i = list->contacts_count++;
  list->contacts = realloc(list->contacts, list->contacts_count * sizeof *list->contacts);
  s->places[colour] = realloc(s->places[colour], list->contacts_count * sizeof *s->places[colour]);
  s->places[colour][i] = (substep_scene_place){.normal = normal, .face_point = face_point};
  mo_substep_contact *contact = &list->contacts[i];
  // what the solver must not read is nonsense
  memset(contact, 0xFF, sizeof *contact);
  contact->pair.slot_a = a;
  contact->pair.slot_b = b;
  contact->friction = (float)friction;
  contact->restitution = 0.0f;
  contact->twist_impulse = contact->start_twist = 0.0f;
  contact->point_count = count;
  for (int k = 0; k < 3; k++) {
    contact->tangent_impulse[k] = contact->start_tangent[k] = 0.0f;
  }
  for (uint32_t k = 0; k < count; k++) {
    s->places[colour][i].points[k] = points[k];
    contact->points[k].start_impulse = contact->normal_impulses[k] = 0.0f;
    contact->points[k].feature_id = 0xFFFFFFFFu;
  }
  return contact;
}

/// Corners of the lower face of a box.
static inline void substep_scene_feet(mo_vec3 half, mo_vec3 feet[4]) {
  for (int i = 0; i < 4; i++) {
    feet[i] = mo_v3((i & 1) ? half.x : -half.x, -half.y, (i & 2) ? half.z : -half.z);
  }
}

static inline mo_vec3 substep_scene_vec(const float *v) { return mo_v3(v[0], v[1], v[2]); }

static inline void substep_scene_put(float *out, mo_vec3 v) {
  out[0] = (float)v.x;
  out[1] = (float)v.y;
  out[2] = (float)v.z;
}

/// Looks at a contact anew: where the points of B have their partners on the face of A now.
static inline void substep_scene_refresh(substep_scene *s, mo_substep_contact *contact,
                                         const substep_scene_place *place) {
  const mo_motion *a = &s->motions[contact->pair.slot_a];
  const mo_motion *b = &s->motions[contact->pair.slot_b];
  mo_vec3 normal = mo_quat_rotate(a->orientation, place->normal);
  mo_vec3 face_point = mo_quat_rotate(a->orientation, place->face_point);
  mo_vec3 centers = mo_sub(b->center_of_mass, a->center_of_mass);
  substep_scene_put(contact->normal, normal);
  for (uint32_t k = 0; k < contact->point_count; k++) {
    mo_vec3 arm_b = mo_quat_rotate(b->orientation, place->points[k]);
    mo_vec3 from_a = mo_add(centers, arm_b);
    double separation = mo_dot(normal, mo_sub(from_a, face_point));
    substep_scene_put(contact->points[k].arm_a, mo_add_scaled(from_a, -separation, normal));
    substep_scene_put(contact->points[k].arm_b, arm_b);
    contact->separations[k] = (float)separation;
  }
}

/// What the world does before the solver: masses in world axes, velocities, manifolds.
static inline void substep_scene_begin(substep_scene *s) {
  double h = s->step.settings.dt / s->step.settings.substeps;
  s->step.body_count = s->body_count + 1;
  for (uint32_t i = 0; i < s->body_count; i++) {
    const mo_motion *m = &s->motions[i];
    mo_solver_body *body = &s->bodies[s->indices[i]];
    mo_solver_mass *mass = &s->masses[s->indices[i]];
    if (s->indices[i] == 0) {
      continue;
    }
    *body = (mo_solver_body){
        {(float)m->linear_velocity.x, (float)m->linear_velocity.y, (float)m->linear_velocity.z},
        {(float)m->angular_velocity.x, (float)m->angular_velocity.y, (float)m->angular_velocity.z},
        {0},
        {0}};
    mo_mat3 r = mo_quat_to_mat3(m->orientation);
    mo_vec3 d = s->inverse_inertia[i];
    const mo_vec3 *c[3] = {&r.cx, &r.cy, &r.cz};
    double sum[6] = {0}, factors[3] = {d.x, d.y, d.z};
    for (int k = 0; k < 3; k++) {
      mo_vec3 v = *c[k];
      double all[6] = {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z};
      for (int j = 0; j < 6; j++) {
        sum[j] += factors[k] * all[j];
      }
    }
    for (int j = 0; j < 6; j++) {
      mass->inverse_inertia[j] = (float)sum[j];
    }
    if (mass->inverse_mass > 0.0f) {
      mass->linear_gain[0] = (float)(h * s->gravity.x);
      mass->linear_gain[1] = (float)(h * s->gravity.y);
      mass->linear_gain[2] = (float)(h * s->gravity.z);
    }
  }
  for (int c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    for (uint32_t i = 0; i < s->colours[c].contacts_count; i++) {
      substep_scene_refresh(s, &s->colours[c].contacts[i], &s->places[c][i]);
    }
  }
}

/// What the world does after it: poses.
static inline void substep_scene_end(substep_scene *s) {
  for (uint32_t i = 0; i < s->body_count; i++) {
    const mo_solver_body *body = &s->bodies[s->indices[i]];
    mo_motion *m = &s->motions[i];
    if (s->indices[i] != 0) {
      m->center_of_mass = mo_add(m->center_of_mass, substep_scene_vec(body->displacement));
      m->position = m->center_of_mass;
      m->orientation = mo_quat_normalize(
          mo_quat_mul(mo_quat_exp(substep_scene_vec(body->rotation)), m->orientation));
      m->linear_velocity = substep_scene_vec(body->linear_velocity);
      m->angular_velocity = substep_scene_vec(body->angular_velocity);
    }
  }
}

/// One step. False without memory.
static inline bool substep_scene_step(substep_scene *s) {
  substep_scene_begin(s);
  mo_arena_reset(&s->arena);
  bool solved = mo_substep_solve(&s->step);
  if (solved) {
    mo_substep_store(&s->step);
    substep_scene_end(s);
  }
  return solved;
}
