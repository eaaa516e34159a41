/// What one run of Qhull shares between the adapter, which starts it, and the functions that Qhull
/// calls back. Private to qhull_adapter.c and qhull_user.c.
#pragma once

#include <setjmp.h>
#include <stdbool.h>

typedef struct mo_qhull_block mo_qhull_block;

typedef struct mo_qhull_session {
  jmp_buf escape;         ///< where an error returns to
  mo_qhull_block *blocks; ///< all memory that Qhull holds, newest first
  bool out_of_memory;
  int error; ///< number of the last error message, 0 if there was none
} mo_qhull_session;

/// The run that is under way. Qhull's allocation functions have no argument to find it by.
extern mo_qhull_session mo_qhull_current;

/// Gives back everything that Qhull took since the session began, whatever state it was left in.
void mo_qhull_release_all(void);
