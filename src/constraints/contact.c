#include "constraints/contact.h"

#include "math/scalar.h"

// m: a gap up to this counts as closed. What a solver leaves open, 1e-8 m/s or 2e-10 m in a step,
// makes gaps and overlaps at the corners of one face. As velocities gap / dt they would be larger
// than the tolerance, and ask a body that rests on four corners to stand on other three each step.
#define CLOSED_GAP 1e-8

void mo_contact_update(mo_contact *contact, const mo_manifold *manifold, double at,
                       const mo_contact *old, double impulse_scale) {
  contact->normal = manifold->normal;
  contact->twist_impulse = old ? mo_scale(impulse_scale, old->twist_impulse) : mo_v3_zero();
  contact->point_count = (uint32_t)manifold->point_count;
  for (uint32_t i = 0; i < contact->point_count; i++) {
    const mo_manifold_point *from = &manifold->points[i];
    mo_contact_point_state *point = &contact->points[i];
    *point = (mo_contact_point_state){.position = mo_lerp(from->point_a, from->point_b, at),
                                      .separation = from->separation,
                                      .feature_id = from->feature_id};
    for (uint32_t j = 0; old && j < old->point_count; j++) {
      if (old->points[j].feature_id == from->feature_id) {
        point->normal_impulse = impulse_scale * old->points[j].normal_impulse;
        point->tangent_impulse = mo_scale(impulse_scale, old->points[j].tangent_impulse);
        break;
      }
    }
  }
}

// Copies number by number: a vector that is read in other widths than it was written must wait for
// the store.
static inline void put(mo_vec3 *to, mo_vec3 v) {
  to->x = v.x;
  to->y = v.y;
  to->z = v.z;
}

// Writes the row of direction d at arms r: J = [-d, -(rA x d), d, rB x d], so that J v is the
// velocity of B minus that of A.
static inline void write_row(mo_row *row, mo_vec3 d, mo_vec3 arm_a, mo_vec3 arm_b, double impulse) {
  put(&row->linear_a, mo_neg(d));
  put(&row->angular_a, mo_neg(mo_cross(arm_a, d)));
  put(&row->linear_b, d);
  put(&row->angular_b, mo_cross(arm_b, d));
  row->bias = 0.0;
  row->plastic_bias = 0.0;
  row->gap = 0.0;
  row->softening = 0.0;
  row->impulse = impulse;
}

// The speed at the end of a step with a rebound at `speed`, m/s.
//
// Bodies that bounce move with their velocity at the end of the step in every integrator. That
// conserves the energy of semi-implicit Euler, v^2 / 2 + a gap - a dt v / 2. An integrator that
// conserves v^2 / 2 + a gap - lag a dt v would gain energy with every bounce, from the displacement
// away from the surface. A slower rebound keeps that energy constant.
static double carried_speed(double speed, double acceleration, double lag, double dt) {
  double change = mo_max(0.0, acceleration) * dt;
  double half = (1.0 - lag) * change;
  double squared = half * half + speed * speed + 2.0 * lag * change * speed;
  return squared > half * half ? sqrt(squared) - half : 0.0;
}

// The impact happens at the surface, `gap` further on. Until then the step's acceleration has
// changed the energy of the normal motion, and the fraction e^2 of that energy returns: v^2 / 2 + a
// gap = e^2 (approach^2 / 2 + a gap). Without the work term, a ball that is stopped at a height
// `gap` would bounce from there, up to (1 - e^2) gap too high.
double mo_contact_rebound(double speed_squared, double returned, double acceleration, double gap,
                          const mo_contact_settings *settings) {
  double squared = speed_squared - 2.0 * acceleration * mo_max(0.0, gap) * (1.0 - returned);
  double speed = squared > 0.0 ? sqrt(squared) : 0.0;
  if (settings->potential_lag != 0.5) {
    speed = carried_speed(speed, acceleration, settings->potential_lag, settings->dt);
  }
  return speed;
}

double mo_contact_bias(double gap, const mo_contact_settings *settings) {
  if (gap > 0.0) {
    return mo_max(0.0, gap - CLOSED_GAP * settings->metre) / settings->dt;
  }
  double correction = settings->baumgarte * mo_min(0.0, gap + settings->linear_slop);
  return mo_max(correction, -settings->max_correction_speed);
}

