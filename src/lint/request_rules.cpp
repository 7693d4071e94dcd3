#include "history/request_rules.h"

#include "history/request_check.h"

namespace strata::history {
namespace {

using rules::Findings;
using rules::Rule;
using rules::Severity;

class BodyCheck : public RequestCheck {
 public:
  using RequestCheck::RequestCheck;

  void run(size_t bytes) {
    if (bytes > kMaxRequestBytes) {
      add(Rule::kSizeTooLarge, "", std::to_string(bytes), std::to_string(kMaxRequestBytes));
    }
    if (!request_.isObject()) {
      add(Rule::kFieldInvalid, "", "the request", "an object");
      return;
    }
    checkNames(request_, "", ObjectKind::kRequest);
    checkArray(field(request_, "contents"), "/contents", "contents", "an array of Contents");
    checkList(field(request_, "safetySettings"), pathOf(request_, "", "safetySettings"),
              "safetySettings");
    checkSystemInstruction();
    if (isSet(field(request_, "cachedContent"))) checkCache();
  }

 private:
  void checkSystemInstruction() {
    const json::Value instruction = field(request_, "systemInstruction");
    if (!isSet(instruction)) return;
    const std::string path = pathOf(request_, "", "systemInstruction");
    if (!instruction.isObject()) {
      add(Rule::kFieldInvalid, path, "systemInstruction", "a Content");
      return;
    }
    const json::Value parts = field(instruction, "parts");
    const std::string within = pathOf(instruction, path, "parts");
    if (parts.size() == 0) {
      add(Rule::kFieldInvalid, within, "systemInstruction.parts", "text Parts");
    }
    // The reference says text only; no answer that refuses anything else is on record.
    size_t index = 0;
    for (const json::Value part : json::elements(parts)) {
      const std::string at = within + "/" + std::to_string(index++);
      if (field(part, "text").isString()) continue;
      add(Rule::kFieldInvalid, at, "a Part of systemInstruction", "text").atMost =
          Severity::kWarning;
    }
  }

  void checkCache() {
    for (const std::string_view name : {"systemInstruction", "tools", "toolConfig"}) {
      if (isSet(field(request_, name))) {
        add(Rule::kCacheForbiddenFields, pathOf(request_, "", name), std::string(name));
      }
    }
    const std::string model(rules::bareModelName(context_.model));
    const std::string path = pathOf(request_, "", "cachedContent");
    if (!context_.target.model->explicitCache) add(Rule::kCacheUnsupportedModel, path, model);
    if (context_.cacheModel) {
      const std::string cached(rules::bareModelName(*context_.cacheModel));
      if (cached != model) add(Rule::kCacheModelMismatch, path, model, cached);
    }
    const uint32_t minimum = context_.target.model->cacheMinimum;
    if (context_.cacheTokens >= 0 && context_.cacheTokens < minimum) {
      add(Rule::kCacheTooSmall, path, std::to_string(context_.cacheTokens),
          std::to_string(minimum));
    }
  }
};

}  // namespace

void checkRequest(json::Value request, size_t bytes, const LintContext& context,
                  Findings& findings) {
  BodyCheck(request, context, findings).run(bytes);
  if (!request.isObject()) return;
  checkTools(request, context, findings);
  checkGenerationConfig(request, context, findings);
}

}  // namespace strata::history
