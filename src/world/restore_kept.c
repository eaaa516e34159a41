/// The step at rest that the rows keep (kept_step.h), as bytes: its problem, and the packed
/// manifolds with all that was worked out when they were packed, because that was at different
/// times.
#include "world/restore.h"

#include "world/state_fields.h"

#define NUMBERS(record, member) MO_FIELD(record, member, double)
#define WORDS(record, member) MO_FIELD(record, member, uint32_t)
#define FLAG(record, member) MO_FLAG(record, member)

static const mo_field body_fields[] = {
    NUMBERS(mo_row_body, free_linear),  NUMBERS(mo_row_body, free_angular),
    NUMBERS(mo_row_body, inverse_mass), NUMBERS(mo_row_body, inverse_inertia),
    WORDS(mo_row_body, solver),
};
static const mo_record_type body_record =
    MO_STREAM_RECORD(mo_row_body, body_fields, MO_INDEX_ROW_BODY);

static const mo_field block_fields[] = {
    WORDS(mo_row_block, body_a),        WORDS(mo_row_block, body_b),
    WORDS(mo_row_block, first_row),     WORDS(mo_row_block, row_count),
    WORDS(mo_row_block, bound),         NUMBERS(mo_row_block, friction),
    NUMBERS(mo_row_block, lower),       NUMBERS(mo_row_block, upper),
    FLAG(mo_row_block, holds_position), FLAG(mo_row_block, point_contact),
};
static const mo_record_type block_record =
    MO_STREAM_RECORD(mo_row_block, block_fields, MO_INDEX_ROW_BLOCK);

static const mo_field row_fields[] = {
    NUMBERS(mo_row, linear_a),  NUMBERS(mo_row, angular_a), NUMBERS(mo_row, linear_b),
    NUMBERS(mo_row, angular_b), NUMBERS(mo_row, bias),      NUMBERS(mo_row, plastic_bias),
    NUMBERS(mo_row, gap),       NUMBERS(mo_row, softening), NUMBERS(mo_row, impulse),
};
static const mo_record_type row_record = MO_STREAM_RECORD(mo_row, row_fields, MO_INDEX_ROW);

// What follows from the others when two manifolds are packed.
static const mo_field packed_fields[] = {
    NUMBERS(mo_manifold_lanes, inverse_mass_a),
    NUMBERS(mo_manifold_lanes, inverse_mass_b),
    NUMBERS(mo_manifold_lanes, inverse_inertia_a),
    NUMBERS(mo_manifold_lanes, inverse_inertia_b),
    NUMBERS(mo_manifold_lanes, weight),
    NUMBERS(mo_manifold_lanes, extent),
    NUMBERS(mo_manifold_lanes, bias),
    NUMBERS(mo_manifold_lanes, spread),
    FLAG(mo_manifold_lanes, leaves_out),
    FLAG(mo_manifold_lanes, all_faces),
};
static const mo_record_type packed_record = MO_RECORD(mo_manifold_lanes, packed_fields);

// The largest of these, apart from the others, with which it would have more than MO_RECORD_GROUPS.
static const mo_field solve_fields[] = {
    NUMBERS(mo_manifold_lanes, solve),
    NUMBERS(mo_manifold_lanes, solvable),
};
static const mo_record_type solve_record = MO_RECORD(mo_manifold_lanes, solve_fields);

// --- writing ---------------------------------------------------------------------------------

void mo_write_kept_step(mo_byte_writer *w, mo_world *world) {
  mo_kept_step *kept = &world->kept;
  mo_row_problem *p = &world->last_step.problem;
  if (!kept->is_valid) {
    return;
  }
  mo_kept_rows_write_down(&kept->rows, p);
  mo_write_records(w, &body_record, p->bodies, p->body_count);
  mo_write_records(w, &mo_state_words, world->last_step.row_slots, p->body_count);
  mo_write_word(w, p->block_count);
  mo_write_records(w, &block_record, p->blocks, p->block_count);
  mo_write_word(w, p->row_count);
  mo_write_records(w, &row_record, p->rows, p->row_count);
  mo_write_records(w, &mo_state_numbers, &p->dt, 1);
  mo_write_records(w, &mo_state_words, kept->contacts, p->block_count);
  mo_write_records(w, &mo_state_words, kept->points, p->block_count);
  const mo_contact_lanes *lanes = &kept->rows.packed.lanes;
  mo_write_records(w, &packed_record, lanes->manifolds, lanes->count);
  mo_write_records(w, &solve_record, lanes->manifolds, lanes->count);
}

// --- reading ---------------------------------------------------------------------------------

// `count` items of a new array in the arena of the problem. Null without memory, or for bytes that
// are refused.
static void *take(mo_restore *r, size_t count, size_t item_size) {
  void *items =
      mo_restore_is_good(r) ? mo_arena_take(&r->world->problem_arena, count, item_size) : NULL;
  return mo_restore_got(r, items || r->in.problem) ? items : NULL;
}

