/*
 * Times the destruction of bodies in a pile of boxes at rest, for people:
 *
 *     destroy_bodies [bodies in the pile] [bodies to destroy]
 *
 * One line per solver and state of the pile: awake, or asleep when the first body goes. The hashes
 * are of motions and of contacts some steps later: they show that two builds do the same.
 */
#include "state_bits.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#define DT (1.0 / 60)    // s
#define STEPS_TO_REST 30 // of a pile that is built as it lies
#define STEPS_AFTER 5
#define LAYER 20 // boxes along each side of a layer

typedef struct pile {
  mo_world *world;
  mo_body_id *bodies;
  uint32_t count;
} pile;

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static mo_body_id add_box(mo_world *world, mo_body_type type, mo_vec3 half, mo_vec3 position) {
  mo_result result;
  mo_placed_shape placed = {.shape = mo_shape_create_box(half, &result),
                            .pose = {.orientation = {.w = 1.0}},
                            .density = -1.0,
                            .friction = -1.0,
                            .restitution = -1.0};
  mo_body_def def = mo_body_def_default();
  def.type = type;
  def.position = position;
  def.shapes = &placed;
  def.shape_count = 1;
  mo_body_id id = mo_body_create(world, &def);
  mo_shape_release(placed.shape);
  return id;
}

/* Layers of boxes side by side, each layer moved so that a box lies on up to four. */
static pile make_pile(mo_solver solver, uint32_t count) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  settings.allow_sleep = false;
  mo_result result;
  pile p = {mo_world_create(&settings, &result), calloc(count, sizeof *p.bodies), count};
  if (!p.world || !p.bodies) {
    abort();
  }
  add_box(p.world, MO_BODY_STATIC, (mo_vec3){100, 1, 100}, (mo_vec3){0, -1, 0});
  for (uint32_t i = 0; i < count; i++) {
    uint32_t layer = i / (LAYER * LAYER);
    double shift = layer % 2 ? 0.5 : 0.0;
    mo_vec3 at = {1.01 * (i % LAYER) + shift, layer + 0.5, 1.01 * (i / LAYER % LAYER) + shift};
    p.bodies[i] = add_box(p.world, MO_BODY_DYNAMIC, (mo_vec3){0.5, 0.5, 0.5}, at);
  }
  return p;
}

static void step(mo_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (mo_world_step(world, DT) != MO_OK) {
      fprintf(stderr, "destroy_bodies: %s\n", mo_world_last_error(world));
      exit(1);
    }
  }
}

static void time_destruction(const char *name, mo_solver solver, bool asleep, uint32_t count,
                             uint32_t destroyed) {
  pile p = make_pile(solver, count);
  step(p.world, STEPS_TO_REST);
  if (asleep) {
    for (uint32_t i = 0; i < count; i++) {
      mo_body_sleep(p.world, p.bodies[i]);
    }
    step(p.world, 1); // takes contacts to those that sleep
  }
  double start = seconds();
  for (uint32_t i = 0; i < destroyed; i++) {
    mo_body_destroy(p.world, p.bodies[(uint64_t)i * count / destroyed]);
  }
  double destroyed_at = seconds();
  step(p.world, 1);
  double stepped_at = seconds();
  for (uint32_t i = 0; i < destroyed; i++) {
    uint32_t k = (uint32_t)((uint64_t)i * count / destroyed) + 1; // one that is left
    mo_body_destroy(p.world, p.bodies[k]);
    p.bodies[k] = add_box(p.world, MO_BODY_DYNAMIC, (mo_vec3){0.5, 0.5, 0.5},
                          (mo_vec3){1.5 * (i % 100), 40, 1.5 * (i / 100)});
  }
  double replaced_at = seconds();
  step(p.world, STEPS_AFTER);
  printf("%-10s %-6s destroyed %8.3f ms, then a step %8.3f ms; replaced %8.3f ms; %016" PRIx64
         " %016" PRIx64 "\n",
         name, asleep ? "asleep" : "awake", 1e3 * (destroyed_at - start),
         1e3 * (stepped_at - destroyed_at), 1e3 * (replaced_at - stepped_at), hash_motion(p.world),
         hash_contacts(p.world));
  mo_world_destroy(p.world);
  free(p.bodies);
}

int main(int argc, char **argv) {
  uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 4000;
  uint32_t destroyed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000;
  destroyed = destroyed <= count / 2 ? destroyed : count / 2;
  for (int asleep = 0; asleep < 2; asleep++) {
    time_destruction("soft-step", MO_SOLVER_SOFT_STEP, asleep, count, destroyed);
    time_destruction("block-pgs", MO_SOLVER_BLOCK_PGS, asleep, count, destroyed);
  }
  return 0;
}
