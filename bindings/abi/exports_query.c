/*
 * Exports of what only looks: collision and distance of two shapes, and queries of a world.
 */
#include "callback.h"

// --- two shapes ------------------------------------------------------------------------------

static abi_pose_pair read_poses(void) {
  cursor at = io;
  abi_pose_pair poses;
  read_pose_pair(&at, &poses);
  return poses;
}

/* Reads two poses, writes the collision and its points if there is one. */
EXPORT(int, collide, const mo_shape *a, const mo_shape *b) {
  abi_pose_pair poses = read_poses();
  mo_collision collision;
  if (!a || !b || !mo_collide(a, poses.a, b, poses.b, &collision)) {
    return 0;
  }
  cursor at = io;
  write_collision(&at, &collision);
  for (int i = 0; i < collision.point_count; i++) {
    abi_collision_point point = {collision.points[i].position,
                                 collision.points[i].penetration_depth};
    write_collision_point(&at, &point);
  }
  return 1;
}

/* Reads two poses, writes the result. */
EXPORT(void, distance, const mo_shape *a, const mo_shape *b) {
  abi_pose_pair poses = read_poses();
  mo_distance_result result = {0};
  if (a && b) {
    result = mo_distance(a, poses.a, b, poses.b);
  }
  cursor at = io;
  write_distance(&at, &result);
}

// --- queries of a world ----------------------------------------------------------------------

/* Asks the function of the user about a shape. One that fails counts as a refusal here, and is
 * thrown after the query. */
static bool ask_predicate(mo_body_id body, uint32_t shape, void *user) {
  double question[QUERY_QUESTION_NUMBERS];
  abi_query_question asked = {.body = body, .shape = shape};
  cursor at = question;
  write_query_question(&at, &asked);
  if (js_callback(CALLBACK_QUERY, (uint32_t)(uintptr_t)user, 0, question) != 0) {
    return false;
  }
  at = question;
  read_query_question(&at, &asked);
  return asked.is_taken;
}

static mo_query_filter filter_of(const mo_world *world, const abi_query *query) {
  return (mo_query_filter){
      .category = query->category,
      .mask = query->mask,
      .exclude = tagged_body(world, query->exclude),
      .include_sensors = query->include_sensors,
      .predicate = query->predicate > 0 ? ask_predicate : NULL,
      .user = (void *)(uintptr_t)(query->predicate - 1),
  };
}

static abi_query read_question(void) {
  cursor at = io;
  abi_query query;
  read_query(&at, &query);
  return query;
}

static mo_ray ray_of(const mo_world *world, const abi_query *query) {
  return (mo_ray){query->origin, query->direction, query->max_distance, filter_of(world, query)};
}

static mo_pose pose_of(const abi_query *query) {
  return (mo_pose){query->origin, query->orientation};
}

static mo_shape_cast cast_of(const mo_world *world, const abi_query *query) {
  return (mo_shape_cast){.shape = query->shape,
                         .pose = pose_of(query),
                         .direction = query->direction,
                         .max_distance = query->max_distance,
                         .stop_at_penetration = query->stop_at_penetration,
                         .filter = filter_of(world, query)};
}

// --- their hits ------------------------------------------------------------------------------

/* Says where the hits are. */
static int give_list(mo_result result, const mo_query_hit *hits, uint32_t count) {
  abi_query_hits list = {.count = count, .address = (void *)(uintptr_t)hits};
  cursor at = io;
  if (result == MO_OK) {
    write_query_hits(&at, &list);
  }
  return (int)result;
}

/* The hit of the last query for one. */
static mo_query_hit best_hit;

static int give_best(mo_result result, mo_query_hit hit) {
  best_hit = hit;
  return give_list(result, &best_hit, mo_body_id_is_null(hit.body) ? 0 : 1);
}

