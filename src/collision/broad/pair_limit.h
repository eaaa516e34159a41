/// How many pairs a broad phase takes. Private to it.
///
/// A thousand bodies at one point make half a million pairs, and their memory grows with the square
/// of their number. No scene of solid bodies does: where shapes are outside of each other, only so
/// many have room around one that is no larger than they. So a broad phase with more pairs than 128
/// for each of its proxies lets each pair count at the smaller of its two proxies, and a proxy
/// takes pairs up to that number: first those with what does not move, since bodies lie on it, then
/// those whose boxes have the nearest middles. Shapes whose inner balls overlap cannot both be
/// there, and such a pair counts for 8.
///
/// Which pairs are refused depends on boxes and ids, not on the order in which they are found. The
/// proxies at which they would have counted stay in the move buffer, so that the next search finds
/// them again and takes them as soon as there is room.
#pragma once

#include "collision/broad/broad_phase_search.h"

/// Whether the running search refuses a pair without a look at the others, a < b: it comes after
/// one that its proxy refused.
bool mo_pair_limit_refuses(const mo_broad_phase *bp, uint32_t a, uint32_t b);
/// Whether the last search refused a pair that would have counted at the proxy.
static inline bool mo_pair_limit_is_crowded(const mo_broad_phase *bp, uint32_t proxy) {
  return bp->refused_from && bp->refused_from[proxy] != UINT64_MAX;
}
/// Part of a search, before the list of candidates grows: refuses those beyond the limit, if the
/// list has become much longer than that. Returns false without memory.
bool mo_pair_limit_make_room(const mo_pair_search *search);
/// The end of a search: the same for what was found since. Counts what was refused.
bool mo_pair_limit_apply(const mo_pair_search *search);
