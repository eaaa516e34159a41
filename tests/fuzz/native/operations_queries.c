/// Queries, and what moves by them: characters, vehicles and explosions.
#include "fuzz_world.h"

static mo_query_filter choose_query_filter(fuzz_world *f, choices *c) {
  mo_query_filter filter = mo_query_filter_default();
  filter.exclude = choose_if(c, 48) ? choose_body(f, c) : MO_NULL_BODY_ID;
  if (choose_if(c, 64)) {
    filter.mask = choose_below(c, 8);
  }
  filter.include_sensors = choose_if(c, 64);
  if (choose_if(c, 64)) {
    fuzz_choose_predicate(f, c, &filter);
  }
  return filter;
}

// --- queries ---------------------------------------------------------------------------------

static void check_hits(fuzz_world *f, mo_result result, const mo_query_hit *hits, uint32_t count) {
  for (uint32_t i = 0; result == MO_OK && i < count; i++) {
    fuzz_check_hit(f, &hits[i]);
  }
}

static outcome cast_ray(fuzz_world *f, choices *c) {
  mo_ray ray = mo_ray_default();
  ray.origin = choose_vec3(c, 5.0);
  ray.direction = choose_vec3(c, 1.0);
  ray.max_distance = choose_if(c, 128) ? ray.max_distance : choose_positive(c, 10.0);
  ray.filter = choose_query_filter(f, c);
  mo_query_hit hit = {0};
  const mo_query_hit *hits;
  uint32_t count;
  mo_result first = mo_world_cast_ray(f->world, &ray, &hit);
  mo_result all = mo_world_cast_ray_all(f->world, &ray, &hits, &count);
  check_hits(f, all, hits, count);
  if (first == MO_OK && all == MO_OK && (!mo_body_id_is_null(hit.body)) != (count > 0)) {
    fuzz_fail(f, "a ray finds its first hit alone", count);
  }
  return READ;
}

static outcome cast_shape(fuzz_world *f, choices *c) {
  mo_shape_cast cast = mo_shape_cast_default();
  cast.shape = f->shapes[choose_below(c, TABLE)];
  cast.pose = choose_pose(c, 3.0);
  cast.direction = choose_vec3(c, 1.0);
  cast.max_distance = choose_if(c, 128) ? cast.max_distance : choose_positive(c, 10.0);
  cast.stop_at_penetration = choose_if(c, 128);
  cast.filter = choose_query_filter(f, c);
  mo_query_hit hit = {0};
  const mo_query_hit *hits;
  uint32_t count;
  mo_result first = mo_world_cast_shape(f->world, &cast, &hit);
  mo_result all = mo_world_cast_shape_all(f->world, &cast, &hits, &count);
  check_hits(f, all, hits, count);
  if (first == MO_OK && all == MO_OK && (!mo_body_id_is_null(hit.body)) != (count > 0)) {
    fuzz_fail(f, "a cast finds its first hit alone", count);
  }
  return READ;
}

static outcome overlap(fuzz_world *f, choices *c) {
  const mo_shape *shape = f->shapes[choose_below(c, TABLE)];
  mo_pose pose = choose_pose(c, 2.0);
  mo_query_filter filter = choose_query_filter(f, c);
  const mo_query_hit *hits;
  uint32_t count;
  if (mo_world_overlap(f->world, shape, pose, &filter, &hits, &count) == MO_OK) {
    for (uint32_t i = 0; i < count; i++) {
      if (hits[i].shape >= mo_body_shape_count(f->world, hits[i].body)) {
        fuzz_fail(f, "shape of an overlap", hits[i].shape);
      }
    }
  }
  return READ;
}

static outcome ask_point(fuzz_world *f, choices *c) {
  mo_vec3 point = choose_vec3(c, 3.0);
  double reach = choose_if(c, 128) ? (double)INFINITY : choose_positive(c, 5.0);
  mo_query_filter filter = choose_query_filter(f, c);
  mo_query_hit hit = {0};
  bool is_inside = false;
  if (mo_world_closest_point(f->world, point, reach, &filter, &hit) == MO_OK &&
      !mo_body_id_is_null(hit.body) && hit.distance != hit.distance) {
    fuzz_fail(f, "distance of a closest point", hit.distance);
  }
  (void)mo_world_contains(f->world, point, &filter, &is_inside);
  return READ;
}

// --- what moves by them ----------------------------------------------------------------------

static outcome explode(fuzz_world *f, choices *c) {
  mo_explosion explosion = mo_explosion_default();
  explosion.position = choose_vec3(c, 2.0);
  explosion.radius = choose_positive(c, 3.0);
  explosion.falloff = choose_positive(c, 3.0);
  explosion.impulse = choose_number(c, 30.0);
  explosion.filter = choose_query_filter(f, c);
  return outcome_of(mo_world_explode(f->world, &explosion));
}

