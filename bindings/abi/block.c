/*
 * The shared block of doubles, and how it is read and written.
 */
#include "block.h"

#include <stdlib.h>

// Enough for everything of fixed length, and for a body with eight shapes; io_reserve makes it
// longer.
#define IO_INITIAL_CAPACITY 144u

static double io_initial[IO_INITIAL_CAPACITY];
double *io = io_initial;
uint32_t io_capacity = IO_INITIAL_CAPACITY;

mo_result last_result;

void *allocate_array(size_t count, size_t size) {
  return count > SIZE_MAX / size ? NULL : malloc(count * size);
}

// In doubles: what JavaScript says of sizes may be beyond all whole numbers of C.
bool is_memory(const void *address, double bytes) {
  double end = (double)(uintptr_t)address + bytes;
  return bytes == 0.0 || (address && end <= 65536.0 * (double)__builtin_wasm_memory_size(0));
}

/* Room for `count` doubles: the address of the block, or 0 without memory. Its contents are not
 * kept. */
EXPORT(double *, io_reserve, uint32_t count) {
  if (count > io_capacity) {
    double *larger = allocate_array(count, sizeof(double));
    if (!larger) {
      return NULL;
    }
    if (io != io_initial) {
      free(io);
    }
    io = larger;
    io_capacity = count;
  }
  return io;
}

// --- readers and writers ---------------------------------------------------------------------

uint32_t read_uint(cursor *at) {
  double number = read_number(at);
  return number >= 0.0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}
uint32_t fitting(const double *at, uint32_t count, uint32_t numbers) {
  uint32_t room = (uint32_t)(io + io_capacity - at) / numbers;
  return count < room ? count : room;
}
void *allocate_list(const double *at, uint32_t count, uint32_t numbers, size_t size) {
  if (fitting(at, count, numbers) < count) {
    last_result = MO_ERROR_INVALID_ARGUMENT;
    return NULL;
  }
  last_result = MO_ERROR_OUT_OF_MEMORY;
  return allocate_array(count > 0 ? count : 1, size);
}
int32_t read_int(cursor *at) {
  double number = read_number(at);
  return number >= INT32_MIN && number <= INT32_MAX ? (int32_t)number : 0;
}
void *read_pointer(cursor *at) { return (void *)(uintptr_t)read_uint(at); }

mo_mat3 read_mat3(cursor *at) {
  mo_vec3 row_x = read_vec3(at);
  mo_vec3 row_y = read_vec3(at);
  mo_vec3 row_z = read_vec3(at);
  return (mo_mat3){
      {row_x.x, row_y.x, row_z.x}, {row_x.y, row_y.y, row_z.y}, {row_x.z, row_y.z, row_z.z}};
}

void write_mat3(cursor *at, mo_mat3 m) {
  write_vec3(at, (mo_vec3){m.cx.x, m.cy.x, m.cz.x});
  write_vec3(at, (mo_vec3){m.cx.y, m.cy.y, m.cz.y});
  write_vec3(at, (mo_vec3){m.cx.z, m.cy.z, m.cz.z});
}
