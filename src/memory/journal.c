#include "memory/journal.h"

#include "memory/allocator.h"
#include "memory/array.h"
#include "memory/copy.h"

#include <string.h>

// The first size of a journal: what a small world writes in any step, so that it need not grow
// later. Worlds share it (scratch.h).
#define FIRST_BYTES 16384u

// The place of a note's bytes. The header follows them, because notes are used from the last to the
// first.
typedef struct note_header {
  void *where;     // of a field: its address; of an item: the pointer to its array
  uint32_t offset; // bytes, of an item in its array; IS_FIELD for a field
  uint32_t size;   // bytes
} note_header;

#define IS_FIELD UINT32_MAX

_Static_assert(sizeof(note_header) <= 16, "MO_NOTE_BYTES counts 16 bytes of header");

static bool is_open(const mo_journal *journal) { return journal && journal->is_open; }

void mo_journal_open(mo_journal *journal) {
  journal->is_open = true;
  journal->bytes_count = 0;
}

bool mo_journal_grow(mo_journal *journal, size_t bytes) {
  size_t needed = journal->bytes_count + bytes;
  needed = needed < FIRST_BYTES ? FIRST_BYTES : needed;
  return needed >= bytes && needed <= UINT32_MAX && MO_RESERVE(journal, bytes, (uint32_t)needed);
}

static void add_note(mo_journal *journal, const void *content, note_header header) {
  unsigned char *at = journal->bytes + journal->bytes_count;
  size_t whole = MO_NOTE_BYTES(header.size);
  mo_copy_record(at, content, header.size);
  memcpy(at + whole - sizeof header, &header, sizeof header);
  journal->bytes_count += (uint32_t)whole;
}

void mo_journal_note(mo_journal *journal, void *field, size_t size) {
  if (is_open(journal)) {
    add_note(journal, field,
             (note_header){.where = field, .offset = IS_FIELD, .size = (uint32_t)size});
  }
}

static unsigned char *array_at(void *pointer) {
  unsigned char *array;
  memcpy(&array, pointer, sizeof array);
  return array;
}

void mo_journal_note_item(mo_journal *journal, void *array, size_t index, size_t item_size) {
  if (is_open(journal)) {
    note_header header = {
        .where = array, .offset = (uint32_t)(index * item_size), .size = (uint32_t)item_size};
    add_note(journal, array_at(array) + header.offset, header);
  }
}

static void take_back_last(mo_journal *journal) {
  note_header header;
  unsigned char *end = journal->bytes + journal->bytes_count;
  memcpy(&header, end - sizeof header, sizeof header);
  unsigned char *to =
      header.offset == IS_FIELD ? header.where : array_at(header.where) + header.offset;
  journal->bytes_count -= (uint32_t)MO_NOTE_BYTES(header.size);
  memcpy(to, journal->bytes + journal->bytes_count, header.size);
}

void mo_journal_close(mo_journal *journal, bool take_back) {
  journal->is_open = false;
  while (take_back && journal->bytes_count > 0) {
    take_back_last(journal);
  }
  journal->bytes_count = 0;
}

void mo_journal_free(mo_journal *journal) {
  mo_release(journal->bytes);
  *journal = (mo_journal){0};
}
