// Unpacks the engine's module, which the package carries as text: base64 (RFC 4648) of what was
// packed in the format DEFLATE (RFC 1951). A WebAssembly module of its own, of 3 KB: JavaScript
// takes four times as long before its compiler has seen the loops, and hosts have a
// DecompressionStream but nothing that unpacks at once, as initSync has to.
//
// The text is one that scripts/build.mjs made, so nothing is checked; a wrong one traps at worst.

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(name)))

// Of a Huffman code of the format (RFC 1951, 3.2.7).
#define MOST_BITS 15
#define MOST_SYMBOLS 288
#define LENGTH_SYMBOLS 19
#define END_OF_BLOCK 256

// A Huffman code as a table of all texts of `bits` bits, first bit lowest: 16 times the symbol and
// the length of its code.
typedef struct {
  uint32_t bits;
  uint16_t table[1 << MOST_BITS];
} huffman_code;

// The packed bytes from `next` on; `held` has `count` bits of them that are read and not taken.
typedef struct {
  const uint8_t *next;
  uint64_t held;
  uint32_t count;
} bit_reader;

static huffman_code literals;
static huffman_code distances;

static uint32_t reversed(uint32_t code, uint32_t length) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < length; i++)
    result |= ((code >> i) & 1) << (length - 1 - i);
  return result;
}

// The canonical code of these lengths of its symbols' codes (RFC 1951, 3.2.2); a symbol of length 0
// has none.
static void make_code(huffman_code *code, const uint8_t *lengths, uint32_t symbol_count) {
  uint32_t counts[MOST_BITS + 1] = {0};
  uint32_t next[MOST_BITS + 2] = {0};
  for (uint32_t i = 0; i < symbol_count; i++)
    counts[lengths[i]]++;
  counts[0] = 0;
  code->bits = 1;
  for (uint32_t length = 1; length <= MOST_BITS; length++) {
    if (counts[length] > 0)
      code->bits = length;
    next[length + 1] = (next[length] + counts[length]) << 1;
  }
  for (uint32_t symbol = 0; symbol < symbol_count; symbol++) {
    uint32_t length = lengths[symbol];
    if (length == 0)
      continue;
    for (uint32_t i = reversed(next[length]++, length); i < 1u << code->bits; i += 1u << length)
      code->table[i] = (uint16_t)(symbol << 4 | length);
  }
}

// Holds 56 bits at least: a match of any length at any distance takes 48.
static void fill(bit_reader *reader) {
  uint64_t next;
  memcpy(&next, reader->next, sizeof next);
  reader->held |= next << reader->count;
  reader->next += (63 - reader->count) >> 3;
  reader->count |= 56;
}

static void drop(bit_reader *reader, uint32_t count) {
  reader->held >>= count;
  reader->count -= count;
}

// Of what is held.
static uint32_t take_held(bit_reader *reader, uint32_t count) {
  uint32_t value = (uint32_t)reader->held & ((1u << count) - 1);
  drop(reader, count);
  return value;
}

static uint32_t take(bit_reader *reader, uint32_t count) {
  fill(reader);
  return take_held(reader, count);
}

// Of what is held.
static uint32_t take_symbol(bit_reader *reader, const huffman_code *code) {
  uint32_t entry = code->table[(uint32_t)reader->held & ((1u << code->bits) - 1)];
  drop(reader, entry & 15);
  return entry >> 4;
}

// The value that a symbol and the bits behind it stand for, less the least one of all symbols: the
// first 2 * `step` symbols have no such bits, every `step` after them one more (the tables of RFC
// 1951, 3.2.5).
static uint32_t take_value(bit_reader *reader, uint32_t symbol, uint32_t step) {
  if (symbol < 2 * step)
    return symbol;
  uint32_t bits = symbol / step - 1;
  return ((step + symbol % step) << bits) + take_held(reader, bits);
}

static uint32_t take_match_length(bit_reader *reader, uint32_t symbol) {
  // The last symbol is one length of its own.
  return symbol == 285 ? 258 : 3 + take_value(reader, symbol - 257, 4);
}

