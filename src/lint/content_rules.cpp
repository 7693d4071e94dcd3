#include "lint/content_rules.h"

#include <algorithm>
#include <array>

#include "base/heap_sort.h"
#include "base/keyed.h"
#include "base/plain_text.h"
#include "gemini/content_queries.h"
#include "json/pointer.h"
#include "lint/media_rules.h"
#include "lint/surrogates.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Rule;
using catalogue::Severity;

// Fields that clients add to Contents and Parts and that the API is known to refuse.
constexpr std::array<std::string_view, 6> kRefusedNames = {"id",        "timestamp", "callId",
                                                           "createdAt", "name",      "metadata"};
constexpr std::array<std::string_view, 6> kCallFields = {"id",          "name",         "args",
                                                         "partialArgs", "willContinue", ""};
constexpr std::array<std::string_view, 6> kResponseFields = {"id",    "name",         "response",
                                                             "parts", "willContinue", "scheduling"};

constexpr size_t kShownId = 40;

bool isOneOf(json::Value key, const std::array<std::string_view, 6>& names) {
  for (const std::string_view name : names) {
    if (!name.empty() && gemini::isField(key, name)) return true;
  }
  return false;
}

bool isSnakeCase(json::Member member) {
  return !member.value.isNull() && member.key.raw().find('_') != std::string_view::npos;
}

bool hasSnakeCase(json::Value object) {
  for (const json::Member member : json::members(object)) {
    if (isSnakeCase(member)) return true;
  }
  return false;
}

// Checks one Content. The members are the position and the output that all checks share.
class ContentCheck {
 public:
  ContentCheck(const gemini::ContentView& view, int32_t index, const catalogue::Target& target,
               const Provenance& from, catalogue::Findings& findings)
      : view_(view), index_(index), target_(target), from_(from), findings_(findings) {}

  void run() {
    if (!view_.content.isObject()) return addInvalid("", "a Content", "an object");
    checkRole();
    if (view_.unknownKey) checkUnknownFields(view_.content);
    if (view_.parts && !view_.parts.isArray() && !view_.parts.isObject())
      return addInvalid("/parts", "parts", "an array");
    if (view_.partViews.empty()) {
      add(Rule::kPartsEmpty);
      return;
    }
    for (part_ = 0; part_ < static_cast<int32_t>(view_.partViews.size()); ++part_) {
      const gemini::PartView& part = view_.partViews[static_cast<size_t>(part_)];
      if (firstCall_ < 0 && part.isCall()) firstCall_ = part_;
      checkPart(part);
    }
    checkTrailingContent();
    part_ = -1;
    if (hasLoneSurrogates(view_.content)) checkTexts();
    checkMediaWithResponses();
    checkCallIds();
    if (view_.hasCalls() && view_.hasResponses() && !isServerStep())
      add(Rule::kResponseInterleaved);
  }