// Sets the gap and both biases of a normal row whose Jacobian is set.
static void set_normal_bias(mo_row *row, double gap, const mo_contact *contact,
                            const mo_contact_side *a, const mo_contact_side *b,
                            const mo_row_problem *problem, const mo_contact_settings *settings) {
  const mo_row_body *body_a = &problem->bodies[a->body], *body_b = &problem->bodies[b->body];
  mo_velocity free_a = {body_a->free_linear, body_a->free_angular};
  mo_velocity free_b = {body_b->free_linear, body_b->free_angular};
  row->gap = gap;
  row->bias = row->plastic_bias = mo_contact_bias(gap, settings);
  double approach = mo_row_velocity(row, &a->velocity, &b->velocity);
  double free_approach = mo_row_velocity(row, &free_a, &free_b);
  bool closes = row->gap + settings->dt * free_approach < 0.0;
  if (closes && contact->restitution > 0.0 && approach < -settings->restitution_threshold) {
    double acceleration = (approach - free_approach) / settings->dt; // towards the surface
    double e2 = contact->restitution * contact->restitution;
    double speed = mo_contact_rebound(e2 * approach * approach, e2, acceleration, gap, settings);
    if (speed > 0.0) {
      row->bias = -speed;
    }
  }
}

void mo_contact_append_rows(mo_row_problem *problem, const mo_contact *contact,
                            const mo_contact_side *a, const mo_contact_side *b,
                            const mo_contact_settings *settings) {
  mo_vec3 t1, t2, slide = mo_add(contact->surface_velocity, contact->bend);
  mo_tangent_basis(contact->normal, &t1, &t2);
  for (uint32_t i = 0; i < contact->point_count; i++) {
    const mo_contact_point_state *point = &contact->points[i];
    mo_vec3 arm_a = mo_sub(point->position, a->center_of_mass);
    mo_vec3 arm_b = mo_sub(point->position, b->center_of_mass);
    mo_row *row = &problem->rows[problem->row_count];
    mo_row_block *block = &problem->blocks[problem->block_count++];
    *block = (mo_row_block){.body_a = a->body,
                            .body_b = b->body,
                            .first_row = problem->row_count,
                            .row_count = mo_contact_row_count(contact),
                            .bound = contact->friction > 0.0 ? MO_BOUND_CONE : MO_BOUND_UNILATERAL,
                            .friction = contact->friction,
                            .holds_position = true,
                            .point_contact = contact->friction > 0.0};
    problem->row_count += block->row_count;

    write_row(&row[0], contact->normal, arm_a, arm_b, point->normal_impulse);
    set_normal_bias(&row[0], point->separation, contact, a, b, problem, settings);
    double parts = mo_dot(contact->normal, contact->bend);
    row[0].bias += parts;
    row[0].plastic_bias += parts;
    if (block->bound == MO_BOUND_CONE) {
      write_row(&row[1], t1, arm_a, arm_b, mo_dot(point->tangent_impulse, t1));
      write_row(&row[2], t2, arm_a, arm_b, mo_dot(point->tangent_impulse, t2));
      row[1].bias = row[1].plastic_bias = mo_dot(t1, slide);
      row[2].bias = row[2].plastic_bias = mo_dot(t2, slide);
    }
  }
}

uint32_t mo_contact_read_impulses(mo_contact *contact, const mo_row_problem *problem,
                                  uint32_t first_block) {
  mo_vec3 tangents[2]; // rows of bodies with locked axes lack parts of them
  mo_tangent_basis(contact->normal, &tangents[0], &tangents[1]);
  for (uint32_t i = 0; i < contact->point_count; i++) {
    const mo_row_block *block = &problem->blocks[first_block + i];
    const mo_row *row = &problem->rows[block->first_row];
    mo_contact_point_state *point = &contact->points[i];
    point->normal_impulse = row[0].impulse;
    point->tangent_impulse = mo_v3_zero();
    for (uint32_t k = 1; k < block->row_count; k++) {
      point->tangent_impulse =
          mo_add_scaled(point->tangent_impulse, row[k].impulse, tangents[k - 1]);
    }
  }
  return first_block + contact->point_count;
}

