#include "solvers/soft_step/joint_groups.h"

#include "memory/sort.h"
#include "solvers/solver.h"

// Which coordinates a joint has: a bit for a turn or swing, and one for a twist, a displacement or
// a length.
#define COORDINATE_SETS 4u
// In an assembly or not, times point locks, angle locks and coordinates.
#define KINDS (2u * 4u * 3u * COORDINATE_SETS)
#define GROUPS (MO_JOINT_COLOURS * KINDS)
// Data that only the preparation needs.
typedef struct sorting {
  uint32_t *groups;                                   // per joint
  uint32_t firsts[GROUPS + 1];                        // per group: of `order`
  uint32_t *order;                                    // joints by group, then by creation
  uint32_t *colours_taken;                            // per body: a bit per colour
  uint32_t lane_count, frame_count, coordinate_count; // of lanes
} sorting;

// --- groups ----------------------------------------------------------------------------------

static bool is_first(mo_substep_coordinate_kind kind) {
  return kind == MO_SUBSTEP_TURN || kind == MO_SUBSTEP_SWING;
}

static uint32_t coordinate_set(const mo_substep_joints *joints, const mo_substep_joint *joint) {
  uint32_t set = 0;
  for (uint32_t i = 0; i < joint->coordinate_count; i++) {
    set |= is_first(joints->coordinates[joint->first_coordinate + i].kind) ? 1u : 2u;
  }
  return set;
}

static uint32_t kind_of(const mo_substep_joints *joints, const mo_substep_joint *joint,
                        bool in_assembly) {
  return (((in_assembly ? 4u : 0u) + (uint32_t)joint->point) * 3u + (uint32_t)joint->angle) *
             COORDINATE_SETS +
         coordinate_set(joints, joint);
}

static bool kind_needs_frame(uint32_t kind) {
  return kind % (KINDS / 2) !=
         ((uint32_t)MO_SUBSTEP_POINT_BALL * 3u + MO_SUBSTEP_ANGLE_FREE) * COORDINATE_SETS;
}

static uint32_t kind_coordinate_count(uint32_t kind) {
  uint32_t set = kind % COORDINATE_SETS;
  return (set & 1u) + (set >> 1);
}

// Greedy: takes the first colour that neither body has. Bodies that no impulse moves have none.
static uint32_t take_colour(uint32_t *taken, mo_joint_edge e) {
  uint32_t both = (e.moves_a ? taken[e.a] : 0) | (e.moves_b ? taken[e.b] : 0), colour = 0;
  while (colour < MO_JOINT_OVERFLOW && (both >> colour & 1u)) {
    colour++;
  }
  taken[e.a] |= e.moves_a ? 1u << colour : 0;
  taken[e.b] |= e.moves_b ? 1u << colour : 0;
  return colour;
}

static void clear(double *numbers, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    numbers[i] = 0.0;
  }
}

static void clear_impulses(const mo_substep_joints *joints, mo_substep_joint *joint) {
  clear(joint->impulses, MO_SUBSTEP_LOCK_IMPULSES);
  clear(joint->start_impulses, MO_SUBSTEP_LOCK_IMPULSES);
  clear(joint->steady_impulses, MO_SUBSTEP_LOCK_IMPULSES);
  for (uint32_t i = 0; i < joint->coordinate_count; i++) {
    mo_substep_coordinate *coordinate = &joints->coordinates[joint->first_coordinate + i];
    clear(coordinate->impulses, MO_SUBSTEP_COORDINATE_IMPULSES);
    clear(coordinate->start_impulses, MO_SUBSTEP_COORDINATE_IMPULSES);
    clear(coordinate->steady_impulses, MO_SUBSTEP_STEADY_LIMITS);
  }
}

static void find_groups(mo_substep_joints *joints, const mo_substep_solver *step,
                        const mo_assemblies *assemblies, sorting *s) {
  for (uint32_t i = 0; i < joints->count; i++) {
    mo_substep_joint *joint = &joints->joints[i];
    mo_joint_edge e = mo_joint_edge_of(joint, step);
    s->groups[i] = MO_NO_GROUP;
    if (e.moves_a || e.moves_b) {
      bool in_assembly = assemblies->places[i] != MO_NO_JOINT;
      s->groups[i] = take_colour(s->colours_taken, e) * KINDS + kind_of(joints, joint, in_assembly);
    } else {
      clear_impulses(joints, joint);
    }
  }
}

static uint32_t lanes_of(uint32_t group, uint32_t joint_count) {
  return group / KINDS == MO_JOINT_OVERFLOW ? joint_count : (joint_count + 3) / 4;
}

