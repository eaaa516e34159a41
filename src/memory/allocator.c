#include "memory/allocator.h"

#include "memory/lock.h"
#include "moreau.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// In front of every block: its size, so that the allocated bytes can be counted, and how far in
// front of this the memory from the heap begins.
typedef struct block_header {
  _Alignas(16) size_t bytes;
  unsigned char *memory;
} block_header;

static struct {
  mo_allocate_function *allocate;
  mo_release_function *release;
  void *user;
  size_t bytes_held;
  uint64_t calls;
} allocator;

// Worlds of a batch allocate while others do (batch/batch.c), and neither the heap of the module
// nor these counts are made for that.
static mo_lock lock = MO_LOCK_INIT;

void mo_set_allocator(mo_allocate_function *allocate, mo_release_function *release, void *user) {
  bool both = allocate && release;
  allocator.allocate = both ? allocate : NULL;
  allocator.release = both ? release : NULL;
  allocator.user = user;
}

size_t mo_allocated_bytes(void) { return allocator.bytes_held; }
uint64_t mo_allocation_count(void) { return allocator.calls; }

// Where the block begins in memory from the heap, which is aligned to 16 bytes.
static unsigned char *block_in(unsigned char *memory, size_t bytes) {
  unsigned char *block = memory + sizeof(block_header);
  size_t beyond = (uintptr_t)block % MO_CACHE_LINE;
  return bytes < MO_LEAST_LINED || beyond == 0 ? block : block + (MO_CACHE_LINE - beyond);
}

// `whole` bytes from the heap, of which `bytes` count. The user's function may call the engine.
static unsigned char *take(size_t whole, size_t bytes) {
  unsigned char *memory = NULL;
  if (allocator.allocate) {
    memory = allocator.allocate(whole, allocator.user);
  }
  mo_lock_take(&lock);
  if (!allocator.allocate) {
    memory = malloc(whole);
  }
  allocator.calls++;
  allocator.bytes_held += memory ? bytes : 0;
  mo_lock_give(&lock);
  return memory;
}

void *mo_allocate(size_t bytes) {
  size_t extra = sizeof(block_header) + (bytes < MO_LEAST_LINED ? 0 : MO_CACHE_LINE);
  if (bytes > SIZE_MAX - extra) {
    return NULL;
  }
  unsigned char *memory = take(bytes + extra, bytes);
  if (!memory) {
    return NULL;
  }
  unsigned char *block = block_in(memory, bytes);
  ((block_header *)(void *)block)[-1] = (block_header){bytes, memory};
  return memset(block, 0, bytes);
}

void mo_release(void *memory) {
  if (!memory) {
    return;
  }
  block_header *header = (block_header *)memory - 1;
  mo_lock_take(&lock);
  allocator.bytes_held -= header->bytes;
  if (!allocator.release) {
    free(header->memory);
  }
  mo_lock_give(&lock);
  if (allocator.release) {
    allocator.release(header->memory, allocator.user);
  }
}
