// A sphere falls on a floor and comes to rest: the whole C interface that a first program needs.
#include <moreau.h>
#include <stdio.h>

int main(void) {
  mo_result result;
  mo_world_def settings = mo_world_def_default();
  mo_world *world = mo_world_create(&settings, &result);
  mo_shape *ground = mo_shape_create_plane((mo_vec3){0.0, 1.0, 0.0}, 0.0, &result);
  mo_shape *ball = mo_shape_create_sphere(0.5, &result);
  if (!world || !ground || !ball) {
    fprintf(stderr, "%s\n", mo_result_name(result));
    return 1;
  }

  mo_placed_shape floor_shape = {.shape = ground,
                                 .pose = {.orientation = {0, 0, 0, 1}},
                                 .density = -1,
                                 .friction = -1,
                                 .restitution = -1};
  mo_body_def floor = mo_body_def_default();
  floor.type = MO_BODY_STATIC;
  floor.shapes = &floor_shape;
  floor.shape_count = 1;
  mo_body_create(world, &floor);

  mo_placed_shape ball_shape = floor_shape;
  ball_shape.shape = ball;
  mo_body_def falling = mo_body_def_default();
  falling.position = (mo_vec3){0.0, 5.0, 0.0};
  falling.has_mass = true;
  falling.mass = 1.0;
  falling.shapes = &ball_shape;
  falling.shape_count = 1;
  mo_body_id sphere = mo_body_create(world, &falling);
  mo_shape_release(ground); // the bodies hold references of their own
  mo_shape_release(ball);

  mo_body_state state;
  for (int frame = 0; frame <= 180; frame++) {
    if (frame % 30 == 0 && mo_body_get_state(world, sphere, &state) == MO_OK) {
      printf("t = %4.2f s   y = %7.4f m   vy = %8.4f m/s\n", mo_world_time(world), state.position.y,
             state.linear_velocity.y);
    }
    if (mo_world_step(world, 1.0 / 60.0) != MO_OK) {
      fprintf(stderr, "%s\n", mo_world_last_error(world));
      return 1;
    }
  }
  printf("certificate of the last step: %.1e m/s\n", mo_world_residual(world).worst);
  mo_world_destroy(world);
  return mo_allocated_bytes() == 0 ? 0 : 1;
}