// The part that the state has (state_walk.c).
void mo_restore_kept_step(mo_restore *r) {
  mo_kept_step *kept = &r->world->kept;
  mo_contact_lanes *lanes = &kept->rows.packed.lanes;
  mo_read_records(&r->in, &mo_state_kept_step, kept, 1);
  if (!mo_restore_is_good(r) || !kept->is_valid) {
    return;
  }
  mo_read_records(&r->in, &mo_state_numbers, &kept->dt, 1);
  mo_read_records(&r->in, &mo_state_numbers, &kept->rows.least_gap, 1);
  kept->body_count = mo_read_count(&r->in, 1) + 1;
  kept->bodies = take(r, kept->body_count, sizeof *kept->bodies);
  if (kept->bodies) {
    mo_read_records(&r->in, &mo_state_kept_body, kept->bodies + 1, kept->body_count - 1);
  }
  lanes->count = mo_read_count(&r->in, mo_record_packed_size(&mo_kept_manifold_record));
  lanes->manifolds = take(r, lanes->count, sizeof *lanes->manifolds);
  lanes->point_rows = take(r, lanes->count, sizeof *lanes->point_rows);
  if (lanes->manifolds && lanes->point_rows) {
    mo_read_records(&r->in, &mo_kept_manifold_record, lanes->manifolds, lanes->count);
  }
}

static bool is_good_block(const mo_row_problem *p, const mo_row_block *block) {
  return block->body_a < p->body_count && block->body_b < p->body_count &&
         block->bound == MO_BOUND_CONE && block->row_count == 3 &&
         block->first_row <= p->row_count && p->row_count - block->first_row >= 3 &&
         block->point_contact;
}

static bool is_good_lane(const mo_row_problem *p, const mo_manifold_lanes *m, int lane) {
  return m->body_a[lane] < p->body_count && m->body_b[lane] < p->body_count &&
         m->lane_points[lane] <= MO_LANE_POINTS &&
         (m->lane_points[lane] == 0 ||
          (m->first_block[lane] <= p->block_count &&
           p->block_count - m->first_block[lane] >= m->lane_points[lane]));
}

static void check_problem(mo_restore *r, const mo_row_problem *p) {
  const mo_world *world = r->world;
  const mo_kept_step *kept = &world->kept;
  bool fits = true;
  for (uint32_t i = 1; i < p->body_count; i++) {
    fits = fits && world->last_step.row_slots[i] < world->ids.slot_count;
  }
  for (uint32_t i = 0; fits && i < p->block_count; i++) {
    fits = is_good_block(p, &p->blocks[i]) && kept->contacts[i] < world->contacts_count &&
           kept->points[i] < world->contacts[kept->contacts[i]].point_count;
  }
  for (uint32_t i = 0; fits && i < kept->rows.packed.lanes.count; i++) {
    const mo_manifold_lanes *m = &kept->rows.packed.lanes.manifolds[i];
    fits = is_good_lane(p, m, 0) && is_good_lane(p, m, 1);
  }
  mo_restore_expect(r, fits, "a step at rest is damaged");
}

static void read_problem(mo_restore *r, mo_row_problem *p) {
  uint32_t *slots = take(r, p->body_count, sizeof *slots);
  p->bodies = take(r, p->body_count, sizeof *p->bodies);
  if (!slots || !p->bodies) {
    return;
  }
  r->world->last_step.row_slots = slots;
  mo_read_records(&r->in, &body_record, p->bodies, p->body_count);
  mo_read_records(&r->in, &mo_state_words, slots, p->body_count);
  p->block_count = mo_read_count(&r->in, 1);
  p->blocks = take(r, p->block_count, sizeof *p->blocks);
  if (p->blocks) {
    mo_read_records(&r->in, &block_record, p->blocks, p->block_count);
  }
  p->row_count = mo_read_count(&r->in, 1);
  p->rows = take(r, p->row_count, sizeof *p->rows);
  if (p->rows) {
    mo_read_records(&r->in, &row_record, p->rows, p->row_count);
  }
  mo_read_records(&r->in, &mo_state_numbers, &p->dt, 1);
}

void mo_restore_kept_problem(mo_restore *r) {
  mo_kept_step *kept = &r->world->kept;
  mo_row_problem *p = &r->world->last_step.problem;
  if (!mo_restore_is_good(r) || !kept->is_valid) {
    return;
  }
  p->body_count = kept->body_count;
  read_problem(r, p);
  kept->contacts = take(r, p->block_count, sizeof *kept->contacts);
  kept->points = take(r, p->block_count, sizeof *kept->points);
  kept->rows.packed.changes = take(r, p->body_count, sizeof(mo_velocity));
  kept->rows.packed.directions = take(r, p->body_count, sizeof(mo_velocity));
  if (kept->rows.packed.directions) {
    mo_contact_lanes *lanes = &kept->rows.packed.lanes;
    mo_read_records(&r->in, &mo_state_words, kept->contacts, p->block_count);
    mo_read_records(&r->in, &mo_state_words, kept->points, p->block_count);
    mo_read_records(&r->in, &packed_record, lanes->manifolds, lanes->count);
    mo_read_records(&r->in, &solve_record, lanes->manifolds, lanes->count);
    check_problem(r, p);
  }
}
