#include "lint/request_rules.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/plain_text.h"
#include "gemini/content_view.h"
#include "gemini/proto_integer.h"
#include "json/pointer.h"
#include "lint/content_rules.h"
#include "lint/media_rules.h"
#include "lint/request_check.h"
#include "lint/surrogates.h"

namespace strata::lint {
namespace {

using catalogue::Findings;
using catalogue::Rule;
using catalogue::Severity;

class BodyCheck : public RequestCheck {
 public:
  BodyCheck(json::Value request, BodyKind kind, const LintContext& context, Findings& findings)
      : RequestCheck(request, context, findings), kind_(kind) {}

  void run(size_t bytes) {
    if (bytes > kMaxRequestBytes) {
      add(Rule::kSizeTooLarge, "", std::to_string(bytes), std::to_string(kMaxRequestBytes));
    }
    if (!request_.isObject()) {
      add(Rule::kFieldInvalid, "", "the request", "an object");
      return;
    }
    checkModel();
    const bool cache = kind_ == BodyKind::kCachedContent;
    checkNames(request_, "",
               cache ? gemini::ObjectKind::kCachedContent : gemini::ObjectKind::kRequest);
    checkList(gemini::field(request_, "contents"), "/contents", "contents", "an array of Contents");
    checkSafetySettings(gemini::field(request_, "safetySettings"),
                        pathOf(request_, "", "safetySettings"));
    checkSystemInstruction();
    checkTurns();
    checkTexts();
    if (isSet(gemini::field(request_, "cachedContent"))) checkCache();
    if (cache) checkNewCache(bytes);
  }

 private:
  // Reports a model that another one serves, or that generateContent does not serve.
  void checkModel() {
    const catalogue::Target& target = context_.target;
    const catalogue::ServedModel served =
        target.catalogue->resolve(context_.model, target.service());
    const std::string model(catalogue::bareModelName(context_.model));
    if (served.route != nullptr) add(Rule::kModelRouted, "", model, std::string(served.name));
    const catalogue::ModelRow& row = *target.model;
    if (row.retired <= target.day)
      add(Rule::kModelRetired, "", model, catalogue::dayText(row.retired));
    if (row.api != catalogue::Api::kGenerate) add(Rule::kModelOtherApi, "", model, apiOf(row));
    const std::string_view near = target.catalogue->nearestModel(model);
    if (!near.empty()) add(Rule::kModelMisspelled, "", model, near);
  }

  static std::string_view apiOf(const catalogue::ModelRow& row) {
    if (row.api == catalogue::Api::kLive) return "the Live API";
    return row.api == catalogue::Api::kEmbed ? "embedContent" : "the Interactions API";
  }

  // Looks for lone surrogates outside of `contents`, whose Contents are checked one by one.
  void checkTexts() {
    const json::Value contents = gemini::field(request_, "contents");
    for (const json::Member member : json::members(request_)) {
      if (member.value != contents) checkSurrogates(member, {}, findings_);
    }
  }

  void checkSafetySettings(json::Value settings, const std::string& path) {
    static constexpr std::string_view kThresholds[] = {"OFF",
                                                       "BLOCK_NONE",
                                                       "BLOCK_ONLY_HIGH",
                                                       "BLOCK_MEDIUM_AND_ABOVE",
                                                       "BLOCK_LOW_AND_ABOVE",
                                                       "HARM_BLOCK_THRESHOLD_UNSPECIFIED"};
    checkList(settings, path, "safetySettings");
    size_t index = 0;
    for (const json::Value setting : gemini::repeated(settings)) {
      const std::string here = elementPath(settings, path, index);
      if (checkObject(setting, here, "a safety setting", gemini::ObjectKind::kSafetySetting)) {
        checkCategory(setting, here, index);
        checkEnum(setting, here, "threshold", kThresholds);
      }
      ++index;
    }
  }

  void checkCategory(json::Value setting, const std::string& path, size_t index) {
    const json::Value category = gemini::field(setting, "category");
    const size_t known = categoryIndex(category);
    if (known == kCategories.size()) return checkEnum(setting, path, "category", kCategories);
    const bool vertex = context_.target.backend == gemini::Backend::kVertex;
    if (vertex ? known < kFirstOfPalm : known < kFirstOfVertex) return;
    const std::string place = "safety_settings[" + std::to_string(index) + "]";
    const std::string name(category.isString() ? category.text() : kCategories[known]);
    addAt(Rule::kSafetyCategoryUnsupported, setting, path, "category", name,
          known < kFirstOfPalm ? "Invalid value at '" + place + ".category' (" +
                                     std::string(kCategoryType) + "), \"" + name + "\""
                               : "* GenerateContentRequest." + place + std::string(kPredicate));
  }

