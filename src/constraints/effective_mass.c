#include "constraints/effective_mass.h"

#include "constraints/constraint_class.h"

// Fraction of the mobility that a row might have, of which less is left to it by locked axes and by
// the rows before it if they hold it already: round-off leaves at most 1e-16, and arms of 1e4 times
// the radius of gyration 1e-8.
#define LEAST_LEFT 1e-14

static mo_vec3 along_free_axes(uint32_t locked, mo_vec3 v) {
  return mo_v3(locked & 1u ? 0.0 : v.x, locked & 2u ? 0.0 : v.y, locked & 4u ? 0.0 : v.z);
}

// The part of a body, with the six numbers of both rows for it.
static double coupling_of_body(const mo_row_body *body, const double *p, const double *q) {
  return body->inverse_mass *
             mo_dot(along_free_axes(body->locked_translation, mo_get_vec3(p)), mo_get_vec3(q)) +
         mo_dot(mo_get_vec3(p + 3), mo_mat3_mul(body->inverse_inertia, mo_get_vec3(q + 3)));
}

double mo_constraint_coupling(const mo_constraint *c, const double *p, const double *q,
                              const mo_row_body bodies[MO_ROW_SIDES]) {
  const uint32_t slots[MO_ROW_SIDES] = {c->slot_a, c->slot_b, c->slot_c, c->slot_d};
  uint32_t sides = mo_jacobian_columns(c) / 6;
  double sum = 0.0;
  for (uint32_t i = 0; i < sides; i++) {
    for (uint32_t k = 0; k < sides; k++) {
      if (slots[i] == slots[k] && slots[i] != MO_WORLD_SLOT) {
        sum += coupling_of_body(&bodies[i], p + (size_t)6 * i, q + (size_t)6 * k);
      }
    }
  }
  return sum;
}

// The mobility of a row whose bodies would turn about all axes as they do about the easiest, or
// more.
static double greatest_mobility(const mo_constraint *c, const double *row,
                                const mo_row_body bodies[MO_ROW_SIDES]) {
  double sum = 0.0;
  for (uint32_t i = 0; i < mo_jacobian_columns(c) / 6; i++) {
    const double *part = row + (size_t)6 * i;
    mo_mat3 turning = bodies[i].inverse_inertia;
    double trace = turning.cx.x + turning.cy.y + turning.cz.z;
    sum += bodies[i].inverse_mass * mo_length_squared(mo_get_vec3(part)) +
           trace * mo_length_squared(mo_get_vec3(part + 3));
  }
  return sum;
}

bool mo_constraint_row_moves(const mo_constraint *c, const double *row,
                             const mo_row_body bodies[MO_ROW_SIDES]) {
  double least = LEAST_LEFT * greatest_mobility(c, row, bodies);
  return mo_constraint_coupling(c, row, row, bodies) > least;
}

// Takes out of the row `index` what the rows before it, of the mobilities `left`, hold. Returns the
// mobility that is left to it.
static double separate_row(const mo_constraint *c, double *rows, uint32_t index, const double *left,
                           const mo_row_body bodies[MO_ROW_SIDES]) {
  uint32_t columns = mo_jacobian_columns(c);
  double *row = rows + (size_t)columns * index;
  double least = LEAST_LEFT * greatest_mobility(c, row, bodies);
  for (uint32_t i = 0; i < index; i++) {
    const double *held = rows + (size_t)columns * i;
    double part = left[i] > 0.0 ? mo_constraint_coupling(c, row, held, bodies) / left[i] : 0.0;
    for (uint32_t k = 0; k < columns; k++) {
      row[k] -= part * held[k];
    }
  }
  double mobility = mo_constraint_coupling(c, row, row, bodies);
  return mobility > least ? mobility : 0.0;
}

// By the modified Gram-Schmidt method in the metric M^-1, which keeps more digits than the Schur
// complement of the products where arms are long.
double mo_constraint_held_mass(const mo_constraint *c, const mo_constraint_place *at,
                               uint32_t coordinate, const mo_row_body bodies[MO_ROW_SIDES]) {
  mo_coordinate coordinates[MO_CONSTRAINT_COORDINATES];
  double rows[MO_JACOBIAN_NUMBERS + 2 * MO_JACOBIAN_COLUMNS] = {0.0};
  double left[MO_CONSTRAINT_ROWS + 1];
  uint32_t columns = mo_jacobian_columns(c), count = c->base_dimension;
  if (c->class->jacobian && c->class->jacobian(c, at, rows)) {
    count = 0; // a user's function failed, which the step will tell
  }
  mo_constraint_coordinates(c, at, coordinates);
  for (uint32_t k = 0; k < columns; k++) {
    rows[columns * count + k] = coordinates[coordinate].jacobian[k];
  }
  for (uint32_t i = 0; i <= count; i++) {
    left[i] = separate_row(c, rows, i, left, bodies);
  }
  return left[count] > 0.0 ? 1.0 / left[count] : 0.0;
}

// --- the end of a step -----------------------------------------------------------------------

static void move_ahead(mo_constraint_body *body, double dt, mo_row_body *inertia) {
  mo_quat turn = mo_quat_exp(mo_scale(dt, body->angular_velocity));
  mo_vec3 offset = mo_sub(body->position, body->center_of_mass);
  body->center_of_mass = mo_add_scaled(body->center_of_mass, dt, body->linear_velocity);
  body->position = mo_add(body->center_of_mass, mo_quat_rotate(turn, offset));
  body->orientation = mo_quat_mul(turn, body->orientation);
  inertia->inverse_inertia =
      mo_mat3_rotate_symmetric(mo_quat_to_mat3(turn), inertia->inverse_inertia);
}

void mo_constraint_place_ahead(const mo_constraint_place *at,
                               const mo_row_body bodies[MO_ROW_SIDES], double dt,
                               mo_constraint_place *place_out, mo_row_body out[MO_ROW_SIDES]) {
  mo_constraint_body *const places[MO_ROW_SIDES] = {&place_out->a, &place_out->b, &place_out->c,
                                                    &place_out->d};
  *place_out = *at;
  for (uint32_t i = 0; i < MO_ROW_SIDES; i++) {
    out[i] = bodies[i];
    move_ahead(places[i], dt, &out[i]);
  }
}
