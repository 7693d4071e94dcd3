// Declares what a module replies about models, tokens and schemas: the calls that talk and check
// have in common.
#pragma once

#include <string>

#include "core.h"
#include "tokens/calibration.h"

namespace strata::bindings {

/// Part 0: {"model":…,"backend":…,"now":…}. Replies ModelLimits.
void modelLimits(Core& core);
/// Estimates tokens. Part 0: plain text if part 2 sets `plain`, otherwise a Content or an array
/// of Contents. Part 1: EstimateOptions. Part 2: {"plain":…}. Replies {"tokens":n} or an error.
void estimate(Core& core);
/// Updates a calibration. Parts as in `estimate`, with the API's count as `tokens` in part 2.
/// Replies the calibration or an error.
void calibrate(Core& core);
/// Rewrites a JSON Schema (part 0) for a model. Part 1: {"model":…,"backend":…}. Replies
/// {"schema":…,"diagnostics":[…]}.
void schema(Core& core);

/// Reads {"text":…,"data":…,"seen":…}. All members are required.
tokens::Calibration readCalibration(json::OptionsReader& options);
/// Returns the same form.
std::string calibrationReply(const tokens::Calibration& calibration);

/// The options of `modelLimits` and `schema`.
struct ModelOptions {
  std::string model;
  catalogue::Service service;
};

/// Reads them from a part.
Result<ModelOptions> readModelOptions(const Exchange& exchange, size_t part);

}  // namespace strata::bindings
