/*
 * Goes on from snapshots that wasm has taken, for tests/node/snapshot-hosts.test.mjs: native worlds
 * must be the same, to the bit.
 *
 *     restored_steps <dt> <steps> <snapshot> <out>
 *
 * Makes a world of the snapshot, the engine's part of the bytes of world.snapshot(), prints its
 * hash, writes its own snapshot after half of the steps to `out`, and prints the hash after all of
 * them.
 */
#include "moreau.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "restored_steps: %s: %s\n", what, detail);
  exit(1);
}

static uint8_t *read_file(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    fail("cannot read", path);
  }
  long length = ftell(file);
  uint8_t *bytes = length > 0 ? malloc((size_t)length) : NULL;
  rewind(file);
  if (!bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length) {
    fail("cannot read", path);
  }
  fclose(file);
  *count = (size_t)length;
  return bytes;
}

static void write_snapshot(mo_world *world, const char *path) {
  mo_bytes bytes;
  if (mo_world_snapshot(world, true, &bytes) != MO_OK) {
    fail("no snapshot", mo_world_last_error(world));
  }
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes.bytes, 1, bytes.count, file) != bytes.count || fclose(file) != 0) {
    fail("cannot write", path);
  }
}

static mo_world *restore(const char *path) {
  mo_result result;
  mo_world_def settings = mo_world_def_default();
  mo_world *world = mo_world_create(&settings, &result);
  if (!world) {
    fail("no world", mo_result_name(result));
  }
  size_t count;
  uint8_t *bytes = read_file(path, &count);
  if (mo_world_restore(world, bytes, count, NULL) != MO_OK) {
    fail("not restored", mo_world_last_error(world));
  }
  free(bytes);
  return world;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fail("usage", "restored_steps <dt> <steps> <snapshot> <out>");
  }
  double dt = strtod(argv[1], NULL);
  long steps = strtol(argv[2], NULL, 10);
  mo_world *world = restore(argv[3]);
  printf("%016" PRIx64 "\n", mo_world_hash(world));
  for (long i = 0; i < steps; i++) {
    if (i == steps / 2) {
      write_snapshot(world, argv[4]);
    }
    if (mo_world_step(world, dt) != MO_OK) {
      fail("a step failed", mo_world_last_error(world));
    }
  }
  printf("%016" PRIx64 "\n", mo_world_hash(world));
  mo_world_destroy(world);
  return 0;
}
