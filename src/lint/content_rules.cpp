#include "lint/content_rules.h"

#include <algorithm>
#include <array>

#include "base/heap_sort.h"
#include "base/plain_text.h"
#include "gemini/content_queries.h"
#include "json/pointer.h"
#include "json/string.h"

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

bool isOneOf(json::Value key, const std::array<std::string_view, 6>& names) {
  for (const std::string_view name : names) {
    if (!name.empty() && gemini::isField(key, name)) return true;
  }
  return false;
}

bool isBase64String(json::Value value) {
  if (!value.isString()) return false;
  if (!value.hasEscapes()) return looksLikeBase64(value.raw());
  std::string text = value.text();
  // Line breaks inside base64 are accepted.
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r'; });
  return looksLikeBase64(text);
}

// Returns the path of `mimeType`, in the spelling that the object uses.
std::string mimeTypePath(json::Value object, const std::string& path) {
  return path + (object.find("mime_type") ? "/mime_type" : "/mimeType");
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
    checkMediaWithResponses();
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

  void checkRole() {
    const gemini::Role role = view_.roleKind;
    if (role == gemini::Role::kUser || role == gemini::Role::kModel) return;
    Finding& finding =
        add(Rule::kRoleInvalid, role == gemini::Role::kMissing ? "(missing)" : view_.role.text());
    finding.path = role == gemini::Role::kMissing ? "" : "/role";
    finding.severityCap = std::min(finding.severityCap, roleSeverity(role));
  }

  // What is known of roles: models up to Gemini 3 accept `function`, and the Gemini API reads a
  // missing role as user. Whether newer models do is not recorded.
  Severity roleSeverity(gemini::Role role) const {
    const catalogue::Generation generation = target_.model->generation;
    if (role == gemini::Role::kFunction)
      return generation < catalogue::Generation::k3_6 ? Severity::kInfo : Severity::kWarning;
    const bool readAsUser = role == gemini::Role::kMissing && !view_.hasCalls() &&
                            target_.backend == gemini::Backend::kGemini;
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
    Finding location{};
    location.content = index_;
    location.part = part_;
    location.path = path;
    checkSpellings(object, location, findings_);
  }

  void checkData(const gemini::PartView& part) {
    if (part.kind == gemini::PartKind::kText) return checkText(part);
    if (part.kind != gemini::PartKind::kNone && !part.data.isObject()) {
      return addInvalid("/" + part.dataKey.text(), part.dataKey.text(), "an object");
    }
    if (part.kind == gemini::PartKind::kInlineData)
      checkInlineData(part.data, "/" + part.dataKey.text());
    if (part.kind == gemini::PartKind::kFileData)
      checkFileUri(part.data, "/" + part.dataKey.text());
    if (part.kind == gemini::PartKind::kToolCall && view_.isModel() && !part.isSigned())
      add(Rule::kSignatureMissingToolCall);
    if (part.isCall()) checkCall(part);
    if (part.isResponse()) checkResponse(part);
  }

  // Checks the form of inline data only. Typical client errors are a data URL, a path, or an array.
  void checkInlineData(json::Value blob, const std::string& path) {
    const json::Value type = gemini::field(blob, "mimeType");
    const json::Value data = gemini::field(blob, "data");
    if (!type.isString() || type.raw().empty()) {
      addInvalid(mimeTypePath(blob, path), "mimeType", "a non-empty string");
    }
    if (!isBase64String(data)) addInvalid(path + "/data", "data", "a base64 string");
    checkMediaType(type, mimeTypePath(blob, path));
  }

  void checkMediaType(json::Value type, const std::string& path) {
    const bool audio = type.raw().substr(0, 6) == "audio/";
    const catalogue::ModelRow& model = *target_.model;
    const bool speaks = model.output == catalogue::Output::kSpeech;
    if (audio && (speaks || model.refuses(catalogue::Feature::kAudioInput)))
      add(Rule::kMediaAudioUnsupported).path = path;
  }

  // Each service reads its own storage: the Gemini API its Files API, Vertex AI Cloud Storage.
  void checkFileUri(json::Value file, const std::string& path) {
    checkMediaType(gemini::field(file, "mimeType"), mimeTypePath(file, path));
    const std::string uri = gemini::field(file, "fileUri").text();
    const bool vertex = target_.backend == gemini::Backend::kVertex;
    constexpr std::string_view kFilesApi = "https://generativelanguage.googleapis.com/";
    const std::string_view other = vertex ? kFilesApi : "gs://";
    if (uri.substr(0, other.size()) != other) return;
    constexpr size_t kShown = 80;
    Finding& finding = add(Rule::kMediaUriUnsupported, firstCharacters(uri, kShown),
                           vertex ? "Vertex AI" : "the Gemini API");
    finding.path = path + (file.find("file_uri") ? "/file_uri" : "/fileUri");
  }

  void checkText(const gemini::PartView& part) {
    if (!part.data.isString()) return addInvalid("/text", "text", "a string");
    if (part.data.raw().empty() && !part.isSigned()) add(Rule::kTextEmpty);
    if (part.data.hasEscapes() && json::hasLoneSurrogate(part.data.raw())) {
      add(Rule::kTextLoneSurrogate);
    }
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
      if (gemini::isField(member.key, "parts")) checkResponseParts(member.value, path + "/parts");
    }
  }

  void checkResponseParts(json::Value parts, const std::string& path) {
    size_t index = 0;
    for (const json::Value part : gemini::repeated(parts)) {
      const std::string location = parts.isObject() ? path : path + "/" + std::to_string(index++);
      for (const json::Member member : json::members(part)) {
        if (!gemini::isField(member.key, "inlineData") || !member.value.isObject()) continue;
        checkInlineData(member.value, location + "/" + member.key.text());
      }
    }
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
    const std::string count = std::to_string(view_.responses);
    add(Rule::kResponseCount, count + " functionResponses with media", count);
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
    if (member.value.isNull()) continue;
    if (member.key.raw().find('_') != std::string_view::npos) snakeCaseKeys.push_back(member.key);
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
