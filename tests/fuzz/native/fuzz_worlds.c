/*
 * Random sequences of calls of the C interface (sequence.h), made from a seed:
 *
 *     fuzz-worlds --sequences N --seed S [--only K] [--skip-transactions] [--bytes FILE]
 *
 * `--only K` runs sequence K alone and prints every call; with `--bytes FILE` its bytes are written
 * there too, for the libFuzzer program. Sequences run in a process of their own, one after the
 * other; if one ends it (a sanitizer's finding, a hang), the next process goes on behind it.
 * Failures are printed with what makes them again. The last line is "N passed, M failed".
 */
#include "choices.h"
#include "sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// s: a sequence takes some milliseconds. Above that a call does not end, as far as a user can tell.
#define LONGEST_SECONDS 20
#define FEWEST_RECORDS 8
#define RANDOM_RECORDS 120

typedef struct settings {
  uint64_t sequences, seed, only;
  bool has_only;
  const char *bytes_file;
  sequence_options options;
} settings;

// Shared with the process that runs the sequences.
typedef struct progress {
  uint64_t index;
  uint64_t passed, failed;
  uint64_t done, refused, steps;
} progress;

// --- sequences -------------------------------------------------------------------------------

static size_t make_bytes(uint64_t seed, uint64_t index, uint8_t *bytes) {
  uint64_t state = seed * 0x9E3779B97F4A7C15u + index;
  (void)random_next(&state);
  size_t size = RECORD_BYTES * (FEWEST_RECORDS + random_next(&state) % RANDOM_RECORDS);
  for (size_t i = 0; i < size; i++) {
    bytes[i] = (uint8_t)random_next(&state);
  }
  return size;
}

static sequence_result run_one(const settings *s, uint64_t index, bool is_verbose) {
  uint8_t bytes[SEQUENCE_MOST_BYTES];
  size_t size = make_bytes(s->seed, index, bytes);
  sequence_options options = s->options;
  options.is_verbose = is_verbose;
  return sequence_run(bytes, size, &options);
}

// Prints the calls of a sequence that failed up to where it does, in a process of its own.
static void print_calls(const settings *s, uint64_t index) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(LONGEST_SECONDS);
    (void)run_one(s, index, true);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  fprintf(stderr, "again: fuzz-worlds --seed %llu --only %llu%s\n\n", (unsigned long long)s->seed,
          (unsigned long long)index, s->options.skip_transactions ? " --skip-transactions" : "");
}

// --- processes -------------------------------------------------------------------------------

static void run_from(const settings *s, progress *p) {
  for (; p->index < s->sequences; p->index++) {
    alarm(LONGEST_SECONDS);
    sequence_result result = run_one(s, p->index, false);
    p->done += result.done;
    p->refused += result.refused;
    p->steps += result.steps;
    if (!result.failure) {
      p->passed++;
      continue;
    }
    p->failed++;
    alarm(0);
    fprintf(stderr, "sequence %llu: %s (%.9g) after call %u\n", (unsigned long long)p->index,
            result.failure, result.value, result.record);
    print_calls(s, p->index);
  }
  alarm(0);
}

// Runs the sequences in processes, a new one after each that ended too early.
static void run_in_processes(const settings *s, progress *p) {
  while (p->index < s->sequences) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
      run_from(s, p);
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
      print_calls(s, p->index);
      p->failed++;
      p->index++;
    }
  }
}

// --- command line ----------------------------------------------------------------------------

static int refuse(const char *what) {
  fprintf(stderr,
          "fuzz-worlds: %s\n"
          "fuzz-worlds [--sequences N] [--seed S] [--only K] [--skip-transactions] "
          "[--bytes FILE]\n",
          what);
  return 2;
}

static bool read_number(const char *text, uint64_t *out) {
  char *rest;
  *out = text ? strtoull(text, &rest, 10) : 0;
  return text && *text != '\0' && *rest == '\0';
}

static bool read_options(int count, char **arguments, settings *s) {
  for (int i = 1; i < count; i++) {
    const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
    bool is_good = false;
    if (strcmp(name, "--skip-transactions") == 0) {
      s->options.skip_transactions = true;
      continue;
    }
    if (strcmp(name, "--sequences") == 0) {
      is_good = read_number(value, &s->sequences);
    } else if (strcmp(name, "--seed") == 0) {
      is_good = read_number(value, &s->seed);
    } else if (strcmp(name, "--only") == 0) {
      is_good = s->has_only = read_number(value, &s->only);
    } else if (strcmp(name, "--bytes") == 0) {
      s->bytes_file = value;
      is_good = value != NULL;
    }
    if (!is_good) {
      return false;
    }
    i++;
  }
  return true;
}

static int run_only(const settings *s) {
  if (s->bytes_file) {
    uint8_t bytes[SEQUENCE_MOST_BYTES];
    size_t size = make_bytes(s->seed, s->only, bytes);
    FILE *file = fopen(s->bytes_file, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
      return refuse("the file cannot be written");
    }
  }
  sequence_result result = run_one(s, s->only, true);
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
  if (s.has_only) {
    return run_only(&s);
  }
  progress *p =
      mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) {
    perror("fuzz-worlds");
    return 2;
  }
  run_in_processes(&s, p);
  printf("%llu calls done, %llu refused, %llu steps\n", (unsigned long long)p->done,
         (unsigned long long)p->refused, (unsigned long long)p->steps);
  printf("%llu passed, %llu failed\n", (unsigned long long)p->passed,
         (unsigned long long)p->failed);
  return p->failed > 0;
}
