/// A journal of writes. It keeps what memory held before it was written, so that all writes since
/// the journal was opened can be undone, the newest first.
///
/// A note refers to a field that does not move, or to an item of a growing array, which may move in
/// memory until the note is used. Callers reserve room first, so a note cannot fail. A closed
/// journal, or null, takes no notes and has room for everything.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Begins as zeros.
typedef struct mo_journal {
  bool is_open;
  unsigned char *bytes; ///< per note: the former bytes, then a header with their place
  uint32_t bytes_count, bytes_capacity;
} mo_journal;

/// Bytes of the journal that a note of `size` bytes uses.
#define MO_NOTE_BYTES(size) ((((size) + 7u) & ~(size_t)7) + 16u)

/// Starts to take notes. Earlier notes are discarded.
void mo_journal_open(mo_journal *journal);
/// The part of mo_journal_reserve for a journal that has too little room.
bool mo_journal_grow(mo_journal *journal, size_t bytes);
/// Makes room for notes of `bytes` in all. Returns false without memory.
static inline bool mo_journal_reserve(mo_journal *journal, size_t bytes) {
  return !journal || !journal->is_open || bytes <= journal->bytes_capacity - journal->bytes_count ||
         mo_journal_grow(journal, bytes);
}
/// Notes the field of `size` bytes at `field`, which does not move.
void mo_journal_note(mo_journal *journal, void *field, size_t size);
/// Notes an item of the array that the pointer at `array` holds.
void mo_journal_note_item(mo_journal *journal, void *array, size_t index, size_t item_size);
/// Stops taking notes. With `take_back`, everything that was noted is restored.
void mo_journal_close(mo_journal *journal, bool take_back);
void mo_journal_free(mo_journal *journal);

/// Notes a field, or an item of an array field, with its own size.
#define MO_NOTE(journal, field) mo_journal_note((journal), &(field), sizeof(field))
#define MO_NOTE_ITEM(journal, array, index)                                                        \
  mo_journal_note_item((journal), &(array), (index), sizeof *(array))
