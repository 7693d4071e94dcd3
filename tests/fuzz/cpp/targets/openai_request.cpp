// Converts any text as a request of OpenAI's API, and checks that the result is a body with
// contents, or an error that is reported.
#include "dialects/openai_request.h"

#include "fuzz/cpp/checks.h"

namespace strata::fuzz {
namespace {

// The first line chooses the service and whether the model is given.
void run(std::string_view bytes) {
  Input input(bytes);
  Input choices(input.line());
  static const catalogue::Catalogue kCatalogue;
  dialects::OpenAiRequestOptions options;
  if (choices.flag()) options.model = "gemini-2.5-flash";
  if (choices.flag()) options.service.backend = gemini::Backend::kVertex;
  const std::string_view text = input.rest();
  const auto request = dialects::convertOpenAiRequest(text, options, kCatalogue);
  if (!request) return requireLocated(request.error(), text);
  const dialects::OpenAiRequest& converted = request.value();
  if (converted.refusal) {
    require(converted.target.severity(*converted.refusal) == catalogue::Severity::kError,
            "a refusal is an error", text);
    return requireReport({*converted.refusal}, converted.target);
  }
  requireReport(converted.notes, converted.target);
  const test::Json body(converted.body);
  require(body.ok(), "a converted body is JSON", converted.body);
  require(body.root().find("contents").size() > 0, "a converted body has contents", converted.body);
}

const Registration kTarget("openai_request", run);

}  // namespace
}  // namespace strata::fuzz
