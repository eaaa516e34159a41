/// Joints of soft-step: what a step leaves in their lanes for the next one, and for their
/// read-outs.
#include "solvers/soft_step/joints/joint_lanes.h"

// s: the time in which a load is learnt. It is longer than bodies ring when they come to rest, and
// a third of the time after which they may fall asleep.
#define LEARNING_TIME 0.15
// m/s: bodies that move faster teach less of their loads. It is the speed below which bodies may
// fall asleep by default.
#define SLOW 0.05f
// m/s: the same of long trees, which keep their loads. They sway for longer, and what they forget
// they do not learn again.
#define SLOW_KEEPER 0.5f
// Long trees keep at most so many times what they bear. Without room above it every tremor would
// take a part.
#define MOST_EXCESS 1.1f

// --- loads -----------------------------------------------------------------------------------
//
// A spring bears a load only while it is stretched. The joints of light limbs under heavy bodies
// are soft springs, so they would rest open by millimetres. So the impulse of a load that lasts is
// learnt, and softness takes back only what differs from it: the joint then bears the load closed,
// as with the integral part of a controller. What moves teaches nothing, or an impact would be
// taken for a load, and forgets what it learnt. The limit of a turn is learnt too, because its
// torque acts on the point that the joint holds. Other limits stay pressed by their loads: at a gap
// of 0 a micrometre, which is the resolution of a travel of some metres, would decide whether they
// push.
//
// In long trees, which an integral part would make kick, joints only keep the loads with which they
// begin (joint_first_loads.h), as long as they rest and bear as much.

static mo_f32x4 squared(mo_vec3x4 v) { return mo_vec3x4_dot(v, v); }

static mo_i32x4 are_learners(const mo_joint_lanes *l) { return l->learns_loads > mo_f32x4_zero(); }

// Those that have something to keep.
static mo_i32x4 are_keepers(const mo_joint_lanes *l) {
  mo_f32x4 steady = squared(l->steady), zero = mo_f32x4_zero();
  if (l->frame) {
    steady += squared(l->frame->steady);
  }
  return (l->keeps_loads > zero) & (steady > zero);
}

// What counts of loads, per lane: near 1 at rest.
static mo_f32x4 restfulness(const mo_joint_lanes *l, const mo_solver_body *bodies, float metre) {
  mo_velocity_lanes a = mo_gather_velocities(bodies, l->body_a);
  mo_velocity_lanes b = mo_gather_velocities(bodies, l->body_b);
  mo_vec3x4 at_a = mo_vec3x4_cross(a.angular, l->arm_a);
  mo_vec3x4 at_b = mo_vec3x4_cross(b.angular, l->arm_b);
  mo_f32x4 squares = squared(a.linear) + squared(b.linear) + squared(at_a) + squared(at_b);
  mo_f32x4 slow =
      mo_f32x4_splat(metre * metre) * mo_f32x4_select(are_learners(l), mo_f32x4_splat(SLOW * SLOW),
                                                      mo_f32x4_splat(SLOW_KEEPER * SLOW_KEEPER));
  return slow / (slow + squares);
}

// Below 1 where a joint bears much less than what it keeps.
static mo_f32x4 part_borne(const mo_joint_lanes *l, mo_f32x4 share) {
  mo_f32x4 one = mo_f32x4_splat(1.0f), steady = squared(l->steady);
  mo_f32x4 most = mo_f32x4_splat(MOST_EXCESS * MOST_EXCESS) * share * share * squared(l->total);
  return mo_f32x4_sqrt(mo_f32x4_select(steady > most, most / steady, one));
}

static mo_f32x4 part_kept(const mo_joint_lanes *l, const mo_substep_solver *step, mo_f32x4 share) {
  mo_f32x4 rest = restfulness(l, step->bodies, (float)step->settings.metre);
  mo_f32x4 kept = mo_f32x4_keep(are_keepers(l), rest * part_borne(l, share));
  return mo_f32x4_select(are_learners(l), rest, kept);
}

