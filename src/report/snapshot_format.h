/// How a snapshot is laid out. Private to src/report.
///
///   header    magic, version, layout of the records, length
///   shapes    their hashes, ascending, each with its data or none
///   prelude   what a reader has to know before the state: places in the broad phase, kinds of
///             contacts, the settings that are no state
///   state     the records of mo_world_visit_state
///   rest      what the next step needs in addition: accelerations, a kept step, names and events
///   checksum  of all before
///
/// Another order or other fields need another version: MO_SNAPSHOT_VERSION. Fields of records show
/// by themselves, in the layout.
#pragma once

#include "world/known_shapes.h"
#include "world/restore.h"

#define MO_SNAPSHOT_MAGIC 0x4554415453524f4du // "MORSTATE" in memory
#define MO_ASSETS_MAGIC 0x5445535341524f4du   // "MORASSET"
#define MO_SNAPSHOT_VERSION 6u

typedef struct mo_snapshot_header {
  uint64_t magic;
  uint64_t version;
  uint64_t layout; ///< mo_snapshot_layout
  uint64_t count;  ///< bytes of all
} mo_snapshot_header;

/// A hash of the lists of fields.
uint64_t mo_snapshot_layout(void);

/// Of settings (mo_world_def), in addition to the state: those on which no motion depends, but what
/// is told of it.
extern const mo_record_type mo_snapshot_settings;
/// Of bodies, likewise.
extern const mo_record_type mo_snapshot_body;
/// Of custom and other constraints, likewise.
extern const mo_record_type mo_snapshot_constraint;
/// What is listed for events (touches.h), without the ids of the bodies.
extern const mo_record_type mo_snapshot_touch;

/// As mo_world_snapshot, in an error's name of `function`. With `streams`, which begin empty,
/// records with an index go there instead of to the bytes.
mo_result mo_snapshot_write(mo_world *world, const char *function, bool with_assets,
                            mo_record_streams *streams, mo_bytes *out);
/// As mo_world_restore, of bytes and streams that mo_snapshot_write has written.
mo_result mo_snapshot_read(mo_world *world, const char *function, mo_bytes bytes,
                           mo_record_streams *streams, const mo_restore_options *options);