  // Returns the index of a category, or the number of categories for a value that is none.
  // ProtoJSON also takes numbers, which the services count differently.
  size_t categoryIndex(json::Value category) const {
    if (!isSet(category)) return kUnspecified;
    if (category.isNumber()) {
      const std::optional<int64_t> number = gemini::protoInteger(category);
      const bool vertex = context_.target.backend == gemini::Backend::kVertex;
      if (number == 0) return kUnspecified;
      const bool isOfPalm = !vertex && number && *number >= 1 && *number <= 6;
      return isOfPalm ? kFirstOfPalm + static_cast<size_t>(*number) - 1 : 0;
    }
    const std::string upper = ascii::upperCase(category.text());
    return static_cast<size_t>(std::find(kCategories.begin(), kCategories.end(), upper) -
                               kCategories.begin());
  }

  // Those of both services, then those of Vertex AI, then those of no service: of PaLM by number.
  static constexpr std::array<std::string_view, 17> kCategories = {
      "HARM_CATEGORY_HARASSMENT",        "HARM_CATEGORY_HATE_SPEECH",
      "HARM_CATEGORY_SEXUALLY_EXPLICIT", "HARM_CATEGORY_DANGEROUS_CONTENT",
      "HARM_CATEGORY_CIVIC_INTEGRITY",   "HARM_CATEGORY_JAILBREAK",
      "HARM_CATEGORY_IMAGE_HATE",        "HARM_CATEGORY_IMAGE_DANGEROUS_CONTENT",
      "HARM_CATEGORY_IMAGE_HARASSMENT",  "HARM_CATEGORY_IMAGE_SEXUALLY_EXPLICIT",
      "HARM_CATEGORY_DEROGATORY",        "HARM_CATEGORY_TOXICITY",
      "HARM_CATEGORY_VIOLENCE",          "HARM_CATEGORY_SEXUAL",
      "HARM_CATEGORY_MEDICAL",           "HARM_CATEGORY_DANGEROUS",
      "HARM_CATEGORY_UNSPECIFIED"};
  static constexpr size_t kFirstOfVertex = 5;
  static constexpr size_t kFirstOfPalm = 10;
  static constexpr size_t kUnspecified = 16;
  static constexpr std::string_view kCategoryType =
      "type.googleapis.com/google.ai.generativelanguage.v1beta.HarmCategory";
  static constexpr std::string_view kPredicate =
      ": element predicate failed: $.category in (HarmCategory.HARM_CATEGORY_HATE_SPEECH, "
      "HarmCategory.HARM_CATEGORY_SEXUALLY_EXPLICIT, HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT, "
      "HarmCategory.HARM_CATEGORY_HARASSMENT, HarmCategory.HARM_CATEGORY_CIVIC_INTEGRITY)";

  // A model for speech answers the first Content only. Of several Contents without an answer of the
  // model, no refusal is on record.
  void checkTurns() {
    if (!context_.target.model->refuses(catalogue::Feature::kMultiTurn)) return;
    const json::Value contents = gemini::field(request_, "contents");
    if (gemini::repeatedSize(contents) < 2) return;
    catalogue::Finding& finding =
        addAt(Rule::kContentsMultiTurnUnsupported, request_, "", "contents", model());
    for (const json::Value content : gemini::repeated(contents)) {
      if (gemini::field(content, "role").equals("model")) return;
    }
    finding.severityCap = Severity::kWarning;
  }

  void checkSystemInstruction() {
    const json::Value instruction = gemini::field(request_, "systemInstruction");
    if (!isSet(instruction)) return;
    const std::string path = pathOf(request_, "", "systemInstruction");
    if (!instruction.isObject()) {
      add(Rule::kFieldInvalid, path, "systemInstruction", "a Content");
      return;
    }
    if (context_.target.model->refuses(catalogue::Feature::kSystemInstruction))
      add(Rule::kConfigInstructionUnsupported, path, model());
    gemini::ContentView view;
    view.read(instruction);
    if (view.unknownKey) checkInstructionFields(instruction, path, false);
    const std::string partsPath = pathOf(instruction, path, "parts");
    // The API reference says text only. Of no Parts and of other data, no refusal is on record.
    if (view.partViews.empty()) {
      add(Rule::kFieldInvalid, partsPath, "systemInstruction.parts", "text Parts").severityCap =
          Severity::kWarning;
    }
    size_t index = 0;
    for (const gemini::PartView& part : view.partViews) {
      checkInstructionPart(part, elementPath(view.parts, partsPath, index++));
    }
  }