static void read_lengths(bit_reader *reader, uint8_t *lengths, uint32_t count) {
  for (uint32_t i = 0; i < count;) {
    fill(reader);
    uint32_t symbol = take_symbol(reader, &literals);
    uint32_t repeats = 1;
    uint8_t value = (uint8_t)symbol;
    if (symbol == 16) {
      value = lengths[i - 1];
      repeats = 3 + take(reader, 2);
    } else if (symbol > 16) {
      value = 0;
      repeats = symbol == 17 ? 3 + take(reader, 3) : 11 + take(reader, 7);
    }
    while (repeats-- > 0)
      lengths[i++] = value;
  }
}

// The codes that a block brings (RFC 1951, 3.2.7).
static void read_codes(bit_reader *reader) {
  static const uint8_t order[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
  uint8_t lengths[MOST_SYMBOLS + 32] = {0};
  uint32_t literal_count = 257 + take(reader, 5);
  uint32_t distance_count = 1 + take(reader, 5);
  uint32_t given = 4 + take(reader, 4);
  for (uint32_t i = 0; i < given; i++)
    lengths[order[i]] = (uint8_t)take(reader, 3);
  // The code for lengths has its table where that of literals will be.
  make_code(&literals, lengths, LENGTH_SYMBOLS);
  read_lengths(reader, lengths, literal_count + distance_count);
  make_code(&literals, lengths, literal_count);
  make_code(&distances, lengths + literal_count, distance_count);
}

// The codes that blocks without their own have (RFC 1951, 3.2.6).
static void make_fixed_codes(void) {
  uint8_t lengths[MOST_SYMBOLS];
  for (uint32_t i = 0; i < MOST_SYMBOLS; i++)
    lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  make_code(&literals, lengths, MOST_SYMBOLS);
  for (uint32_t i = 0; i < 30; i++)
    lengths[i] = 5;
  make_code(&distances, lengths, 30);
}

// @return the end of what came out
static uint8_t *read_block(bit_reader *given, uint8_t *out) {
  // A copy, which stays in registers.
  bit_reader reader = *given;
  for (;;) {
    fill(&reader);
    uint32_t symbol = take_symbol(&reader, &literals);
    if (symbol < END_OF_BLOCK) {
      *out++ = (uint8_t)symbol;
      continue;
    }
    if (symbol == END_OF_BLOCK)
      break;
    uint32_t length = take_match_length(&reader, symbol);
    const uint8_t *from = out - 1 - take_value(&reader, take_symbol(&reader, &distances), 2);
    // Byte by byte: a match may overlap what it makes.
    while (length-- > 0)
      *out++ = *from++;
  }
  *given = reader;
  return out;
}

// A block that is not packed.
static uint8_t *copy_block(bit_reader *reader, uint8_t *out) {
  drop(reader, reader->count & 7);
  uint32_t size = take(reader, 16);
  take(reader, 16);
  while (size-- > 0)
    *out++ = (uint8_t)take(reader, 8);
  return out;
}

// Base64 to bytes, in place. Its length is a multiple of four; what stands for its `=` is read by
// nobody.
static void decode(uint8_t *text, uint32_t length) {
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint8_t sextets[128] = {0};
  for (uint32_t i = 0; i < 64; i++)
    sextets[(uint8_t)alphabet[i]] = (uint8_t)i;
  uint8_t *out = text;
  for (uint32_t i = 0; i < length; i += 4) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 4; k++)
      bits = bits << 6 | sextets[text[i + k]];
    *out++ = (uint8_t)(bits >> 16);
    *out++ = (uint8_t)(bits >> 8);
    *out++ = (uint8_t)bits;
  }
}

/**
 * Unpacks a text. The bytes behind it are read, 8 at most, but mean nothing.
 *
 * @param text base64, which is overwritten
 * @param length of it
 * @param out where the unpacked bytes go
 */
EXPORT("unpack") void unpack(uint8_t *text, uint32_t length, uint8_t *out);

void unpack(uint8_t *text, uint32_t length, uint8_t *out) {
  decode(text, length);
  bit_reader reader = {.next = text};
  bool is_last = false;
  while (!is_last) {
    is_last = take(&reader, 1) == 1;
    uint32_t kind = take(&reader, 2);
    if (kind == 1)
      make_fixed_codes();
    if (kind == 2)
      read_codes(&reader);
    out = kind == 0 ? copy_block(&reader, out) : read_block(&reader, out);
  }
}
