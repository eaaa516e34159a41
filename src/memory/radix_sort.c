#include "memory/radix_sort.h"

#include <string.h>

#define MAX_DIGIT_BITS 11
// Below this number a digit has 8 bits, because its counters must be cleared and summed.
#define FEW_ITEMS 2048
// Below this number insertion sort is faster.
#define VERY_FEW_ITEMS 40

static void insertion_sort(uint64_t *items, uint32_t count, int first_bit, uint64_t mask) {
  for (uint32_t i = 1; i < count; i++) {
    uint64_t item = items[i], key = item >> first_bit & mask;
    uint32_t j = i;
    for (; j > 0 && (items[j - 1] >> first_bit & mask) > key; j--) {
      items[j] = items[j - 1];
    }
    items[j] = item;
  }
}

static void sort_by_digit(const uint64_t *in, uint64_t *out, uint32_t count, int shift, int bits) {
  uint32_t places[1 << MAX_DIGIT_BITS], size = 1u << bits, mask = size - 1, sum = 0;
  memset(places, 0, size * sizeof *places);
  for (uint32_t i = 0; i < count; i++) {
    places[(uint32_t)(in[i] >> shift) & mask]++;
  }
  for (uint32_t digit = 0; digit < size; digit++) {
    uint32_t start = sum;
    sum += places[digit];
    places[digit] = start;
  }
  for (uint32_t i = 0; i < count; i++) {
    out[places[(uint32_t)(in[i] >> shift) & mask]++] = in[i];
  }
}

uint64_t *mo_radix_sort(uint64_t *items, uint64_t *spare, uint32_t count, int first_bit,
                        int bit_count) {
  if (count < VERY_FEW_ITEMS) {
    insertion_sort(items, count, first_bit, UINT64_MAX >> (64 - bit_count));
    return items;
  }
  int digit_bits = count < FEW_ITEMS ? 8 : MAX_DIGIT_BITS;
  int passes = (bit_count + digit_bits - 1) / digit_bits;
  for (int i = 0; i < passes; i++) {
    int from = bit_count * i / passes, to = bit_count * (i + 1) / passes;
    sort_by_digit(items, spare, count, first_bit + from, to - from);
    uint64_t *sorted = spare;
    spare = items;
    items = sorted;
  }
  return items;
}