// How the loads of a step are learnt.
typedef struct learning {
  mo_f32x4 rate;  // part of the difference that a step learns
  mo_f32x4 share; // substeps: of the impulses of a step
  mo_f32x4 kept;  // of what was learnt: what moves forgets, or a load would lag behind the swing of
                  // a pendulum and drive it
} learning;

static mo_f32x4 learnt(mo_f32x4 steady, mo_f32x4 total, const learning *how) {
  return how->kept * (steady + how->rate * (how->share * total - steady));
}

static void learn(mo_vec3x4 *steady, mo_vec3x4 total, const learning *how) {
  steady->x = learnt(steady->x, total.x, how);
  steady->y = learnt(steady->y, total.y, how);
  steady->z = learnt(steady->z, total.z, how);
}

// Joints of which none learns or keeps loads have nothing left of them.
static void forget_loads(mo_joint_lanes *l) {
  l->steady = mo_vec3x4_zero();
  if (l->frame) {
    l->frame->steady = mo_vec3x4_zero();
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    l->coordinates[i].lower_steady = l->coordinates[i].upper_steady = mo_f32x4_zero();
  }
}

static void learn_loads(mo_joint_lanes *l, const mo_substep_solver *step) {
  const mo_substep_settings *settings = &step->settings;
  if (mo_i32x4_bits(are_learners(l) | are_keepers(l)) == 0) {
    forget_loads(l);
    return;
  }
  float rate = (float)mo_min(settings->dt / LEARNING_TIME, 1.0);
  learning how = {.rate = l->learns_loads * mo_f32x4_splat(rate),
                  .share = mo_f32x4_splat(1.0f / (float)settings->substeps)};
  how.kept = part_kept(l, step, how.share);
  learn(&l->steady, l->total, &how);
  if (l->frame) {
    learn(&l->frame->steady, l->frame->total, &how);
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    mo_joint_coordinate_lanes *c = &l->coordinates[i];
    if (mo_substep_is_angle(c->kind)) {
      c->lower_steady = learnt(c->lower_steady, c->lower_total, &how);
      c->upper_steady = learnt(c->upper_steady, c->upper_total, &how);
    }
  }
}

// --- bounds ----------------------------------------------------------------------------------

static mo_f32x4 bounded(mo_f32x4 impulse, mo_f32x4 most) {
  return mo_f32x4_max(mo_f32x4_min(impulse, most), -most);
}

static void bound(mo_vec3x4 *impulse, mo_f32x4 most) {
  *impulse =
      (mo_vec3x4){bounded(impulse->x, most), bounded(impulse->y, most), bounded(impulse->z, most)};
}

static void bound_coordinate(mo_joint_coordinate_lanes *c, mo_f32x4 most) {
  c->lower_impulse = bounded(c->lower_impulse, most);
  c->upper_impulse = bounded(c->upper_impulse, most);
  c->lower_steady = bounded(c->lower_steady, most);
  c->upper_steady = bounded(c->upper_steady, most);
  for (int i = 0; c->drives && i < MO_SUBSTEP_DRIVES; i++) {
    c->drives[i].impulse = bounded(c->drives[i].impulse, most);
  }
}

// What the next step starts with is what a joint from bytes has, which keeps no more than that.
static void bound_impulses(mo_joint_lanes *l, uint32_t substeps) {
  mo_f32x4 most = mo_f32x4_splat((float)((double)MO_LARGEST_IMPULSE / substeps));
  bound(&l->impulse, most);
  bound(&l->steady, most);
  if (l->frame) {
    bound(&l->frame->impulse, most);
    bound(&l->frame->steady, most);
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    bound_coordinate(&l->coordinates[i], most);
  }
}

void mo_joint_lanes_end(mo_joint_lanes *l, const mo_substep_solver *step) {
  learn_loads(l, step);
  bound_impulses(l, step->settings.substeps);
}

// --- what stays from step to step ------------------------------------------------------------

