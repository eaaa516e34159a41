#include "solvers/block_pgs/kept_rows.h"

#include "math/scalar.h"
#include "solvers/block_pgs/lane_frame.h"

#define NUMBERS(member) MO_FIELD(mo_manifold_lanes, member, double)
#define WORDS(member) MO_FIELD(mo_manifold_lanes, member, uint32_t)

// All fields except those that follow from others when manifolds are packed, or that each solve
// sets.
static const mo_field kept_manifold_fields[] = {
    NUMBERS(normal), NUMBERS(tangent_1),  NUMBERS(tangent_2),     NUMBERS(arm_a),
    NUMBERS(arm_b),  NUMBERS(points),     NUMBERS(weights),       NUMBERS(friction),
    NUMBERS(gaps),   NUMBERS(first_gaps), NUMBERS(normal_biases), NUMBERS(impulses),
    WORDS(body_a),   WORDS(body_b),       WORDS(first_block),     WORDS(lane_points),
};
const mo_record_type mo_kept_manifold_record = MO_RECORD(mo_manifold_lanes, kept_manifold_fields);

double mo_least_gap(const mo_row_problem *problem) {
  double least = INFINITY;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    least = mo_min(least, problem->rows[problem->blocks[i].first_row].gap);
  }
  return least;
}

// --- updating --------------------------------------------------------------------------------

static void write_gaps(const mo_manifold_lanes *m, mo_row_problem *problem) {
  for (int lane = 0; lane < MO_LANES; lane++) {
    for (uint32_t k = 0; k < m->lane_points[lane]; k++) {
      mo_row *row = &problem->rows[problem->blocks[m->first_block[lane] + k].first_row];
      row->gap = m->gaps[k][lane];
      row->bias = row->plastic_bias = m->normal_biases[k][lane];
    }
  }
}

// Updates the gaps of two manifolds. Returns whether their biases stay the same, except those of
// points that are left out and stay so.
static bool update_gaps(mo_manifold_lanes *m, const mo_velocity *displacements,
                        const mo_contact_settings *settings, double *least_gap) {
  mo_motion_lanes a = mo_load_motion(displacements, m->body_a),
                  b = mo_load_motion(displacements, m->body_b);
  mo_motion_lanes displacement = mo_relative_motion(m, &a, &b);
  bool same = true;
  for (int k = 0; k < MO_LANE_POINTS; k++) {
    m->gaps[k] = m->first_gaps[k] + mo_point_velocity(m, &displacement, k).x;
    for (int lane = 0; lane < MO_LANES; lane++) {
      if ((uint32_t)k < m->lane_points[lane]) {
        double bias = mo_contact_bias(m->gaps[k][lane], settings);
        same = same &&
               (bias == m->normal_biases[k][lane] || (bias > 0.0 && m->weights[k][lane] == 0.0));
        m->normal_biases[k][lane] = bias;
        *least_gap = mo_min(*least_gap, m->gaps[k][lane]);
      }
    }
  }
  return same;
}

// Notes the impulses, which are all of the solver's working data that the next step uses. Returns
// false without memory, like the next function.
static bool note_motion(mo_journal *journal, mo_manifold_lanes *m) {
  if (!mo_journal_reserve(journal,
                          3 * MO_NOTE_BYTES(sizeof m->impulses))) { // the largest of the three
    return false;
  }
  MO_NOTE(journal, m->normal_biases);
  MO_NOTE(journal, m->gaps);
  MO_NOTE(journal, m->impulses);
  return true;
}