/* Each reads a query, and writes the count and the address of its hits. */
EXPORT(int, world_cast_ray, mo_world *world) {
  abi_query query = read_question();
  mo_ray ray = ray_of(world, &query);
  mo_query_hit hit = {0};
  mo_result result = mo_world_cast_ray(world, &ray, &hit);
  return give_best(result, hit);
}
EXPORT(int, world_cast_ray_all, mo_world *world) {
  abi_query query = read_question();
  mo_ray ray = ray_of(world, &query);
  const mo_query_hit *hits = NULL;
  uint32_t count = 0;
  mo_result result = mo_world_cast_ray_all(world, &ray, &hits, &count);
  return give_list(result, hits, count);
}
EXPORT(int, world_cast_shape, mo_world *world) {
  abi_query query = read_question();
  mo_shape_cast shape_cast = cast_of(world, &query);
  mo_query_hit hit = {0};
  mo_result result = mo_world_cast_shape(world, &shape_cast, &hit);
  return give_best(result, hit);
}
EXPORT(int, world_cast_shape_all, mo_world *world) {
  abi_query query = read_question();
  mo_shape_cast shape_cast = cast_of(world, &query);
  const mo_query_hit *hits = NULL;
  uint32_t count = 0;
  mo_result result = mo_world_cast_shape_all(world, &shape_cast, &hits, &count);
  return give_list(result, hits, count);
}
EXPORT(int, world_overlap, mo_world *world) {
  abi_query query = read_question();
  mo_query_filter filter = filter_of(world, &query);
  const mo_query_hit *hits = NULL;
  uint32_t count = 0;
  mo_result result = mo_world_overlap(world, query.shape, pose_of(&query), &filter, &hits, &count);
  return give_list(result, hits, count);
}
EXPORT(int, world_closest_point, mo_world *world) {
  abi_query query = read_question();
  mo_query_filter filter = filter_of(world, &query);
  mo_query_hit hit = {0};
  mo_result result = mo_world_closest_point(world, query.origin, query.max_distance, &filter, &hit);
  return give_best(result, hit);
}
/* Writes whether it is so. */
EXPORT(int, world_contains, mo_world *world) {
  abi_query query = read_question();
  mo_query_filter filter = filter_of(world, &query);
  bool contains = false;
  mo_result result = mo_world_contains(world, query.origin, &filter, &contains);
  *io = contains;
  return (int)result;
}

// --- many casts at once ----------------------------------------------------------------------

static mo_result cast_one(mo_world *world, const abi_query *query, mo_query_hit *hit) {
  if (!query->shape) {
    mo_ray ray = ray_of(world, query);
    return mo_world_cast_ray(world, &ray, hit);
  }
  mo_shape_cast shape_cast = cast_of(world, query);
  return mo_world_cast_shape(world, &shape_cast, hit);
}

/* Reads a query without a predicate and `count` casts, of rays where it has no shape. Writes the
 * hits behind them. */
EXPORT(int, world_cast_batch, mo_world *world, uint32_t count) {
  abi_query query = read_question();
  uint32_t numbers = QUERY_NUMBERS + count * (BATCH_CAST_NUMBERS + BATCH_HIT_NUMBERS);
  if (numbers > io_capacity || query.predicate > 0) {
    return (int)MO_ERROR_INVALID_ARGUMENT;
  }
  cursor in = io + QUERY_NUMBERS, out = in + (size_t)count * BATCH_CAST_NUMBERS;
  for (uint32_t i = 0; i < count; i++) {
    abi_batch_cast single;
    read_batch_cast(&in, &single);
    query.origin = single.origin;
    query.orientation = single.orientation;
    query.direction = single.direction;
    mo_query_hit hit = {0};
    mo_result result = cast_one(world, &query, &hit);
    if (result != MO_OK) {
      return (int)result;
    }
    abi_batch_hit written = {hit.body,   hit.shape,    hit.position,
                             hit.normal, hit.distance, hit.penetration_depth};
    write_batch_hit(&out, &written);
  }
  return MO_OK;
}

// --- characters ------------------------------------------------------------------------------

static mo_character_contacts touched;

static void read_character_question(mo_world *world, abi_query *query, abi_character_move *asked,
                                    mo_character_def *def) {
  cursor at = io;
  read_query(&at, query);
  read_character_move(&at, asked);
  *def = asked->def;
  def->shape = query->shape;
  def->filter = filter_of(world, query);
  asked->character.ground = tagged_body(world, asked->character.ground);
}

/* Reads a query and a character's move. Writes where its contacts are, and the character. */
EXPORT(int, character_move, mo_world *world) {
  abi_query query;
  abi_character_move asked;
  mo_character_def def;
  read_character_question(world, &query, &asked, &def);
  mo_character_contacts contacts; // not `touched`: a predicate may have others move meanwhile
  contacts.count = 0;
  mo_result result =
      mo_character_move(world, &def, &asked.character, asked.displacement, asked.dt, &contacts);
  for (uint32_t i = 0; i < contacts.count; i++) {
    touched.contacts[i] = contacts.contacts[i];
  }
  touched.count = contacts.count;
  give_list(result, touched.contacts, touched.count);
  cursor at = io + QUERY_HITS_NUMBERS;
  if (result == MO_OK) {
    write_character(&at, &asked.character);
  }
  return (int)result;
}
/* Reads the same. Writes whether another shape has room, and the character with it. */
EXPORT(int, character_change_shape, mo_world *world, const mo_shape *shape) {
  abi_query query;
  abi_character_move asked;
  mo_character_def def;
  read_character_question(world, &query, &asked, &def);
  bool fits = false;
  mo_result result = mo_character_change_shape(world, &def, &asked.character, shape, &fits);
  cursor at = io;
  write_number(&at, fits);
  write_number(&at, 0.0);
  if (result == MO_OK) {
    write_character(&at, &asked.character);
  }
  return (int)result;
}
