#include "interactions/convert.h"

#include "base/ascii.h"
#include "gemini/content_view.h"

namespace strata::interactions {

using catalogue::Rule;

void Losses::add(Rule rule, std::string_view path, std::string_view arg1, std::string_view arg2) {
  catalogue::Finding& finding = findings_.emplace_back();
  finding.rule = rule;
  finding.path = path;
  finding.arg1 = arg1;
  finding.arg2 = arg2;
}

std::string joined(std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

void appendElement(std::string& list, std::string_view json) {
  if (json.empty()) return;
  if (!list.empty()) list.push_back(',');
  list += json;
}

void Losses::lost(std::string_view path, std::string_view what) {
  add(Rule::kConvertLost, path, what, to_);
}

void Losses::lostMembers(std::string_view path, json::Value object, NameList read) {
  for (const json::Member member : json::members(object)) {
    const json::Value value = member.value;
    const bool isSaid = isSet(value) && !(value.isArray() && value.size() == 0);
    const std::string name = member.key.text();
    if (isSaid && !hasName(read, name) && !hasName(read, gemini::toCamelCase(member.key)))
      lost(path, name);
  }
}

void Losses::refused(std::string_view path, std::string_view what) {
  add(Rule::kConvertRefused, path, what, to_);
}

void Losses::changed(std::string_view path, std::string_view what, std::string_view becomes) {
  add(Rule::kConvertChanged, path, what, becomes);
}

void Losses::unsignedCalls(std::string_view path) { add(Rule::kConvertUnsigned, path, {}, {}); }

}  // namespace strata::interactions