// Infinite single-precision impulses become the largest impulse that a step starts with.
static double number_of(float impulse, double scale) {
  return mo_clamp(scale * (double)impulse, -(double)MO_LARGEST_IMPULSE, (double)MO_LARGEST_IMPULSE);
}

static void take(const mo_vec3x4 *from, int lane, double scale, double out[3]) {
  out[0] = number_of(from->x[lane], scale);
  out[1] = number_of(from->y[lane], scale);
  out[2] = number_of(from->z[lane], scale);
}

static void take_coordinate(const mo_joint_coordinate_lanes *c, int lane, double substeps,
                            mo_substep_coordinate *to) {
  to->impulses[MO_SUBSTEP_LOWER_IMPULSE] = number_of(c->lower_total[lane], 1.0);
  to->impulses[MO_SUBSTEP_UPPER_IMPULSE] = number_of(c->upper_total[lane], 1.0);
  to->start_impulses[MO_SUBSTEP_LOWER_IMPULSE] = number_of(c->lower_impulse[lane], substeps);
  to->start_impulses[MO_SUBSTEP_UPPER_IMPULSE] = number_of(c->upper_impulse[lane], substeps);
  to->steady_impulses[MO_SUBSTEP_LOWER_IMPULSE] = number_of(c->lower_steady[lane], substeps);
  to->steady_impulses[MO_SUBSTEP_UPPER_IMPULSE] = number_of(c->upper_steady[lane], substeps);
  for (int i = 0; c->drives && i < MO_SUBSTEP_DRIVES; i++) {
    const mo_joint_drive_lanes *drive = &c->drives[i];
    to->impulses[MO_SUBSTEP_DRIVE_IMPULSE + i] = number_of(drive->total[lane], 1.0);
    to->start_impulses[MO_SUBSTEP_DRIVE_IMPULSE + i] = number_of(drive->impulse[lane], substeps);
  }
}

void mo_joint_lanes_take(const mo_joint_lanes *l, int lane, double substeps,
                         const mo_substep_joints *joints) {
  mo_substep_joint *joint = &joints->joints[l->joints[lane]];
  take(&l->total, lane, 1.0, joint->impulses + MO_SUBSTEP_POINT_IMPULSE);
  take(&l->impulse, lane, substeps, joint->start_impulses + MO_SUBSTEP_POINT_IMPULSE);
  take(&l->steady, lane, substeps, joint->steady_impulses + MO_SUBSTEP_POINT_IMPULSE);
  if (l->frame) {
    take(&l->frame->total, lane, 1.0, joint->impulses + MO_SUBSTEP_ANGLE_IMPULSE);
    take(&l->frame->impulse, lane, substeps, joint->start_impulses + MO_SUBSTEP_ANGLE_IMPULSE);
    take(&l->frame->steady, lane, substeps, joint->steady_impulses + MO_SUBSTEP_ANGLE_IMPULSE);
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    const mo_joint_coordinate_lanes *c = &l->coordinates[i];
    take_coordinate(c, lane, substeps, mo_joint_coordinate_of(joints, joint, c));
  }
}

void mo_joint_lanes_take_quiet(const mo_joint_lanes *l, bool is_begun, double substeps,
                               const mo_substep_joints *joints) {
  const mo_vec3x4 *total = is_begun ? &l->last_total : &l->total;
  const mo_vec3x4 *impulse = is_begun ? &l->last_impulse : &l->impulse;
  const mo_vec3x4 *steady = is_begun ? &l->last_steady : &l->steady;
  for (int lane = 0; lane < 4 && l->joints[lane] != MO_NO_JOINT; lane++) {
    mo_substep_joint *joint = &joints->joints[l->joints[lane]];
    take(total, lane, 1.0, joint->impulses + MO_SUBSTEP_POINT_IMPULSE);
    take(impulse, lane, substeps, joint->start_impulses + MO_SUBSTEP_POINT_IMPULSE);
    take(steady, lane, substeps, joint->steady_impulses + MO_SUBSTEP_POINT_IMPULSE);
  }
}
