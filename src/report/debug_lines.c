/// What debug renderers draw of a world: line segments with colours.
#include "report/contact_list.h"
#include "report/debug_shapes.h"
#include "world/checks.h"
#include "world/constraints.h"

#include <math.h>

// Sizes of marks, as parts of the smallest bounding radius of the bodies that they belong to; and
// that of the world, m.
#define MARK_PER_RADIUS 0.5
#define WORLD_RADIUS 0.5
// rad: arcs of limits are drawn by lines of this angle at most.
#define ARC_STEP (MO_PI / 16.0)

static const float static_color[4] = {0.45F, 0.5F, 0.45F, 1};
static const float kinematic_color[4] = {0.3F, 0.6F, 1, 1};
static const float awake_color[4] = {1, 0.65F, 0.15F, 1};
static const float asleep_color[4] = {0.55F, 0.45F, 0.6F, 1};
static const float bounds_color[4] = {0.35F, 0.35F, 0.35F, 1};
static const float contact_color[4] = {1, 0.1F, 0.3F, 1};
static const float joint_color[4] = {0.2F, 0.9F, 0.9F, 1};
static const float limit_color[4] = {0.9F, 0.9F, 0.2F, 1};

// --- bodies ----------------------------------------------------------------------------------

// A colour of its own for most islands, by the slot that names them.
static void set_island_color(mo_line_list *list, uint32_t name) {
  uint32_t bits = (name + 1U) * 2654435761U; // Knuth's multiplicative hash
  float color[4] = {1, 1, 1, 1};
  for (int i = 0; i < 3; i++) {
    color[i] = 0.25F + 0.75F * (float)(bits >> (24 - 8 * i) & 255U) / 255.0F;
  }
  mo_line_list_set_color(list, color);
}

static void set_body_color(mo_line_list *list, const mo_world *world, uint32_t slot,
                           uint32_t parts) {
  mo_body_type type = world->bodies[slot].type;
  if (type != MO_BODY_DYNAMIC) {
    mo_line_list_set_color(list, type == MO_BODY_STATIC ? static_color : kinematic_color);
  } else if (parts & MO_DEBUG_ISLANDS) {
    set_island_color(list, world->islands.names[slot]);
  } else {
    mo_line_list_set_color(list, mo_world_is_awake(world, slot) ? awake_color : asleep_color);
  }
}

static double mark_size(const mo_world *world, uint32_t slot) {
  double radius = world->bodies[slot].bounding_radius;
  return MARK_PER_RADIUS * (radius > 0.0 ? radius : WORLD_RADIUS * mo_world_metre(world));
}

static void add_boxes(mo_line_list *list, const mo_world *world, const mo_body *body) {
  mo_line_list_set_color(list, bounds_color);
  for (uint32_t i = 0; i < body->shape_count; i++) {
    const mo_aabb *box = &world->broad_phase.boxes[body->proxies[i]];
    mo_vec3 lower = mo_v3_from_floats(box->lower), upper = mo_v3_from_floats(box->upper);
    if (mo_v3_is_finite(lower) && mo_v3_is_finite(upper)) {
      mo_line_list_add_bounds(list, lower, upper);
    }
  }
}

static void add_body(mo_line_list *list, const mo_world *world, uint32_t slot, uint32_t parts) {
  const mo_body *body = &world->bodies[slot];
  const mo_motion *motion = &world->motions[slot];
  set_body_color(list, world, slot, parts);
  if (parts & (MO_DEBUG_SHAPES | MO_DEBUG_ISLANDS)) {
    for (uint32_t i = 0; i < body->shape_count; i++) {
      mo_transform placement = mo_body_shape_transform(body, i, motion);
      mo_line_list_add_shape(list, body->shapes[i].shape, &placement, mo_world_metre(world));
    }
  }
  if (parts & MO_DEBUG_BOUNDS) {
    add_boxes(list, world, body);
  }
  if (parts & MO_DEBUG_CENTERS_OF_MASS && body->type == MO_BODY_DYNAMIC) {
    mo_line_list_add_axes(list, motion->center_of_mass, motion->orientation,
                          mark_size(world, slot));
  }
}

