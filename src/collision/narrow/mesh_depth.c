/// Convex shapes that are deep in a mesh: on which side they are, and where they get out.
#include "collision/narrow/feature.h"
#include "collision/narrow/mesh_pair.h"

// A shape that reaches this part as far to the front of a triangle as to its back is pushed to the
// front, which is the outside of most meshes, even if the way to the back is shorter by the rest.
#define FRONT_PART 0.7

// The height over a triangle of the point of the core that is furthest in a direction.
static double height_of(const mo_mesh_pair *pair, const mo_mesh_facet *facet, mo_vec3 direction,
                        mo_vec3 *furthest) {
  *furthest = mo_mesh_core_support(pair, direction);
  return mo_dot(facet->normal, mo_sub(*furthest, facet->at.corners[0]));
}

bool mo_mesh_is_behind(const mo_mesh_pair *pair, const mo_mesh_facet *facet) {
  if (pair->fronts_only && !pair->mesh->is_one_sided) {
    return true;
  }
  mo_vec3 point;
  double radius = pair->convex->core.radius;
  double front = height_of(pair, facet, facet->normal, &point) + radius;
  double back = radius - height_of(pair, facet, mo_neg(facet->normal), &point);
  return front < FRONT_PART * back;
}

void mo_mesh_note_way_out(mo_mesh_pair *pair, const mo_mesh_facet *facet) {
  mo_vec3 lowest;
  double height = height_of(pair, facet, mo_neg(facet->normal), &lowest);
  double separation = height - pair->convex->core.radius;
  if (!pair->has_way_out || separation > pair->way_out.separation) {
    pair->has_way_out = true;
    pair->way_out.normal = facet->normal;
    pair->way_out.position = mo_add_scaled(lowest, -height, facet->normal);
    pair->way_out.separation = separation;
    pair->way_out.feature_id = MO_FEATURE_ROUND;
    pair->way_out.is_deep = false; // it is the only contact
  }
}
