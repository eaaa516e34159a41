/// One run of Qhull: its own state and what the adapter, which starts the run, shares with the
/// functions that Qhull calls back. Private to qhull_adapter.c and qhull_user.c.
#pragma once

#include "libqhull_r/qhull_ra.h"

#include <setjmp.h>
#include <stdbool.h>

typedef struct mo_qhull_block mo_qhull_block;

/// Qhull hands its own state to everything that it calls; that is the first member, so that the run
/// is found from it. Any number of runs go on side by side.
typedef struct mo_qhull_session {
  qhT qh;
  jmp_buf escape;         ///< where an error returns to
  mo_qhull_block *blocks; ///< all memory that Qhull holds, newest first
  bool out_of_memory;
  int error; ///< number of the last error message, 0 if there was none
} mo_qhull_session;

/// Gives back everything that Qhull took since the run began, whatever state it was left in.
void mo_qhull_release_all(mo_qhull_session *run);