 private:
  Finding& add(Rule rule, std::string_view arg1 = {}, std::string_view arg2 = {}) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.content = index_;
    finding.part = part_;
    finding.arg1 = arg1;
    finding.arg2 = arg2;
    return finding;
  }

  // Returns whether Google ran the functionCalls of this Content itself: then each response comes
  // behind the call that it answers.
  bool isServerStep() const {
    if (!target_.serverCalls || !view_.isModel() || view_.responses > view_.calls) return false;
    return gemini::openCallsOf(view_.content).size() + view_.responses == view_.calls;
  }

  void addInvalid(std::string path, std::string_view arg1, std::string_view expected) {
    add(Rule::kFieldInvalid, arg1, expected).path = std::move(path);
  }

  // Returns where a finding is about something at `path`.
  Finding locationOf(std::string path) const {
    Finding location{};
    location.content = index_;
    location.part = part_;
    location.path = std::move(path);
    return location;
  }

  // Looks for lone surrogates: in the Parts, then in the other fields of the Content.
  void checkTexts() {
    for (const gemini::PartView& part : view_.partViews) {
      ++part_;
      checkSurrogates(part.part, locationOf(""), findings_);
    }
    part_ = -1;
    for (const json::Member member : json::members(view_.content)) {
      if (member.value != view_.parts) checkSurrogates(member, locationOf(""), findings_);
    }
  }

  void checkRole() {
    const gemini::Role role = view_.roleKind;
    if (role == gemini::Role::kUser || role == gemini::Role::kModel) return;
    Finding& finding =
        add(Rule::kRoleInvalid, role == gemini::Role::kMissing ? "(missing)" : view_.role.text());
    finding.path = role == gemini::Role::kMissing ? "" : "/role";
    finding.severityCap = std::min(finding.severityCap, roleSeverity(role));
  }

  // What is known of roles: models up to Gemini 3 accept `function`, though Vertex AI refuses it
  // from 3.1 on, and the Gemini API reads a missing role as user. Whether newer models of the
  // Gemini API do is not recorded.
  Severity roleSeverity(gemini::Role role) const {
    const catalogue::Generation generation = target_.model->generation;
    const bool vertex = target_.backend == gemini::Backend::kVertex;
    if (role == gemini::Role::kFunction) {
      if (vertex && generation >= catalogue::Generation::k3 && !target_.model->functionRole)
        return Severity::kError;
      return generation < catalogue::Generation::k3_6 ? Severity::kInfo : Severity::kWarning;
    }
    const bool readAsUser = role == gemini::Role::kMissing && !view_.hasCalls() && !vertex;
    if (!readAsUser) return Severity::kError;
    return generation < catalogue::Generation::k3 ? Severity::kInfo : Severity::kWarning;
  }

  // Reports unknown fields of a Content or Part.
  void checkUnknownFields(json::Value object) {
    for (const json::Member member : json::members(object)) {
      if (!isKnownField(member.key, part_ >= 0)) addUnknown(member.key, "");
    }
  }

  // Returns whether a Part from the model may hold a kind of data that was added to the API later.
  bool mayHoldNewData(const gemini::PartView& part) const {
    if (!view_.isModel() || !part.unknownKey) return false;
    for (const json::Member member : json::members(part.part)) {
      const bool isNew = !gemini::isPartField(member.key) && !isRefusedName(member.key);
      if (isNew && !member.value.isNull()) return true;
    }
    return false;
  }

  void addUnknown(json::Value key, std::string path) {
    json::appendPointer(path, key.text());
    Finding& finding = add(Rule::kFieldUnknown, key.text());
    // The name that other APIs have.
    if (part_ < 0 && key.equals("content")) finding.arg2 = " Did you mean parts?";
    finding.path = std::move(path);
    if (isRefusedName(key)) return;
    // An unknown field of a model Content may be new in the API.
    finding.severityCap = view_.isModel() ? Severity::kInfo : Severity::kWarning;
  }

  void checkPart(const gemini::PartView& part) {
    if (!part.part.isObject()) return addInvalid("", "a Part", "an object");
    if (part.unknownKey) checkUnknownFields(part.part);
    if (target_.backend == gemini::Backend::kVertex) checkGeminiOnlyFields(part.part);
    checkBothSpellings(part.part, "");
    if (part.kind == gemini::PartKind::kNone) {
      checkNoData(part);
    } else if (part.otherKey) {
      add(Rule::kPartMultipleData, part.dataKey.text(), part.otherKey.text());
    }
    checkData(part);
    if (part.signature) checkSignature(part);
  }

  // The API takes back Parts of nothing but a signature, `thought` or `videoMetadata`. Of Parts
  // with nothing but other known fields, no answer is on record.
  void checkNoData(const gemini::PartView& part) {
    if (mayHoldNewData(part) || part.isAnnotation()) return;
    Finding& finding = add(Rule::kPartNoData);
    for (const json::Member member : json::members(part.part)) {
      const bool known = !member.value.isNull() && gemini::isPartField(member.key);
      if (known) finding.severityCap = Severity::kWarning;
    }
  }

  // Reports fields that the Gemini API has and Vertex AI does not.
  void checkGeminiOnlyFields(json::Value part) {
    for (const json::Member member : json::members(part)) {
      if (gemini::isField(member.key, "partMetadata") && !member.value.isNull())
        addUnknown(member.key, "");
    }
  }

  void checkBothSpellings(json::Value object, const std::string& path) {
    if (hasSnakeCase(object)) checkSpellings(object, locationOf(path), findings_);
  }

  void checkData(const gemini::PartView& part) {
    if (part.kind == gemini::PartKind::kText) return checkText(part);
    if (part.kind != gemini::PartKind::kNone && !part.data.isObject()) {
      return addInvalid("/" + part.dataKey.text(), part.dataKey.text(), "an object");
    }
    if (gemini::isMediaKind(part.kind)) {
      const MediaPlace place = view_.isModel() ? MediaPlace::kModel : MediaPlace::kUser;
      checkMedia(part.data, part.kind, place, locationOf("/" + part.dataKey.text()), target_,
                 findings_);
    }
    if (part.kind == gemini::PartKind::kToolCall && view_.isModel() && !part.isSigned())
      add(Rule::kSignatureMissingToolCall);
    if (part.isCall()) checkCall(part);
    if (part.isResponse()) checkResponse(part);
  }

  void checkText(const gemini::PartView& part) {
    if (!part.data.isString()) return addInvalid("/text", "text", "a string");
    if (part.data.raw().empty() && !part.isSigned()) add(Rule::kTextEmpty);
  }

  void checkName(const gemini::PartView& part, const std::string& path) {
    if (part.name.isString() && !part.name.raw().empty()) return;
    addInvalid(path + "/name", "name", "a non-empty string");
  }

  void checkId(const gemini::PartView& part, const std::string& path) {
    if (part.id && !part.id.isString()) addInvalid(path + "/id", "id", "a string");
  }

  void checkCall(const gemini::PartView& part) {
    const std::string path = "/" + part.dataKey.text();
    checkBothSpellings(part.data, path);
    // Only later chunks of streamed arguments lack a name, and they are never stored as Parts.
    checkName(part, path);
    checkId(part, path);
    if (part.payload && !part.payload.isObject()) addInvalid(path + "/args", "args", "an object");
    for (const json::Member member : json::members(part.data)) {
      if (gemini::isField(member.key, "thoughtSignature")) {
        add(Rule::kSignatureInsideCall).path = path;
      } else if (!isKnown(member.key, kCallFields)) {
        addUnknown(member.key, path);
      }
    }
  }

  // Models without functionCall ids refuse the field.
  bool isKnown(json::Value key, const std::array<std::string_view, 6>& fields) const {
    return isOneOf(key, fields) && (target_.model->callIds || !gemini::isField(key, "id"));
  }

  void checkResponse(const gemini::PartView& part) {
    const std::string path = "/" + part.dataKey.text();
    checkName(part, path);
    checkId(part, path);
    checkBothSpellings(part.data, path);
    if (part.payload && !part.payload.isObject()) {
      Finding& finding = add(Rule::kResponseNotObject);
      finding.path = path + "/response";
      // The error text is on record for arrays only.
      finding.hasUpstream = part.payload.isArray();
    }
    for (const json::Member member : json::members(part.data)) {
      if (!isKnown(member.key, kResponseFields)) addUnknown(member.key, path);
      if (gemini::isField(member.key, "parts") && !member.value.isNull())
        checkResponseParts(member.value, path + "/" + member.key.text());
    }
  }

  // The media of a functionResponse, a field of Gemini 3 and later.
  void checkResponseParts(json::Value parts, const std::string& path) {
    if (!parts.isObject() && !parts.isArray())
      return addInvalid(path, "functionResponse.parts", "an array");
    if (parts.isObject() || parts.size() > 0) add(Rule::kResponsePartsUnsupported).path = path;
    size_t index = 0;
    for (const json::Value part : gemini::repeated(parts)) {
      checkResponsePart(part, parts.isObject() ? path : path + "/" + std::to_string(index++));
    }
  }

  // An element holds inlineData or fileData; every other field is unknown to the API.
  void checkResponsePart(json::Value part, const std::string& path) {
    json::Value first;
    for (const json::Member member : json::members(part)) {
      const bool isInline = gemini::isField(member.key, "inlineData");
      if (!isInline && !gemini::isField(member.key, "fileData")) {
        addUnknown(member.key, path);
        // A field of Part is no new field of this object.
        if (gemini::isPartField(member.key)) findings_.back().severityCap = Severity::kError;
      } else if (!member.value.isNull()) {
        const std::string location = path + "/" + member.key.text();
        checkResponseMedia(member.value, isInline, location);
        if (first) addSecondData(first, member.key, path);
        first = member.key;
      }
    }
    if (!first) addInvalid(path, "an element of functionResponse.parts", "inlineData or fileData");
  }

  void checkResponseMedia(json::Value media, bool isInline, const std::string& path) {
    if (!media.isObject())
      return addInvalid(path, isInline ? "inlineData" : "fileData", "an object");
    checkMedia(media, isInline ? gemini::PartKind::kInlineData : gemini::PartKind::kFileData,
               MediaPlace::kResponse, locationOf(path), target_, findings_);
  }

  void addSecondData(json::Value first, json::Value second, const std::string& path) {
    Finding& finding = add(Rule::kPartMultipleData, first.text(), second.text());
    finding.path = path;
    finding.hasUpstream = false;
  }

  void checkSignature(const gemini::PartView& part) {
    if (!part.signature.isString()) {
      return addInvalid("/" + part.signatureKey.text(), "thoughtSignature", "a base64 string");
    }
    const std::string signature = part.signature.text();
    if (signature.empty()) return;
    if (isPlaceholder(signature)) {
      add(Rule::kSignatureDummy);
    } else if (!isBase64(signature)) {
      add(Rule::kSignatureNotBase64, firstCharacters(signature, 40));
    } else {
      checkProvenance();
    }
    if (part.isCall() && part_ > firstCall_) add(Rule::kSignatureOnSibling);
  }

  void checkProvenance() {
    const Severity severity = foreignSeverity(from_, target_);
    if (severity == Severity::kOff) return;
    std::string source = from_.backend;
    if (!from_.model.empty()) source += source.empty() ? from_.model : " " + from_.model;
    add(Rule::kSignatureForeign, source, std::string(target_.model->id)).severityCap = severity;
  }

  // Gemini 2.x miscounts the responses of parallel calls if the Content also holds media
  // (google-gemini/gemini-cli#16135).
  void checkMediaWithResponses() {
    if (target_.model->generation > catalogue::Generation::k2_5 || view_.responses < 2) return;
    const bool media = std::any_of(
        view_.partViews.begin(), view_.partViews.end(), [](const gemini::PartView& part) {
          return part.kind == gemini::PartKind::kInlineData || part.mediaInResult;
        });
    if (!media) return;
    add(Rule::kResponseCount,
        catalogue::counted(view_.responses, "functionResponse") + " with media",
        catalogue::counted(view_.responses, "functionCall"));
  }

  // Each functionResponse names its call by the id. Calls that Google ran have ids of their own.
  void checkCallIds() {
    if (view_.calls < 2) return;
    std::vector<Keyed> calls;
    for (size_t i = 0; i < view_.partViews.size(); ++i) {
      const gemini::PartView& part = view_.partViews[i];
      if (part.isCall() && part.id.isString() && !part.id.raw().empty())
        calls.push_back({part.id.text(), i});
    }
    sortByKey(calls);
    for (size_t i = 1; i < calls.size(); ++i) {
      if (calls[i].key != calls[i - 1].key) continue;
      part_ = static_cast<int32_t>(calls[i].at);
      add(Rule::kCallDuplicateId, firstCharacters(calls[i].key, kShownId)).path =
          "/" + view_.partViews[calls[i].at].dataKey.text() + "/id";
    }
    part_ = -1;
  }

  void checkTrailingContent() {
    bool afterResponse = false;
    for (part_ = 0; part_ < static_cast<int32_t>(view_.partViews.size()); ++part_) {
      const gemini::PartView& part = view_.partViews[static_cast<size_t>(part_)];
      if (part.isResponse()) afterResponse = true;
      if (!afterResponse || part.isResponse() || part.isCall()) continue;
      add(Rule::kResponseTrailingContent);
      return;
    }
    checkLeadingContent();
  }

  // By one report, Vertex AI refuses what precedes functionResponses, too.
  void checkLeadingContent() {
    const bool refuses = target_.backend == gemini::Backend::kVertex &&
                         target_.model->generation >= catalogue::Generation::k3_6;
    if (!refuses || view_.isModel() || view_.hasCalls() || !view_.hasResponses()) return;
    part_ = 0;
    if (view_.partViews.front().isResponse()) return;
    add(Rule::kResponseTrailingContent).severityCap = Severity::kWarning;
  }

  const gemini::ContentView& view_;
  int32_t index_;
  int32_t part_ = -1;
  int32_t firstCall_ = -1;
  const catalogue::Target& target_;
  const Provenance& from_;
  catalogue::Findings& findings_;
};

}  // namespace

