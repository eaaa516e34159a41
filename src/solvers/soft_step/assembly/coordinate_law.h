/// The limits and drives of a coordinate as one law between its rate and the impulse on it.
///
/// Each part has w = speed - softening p for the rate w and its impulse p between two bounds. At a
/// bound it gives that impulse, whatever the rate: a motor as fast as it can be, a limit that is
/// not met. The sum over the parts falls as the rate grows, so that a line which rises meets it in
/// one point (a maximal monotone relation: Rockafellar 1970). There the law is a piece of a line,
/// which a linear system can hold: the active set method that takes the next piece in this way is
/// Newton's for such systems (Hintermueller, Ito and Kunisch 2002).
#pragma once

#include <stdbool.h>

#include "constraints/substep_joint.h"

/// In the order of the impulses of a coordinate; impulses push it up here, also those of the upper
/// limit, which are 0 or less.
enum { MO_LAW_PARTS = MO_SUBSTEP_COORDINATE_IMPULSES };

typedef struct mo_law_part {
  double speed;        ///< m/s or rad/s
  double softening;    ///< rate per impulse; 0: it holds the rate at `speed`
  double lower, upper; ///< N s or N m s; finite, equal: its impulse is given
} mo_law_part;

/// Where a law is a line: w = speed - softening p if it holds the rate, else p = impulse.
typedef struct mo_law_piece {
  bool is_held;
  double speed, softening, impulse;
} mo_law_piece;

/// Finds the piece on which a law meets the line of slope `mass` through a rate and an impulse.
/// @param mass kg or kg m^2, above 0
/// @param[out] impulses of the parts in the point where they meet
mo_law_piece mo_law_find(const mo_law_part parts[MO_LAW_PARTS], double rate, double impulse,
                         double mass, double impulses[MO_LAW_PARTS]);

static inline bool mo_law_pieces_are_equal(mo_law_piece a, mo_law_piece b) {
  return a.is_held == b.is_held && a.speed == b.speed && a.softening == b.softening &&
         a.impulse == b.impulse;
}
