// Why this file exists: no formula knows a model's tokenizer, and every answer tells what it
// counted: so an estimate learns from the ones before it.
#pragma once

#include "tokens/estimate.h"

namespace strata::tokens {

/// How many tokens a model counts for each that is estimated. A plain value, for a caller to keep.
struct Calibration {
  double text = 1;
  double data = 1;
  double seen = 0;  ///< Counts that it has learned from.
};

/// The estimate as it is corrected.
double corrected(const Measure& measure, const Calibration& calibration);

/// Learns that the API counted `tokens` for what was measured, thoughts aside. A single count moves
/// much at first and little later, and never so far that it could not be mended.
void learn(Calibration& calibration, Measure measure, double tokens);

}  // namespace strata::tokens
