#include "geometry/qhull_adapter.h"

#include "libqhull_r/qhull_ra.h"

#include "geometry/qhull_session.h"
#include "memory/allocator.h"

#define DIMENSION 3

_Static_assert(sizeof(mo_vec3) == DIMENSION * sizeof(coordT),
               "Qhull reads points as rows of coordinates");

static uint32_t point_index(const qhT *qh, const vertexT *vertex) {
  return (uint32_t)((vertex->point - qh->first_point) / DIMENSION);
}

// Chains the ridges of a merged facet, which are edges without direction, into one loop. Writes
// `count` point indices.
static bool chain_ridges(const qhT *qh, const facetT *facet, uint32_t count, uint32_t *loop) {
  ridgeT **ridges = SETaddr_(facet->ridges, ridgeT);
  const vertexT *at = SETfirstt_(ridges[0]->vertices, vertexT);
  for (uint32_t i = 0; i < count; i++) {
    // Ridges before i are used. This is quadratic, but facets with many corners are rare.
    uint32_t next = i;
    while (next < count && SETfirstt_(ridges[next]->vertices, vertexT) != at &&
           SETsecondt_(ridges[next]->vertices, vertexT) != at) {
      next++;
    }
    if (next == count) {
      return false;
    }
    ridgeT *ridge = ridges[next];
    ridges[next] = ridges[i];
    ridges[i] = ridge;
    loop[i] = point_index(qh, at);
    const vertexT *first = SETfirstt_(ridge->vertices, vertexT);
    at = first == at ? SETsecondt_(ridge->vertices, vertexT) : first;
  }
  return point_index(qh, at) == loop[0];
}

static uint32_t corner_count(qhT *qh, const facetT *facet) {
  return (uint32_t)qh_setsize(qh, facet->simplicial ? facet->vertices : facet->ridges);
}

// Copies the facets out of Qhull's lists. Returns MO_ERROR_HULL_QHULL if a facet is no polygon.
static mo_result read_facets(qhT *qh, mo_polygons *out) {
  const facetT *facet;
  uint32_t facet_count = 0, entry_count = 0;
  for (facet = qh->facet_list; facet && facet->next; facet = facet->next) {
    facet_count++;
    entry_count += corner_count(qh, facet);
  }
  if (!mo_polygons_allocate(out, facet_count, entry_count)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  uint32_t entry = 0, *start = out->starts;
  for (facet = qh->facet_list; facet && facet->next; facet = facet->next) {
    uint32_t count = corner_count(qh, facet);
    *start++ = entry;
    if (facet->simplicial && count == DIMENSION) {
      vertexT **corners = SETaddr_(facet->vertices, vertexT);
      for (uint32_t i = 0; i < count; i++) {
        out->loops[entry + i] = point_index(qh, corners[i]);
      }
    } else if (count < DIMENSION || !chain_ridges(qh, facet, count, out->loops + entry)) {
      return MO_ERROR_HULL_QHULL;
    }
    entry += count;
  }
  *start = entry;
  return MO_OK;
}

// Builds the hull in *qh, or ends by longjmp.
static void build(qhT *qh, const mo_vec3 *points, uint32_t count) {
  // Nothing is written to this file, but Qhull requires one.
  FILE *nowhere = (FILE *)(void *)qh;
  qh_meminit(qh, nowhere);
  qh_initqhull_start(qh, NULL, NULL, nowhere);
  // This replaces qh_init_B, which reads a command line. The options are constants
  // (cmake/qhull_trim.cmake), except this one, which Qhull clears at the first facet that is not
  // clearly convex. Two differ from Qhull's defaults. Q12: facets that merging made wide are
  // allowed, because the planes and checks here decide on them. Q5: the distance of interior points
  // to merged facets is not measured.
  qh->ZEROall_ok = True;
  // Qhull does not declare its points const, but changes them only for options that are not set
  // here.
  qh->first_point = (coordT *)(uintptr_t)points;
  qh->num_points = (int)count;
  qh_initqhull_mem(qh);
  qh_initqhull_buffers(qh);
  qh_qhull(qh);
}

mo_result mo_qhull_run(const mo_vec3 *points, uint32_t count, mo_polygons *facets, int *error) {
  *facets = (mo_polygons){0};
  *error = MO_QHULL_NO_SURFACE;
  mo_qhull_session *run = mo_allocate(sizeof *run);
  if (!run) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  run->blocks = NULL;
  run->out_of_memory = false;
  run->error = 0;

  // `result` is written after the setjmp and read after the longjmp, hence volatile (C17 7.13.2.1)
  volatile mo_result result = MO_ERROR_HULL_QHULL;
  if (setjmp(run->escape) == 0) {
    build(&run->qh, points, count);
    result = read_facets(&run->qh, facets);
  } else if (run->out_of_memory) {
    result = MO_ERROR_OUT_OF_MEMORY;
  }
  mo_qhull_release_all(run);
  if (run->error != 0) {
    *error = run->error;
  }
  mo_release(run);
  if (result != MO_OK) {
    mo_polygons_free(facets);
  }
  return result;
}