// Notes all of two manifolds that are packed again, and their rows, which are written first.
static bool note_all(mo_journal *journal, mo_manifold_lanes *m, const mo_row_problem *problem) {
  const size_t rows = (size_t)MO_LANES * MO_LANE_POINTS * MO_BLOCK_ROWS;
  if (!mo_journal_reserve(journal,
                          MO_NOTE_BYTES(sizeof *m) + rows * MO_NOTE_BYTES(sizeof(mo_row)))) {
    return false;
  }
  MO_NOTE(journal, *m);
  for (int lane = 0; lane < MO_LANES; lane++) {
    for (uint32_t k = 0; k < m->lane_points[lane]; k++) {
      const mo_row_block *block = &problem->blocks[m->first_block[lane] + k];
      for (uint32_t r = 0; r < block->row_count; r++) {
        MO_NOTE(journal, problem->rows[block->first_row + r]);
      }
    }
  }
  return true;
}

bool mo_kept_rows_refresh(mo_kept_rows *kept, mo_row_problem *problem,
                          const mo_velocity *displacements, const mo_contact_settings *settings,
                          double misfit, mo_journal *journal) {
  kept->is_ahead = true;
  kept->least_gap = INFINITY;
  for (uint32_t i = 0; i < kept->packed.lanes.count; i++) {
    mo_manifold_lanes *m = &kept->packed.lanes.manifolds[i];
    if (!note_motion(journal, m)) {
      return false;
    }
    if (!update_gaps(m, displacements, settings, &kept->least_gap)) {
      if (!note_all(journal, m, problem)) {
        return false;
      }
      mo_manifold_lanes_write(m, problem);
      write_gaps(m, problem);
      mo_manifold_lanes_repack(problem, misfit, m);
    }
  }
  return true;
}

// --- results ---------------------------------------------------------------------------------

static bool pushes(const mo_manifold_lanes *m, int lane) {
  double sum = 0.0;
  for (int k = 0; k < MO_LANE_POINTS; k++) {
    sum += m->impulses[k].x[lane];
  }
  return sum > 0.0;
}

void mo_kept_rows_mark_pushed(const mo_kept_rows *kept, uint8_t *marks, uint8_t mark) {
  for (uint32_t i = 0; i < kept->packed.lanes.count; i++) {
    const mo_manifold_lanes *m = &kept->packed.lanes.manifolds[i];
    for (int lane = 0; lane < MO_LANES; lane++) {
      if (pushes(m, lane)) {
        marks[m->body_a[lane]] = marks[m->body_b[lane]] = mark;
      }
    }
  }
}

static mo_vec3 in_lane(mo_vec3x2 v, int lane) { return mo_v3(v.x[lane], v.y[lane], v.z[lane]); }

static mo_kept_point point_at(const mo_manifold_lanes *m, int lane, uint32_t k) {
  mo_vec3 impulse = in_lane(m->impulses[k], lane);
  mo_vec3 along_1 = mo_scale(impulse.y, in_lane(m->tangent_1, lane));
  return (mo_kept_point){.block = m->first_block[lane] + k,
                         .separation = m->gaps[k][lane],
                         .normal_impulse = impulse.x,
                         .tangent_impulse =
                             mo_add_scaled(along_1, impulse.z, in_lane(m->tangent_2, lane))};
}

void mo_kept_rows_visit_points(const mo_kept_rows *kept, mo_kept_point_function *function,
                               void *context) {
  for (uint32_t i = 0; i < kept->packed.lanes.count; i++) {
    const mo_manifold_lanes *m = &kept->packed.lanes.manifolds[i];
    for (int lane = 0; lane < MO_LANES; lane++) {
      for (uint32_t k = 0; k < m->lane_points[lane]; k++) {
        mo_kept_point point = point_at(m, lane, k);
        function(context, &point);
      }
    }
  }
}

void mo_kept_rows_write_down(mo_kept_rows *kept, mo_row_problem *problem) {
  for (uint32_t i = 0; kept->is_ahead && i < kept->packed.lanes.count; i++) {
    mo_manifold_lanes_write(&kept->packed.lanes.manifolds[i], problem);
    write_gaps(&kept->packed.lanes.manifolds[i], problem);
  }
  kept->is_ahead = false;
}
