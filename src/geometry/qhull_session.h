/// One run of Qhull: its own state, and what the adapter, which starts the run, shares with the
/// functions that Qhull calls. Private to qhull_adapter.c and qhull_user.c.
#pragma once

#include "libqhull_r/qhull_ra.h"

#include <setjmp.h>
#include <stdbool.h>

typedef struct mo_qhull_block mo_qhull_block;

/// Qhull passes its own state to every function that it calls. It is the first member, so the run
/// is found from it, and any number of runs can exist side by side.
typedef struct mo_qhull_session {
  qhT qh;
  jmp_buf escape;         ///< the target of longjmp on an error
  mo_qhull_block *blocks; ///< all memory that Qhull holds, newest first
  bool out_of_memory;
  int error; ///< number of the last error message, 0 if there was none
} mo_qhull_session;

/// Frees everything that Qhull allocated in the run, whatever its state.
void mo_qhull_release_all(mo_qhull_session *run);
