/*
 * Random sequences of calls of the C interface (sequence.h), made from a seed:
 *
 *     fuzz-worlds --sequences N --seed S [--skip-transactions] [--hashes]
 *     fuzz-worlds --seed S --only K [--shrink] [--write FILE]
 *     fuzz-worlds --read FILE [--shrink] [--write FILE]
 *
 * The first form runs many sequences in a process of their own, one after the other; if one ends it
 * (a sanitizer's finding, a hang), the next process goes on behind it. Failures are printed with
 * what makes them again; with `--hashes` the hash of each world at its end, which is the same for
 * every compiler. The last line is "N passed, M failed".
 *
 * The others run one sequence and print every call. `--shrink` leaves calls out as long as it still
 * fails; `--write` writes its bytes, which the libFuzzer program reads too.
 */
#include "choices.h"
#include "sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// s of processor time, since others may have the processor: a sequence takes some milliseconds.
// Above that a call does not end, as far as a user can tell.
#define LONGEST_SECONDS 20
#define FEWEST_RECORDS 8
#define RANDOM_RECORDS 120

typedef struct settings {
  uint64_t sequences, seed, only;
  bool has_only, shrinks, prints_hashes;
  const char *from_file, *to_file;
  sequence_options options;
} settings;

// Shared with the process that runs the sequences.
typedef struct progress {
  uint64_t index;
  uint64_t passed, failed;
  uint64_t done, refused, steps;
  uint64_t hash; // of all worlds at the end: the same for every compiler
} progress;

// Ends the process after so much processor time; 0: not any more.
static void limit_time(time_t seconds) {
  struct itimerval limit = {.it_value = {.tv_sec = seconds}};
  setitimer(ITIMER_PROF, &limit, NULL);
}

// --- sequences -------------------------------------------------------------------------------

typedef struct sequence {
  uint8_t bytes[SEQUENCE_MOST_BYTES];
  size_t size;
} sequence;

static sequence make_sequence(uint64_t seed, uint64_t index) {
  uint64_t state = seed * 0x9E3779B97F4A7C15u + index;
  (void)random_next(&state);
  sequence one = {.size = RECORD_BYTES * (FEWEST_RECORDS + random_next(&state) % RANDOM_RECORDS)};
  for (size_t i = 0; i < one.size; i++) {
    one.bytes[i] = (uint8_t)random_next(&state);
  }
  return one;
}

static sequence_result run_one(const settings *s, const sequence *one, bool is_verbose) {
  sequence_options options = s->options;
  options.is_verbose = is_verbose;
  return sequence_run(one->bytes, one->size, &options);
}

// Runs a sequence in a process of its own, since it may end it. Whether it fails.
static bool fails(const settings *s, const sequence *one, bool is_verbose) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    limit_time(LONGEST_SECONDS);
    if (!is_verbose && !freopen("/dev/null", "w", stderr)) {
      _exit(2);
    }
    _exit(run_one(s, one, is_verbose).failure ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status != 0;
}

// Prints the calls of a sequence that failed, up to where it does.
static void print_calls(const settings *s, uint64_t index, const sequence *one) {
  (void)fails(s, one, true);
  fprintf(stderr, "again: fuzz-worlds --seed %llu --only %llu%s\n\n", (unsigned long long)s->seed,
          (unsigned long long)index, s->options.skip_transactions ? " --skip-transactions" : "");
}

// Leaves out as many records as it can: by halves, quarters and so on down to single ones.
static void shrink(const settings *s, sequence *one) {
  for (size_t count = one->size / RECORD_BYTES / 2; count > 0; count /= 2) {
    size_t bytes = count * RECORD_BYTES;
    for (size_t from = RECORD_BYTES; from + bytes <= one->size;) {
      sequence less = *one;
      less.size -= bytes;
      memmove(&less.bytes[from], &one->bytes[from + bytes], less.size - from);
      if (fails(s, &less, false)) {
        *one = less;
      } else {
        from += bytes;
      }
    }
  }
}

// --- processes -------------------------------------------------------------------------------

static void run_from(const settings *s, progress *p) {
  for (; p->index < s->sequences; p->index++) {
    limit_time(LONGEST_SECONDS);
    sequence one = make_sequence(s->seed, p->index);
    sequence_result result = run_one(s, &one, false);
    p->done += result.done;
    p->refused += result.refused;
    p->steps += result.steps;
    p->hash = (p->hash ^ result.hash) * 0x100000001B3u;
    if (s->prints_hashes) {
      printf("%llu %016llx\n", (unsigned long long)p->index, (unsigned long long)result.hash);
    }
    if (!result.failure) {
      p->passed++;
      continue;
    }
    p->failed++;
    limit_time(0);
    fprintf(stderr, "sequence %llu: %s (%.9g) after call %u\n", (unsigned long long)p->index,
            result.failure, result.value, result.record);
    print_calls(s, p->index, &one);
  }
  limit_time(0);
}

