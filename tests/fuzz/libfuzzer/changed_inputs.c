/*
 * Runs a program of libFuzzer without libFuzzer, so with any compiler: on the files of a folder as
 * they are, then on changed ones, the same everywhere.
 *
 *     inputs-hulls FOLDER MOST_BYTES COUNT          so many inputs
 *     inputs-hulls FOLDER MOST_BYTES COUNT NUMBER   only this one of them
 *
 * The inputs run in a process of their own. If one ends it, what makes this one again is printed.
 */
#include "choices.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// s of processor time for an input.
#define LONGEST_SECONDS 30
#define MOST_FILES 256
#define MOST_CHANGES 8

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct input {
  uint8_t *bytes;
  size_t size;
} input;

static input files[MOST_FILES];
static size_t file_count;

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "inputs: %s: %s\n", what, detail);
  exit(2);
}

// --- the files -------------------------------------------------------------------------------

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static input read_file(const char *folder, const char *name, size_t most) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  input in = {.bytes = malloc(most)};
  if (!file || !in.bytes) {
    fail("cannot read", path);
  }
  in.size = fread(in.bytes, 1, most, file);
  fclose(file);
  return in;
}

// In the order of their names, which is the same everywhere.
static void read_files(const char *folder, size_t most) {
  char *names[MOST_FILES];
  DIR *open = opendir(folder);
  if (!open) {
    fail("no folder", folder);
  }
  for (struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
    if (entry->d_name[0] != '.' && file_count < MOST_FILES) {
      names[file_count++] = strdup(entry->d_name);
    }
  }
  closedir(open);
  if (file_count == 0) {
    fail("no files in", folder);
  }
  qsort(names, file_count, sizeof names[0], compare_names);
  for (size_t i = 0; i < file_count; i++) {
    files[i] = read_file(folder, names[i], most);
    free(names[i]);
  }
}

// --- changes ---------------------------------------------------------------------------------

static size_t random_below(uint64_t *state, size_t bound) {
  return bound == 0 ? 0 : (size_t)(random_next(state) % bound);
}

// Puts another number in place of up to 8 bytes: counts and sizes are such words.
static void put_number(input *in, uint64_t *state) {
  static const uint64_t numbers[] = {0,
                                     1,
                                     2,
                                     0x7F,
                                     0x80,
                                     0xFF,
                                     0x7FFF,
                                     0xFFFF,
                                     0x7FFFFFFF,
                                     0x80000000,
                                     0xFFFFFFFF,
                                     UINT64_MAX,
                                     0x7FF0000000000000,
                                     0x7FF8000000000000,
                                     0x7FEFFFFFFFFFFFFF,
                                     0x0010000000000000};
  uint64_t number = numbers[random_below(state, sizeof numbers / sizeof numbers[0])];
  size_t width = (size_t)1 << random_below(state, 4);
  size_t at = random_below(state, in->size) / width * width;
  width = at + width <= in->size ? width : in->size - at;
  memcpy(in->bytes + at, &number, width);
}

// Copies a piece of one of the files into the input.
static void put_piece(input *in, uint64_t *state) {
  const input *from = &files[random_below(state, file_count)];
  size_t start = random_below(state, from->size), at = random_below(state, in->size);
  size_t length = 1 + random_below(state, 64);
  length = start + length <= from->size ? length : from->size - start;
  length = at + length <= in->size ? length : in->size - at;
  memcpy(in->bytes + at, from->bytes + start, length);
}

static void take_out(input *in, uint64_t *state) {
  size_t at = random_below(state, in->size), length = 1 + random_below(state, 32);
  length = at + length < in->size ? length : in->size - at - (at == 0);
  memmove(in->bytes + at, in->bytes + at + length, in->size - at - length);
  in->size -= length;
}

static void change(input *in, uint64_t *state) {
  switch (random_below(state, 5)) {
  case 0:
    in->bytes[random_below(state, in->size)] ^= (uint8_t)(1u << random_below(state, 8));
    break;
  case 1:
    in->bytes[random_below(state, in->size)] = (uint8_t)random_below(state, 256);
    break;
  case 2:
    put_number(in, state);
    break;
  case 3:
    put_piece(in, state);
    break;
  default:
    take_out(in, state);
    break;
  }
}

// The files come first, then changed ones in turn.
static void run_input(uint64_t number) {
  const input *from = &files[number % file_count];
  uint64_t state = (number + 1) * 0x9E3779B97F4A7C15u;
  input in = {.bytes = malloc(from->size), .size = from->size};
  if (!in.bytes) {
    fail("no memory", "an input");
  }
  memcpy(in.bytes, from->bytes, from->size);
  size_t changes = number < file_count ? 0 : 1 + random_below(&state, MOST_CHANGES);
  for (size_t i = 0; i < changes && in.size > 0; i++) {
    change(&in, &state);
  }
  // Of its exact size, so that a sanitizer sees a read behind its end.
  uint8_t *exact = malloc(in.size > 0 ? in.size : 1);
  if (!exact) {
    fail("no memory", "an input");
  }
  memcpy(exact, in.bytes, in.size);
  struct itimerval limit = {.it_value = {.tv_sec = LONGEST_SECONDS}};
  setitimer(ITIMER_PROF, &limit, NULL);
  LLVMFuzzerTestOneInput(exact, in.size);
  free(exact);
  free(in.bytes);
}

// --- the process -----------------------------------------------------------------------------

// Where the process that runs the inputs is.
static uint64_t *shared_number(void) {
  void *page =
      mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) {
    fail("no memory", "shared");
  }
  return page;
}

int main(int count, char **words) {
  if (count < 4) {
    fail("usage", "inputs-hulls FOLDER MOST_BYTES COUNT [NUMBER]");
  }
  read_files(words[1], strtoull(words[2], NULL, 10));
  uint64_t inputs = strtoull(words[3], NULL, 10) + file_count;
  if (count > 4) {
    run_input(strtoull(words[4], NULL, 10));
    return 0;
  }
  uint64_t *number = shared_number();
  pid_t child = fork();
  if (child == 0) {
    for (; *number < inputs; ++*number) {
      run_input(*number);
    }
    return 0;
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    fprintf(stderr, "input %llu failed; again: %s %s %s %s %llu\n", (unsigned long long)*number,
            words[0], words[1], words[2], words[3], (unsigned long long)*number);
    return 1;
  }
  printf("%llu inputs\n", (unsigned long long)inputs);
  return 0;
}