// --- contacts --------------------------------------------------------------------------------

// The normal from each contact point on B's surface.
static bool add_contacts(mo_line_list *list, mo_world *world) {
  mo_contact_list contacts;
  if (!mo_contact_list_make(world, &contacts)) {
    return false;
  }
  mo_line_list_set_color(list, contact_color);
  for (uint32_t i = 0; i < contacts.count; i++) {
    const mo_contact *contact = &contacts.items[i];
    double length = mo_min(mark_size(world, contact->slot_a), mark_size(world, contact->slot_b));
    for (uint32_t k = 0; k < contact->point_count; k++) {
      mo_vec3 at = contact->points[k].position;
      mo_line_list_add(list, at, mo_add_scaled(at, length, contact->normal));
    }
  }
  return true;
}

// --- joints ----------------------------------------------------------------------------------

static double joint_size(const mo_world *world, const mo_constraint *joint) {
  double a = joint->slot_a != MO_WORLD_SLOT ? mark_size(world, joint->slot_a) : INFINITY;
  double b = joint->slot_b != MO_WORLD_SLOT ? mark_size(world, joint->slot_b) : INFINITY;
  return mo_is_finite(mo_min(a, b)) ? mo_min(a, b)
                                    : MARK_PER_RADIUS * WORLD_RADIUS * mo_world_metre(world);
}

static mo_vec3 on_arc(const mo_constraint_drawing *joint, double angle, double radius) {
  mo_sin_cos turn = mo_sine_cosine(angle);
  mo_vec3 arm = {0.0, radius * turn.cos, radius * turn.sin};
  return mo_add(joint->anchor_a, mo_quat_rotate(joint->frame_a, arm));
}

// A sector about x of A's frame from the lower limit to the upper one, at most one turn.
static void add_turn_limits(mo_line_list *list, const mo_constraint_drawing *joint, double size) {
  double sweep = mo_min(joint->upper - joint->lower, 2.0 * MO_PI);
  int lines = 1 + (int)(sweep / ARC_STEP);
  mo_vec3 last = on_arc(joint, joint->lower, size);
  mo_line_list_add(list, joint->anchor_a, last);
  for (int i = 1; i <= lines; i++) {
    mo_vec3 at = on_arc(joint, joint->lower + sweep * i / lines, size);
    mo_line_list_add(list, last, at);
    last = at;
  }
  mo_line_list_add(list, joint->anchor_a, last);
}

// The way along x of A's frame.
static void add_slide_limits(mo_line_list *list, const mo_constraint_drawing *joint) {
  mo_vec3 axis = mo_quat_rotate(joint->frame_a, mo_v3(1.0, 0.0, 0.0));
  mo_line_list_add(list, mo_add_scaled(joint->anchor_a, joint->lower, axis),
                   mo_add_scaled(joint->anchor_a, joint->upper, axis));
}

static mo_vec3 on_cone(const mo_constraint_drawing *joint, double turn, double radius) {
  mo_sin_cos swing = mo_sine_cosine(joint->upper), about = mo_sine_cosine(turn);
  mo_vec3 arm = {swing.cos, swing.sin * about.cos, swing.sin * about.sin};
  return mo_add(joint->anchor_a, mo_quat_rotate(joint->frame_a, mo_scale(radius, arm)));
}

// The rim of the cone within which the axis of B stays, and lines to it.
static void add_cone(mo_line_list *list, const mo_constraint_drawing *joint, double size) {
  int lines = (int)(2.0 * MO_PI / ARC_STEP) + 1;
  mo_vec3 last = on_cone(joint, 0.0, size);
  for (int i = 1; i <= lines; i++) {
    mo_vec3 at = on_cone(joint, 2.0 * MO_PI * i / lines, size);
    mo_line_list_add(list, last, at);
    mo_line_list_add(list, joint->anchor_a, at);
    last = at;
  }
}

