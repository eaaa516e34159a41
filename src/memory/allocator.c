#include "memory/allocator.h"

#include "moreau.h"

#include <stdlib.h>
#include <string.h>

// Every block starts with its size, so that the allocated bytes can be counted.
typedef union block_header {
  size_t bytes;
  unsigned char alignment[16];
} block_header;

static struct {
  mo_allocate_function *allocate;
  mo_release_function *release;
  void *user;
  size_t bytes_held;
  uint64_t calls;
} allocator;

void mo_set_allocator(mo_allocate_function *allocate, mo_release_function *release, void *user) {
  bool both = allocate && release;
  allocator.allocate = both ? allocate : NULL;
  allocator.release = both ? release : NULL;
  allocator.user = user;
}

size_t mo_allocated_bytes(void) { return allocator.bytes_held; }
uint64_t mo_allocation_count(void) { return allocator.calls; }

void *mo_allocate(size_t bytes) {
  if (bytes > SIZE_MAX - sizeof(block_header)) {
    return NULL;
  }
  size_t whole = bytes + sizeof(block_header);
  allocator.calls++;
  block_header *header =
      allocator.allocate ? allocator.allocate(whole, allocator.user) : malloc(whole);
  if (!header) {
    return NULL;
  }
  header->bytes = bytes;
  allocator.bytes_held += bytes;
  return memset(header + 1, 0, bytes);
}

void mo_release(void *memory) {
  if (!memory) {
    return;
  }
  block_header *header = (block_header *)memory - 1;
  allocator.bytes_held -= header->bytes;
  if (allocator.release) {
    allocator.release(header, allocator.user);
  } else {
    free(header);
  }
}
