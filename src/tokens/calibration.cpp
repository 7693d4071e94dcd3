#include "tokens/calibration.h"

#include <algorithm>

namespace strata::tokens {
namespace {

constexpr double kLeast = 0.25;
constexpr double kMost = 4;
constexpr double kSlowest = 0.3;  // of an error is taken in, however much was seen

}  // namespace

double corrected(const Measure& measure, const Calibration& calibration) {
  const double words = measure.text + measure.thoughts;
  return words * calibration.text + measure.data * calibration.data + measure.media;
}

// Normalised least mean squares: the error is shared out by what each kind contributed.
void learn(Calibration& calibration, Measure measure, double tokens) {
  measure.thoughts = 0;
  const double power = measure.text * measure.text + measure.data * measure.data;
  if (power <= 0 || tokens <= 0) return;
  const double error = tokens - corrected(measure, calibration);
  const double rate = std::max(kSlowest, 1 / (1.5 + calibration.seen));
  const double step = rate * error / power;
  calibration.text = std::clamp(calibration.text + step * measure.text, kLeast, kMost);
  calibration.data = std::clamp(calibration.data + step * measure.data, kLeast, kMost);
  ++calibration.seen;
}

}  // namespace strata::tokens