static mo_character_def choose_character_def(fuzz_world *f, choices *c) {
  mo_character_def def = mo_character_def_default();
  def.shape = f->shapes[choose_below(c, TABLE)];
  if (choose_if(c, 64)) {
    def.up = choose_vec3(c, 1.0);
    def.offset = choose_positive(c, 0.1);
    def.step_height = choose_positive(c, 1.0);
    def.step_down = choose_number(c, 1.0);
    def.slope_limit = choose_positive(c, 1.5);
    def.slide_angle = choose_number(c, 1.5);
  }
  def.push_force = choose_if(c, 128) ? choose_positive(c, 1000.0) : 0.0;
  def.push_mass = def.push_force > 500.0 ? def.push_force : (double)INFINITY;
  def.filter = choose_query_filter(f, c);
  return def;
}

// A refused move leaves the character as it was.
static outcome move_character(fuzz_world *f, choices *c) {
  mo_character *place = &f->characters[choose_below(c, CHARACTERS)], character = *place;
  mo_character_def def = choose_character_def(f, c);
  mo_vec3 way = choose_vec3(c, 0.5);
  bool changes = choose_if(c, 48), fits = false;
  if (choose_if(c, 64) || mo_world_step_count(f->world) == 0) {
    character = (mo_character){.position = choose_vec3(c, 2.0), .orientation = {0, 0, 0, 1}};
  }
  mo_character before = character;
  mo_character_contacts contacts = {0};
  mo_result result =
      changes ? mo_character_change_shape(f->world, &def, &character,
                                          f->shapes[choose_below(c, TABLE)], &fits)
              : mo_character_move(f->world, &def, &character, way, 1.0 / 60.0, &contacts);
  fuzz_say(f, " of type %d by %g %g %g", mo_shape_get_type(def.shape), way.x, way.y, way.z);
  if (result != MO_OK) {
    if (fabs(before.position.x - character.position.x) > 0.0 ||
        fabs(before.position.y - character.position.y) > 0.0 ||
        fabs(before.orientation.y - character.orientation.y) > 0.0 ||
        before.grounded != character.grounded) {
      fuzz_fail(f, "a refused move moves a character", result);
    }
    return REFUSED;
  }
  fuzz_check_numbers(f, "position of a character", &character.position.x, 3);
  fuzz_check_numbers(f, "velocity of a character", &character.velocity.x, 3);
  *place = character;
  return DONE;
}

static mo_wheel choose_wheel(choices *c, uint32_t index, uint32_t count) {
  mo_wheel wheel = mo_wheel_default();
  wheel.position = (mo_vec3){index % 2 ? 0.3 : -0.3, 0.0, index / 2 ? 0.3 : -0.3};
  wheel.radius = choose_positive(c, 0.4);
  wheel.rest_length = choose_positive(c, 0.4);
  wheel.travel = choose_positive(c, 0.4);
  wheel.stiffness = choose_positive(c, 1e5);
  wheel.compression = choose_positive(c, 1e3);
  wheel.engine_force = choose_number(c, 1000.0);
  wheel.brake = choose_if(c, 64) ? choose_positive(c, 1000.0) : 0.0;
  wheel.steering = choose_number(c, 0.5);
  wheel.anti_roll = choose_if(c, 64) ? choose_positive(c, 1e4) : 0.0;
  wheel.anti_roll_wheel = choose_below(c, count + choose_if(c, 8));
  if (choose_if(c, c->wild_part)) {
    wheel.direction = choose_vec3(c, 1.0);
    wheel.axle = choose_vec3(c, 1.0);
  }
  return wheel;
}

static outcome update_vehicle(fuzz_world *f, choices *c) {
  mo_wheel wheels[WHEELS];
  mo_vehicle vehicle = {.chassis = choose_body(f, c), .filter = choose_query_filter(f, c)};
  vehicle.wheel_count = choose_below(c, WHEELS + 1);
  vehicle.wheels = wheels;
  for (uint32_t i = 0; i < vehicle.wheel_count; i++) {
    wheels[i] = choose_wheel(c, i, vehicle.wheel_count);
  }
  fuzz_say(f, " %u with %u wheels", mo_body_id_slot(vehicle.chassis), vehicle.wheel_count);
  mo_result result = mo_vehicle_update(f->world, &vehicle, 1.0 / 60.0, f->wheels);
  for (uint32_t i = 0; result == MO_OK && i < vehicle.wheel_count; i++) {
    fuzz_check_numbers(f, "read-outs of a wheel", &f->wheels[i].suspension_length, 6);
  }
  return outcome_of(result);
}

const operation fuzz_query_operations[] = {{"cast_ray", 3, cast_ray},
                                           {"cast_shape", 3, cast_shape},
                                           {"overlap", 2, overlap},
                                           {"ask_point", 2, ask_point},
                                           {"explode", 2, explode},
                                           {"move_character", 5, move_character},
                                           {"update_vehicle", 4, update_vehicle},
                                           {0}};
