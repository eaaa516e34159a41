// Solves one contact problem with one solver of Siconos: the engine's referee in development. Never a part of the package.
//
//     solve_problem <problem> <answer> <seconds> <solver> [i<index>=<value> | d<index>=<value> | dense=1 | local=<solver>]...
//
// <problem> is binary, written by problem-file.mjs; <answer> gets a struct answer_head and the impulses as doubles. <solver> is a
// number of Friction_cst.h; i<index> and d<index> set iparam and dparam of its options, local=<solver> the solver of single contacts.
// After <seconds>, or where Siconos aborts, the impulses of that moment are written.
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/GlobalFrictionContactProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsSparseMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_OUT_OF_TIME = 1000, STATUS_ABORTED = 1001, MAX_SHIFTS = 200 };

typedef struct problem {
  int contacts;
  int velocities;
  NumericsMatrix *w, *m, *h;
  double *f, *offset, *q, *mu;
} problem;

typedef struct answer_head {
  int32_t status; // 0: Siconos says that it converged
  int32_t iterations;
  double seconds;
} answer_head;

// What the handler of signals writes.
static struct {
  int file;
  double *reaction;
  size_t bytes;
  struct timespec start;
} running;

static void fail(const char *what) {
  fprintf(stderr, "solve_problem: %s\n", what);
  exit(2);
}

static void read_all(FILE *file, void *to, size_t size, size_t count) {
  if (fread(to, size, count, file) != count) fail("the problem's file ends too early");
}

static double *read_doubles(FILE *file, size_t count) {
  double *values = malloc((count ? count : 1) * sizeof *values);
  if (!values) fail("out of memory");
  read_all(file, values, sizeof *values, count);
  return values;
}

static NumericsMatrix *read_matrix(FILE *file, int rows, int columns) {
  int32_t count;
  read_all(file, &count, sizeof count, 1);
  int32_t *row = malloc((size_t)(count ? count : 1) * sizeof *row);
  int32_t *column = malloc((size_t)(count ? count : 1) * sizeof *column);
  if (!row || !column) fail("out of memory");
  read_all(file, row, sizeof *row, (size_t)count);
  read_all(file, column, sizeof *column, (size_t)count);
  double *value = read_doubles(file, (size_t)count);
  NumericsMatrix *matrix = NM_create(NM_SPARSE, rows, columns);
  NM_triplet_alloc(matrix, count ? count : 1);
  for (int32_t k = 0; k < count; k++) NM_entry(matrix, row[k], column[k], value[k]);
  free(row);
  free(column);
  free(value);
  return matrix;
}

static problem read_problem(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("no such problem");
  int32_t size[2];
  read_all(file, size, sizeof size[0], 2);
  problem p = {.contacts = size[0], .velocities = size[1]};
  int n = 3 * p.contacts;
  p.w = read_matrix(file, n, n);
  p.m = read_matrix(file, p.velocities, p.velocities);
  p.h = read_matrix(file, p.velocities, n);
  p.f = read_doubles(file, (size_t)p.velocities);
  p.offset = read_doubles(file, (size_t)n);
  p.q = read_doubles(file, (size_t)n);
  p.mu = read_doubles(file, (size_t)p.contacts);
  fclose(file);
  return p;
}

static double elapsed(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - running.start.tv_sec) +
         1e-9 * (double)(now.tv_nsec - running.start.tv_nsec);
}

static void write_answer(int status, int iterations) {
  answer_head head = {status, iterations, elapsed()};
  if (write(running.file, &head, sizeof head) != (ssize_t)sizeof head) _exit(2);
  if (write(running.file, running.reaction, running.bytes) != (ssize_t)running.bytes) _exit(2);
}

static void on_signal(int number) {
  write_answer(number == SIGALRM ? STATUS_OUT_OF_TIME : STATUS_ABORTED, -1);
  _exit(0);
}

static bool is_global(int solver) {
  return solver >= SICONOS_GLOBAL_FRICTION_3D_NSGS_WR && solver < SICONOS_ROLLING_FRICTION_3D_NSGS;
}

// W in the storage that the solver is best at: 3 x 3 blocks for Gauss-Seidel, sparse for the others, dense where asked.
static NumericsMatrix *stored(NumericsMatrix *w, int solver, bool dense) {
  int n = w->size0;
  if (dense) {
    NumericsMatrix *full = NM_create(NM_DENSE, n, n);
    NM_to_dense(w, full);
    return full;
  }
  if (solver != SICONOS_FRICTION_3D_NSGS) return w;
  SparseBlockStructuredMatrix *blocks = SBM_new();
  if (SBM_from_csparse(3, NM_csc(w), blocks)) fail("no block form");
  return NM_create_from_data(NM_SPARSE_BLOCK, n, n, blocks);
}

