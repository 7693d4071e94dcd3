#include "tokens/calibration.h"

#include <algorithm>

namespace strata::tokens {
namespace {

constexpr double kMinFactor = 0.25;
constexpr double kMaxFactor = 4;
constexpr double kMinRate = 0.3;  // share of each error that is always learned

}  // namespace

double corrected(const Measure& measure, const Calibration& calibration) {
  const double text = measure.text + measure.thoughts;
  return text * calibration.text + measure.data * calibration.data + measure.media;
}

// Normalized least mean squares: each factor changes by its contribution to the estimate.
void learn(Calibration& calibration, Measure measure, double tokens) {
  measure.thoughts = 0;
  const double power = measure.text * measure.text + measure.data * measure.data;
  if (power <= 0 || tokens <= 0) return;
  const double error = tokens - corrected(measure, calibration);
  const double rate = std::max(kMinRate, 1 / (1.5 + calibration.seen));
  const double step = rate * error / power;
  calibration.text = std::clamp(calibration.text + step * measure.text, kMinFactor, kMaxFactor);
  calibration.data = std::clamp(calibration.data + step * measure.data, kMinFactor, kMaxFactor);
  ++calibration.seen;
}

}  // namespace strata::tokens