  void checkInstructionPart(const gemini::PartView& part, const std::string& path) {
    if (part.unknownKey) checkInstructionFields(part.part, path, true);
    if (part.kind == gemini::PartKind::kText && part.data.isString()) return;
    checkInstructionMedia(part, path);
    catalogue::Finding& finding =
        add(Rule::kFieldInvalid, path, "a Part of systemInstruction", "text");
    // A Part without data is refused: QuantumNous/new-api#1017, CherryHQ/cherry-studio#4859.
    const bool isEmpty = part.part.isObject() && !part.hasData() && !part.isAnnotation();
    if (!isEmpty) finding.severityCap = Severity::kWarning;
  }

  void checkInstructionMedia(const gemini::PartView& part, const std::string& path) {
    if (!gemini::isMediaKind(part.kind) || !part.data.isObject()) return;
    catalogue::Finding location{};
    location.path = path + "/" + part.dataKey.text();
    checkMedia(part.data, part.kind, MediaPlace::kUser, location, context_.target, findings_);
  }

  // Reports the fields that a Content or a Part does not have.
  void checkInstructionFields(json::Value object, const std::string& path, bool isPart) {
    for (const json::Member member : json::members(object)) {
      const json::Value key = member.key;
      if (isKnownField(key, isPart)) continue;
      std::string location = path;
      json::appendPointer(location, key.text());
      catalogue::Finding& finding = add(Rule::kFieldUnknown, std::move(location), key.text());
      if (!isRefusedName(key)) finding.severityCap = Severity::kWarning;
    }
  }

  void checkCache() {
    for (const std::string_view name : {"systemInstruction", "tools", "toolConfig"}) {
      if (isSet(gemini::field(request_, name))) {
        addAt(Rule::kCacheForbiddenFields, request_, "", name, name);
      }
    }
    const std::string path = pathOf(request_, "", "cachedContent");
    checkCacheName(gemini::field(request_, "cachedContent").text(), path);
    const std::string_view model = this->model();
    if (!context_.target.model->explicitCache) add(Rule::kCacheUnsupportedModel, path, model);
    if (context_.cacheModel) {
      const std::string_view cached = catalogue::bareModelName(*context_.cacheModel);
      if (cached != model) add(Rule::kCacheModelMismatch, path, model, cached);
    }
    const uint32_t minimum = context_.target.model->cacheMinimum;
    if (context_.cacheTokens >= 0 && context_.cacheTokens < minimum) {
      add(Rule::kCacheTooSmall, path, std::to_string(context_.cacheTokens),
          std::to_string(minimum));
    }
  }

  // The Gemini API names caches "cachedContents/{id}"; on Vertex AI a path precedes this.
  void checkCacheName(const std::string& name, const std::string& path) {
    constexpr std::string_view kPrefix = "cachedContents/";
    const size_t at = name.find(kPrefix);
    const bool vertex = context_.target.backend == gemini::Backend::kVertex;
    const bool valid = at != std::string::npos && at + kPrefix.size() < name.size();
    if (valid && (at == 0 || vertex)) return;
    add(Rule::kCacheNameInvalid, path, firstCharacters(name, 80));
  }

  // Checks what a body of cachedContents.create can show. A token has at least one byte, so a body
  // shorter than the minimum is certainly too small; files are not in the body.
  void checkNewCache(size_t bytes) {
    const catalogue::ModelRow& row = *context_.target.model;
    if (!row.explicitCache) add(Rule::kCacheUnsupportedModel, "", model());
    const bool files = request_.bytes().find("ileUri") != std::string_view::npos ||
                       request_.bytes().find("ile_uri") != std::string_view::npos;
    if (files || bytes >= row.cacheMinimum) return;
    constexpr size_t kBytesPerToken = 4;
    add(Rule::kCacheTooSmall, "", std::to_string(bytes / kBytesPerToken),
        std::to_string(row.cacheMinimum));
  }

  BodyKind kind_;
};

}  // namespace

void checkRequest(json::Value request, BodyKind kind, size_t bytes, const LintContext& context,
                  Findings& findings) {
  BodyCheck(request, kind, context, findings).run(bytes);
  if (!request.isObject()) return;
  checkTools(request, context, findings);
  checkGenerationConfig(request, context, findings);
  checkSchemas(request, context, findings);
}

}  // namespace strata::lint