static int solve_local(problem *p, SolverOptions *options, bool dense, double *velocity) {
  FrictionContactProblem *local = frictionContactProblem_new_with_data(
      3, p->contacts, stored(p->w, options->solverId, dense), p->q, p->mu);
  return fc3d_driver(local, running.reaction, velocity, options);
}

static double norm(const double *x, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

// The global solvers. The interior point of this release solves the convex relaxation: it is made exact by the fixed point on the
// shift s = mu |u_T| (Cadoux 2009), each round from the start, until the shifts stand still.
static int solve_global(problem *p, SolverOptions *options, double *velocity) {
  GlobalFrictionContactProblem global = {
      .dimension = 3,
      .numberOfContacts = p->contacts,
      .M = p->m,
      .H = p->h,
      .q = p->f,
      .mu = p->mu,
  };
  int n = 3 * p->contacts;
  double *shifted = calloc((size_t)n, sizeof *shifted);
  double *bodies = calloc((size_t)p->velocities, sizeof *bodies);
  double *reaction = calloc((size_t)n, sizeof *reaction);
  if (!shifted || !bodies || !reaction) fail("out of memory");
  memcpy(shifted, p->offset, (size_t)n * sizeof *shifted);
  global.b = shifted;
  bool relaxed = options->solverId == SICONOS_GLOBAL_FRICTION_3D_IPM;
  int iterations = 0;
  for (int round = 0;; round++) {
    memset(reaction, 0, (size_t)n * sizeof *reaction);
    global.norm_q = norm(p->f, p->velocities);
    global.norm_b = norm(shifted, n);
    int info = gfc3d_driver(&global, relaxed ? reaction : running.reaction, velocity, bodies, options);
    iterations += options->iparam[SICONOS_IPARAM_ITER_DONE];
    options->iparam[SICONOS_IPARAM_ITER_DONE] = iterations;
    if (!relaxed) return info;
    memcpy(running.reaction, reaction, (size_t)n * sizeof *reaction);
    double change = 0;
    for (int i = 0; i < p->contacts; i++) {
      double slip = hypot(velocity[3 * i + 1], velocity[3 * i + 2]);
      double next = p->offset[3 * i] + p->mu[i] * slip;
      change = fmax(change, fabs(next - shifted[3 * i]));
      shifted[3 * i] = next;
    }
    if (!(change > 1e-10)) return info;
    if (round == MAX_SHIFTS) return 1;
  }
}

static void set_option(SolverOptions *options, const char *word) {
  int index, local;
  double value;
  char kind;
  if (sscanf(word, "local=%d", &local) == 1) {
    solver_options_update_internal(options, 0, local);
    return;
  }
  if (sscanf(word, "%c%d=%lf", &kind, &index, &value) != 3) fail("an option is not as i0=1");
  if (kind == 'i' && index < options->iSize) options->iparam[index] = (int)value;
  else if (kind == 'd' && index < options->dSize) options->dparam[index] = value;
  else fail("no such option");
}

int main(int count, char **words) {
  if (count < 5) fail("usage: solve_problem <problem> <answer> <seconds> <solver> [option]...");
  problem p = read_problem(words[1]);
  size_t n = 3 * (size_t)p.contacts;
  running.bytes = n * sizeof(double);
  running.reaction = calloc(n, sizeof(double));
  double *velocity = calloc(n, sizeof(double));
  running.file = open(words[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (!running.reaction || !velocity || running.file < 0) fail("no room for the answer");
  int solver = atoi(words[4]);
  SolverOptions *options = solver_options_create(solver);
  bool dense = false;
  const int signals[] = {SIGALRM, SIGABRT, SIGSEGV, SIGFPE};
  for (int i = 5; i < count; i++) {
    if (strcmp(words[i], "dense=1") == 0) dense = true;
    else set_option(options, words[i]);
  }
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], on_signal);
  clock_gettime(CLOCK_MONOTONIC, &running.start);
  alarm((unsigned)atoi(words[3]));
  int status =
      is_global(solver) ? solve_global(&p, options, velocity) : solve_local(&p, options, dense, velocity);
  alarm(0);
  write_answer(status, options->iparam[SICONOS_IPARAM_ITER_DONE]);
  return 0;
}
