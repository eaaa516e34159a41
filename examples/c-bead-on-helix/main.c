// A bead slides down a helix of wire: a constraint of one's own, solved exactly and certified.
#include <math.h>
#include <moreau.h>
#include <stdio.h>

static const double RADIUS = 1.0, PITCH = 0.2; // m, m per radian

// Two equations for the three coordinates of the bead: it is on the cylinder, and at the height
// that the wire has at its angle. The Jacobian is left to the engine, which takes central
// differences.
static bool on_helix(void *user, const mo_constraint_body *bead, const mo_constraint_body *none,
                     double time, double *out) {
  (void)user, (void)none, (void)time;
  mo_vec3 p = bead->center_of_mass;
  double turns = p.y / PITCH; // the wire's angle at this height
  out[0] = (p.x * p.x + p.z * p.z - RADIUS * RADIUS) / (2.0 * RADIUS);
  out[1] = p.z * cos(turns) - p.x * sin(turns);
  return true;
}

int main(void) {
  mo_result result;
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_EXACT;
  mo_world *world = mo_world_create(&settings, &result);
  if (!world) {
    fprintf(stderr, "%s\n", mo_result_name(result));
    return 1;
  }

  mo_body_def definition = mo_body_def_default();
  definition.position = (mo_vec3){RADIUS, 0.0, 0.0};
  definition.has_mass = true;
  definition.mass = 1.0;
  mo_body_id bead = mo_body_create(world, &definition);

  mo_constraint_def wire = mo_constraint_def_default(MO_CONSTRAINT_CUSTOM);
  wire.name = "helix";
  wire.body_a = bead;
  wire.dimension = 2;
  wire.evaluate = on_helix;
  wire.has_stabilization = false; // the world's: errors are projected away after each step
  mo_constraint_id helix = mo_constraint_create(world, &wire);
  if (mo_constraint_id_is_null(helix)) {
    fprintf(stderr, "%s\n", mo_world_last_error(world));
    return 1;
  }

  double worst = 0.0;
  for (int step = 1; step <= 1000; step++) {
    if (mo_world_step(world, 0.001) != MO_OK) {
      fprintf(stderr, "%s\n", mo_world_last_error(world));
      return 1;
    }
    double residual = mo_world_residual(world).worst;
    worst = residual > worst ? residual : worst;
  }

  double error[2];
  mo_body_state state;
  mo_body_get_state(world, bead, &state);
  mo_constraint_violation(world, helix, error);
  // Without friction the bead falls with a = -g / (1 + (R / pitch)^2).
  double expected = -0.5 * 9.81 / (1.0 + RADIUS * RADIUS / (PITCH * PITCH));
  printf("after 1 s: y = %.5f m (theory %.5f), %.1e m off the wire\n", state.position.y, expected,
         fmax(fabs(error[0]), fabs(error[1])));
  printf("worst certificate of 1000 steps: %.1e m/s\n", worst);
  mo_world_destroy(world);
  bool good = fabs(state.position.y / expected - 1.0) < 2e-3 && worst < 1e-8;
  return good && mo_allocated_bytes() == 0 ? 0 : 1;
}
