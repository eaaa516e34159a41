/// Definitions of joints of all types, with limits, springs, motors and friction.
#include "fuzz_world.h"

static mo_spring choose_spring(choices *c) {
  mo_spring spring = {0};
  bool is_stiff = choose_if(c, 96);
  double strength = choose_positive(c, is_stiff ? 1000.0 : 20.0), damping = choose_positive(c, 2.0);
  *(is_stiff ? &spring.stiffness : &spring.hertz) = strength;
  *(is_stiff ? &spring.damping_coefficient : &spring.damping) = damping;
  return spring;
}

static void choose_motor(choices *c, mo_coordinate_drive *drive) {
  drive->motor = (mo_motor_mode)choose_below(c, 3);
  drive->target_velocity = choose_number(c, 5.0);
  drive->target_position = choose_number(c, 2.0);
  drive->max_force = choose_if(c, 64) ? drive->max_force : choose_positive(c, 100.0);
  drive->gains = choose_if(c, 128) ? choose_spring(c) : drive->gains;
}

mo_coordinate_drive fuzz_choose_drive(choices *c) {
  mo_coordinate_drive drive = mo_coordinate_drive_default();
  uint32_t parts = choose_byte(c);
  if (parts & 1) {
    drive.lower = -choose_positive(c, 1.0);
    drive.upper = choose_positive(c, 1.0);
  }
  if (parts & 2) {
    choose_motor(c, &drive);
  }
  if (parts & 4) {
    drive.spring = choose_spring(c);
    drive.spring_rest = choose_if(c, 128) ? drive.spring_rest : choose_number(c, 1.0);
  }
  drive.friction = parts & 8 ? choose_positive(c, 5.0) : 0.0;
  drive.locked = parts >= 224;
  return drive;
}

mo_pose_motor fuzz_choose_pose_motor(choices *c) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_MOTOR);
  mo_pose_motor motor = def.pose_motor;
  motor.has_position = choose_if(c, 192);
  motor.has_orientation = choose_if(c, 192);
  motor.target_position = choose_vec3(c, 1.0);
  motor.target_orientation = choose_quat(c);
  motor.max_force = choose_if(c, 128) ? motor.max_force : choose_positive(c, 100.0);
  motor.max_torque = choose_if(c, 128) ? motor.max_torque : choose_positive(c, 100.0);
  motor.gains = choose_if(c, 128) ? choose_spring(c) : motor.gains;
  return motor;
}

// Those that couple two joints, or four bodies.
static void choose_coupling(const fuzz_world *f, choices *c, mo_constraint_def *def) {
  def->ratio = choose_if(c, 96) ? def->ratio : choose_number(c, 2.0);
  if (choose_if(c, 128)) {
    def->joint_a = f->constraints[choose_below(c, TABLE)];
    def->joint_b = f->constraints[choose_below(c, TABLE)];
    def->body_a = def->body_b = MO_NULL_BODY_ID;
    return;
  }
  def->body_c = choose_body(f, c);
  def->body_d = choose_if(c, 48) ? MO_NULL_BODY_ID : choose_body(f, c);
}

static void choose_drives(choices *c, mo_constraint_def *def) {
  static const uint32_t counts[] = {1, 2, 6};
  uint32_t count = counts[choose_below(c, 3)];
  for (uint32_t i = 0; i < count && choose_if(c, 160); i++) {
    def->drives[i] = fuzz_choose_drive(c);
    bool is_length = def->type == MO_CONSTRAINT_DISTANCE || def->type == MO_CONSTRAINT_ROPE ||
                     def->type == MO_CONSTRAINT_PULLEY || def->type == MO_CONSTRAINT_SPRING;
    def->drives[i].lower = is_length ? 0.0 : def->drives[i].lower;
  }
}

#define MOST_PATH_POINTS 6

// Its points stay until the next path is chosen.
static mo_path_def choose_path(choices *c) {
  static mo_vec3 points[MOST_PATH_POINTS];
  mo_path_def path = {points, 1 + choose_below(c, MOST_PATH_POINTS), choose_if(c, 128),
                      (mo_path_alignment)choose_below(c, 4)};
  for (uint32_t i = 0; i < path.point_count; i++) {
    points[i] = choose_if(c, 240) || i == 0 ? choose_vec3(c, 2.0) : points[i - 1];
  }
  return path;
}

void fuzz_choose_joint(const fuzz_world *f, choices *c, mo_constraint_def *def) {
  def->anchor_a = choose_vec3(c, 0.5);
  def->anchor_b = choose_vec3(c, 0.5);
  def->axis_a = choose_vec3(c, 1.0);
  def->axis_b = choose_if(c, 128) ? def->axis_a : choose_vec3(c, 1.0);
  if (def->type == MO_CONSTRAINT_GEAR || def->type == MO_CONSTRAINT_RACK_AND_PINION) {
    choose_coupling(f, c, def);
  }
  def->ground_anchor_a = choose_vec3(c, 2.0);
  def->ground_anchor_b = choose_vec3(c, 2.0);
  def->steering = choose_if(c, 224) ? 0.0 : choose_number(c, 3.0);
  def->pose_motor = def->type == MO_CONSTRAINT_MOTOR ? fuzz_choose_pose_motor(c) : def->pose_motor;
  def->path = def->type == MO_CONSTRAINT_PATH ? choose_path(c) : def->path;
  choose_drives(c, def);
  if (choose_if(c, 32)) {
    def->has_length = true;
    def->length = choose_positive(c, 1.0);
  }
  if (choose_if(c, 48)) {
    def->break_force = choose_positive(c, 50.0);
    def->break_torque = choose_positive(c, 20.0);
  }
}
