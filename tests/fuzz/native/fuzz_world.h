/// A world that is fuzzed, and what the parts of the fuzzer share: operations, read-outs and
/// callbacks.
#pragma once

#include "choices.h"

#include <math.h>

/// Operations in a sequence at most.
#define MOST_RECORDS 256
/// Entries in the tables that operations choose from. They keep ids of what is gone: calls with
/// stale ids are part of the game.
#define TABLE 16
#define CHARACTERS 4
/// Of a vehicle at most.
#define WHEELS 4
/// Of a body's definition at most; compounds count once.
#define MOST_SHAPES 3

/// What a call came to.
typedef enum outcome {
  DONE,
  REFUSED, ///< nothing may have changed
  READ,    ///< it is no call that changes a world
} outcome;

/// A function of the user: what it answers is a function of these numbers and its arguments.
typedef struct callback {
  struct fuzz_world *fuzz;
  mo_vec3 direction, offset;
  double rate, scale;
  double limit;      ///< m: fails where a body is beyond
  uint8_t kind;      ///< of function
  uint8_t fault;     ///< what it does where it fails
  uint8_t activity;  ///< when it is active
  uint8_t reads;     ///< of 256: how often it reads the world
  uint8_t dimension; ///< rows
  uint8_t body_count;
} callback;

typedef struct fuzz_world {
  mo_world *world;
  mo_shape *shapes[TABLE];
  mo_body_id bodies[TABLE];
  mo_constraint_id constraints[TABLE];
  mo_potential_id potentials[TABLE];
  mo_character characters[CHARACTERS];
  mo_wheel_state wheels[WHEELS];
  callback callbacks[MOST_RECORDS];
  uint32_t record;     ///< index of the running operation
  bool is_verbose;     ///< says what it does
  bool is_reading;     ///< read-outs are made, after calls and inside of callbacks
  bool is_moderate;    ///< no sum over bodies overflows
  uint32_t depth;      ///< callbacks that are running
  uint32_t reads_left; ///< by callbacks, so that a sequence ends in good time
  const char *failure; ///< the first property that did not hold; null: all did
  double failed_value;
} fuzz_world;

/// Prints a line, if the fuzzer is verbose.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void fuzz_say(const fuzz_world *f, const char *format, ...);
/// Records that a property does not hold.
void fuzz_fail(fuzz_world *f, const char *what, double value);

/// Reads all that can be read of the world, and checks that no number is NaN and what is promised
/// to be finite is.
void fuzz_read_all(fuzz_world *f);

/// Checks that numbers are not NaN.
void fuzz_check_numbers(fuzz_world *f, const char *what, const double *x, size_t count);
/// Checks what a query met.
void fuzz_check_hit(fuzz_world *f, const mo_query_hit *hit);

/// Fills in a constraint's or a potential's functions and what they depend on.
void fuzz_choose_constraint_functions(fuzz_world *f, choices *c, mo_constraint_def *def);
void fuzz_choose_potential_functions(fuzz_world *f, choices *c, mo_potential_def *def);
void fuzz_choose_predicate(fuzz_world *f, choices *c, mo_query_filter *filter);
/// Sets a function that decides about contacts.
mo_result fuzz_choose_contact_function(fuzz_world *f, choices *c);

/// Settings of a world; some are refused.
mo_world_def fuzz_choose_settings(choices *c);
/// Creates a body into a place of the table.
outcome fuzz_create_body(fuzz_world *f, choices *c, uint32_t place);

/// Fills in what belongs to a joint's type, and what can be changed later.
void fuzz_choose_joint(const fuzz_world *f, choices *c, mo_constraint_def *def);
mo_coordinate_drive fuzz_choose_drive(choices *c);
mo_pose_motor fuzz_choose_pose_motor(choices *c);

/// Shapes of the table: that of a place at the beginning, and any.
mo_shape *fuzz_default_shape(mo_shape *const *before, uint32_t index);
mo_shape *fuzz_choose_shape(const fuzz_world *f, choices *c, mo_shape_type type, mo_result *result);
/// A shape of the table for a body; a plain one is at its origin.
mo_placed_shape fuzz_choose_placed_shape(const fuzz_world *f, choices *c, bool is_plain);
/// Up to MOST_SHAPES of them, at least one of which is mostly plain; returns their number.
uint32_t fuzz_choose_placed_shapes(fuzz_world *f, choices *c, mo_placed_shape *placed);

/// A kind of operation: a call, or some that are refused together.
typedef struct operation {
  const char *name;
  uint32_t weight;
  outcome (*run)(fuzz_world *f, choices *c);
} operation;

/// Lists of kinds, ended by one without a name.
extern const operation fuzz_world_operations[];
extern const operation fuzz_body_operations[];
extern const operation fuzz_shape_operations[];
extern const operation fuzz_constraint_operations[];
extern const operation fuzz_potential_operations[];
extern const operation fuzz_query_operations[];
extern const operation fuzz_event_operations[];
extern const operation fuzz_state_operations[];
extern const operation fuzz_batch_operations[];
extern const operation fuzz_other_operations[];

/// Members of the tables, also null and stale ones.
static inline mo_body_id choose_body(const fuzz_world *f, choices *c) {
  return f->bodies[choose_below(c, TABLE)];
}
static inline outcome outcome_of(mo_result result) { return result == MO_OK ? DONE : REFUSED; }
