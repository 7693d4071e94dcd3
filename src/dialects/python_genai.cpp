#include "dialects/python_genai.h"

#include <array>

#include "dialects/base64.h"
#include "dialects/message_reader.h"
#include "gemini/content_view.h"
#include "json/string.h"

namespace strata::dialects {
namespace {

// Fields inside the data of a Part whose two spellings differ.
constexpr std::array<std::string_view, 8> kInnerFields = {
    "mimeType",    "fileUri",      "displayName", "toolType",
    "partialArgs", "willContinue", "startOffset", "endOffset"};

// Copies a Content and replaces parts of its text from start to end.
class SpellingNormalizer {
 public:
  SpellingNormalizer(json::Value content, const Path& path, ImportNotes& notes)
      : content_(content), path_(path), notes_(notes), copied_(content.offset()) {}

  std::string run() {
    copyParts(content_.find("parts"), path_.at("parts"));
    if (!out_.empty()) copyTo(endOf(content_));
    return std::move(out_);
  }

 private:
  static size_t endOf(json::Value value) { return value.offset() + value.bytes().size(); }

  void copyParts(json::Value parts, const Path& at) {
    size_t index = 0;
    const bool single = parts.isObject();
    for (const json::Value part : gemini::repeated(parts)) {
      copyObject(part, "", single ? at : at.at(index++));
    }
  }

  // Returns whether a known field is null, which means unset. `field` is the data field that
  // contains the member, or "" for a member of a Part.
  static bool isNullField(json::Member member, std::string_view field) {
    return member.value.isNull() && (!field.empty() || gemini::isPartField(member.key));
  }

  void copyObject(json::Value object, std::string_view field, const Path& at) {
    bool dropsNulls = false;
    for (const json::Member member : json::members(object)) {
      dropsNulls = dropsNulls || isNullField(member, field);
    }
    if (dropsNulls) copyTo(object.offset() + 1);
    bool first = true;
    for (const json::Member member : json::members(object)) {
      if (isNullField(member, field)) {
        notes_.addOmittedNull(at.at(member.key.text()));
        continue;
      }
      if (dropsNulls && !first) out_.push_back(',');
      if (dropsNulls) copied_ = member.key.offset();
      first = false;
      copyMember(member, field, at);
      if (dropsNulls) copyTo(endOf(member.value));
    }
    if (dropsNulls) copied_ = endOf(object) - 1;
  }

  // Arguments and responses are the user's data and stay unchanged.
  void copyMember(json::Member member, std::string_view field, const Path& at) {
    const std::string_view name =
        field.empty() ? gemini::partField(member.key) : innerField(member.key);
    if (!name.empty()) rename(member.key, name, at);
    if (name == "thoughtSignature" || (field == "inlineData" && member.key.equals("data"))) {
      normalizeBase64(member.value, at.at(member.key.text()));
    } else if (field == "functionResponse" && member.key.equals("parts")) {
      copyParts(member.value, at.at("parts"));
    } else if (field.empty() && !name.empty() && name != "partMetadata") {
      copyObject(member.value, name, at.at(member.key.text()));
    }
  }

  static std::string_view innerField(json::Value key) {
    for (const std::string_view name : kInnerFields) {
      if (gemini::isField(key, name)) return name;
    }
    return {};
  }

  void rename(json::Value key, std::string_view name, const Path& at) {
    if (key.raw() == name) return;
    notes_.addConverted(at.at(key.text()), "A name in snake_case", "camelCase");
    replace(key, name);
  }

  void normalizeBase64(json::Value bytes, const Path& at) {
    const std::string_view raw = bytes.raw();
    if (raw.find_first_of("-_") == std::string_view::npos) return;
    const std::string text = bytes.text();
    const std::string standard = standardBase64(text);
    if (standard == text) return;
    notes_.addConverted(at, "Bytes in base64url", "standard base64");
    replace(bytes, standard);
  }

  void replace(json::Value string, std::string_view text) {
    copyTo(string.offset());
    json::appendQuoted(out_, text);
    copied_ = string.offset() + string.bytes().size();
  }

  void copyTo(size_t offset) {
    out_.append(content_.bytes().substr(copied_ - content_.offset(), offset - copied_));
    copied_ = offset;
  }

  json::Value content_;
  const Path& path_;
  ImportNotes& notes_;
  std::string out_;
  size_t copied_;
};

}  // namespace

std::string normalizeSpelling(json::Value content, const Path& path, ImportNotes& notes) {
  return SpellingNormalizer(content, path, notes).run();
}

}  // namespace strata::dialects
