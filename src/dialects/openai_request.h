// Converts a request of OpenAI's chat completions API to a generateContent request.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "catalogue/finding.h"
#include "catalogue/service.h"

namespace strata::dialects {

struct OpenAiRequestOptions {
  std::string model;  ///< In place of the request's; "" keeps it.
  catalogue::Service service;
};

/// A converted request. If `refusal` is set, the request has no equivalent, and the other members
/// are not to be used.
struct OpenAiRequest {
  std::string body;  ///< Of generateContent.
  std::string model;
  bool stream = false;
  bool includeUsage = false;
  /// The functions whose names Gemini refuses: the name that they have in the body, and the
  /// client's.
  std::vector<std::pair<std::string, std::string>> names;
  catalogue::Findings notes;  ///< What was changed or left out. Paths point into the request.
  std::optional<catalogue::Finding> refusal;
  catalogue::Target target;  ///< The model and service that notes are judged for.
};

/// Converts `bytes`. Errors: those of `json::Tape::read`. Complexity: O(bytes).
Result<OpenAiRequest> convertOpenAiRequest(std::string_view bytes,
                                           const OpenAiRequestOptions& options,
                                           const catalogue::Catalogue& catalogue);

}  // namespace strata::dialects
