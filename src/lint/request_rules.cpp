#include "lint/request_rules.h"

#include "lint/request_check.h"

namespace strata::lint {
namespace {

using catalogue::Findings;
using catalogue::Rule;
using catalogue::Severity;

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
    checkModel();
    checkNames(request_, "", gemini::ObjectKind::kRequest);
    checkArray(gemini::field(request_, "contents"), "/contents", "contents",
               "an array of Contents");
    checkList(gemini::field(request_, "safetySettings"), pathOf(request_, "", "safetySettings"),
              "safetySettings");
    checkSystemInstruction();
    if (isSet(gemini::field(request_, "cachedContent"))) checkCache();
  }

 private:
  // Reports a model that another one serves, or that is no longer served.
  void checkModel() {
    const catalogue::Target& target = context_.target;
    const catalogue::ServedModel served =
        target.catalogue->resolve(context_.model, target.service());
    const std::string model(catalogue::bareModelName(context_.model));
    if (served.route != nullptr) add(Rule::kModelRouted, "", model, std::string(served.name));
    if (target.model->retired <= target.day) add(Rule::kModelRetired, "", model);
  }

  void checkSystemInstruction() {
    const json::Value instruction = gemini::field(request_, "systemInstruction");
    if (!isSet(instruction)) return;
    const std::string path = pathOf(request_, "", "systemInstruction");
    if (!instruction.isObject()) {
      add(Rule::kFieldInvalid, path, "systemInstruction", "a Content");
      return;
    }
    const json::Value parts = gemini::field(instruction, "parts");
    const std::string partsPath = pathOf(instruction, path, "parts");
    if (parts.size() == 0) {
      add(Rule::kFieldInvalid, partsPath, "systemInstruction.parts", "text Parts");
    }
    // The API reference says text only, but no refusal of other Parts is on record.
    size_t index = 0;
    for (const json::Value part : json::elements(parts)) {
      const std::string partPath = partsPath + "/" + std::to_string(index++);
      if (gemini::field(part, "text").isString()) continue;
      add(Rule::kFieldInvalid, partPath, "a Part of systemInstruction", "text").severityCap =
          Severity::kWarning;
    }
  }

  void checkCache() {
    for (const std::string_view name : {"systemInstruction", "tools", "toolConfig"}) {
      if (isSet(gemini::field(request_, name))) {
        add(Rule::kCacheForbiddenFields, pathOf(request_, "", name), std::string(name));
      }
    }
    const std::string model(catalogue::bareModelName(context_.model));
    const std::string path = pathOf(request_, "", "cachedContent");
    if (!context_.target.model->explicitCache) add(Rule::kCacheUnsupportedModel, path, model);
    if (context_.cacheModel) {
      const std::string cached(catalogue::bareModelName(*context_.cacheModel));
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

}  // namespace strata::lint
