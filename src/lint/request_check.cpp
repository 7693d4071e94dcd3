#include "lint/request_check.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "json/pointer.h"
#include "lint/content_rules.h"

namespace strata::lint {

using catalogue::Finding;
using catalogue::Rule;
using catalogue::Severity;

Finding& RequestCheck::add(Rule rule, const std::string& path, std::string_view arg1,
                           std::string_view arg2) {
  Finding& finding = findings_.emplace_back();
  finding.rule = rule;
  finding.path = path;
  finding.arg1 = arg1;
  finding.arg2 = arg2;
  return finding;
}

Finding& RequestCheck::addAt(Rule rule, json::Value object, const std::string& path,
                             std::string_view name, std::string_view arg1, std::string_view arg2) {
  return add(rule, pathOf(object, path, name), arg1, arg2);
}

std::string RequestCheck::pathOf(json::Value object, const std::string& path,
                                 std::string_view name) {
  const json::Value value = gemini::field(object, name);
  for (const json::Member member : json::members(object)) {
    const bool isIt = member.value == value && gemini::isField(member.key, name);
    if (isIt) return path + "/" + member.key.text();
  }
  return path + "/" + std::string(name);
}

void RequestCheck::checkNames(json::Value object, const std::string& path,
                              gemini::ObjectKind kind) {
  for (const json::Member member : json::members(object)) {
    const gemini::FieldSupport known =
        gemini::fieldSupport(kind, member.key, context_.target.backend);
    // Null leaves a field of the other backend unset.
    if (known == gemini::FieldSupport::kSupported ||
        (known != gemini::FieldSupport::kUnknown && member.value.isNull()))
      continue;
    std::string location = path;
    json::appendPointer(location, member.key.text());
    Finding& finding = add(Rule::kFieldUnknown, location, member.key.text());
    if (known == gemini::FieldSupport::kRejected) continue;
    const std::string meant = gemini::meantField(kind, member.key);
    if (known == gemini::FieldSupport::kUnknown && !meant.empty()) {
      finding.arg2.append(" Did you mean ").append(meant).append("?");
    } else {
      // An unknown field may be newer than this package.
      finding.severityCap = Severity::kWarning;
    }
  }
  Finding location{};
  location.path = path;
  checkSpellings(object, location, findings_);
}

bool RequestCheck::checkObject(json::Value value, const std::string& path, std::string_view arg1,
                               gemini::ObjectKind kind) {
  // Null leaves a field unset, but an array element cannot be null.
  const bool isElement = kind == gemini::ObjectKind::kTool ||
                         kind == gemini::ObjectKind::kDeclaration ||
                         kind == gemini::ObjectKind::kSafetySetting;
  if (!value.isObject() && (isSet(value) || (isElement && value))) {
    add(Rule::kFieldInvalid, path, arg1, "an object");
  }
  if (!value.isObject()) return false;
  checkNames(value, path, kind);
  return true;
}

void RequestCheck::checkList(json::Value value, const std::string& path, std::string_view arg1,
                             std::string_view expected) {
  if (!isSet(value) || value.isArray() || value.isObject()) return;
  add(Rule::kFieldInvalid, path, arg1, expected);
}

void RequestCheck::checkEnum(json::Value object, const std::string& path, std::string_view name,
                             std::span<const std::string_view> values) {
  const json::Value value = gemini::field(object, name);
  // ProtoJSON also takes the number of a value.
  if (!isSet(value) || value.isNumber()) return;
  const std::string upper = ascii::upperCase(value.text());
  if (value.isString() && std::find(values.begin(), values.end(), upper) != values.end()) return;
  std::string expected = "one of ";
  for (const std::string_view each : values) {
    expected.append(each == values.front() ? "" : ", ").append(each);
  }
  Finding& finding = addAt(Rule::kFieldInvalid, object, path, name, name, expected);
  // A value may be newer than this package.
  if (value.isString()) finding.severityCap = Severity::kWarning;
}

}  // namespace strata::lint
