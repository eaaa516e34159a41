/*
 * What all exports share: small flat functions over moreau.h, for bindings/ and for nobody else.
 *
 * A few numbers cross the boundary as wasm scalars. Anything longer goes through one shared block
 * of doubles, `io`: the caller writes the fields of a record in order and the callee reads them in
 * the same order, or the other way round. The orders are those of bindings/schema, from which both
 * sides are made. Bulk data is read in place, by address. Pointers, ids and enums are exact as
 * doubles: they are 32-bit here.
 */
#ifndef MOREAU_ABI_BLOCK_H
#define MOREAU_ABI_BLOCK_H

#include "export.h"
#include "ids.h"

#include <stddef.h>

/** The first double of the shared block. A later io_reserve moves it. */
extern double *io;
/** Doubles that the block holds. */
extern uint32_t io_capacity;

/** What the last function that returns a pointer or an id came to. */
extern mo_result last_result;

/** As malloc, but for a size that does not fit into an address there is no memory. */
void *allocate_array(size_t count, size_t size);

/** Whether as many bytes lie in the memory of the module, at an address that JavaScript names. */
bool is_memory(const void *address, double bytes);

/** A place in the block. Readers and writers move it on. */
typedef double *cursor;

static inline double read_number(cursor *at) { return *(*at)++; }
static inline bool read_bool(cursor *at) { return read_number(at) != 0.0; }
/** 0 for what is no 32-bit number, whose conversion C leaves open. */
uint32_t read_uint(cursor *at);
/** Likewise, with a sign. */
int32_t read_int(cursor *at);
/** `count`, or as many things of `numbers` doubles each as the block holds from `at` on. */
uint32_t fitting(const double *at, uint32_t count, uint32_t numbers);
/** Room for `count` things of `size` bytes that are to be read from `at` on, `numbers` doubles
 * each. Null, and the reason in last_result, where the block does not hold as many or without
 * memory. */
void *allocate_list(const double *at, uint32_t count, uint32_t numbers, size_t size);
void *read_pointer(cursor *at);
/** Without the tag of its world: tagged_body. */
static inline mo_body_id read_body_id(cursor *at) { return untagged_body(read_number(at)); }
static inline mo_vec3 read_vec3(cursor *at) {
  mo_vec3 v;
  v.x = read_number(at);
  v.y = read_number(at);
  v.z = read_number(at);
  return v;
}
static inline mo_quat read_quat(cursor *at) {
  mo_quat q;
  q.x = read_number(at);
  q.y = read_number(at);
  q.z = read_number(at);
  q.w = read_number(at);
  return q;
}
/** By rows, as JavaScript has it. */
mo_mat3 read_mat3(cursor *at);

static inline void write_number(cursor *at, double value) { *(*at)++ = value; }
static inline void write_pointer(cursor *at, const void *address) {
  write_number(at, (double)(uintptr_t)address);
}
static inline void write_body_id(cursor *at, mo_body_id id) { write_number(at, id_of_body(id)); }
static inline void write_indices(cursor *at, const uint32_t *indices) {
  for (int i = 0; i < 3; i++) {
    write_number(at, indices[i]);
  }
}
static inline void write_vec3(cursor *at, mo_vec3 v) {
  write_number(at, v.x);
  write_number(at, v.y);
  write_number(at, v.z);
}
static inline void write_quat(cursor *at, mo_quat q) {
  write_number(at, q.x);
  write_number(at, q.y);
  write_number(at, q.z);
  write_number(at, q.w);
}
/** By rows. */
void write_mat3(cursor *at, mo_mat3 m);

#endif
