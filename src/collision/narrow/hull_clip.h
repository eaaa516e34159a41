/// Clips a face of one hull against a face of another: the points of a contact, and their names.
#pragma once

#include "collision/narrow/hull_pair.h"
#include "collision/narrow/manifold_reduction.h"

/// The faces of both hulls in a contact, and the result of clipping them. All in the frame of the
/// reference hull.
typedef struct mo_face_contact {
  const mo_hull *reference, *incident;
  mo_transform incident_in_reference;
  double metre; ///< in the unit of all lengths here
  bool from_b;  ///< B is the reference
  uint32_t reference_face, incident_face;
  mo_vec3 normal;  ///< of the reference face, outwards
  double least;    ///< separation of the deepest point of the incident face over the reference face
  mo_vec3 deepest; ///< that point
  uint32_t deepest_name;
  int count; ///< of `candidates`: the points closer than the margin
  mo_contact_candidate candidates[MO_MAX_CANDIDATES];
  mo_vec3 incident_vertices[MO_MAX_CANDIDATES]; ///< of the incident face
} mo_face_contact;

/// Sets up a contact of a face of B (`from_b`) or A. The other face is the one around a vertex of
/// the other hull that is most opposed to it.
void mo_face_contact_begin(mo_face_contact *contact, const mo_hull_pair *pair, bool from_b,
                           uint32_t reference_face, uint32_t vertex);

/// Clips the incident face against the reference face (Sutherland and Hodgman 1974), and sets all
/// members from `least` on. If the face has more corners than there can be candidates, only every
/// second (or third, ...) is used.
void mo_clip_faces(mo_face_contact *contact, double margin);

/// Makes a manifold from a clipped contact, in the world. Feature ids are the same in every step,
/// whichever face was the reference.
/// @param reference placement of the reference hull
void mo_face_contact_points(const mo_face_contact *contact, const mo_transform *reference,
                            mo_manifold *out);

/// Names for mo_manifold_point.feature_id: a half-edge of each; a vertex of A that coincides with
/// one of B.
uint32_t mo_edges_name(const mo_hull *a, uint32_t edge_a, const mo_hull *b, uint32_t edge_b);
uint32_t mo_coinciding_name(uint32_t vertex_a, uint32_t vertex_b);