// Runs the sequences in processes, a new one after each that ended too early.
static void run_in_processes(const settings *s, progress *p) {
  while (p->index < s->sequences) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
      run_from(s, p);
      fflush(NULL);
      _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
      perror("fuzz-worlds");
      exit(2);
    }
    if (p->index < s->sequences) {
      fprintf(stderr, "sequence %llu: ended its process (%s %d)\n", (unsigned long long)p->index,
              WIFSIGNALED(status) ? "signal" : "exit code",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
      sequence one = make_sequence(s->seed, p->index);
      print_calls(s, p->index, &one);
      p->failed++;
      p->index++;
    }
  }
}

// --- command line ----------------------------------------------------------------------------

static int refuse(const char *what) {
  fprintf(stderr,
          "fuzz-worlds: %s\n"
          "fuzz-worlds [--sequences N] [--seed S] [--skip-transactions] [--hashes]\n"
          "fuzz-worlds --seed S --only K | --read FILE [--shrink] [--write FILE]\n",
          what);
  return 2;
}

static bool read_number(const char *text, uint64_t *out) {
  char *rest;
  *out = text ? strtoull(text, &rest, 10) : 0;
  return text && *text != '\0' && *rest == '\0';
}

// Reads the option `name`; false if it is none, or its value is bad. `used`: whether it had a
// value.
static bool read_option(const char *name, const char *value, settings *s, bool *used) {
  *used = true;
  if (strcmp(name, "--sequences") == 0) {
    return read_number(value, &s->sequences);
  }
  if (strcmp(name, "--seed") == 0) {
    return read_number(value, &s->seed);
  }
  if (strcmp(name, "--only") == 0) {
    return s->has_only = read_number(value, &s->only);
  }
  if (strcmp(name, "--read") == 0) {
    return (s->from_file = value) != NULL;
  }
  if (strcmp(name, "--write") == 0) {
    return (s->to_file = value) != NULL;
  }
  *used = false;
  bool is_shrink = strcmp(name, "--shrink") == 0;
  bool is_skip = strcmp(name, "--skip-transactions") == 0;
  bool is_hashes = strcmp(name, "--hashes") == 0;
  s->shrinks |= is_shrink;
  s->prints_hashes |= is_hashes;
  s->options.skip_transactions |= is_skip;
  return is_shrink || is_skip || is_hashes;
}

static bool read_options(int count, char **arguments, settings *s) {
  for (int i = 1; i < count; i++) {
    bool has_value;
    if (!read_option(arguments[i], i + 1 < count ? arguments[i + 1] : NULL, s, &has_value)) {
      return false;
    }
    i += has_value;
  }
  return true;
}

static bool read_sequence(const char *path, sequence *one) {
  FILE *file = fopen(path, "rb");
  one->size = file ? fread(one->bytes, 1, sizeof one->bytes, file) : 0;
  return file && fclose(file) == 0;
}

static bool write_sequence(const char *path, const sequence *one) {
  FILE *file = fopen(path, "wb");
  return file && fwrite(one->bytes, 1, one->size, file) == one->size && fclose(file) == 0;
}

static int run_single(const settings *s) {
  sequence one = make_sequence(s->seed, s->only);
  if (s->from_file && !read_sequence(s->from_file, &one)) {
    return refuse("the file cannot be read");
  }
  if (s->shrinks) {
    shrink(s, &one);
  }
  if (s->to_file && !write_sequence(s->to_file, &one)) {
    return refuse("the file cannot be written");
  }
  sequence_result result = run_one(s, &one, true);
  if (result.failure) {
    fprintf(stderr, "%s (%.9g) after call %u\n", result.failure, result.value, result.record);
  }
  printf("%d passed, %d failed\n", !result.failure, !!result.failure);
  return result.failure ? 1 : 0;
}

int main(int count, char **arguments) {
  settings s = {.sequences = 1000, .seed = 1};
  if (!read_options(count, arguments, &s)) {
    return refuse("an option is unknown or has no whole number");
  }
  if (s.has_only || s.from_file) {
    return run_single(&s);
  }
  progress *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) {
    perror("fuzz-worlds");
    return 2;
  }
  run_in_processes(&s, p);
  printf("%llu calls done, %llu refused, %llu steps, hash %016llx\n", (unsigned long long)p->done,
         (unsigned long long)p->refused, (unsigned long long)p->steps, (unsigned long long)p->hash);
  printf("%llu passed, %llu failed\n", (unsigned long long)p->passed,
         (unsigned long long)p->failed);
  return p->failed > 0;
}
