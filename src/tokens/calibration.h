// Corrects token estimates with the counts that the API reports.
#pragma once

#include "tokens/estimate.h"

namespace strata::tokens {

/// Factors by which a model's counts differ from the estimates. A plain value that the caller
/// keeps.
struct Calibration {
  double text = 1;
  double data = 1;
  double seen = 0;  ///< The number of counts learned from.
};

/// Returns the estimate in tokens, corrected by `calibration`. Media are not corrected.
double corrected(const Measure& measure, const Calibration& calibration);

/// Updates `calibration` with the API's count of `tokens` for what was measured, without thoughts.
/// The first counts change the factors most. Factors stay between 0.25 and 4, so an outlier is
/// corrected by later counts. Does nothing if no text or data was measured or `tokens` is not
/// positive.
void learn(Calibration& calibration, Measure measure, double tokens);

}  // namespace strata::tokens