static void sort_groups(const mo_substep_joints *joints, sorting *s) {
  mo_sort_by_group(s->groups, joints->count, GROUPS, s->firsts, s->order);
  for (uint32_t g = 0; g < GROUPS; g++) {
    uint32_t lanes = lanes_of(g, s->firsts[g + 1] - s->firsts[g]);
    s->lane_count += lanes;
    s->frame_count += kind_needs_frame(g % KINDS) ? lanes : 0;
    s->coordinate_count += lanes * kind_coordinate_count(g % KINDS);
  }
}

// --- lanes -----------------------------------------------------------------------------------

// Arrays from which lanes take their parts.
typedef struct lane_room {
  mo_joint_frame_lanes *frames;
  mo_joint_coordinate_lanes *coordinates;
} lane_room;

static const mo_substep_coordinate *find_coordinate(const mo_substep_joints *joints, uint32_t joint,
                                                    bool first) {
  const mo_substep_joint *of = &joints->joints[joint];
  for (uint32_t i = 0; i < of->coordinate_count; i++) {
    const mo_substep_coordinate *coordinate = &joints->coordinates[of->first_coordinate + i];
    if (is_first(coordinate->kind) == first) {
      return coordinate;
    }
  }
  return NULL;
}

// Makes room for the drives of a coordinate, if a lane has one. Returns false without memory.
static bool make_drive(mo_joint_coordinate_lanes *c, const mo_substep_joints *joints,
                       const uint32_t *members, uint32_t member_count) {
  bool is_driven = false;
  for (uint32_t i = 0; i < member_count; i++) {
    is_driven =
        is_driven || mo_substep_is_driven(find_coordinate(joints, members[i], is_first(c->kind)));
  }
  c->drives =
      is_driven ? MO_ARENA_TAKE(joints->arena, mo_joint_drive_lanes, MO_SUBSTEP_DRIVES) : NULL;
  return !is_driven || c->drives;
}

// Makes the coordinates of a kind of joints, a turn or swing first.
static bool make_coordinates(mo_joint_lanes *lanes, lane_room *room, uint32_t set,
                             const mo_substep_joints *joints, const uint32_t *members,
                             uint32_t member_count) {
  lanes->coordinates = room->coordinates;
  for (uint32_t bit = 0; bit < 2; bit++) {
    if (set >> bit & 1u) {
      mo_joint_coordinate_lanes *c = room->coordinates++;
      lanes->coordinate_count++;
      c->kind = find_coordinate(joints, members[0], bit == 0)->kind;
      if (!make_drive(c, joints, members, member_count)) {
        return false;
      }
    }
  }
  return true;
}

static bool are_quiet(const mo_substep_joints *joints, const mo_joint_lanes *lanes,
                      const uint32_t *members, uint32_t member_count) {
  bool are = joints->quiet && !lanes->frame && !lanes->in_assembly;
  for (uint32_t i = 0; are && i < member_count; i++) {
    are = joints->quiet[members[i]];
  }
  return are;
}

static bool fill_lanes(mo_joint_lanes *lanes, lane_room *room, uint32_t kind,
                       const mo_substep_joints *joints, const mo_substep_solver *step,
                       const uint8_t *memories, const uint32_t *members, uint32_t member_count) {
  const mo_substep_joint *first = &joints->joints[members[0]];
  lanes->in_assembly = kind >= KINDS / 2;
  lanes->point = first->point;
  lanes->angle = first->angle;
  lanes->frame = kind_needs_frame(kind) ? room->frames++ : NULL;
  lanes->is_quiet = are_quiet(joints, lanes, members, member_count);
  if (!make_coordinates(lanes, room, kind % COORDINATE_SETS, joints, members, member_count)) {
    return false;
  }
  for (uint32_t lane = 0; lane < 4; lane++) {
    lanes->joints[lane] = lane < member_count ? members[lane] : MO_NO_JOINT;
    if (lane < member_count) {
      uint8_t memory = memories[members[lane]];
      lanes->learns_loads[lane] = memory == MO_LEARNS_LOADS ? 1.0f : 0.0f;
      lanes->keeps_loads[lane] = memory == MO_KEEPS_LOADS ? 1.0f : 0.0f;
      mo_joint_lanes_put(lanes, (int)lane, joints, step, 1.0 / step->settings.substeps);
    }
  }
  return true;
}