// --- rolling and spinning --------------------------------------------------------------------

uint32_t mo_contact_twist_row_count(const mo_contact *contact) {
  return (contact->spinning_friction > 0.0 ? 1 : 0) + (contact->rolling_friction > 0.0 ? 2 : 0);
}

// The part of a vector along the plane of a contact.
static mo_vec3 along_plane(mo_vec3 v, mo_vec3 normal) {
  return mo_add_scaled(v, -mo_dot(v, normal), normal);
}

static mo_vec3 velocity_of_point(const mo_row_body *body, mo_vec3 arm) {
  return mo_add(body->free_linear, mo_cross(body->free_angular, arm));
}

// The axis about which B would roll on A in the step without the contact: that of its spin; of a
// body that starts from rest, across the slip; or any.
static mo_vec3 rolling_axis(const mo_row_problem *problem, const mo_contact *contact,
                            const mo_contact_side *a, const mo_contact_side *b) {
  const mo_row_body *body_a = &problem->bodies[a->body], *body_b = &problem->bodies[b->body];
  mo_vec3 n = contact->normal, at = contact->points[0].position, t1, t2;
  mo_vec3 spin = along_plane(mo_sub(body_b->free_angular, body_a->free_angular), n);
  if (mo_length_squared(spin) > 0.0) {
    return mo_normalize(spin);
  }
  mo_vec3 slip = mo_sub(velocity_of_point(body_b, mo_sub(at, b->center_of_mass)),
                        velocity_of_point(body_a, mo_sub(at, a->center_of_mass)));
  mo_vec3 across = mo_cross(n, slip);
  mo_tangent_basis(n, &t1, &t2);
  return mo_length_squared(across) > 0.0 ? mo_normalize(across) : t1;
}

// Appends the row of a torque about an axis, and its block.
static mo_row_block *append_twist(mo_row_problem *problem, const mo_contact *contact,
                                  uint32_t first_block, mo_vec3 axis, double length,
                                  const uint32_t bodies[2]) {
  mo_row *row = &problem->rows[problem->row_count];
  mo_row_block *block = &problem->blocks[problem->block_count++];
  *block = (mo_row_block){.body_a = bodies[0],
                          .body_b = bodies[1],
                          .first_row = problem->row_count++,
                          .row_count = 1,
                          .bound = MO_BOUND_BOX,
                          .load_block = first_block,
                          .load_count = contact->point_count,
                          .load_friction = length};
  *row = (mo_row){.angular_a = mo_neg(axis),
                  .angular_b = axis,
                  .impulse = mo_dot(axis, contact->twist_impulse)};
  return block;
}

void mo_contact_append_twist_rows(mo_row_problem *problem, const mo_contact *contact,
                                  uint32_t first_block, const mo_contact_side *a,
                                  const mo_contact_side *b) {
  const uint32_t bodies[2] = {a->body, b->body};
  if (contact->spinning_friction > 0.0) {
    append_twist(problem, contact, first_block, contact->normal, contact->spinning_friction,
                 bodies);
  }
  if (contact->rolling_friction > 0.0) {
    mo_vec3 axis = rolling_axis(problem, contact, a, b);
    append_twist(problem, contact, first_block, axis, contact->rolling_friction, bodies);
    uint32_t partner = problem->block_count; // one more than its index
    append_twist(problem, contact, first_block, mo_cross(contact->normal, axis),
                 contact->rolling_friction, bodies)
        ->disc_block = partner;
  }
}

uint32_t mo_contact_read_twist(mo_contact *contact, const mo_row_problem *problem,
                               uint32_t first_block) {
  uint32_t count = mo_contact_twist_row_count(contact);
  contact->twist_impulse = mo_v3_zero();
  for (uint32_t i = 0; i < count; i++) {
    const mo_row *row = &problem->rows[problem->blocks[first_block + i].first_row];
    contact->twist_impulse = mo_add_scaled(contact->twist_impulse, row->impulse, row->angular_b);
  }
  return first_block + count;
}
