/// A journal of writes: it keeps what memory held before it was written, so that everything written
/// since the journal was opened can be taken back, the newest write first.
///
/// A note is of a field that stays where it is, or of an item of a growing array, which may move in
/// memory until the note is used. Whoever writes reserves room first: a note itself cannot fail. A
/// journal that is closed, or none (null), takes no notes and has room for all.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Begins as zeros.
typedef struct mo_journal {
  bool is_open;
  unsigned char *bytes; ///< per note: what memory held, then a header that says where
  uint32_t bytes_count, bytes_capacity;
} mo_journal;

/// What a note of `size` bytes takes in the journal.
#define MO_NOTE_BYTES(size) ((((size) + 7u) & ~(size_t)7) + 16u)

/// Begins to take notes. What was noted before is forgotten.
void mo_journal_open(mo_journal *journal);
/// Room for notes that take `bytes` in all. False without memory.
bool mo_journal_reserve(mo_journal *journal, size_t bytes);
/// Notes the field of `size` bytes at `field`, which does not move.
void mo_journal_note(mo_journal *journal, void *field, size_t size);
/// Notes an item of the array that the pointer at `array` holds.
void mo_journal_note_item(mo_journal *journal, void *array, size_t index, size_t item_size);
/// Ends it; `take_back`: everything noted becomes what it was.
void mo_journal_close(mo_journal *journal, bool take_back);
void mo_journal_free(mo_journal *journal);

/// Notes a field, or an item of an array field, of its own size.
#define MO_NOTE(journal, field) mo_journal_note((journal), &(field), sizeof(field))
#define MO_NOTE_ITEM(journal, array, index)                                                        \
  mo_journal_note_item((journal), &(array), (index), sizeof *(array))