static bool make_lanes(struct mo_substep_joint_groups *groups, lane_room room,
                       const mo_substep_joints *joints, const mo_substep_solver *step,
                       const uint8_t *memories, const sorting *s) {
  mo_joint_lanes *lanes = groups->lanes;
  for (uint32_t g = 0; g < GROUPS; g++) {
    uint32_t per_lanes = g / KINDS == MO_JOINT_OVERFLOW ? 1 : 4;
    if (g % KINDS == 0) {
      groups->colour_firsts[g / KINDS] = (uint32_t)(lanes - groups->lanes);
    }
    for (uint32_t k = s->firsts[g]; k < s->firsts[g + 1]; k += per_lanes, lanes++) {
      uint32_t left = s->firsts[g + 1] - k;
      if (!fill_lanes(lanes, &room, g % KINDS, joints, step, memories, &s->order[k],
                      left < per_lanes ? left : per_lanes)) {
        return false;
      }
    }
  }
  groups->colour_firsts[MO_JOINT_COLOURS] = groups->lane_count;
  return true;
}

static void link_coordinates(const mo_substep_joints *joints, mo_assembly_joint *joint) {
  for (uint32_t i = 0; i < joint->row_count - joint->lock_rows; i++) {
    mo_assembly_coordinate *coordinate = &joint->coordinates[i];
    coordinate->lanes = joint->lanes->coordinates;
    while (coordinate->lanes->kind != joints->coordinates[coordinate->index].kind) {
      coordinate->lanes++;
    }
  }
}

// Tells the joints of assemblies where their lanes are.
static void link_assemblies(const mo_assemblies *assemblies, const mo_substep_joints *joints,
                            const struct mo_substep_joint_groups *groups) {
  for (uint32_t i = 0; i < groups->lane_count; i++) {
    const mo_joint_lanes *lanes = &groups->lanes[i];
    for (uint32_t lane = 0; lane < 4 && lanes->joints[lane] != MO_NO_JOINT; lane++) {
      uint32_t place = assemblies->places[lanes->joints[lane]];
      if (place != MO_NO_JOINT) {
        mo_assembly_joint *joint = &assemblies->joints[place];
        joint->lanes = lanes;
        joint->lane = lane;
        link_coordinates(joints, joint);
      }
    }
  }
}

static bool make_assemblies(struct mo_substep_joint_groups *groups, const mo_substep_joints *joints,
                            const mo_substep_solver *step, const mo_assembly_choice *choice) {
  mo_assembly_plan together = {.joints = joints,
                               .step = step,
                               .members = choice->together,
                               .at_body = choice->at_body,
                               .has_coordinates = true,
                               .arena = joints->arena},
                   starting = {.joints = joints,
                               .step = step,
                               .members = choice->at_first,
                               .at_body = choice->at_body,
                               .most_work = MO_SHORT_WORK,
                               .arena = step->arena};
  return mo_assemblies_make(&groups->assemblies, &together) &&
         mo_assemblies_make(&groups->starting, &starting);
}

bool mo_joint_groups_make(mo_substep_joints *joints, const mo_substep_solver *step) {
  sorting *s = MO_ARENA_TAKE(step->arena, sorting, 1);
  struct mo_substep_joint_groups *groups =
      MO_ARENA_TAKE(joints->arena, struct mo_substep_joint_groups, 1);
  if (!s || !groups) {
    return false;
  }
  mo_assembly_choice choice;
  s->groups = MO_ARENA_TAKE_RAW(step->arena, uint32_t, joints->count);
  s->order = MO_ARENA_TAKE_RAW(step->arena, uint32_t, joints->count);
  s->colours_taken = MO_ARENA_TAKE(step->arena, uint32_t, step->body_count);
  if (!s->groups || !s->order || !s->colours_taken || !mo_assembly_choose(&choice, joints, step) ||
      !make_assemblies(groups, joints, step, &choice)) {
    return false;
  }
  find_groups(joints, step, &groups->assemblies, s);
  sort_groups(joints, s);
  groups->lane_count = s->lane_count;
  groups->lanes = MO_ARENA_TAKE(joints->arena, mo_joint_lanes, s->lane_count);
  lane_room room = {
      .frames = MO_ARENA_TAKE(joints->arena, mo_joint_frame_lanes, s->frame_count),
      .coordinates = MO_ARENA_TAKE(joints->arena, mo_joint_coordinate_lanes, s->coordinate_count)};
  if (!groups->lanes || !room.frames || !room.coordinates ||
      !make_lanes(groups, room, joints, step, choice.memories, s)) {
    return false;
  }
  link_assemblies(&groups->assemblies, joints, groups);
  link_assemblies(&groups->starting, joints, groups);
  joints->groups = groups;
  return true;
}