void checkContent(const gemini::ContentView& view, int32_t index, const catalogue::Target& target,
                  const Provenance& from, catalogue::Findings& findings) {
  ContentCheck(view, index, target, from, findings).run();
}

void checkSpellings(json::Value object, const Finding& location, catalogue::Findings& findings) {
  std::vector<json::Value> snakeCaseKeys;
  std::vector<std::string> names;
  for (const json::Member member : json::members(object)) {
    if (isSnakeCase(member)) snakeCaseKeys.push_back(member.key);
  }
  if (snakeCaseKeys.empty()) return;
  for (const json::Member member : json::members(object)) {
    if (!member.value.isNull()) names.push_back(member.key.text());
  }
  heapSort(names.begin(), names.end(), std::less<>());
  for (const json::Value key : snakeCaseKeys) {
    const std::string name = key.text();
    const std::string other = gemini::toCamelCase(key);
    if (other == name || !std::binary_search(names.begin(), names.end(), other)) continue;
    Finding& finding = findings.emplace_back(location);
    finding.rule = Rule::kJsonDuplicateKey;
    finding.arg1 = name;
    json::appendPointer(finding.path, name);
  }
}

bool isKnownField(json::Value key, bool ofPart) {
  return ofPart ? gemini::isPartField(key) : key.equals("role") || key.equals("parts");
}

bool isRefusedName(json::Value key) { return isOneOf(key, kRefusedNames); }

}  // namespace strata::lint
