/// The options of a world as a table: what is done to each of them is done in a loop.
#pragma once

#include "world/world.h"

/// What a member of mo_world_def is.
typedef enum mo_option_kind {
  MO_OPTION_VECTOR,   ///< mo_vec3
  MO_OPTION_WORD,     ///< an enum
  MO_OPTION_WHOLE,    ///< uint32_t
  MO_OPTION_NUMBER,   ///< double, finite
  MO_OPTION_POSITIVE, ///< double, finite and above 0, and so is its inverse
  MO_OPTION_FLAG,     ///< bool
} mo_option_kind;

typedef struct mo_world_option {
  const char *name;
  mo_option_kind kind;
  size_t offset;     ///< of the member in mo_world_def
  double initial[3]; ///< its default; one number of what is no vector
  double least, most;
  const char *must; ///< what a refusal says; of MO_OPTION_POSITIVE nothing
  bool is_state;    ///< it shapes what the next step comes to
} mo_world_option;

/// All options in the order of their members.
extern const mo_world_option mo_world_options[];
extern const size_t mo_world_option_count;

/// MO_OK, or refuses the first option whose value is not allowed.
mo_result mo_check_world_options(mo_world *world, const char *function, const mo_world_def *def);