static void add_limits(mo_line_list *list, const mo_constraint_drawing *joint, double size) {
  bool has_axis = joint->parts & MO_DRAW_AXES;
  if (has_axis && mo_is_finite(joint->lower) && mo_is_finite(joint->upper)) {
    mo_line_list_set_color(list, limit_color);
    if (joint->limits_turn) {
      add_turn_limits(list, joint, size);
    } else {
      add_slide_limits(list, joint);
    }
  }
  if ((joint->parts & MO_DRAW_CONE) && mo_is_finite(joint->upper)) {
    mo_line_list_set_color(list, limit_color);
    add_cone(list, joint, size);
  }
}

static void add_frame(mo_line_list *list, uint32_t parts, mo_vec3 anchor, mo_quat frame,
                      double size) {
  if (parts & MO_DRAW_FRAMES) {
    mo_line_list_add_axes(list, anchor, frame, size);
  } else if (parts & MO_DRAW_AXES) {
    mo_vec3 half = mo_quat_rotate(frame, mo_v3(0.5 * size, 0.0, 0.0));
    mo_line_list_add(list, mo_sub(anchor, half), mo_add(anchor, half));
  }
}

// m: the lines along a path are no longer, unless they were too many.
#define PATH_LINE 0.25
#define MOST_PATH_LINES 256.0

static void add_path(mo_line_list *list, const mo_world *world, const mo_constraint *path) {
  double length = mo_curve_length(path->curve);
  uint32_t lines =
      (uint32_t)ceil(mo_clamp(length / (PATH_LINE * mo_world_metre(world)), 1.0, MOST_PATH_LINES));
  mo_vec3 from = mo_world_path_point(world, path, 0.0).position;
  for (uint32_t i = 1; i <= lines; i++) {
    mo_vec3 to = mo_world_path_point(world, path, length * i / lines).position;
    mo_line_list_add(list, from, to);
    from = to;
  }
}

static void add_joint(mo_line_list *list, const mo_world *world, uint32_t slot) {
  const mo_constraint *joint = &world->constraints[slot];
  mo_constraint_drawing drawing;
  mo_constraint_get_drawing(world, mo_world_constraint_in_slot(world, slot), &drawing);
  if (drawing.parts == 0) {
    return;
  }
  double size = joint_size(world, joint);
  mo_line_list_set_color(list, joint_color);
  if (drawing.parts & MO_DRAW_PATH) {
    add_path(list, world, joint);
  } else if (joint->slot_a != MO_WORLD_SLOT) {
    mo_line_list_add(list, world->motions[joint->slot_a].center_of_mass, drawing.anchor_a);
  }
  if (joint->slot_b != MO_WORLD_SLOT) {
    mo_line_list_add(list, world->motions[joint->slot_b].center_of_mass, drawing.anchor_b);
  }
  mo_line_list_add(list, drawing.anchor_a, drawing.anchor_b);
  add_frame(list, drawing.parts, drawing.anchor_a, drawing.frame_a, size);
  add_frame(list, drawing.parts, drawing.anchor_b, drawing.frame_b, size);
  add_limits(list, &drawing, size);
}

// --- all -------------------------------------------------------------------------------------

static void add_alive(mo_line_list *list, const mo_world *world, uint32_t parts) {
  if (parts & MO_DEBUG_JOINTS) {
    for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
      if (world->constraint_ids.alive[slot]) {
        add_joint(list, world, slot);
      }
    }
  }
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot]) {
      add_body(list, world, slot, parts);
    }
  }
}

mo_result mo_world_debug_lines(mo_world *world, uint32_t parts, mo_debug_lines *lines) {
  mo_line_list list = {.lines = *lines};
  list.lines.count = 0;
  add_alive(&list, world, parts);
  if (parts & MO_DEBUG_CONTACTS && !add_contacts(&list, world)) {
    return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, "mo_world_debug_lines",
                                "no memory for the contacts");
  }
  *lines = list.lines;
  return MO_OK;
}
